//! Drawn tips: interpolated between two states, above the skin, where the drawn curve ends.

use super::Spring;
use crate::groom::chord_share;
use crate::sim::pose::Pose;
use crate::sim::simd::{
    Kernel, LANES, Lanes3, Transpose, clamp, get3, negative_part, select, set3,
};
use glam::{Mat3, Vec3};

/// Below this share of its length a tip is too near its root to have a direction; the strand
/// is drawn along its rest direction.
const DIRECTIONLESS_SHARE: f32 = 1e-6;

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
pub(super) struct Blend {
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
    pub(super) fn new(from: &Pose, to: &Pose, alpha: f64, grounded: bool) -> Self {
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
pub(super) struct Draw<'a> {
    pub(super) blend: &'a Blend,
    pub(super) spring: &'a Spring,
    /// The first block.
    pub(super) first: usize,
    pub(super) out: &'a mut [[f32; 4]],
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
