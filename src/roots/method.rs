//! The sampling methods, and the number of roots that each puts on a scalp at a spacing.

use super::{LEAST_DENSITY, MAX_STRANDS, SampleError};
use crate::choices;
use crate::scalp::Scalp;

choices! {
    /// A method of choosing roots. `docs/roots.md` has the formulas and what each achieves.
    pub enum Method: "method" = Progressive {
        /// Maximal Poisson-disk in an order whose every prefix is even; painted density selects a
        /// prefix.
        Progressive = "progressive",
        /// Maximal Poisson-disk at a single spacing.
        Maximal = "maximal",
        /// Maximal Poisson-disk, packed as closely as darts can.
        Tight = "tight",
        /// Maximal Poisson-disk with a spacing that follows the painted density.
        Variable = "variable",
        /// Area-weighted dart throwing, which stops before the set is maximal.
        Darts = "darts",
        /// Area-weighted random points.
        Uniform = "uniform",
        /// Sample elimination of random points (Yuksel 2015).
        Elimination = "elimination",
        /// Darts at uniformly chosen triangles, as in the original program.
        Reference = "reference",
    }
}

/// The density of maximal sets: N = PACKING · area / spacing² on a closed surface.
pub(crate) const PACKING: f64 = 0.7010;

/// A scalp and how it is sampled.
#[derive(Clone, Copy)]
pub(crate) struct Sampling<'a> {
    pub(crate) scalp: &'a Scalp,
    pub(crate) method: Method,
    pub(crate) seed: u64,
}

impl Sampling<'_> {
    /// Returns the number of roots at spacing 1, as if the scalp had no borders. The densities of
    /// the methods are measured.
    pub(crate) fn bulk(&self) -> f64 {
        match self.method {
            Method::Progressive => 0.6732 * self.scalp.area(),
            Method::Tight => 0.7413 * self.scalp.area(),
            Method::Darts | Method::Reference => 0.5972 * self.scalp.area(),
            Method::Maximal | Method::Uniform | Method::Elimination => PACKING * self.scalp.area(),
            Method::Variable => PACKING * self.effective_area(),
        }
    }

    /// Returns the integral of the density over the scalp, the mean of the corners on each
    /// triangle. Densities below [`LEAST_DENSITY`] count as that.
    fn effective_area(&self) -> f64 {
        let areas = self.scalp.triangle_areas().iter().enumerate();
        let areas = areas.map(|(triangle, area)| {
            let corners = self.scalp.corner_densities(triangle as u32);
            let densities = corners.map(|d| f64::from(d).max(LEAST_DENSITY));
            area * densities.iter().sum::<f64>() / 3.0
        });
        areas.sum()
    }

    /// Returns the smallest spacing that needs at most [`MAX_STRANDS`] by area.
    pub(crate) fn smallest_by_count(&self) -> f64 {
        (PACKING * self.scalp.area() / f64::from(MAX_STRANDS)).sqrt()
    }

    /// Returns the smallest spacing that the f32 coordinates of the scalp resolve. The rounding of
    /// a position, at most 0.87 epsilon of the largest coordinate, must stay below the tolerance of
    /// the coverage.
    pub(crate) fn smallest_by_rounding(&self) -> f64 {
        let (low, high) = self.scalp.bounds();
        let largest = low.abs().max(high.abs()).max_element();
        1200.0 * f64::from(f32::EPSILON) * f64::from(largest)
    }

    /// Checks that the coordinates of the scalp resolve a spacing.
    ///
    /// # Errors
    /// [`SampleError::Spacing`] or [`SampleError::TooFine`].
    pub(crate) fn check_resolution(&self, spacing: f32) -> Result<(), SampleError> {
        let smallest = self.smallest_by_rounding();
        if !(spacing.is_finite() && spacing > 0.0) {
            return Err(SampleError::Spacing { spacing });
        }
        if f64::from(spacing) < smallest {
            let smallest = rounded_up(smallest);
            return Err(SampleError::TooFine { spacing, smallest });
        }
        Ok(())
    }
}

/// Returns a slightly larger spacing, which is not below the given one after rounding.
pub(crate) fn rounded_up(spacing: f64) -> f32 {
    (spacing * (1.0 + 1e-6)) as f32
}
