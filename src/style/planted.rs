//! The follicles that have hair, and their roots.

use super::follicles::Follicles;
use crate::roots::Roots;
use crate::scalp::Scalp;
use std::sync::Arc;

/// The follicles that have hair.
#[derive(Clone, Debug)]
pub struct Planted {
    follicles: Follicles,
    /// Their numbers, ascending.
    pub(super) numbers: Arc<[u32]>,
    /// The density of hair, which widens the spacing of the roots.
    share: f32,
}

impl Planted {
    /// Returns the follicles that grow, one value for each, under a density of hair.
    pub(super) fn of(follicles: &Follicles, growing: &[bool], share: f32) -> Self {
        let numbers = (0..follicles.len() as u32).filter(|&number| growing[number as usize]);
        Self {
            follicles: follicles.clone(),
            numbers: numbers.collect(),
            share,
        }
    }

    /// Returns the scalp that the roots were sampled on: the painted skin, or the whole part if hair
    /// grows beyond the paint.
    pub fn scalp(&self) -> &Arc<Scalp> {
        self.follicles.scalp_below(self.numbers.last().copied())
    }

    /// Returns the roots on the [scalp](Self::scalp).
    pub fn roots(&self) -> Roots {
        self.follicles.roots().kept(&self.numbers, self.share)
    }

    /// Returns the spacing of the roots, decimetres.
    pub fn spacing(&self) -> f32 {
        self.follicles.roots().kept_spacing(self.share)
    }

    /// Returns `true` if no follicle has hair.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Returns `true` if these are the follicles of the same growth of hair.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.numbers, &other.numbers)
    }
}
