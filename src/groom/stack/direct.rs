//! The direction of hair: combed, parted, laid around a whorl, fallen, raised, pressed to the skin,
//! turned, moved.

use super::line::{Line, aside};
use super::strands::{APART, Step, Strand, Strands, carried, length, turned};
use super::{Comb, Displace, Fall, Lift, Modifier, Part, Rotate, Shrinkwrap, Whorl};
use crate::det_math::sin_cos;
use glam::Vec3;

/// The least height of a fallen strand, as a share of the layer.
const LOWEST: f32 = 0.5;
/// The height at which hair comes out of the skin, decimetres, and by how much it rises from there per
/// decimetre: hair that has come farther lies on top, and roots do not show through it.
const START: f32 = 0.03;
const RISE: f32 = 0.12;
/// Distance from the layer in which combed hair returns to it at 45 degrees, decimetres.
const CATCH: f32 = 0.15;

impl Strands<'_> {
    pub(super) fn comb(&mut self, modifier: &Modifier, comb: &Comb) {
        let towards = Vec3::from(comb.towards).normalize_or_zero();
        self.each(modifier, |strand, points| {
            strand.lay(points, comb.rate, comb.layer, |_| towards);
        });
    }

    pub(super) fn part(&mut self, modifier: &Modifier, part: &Part) {
        let line = Line::new(part);
        let (sin, cos) = sin_cos(f64::from(part.back_deg).to_radians());
        self.each(modifier, |mut strand, points| {
            let (side, along, foot) = line.side(strand.root, strand.normal);
            strand.weight *= line.nearness(strand.root, part.reach);
            if strand.weight <= 0.0 {
                return;
            }
            let towards = |up: Vec3| aside(along, up) * side * cos as f32 + along * sin as f32;
            if line.is_straight() {
                let towards = towards(Vec3::Y);
                return strand.lay(points, part.rate, part.layer, |_| towards);
            }
            // The direction on the line is carried over the skin to where the strand has got.
            let up = (strand.distance(foot - strand.root)).map_or(strand.normal, |(_, out)| out);
            let towards = towards(up);
            strand.lay(points, part.rate, part.layer, |step| {
                let out = step.away.map_or(strand.normal, |(_, out)| out);
                carried(towards, up, out)
            });
        });
    }

    pub(super) fn whorl(&mut self, modifier: &Modifier, whorl: &Whorl) {
        let centre = Vec3::from(whorl.centre);
        let (sin, cos) = sin_cos(f64::from(whorl.turn_deg).to_radians());
        self.each(modifier, |strand, points| {
            let out = strand.root - centre;
            let out = (out - strand.normal * out.dot(strand.normal)).normalize_or_zero();
            let towards = out * cos as f32 + strand.normal.cross(out) * sin as f32;
            strand.lay(points, whorl.rate, whorl.layer, |_| towards);
        });
    }

    pub(super) fn fall(&mut self, modifier: &Modifier, fall: &Fall) {
        self.each(modifier, |strand, points| {
            let height = LOWEST + (1.0 - LOWEST) * strand.random().uniform() as f32;
            strand.draw(points, fall.rate, fall.layer * height, |_| Vec3::NEG_Y);
        });
    }

    pub(super) fn lift(&mut self, modifier: &Modifier, lift: &Lift) {
        // The mean over a segment, which may be longer than the reach.
        let raised = |along: f32| {
            let along = along.min(lift.reach);
            along - 0.5 * along * along / lift.reach
        };
        self.each(modifier, |strand, points| {
            let (count, segment) = (points.len(), length(points) / (points.len() - 1) as f32);
            strand.walk(
                points,
                |_| 0.0,
                |Step { j, own, .. }| {
                    let end = j as f32 * segment;
                    let left = (raised(end) - raised(end - segment)) / segment.max(1e-9);
                    let share = lift.share * left * strand.at(j, count);
                    let to = if share < 0.0 {
                        own - strand.normal * own.dot(strand.normal)
                    } else {
                        strand.normal
                    };
                    own.lerp(to, share.abs())
                },
            );
        });
    }

    pub(super) fn shrinkwrap(&mut self, modifier: &Modifier, shrinkwrap: &Shrinkwrap) {
        self.each(modifier, |strand, points| {
            strand.lay(points, shrinkwrap.rate, shrinkwrap.layer, |step| step.own);
        });
    }

    pub(super) fn rotate(&mut self, modifier: &Modifier, rotate: &Rotate) {
        let axis = Vec3::from(rotate.axis).normalize_or_zero();
        self.each(modifier, |strand, points| {
            let axis = axis.try_normalize().unwrap_or(strand.normal);
            let random = 2.0 * strand.random().uniform() - 1.0;
            let angle = f64::from(rotate.angle_deg) + random * f64::from(rotate.random_deg);
            let (angle, count) = (angle.to_radians(), points.len());
            strand.walk(
                points,
                |_| APART * strand.weight,
                |Step { j, own, .. }| {
                    let now = turned(own, axis, angle * f64::from(strand.at(j, count)));
                    strand.above_plane(j, now)
                },
            );
        });
    }

    pub(super) fn displace(&mut self, modifier: &Modifier, displace: &Displace) {
        let by = Vec3::from(displace.by);
        self.each(modifier, |strand, points| {
            let less = 1.0 - displace.variation * strand.random().uniform() as f32;
            let by = (by + strand.normal * displace.out) * less;
            let count = points.len();
            strand.lead(points, |j, own| {
                own + by * (strand.at(j, count) * j as f32 / (count - 1) as f32)
            });
        });
    }
}

