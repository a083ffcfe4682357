//! The local spacing of roots, which may follow the painted density.

use super::fragment::Fragment;
use crate::roots::{LEAST_DENSITY, Roots};
use crate::scalp::{Scalp, SurfacePoint};

/// The radius of the ball in which a root is alone: constant, or `radius / sqrt(density)`.
///
/// Two roots conflict if they are closer than the *smaller* of their radii ("smaller disks" of
/// Mitchell, Rand, Ebeida and Bajaj 2012), so that a sparse region cannot thin out a dense one
/// beside it.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// The radius at full density, decimetres.
    pub radius: f64,
    /// `true` if the density widens the radius.
    pub scaled: bool,
}

impl Metric {
    /// Returns the radius at a point.
    pub fn at(&self, scalp: &Scalp, point: SurfacePoint) -> f64 {
        match self.scaled {
            true => self.radius * widened(scalp.density(point).into()),
            false => self.radius,
        }
    }

    /// Returns the radius at the centroid of a piece.
    pub fn middle(&self, scalp: &Scalp, piece: &Fragment) -> f64 {
        match self.scaled {
            true => self.radius * widened(piece.densities(scalp).iter().sum::<f64>() / 3.0),
            false => self.radius,
        }
    }

    /// Returns the smallest and the largest radius on a piece; density is linear on it.
    pub fn range(&self, scalp: &Scalp, piece: &Fragment) -> (f64, f64) {
        if !self.scaled {
            return (self.radius, self.radius);
        }
        let densities = piece.densities(scalp);
        let most = densities.into_iter().fold(0.0, f64::max);
        let least = densities.into_iter().fold(1.0, f64::min);
        (self.radius * widened(most), self.radius * widened(least))
    }
}

/// Returns the factor of a density on the spacing, which keeps the number of roots proportional to
/// it.
fn widened(density: f64) -> f64 {
    density.max(LEAST_DENSITY).sqrt().recip()
}

impl Roots {
    /// Returns the spacing at a scalp point, decimetres: [`Roots::spacing`], divided by the square
    /// root of the density in a [`scaled`](Roots::scaled) set.
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
