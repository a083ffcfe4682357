//! The motion of hair under each tool. All constants hold for strength 1 in the middle of the
//! brush.

use super::skin::POCKET_LENGTH;
use super::weights::Touch;
use super::{BrushStep, STEP_PIXELS, Tool};
use crate::det_math::sin_cos;
use crate::groom::write_along;
use crate::style::visibility::Visibility;
use glam::{Vec2, Vec3};
use std::f64::consts::TAU;
use std::iter;

/// Share of the brush's motion that combed hair follows.
const FOLLOW: f32 = 0.5;
/// Combed lengthwise, a point goes this share of the way to the middle between its neighbours.
const STRAIGHTEN: f32 = 0.15;
/// Relative growth while the brush moves by its radius.
const GROW: f32 = 0.3;
/// Longest that hair grows, decimetres.
const MAX_LENGTH: f32 = 10.0;
/// Shortest that hair is cut, decimetres.
const STUBBLE: f32 = 0.02;
/// Flattened hair whose sideways share is less than about this falls down.
const UPRIGHT: f32 = 0.01;
/// Turn of puffed and flattened hair while the brush moves by its radius, radians.
const TURN: f32 = 0.8;
/// Share of the way to the mean of its neighbours that smoothed hair goes in a full step.
const SMOOTH: f32 = 0.2;
/// Share of the way to the middle of what the brush touches that clumped hair goes in a full step.
const GATHER: f32 = 0.1;
/// Growth of a curl's radius while the brush moves by its radius, as a share of a turn's length.
const WIND: f32 = 0.25;
/// Length of a turn of a curl, decimetres, and the least number of points of one.
const CURL_TURN: f32 = 0.4;
const POINTS_PER_TURN: f32 = 6.0;
/// A step that would leave hair in the skin is tried this many times, each reduced to this share.
const TRIES: usize = 3;
const RETRY_SHARE: f32 = 0.4;

