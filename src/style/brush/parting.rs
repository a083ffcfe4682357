//! A parting: hair turned away from a line that the brush draws on the skin.

use super::BrushStep;
use super::weights::{Touch, faded};
use crate::scalp::Scalp;
use crate::style::visibility::Visibility;
use glam::{Vec2, Vec3};

/// Share of the way to its own side that hair turns while the brush moves by its radius.
const TURN: f32 = 1.5;
/// Length of hair that leads from sideways to down, decimetres.
const FALL: f32 = 0.7;
/// Slope at which hair leaves the skin beside the line.
const RISE: f32 = 0.35;
/// Distance from the skin within which hair follows it, decimetres.
const CATCH: f32 = 0.12;

/// The piece of the line that a step draws, head space.
pub(in crate::style) struct Parting {
    /// Its start on the skin.
    from: Vec3,
    /// Its direction, of unit length.
    along: Vec3,
    /// The radius of the brush there, decimetres.
    radius: f32,
}

impl Parting {
    /// Returns the piece of a step between two pixels; `None` if one is beside the skin, or both are
    /// the same point of it.
    pub(crate) fn of(
        side: &Visibility,
        scalp: &Scalp,
        ends: [Vec2; 2],
        radius: f32,
    ) -> Option<Self> {
        let (from, radius) = side.ball(scalp, ends[0], radius)?;
        let along = (side.pick(scalp, ends[1])? - from).try_normalize()?;
        Some(Self {
            from,
            along,
            radius,
        })
    }

    /// Returns the parting on the other side of the head.
    pub(crate) fn mirrored(&self) -> Self {
        let flip = Vec3::new(-1.0, 1.0, 1.0);
        Self {
            from: self.from * flip,
            along: self.along * flip,
            ..*self
        }
    }

    /// Returns the direction along the skin to the side of the line that a root is on.
    fn aside(&self, root: Vec3, normal: Vec3) -> Vec3 {
        let offset = root - self.from;
        let across = offset - self.along * offset.dot(self.along);
        let across = across - normal * across.dot(normal);
        // A root on the line itself goes to the right.
        across.normalize_or(self.along.cross(normal).normalize_or(Vec3::X))
    }
}

/// Returns a direction that leads along the skin where it would lead into it. `skin`: the distance
/// from it and its gradient.
fn along_skin(towards: Vec3, skin: Option<(f32, [f32; 3])>) -> Vec3 {
    let Some((away, gradient)) = skin else {
        return towards;
    };
    let out = Vec3::from(gradient).normalize_or_zero();
    let inwards = towards.dot(out).min(0.0) * (1.0 - away / CATCH).clamp(0.0, 1.0);
    towards - out * inwards
}

impl BrushStep<'_> {
    /// Writes the weights of a strand's points on one side, by the distance of its root from the
    /// brush. Returns whether it is touched.
    pub(super) fn weigh_parting(&self, side: usize, strand: usize, weights: &mut [f32]) -> bool {
        let Some(parting) = self.partings.get(side) else {
            return false;
        };
        let (side, root) = (&self.sides[side], self.strands.roots[strand]);
        let away = root.distance(parting.from) / parting.radius;
        let is_seen = || side.view.see(root).is_some_and(|seen| side.shows(&seen));
        if away >= 1.0 || !is_seen() {
            return false;
        }
        let weight = self.brush.strength * faded(away, self.brush);
        for (i, out) in weights.iter_mut().enumerate().skip(1) {
            *out = weight * self.brush.along(i, self.strands.per);
        }
        weight > 0.0
    }

    /// Writes a strand that turns to its side of the parting: along the skin at first, then down.
    pub(super) fn part(&self, touch: &Touch, strand: usize, share: f32, out: &mut [Vec3]) {
        let per = self.strands.per;
        let (root, normal) = (self.strands.roots[strand], self.strands.normals[strand]);
        let points = self.strands.strand(strand);
        let asides = self.partings.iter().map(|line| line.aside(root, normal));
        let asides: Vec<Vec3> = asides.collect();
        let turn = share * TURN * self.radii();
        let (mut along, mut sum) = (0.0, Vec3::ZERO);
        for i in 1..per {
            let segment = points[i] - points[i - 1];
            let length = segment.length();
            along += length;
            let fall = (along / FALL).min(1.0);
            let before = (root + out[i - 1]).to_array();
            let skin = self.skin.0.map(|field| field.sample(before));
            let rise = normal * (RISE * (1.0 - 0.8 * fall));
            let sides = asides.iter().zip(touch.weights.chunks_exact(per));
            // The sides are summed first, so that their order makes no difference.
            sum += sides.fold(Vec3::ZERO, |sum, (&aside, weights)| {
                let towards = aside.lerp(Vec3::NEG_Y, fall) + rise;
                let towards = along_skin(towards, skin).normalize_or(aside);
                sum + (weights[i] * turn).min(1.0) * (towards * length - segment)
            });
            out[i] = points[i] + sum;
        }
    }
}
