//! The allowed depth of strands near their roots.

use super::surfaces::RootPlane;
use crate::sim::simd::Lanes;

/// The lowest levels at which the particles of eight strands may be, from their roots on: levels of
/// an ellipsoid, or distances from the skin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootClearance {
    /// The level at the roots, at most `full`.
    root: Lanes,
    /// The level far from the roots.
    pub(super) full: f32,
    /// The inverse of the length over which the level goes from `root` to `full`.
    per_length: f32,
    /// The length from the root.
    along: Lanes,
    pub(super) root_plane: RootPlane,
    /// The distance that strands can continue from the last particles without touching anything,
    /// decimetres. Values up to 0 mean that it is unknown.
    pub(super) clear: Lanes,
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
        Self::new(RootPlane::default(), Lanes::ONE, 1.0, f32::INFINITY)
    }

    /// Returns the clearance of strands whose level goes from `root` to `full` over the length
    /// `rise`.
    #[inline(always)]
    pub(super) fn new(root_plane: RootPlane, root: Lanes, full: f32, rise: f32) -> Self {
        Self {
            root,
            full,
            per_length: 1.0 / rise,
            along: Lanes::default(),
            root_plane,
            clear: Lanes::default(),
            touching: false,
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
        Lanes::ZERO.all_below(self.clear)
    }

    /// Returns the lowest level at which the particles may be.
    #[inline(always)]
    pub(crate) fn allowed(&self) -> Lanes {
        let share = (self.along * Lanes::splat(self.per_length)).at_most(1.0);
        self.root + (Lanes::splat(self.full) - self.root) * share
    }
}
