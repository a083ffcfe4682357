//! Where each tool moves what it touches. All figures are for strength 1 in the middle of the brush.

use super::super::visibility::Sight;
use super::settle::{Ground, STUB};
use super::touch::{Lengths, Touch, measure_segments};
use super::{Bench, Brush, Move, Tool};
use crate::det_math::sin_cos;
use crate::groom::write_along;
use crate::style::strands::Strands;
use glam::{Vec2, Vec3};
use std::f64::consts::TAU;

/// Combed hair goes so much of the brush's way.
const FOLLOW: f32 = 0.5;
/// Combed along itself, a point goes so much of the way to the middle between its neighbours.
const STRAIGHTEN: f32 = 0.15;
/// Over one radius of the brush's way hair grows by this share.
const GROW: f32 = 0.3;
/// Longest that hair grows, decimetres.
const LONGEST: f32 = 10.0;
/// Nothing is cut shorter than this, decimetres.
const STUBBLE: f32 = 0.02;
/// Hair whose share sideways is less than about this falls down when it is flattened.
const UPRIGHT: f32 = 0.01;
/// Over one radius of the brush's way, puffed and flattened hair turns by so much, radians.
const TURN: f32 = 0.8;
/// In a step of 4 pixels, hair goes so much of the way to the mean of its neighbours...
const SMOOTH: f32 = 0.2;
/// ... and to the middle of what the brush touches.
const GATHER: f32 = 0.1;
/// Over one radius of the brush's way, curls grow wider by so much of their turn's length.
const WIND: f32 = 0.25;
/// Turns of a strand, and at most one for so many of its points.
const CURL_TURN: f32 = 0.4;
const POINTS_PER_TURN: f32 = 6.0;

/// The rules of a step.
pub(super) struct Rules<'a> {
    brush: &'a Brush,
    step: Move,
    sides: &'a [Sight],
    ground: &'a Ground<'a>,
    strands: &'a Strands,
    lengths: &'a Lengths,
    bench: &'a Bench<'a>,
    /// Of what a side touches, the mean of each point along strands. For `clump`.
    middles: Vec<Vec3>,
}

impl<'a> Rules<'a> {
    pub(super) fn new(
        brush: &'a Brush,
        step: Move,
        bench: &'a Bench,
        strands: &'a Strands,
        lengths: &'a Lengths,
        touched: &[Touch],
    ) -> Self {
        let mut rules = Self {
            brush,
            step,
            sides: bench.sides,
            ground: &bench.ground,
            strands,
            lengths,
            bench,
            middles: Vec::new(),
        };
        if brush.tool == Tool::Clump {
            rules.middles = rules.middles(touched);
        }
        rules
    }

    /// The weighted mean of each point of what is touched, one side after the other.
    fn middles(&self, touched: &[Touch]) -> Vec<Vec3> {
        let per = self.strands.per;
        let mut sums = vec![(glam::DVec3::ZERO, 0.0_f64); per * self.sides.len()];
        for touch in touched {
            let strand = touch.strand as usize;
            let root = self.strands.roots[strand];
            for (i, (sum, &weight)) in sums.iter_mut().zip(&touch.weights).enumerate() {
                let point = root + self.strands.strand(strand)[i % per];
                sum.0 += point.as_dvec3() * f64::from(weight);
                sum.1 += f64::from(weight);
            }
        }
        let mean = |(sum, weight): (glam::DVec3, f64)| (sum / weight.max(1e-30)).as_vec3();
        sums.into_iter().map(mean).collect()
    }

    /// Writes where the step leaves a strand.
    pub(super) fn strand(&self, touch: &Touch, out: &mut [Vec3]) {
        let strand = touch.strand as usize;
        let old = self.strands.strand(strand);
        out.copy_from_slice(old);
        match self.brush.tool {
            Tool::Cut => self.cut(strand, out),
            Tool::Grow => self.grow(touch, strand, out),
            Tool::Add | Tool::Delete => {}
            _ => {
                let root = self.strands.roots[strand];
                let segments = self.lengths.segments(strand, self.strands.per);
                let mut share = 1.0;
                // What would leave hair in the skin is done by half, then less, then not at all.
                for _ in 0..3 {
                    match self.brush.tool {
                        Tool::Puff | Tool::Flatten => self.turn(touch, strand, share, out),
                        _ => {
                            for (i, out) in out.iter_mut().enumerate() {
                                *out = old[i] + self.displacement(touch, strand, i) * share;
                            }
                        }
                    }
                    if self.ground.settle(root, segments, old, out, &touch.weights) {
                        return;
                    }
                    share *= 0.4;
                }
                out.copy_from_slice(old);
            }
        }
    }

