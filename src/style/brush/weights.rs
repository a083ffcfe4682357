//! The strands that a brush touches, and the weights of their points.

use super::{BrushStep, Stroke, Tool};
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
        all.filter_map(|number| {
            let strand = number as usize;
            let (root, length) = (strands.roots[strand], self.lengths.whole[strand]);
            let selected = self.selection.of(strands.follicles[strand]);
            if selected <= 0.0 {
                return None;
            }
            if !(self.sides.iter()).any(|side| self.may_touch(side, root, length)) {
                return None;
            }
            let mut weights = vec![0.0; strands.per * self.sides.len()];
            let mut any = false;
            for (number, weights) in weights.chunks_exact_mut(strands.per).enumerate() {
                any |= match self.brush.tool {
                    Tool::Part => self.weigh_parting(number, strand, weights),
                    _ => self.weigh(&self.sides[number], root, self.shown(strand), weights),
                };
            }
            if selected < 1.0 {
                weights.iter_mut().for_each(|weight| *weight *= selected);
            }
            any.then_some(Touch {
                strand: number,
                weights,
            })
        })
        .collect()
    }

    /// Returns `false` if the brush cannot touch a strand with this root and length.
    fn may_touch(&self, side: &Visibility, root: Vec3, length: f32) -> bool {
        let Some(root) = side.view.see(root) else {
            return true;
        };
        if root.depth <= 2.0 * length {
            return true;
        }
        // An upper bound: twice the length, as large as at the smallest depth that it can reach.
        let reach = 2.0 * length * side.view.pixels(root.depth - length);
        root.at.distance(self.from) <= self.brush.radius + reach
    }

    /// Writes the weights of a strand's points. Returns whether any is touched.
    ///
    /// A point stands for the hair up to half way to its neighbours: its distance from the brush is
    /// that of the nearest point of that hair.
    fn weigh(&self, side: &Visibility, root: Vec3, points: &[Vec3], weights: &mut [f32]) -> bool {
        let brush = self.brush;
        let see = |i: usize| points.get(i).and_then(|&p| side.view.see(root + p));
        let (mut before, mut here) = (see(0), see(1));
        let mut any = false;
        for (i, weight) in weights.iter_mut().enumerate().skip(1) {
            let after = see(i + 1);
            if let Some(seen) = here {
                let half = |other: Option<Seen>| {
                    let middle = other.map_or(seen.at, |other| 0.5 * (other.at + seen.at));
                    distance_to_segment(self.from, seen.at, middle)
                };
                let away = half(before).min(half(after));
                if away < brush.radius && side.shows(&seen) {
                    let fade = faded(away / brush.radius, brush);
                    *weight = brush.strength * fade * brush.along(i, points.len());
                    any |= *weight > 0.0;
                }
            }
            (before, here) = (here, after);
        }
        any
    }
}

/// The effect of a brush at a share of its radius from its middle.
pub(super) fn faded(away: f32, brush: &Stroke) -> f32 {
    let inward = (1.0 - away) / brush.falloff.max(1e-6);
    let inward = inward.clamp(0.0, 1.0);
    inward * inward * (3.0 - 2.0 * inward)
}

impl Stroke {
    /// The effect at a point of a strand with this number of points.
    pub(super) fn along(&self, i: usize, points: usize) -> f32 {
        1.0 - self.tips * (1.0 - i as f32 / (points - 1) as f32)
    }
}

/// The distance from a point to a segment.
fn distance_to_segment(p: Vec2, a: Vec2, b: Vec2) -> f32 {
    let (along, from) = (b - a, p - a);
    let length2 = along.length_squared();
    let share = match length2 > 0.0 {
        true => (from.dot(along) / length2).clamp(0.0, 1.0),
        false => 0.0,
    };
    from.distance(along * share)
}
