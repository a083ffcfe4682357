//! The skin, which hair must not enter: by its distance field, and by its triangles where it is too
//! thin for the field, as eyelids and rims of ears are.

use crate::scalp::{NearestFinder, Scalp};
use crate::sim::Sdf;
use crate::style::strands;
use glam::Vec3;

/// Distance of hair from skin, decimetres. At the root it is the root's own distance.
const CLEARANCE: f32 = 0.02;
/// Growth of that distance per decimetre along the strand. It is steep, so that hair in a crease
/// leaves it by its opening and not through its side.
const CLEARANCE_SLOPE: f32 = 0.8;
/// Times that a point is pushed out and brought back to its distance.
const PUSHES: usize = 8;
/// Share of the clearance that is enough where skin is too tight for all of it.
const MIN_CLEARANCE: f32 = 0.4;
/// Hair deeper than its root by more than this is in the skin, decimetres.
pub(crate) const MAX_DEPTH: f32 = 0.005;
/// Length of hair that is planted in a pocket, decimetres: it cannot be deeper than that.
pub(crate) const POCKET_LENGTH: f32 = 0.01;

/// Distances below this do not exclude thin skin, decimetres: about half of the thickness
/// that the field cannot resolve.
const NEAR: f32 = 0.03;
/// Distance between two tests along a strand, decimetres. The first test comes after the strand has
/// left the skin of its own root.
const STEP: f32 = 0.015;
/// Least sine of the angle at which an inside point lies behind the nearest triangle: beside an
/// edge both sides are equally near.
const MIN_SINE: f64 = 0.5;

/// The signed distance field of the skin, or none.
///
/// Roots may lie in pockets that the field closes (nostrils, ears), so the depth of hair counts
/// relative to that of its root.
#[derive(Clone, Copy)]
pub(crate) struct SkinField<'a>(pub(crate) Option<&'a Sdf>);

impl SkinField<'_> {
    /// Returns the length of a strand from its root to the first point in the skin; `None` if no
    /// point is in it.
    pub(crate) fn length_outside(&self, root: Vec3, points: &[Vec3]) -> Option<f32> {
        let field = self.0?;
        let depth = |p: Vec3| -field.distance((root + p).to_array());
        let max_depth = depth(Vec3::ZERO).max(0.0) + MAX_DEPTH;
        let first = (1..points.len()).find(|&i| depth(points[i]) > max_depth)?;
        Some(strands::length(&points[..first]).max(MAX_DEPTH))
    }

    /// Returns `true` if a root lies in a pocket that the field closes. There it cannot tell skin
    /// from air, and longer hair may go through the lips or the rim of an ear.
    pub(crate) fn is_pocket(&self, root: Vec3) -> bool {
        let field = self.0;
        field.is_some_and(|field| field.distance(root.to_array()) < -MAX_DEPTH)
    }

    /// Restores the lengths of a strand's `segments` after its points were moved: taut hair between
    /// the brush and the root is pulled along, then from the root outwards each point goes to its
    /// distance from the one before, and out of the skin. Returns `false` if hair would be deeper
    /// in the skin than before.
    ///
    /// `weights` tell which points were touched, one side after the other; hair between the root
    /// and the last of them is pulled.
    pub(crate) fn constrain(
        &self,
        root: Vec3,
        segments: &[f32],
        old: &[Vec3],
        points: &mut [Vec3],
        weights: &[f32],
    ) -> bool {
        let touched = (1..points.len())
            .rev()
            .find(|&i| (weights.chunks_exact(points.len())).any(|weights| weights[i] > 0.0));
        // Strands are like chains: taut segments pull, slack ones do not.
        for i in (2..=touched.unwrap_or(0)).rev() {
            let (away, length) = (points[i - 1] - points[i], segments[i]);
            if away.length_squared() > length * length {
                points[i - 1] = points[i] + away.normalize_or_zero() * length;
            }
        }
        points[0] = Vec3::ZERO;
        let distance = |field: &Sdf, p: Vec3| field.distance((root + p).to_array());
        let at_root = (self.0).map_or(0.0, |field| distance(field, Vec3::ZERO).min(CLEARANCE));
        let mut along = 0.0;
        for i in 1..points.len() {
            let length = segments[i];
            let from = points[i - 1];
            let before = || (old[i] - old[i - 1]).normalize_or(Vec3::Y);
            let way = (points[i] - from).try_normalize();
            let mut to = from + way.unwrap_or_else(before) * length;
            along += length;
            let clearance = (at_root + CLEARANCE_SLOPE * along).min(CLEARANCE);
            let is_near = |field: &&Sdf| field.lower_bound(root + to) < clearance;
            if let Some(field) = self.0.filter(is_near) {
                // The segment turns about its beginning until its end is out of the skin.
                let mut is_out = false;
                for _ in 0..PUSHES {
                    let (away, gradient) = field.sample((root + to).to_array());
                    is_out = away >= clearance;
                    if is_out {
                        break;
                    }
                    let normal = Vec3::from(gradient).normalize_or(Vec3::Y);
                    // A little farther, so that it stays outside when its length is restored.
                    let pushed = to + normal * (1.1 * (clearance - away) + 1e-4);
                    to = from + (pushed - from).normalize_or(normal) * length;
                }
                if !is_out {
                    let low = at_root.min(0.0);
                    let now = distance(field, to);
                    let is_far_enough = now >= low + MIN_CLEARANCE * (clearance - low);
                    if !is_far_enough && now < distance(field, old[i]) {
                        return false;
                    }
                }
            }
            points[i] = to;
        }
        true
    }
}

/// The triangles of the skin, beside its distance field.
pub(crate) struct ThinSkin<'a> {
    nearest: NearestFinder<'a>,
    field: &'a Sdf,
}

impl<'a> ThinSkin<'a> {
    pub(crate) fn new(scalp: &'a Scalp, field: &'a Sdf) -> Self {
        Self {
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

    /// Returns `true` if a point near thin skin lies behind the nearest triangle.
    fn is_inside(&self, p: Vec3) -> bool {
        let found = self.nearest.find(p, NEAR.into(), |_| true);
        found.is_some_and(|(at, distance)| {
            let scalp = self.nearest.scalp;
            let out = scalp.face_normal(at.triangle).as_dvec3();
            let from = p.as_dvec3() - scalp.point(at).as_dvec3();
            distance > f64::from(MAX_DEPTH) && from.dot(out) < -MIN_SINE * distance
        })
    }
}
