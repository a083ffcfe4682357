//! One step of a brush.

use super::displacement::Displacement;
use super::lengths::Lengths;
use super::tool::{Brush, BrushContext, Move, Tool};
use super::weights::touched;
use crate::style::strands::Strands;
use glam::Vec3;
use rayon::prelude::*;

impl Brush {
    /// Changes the strands that the brush touches in a step. Returns their numbers.
    pub(crate) fn step(
        &self,
        step: Move,
        context: &BrushContext,
        strands: &mut Strands,
        lengths: &mut Lengths,
    ) -> Vec<u32> {
        let touched = touched(self, step, context, strands, lengths);
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
