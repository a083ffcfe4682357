//! Which points of which strands a brush touches, and how much.

use super::super::visibility::Sight;
use super::{Bench, Brush, Move};
use crate::style::camera::Seen;
use crate::style::strands::{self, Strands};
use glam::{Vec2, Vec3};
use rayon::prelude::*;

/// Lengths of strands and of their segments, which brushes keep: measured once, so that they do not
/// wander over thousands of steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lengths {
    whole: Vec<f32>,
    /// From each point to the one before it.
    segments: Vec<f32>,
}

impl Lengths {
    pub(crate) fn of(strands: &Strands) -> Self {
        let mut lengths = Self {
            whole: vec![0.0; strands.len()],
            segments: vec![0.0; strands.points.len()],
        };
        for strand in 0..strands.len() {
            lengths.measure(strands, strand);
        }
        lengths
    }

    pub(super) fn measure(&mut self, strands: &Strands, strand: usize) {
        let points = strands.strand(strand);
        self.whole[strand] = strands::length(points);
        let segments = &mut self.segments[strand * points.len()..][..points.len()];
        measure_segments(points, segments);
    }

    /// Of a whole strand, decimetres.
    pub(super) fn get(&self, strand: usize) -> f32 {
        self.whole[strand]
    }

    /// From each of so many points to the one before it; the first is none.
    pub(crate) fn segments(&self, strand: usize, per: usize) -> &[f32] {
        &self.segments[strand * per..][..per]
    }
}

/// From each point to the one before it; the first is left alone.
pub(super) fn measure_segments(points: &[Vec3], segments: &mut [f32]) {
    for (segment, pair) in segments[1..].iter_mut().zip(points.windows(2)) {
        *segment = pair[0].distance(pair[1]);
    }
}

/// A strand that a brush touches.
pub(super) struct Touch {
    pub(super) strand: u32,
    /// For each side, the weight of each point, 0 (not touched) to the brush's strength. The root's
    /// is 0.
    pub(super) weights: Vec<f32>,
}

impl Touch {
    /// The largest weight of all sides.
    pub(super) fn most(&self) -> f32 {
        self.weights.iter().fold(0.0, |most, &w| most.max(w))
    }
}

/// The strands that a brush touches, in their order.
pub(super) fn touched(
    brush: &Brush,
    step: Move,
    bench: &Bench,
    strands: &Strands,
    lengths: &Lengths,
) -> Vec<Touch> {
    let sides = bench.sides;
    let all = (0..strands.len() as u32).into_par_iter();
    all.filter_map(|strand| {
        let near = |sight: &&Sight| is_near(brush, step, sight, strands, lengths, strand);
        if !sides.iter().any(|sight| near(&sight)) {
            return None;
        }
        let per = strands.per;
        let mut weights = vec![0.0; per * sides.len()];
        let mut any = false;
        for (sight, weights) in sides.iter().zip(weights.chunks_exact_mut(per)) {
            let strand = strand as usize;
            let (root, points) = (strands.roots[strand], bench.seen(strands, strand));
            any |= weigh(brush, step, sight, (root, points), weights);
        }
        any.then_some(Touch { strand, weights })
    })
    .collect()
}

/// Could the brush touch a strand, for all that its root and its length tell?
fn is_near(
    brush: &Brush,
    step: Move,
    sight: &Sight,
    strands: &Strands,
    lengths: &Lengths,
    strand: u32,
) -> bool {
    let strand = strand as usize;
    let Some(root) = sight.view.see(strands.roots[strand]) else {
        return true;
    };
    let length = lengths.get(strand);
    if root.depth <= 2.0 * length {
        return true;
    }
    // At the least depth that it can come to; seen askew, its depth changes too: twice that.
    let reach = 2.0 * length * sight.view.pixels(root.depth - length);
    root.at.distance(step.from) <= brush.radius + reach
}

/// The weights of a strand's points. Is any touched?
///
/// A point stands for the hair up to half way to its neighbours: it is as far from the brush as
/// the nearest of that.
fn weigh(
    brush: &Brush,
    step: Move,
    sight: &Sight,
    (root, points): (Vec3, &[Vec3]),
    weights: &mut [f32],
) -> bool {
    let see = |i: usize| points.get(i).and_then(|&p| sight.view.see(root + p));
    let last = (points.len() - 1) as f32;
    let (mut before, mut here) = (see(0), see(1));
    let mut any = false;
    for (i, weight) in weights.iter_mut().enumerate().skip(1) {
        let after = see(i + 1);
        if let Some(seen) = here {
            let half = |other: Option<Seen>| {
                let middle = other.map_or(seen.at, |other| 0.5 * (other.at + seen.at));
                to_segment(step.from, seen.at, middle)
            };
            let far = half(before).min(half(after));
            if far < brush.radius && sight.shows(&seen) {
                let along = 1.0 - brush.tips * (1.0 - i as f32 / last);
                *weight = brush.strength * brush.edge(far / brush.radius) * along;
                any |= *weight > 0.0;
            }
        }
        (before, here) = (here, after);
    }
    any
}

impl Brush {
    /// How much is left of the effect at a share of the radius.
    pub(super) fn edge(&self, share: f32) -> f32 {
        let into = (1.0 - share) / self.falloff.max(1e-6);
        let into = into.clamp(0.0, 1.0);
        into * into * (3.0 - 2.0 * into)
    }
}

/// From a point to a segment.
fn to_segment(p: Vec2, a: Vec2, b: Vec2) -> f32 {
    let (along, from) = (b - a, p - a);
    let length2 = along.length_squared();
    let share = match length2 > 0.0 {
        true => (from.dot(along) / length2).clamp(0.0, 1.0),
        false => 0.0,
    };
    from.distance(along * share)
}
