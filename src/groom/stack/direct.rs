//! The direction of hair: combed, parted, laid around a whorl, fallen, raised, straightened.

use super::strands::{Away, Strand, Strands, length};
use super::{Comb, Fall, Lift, Modifier, Part, Whorl};
use crate::det_math::sin_cos;
use glam::Vec3;

/// Heights in a layer at which strands lie, as shares of it: none lies in the skin.
const LOWEST: f32 = 0.12;
/// Distance from the layer in which combed hair returns to it at 45 degrees, decimetres.
const CATCH: f32 = 0.15;

impl Strands<'_> {
    pub(super) fn comb(&mut self, modifier: &Modifier, comb: &Comb) {
        let towards = Vec3::from(comb.towards).normalize_or_zero();
        self.each(modifier, |strand, points| {
            strand.lay(points, comb.rate, comb.layer, towards);
        });
    }

    pub(super) fn part(&mut self, modifier: &Modifier, part: &Part) {
        let (from, to) = (Vec3::from(part.from), Vec3::from(part.to));
        let back = (to - from).normalize_or(Vec3::NEG_Z);
        let aside = back.cross(Vec3::Y).normalize_or(Vec3::X);
        let (sin, cos) = sin_cos(f64::from(part.back_deg).to_radians());
        self.each(modifier, |strand, points| {
            let side = if (strand.root - from).dot(aside) < 0.0 {
                -aside
            } else {
                aside
            };
            let towards = side * cos as f32 + back * sin as f32;
            strand.lay(points, part.rate, part.layer, towards);
        });
    }

    pub(super) fn whorl(&mut self, modifier: &Modifier, whorl: &Whorl) {
        let centre = Vec3::from(whorl.centre);
        let (sin, cos) = sin_cos(f64::from(whorl.turn_deg).to_radians());
        self.each(modifier, |strand, points| {
            let out = strand.root - centre;
            let out = (out - strand.normal * out.dot(strand.normal)).normalize_or_zero();
            let towards = out * cos as f32 + strand.normal.cross(out) * sin as f32;
            strand.lay(points, whorl.rate, whorl.layer, towards);
        });
    }

    pub(super) fn fall(&mut self, modifier: &Modifier, fall: &Fall) {
        self.each(modifier, |strand, points| {
            let height = LOWEST + (1.0 - LOWEST) * strand.random().uniform() as f32;
            strand.draw(points, fall.rate, fall.layer * height, |_| Vec3::NEG_Y);
        });
    }

    pub(super) fn lift(&mut self, modifier: &Modifier, lift: &Lift) {
        self.each(modifier, |strand, points| {
            let (count, segment) = (points.len(), length(points) / (points.len() - 1) as f32);
            strand.walk(points, 0.0, |j, _, own, _| {
                let left = (1.0 - j as f32 * segment / lift.reach).max(0.0);
                let share = lift.share * left * strand.at(j, count);
                let to = if share < 0.0 {
                    own - strand.normal * own.dot(strand.normal)
                } else {
                    strand.normal
                };
                own.lerp(to, share.abs())
            });
        });
    }

    pub(super) fn straighten(&mut self, modifier: &Modifier) {
        self.each(modifier, |strand, points| {
            let count = points.len();
            let along = points[count - 1].normalize_or(strand.normal);
            strand.walk(points, 0.0, |j, _, own, _| {
                own.lerp(along, strand.at(j, count))
            });
        });
    }
}

impl Strand<'_> {
    /// Lays a strand on the skin towards a direction: it turns there along the skin, at the height
    /// of the layer, at `rate` per decimetre of hair.
    fn lay(&self, points: &mut [Vec3], rate: f32, layer: f32, towards: Vec3) {
        self.draw(points, rate, layer, |away| match away {
            Some((away, out)) => {
                let along = (towards - out * towards.dot(out)).normalize_or_zero();
                along + out * ((layer - away) / CATCH).clamp(-1.0, 1.0)
            }
            None => towards,
        });
    }

    /// Turns a strand towards directions at `rate` per decimetre of hair. `towards` gets the distance
    /// of the point before.
    fn draw(&self, points: &mut [Vec3], rate: f32, layer: f32, towards: impl Fn(Away) -> Vec3) {
        let count = points.len();
        let segment = length(points) / (count - 1) as f32;
        self.walk(points, layer, |j, away, _, carried| {
            // The share of a turn that a segment makes is x for small x, and at most 1.
            let x = rate * segment * self.at(j, count);
            self.above_plane(j, carried.lerp(towards(away), x / (1.0 + x)))
        });
    }

    /// Returns a first step that does not enter the plane of the root.
    fn above_plane(&self, j: usize, step: Vec3) -> Vec3 {
        const LEAST_RISE: f32 = 0.05;
        let rise = step.dot(self.normal);
        match j {
            1 if rise < LEAST_RISE => step + self.normal * (LEAST_RISE - rise),
            _ => step,
        }
    }
}
