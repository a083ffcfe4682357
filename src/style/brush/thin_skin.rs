//! Skin too thin for the distance field: eyelids, rims of ears.

use super::constraints::MAX_DEPTH;
use crate::scalp::{NearestFinder, Scalp};
use crate::sim::Sdf;
use glam::Vec3;

/// Distances below this do not exclude thin skin, decimetres: about half of the thickness
/// that the field cannot resolve.
const NEAR: f32 = 0.03;
/// Distance between two tests along a strand, decimetres. The first test comes after the strand has
/// left the skin of its own root.
const STEP: f32 = 0.015;
/// Least sine of the angle at which an inside point lies behind the nearest triangle: beside an
/// edge both sides are equally near.
const MIN_SINE: f64 = 0.5;

/// The triangles of the skin, beside its distance field.
pub(crate) struct ThinSkin<'a> {
    scalp: &'a Scalp,
    nearest: NearestFinder<'a>,
    field: &'a Sdf,
}

impl<'a> ThinSkin<'a> {
    pub(crate) fn new(scalp: &'a Scalp, field: &'a Sdf) -> Self {
        Self {
            scalp,
            nearest: NearestFinder::of(scalp),
            field,
        }
    }

    /// Returns the length of a strand from its root to where it first enters thin skin; `None` if
    /// it does not.
    pub(crate) fn length_outside(&self, root: Vec3, points: &[Vec3]) -> Option<f32> {
        let (mut before, mut at) = (0.0, 2.0 * STEP);
        for pair in points.windows(2) {
            let (way, length) = (pair[1] - pair[0], pair[1].distance(pair[0]));
            while at < before + length {
                let p = root + pair[0] + way * ((at - before) / length);
                let away = self.field.distance(p.to_array());
                if away < NEAR && self.is_inside(p) {
                    return Some((at - STEP).max(MAX_DEPTH));
                }
                at += STEP.max(away - NEAR);
            }
            before += length;
        }
        None
    }

    /// Whether a point lies behind the nearest triangle. Only for points near thin skin; elsewhere
    /// the field tells.
    fn is_inside(&self, p: Vec3) -> bool {
        let found = self.nearest.find(p, NEAR.into(), |_| true);
        found.is_some_and(|(at, distance)| {
            let out = self.scalp.face_normal(at.triangle).as_dvec3();
            let from = p.as_dvec3() - self.scalp.point(at).as_dvec3();
            distance > f64::from(MAX_DEPTH) && from.dot(out) < -MIN_SINE * distance
        })
    }
}
