//! Adding and removing hair by the distance between roots.

use super::{Brush, Move, Tool};
use crate::roots::RootIndex;
use crate::style::follicles::Follicles;
use crate::style::visibility::Visibility;
use glam::Vec3;

impl Brush {
    /// Returns the follicles whose hair is added or removed in a step. `growing` tells for each
    /// follicle whether it has hair.
    ///
    /// Those are added that have no other root nearer than the spacing over √strength. Those are
    /// removed that are nearer than the spacing over √(1 − strength) to one that keeps its hair, or
    /// all at a strength of 1. Follicles are tested in the order of their ranks, from sparse to
    /// dense, so that the chosen ones are as even as the whole set.
    pub(in crate::style) fn plant(
        &self,
        step: Move,
        sides: &[Visibility],
        follicles: &Follicles,
        growing: &[bool],
    ) -> Vec<u32> {
        let adds = self.tool == Tool::Add;
        let roots = follicles.roots();
        let is_under = |&follicle: &u32| {
            sides.iter().any(|side| {
                let seen = side.view.see(roots.positions[follicle as usize]);
                seen.is_some_and(|seen| {
                    seen.at.distance(step.to) < self.radius && side.shows(&seen)
                })
            })
        };
        let others = (0..growing.len() as u32).filter(|&f| growing[f as usize] != adds);
        let mut under: Vec<u32> = others.filter(is_under).collect();
        if !adds && self.strength >= 1.0 {
            return under;
        }
        let density = if adds {
            self.strength
        } else {
            1.0 - self.strength
        };
        // Slightly reduced because positions are rounded.
        let spacing = f64::from(roots.spacing) * (1.0 - 1e-6);
        let spacing = spacing / f64::from(density.max(1e-3)).sqrt();
        let mut index = RootIndex::default();
        if adds {
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
        }
        under.retain(|&follicle| {
            let at = follicle as usize;
            let (position, normal) = (roots.positions[at], roots.face_normals[at]);
            let is_crowded = index.any_closer(position, normal, spacing);
            let grows = !is_crowded && index.add(position, normal).is_ok();
            if adds { grows } else { is_crowded }
        });
        under
    }
}
