//! Drawn strands: tips interpolated between two states, above the skin, where the drawn curve ends,
//! and the points of the curve.

use super::{CHUNK_BLOCKS, PARALLEL_STRANDS, Spring};
use crate::groom::{chord_share, even_places, strand_curve_point};
use crate::sim::hair::Hair;
use crate::sim::pose::Pose;
use crate::sim::simd::{
    Kernel, LANES, Lanes3, Transpose, clamp, dispatch, get3, negative_part, select, set3,
};
use glam::{Mat3, Vec3, Vec4};
use rayon::prelude::*;

/// Below this share of its length a tip is too near its root to have a direction; the strand
/// is drawn along its rest direction.
const DIRECTIONLESS_SHARE: f32 = 1e-6;

/// The largest number of points of a strand.
const MOST_POINTS: usize = *Hair::PARTICLES_RANGE.end() as usize;

impl Spring {
    /// Writes drawn tips in world space, at share `alpha` (0 to 1) from the state before the last
    /// step to the one after it; `from` and `to` are the head's poses then. `out` is made to hold
    /// one `[x, y, z, 0]` a strand.
    ///
    /// A drawn tip lies in the direction of the simulated one from its root under
    /// `from.interpolate(to, alpha)`, on or above its root's plane. With
    /// [`strand_curve_point`](crate::groom::strand_curve_point) it makes a curve of the strand's
    /// length; the more this bends, the nearer its tip is to the root, by 20 % at most. Of curved
    /// strands the tip is at its rest distance.
    pub fn write_drawn_tips(&self, from: &Pose, to: &Pose, alpha: f64, out: &mut Vec<[f32; 4]>) {
        out.resize(self.len(), [0.0; 4]);
        self.draw_tips([from, to], alpha, 0, out);
    }

    /// Writes as many drawn tips as there is room for, from a block on.
    fn draw_tips(&self, [from, to]: [&Pose; 2], alpha: f64, block: usize, out: &mut [[f32; 4]]) {
        let blend = &Blend::new(from, to, alpha.clamp(0.0, 1.0), self.grounded);
        let draw = |(chunk, out): (usize, &mut [[f32; 4]])| {
            let first = block + chunk * CHUNK_BLOCKS;
            dispatch(Draw {
                blend,
                spring: self,
                first,
                out,
            });
        };
        let chunk = CHUNK_BLOCKS * LANES;
        if out.len() < PARALLEL_STRANDS {
            out.chunks_mut(chunk).enumerate().for_each(draw);
        } else {
            out.par_chunks_mut(chunk).enumerate().for_each(draw);
        }
    }

    /// Writes the particles of ascending strands, root first: `[x, y, z, 0]`, world space, interpolated
    /// by `alpha` between two poses as [`write_drawn_tips`](Self::write_drawn_tips) does with their
    /// tips.
    ///
    /// Points of a straight strand are evenly spaced along its drawn curve. Of a curved strand the
    /// point at share s of the rest curve moves by s² times what the tip has moved. Then each
    /// segment is brought back to its length.
    pub(crate) fn write_curves(
        &self,
        [from, to]: [&Pose; 2],
        alpha: f64,
        particles: usize,
        strands: impl Iterator<Item = usize>,
        out: &mut Vec<[f32; 4]>,
    ) {
        let strands: Vec<usize> = strands.collect();
        out.resize(strands.len() * particles, [0.0; 4]);
        let (Some(first), Some(last)) = (strands.first(), strands.last()) else {
            return;
        };
        let first = first / LANES * LANES;
        let mut tips = vec![[0.0; 4]; last + 1 - first];
        self.draw_tips([from, to], alpha, first / LANES, &mut tips);
        let drawn = from.interpolate(to, alpha);
        let write = |(&strand, out): (&usize, &mut [[f32; 4]])| {
            let tip = Vec4::from(tips[strand - first]).truncate();
            self.write_curve(strand, &drawn, tip, out);
        };
        if strands.len() < PARALLEL_STRANDS {
            strands
                .iter()
                .zip(out.chunks_exact_mut(particles))
                .for_each(write);
        } else {
            let out = out.par_chunks_exact_mut(particles);
            let strands = strands.par_iter().zip(out);
            strands.with_min_len(CHUNK_BLOCKS).for_each(write);
        }
    }

