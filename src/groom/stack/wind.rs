//! Hair that winds: curls, waves, frizz, and strands that leave the others.

use super::locks::locks;
use super::strands::{Strand, Strands, carried, length, random_of};
use super::{Curl, Frizz, Modifier, Stray};
use crate::det_math::{sin_cos, smooth_step};
use glam::Vec3;
use std::f64::consts::TAU;

/// The part of the first turn over which a curl opens.
const OPENING_TURNS: f32 = 0.6;
/// The least number of steps of integration per turn.
const STEPS_PER_TURN: f32 = 12.0;
/// The largest phase between the strands of a lock, in turns.
const STRAY_TURNS: f64 = 0.35;

impl Strands<'_> {
    /// The tangent d of the strand leans by the angle a, and turns about it with arc length s:
    /// θ = 2π s / turn + phase, v = a (e1 cos θ + f e2 sin θ), tangent = d cos |v| + (v/|v|) sin |v|,
    /// where e1 and e2 are carried along without twist. A curled strand is as long as before, and
    /// gets along its way by cos a.
    pub(super) fn curl(&mut self, modifier: &Modifier, curl: &Curl) {
        let middles = match curl.lock > 0.0 {
            true => locks(&self.groom.roots, &self.groom.normals, curl.lock),
            false => Vec::new(),
        };
        let ranks = self.ground.ranks;
        let (seed, round) = (self.seed(modifier), 1.0 - curl.flat);
        self.each(modifier, |strand, points| {
            let middle = middles.get(strand.index).copied();
            let middle = middle.unwrap_or(strand.index as u32);
            let rank = ranks.get(middle as usize).copied().unwrap_or(middle);
            let mut of_lock = random_of(seed, rank);
            let phase = of_lock.uniform() * TAU;
            let hand = if of_lock.uniform() < 0.5 { -1.0 } else { 1.0 };
            let vary = 2.0 * of_lock.uniform() - 1.0;
            let turn = curl.length * (1.0 + 0.6 * curl.variation * vary as f32);
            let mut own = strand.random();
            let apart = STRAY_TURNS * f64::from(curl.variation) * (own.uniform() - 0.5);
            let phase = phase + TAU * apart;
            let most = curl.angle_deg.to_radians() * strand.weight;
            // θ is turned on by what it grows from one call to the next.
            let (mut turned, mut step) = (sin_cos(phase), (0.0, 1.0));
            let (mut before, mut grown) = (0.0, 0.0);
            strand.lean(points, turn / STEPS_PER_TURN, |s, t| {
                let lean =
                    most * strand.modifier.along(t) * smooth_step(s / (turn * OPENING_TURNS));
                let way = s - before;
                before = s;
                // Steps differ by rounding, but for the first.
                if (way - grown).abs() > 1e-3 * way {
                    step = sin_cos(hand * TAU * f64::from(way / turn));
                    grown = way;
                }
                turned = (
                    turned.0 * step.1 + turned.1 * step.0,
                    turned.1 * step.1 - turned.0 * step.0,
                );
                let (sin, cos) = turned;
                [lean * cos as f32, lean * round * sin as f32]
            });
        });
    }

    pub(super) fn frizz(&mut self, modifier: &Modifier, frizz: &Frizz) {
        self.each(modifier, |strand, points| {
            let whole = length(points);
            let mut random = strand.random();
            let bends = ((whole / frizz.length) as usize + 3).min(1024);
            let first = random.uniform() as f32;
            let knots: Vec<[f32; 2]> = (0..bends)
                .map(|_| [0; 2].map(|_| 2.0 * random.uniform() as f32 - 1.0))
                .collect();
            strand.lean(points, 0.25 * frizz.length, |s, t| {
                let place = s / frizz.length + first;
                let i = (place as usize).min(bends - 2);
                let share = smooth_step(place - i as f32);
                let most = frizz.angle_deg.to_radians() * strand.weight * strand.modifier.along(t);
                [0, 1].map(|k| most * (knots[i][k] + (knots[i + 1][k] - knots[i][k]) * share))
            });
        });
    }

    pub(super) fn stray(&mut self, modifier: &Modifier, stray: &Stray) {
        self.each(modifier, |strand, points| {
            let mut random = strand.random();
            if random.uniform() as f32 >= stray.share * strand.weight {
                return;
            }
            let (sin, cos) = sin_cos(TAU * random.uniform());
            let most = stray.angle_deg.to_radians() * (0.3 + 0.7 * random.uniform() as f32);
            strand.lean(points, f32::INFINITY, |_, t| {
                let lean = most * t * strand.modifier.along(t);
                [lean * cos as f32, lean * sin as f32]
            });
        });
    }
}