impl Strand<'_> {
    /// Lays a strand on the skin towards a direction: it turns there along the skin, at the height
    /// of the layer, at `rate` per decimetre of hair.
    fn lay(&self, points: &mut [Vec3], rate: f32, layer: f32, towards: impl Fn(&Step) -> Vec3) {
        self.draw(points, rate, layer, |step| {
            let towards = towards(step);
            match step.away {
                Some((away, out)) => {
                    let on_skin = |v: Vec3| (v - out * v.dot(out)).normalize_or_zero();
                    let along = on_skin(towards);
                    // Where the direction points out of the skin, hair would turn back and forth: it
                    // goes on as it came.
                    let turns_back = step.j > 2 && along.dot(step.carried) < 0.0;
                    let along = if turns_back {
                        on_skin(step.carried)
                    } else {
                        along
                    };
                    let height = rising(layer, step.along);
                    along + out * ((height - away) / CATCH).clamp(-1.0, 1.0)
                }
                None => towards,
            }
        });
    }

    /// Turns a strand towards directions at `rate` per decimetre of hair.
    fn draw(&self, points: &mut [Vec3], rate: f32, layer: f32, towards: impl Fn(&Step) -> Vec3) {
        let count = points.len();
        let segment = length(points) / (count - 1) as f32;
        self.walk(
            points,
            |along| rising(layer, along) * self.weight,
            |step| {
                // The share of a turn that a segment makes is x for small x, and at most 1.
                let x = rate * segment * self.at(step.j, count);
                let turned = step.carried.lerp(towards(&step), x / (1.0 + x));
                self.above_plane(step.j, turned)
            },
        );
    }

    /// Returns a first step that does not enter the plane of the root.
    pub(super) fn above_plane(&self, j: usize, step: Vec3) -> Vec3 {
        const LEAST_RISE: f32 = 0.05;
        let rise = step.dot(self.normal);
        match j {
            1 if rise < LEAST_RISE => step + self.normal * (LEAST_RISE - rise),
            _ => step,
        }
    }
}

/// Returns the height of hair in a layer at a length from its root.
fn rising(layer: f32, along: f32) -> f32 {
    (START + RISE * along).min(layer)
}
