//! Moving hair that grows into the skin out of it.

use super::Styler;
use crate::groom::{Groom, Mask, Modifier, write_along};
use crate::maps::MapKind;
use crate::style::brush::{MAX_DEPTH, POCKET_LENGTH, SkinField, ThinSkin};
use crate::style::contents::{Change, Curve};
use crate::style::strands::{Lengths, Strands};
use glam::Vec3;
use rayon::prelude::*;
use std::sync::Arc;

/// Largest number of cuts of a strand that is in the skin: each cut moves its points.
const CUTS: usize = 6;

/// Points that are closer than this to where they were have not moved, decimetres.
const LEAST_MOVE: f32 = 1e-4;

/// Hair before a change.
pub(super) struct Before {
    /// The follicle of each strand, ascending.
    numbers: Arc<[u32]>,
    groom: Arc<Groom>,
}

impl Before {
    /// Returns the shape that a strand had if it has another one now; empty for a new strand.
    fn moved(&self, strands: &Strands, strand: usize) -> Option<Vec<Vec3>> {
        let Ok(old) = self.numbers.binary_search(&strands.follicles[strand]) else {
            return Some(Vec::new());
        };
        let now = strands.strand(strand);
        let mut was = vec![Vec3::ZERO; now.len()];
        self.groom.write_curve(old, &mut was);
        let mut pairs = was.iter().zip(now);
        let moves = pairs.any(|(was, now)| was.distance_squared(*now) > LEAST_MOVE * LEAST_MOVE);
        moves.then_some(was)
    }
}

impl Styler {
    /// Returns the hair as it is.
    pub(super) fn as_before(&self) -> Before {
        Before {
            numbers: self.grown.planted.numbers.clone(),
            groom: self.grown.groom.clone(),
        }
    }

    /// Turns hair that changes have given another shape than `before` out of the skin, and adds that
    /// to the changes.
    pub(super) fn depenetrate_changed(&mut self, changes: &mut Vec<Change>, before: &Before) {
        let stack = &self.style.config.groom.stack;
        let mut shaping = changes
            .iter()
            .filter(|change| shapes_hair(change, stack))
            .peekable();
        if shaping.peek().is_none() {
            return;
        }
        // Planted hair counts as edited. Other maps than those of density and direction scale what
        // settings do, and what settings grow into the skin stays theirs.
        let only_edited = shaping.all(|change| match change {
            Change::Map((map, _), _) | Change::WholeMap(map, _) => {
                !matches!(map, MapKind::Density | MapKind::Direction)
            }
            change => matches!(change, Change::Planted(_)),
        });
        let curves = self.depenetrate(only_edited, Some(before));
        if !curves.is_empty() {
            changes.push(Change::Curves(curves));
        }
    }

    /// Turns strands that grow into the skin out of it. Strands in creases without a way out are
    /// cut short; so is hair that was planted in pockets and thin skin where the model has none.
    /// With `only_edited`, strands without edits are left alone; so are strands that are as `before`, and
    /// hair that settings had grown into the skin by then.
    /// Returns the edits before.
    pub(super) fn depenetrate(
        &mut self,
        only_edited: bool,
        before: Option<&Before>,
    ) -> Vec<(u32, Option<Curve>)> {
        let Some(field) = self.field().cloned() else {
            return Vec::new();
        };
        let skin = SkinField(Some(&*field));
        let thin = ThinSkin::new(self.follicles.scalp(), &field);
        let strands = self.grown.strands();
        let lengths = self.lengths.take().unwrap_or_else(|| Lengths::of(strands));
        let moved = (0..strands.len()).into_par_iter().filter_map(|strand| {
            let (follicle, edits) = (&strands.follicles[strand], &self.style.edits);
            let is_meant = !only_edited
                || edits.curves.contains_key(follicle)
                || edits.planted.contains_key(follicle);
            let is_cut = self.follicles.is_bald(*follicle) && skin.is_pocket(strands.roots[strand]);
            let is_brushed = edits.curves.contains_key(follicle);
            let concerns = |before: &Before| {
                let root = strands.roots[strand];
                let was_outside = |was: &Vec<Vec3>| skin.length_outside(root, was).is_none();
                (before.moved(strands, strand))
                    .is_some_and(|was| is_cut || is_brushed || was_outside(&was))
            };
            let moves = is_meant && before.is_none_or(concerns);
            Some((
                strand,
                moves.then(|| self.moved_out(strand, &lengths, skin, &thin))??,
            ))
        });
        let moved: Vec<(usize, Vec<Vec3>)> = moved.collect();
        let mut changes = Vec::with_capacity(moved.len());
        for (strand, points) in moved {
            let strands = self.grown.strands_mut();
            strands.strand_mut(strand).copy_from_slice(&points);
            changes.push(self.record(strand));
        }
        match changes.is_empty() {
            true => self.lengths = Some(lengths),
            false => self.grown.follow_strands(),
        }
        changes
    }

