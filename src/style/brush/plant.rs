//! Adding and taking away hair, by how far apart its roots are.

use super::super::visibility::Sight;
use super::{Brush, Move};
use crate::roots::RootIndex;
use crate::style::Follicles;

/// What the roots under a brush are to be, in the order of their ranks: those to be there come from
/// few and far to many and close, so they are as even as the whole set.
pub(crate) struct Planting<'a> {
    pub(crate) brush: &'a Brush,
    pub(crate) follicles: &'a Follicles,
    pub(crate) sides: &'a [Sight],
}

impl Planting<'_> {
    /// The follicles whose roots are under the brush, by number.
    fn under(&self, step: Move) -> Vec<u32> {
        let positions = &self.follicles.roots().positions;
        let is_under = |&follicle: &u32| {
            self.sides.iter().any(|sight| {
                let seen = sight.view.see(positions[follicle as usize]);
                seen.is_some_and(|seen| {
                    seen.at.distance(step.to) < self.brush.radius && sight.shows(&seen)
                })
            })
        };
        (0..positions.len() as u32).filter(is_under).collect()
    }

    /// Follicles that get hair in a step: no root is nearer than the spacing over √strength.
    /// `growing`: has each hair?
    pub(crate) fn added(&self, step: Move, growing: &[bool]) -> Vec<u32> {
        let roots = self.follicles.roots();
        let spacing = self.spacing(self.brush.strength);
        let mut index = RootIndex::default();
        let under = self.under(step);
        // Only roots that could be near are looked at.
        let (mut low, mut high) = (glam::Vec3::INFINITY, glam::Vec3::NEG_INFINITY);
        for &follicle in &under {
            let position = roots.positions[follicle as usize];
            (low, high) = (low.min(position), high.max(position));
        }
        let (low, high) = (low - spacing as f32, high + spacing as f32);
        for (i, position) in roots.positions.iter().enumerate() {
            if growing[i] && position.cmpge(low).all() && position.cmple(high).all() {
                // One that the index refuses lies on 32 others.
                index.add(*position, roots.face_normals[i]).ok();
            }
        }
        let mut added = Vec::new();
        for follicle in under {
            let (position, normal) = self.root(follicle);
            if !growing[follicle as usize]
                && !index.any_closer(position, normal, spacing)
                && index.add(position, normal).is_ok()
            {
                added.push(follicle);
            }
        }
        added
    }

    /// Follicles that lose their hair in a step: those nearer to one that keeps it than the spacing
    /// over √(1 − strength); all, at a strength of 1.
    pub(crate) fn taken(&self, step: Move, growing: &[bool]) -> Vec<u32> {
        let mut under = self.under(step);
        under.retain(|&follicle| growing[follicle as usize]);
        if self.brush.strength >= 1.0 {
            return under;
        }
        let spacing = self.spacing(1.0 - self.brush.strength);
        let mut index = RootIndex::default();
        under.retain(|&follicle| {
            let (position, normal) = self.root(follicle);
            let crowded = index.any_closer(position, normal, spacing);
            if !crowded {
                index.add(position, normal).ok();
            }
            crowded
        });
        under
    }

    fn root(&self, follicle: u32) -> (glam::Vec3, glam::Vec3) {
        let roots = self.follicles.roots();
        let at = follicle as usize;
        (roots.positions[at], roots.face_normals[at])
    }

    /// The distance of roots at a share of the full density. A little less than the spacing counts
    /// as it: positions are rounded.
    fn spacing(&self, density: f32) -> f64 {
        let spacing = f64::from(self.follicles.roots().spacing);
        spacing * (1.0 - 1e-6) / f64::from(density.max(1e-3)).sqrt()
    }
}