    /// Writes the particles of a strand from its drawn tip.
    fn write_curve(&self, strand: usize, drawn: &Pose, tip: Vec3, out: &mut [[f32; 4]]) {
        let (shape, lane) = (&self.shape[strand / LANES], strand % LANES);
        let root = drawn.transform_point(get3(&shape.root, lane).as_dvec3());
        let root = root.as_vec3();
        let reach = drawn.transform_vector(get3(&shape.reach, lane).as_dvec3());
        let (reach, length) = (reach.as_vec3(), shape.length.0[lane]);
        let last = (out.len() - 1) as f32;
        let (mut curve, mut segments) = ([Vec3::ZERO; MOST_POINTS], [0.0; MOST_POINTS]);
        let (curve, segments) = (&mut curve[..out.len()], &mut segments[..out.len()]);
        match &self.curves {
            Some(curves) => {
                curves.write(strand, curve);
                let rotation = drawn.to_dmat3().as_mat3();
                let moved = tip - root - reach;
                let mut before = Vec3::ZERO;
                for (j, (point, segment)) in curve.iter_mut().zip(&mut *segments).enumerate() {
                    *segment = point.distance(before);
                    before = *point;
                    let share = j as f32 / last;
                    *point = rotation * *point + moved * (share * share);
                }
            }
            None => {
                let direction = reach.normalize_or_zero();
                let apart = (tip - root).normalize_or(direction) - direction;
                // The segments until they are overwritten: places on the curve.
                even_places(0.5 * apart.length_squared(), segments);
                for (point, place) in curve.iter_mut().zip(&mut *segments) {
                    *point = strand_curve_point(Vec3::ZERO, direction, tip - root, *place);
                    *place = length / last;
                }
            }
        }
        out[0] = root.extend(0.0).to_array();
        let mut end = root;
        for (j, out) in out.iter_mut().enumerate().skip(1) {
            end += (curve[j] - curve[j - 1]).normalize_or_zero() * segments[j];
            *out = end.extend(0.0).to_array();
        }
    }
}

/// Two poses and a share of the way between them, as one set of matrices.
///
/// A tip is interpolated in a straight line, p = (1 − α)(M0 A + u0) + α (M1 A + u1), while its
/// root turns with the drawn pose M along an arc. With B = (1 − α) R0 + α R1, the root r and the
/// reach e = A − r, the tip seen from its drawn root is
///
/// ```text
/// p − M r = B e + (B − R) r + (1 − α) u0 + α u1
/// ```
///
/// in which the translations have cancelled, and all that is large with them.
struct Blend {
    alpha: f32,
    /// B
    reach: Mat3,
    /// B − R, taken in double precision
    arc: Mat3,
    /// R
    rotation: Mat3,
    /// R for normals; 0 where nothing keeps strands above their roots.
    of_normals: Mat3,
    translation: Vec3,
}

impl Blend {
    /// Blends at share `alpha` of the way from one pose to the other.
    fn new(from: &Pose, to: &Pose, alpha: f64, grounded: bool) -> Self {
        let drawn = from.interpolate(to, alpha);
        let rotation = drawn.to_dmat3();
        // Equal poses must not leave the rounding of (1 − α) R + α R behind: rest is exact.
        let straight = if from.rotation == to.rotation {
            rotation
        } else {
            from.to_dmat3() * (1.0 - alpha) + to.to_dmat3() * alpha
        };
        Self {
            alpha: alpha as f32,
            reach: straight.as_mat3(),
            arc: (straight - rotation).as_mat3(),
            rotation: rotation.as_mat3(),
            of_normals: if grounded {
                rotation.as_mat3()
            } else {
                Mat3::ZERO
            },
            translation: drawn.translation.as_vec3(),
        }
    }
}

/// Writes the drawn tips of up to eight strands each of some blocks.
///
/// As in a step: the same for every lane, and no fused operations.
struct Draw<'a> {
    blend: &'a Blend,
    spring: &'a Spring,
    /// The first block.
    first: usize,
    out: &'a mut [[f32; 4]],
}

impl Kernel for Draw<'_> {
    #[inline(always)]
    fn run(self, _: impl Transpose) {
        let (blend, spring, from) = (self.blend, self.spring, self.first..);
        let is_straight = spring.curves.is_none();
        let moving = (spring.state[from.clone()].iter()).zip(&spring.previous[from.clone()]);
        let at_rest = spring.normals[from.clone()].iter().zip(&spring.shape[from]);
        let blocks = moving.zip(at_rest);
        for (out, ((state, previous), (normal, shape))) in self.out.chunks_mut(LANES).zip(blocks) {
            let mut tips = Lanes3::default();
            for lane in 0..LANES {
                let (root, reach) = (get3(&shape.root, lane), get3(&shape.reach, lane));
                let (u0, u1) = (get3(previous, lane), get3(&state.offset, lane));
                let length = shape.length.0[lane];
                let n = blend.of_normals * get3(normal, lane);
                let u = u0 + (u1 - u0) * blend.alpha;
                let tip = blend.reach * reach + blend.arc * root + u;

                // Above the skin, then at full length. A tip straight under its root is left with
                // little more than rounding, which the scaling blows up: so above the skin once
                // more.
                let tip = tip - n * negative_part(tip.dot(n));
                let squared = tip.dot(tip);
                let least = DIRECTIONLESS_SHARE * length;
                let has_direction = squared > least * least;
                let scale = length / if has_direction { squared } else { 1.0 }.sqrt();
                let at_rest = blend.rotation * reach;
                let tip = select(has_direction, tip * scale, at_rest);
                // The chord of a curve of the strand's length. 1 − cos from the difference, which
                // is exactly 0 at rest.
                let apart = tip - at_rest;
                let turned = 0.5 * apart.dot(apart) / clamp(length * length, 1e-30, f32::MAX);
                let share = if is_straight {
                    chord_share(turned)
                } else {
                    1.0
                };
                let tip = tip * share;
                let from_root = tip - n * negative_part(tip.dot(n));
                let tip = blend.rotation * root + blend.translation + from_root;
                set3(&mut tips, lane, tip);
            }
            for (lane, out) in out.iter_mut().enumerate() {
                *out = get3(&tips, lane).extend(0.0).to_array();
            }
        }
    }
}