    /// Returns the points of a strand moved out of the skin; `None` if it is not in it.
    fn moved_out(
        &self,
        strand: usize,
        lengths: &Lengths,
        skin: SkinField,
        thin: &ThinSkin,
    ) -> Option<Vec<Vec3>> {
        let strands = self.grown.strands();
        let (root, old) = (strands.roots[strand], strands.strand(strand));
        let follicle = strands.follicles[strand];
        let mut points = old.to_vec();
        let is_bald = self.follicles.is_bald(follicle);
        if is_bald && skin.is_pocket(root) {
            let is_long = strands.length(strand) > POCKET_LENGTH * 1.001;
            write_along(old, POCKET_LENGTH.into(), &mut points);
            return is_long.then_some(points);
        }
        // Edited strands were checked against thin skin when they were planted.
        let is_new = is_bald && !self.style.edits.curves.contains_key(&follicle);
        let length_outside = |points: &[Vec3]| match (skin.length_outside(root, points), is_new) {
            (None, true) => thin.length_outside(root, points),
            (length, _) => length,
        };
        length_outside(old)?;
        if skin.length_outside(root, old).is_some() {
            let segments = lengths.segments(strand, strands.per);
            if !skin.constrain(root, segments, old, &mut points, &[]) {
                points.copy_from_slice(old);
            }
        }
        let mut whole = old.to_vec();
        for _ in 0..CUTS {
            let Some(length) = length_outside(&points) else {
                return Some(points);
            };
            whole.copy_from_slice(&points);
            write_along(&whole, length.into(), &mut points);
        }
        // Hair as short as this cannot be deeper.
        write_along(&whole, MAX_DEPTH.into(), &mut points);
        Some(points)
    }
}

/// Returns `true` if a change may give strands another shape, or plants some. Maps of colour, width
/// and stiffness do not, nor does what is selected.
fn shapes_hair(change: &Change, stack: &[Modifier]) -> bool {
    let map = match change {
        Change::Map((map, _), _) | Change::WholeMap(map, _) => map,
        Change::Selection(_) => return false,
        _ => return true,
    };
    let Some(mask) = MapKind::MASKS.iter().position(|mask| mask == map) else {
        return !matches!(map, MapKind::Tint | MapKind::Width | MapKind::Stiffness);
    };
    let is_masked = |modifier: &&Modifier| modifier.mask == Mask::MASKS[mask];
    let mut users = stack.iter().filter(is_masked);
    users.any(|modifier| modifier.effect.kind().shapes_hair())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groom::{Effect, EffectKind};

    /// Filling a mask of a dye once gave hundreds of strands an edit each.
    #[test]
    fn a_map_of_colour_width_or_stiffness_shapes_no_hair() {
        let masked = |kind, mask| Modifier {
            mask,
            ..Modifier::new(Effect::of(kind))
        };
        let stack = [
            masked(EffectKind::Dye, Mask::Mask1),
            masked(EffectKind::Wet, Mask::Mask1),
            masked(EffectKind::Profile, Mask::Mask1),
            masked(EffectKind::Trim, Mask::Mask2),
        ];
        for (map, expected) in [
            (MapKind::Tint, false),
            (MapKind::Width, false),
            (MapKind::Stiffness, false),
            (MapKind::Mask1, false),
            (MapKind::Mask2, true),
            (MapKind::Mask3, false),
            (MapKind::Density, true),
            (MapKind::Length, true),
            (MapKind::Direction, true),
        ] {
            let change = Change::WholeMap(map, None);
            assert_eq!(shapes_hair(&change, &stack), expected, "{map}");
        }
    }
}
