//! Sampling: chooses roots by a method, for a number of roots or a spacing.
//!
//! `count` finds the spacing for a wanted number of roots. Maximal sets are made by the `filler`,
//! others by the methods of `simple`.

mod count;
mod filler;
pub mod simple;

use super::work::{self, Progress, Result};
use super::{Amount, LEAST_DENSITY, MAX_STRANDS, Method, Roots, SampleError, settings::PACKING};
use crate::scalp::Scalp;
use filler::{CRACK, Filler};
use std::ops::ControlFlow;

/// A scalp and how it is sampled.
#[derive(Clone, Copy)]
pub struct Sampling<'a> {
    pub scalp: &'a Scalp,
    pub method: Method,
    pub seed: u64,
}

impl Sampling<'_> {
    /// Returns a set of an amount, beside another set if there is one. That needs a spacing and
    /// [`Method::Progressive`].
    pub fn sample(
        &self,
        amount: Amount,
        beside: Option<&Roots>,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Roots> {
        amount.check()?;
        let mut progress = Progress::new(progress, work::most(self.scalp, amount));
        let roots = match amount {
            Amount::Strands(strands) => match self.method {
                Method::Uniform | Method::Elimination => {
                    let spacing = (self.bulk() / f64::from(strands)).sqrt() as f32;
                    self.at_spacing(spacing, strands, &mut progress)?
                }
                _ => count::sample(self, strands, &mut progress)?,
            },
            Amount::Spacing(spacing) => {
                let by_count = self.smallest_by_count();
                if by_count < self.smallest_by_rounding() {
                    self.check_resolution(spacing)?;
                } else if f64::from(spacing) < by_count {
                    let smallest = rounded_up(by_count);
                    return Err(SampleError::TooMany { spacing, smallest });
                }
                match beside {
                    Some(_) => self.maximal(spacing, beside, &mut progress)?,
                    None => {
                        let count = self.bulk() / f64::from(spacing).powi(2);
                        self.at_spacing(spacing, (count as u32).max(1), &mut progress)?
                    }
                }
            }
        };
        progress.tell(1.0)?;
        Ok(roots)
    }

    /// Returns a set for a finite spacing above 0, or of `count` roots if the method takes a count.
    fn at_spacing(&self, spacing: f32, count: u32, progress: &mut Progress) -> Result<Roots> {
        let points = match self.method {
            Method::Darts | Method::Reference => simple::darts(self, spacing.into(), progress)?,
            Method::Uniform => simple::uniform(self, count, progress)?,
            Method::Elimination => simple::eliminate(self, count, progress)?,
            _ => return self.maximal(spacing, None, progress),
        };
        Ok(Roots::at(self.scalp, points, spacing))
    }

    /// Returns a maximal set for a spacing, by one of the methods that make such sets. It keeps off
    /// the roots `beside` it, if there are any; together both sets are maximal.
    fn maximal(
        &self,
        spacing: f32,
        beside: Option<&Roots>,
        progress: &mut Progress,
    ) -> Result<Roots> {
        self.check_resolution(spacing)?;
        let mut filler = Filler::new(self, spacing);
        if let Some(others) = beside {
            filler.keep_off(others)?;
        }
        if self.method == Method::Progressive {
            filler.fill_by_levels(spacing, progress)?;
        } else {
            progress.part(0.0, 0.25, |part| filler.first_darts(part))?;
            progress.part(0.25, 1.0, |part| filler.fill(CRACK, part))?;
            // Ranks are shuffled, because density leaves out roots by rank.
            filler.shuffle();
        }
        Ok(filler.finish(spacing))
    }

    /// Returns the number of roots at spacing 1, as if the scalp had no borders. The densities of
    /// the methods are measured.
    fn bulk(&self) -> f64 {
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

    /// Returns the smallest spacing at which the method needs at most [`MAX_STRANDS`] by area.
    fn smallest_by_count(&self) -> f64 {
        (self.bulk() / f64::from(MAX_STRANDS)).sqrt()
    }

    /// Returns the smallest spacing that the f32 coordinates of the scalp resolve. The rounding of
    /// a position, at most 0.87 epsilon of the largest coordinate, must stay below the tolerance of
    /// the coverage.
    fn smallest_by_rounding(&self) -> f64 {
        let (low, high) = self.scalp.bounds();
        let largest = low.abs().max(high.abs()).max_element();
        1200.0 * f64::from(f32::EPSILON) * f64::from(largest)
    }

    /// Returns the smallest spacing that the scalp allows.
    pub fn smallest(&self) -> f32 {
        rounded_up(self.smallest_by_count().max(self.smallest_by_rounding()))
    }

    /// Checks that the coordinates of the scalp resolve a spacing.
    ///
    /// # Errors
    /// [`SampleError::Spacing`] or [`SampleError::TooFine`].
    fn check_resolution(&self, spacing: f32) -> Result<()> {
        Amount::Spacing(spacing).check()?;
        let smallest = self.smallest_by_rounding();
        if f64::from(spacing) < smallest {
            let smallest = rounded_up(smallest);
            return Err(SampleError::TooFine { spacing, smallest });
        }
        Ok(())
    }
}

/// Returns a slightly larger spacing, which is not below the given one after rounding.
fn rounded_up(spacing: f64) -> f32 {
    (spacing * (1.0 + 1e-6)) as f32
}
