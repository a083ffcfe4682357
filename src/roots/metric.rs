//! How far apart roots must be, which may follow the painted density.

use super::fragment::Fragment;
use super::{LEAST_DENSITY, Roots};
use crate::scalp::{Scalp, SurfacePoint};

/// Radius of the ball in which a root wants to be alone: the same everywhere, or
/// `radius / sqrt(density)`.
///
/// Two roots conflict when they are closer than the *smaller* of their radii
/// ("smaller disks" of Mitchell, Rand, Ebeida and Bajaj 2012): a sparse region
/// cannot thin out a dense one beside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Metric {
    /// At full density, decimetres.
    pub(crate) radius: f64,
    /// Whether density widens it.
    pub(crate) scaled: bool,
}

impl Metric {
    /// At a point.
    pub(crate) fn at(&self, scalp: &Scalp, point: SurfacePoint) -> f64 {
        match self.scaled {
            true => self.radius * widened(scalp.density(point).into()),
            false => self.radius,
        }
    }

    /// At the middle of a piece.
    pub(crate) fn middle(&self, scalp: &Scalp, piece: &Fragment) -> f64 {
        match self.scaled {
            true => self.radius * widened(piece.densities(scalp).iter().sum::<f64>() / 3.0),
            false => self.radius,
        }
    }

    /// The smallest and the largest over a piece: density is linear on it.
    pub(crate) fn range(&self, scalp: &Scalp, piece: &Fragment) -> (f64, f64) {
        if !self.scaled {
            return (self.radius, self.radius);
        }
        let densities = piece.densities(scalp);
        let most = densities.into_iter().fold(0.0, f64::max);
        let least = densities.into_iter().fold(1.0, f64::min);
        (self.radius * widened(most), self.radius * widened(least))
    }
}

/// What a density does to the spacing: so many roots for so much area.
fn widened(density: f64) -> f64 {
    density.max(LEAST_DENSITY).sqrt().recip()
}

impl Roots {
    /// The spacing at a scalp point, decimetres: [`Roots::spacing`], or where the set is
    /// [`scaled`](Roots::scaled) that over the square root of the density there.
    pub fn spacing_at(&self, scalp: &Scalp, point: SurfacePoint) -> f64 {
        self.metric().at(scalp, point)
    }

    pub(crate) fn metric(&self) -> Metric {
        Metric {
            radius: self.spacing.into(),
            scaled: self.scaled,
        }
    }
}
