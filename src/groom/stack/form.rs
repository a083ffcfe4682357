//! The form of hair: straightened, smoothed, rolled up, moved by noise.

use super::strands::{APART, Step, Strands, length};
use super::{Modifier, Noise, Roll, Smooth, Straighten};
use crate::det_math::{sin_cos, smooth_step};
use crate::noise::noise;
use glam::Vec3;

impl Strands<'_> {
    pub(super) fn straighten(&mut self, modifier: &Modifier, _: &Straighten) {
        self.each(modifier, |strand, points| {
            let count = points.len();
            let along = points[count - 1].normalize_or(strand.normal);
            strand.walk(
                points,
                |_| 0.0,
                |Step { j, own, .. }| own.lerp(along, strand.at(j, count)),
            );
        });
    }

    /// The average of the tangent over the length w about s is the chord (p(s + w/2) − p(s − w/2)) / w.
    /// Two averages in a row leave no ripples.
    pub(super) fn smooth(&mut self, modifier: &Modifier, smooth: &Smooth) {
        self.each(modifier, |strand, points| {
            let count = points.len();
            let half = 0.5 * smooth.length * (count - 1) as f32 / length(points).max(1e-6);
            let mut even = points.to_vec();
            for _ in 0..2 {
                let old = even.clone();
                for j in 1..count {
                    let middle = j as f32 - 0.5;
                    let chord = at(&old, middle + half) - at(&old, middle - half);
                    let size = old[j].distance(old[j - 1]);
                    even[j] = even[j - 1] + chord.normalize_or(strand.normal) * size;
                }
            }
            strand.walk(
                points,
                |_| APART * strand.weight,
                |Step { j, own, .. }| {
                    let now = (even[j] - even[j - 1]).normalize_or(own);
                    own.lerp(now, strand.at(j, count))
                },
            );
        });
    }

    /// From where the roll begins, the direction turns in the plane of the strand and the way out of
    /// the head, by 1 / r per length, the radius r falling evenly to the tip.
    pub(super) fn roll(&mut self, modifier: &Modifier, roll: &Roll) {
        let (sin, cos) = sin_cos(f64::from(roll.turn_deg).to_radians());
        self.each(modifier, |strand, points| {
            let vary = 1.0 - roll.variation * strand.random().uniform() as f32;
            let (count, whole) = (points.len(), length(points));
            let segment = whole / (count - 1) as f32;
            let rolled = (roll.length * vary).min(whole);
            let mut angle = 0.0_f64;
            let mut plane = None;
            strand.walk(
                points,
                |_| APART * strand.weight,
                |step| {
                    let left = whole - (step.j as f32 - 0.5) * segment;
                    if left > rolled {
                        return step.carried;
                    }
                    let [ahead, aside] = *plane.get_or_insert_with(|| {
                        let out = step.away.map_or(strand.normal, |(_, out)| out);
                        let ahead = step.carried;
                        let out = out - ahead * out.dot(ahead);
                        // Upright hair has no side that is away from the head: it rolls to the back.
                        let back = Vec3::NEG_Z - ahead * -ahead.z;
                        let out = (out + back * (0.3 - out.length()).max(0.0)).normalize_or(back);
                        [ahead, out * cos as f32 + ahead.cross(out) * sin as f32]
                    });
                    let tapered = roll.taper + (1.0 - roll.taper) * left / rolled;
                    let radius = roll.radius * vary * tapered;
                    angle += f64::from(segment / radius);
                    let (sin, cos) = sin_cos(angle);
                    let wound = ahead * cos as f32 + aside * sin as f32;
                    step.own.lerp(wound, strand.at(step.j, count))
                },
            );
        });
    }

    pub(super) fn noise(&mut self, modifier: &Modifier, settings: &Noise) {
        let seed = self.seed(modifier);
        let seed = (seed ^ (seed >> 32)) as u32;
        self.each(modifier, |strand, points| {
            let count = points.len();
            let segment = length(points) / (count - 1) as f32;
            strand.lead(points, |j, own| {
                let place = (strand.root + own) / settings.size;
                let cell = place.floor();
                let within = (place - cell).to_array().map(|x| [x]);
                let [[x], [y], [z]] = noise(cell.to_array().map(|x| [x as i32]), within, seed);
                let moved = Vec3::new(x, y, z);
                // Hair stays at its root.
                let grown = smooth_step(j as f32 * segment / settings.size);
                own + moved * (settings.distance * grown * strand.at(j, count))
            });
        });
    }
}

/// Returns the point at a number of segments along a polyline, within its ends.
fn at(points: &[Vec3], place: f32) -> Vec3 {
    let last = points.len() - 1;
    let place = place.clamp(0.0, last as f32);
    let i = (place as usize).min(last - 1);
    points[i].lerp(points[i + 1], place - i as f32)
}
