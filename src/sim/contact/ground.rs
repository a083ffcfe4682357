//! The plane at each root.

use super::super::simd::blocks::{Lanes, Lanes3};
use super::super::simd::lanes::{dot3, minus3, plus3};
use super::{Planes, Surface};

/// In each lane the plane through a root, across the skin's normal there: the dot-product rule of
/// the spring, for every particle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ground {
    /// World space.
    pub(super) root: Lanes3,
    pub(super) normal: Lanes3,
}

impl Ground {
    #[inline(always)]
    fn height(&self, points: &Lanes3) -> Lanes {
        dot3(&minus3(points, &self.root), &self.normal)
    }
}

impl Surface for Ground {
    #[inline(always)]
    fn are_outside(&self, points: &Lanes3, _least: &Lanes) -> bool {
        let (one, zero) = (Lanes::all(1.0), Lanes::all(0.0));
        one.if_at_most(zero, self.height(points)) == one
    }

    #[inline(always)]
    fn touch(&self, points: &Lanes3, _least: &Lanes) -> Planes {
        let height = self.height(points);
        let foot = plus3(points, &self.normal, -height);
        Planes::of_head(height.below(Lanes::all(0.0)), self.normal, foot)
    }

    #[inline(always)]
    fn distance(&self, points: &Lanes3, _least: &Lanes) -> Lanes {
        self.height(points)
    }
}