impl BrushStep<'_> {
    /// Writes the points of a strand after the step.
    pub(super) fn write(&self, touch: &Touch, out: &mut [Vec3]) {
        let strand = touch.strand as usize;
        let old = self.strands.strand(strand);
        out.copy_from_slice(old);
        match self.brush.tool {
            Tool::Cut => self.cut(strand, out),
            Tool::Grow => self.grow(touch, strand, out),
            _ => {
                let root = self.strands.roots[strand];
                let segments = self.lengths.segments(strand, self.strands.per);
                let mut share = 1.0;
                for _ in 0..TRIES {
                    match self.brush.tool {
                        Tool::Puff | Tool::Flatten => self.turn(touch, strand, share, out),
                        Tool::Part => self.part(touch, strand, share, out),
                        _ => {
                            for (i, out) in out.iter_mut().enumerate() {
                                *out = old[i] + self.displacement(touch, strand, i) * share;
                            }
                        }
                    }
                    if (self.skin).constrain(root, segments, old, out, &touch.weights) {
                        return;
                    }
                    share *= RETRY_SHARE;
                }
                out.copy_from_slice(old);
            }
        }
    }

    /// Returns the displacement of a point of a strand, summed over the sides.
    fn displacement(&self, touch: &Touch, strand: usize, i: usize) -> Vec3 {
        let (per, root) = (self.strands.per, self.strands.roots[strand]);
        let points = self.strands.strand(strand);
        let (here, last) = (points[i], (per - 1) as f32);
        let mut sum = Vec3::ZERO;
        for (number, side) in self.sides.iter().enumerate() {
            let weight = touch.weights[number * per + i];
            if weight <= 0.0 {
                continue;
            }
            let Some(seen) = side.view.see(root + self.shown(strand)[i]) else {
                continue;
            };
            let steps = self.pixels() / STEP_PIXELS;
            let moved = match self.brush.tool {
                Tool::Comb => {
                    let motion = side.view.motion(self.to - self.from, seen.depth);
                    let mut moved = FOLLOW * motion;
                    if let Some(&after) = points.get(i + 1) {
                        let along = (after - points[i - 1]).normalize_or_zero();
                        let across = motion.cross(along).length();
                        if motion != Vec3::ZERO && motion.dot(along).abs() >= across {
                            moved += STRAIGHTEN * (0.5 * (points[i - 1] + after) - here);
                        }
                    }
                    moved
                }
                Tool::Smooth => self.neighbours.map_or(Vec3::ZERO, |around| {
                    SMOOTH * steps * (around.mean(self.strands, strand, i) - here)
                }),
                Tool::Clump => {
                    let middle = self.middles[number * per + i];
                    GATHER * steps * (i as f32 / last) * (middle - (root + here))
                }
                Tool::Curl => WIND * self.radii() * self.coil(number, strand, i),
                _ => Vec3::ZERO, // the others do not move single points
            };
            sum += weight * moved;
        }
        sum
    }

    /// Returns the length of the step in radii of the brush.
    pub(super) fn radii(&self) -> f32 {
        self.pixels() / self.brush.radius
    }

    /// Writes a strand whose touched segments turn away from the skin or towards it; the rest of
    /// the strand moves along.
    fn turn(&self, touch: &Touch, strand: usize, share: f32, out: &mut [Vec3]) {
        let per = self.strands.per;
        let normal = self.strands.normals[strand];
        let points = self.strands.strand(strand);
        let turn = share * TURN * self.pixels() / self.brush.radius;
        // Upright hair falls this way.
        let down = Vec3::NEG_Y - normal * Vec3::NEG_Y.dot(normal);
        let down = down.normalize_or(normal.any_orthonormal_vector());
        let mut sum = Vec3::ZERO;
        for i in 1..points.len() {
            let segment = points[i] - points[i - 1];
            let weight: f32 = (touch.weights.chunks_exact(per)).map(|side| side[i]).sum();
            let towards = match self.brush.tool {
                Tool::Puff => normal,
                _ => {
                    // For upright hair this is nothing but rounding errors.
                    let sideways = segment - normal * segment.dot(normal);
                    (sideways + down * (UPRIGHT * segment.length())).normalize_or(down) - normal
                }
            };
            sum += weight * turn * segment.length() * towards;
            out[i] = points[i] + sum;
        }
    }

    /// Returns the offset of a point from a strand to a helix around it whose radius is the length
    /// of a turn, decimetres. On the mirrored side the helix winds the other way.
    fn coil(&self, side: usize, strand: usize, i: usize) -> Vec3 {
        let points = self.strands.strand(strand);
        let flip = Vec3::new(if side == 0 { 1.0 } else { -1.0 }, 1.0, 1.0);
        let length = self.lengths.whole[strand];
        let max_turns = (points.len() - 1) as f32 / POINTS_PER_TURN;
        let turns = (length / CURL_TURN).clamp(1.0, max_turns.max(1.0));
        let share = i as f32 / (points.len() - 1) as f32;
        let axis = points[points.len() - 1].normalize_or(self.strands.normals[strand]) * flip;
        // Neighbouring strands have nearly the same axis and wind alike: locks stay locks.
        let e1 = axis.any_orthonormal_vector();
        let (sin, cos) = sin_cos(TAU * f64::from(share * turns));
        let open = (share * turns / 0.5).min(1.0);
        (e1 * cos as f32 + axis.cross(e1) * sin as f32) * (open * length / turns) * flip
    }

    fn grow(&self, touch: &Touch, strand: usize, out: &mut [Vec3]) {
        let length = self.lengths.whole[strand];
        let root = self.strands.roots[strand];
        // Hair that was cut short in a pocket stays short.
        if length < 1.5 * POCKET_LENGTH && self.skin.is_pocket(root) {
            return;
        }
        let max_weight = touch.weights.iter().copied().fold(0.0, f32::max);
        let factor = 1.0 + GROW * self.radii() * max_weight;
        let factor = factor.min(MAX_LENGTH / length.max(1e-6));
        if factor <= 1.0 {
            return;
        }
        let old = out.to_vec();
        out.iter_mut().for_each(|point| *point *= factor);
        let longer = out.to_vec();
        let segments = longer.windows(2).map(|pair| pair[0].distance(pair[1]));
        let segments: Vec<f32> = iter::once(0.0).chain(segments).collect();
        let is_outside = |points: &[Vec3]| self.skin.length_outside(root, points).is_none();
        // Hair that was in the skin before may stay there.
        let fits = (self.skin).constrain(root, &segments, &longer, out, &[])
            && (is_outside(out) || !is_outside(&old));
        if !fits {
            out.copy_from_slice(&old);
        }
    }

    fn cut(&self, strand: usize, out: &mut [Vec3]) {
        let root = self.strands.roots[strand];
        let old = self.strands.strand(strand);
        let shown = self.shown(strand);
        let length_before = |side: &Visibility| self.length_before_brush(side, root, shown);
        let sides = self.sides.iter();
        let enters = sides.filter_map(length_before).fold(f32::MAX, f32::min);
        let length = self.lengths.whole[strand];
        if enters >= length {
            return;
        }
        let selected = self.selected(strand);
        let remaining = length + self.brush.strength * selected * (enters - length);
        let remaining = remaining.max(STUBBLE).min(length);
        write_along(old, remaining.into(), out);
    }

    /// Returns the length of a strand up to where it visibly enters the brush.
    fn length_before_brush(&self, side: &Visibility, root: Vec3, points: &[Vec3]) -> Option<f32> {
        let mut before = 0.0;
        for pair in points.windows(2) {
            let length = pair[0].distance(pair[1]);
            if let Some(a) = side.view.see(root + pair[0])
                && let Some(b) = side.view.see(root + pair[1])
                && let Some(share) = entry_into_disc(self.from, self.brush.radius, a.at, b.at)
            {
                let at = root + pair[0].lerp(pair[1], share);
                if side.view.see(at).is_some_and(|seen| side.shows(&seen)) {
                    return Some(before + share * length);
                }
            }
            before += length;
        }
        None
    }
}

/// Returns where a segment first enters a disc, as a share of the segment.
fn entry_into_disc(centre: Vec2, radius: f32, a: Vec2, b: Vec2) -> Option<f32> {
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
        let enters = |a, b| entry_into_disc(Vec2::ZERO, 1.0, a, b);
        let (left, right) = (Vec2::new(-3.0, 0.0), Vec2::new(3.0, 0.0));
        assert!((enters(left, right).unwrap() - 1.0 / 3.0).abs() < 1e-6);
        assert_eq!(enters(Vec2::ZERO, right), Some(0.0));
        assert_eq!(enters(left, Vec2::new(-2.0, 0.0)), None);
        assert_eq!(enters(Vec2::new(-3.0, 1.1), Vec2::new(3.0, 1.1)), None);
        assert_eq!(enters(left, left), None);
    }
}
