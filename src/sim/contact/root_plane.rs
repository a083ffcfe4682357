//! The tangent plane at each root.

use super::planes::Planes;
use super::surface::Surface;
use crate::sim::simd::{Lanes, Lanes3, add_scaled3, dot3, minus3};

/// In each lane, the plane through a root perpendicular to the skin's normal there. It applies the
/// dot-product rule of the spring to every particle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RootPlane {
    /// Root and unit normal, world space.
    pub(super) root: Lanes3,
    pub(super) normal: Lanes3,
}

impl RootPlane {
    #[inline(always)]
    fn height(&self, points: &Lanes3) -> Lanes {
        dot3(&minus3(points, &self.root), &self.normal)
    }
}

impl Surface for RootPlane {
    #[inline(always)]
    fn are_outside(&self, points: &Lanes3, _least: &Lanes) -> bool {
        Lanes::ZERO.all_at_most(self.height(points))
    }

    #[inline(always)]
    fn touch(&self, points: &Lanes3, _least: &Lanes) -> Planes {
        let height = self.height(points);
        let foot = add_scaled3(points, &self.normal, -height);
        Planes::of_head(height.below(Lanes::splat(0.0)), self.normal, foot)
    }

    #[inline(always)]
    fn distance(&self, points: &Lanes3, _least: &Lanes) -> Lanes {
        self.height(points)
    }
}
