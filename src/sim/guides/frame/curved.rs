//! Followers that are curved at rest.

use super::{BASIS_CHUNK, Frame, MOST_POINTS};
use crate::sim::guides::turned;
use glam::Vec3;
use rayon::prelude::*;

/// The guides at rest and as they have turned, head space, guide after guide. Others than the
/// wanted ones are 0.
#[derive(Default)]
pub(super) struct Curves {
    /// The points at rest.
    pub(super) rest: Vec<Vec3>,
    /// The directions of the segments that end at these points: at rest and now.
    segments: Vec<[Vec3; 2]>,
}

impl Curves {
    /// Every follower needs them, so that they are found once.
    pub(super) fn new(frame: &Frame<'_>, wanted: impl Fn(u32) -> bool + Sync) -> Self {
        let (basis, each) = (&frame.guides.basis, frame.each);
        let mut all = Self {
            rest: vec![Vec3::ZERO; frame.basis.len()],
            segments: vec![[Vec3::ZERO; 2]; frame.basis.len()],
        };
        let curves = all.rest.par_chunks_exact_mut(each);
        let guides = curves
            .zip(all.segments.par_chunks_exact_mut(each))
            .enumerate();
        let guides = guides.with_min_len(BASIS_CHUNK);
        guides.for_each(|(slot, (rest, segments))| {
            if !wanted(slot as u32) {
                return;
            }
            basis.write_rest(slot, rest);
            let mut before = frame.in_head(slot, 0);
            for j in 1..each {
                let now = frame.in_head(slot, j);
                let from = (rest[j] - rest[j - 1]).normalize_or_zero();
                segments[j] = [from, (now - before).normalize_or(from)];
                before = now;
            }
        });
        all
    }
}

/// Writes a strand with a rest curve.
pub(super) fn write(
    frame: &Frame<'_>,
    strand: usize,
    curves: &Curves,
    rest: &[Vec3],
    points: &mut [[f32; 4]],
) {
    let follow = &frame.guides.follows[strand];
    let slot = follow.slots[0] as usize;
    if follow.is_basis {
        points.copy_from_slice(&frame.basis[slot * frame.each..(slot + 1) * frame.each]);
        return;
    }
    let turned_by = turns(frame, strand, curves, rest);
    let last = (frame.each - 1) as f32;
    let mut end = rest[0];
    for (j, point) in points.iter_mut().enumerate() {
        if j > 0 {
            end += turned_by[j].normalize_or_zero() * rest[j].distance(rest[j - 1]);
        }
        let clump = frame.guides.clump * (j as f32 / last);
        let mut place = end;
        if clump > 0.0 {
            place = place.lerp(frame.in_head(slot, j), clump);
        }
        let world = frame.rotation * place + frame.translation;
        *point = [world.x, world.y, world.z, 0.0];
    }
}

/// Returns each segment of a follower's rest curve, rotated as that segment of its guide is
/// rotated. Adding displacements would tear curls that are out of phase.
fn turns(frame: &Frame<'_>, strand: usize, curves: &Curves, rest: &[Vec3]) -> [Vec3; MOST_POINTS] {
    let mut turned_by = [Vec3::ZERO; MOST_POINTS];
    let normal = frame.groom.normals[strand];
    for (slot, weight) in frame.guides.follows[strand].each() {
        let segments = &curves.segments[slot * frame.each..(slot + 1) * frame.each];
        let guide = frame.guides.basis.normals[slot];
        for (j, &[from, to]) in segments.iter().enumerate().skip(1) {
            let own = turned(rest[j] - rest[j - 1], normal, guide);
            turned_by[j] += turned(turned(own, from, to), guide, normal) * weight;
        }
    }
    turned_by
}
