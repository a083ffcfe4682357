//! Hair that grows into the skin, brought out of it.

use super::brush::{DEEP, Ground, Lengths, STUB, Thin};
use super::edits::Curve;
use super::styler::Styler;
use crate::groom::write_along;
use glam::Vec3;
use rayon::prelude::*;

/// Times that hair is cut shorter where it still is in the skin: each puts its points elsewhere.
const CUTS: usize = 6;

impl Styler {
    /// Turns strands that grow into the skin out of it; those in creases from which there is no way
    /// out are cut short, and so is what is planted in pockets and thin skin where the model has no
    /// hair. With `only_edited`, only what is not as settings and maps grow it. Gives what there was
    /// before.
    pub(crate) fn push_out(&mut self, only_edited: bool) -> Vec<(u32, Option<Curve>)> {
        let Some(field) = self.field.clone() else {
            return Vec::new();
        };
        let ground = Ground(Some(&*field));
        let thin = Thin::new(self.follicles.scalp(), &field);
        let strands = &self.grown.strands;
        let pushed = (0..strands.len()).into_par_iter().filter_map(|strand| {
            if only_edited && !self.style.edits.is_edited(strands.follicles[strand]) {
                return None;
            }
            Some((strand, self.pushed(strand, ground, &thin)?))
        });
        let pushed: Vec<(usize, Vec<Vec3>)> = pushed.collect();
        let mut changes = Vec::with_capacity(pushed.len());
        for (strand, points) in pushed {
            self.grown
                .strands
                .strand_mut(strand)
                .copy_from_slice(&points);
            changes.push(self.keep(strand));
        }
        if !changes.is_empty() {
            self.grown.follow_strands();
            self.lengths = Lengths::of(&self.grown.strands);
        }
        changes
    }

    /// A strand as it is brought out of the skin; `None`: it is not in it.
    fn pushed(&self, strand: usize, ground: Ground, thin: &Thin) -> Option<Vec<Vec3>> {
        let strands = &self.grown.strands;
        let (root, old) = (strands.roots[strand], strands.strand(strand));
        let follicle = strands.follicles[strand];
        let mut points = old.to_vec();
        let is_bald = self.follicles.is_bald(follicle);
        if is_bald && ground.is_pocket(root) {
            let is_long = strands.length(strand) > STUB * 1.001;
            write_along(old, STUB.into(), &mut points);
            return is_long.then_some(points);
        }
        // What is edited was looked at when it was planted.
        let is_new = is_bald && !self.style.edits.curves.contains_key(&follicle);
        let enters = |points: &[Vec3]| match (ground.deep(root, points), is_new) {
            (None, true) => thin.enters(root, points),
            (keep, _) => keep,
        };
        enters(old)?;
        if ground.deep(root, old).is_some() {
            let segments = self.lengths.segments(strand, strands.per);
            if !ground.settle(root, segments, old, &mut points, &[]) {
                points.copy_from_slice(old);
            }
        }
        let mut whole = old.to_vec();
        for _ in 0..CUTS {
            let Some(keep) = enters(&points) else {
                return Some(points);
            };
            whole.copy_from_slice(&points);
            write_along(&whole, keep.into(), &mut points);
        }
        // Nothing so short can be deep.
        write_along(&whole, DEEP.into(), &mut points);
        Some(points)
    }
}