    /// Where a tool moves a point of a strand, all sides together.
    fn displacement(&self, touch: &Touch, strand: usize, i: usize) -> Vec3 {
        let per = self.strands.per;
        let mut sum = Vec3::ZERO;
        for (side, sight) in self.sides.iter().enumerate() {
            let weight = touch.weights[side * per + i];
            if weight > 0.0 {
                sum += weight * self.rule(side, sight, strand, i);
            }
        }
        sum
    }

    fn rule(&self, side: usize, sight: &Sight, strand: usize, i: usize) -> Vec3 {
        let root = self.strands.roots[strand];
        let points = self.strands.strand(strand);
        let here = points[i];
        let shown = self.bench.seen(self.strands, strand)[i];
        let Some(seen) = sight.view.see(root + shown) else {
            return Vec3::ZERO;
        };
        let steps = self.step.pixels() / super::STEP_PIXELS;
        let radii = self.step.pixels() / self.brush.radius;
        match self.brush.tool {
            Tool::Comb => {
                let motion = sight.view.motion(self.step.to - self.step.from, seen.depth);
                let mut moved = FOLLOW * motion;
                if let Some(&after) = points.get(i + 1) {
                    let along = (after - points[i - 1]).normalize_or_zero();
                    if motion.dot(along).abs() >= motion.cross(along).length() {
                        moved += STRAIGHTEN * (0.5 * (points[i - 1] + after) - here);
                    }
                }
                moved
            }
            Tool::Smooth => match self.bench.neighbours {
                Some(around) => SMOOTH * steps * (around.mean(self.strands, strand, i) - here),
                None => Vec3::ZERO,
            },
            Tool::Clump => {
                let middle = self.middles[side * self.strands.per + i];
                let share = i as f32 / (points.len() - 1) as f32;
                GATHER * steps * share * (middle - (root + here))
            }
            Tool::Curl => WIND * radii * self.coil(side, strand, i),
            // Not by single points.
            Tool::Puff | Tool::Flatten | Tool::Cut | Tool::Grow => Vec3::ZERO,
            Tool::Add | Tool::Delete => Vec3::ZERO,
        }
    }

    /// Turns each segment off the skin or towards it, and what hangs on it along.
    fn turn(&self, touch: &Touch, strand: usize, share: f32, out: &mut [Vec3]) {
        let per = self.strands.per;
        let normal = self.strands.normals[strand];
        let points = self.strands.strand(strand);
        let turn = share * TURN * self.step.pixels() / self.brush.radius;
        // Hair that stands upright falls down.
        let down = Vec3::NEG_Y - normal * Vec3::NEG_Y.dot(normal);
        let down = down.normalize_or(normal.any_orthonormal_vector());
        let mut sum = Vec3::ZERO;
        for i in 1..points.len() {
            let segment = points[i] - points[i - 1];
            let weight: f32 = (touch.weights.chunks_exact(per)).map(|side| side[i]).sum();
            let towards = match self.brush.tool {
                Tool::Puff => normal,
                _ => {
                    // Of hair straight up only rounding is sideways.
                    let sideways = segment - normal * segment.dot(normal);
                    (sideways + down * (UPRIGHT * segment.length())).normalize_or(down) - normal
                }
            };
            sum += weight * turn * segment.length() * towards;
            out[i] = points[i] + sum;
        }
    }

    /// Sideways out of a strand, around it: decimetres for a turn of its length. On the other side
    /// of the head it winds the other way.
    fn coil(&self, side: usize, strand: usize, i: usize) -> Vec3 {
        let points = self.strands.strand(strand);
        let flip = Vec3::new(if side == 0 { 1.0 } else { -1.0 }, 1.0, 1.0);
        let length = self.lengths.get(strand);
        let most = (points.len() - 1) as f32 / POINTS_PER_TURN;
        let turns = (length / CURL_TURN).clamp(1.0, most.max(1.0));
        let share = i as f32 / (points.len() - 1) as f32;
        let axis = points[points.len() - 1].normalize_or(self.strands.normals[strand]) * flip;
        // Neighbours have nearly the same axes, so they wind alike: locks stay locks.
        let e1 = axis.any_orthonormal_vector();
        let (sin, cos) = sin_cos(TAU * f64::from(share * turns));
        let open = (share * turns / 0.5).min(1.0);
        (e1 * cos as f32 + axis.cross(e1) * sin as f32) * (open * length / turns) * flip
    }

