//! Adding and removing hair by the distance between roots.

use super::{Brush, Move};
use crate::roots::RootIndex;
use crate::style::follicles::Follicles;
use crate::style::visibility::Visibility;
use glam::Vec3;

/// Decides which roots under a brush have hair. Follicles are tested in the order of their ranks,
/// from sparse to dense, so that the chosen ones are as even as the whole set.
pub(crate) struct Planting<'a> {
    pub(crate) brush: &'a Brush,
    pub(crate) follicles: &'a Follicles,
    pub(crate) sides: &'a [Visibility],
}

impl Planting<'_> {
    /// The numbers of the follicles whose roots are under the brush.
    fn under(&self, step: Move) -> Vec<u32> {
        let positions = &self.follicles.roots().positions;
        let is_under = |&follicle: &u32| {
            self.sides.iter().any(|side| {
                let seen = side.view.see(positions[follicle as usize]);
                seen.is_some_and(|seen| {
                    seen.at.distance(step.to) < self.brush.radius && side.shows(&seen)
                })
            })
        };
        (0..positions.len() as u32).filter(is_under).collect()
    }

    /// Returns the follicles that get hair in a step: those with no other root nearer than the
    /// spacing over √strength. `growing` tells for each follicle whether it has hair.
    pub(crate) fn added(&self, step: Move, growing: &[bool]) -> Vec<u32> {
        let roots = self.follicles.roots();
        let spacing = self.spacing(self.brush.strength);
        let mut index = RootIndex::default();
        let mut under = self.under(step);
        // Only roots in the bounding box can be near.
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for &follicle in &under {
            let position = roots.positions[follicle as usize];
            (low, high) = (low.min(position), high.max(position));
        }
        let (low, high) = (low - spacing as f32, high + spacing as f32);
        for (i, position) in roots.positions.iter().enumerate() {
            if growing[i] && position.cmpge(low).all() && position.cmple(high).all() {
                // The index refuses a root that lies on 32 others.
                index.add(*position, roots.face_normals[i]).ok();
            }
        }
        under.retain(|&follicle| {
            let (position, normal) = self.root(follicle);
            !growing[follicle as usize]
                && !index.any_closer(position, normal, spacing)
                && index.add(position, normal).is_ok()
        });
        under
    }

    /// Returns the follicles that lose their hair in a step: those nearer to one that keeps it than
    /// the spacing over √(1 − strength), or all at a strength of 1.
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

    fn root(&self, follicle: u32) -> (Vec3, Vec3) {
        let roots = self.follicles.roots();
        let at = follicle as usize;
        (roots.positions[at], roots.face_normals[at])
    }

    /// The distance between roots at a share of the full density, slightly reduced because
    /// positions are rounded.
    fn spacing(&self, density: f32) -> f64 {
        let spacing = f64::from(self.follicles.roots().spacing);
        spacing * (1.0 - 1e-6) / f64::from(density.max(1e-3)).sqrt()
    }
}
