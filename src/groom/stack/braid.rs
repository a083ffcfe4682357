//! Braids of three strands, as Blender's node of that name makes them.

use super::strands::{Strand, Strands, length};
use super::{Braid, Modifier};
use crate::det_math::{sin_cos, smooth_step};
use crate::groom::write_along;
use glam::Vec3;
use std::f64::consts::TAU;

/// Length of a step on the way to the braid and in it, decimetres.
const STEP: f32 = 0.04;
/// Steps at most, to the braid and in it.
const STEPS: usize = 400;
/// Distance from the skin on the way to the braid, decimetres.
const LAYER: f32 = 0.07;
/// The depth of the weave as a share of its width.
const DEPTH: f32 = 0.55;
/// Share by which a braid is narrower at its end.
const NECK: f32 = 0.5;
/// The radius of one of the three strands as a share of the braid's.
const THICKNESS: f32 = 0.5;

impl Strands<'_> {
    /// With u the length from the beginning of the braid, and θ = 2π u / turn + 2π k / 3 for the
    /// three strands k, the middle of a strand is at r (cos θ, sin 2θ / 2) across the braid.
    pub(super) fn braid(&mut self, modifier: &Modifier, braid: &Braid) {
        self.each(modifier, |strand, points| {
            let flip = flip(braid.mirror, braid.from, strand.root);
            let from = Vec3::from(braid.from) * flip;
            let to = Vec3::from(braid.to) * flip;
            follow(strand, &path(strand, braid, from, to), points);
        });
    }
}

/// Returns the way of a strand over the skin to the beginning of a braid, and along it.
fn path(strand: Strand, braid: &Braid, from: Vec3, to: Vec3) -> Vec<Vec3> {
    let mut random = strand.random();
    let which = random.below(3) as f64 / 3.0;
    // A place in the round section of one of the three strands.
    let radius = (random.uniform() as f32).sqrt();
    let (sin, cos) = sin_cos(TAU * random.uniform());
    let in_strand = [radius * cos as f32, radius * sin as f32];
    let height = LAYER * (0.25 + 0.75 * random.uniform() as f32);

    let axis = (to - from).normalize_or(Vec3::NEG_Y);
    let long = from.distance(to);
    // The weave lies flat on the head: its width is across the way out of the head.
    let out = from - axis * from.dot(axis);
    let out = Vec3::new(out.x, 0.0, out.z).normalize_or(Vec3::X);
    let across = axis.cross(out).normalize_or(Vec3::Z);
    let out = across.cross(axis);
    let place = |u: f32| {
        let share = (u / long.max(1e-6)).clamp(0.0, 1.0);
        let taper = 1.0 - (1.0 - braid.taper) * share;
        let (sin, cos) = sin_cos(TAU * (f64::from(u / braid.turn) + which));
        let double = 2.0 * sin * cos;
        // Below the end, hair spreads.
        let loose = smooth_step((u - long) / braid.tuft.max(1e-3));
        // A ribbon at the end draws it together.
        let near_end = 1.0 - smooth_step((u - long).abs() / (2.0 * braid.radius));
        let size = braid.radius * taper * (1.0 - NECK * near_end);
        let weave = size * (1.0 - loose);
        let inside = size * THICKNESS * (1.0 + 0.9 * loose);
        let x = weave * cos as f32 + inside * in_strand[0];
        let y = weave * DEPTH * double as f32 + inside * in_strand[1];
        from + axis * u + across * x + out * y
    };

    let mut points = over_skin(strand, place(0.0) - strand.root, height);
    let steps = (((long + braid.tuft) / STEP).ceil() as usize).min(STEPS);
    let ragged = 1.0 - 0.4 * random.uniform() as f32;
    let end = long + braid.tuft * ragged;
    for i in 0..=steps {
        let u = end * i as f32 / steps.max(1) as f32;
        points.push(place(u) - strand.root);
    }
    points
}

/// Returns the way of a strand over the skin to a place, at a height above it, relative to the root.
pub(super) fn over_skin(strand: Strand, to: Vec3, height: f32) -> Vec<Vec3> {
    let mut points = vec![Vec3::ZERO];
    let mut at = Vec3::ZERO;
    let mut way = strand.normal;
    for i in 0..STEPS {
        let rest = to - at;
        if rest.length() < 1.5 * STEP {
            break;
        }
        // Hair leaves the skin upright and turns within a few steps.
        let turn = smooth_step((i + 1) as f32 / 4.0);
        way = way.lerp(rest.normalize_or(way), turn).normalize_or(way);
        let clearance = (i as f32 * STEP).min(height).min(rest.length());
        at += strand.outside(at, way, STEP, clearance).0 * STEP;
        points.push(at);
    }
    points
}

/// Lays a strand along a path, as far as it goes. The amount mixes the two shapes; lengths then
/// differ a little.
pub(super) fn follow(strand: Strand, path: &[Vec3], points: &mut [Vec3]) {
    let whole = length(points).min(length(path));
    let old = points.to_vec();
    write_along(path, whole.into(), points);
    let count = points.len();
    for (j, (point, old)) in points.iter_mut().zip(&old).enumerate() {
        *point = old.lerp(*point, smooth_step(strand.at(j, count)));
    }
}

/// Returns the factors on places that put a thing on the side of the head on which a root is, if
/// there is one on both sides.
pub(super) fn flip(is_mirrored: bool, place: [f32; 3], root: Vec3) -> Vec3 {
    match is_mirrored && (root.x < 0.0) != (place[0] < 0.0) {
        true => Vec3::new(-1.0, 1.0, 1.0),
        false => Vec3::ONE,
    }
}
