//! The strands that a brush touches, and the weights of their points.

use super::{BrushStep, Stroke, Tool};
use crate::det_math::smooth_step;
use crate::style::view::Seen;
use crate::style::visibility::Visibility;
use glam::{Vec2, Vec3};
use rayon::prelude::*;

/// A strand that a brush touches.
pub(super) struct Touch {
    pub(super) strand: u32,
    /// The weight of each point, 0 (untouched) to the brush's strength, one side after the other.
    /// The root's weight is 0.
    pub(super) weights: Vec<f32>,
}

impl BrushStep<'_> {
    /// Returns the strands that the brush touches, in their order.
    pub(super) fn touched(&self) -> Vec<Touch> {
        let strands = self.strands;
        let all = (0..strands.len() as u32).into_par_iter();
        // Most strands are not touched, so that the list of weights is used again.
        let none = || vec![0.0; strands.per * self.sides.len()];
        let touched = all.map_init(none, |weights, number| {
            let strand = number as usize;
            let (root, length) = (strands.roots[strand], self.lengths.whole[strand]);
            let selected = self.selected(strand);
            if selected <= 0.0 {
                return None;
            }
            if !(self.sides.iter()).any(|side| self.may_touch(side, root, length)) {
                return None;
            }
            weights.fill(0.0);
            let mut any = false;
            for (number, weights) in weights.chunks_exact_mut(strands.per).enumerate() {
                any |= match self.brush.tool {
                    Tool::Part => self.weigh_parting(number, strand, weights),
                    _ => self.weigh(&self.sides[number], strand, weights),
                };
            }
            if selected < 1.0 {
                weights.iter_mut().for_each(|weight| *weight *= selected);
            }
            any.then(|| Touch {
                strand: number,
                weights: weights.clone(),
            })
        });
        touched.flatten_iter().collect()
    }

    /// Returns `false` if the brush cannot touch a strand with this root and length.
    fn may_touch(&self, side: &Visibility, root: Vec3, length: f32) -> bool {
        let seen = side.view.see(root);
        seen.is_none_or(|seen| self.is_near(side, &seen, length * self.stretch()))
    }

    /// Returns `true` if a point within a distance of one that is seen can be in the circle.
    fn is_near(&self, side: &Visibility, seen: &Seen, distance: f32) -> bool {
        let reach = self.brush.radius + side.view.reach(seen, distance);
        seen.at.distance(self.from) <= reach
    }

    /// Returns the factor by which hair may be longer than at rest.
    fn stretch(&self) -> f32 {
        match self.shown {
            Some(_) => 2.0,
            None => 1.001,
        }
    }

    /// Writes the weights of a strand's points. Returns whether any is touched.
    ///
    /// A point stands for the hair up to half way to its neighbours: its distance from the brush is
    /// that of the nearest point of that hair. Blocks of points far from the brush are skipped.
    fn weigh(&self, side: &Visibility, strand: usize, weights: &mut [f32]) -> bool {
        const BLOCK: usize = 4;
        let (brush, points) = (self.brush, self.shown(strand));
        let root = self.strands.roots[strand];
        let see = |i: usize| points.get(i).and_then(|&p| side.view.see(root + p));
        // From the third point of a block to half way before its first.
        let block_reach = 2.5 * self.lengths.longest[strand] * self.stretch();
        let mut any = false;
        for first in (1..points.len()).step_by(BLOCK) {
            let middle = see((first + BLOCK / 2).min(points.len() - 1));
            if middle.is_some_and(|middle| !self.is_near(side, &middle, block_reach)) {
                continue;
            }
            let (mut before, mut here) = (see(first - 1), see(first));
            let end = (first + BLOCK).min(points.len());
            for (i, weight) in (first..end).zip(&mut weights[first..end]) {
                let after = see(i + 1);
                if let Some(seen) = here {
                    let half = |other: Option<Seen>| {
                        let middle = other.map_or(seen.at, |other| 0.5 * (other.at + seen.at));
                        distance_to_segment(self.from, seen.at, middle)
                    };
                    let mut away = seen.at.distance(self.from);
                    // Nearer to the middle, the brush has its full effect anyway.
                    if away > brush.radius * (1.0 - brush.falloff) {
                        away = away.min(half(before)).min(half(after));
                    }
                    if away < brush.radius && side.shows(&seen) {
                        let fade = faded(away / brush.radius, brush);
                        *weight = brush.strength * fade * brush.along(i, points.len());
                        any |= *weight > 0.0;
                    }
                }
                (before, here) = (here, after);
            }
        }
        any
    }
}

/// Returns the effect of a brush at a share of its radius from its middle.
pub(super) fn faded(away: f32, brush: &Stroke) -> f32 {
    smooth_step((1.0 - away) / brush.falloff.max(1e-6))
}

impl Stroke {
    /// Returns the effect at a point of a strand with this number of points.
    pub(super) fn along(&self, i: usize, points: usize) -> f32 {
        1.0 - self.tips * (1.0 - i as f32 / (points - 1) as f32)
    }
}

/// Returns the distance from a point to a segment.
fn distance_to_segment(p: Vec2, a: Vec2, b: Vec2) -> f32 {
    let (along, from) = (b - a, p - a);
    let length2 = along.length_squared();
    let share = match length2 > 0.0 {
        true => (from.dot(along) / length2).clamp(0.0, 1.0),
        false => 0.0,
    };
    from.distance(along * share)
}
