//! The allowed depth of strands near their roots, which are on the skin or inside the ellipsoid.

use super::sdf_collider::SdfCollider;
use super::surfaces::{EllipsoidCollider, RootPlane, Surface};
use crate::sim::simd::{LANES, Lanes, Lanes3};

/// The length over which a strand comes out of the head's ellipsoid, decimetres, if its root is
/// inside.
const ELLIPSOID_RISE: f32 = 0.3;
/// The length over which a strand reaches its full clearance from the skin, decimetres.
const SKIN_RISE: f32 = 0.1;

/// The lowest levels at which the particles of eight strands may be, from their roots on: levels of
/// an ellipsoid, or distances from the skin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootClearance {
    /// The level at the roots, at most `full`.
    root: Lanes,
    /// The level far from the roots.
    full: f32,
    /// The inverse of the length over which the level goes from `root` to `full`.
    per_length: f32,
    /// The length from the root.
    along: Lanes,
    pub(super) root_plane: RootPlane,
    /// The distance that strands can continue from the last particles without touching anything,
    /// decimetres. Values up to 0 mean that it is unknown.
    clear: Lanes,
    /// `true` if the last particles touched the skin. The next ones are then hardly far from it, so
    /// that a bound on their distance is not worth computing.
    pub(super) touching: bool,
}

impl RootClearance {
    /// The clearance from the skin, decimetres: a few hair widths, so that the segments between
    /// particles do not cut into curved skin.
    pub(crate) const SKIN: f32 = 0.02;

    /// Returns the clearance of points that have no root.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Self::new(&Lanes3::default(), &Lanes3::default())
    }

    /// Returns the clearance of strands that are on no head.
    #[inline(always)]
    pub(super) fn new(roots: &Lanes3, normals: &Lanes3) -> Self {
        Self {
            root: Lanes::splat(1.0),
            full: 1.0,
            per_length: 0.0,
            along: Lanes::default(),
            root_plane: RootPlane {
                root: *roots,
                normal: *normals,
            },
            clear: Lanes::default(),
            touching: false,
        }
    }

    /// Returns the clearance of strands on an ellipsoid.
    pub(super) fn of_ellipsoid(self, ellipsoid: &EllipsoidCollider) -> Self {
        Self {
            root: ellipsoid.level(&self.root_plane.root).at_most(1.0),
            per_length: 1.0 / ELLIPSOID_RISE,
            ..self
        }
    }

    /// Returns the clearance of strands on skin that they keep `full` away from. `first` are the
    /// smallest lengths of their first segments.
    pub(super) fn of_sdf(self, sdf: &SdfCollider, full: f32, first: &Lanes) -> Self {
        let mut root = Lanes::splat(full);
        // The level at the roots matters only to segments shorter than the rise.
        if first.any_below(Lanes::splat(SKIN_RISE)) {
            let roots = &self.root_plane.root;
            root = sdf.distance(roots, &Lanes::default()).at_most(full);
        }
        Self {
            root,
            full,
            per_length: 1.0 / SKIN_RISE,
            ..self
        }
    }

    /// Advances along the strands by a segment.
    #[inline(always)]
    pub(crate) fn climb(&mut self, segment: &Lanes) {
        self.along += *segment;
        self.clear = self.clear - *segment;
    }

    /// Returns `true` if the strands are known to touch nothing at the current length.
    #[inline(always)]
    pub(crate) fn is_clear(&self) -> bool {
        let mut near = 0;
        for lane in 0..LANES {
            near |= u32::from(self.clear.0[lane] <= 0.0);
        }
        near == 0
    }

    /// Bounds the distance from the skin. Returns whether it is far from all particles.
    #[inline(always)]
    pub(crate) fn is_clear_of(&mut self, sdf: &SdfCollider, points: &Lanes3) -> bool {
        self.clear = sdf.free_path(points, self.full);
        self.is_clear()
    }

    /// Returns the lowest level at which the particles may be.
    #[inline(always)]
    pub(crate) fn allowed(&self) -> Lanes {
        let share = (self.along * Lanes::splat(self.per_length)).at_most(1.0);
        self.root + (Lanes::splat(self.full) - self.root) * share
    }
}