impl Strand<'_> {
    /// Leans a strand out of its way: `lean` gets the length of hair from the root, and its share,
    /// and returns the angles (radians) about two axes that are carried along without twist. The
    /// strand keeps its length. Steps are at most `step` long.
    fn lean(&self, points: &mut [Vec3], step: f32, mut lean: impl FnMut(f32, f32) -> [f32; 2]) {
        let whole = length(points);
        let count = points.len() - 1;
        let segment = whole / count as f32;
        if segment <= 0.0 {
            return;
        }
        let steps = (segment / step - 0.01).ceil().clamp(1.0, 64.0) as usize;
        let size = segment / steps as f32;
        let way: Vec<Vec3> = points
            .windows(2)
            .map(|pair| (pair[1] - pair[0]).normalize_or(self.normal))
            .collect();
        // Locks wind alike, so the first axis depends on the direction alone, smoothly.
        let mut tangent = way[0];
        let mut e1 = tangent
            .cross(Vec3::new(0.31, 0.17, -0.94))
            .normalize_or(tangent.any_orthonormal_vector());
        let (mut at, mut axis) = (Vec3::ZERO, 0.0);
        for i in 0..count * steps {
            let s = (i as f32 + 0.5) * size;
            let place = (axis / segment).min(count as f32 - 1e-3);
            let j = place as usize;
            // Directions are those of the middles of segments.
            let between = place - j as f32 - 0.5;
            let other = if between < 0.0 {
                j.saturating_sub(1)
            } else {
                (j + 1).min(count - 1)
            };
            let next = way[j].lerp(way[other], between.abs()).normalize_or(way[j]);
            // The smallest rotation from one tangent to the next carries the axes.
            e1 = carried(e1, tangent, next);
            tangent = next;
            e1 = (e1 - tangent * e1.dot(tangent)).normalize_or(tangent.any_orthonormal_vector());
            let e2 = tangent.cross(e1);
            let [a, b] = lean(s, s / whole);
            let v = e1 * a + e2 * b;
            let (cos, over) = cos_and_sinc(v.length_squared());
            at += (tangent * cos + v * over) * size;
            axis += cos * size;
            if (i + 1) % steps == 0 {
                points[(i + 1) / steps] = at;
            }
        }
    }
}

/// Returns cos x and sin x / x from x², for x up to 2: the Taylor series, within 3e-7.
fn cos_and_sinc(square: f32) -> (f32, f32) {
    let x = square;
    let cos = 1.0
        - x / 2.0
            * (1.0
                - x / 12.0
                    * (1.0 - x / 30.0 * (1.0 - x / 56.0 * (1.0 - x / 90.0 * (1.0 - x / 132.0)))));
    let sinc = 1.0
        - x / 6.0
            * (1.0
                - x / 20.0
                    * (1.0 - x / 42.0 * (1.0 - x / 72.0 * (1.0 - x / 110.0 * (1.0 - x / 156.0)))));
    (cos, sinc)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_are_cosine_and_sine() {
        for i in 0..=2000_u16 {
            let x = f64::from(i) * 1e-3;
            let (cos, over) = cos_and_sinc((x * x) as f32);
            let sinc = if i == 0 { 1.0 } else { x.sin() / x };
            assert!((f64::from(cos) - x.cos()).abs() < 1e-6, "{x}");
            assert!((f64::from(over) - sinc).abs() < 1e-6, "{x}");
        }
    }
}
