//! Skin that is too thin for the distance field to tell: eyelids, rims of ears.

use super::settle::DEEP;
use crate::scalp::{Nearest, Scalp};
use crate::sim::Field;
use glam::Vec3;

/// Field distances below this say nothing of thin skin, decimetres: about half of what the field
/// does not tell from air.
const NEAR: f32 = 0.03;
/// Hair is looked at so often along itself, decimetres; it leaves its root's own skin before.
const STEP: f32 = 0.015;
/// How squarely a point must lie behind the nearest triangle to be inside, as a sine: beside an edge
/// both sides are as near.
const BEHIND: f64 = 0.5;

/// The skin itself, beside its field.
pub(crate) struct Thin<'a> {
    scalp: &'a Scalp,
    nearest: Nearest<'a>,
    field: &'a Field,
}

impl<'a> Thin<'a> {
    pub(crate) fn new(scalp: &'a Scalp, field: &'a Field) -> Self {
        Self {
            scalp,
            nearest: Nearest::of(scalp),
            field,
        }
    }

    /// How much of a strand, from its root on, is before the first place where it is in the skin;
    /// `None`: it is nowhere.
    pub(crate) fn enters(&self, root: Vec3, points: &[Vec3]) -> Option<f32> {
        let (mut gone, mut at) = (0.0, 2.0 * STEP);
        for pair in points.windows(2) {
            let (way, length) = (pair[1] - pair[0], pair[1].distance(pair[0]));
            while at < gone + length {
                let p = root + pair[0] + way * ((at - gone) / length);
                let away = self.field.distance(p.to_array());
                if away < NEAR && self.is_inside(p) {
                    return Some((at - STEP).max(DEEP));
                }
                at += STEP.max(away - NEAR);
            }
            gone += length;
        }
        None
    }

    /// Deep in skin that is thin, that is: elsewhere the field tells.
    fn is_inside(&self, p: Vec3) -> bool {
        let found = self.nearest.find(p, NEAR.into(), |_| true);
        found.is_some_and(|(at, distance)| {
            let out = self.scalp.face_normal(at.triangle).as_dvec3();
            let from = p.as_dvec3() - self.scalp.point(at).as_dvec3();
            distance > f64::from(DEEP) && from.dot(out) < -BEHIND * distance
        })
    }
}
