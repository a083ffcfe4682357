//! Changes that brushes made to single strands.

use glam::Vec3;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The curve of a strand that a brush has touched.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Points relative to the root, head space, decimetres; the first is 0.
    pub points: Arc<[Vec3]>,
    /// The length of the strand without the edit, decimetres. If settings or maps change that
    /// length, the curve is scaled with it.
    pub grown: f32,
}

impl Curve {
    /// Size in memory, bytes.
    pub(super) fn bytes(&self) -> usize {
        self.points.len() * size_of::<Vec3>() + size_of::<Self>() + 2 * size_of::<usize>()
    }
}

/// Differences from what settings and maps grow, by follicle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edits {
    /// Strands that were combed, cut, curled and so on.
    pub curves: BTreeMap<u32, Curve>,
    /// Hair that was planted (`true`) or removed (`false`).
    pub planted: BTreeMap<u32, bool>,
}

impl Edits {
    /// Whether there are no differences.
    pub fn is_empty(&self) -> bool {
        self.curves.is_empty() && self.planted.is_empty()
    }

    /// Whether a strand was changed by hand.
    pub(super) fn is_edited(&self, follicle: u32) -> bool {
        self.curves.contains_key(&follicle) || self.planted.contains_key(&follicle)
    }

    /// Size in memory, bytes.
    pub(super) fn bytes(&self) -> usize {
        let curves = self.curves.values().map(Curve::bytes);
        size_of::<Self>()
            + curves.sum::<usize>()
            + self.curves.len() * size_of::<u32>()
            + self.planted.len() * size_of::<(u32, bool)>()
    }
}
