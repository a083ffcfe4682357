//! The effect of brushes on hair, step by step.
//!
//! A step moves a brush (`tool`) by a few pixels: `weights` tell how much it touches each point,
//! `displacement` moves the points, and `skin` restores lengths, locks roots and keeps hair out of
//! the skin. `planting` adds and removes hair by the distance of roots.
//!
//! A step depends only on where hair was before it: the order of strands makes no difference, and
//! with `mirror` both sides of the head change alike.

mod displacement;
mod planting;
mod skin;
mod tool;
mod weights;

pub(super) use planting::Planting;
pub(super) use skin::{MAX_DEPTH, POCKET_LENGTH, SkinField, ThinSkin};
pub use tool::{Brush, Tool};
pub(super) use tool::{BrushContext, Move};

use super::strands::{Lengths, Strands};
use displacement::Displacement;
use glam::Vec3;
use rayon::prelude::*;

impl Brush {
    /// Changes the strands that the brush touches in a step. Returns their numbers.
    pub(super) fn step(
        &self,
        step: Move,
        context: &BrushContext,
        strands: &mut Strands,
        lengths: &mut Lengths,
    ) -> Vec<u32> {
        let touched = weights::touched(self, step, context, strands, lengths);
        let per = strands.per;
        let displacement = Displacement::new(self, step, context, strands, lengths, &touched);
        let mut points = vec![Vec3::ZERO; per * touched.len()];
        (points.par_chunks_exact_mut(per).zip(touched.par_iter())).for_each(|(points, touch)| {
            displacement.write(touch, points);
        });
        for (touch, points) in touched.iter().zip(points.chunks_exact(per)) {
            let strand = touch.strand as usize;
            strands.strand_mut(strand).copy_from_slice(points);
            if matches!(self.tool, Tool::Cut | Tool::Grow) {
                lengths.measure(strands, strand);
            }
        }
        touched.into_iter().map(|touch| touch.strand).collect()
    }
}
