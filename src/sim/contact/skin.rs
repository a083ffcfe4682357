//! The head in the world, as its own skin.

use super::{Planes, Surface};
use crate::sim::blocks::{Lanes, Lanes3, axes, rows, vec};
use crate::sim::lanes::{all3, minus3, plus3, rotate3, unit3};
use crate::sim::widest::{Kernel, widest};
use crate::sim::{Field, Pose};
use std::sync::Arc;

/// A distance field, carried by the head. Depth is told by distances, dm.
#[derive(Clone, Debug)]
pub(super) struct Skin {
    field: Arc<Field>,
    /// Rows of R, and of its transpose.
    rotation: [[f32; 3]; 3],
    back: [[f32; 3]; 3],
    translation: [f32; 3],
}

impl Skin {
    pub(super) fn new(field: Arc<Field>, pose: &Pose) -> Self {
        let rotation = pose.to_dmat3();
        Self {
            field,
            rotation: rows(&rotation),
            back: rows(&rotation.transpose()),
            translation: vec(pose.translation),
        }
    }

    /// From world to head space.
    #[inline(always)]
    fn in_head(&self, points: &Lanes3) -> [[f32; 8]; 3] {
        let local = rotate3(&self.back, &minus3(points, &all3(self.translation)));
        axes!(i => local[i].0)
    }

    /// Distances and their gradients in head space.
    #[inline(always)]
    fn sample(&self, points: &Lanes3) -> (Lanes, Lanes3) {
        let mut out = (Lanes::default(), Lanes3::default());
        widest(Sample {
            field: &self.field,
            points: &self.in_head(points),
            out: &mut out,
        });
        out
    }
}

/// What a field says of eight points: compiled once, since it is large.
struct Sample<'a> {
    field: &'a Field,
    points: &'a [[f32; 8]; 3],
    out: &'a mut (Lanes, Lanes3),
}

impl Kernel for Sample<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (distance, gradient) = self.field.sample_lanes(self.points);
        *self.out = (Lanes(distance), axes!(i => Lanes(gradient[i])));
    }
}

/// The field's coarse bounds of eight points.
struct Beyond<'a> {
    field: &'a Field,
    points: &'a [[f32; 8]; 3],
    least: &'a Lanes,
}

impl Kernel for Beyond<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        self.field.are_beyond(self.points, &self.least.0)
    }
}

impl Surface for Skin {
    /// By the field's coarse bounds, a load a lane.
    #[inline(always)]
    fn are_outside(&self, points: &Lanes3, least: &Lanes) -> bool {
        widest(Beyond {
            field: &self.field,
            points: &self.in_head(points),
            least,
        })
    }

    #[inline(always)]
    fn touch(&self, points: &Lanes3, least: &Lanes) -> Planes {
        let (distance, gradient) = self.sample(points);
        let out = rotate3(&self.rotation, &gradient);
        let normal = unit3(&out, &all3([0.0, 1.0, 0.0]));
        let foot = plus3(points, &normal, *least - distance);
        Planes::of_head(distance.below(*least), normal, foot)
    }

    #[inline(always)]
    fn distance(&self, points: &Lanes3, least: &Lanes) -> Lanes {
        self.sample(points).0 - *least
    }
}
