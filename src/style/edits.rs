//! What brushes have made of single strands.

use glam::Vec3;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The curve of a strand that a brush has touched.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Seen from its root, head space, decimetres; the first is 0.
    pub points: Arc<[Vec3]>,
    /// How long the strand was without the edit, decimetres: where settings or maps make it longer
    /// or shorter, the curve goes with it.
    pub grown: f32,
}

impl Curve {
    /// Memory, bytes.
    pub(super) fn bytes(&self) -> usize {
        self.points.len() * size_of::<Vec3>() + size_of::<Self>() + 2 * size_of::<usize>()
    }
}

/// What differs from what settings and maps grow, by follicle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edits {
    /// Strands that were combed, cut, curled and so on.
    pub curves: BTreeMap<u32, Curve>,
    /// Hair that was planted (`true`) or taken away (`false`).
    pub planted: BTreeMap<u32, bool>,
}

impl Edits {
    /// No strand differs.
    pub fn is_empty(&self) -> bool {
        self.curves.is_empty() && self.planted.is_empty()
    }

    /// Was anything done to a strand by hand?
    pub(super) fn is_edited(&self, follicle: u32) -> bool {
        self.curves.contains_key(&follicle) || self.planted.contains_key(&follicle)
    }

    /// Memory, bytes.
    pub(super) fn bytes(&self) -> usize {
        let curves = self.curves.values().map(Curve::bytes);
        size_of::<Self>()
            + curves.sum::<usize>()
            + self.curves.len() * size_of::<u32>()
            + self.planted.len() * size_of::<(u32, bool)>()
    }
}