    fn grow(&self, touch: &Touch, strand: usize, out: &mut [Vec3]) {
        let length = self.lengths.get(strand);
        let root = self.strands.roots[strand];
        if length < 1.5 * STUB && self.ground.is_pocket(root) {
            return; // cut short for a reason
        }
        let radii = self.step.pixels() / self.brush.radius;
        let factor = (1.0 + GROW * radii * touch.most()).min(LONGEST / length.max(1e-6));
        if factor <= 1.0 {
            return;
        }
        let old = out.to_vec();
        let longer: Vec<Vec3> = old.iter().map(|&p| p * factor).collect();
        out.copy_from_slice(&longer);
        let mut segments = vec![0.0; longer.len()];
        measure_segments(&longer, &mut segments);
        let settled = self.ground.settle(root, &segments, &longer, out, &[]);
        // What it grew from may have been deep already, but must not become so.
        let worse = self.ground.deep(root, out).is_some() && self.ground.deep(root, &old).is_none();
        if !settled || worse {
            out.copy_from_slice(&old);
        }
    }

    fn cut(&self, strand: usize, out: &mut [Vec3]) {
        let root = self.strands.roots[strand];
        let old = self.strands.strand(strand);
        let shown = self.bench.seen(self.strands, strand);
        let first = |sight: &Sight| self.enters(sight, root, shown);
        let enters = self.sides.iter().filter_map(first).fold(f32::MAX, f32::min);
        let length = self.lengths.get(strand);
        if enters >= length {
            return;
        }
        let keep = length + self.brush.strength * (enters - length);
        let keep = keep.max(STUBBLE).min(length);
        write_along(old, keep.into(), out);
    }

    /// How far along a strand it enters the brush, where it is seen.
    fn enters(&self, sight: &Sight, root: Vec3, points: &[Vec3]) -> Option<f32> {
        let mut before = 0.0;
        for pair in points.windows(2) {
            let long = pair[0].distance(pair[1]);
            let seen = (
                sight.view.see(root + pair[0]),
                sight.view.see(root + pair[1]),
            );
            if let (Some(a), Some(b)) = seen
                && let Some(share) = into_disc(self.step.from, self.brush.radius, a.at, b.at)
            {
                let at = root + pair[0].lerp(pair[1], share);
                if sight.view.see(at).is_some_and(|seen| sight.shows(&seen)) {
                    return Some(before + share * long);
                }
            }
            before += long;
        }
        None
    }
}

/// Where a segment first is in a disc, as a share of it.
fn into_disc(centre: Vec2, radius: f32, a: Vec2, b: Vec2) -> Option<f32> {
    let (along, from) = (b - a, a - centre);
    let inside = from.length_squared() - radius * radius;
    if inside <= 0.0 {
        return Some(0.0);
    }
    let (square, half) = (along.length_squared(), along.dot(from));
    let discriminant = half * half - square * inside;
    if square == 0.0 || discriminant < 0.0 {
        return None;
    }
    let share = (-half - discriminant.sqrt()) / square;
    (0.0..=1.0).contains(&share).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_enter_discs_where_they_should() {
        let enters = |a, b| into_disc(Vec2::ZERO, 1.0, a, b);
        let (left, right) = (Vec2::new(-3.0, 0.0), Vec2::new(3.0, 0.0));
        assert!((enters(left, right).unwrap() - 1.0 / 3.0).abs() < 1e-6);
        assert_eq!(enters(Vec2::ZERO, right), Some(0.0));
        assert_eq!(enters(left, Vec2::new(-2.0, 0.0)), None);
        assert_eq!(enters(Vec2::new(-3.0, 1.1), Vec2::new(3.0, 1.1)), None);
        assert_eq!(enters(left, left), None);
    }
}
