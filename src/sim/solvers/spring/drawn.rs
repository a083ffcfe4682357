//! Drawn tips: interpolated between two states, above the skin, at full length.

use super::blocks::ShapeBlock;
use super::{CHUNK_BLOCKS, PARALLEL_STRANDS, Spring};
use crate::sim::Pose;
use crate::sim::simd::blocks::{
    LANES, Lanes, Lanes3, dot, lane3, negative_part, rotate, rows, vec,
};
use crate::sim::simd::dispatch::{Kernel, widest};
use rayon::prelude::*;

/// Below this share of its length a tip is too near its root to have a direction; the strand
/// is drawn along its rest direction.
const DIRECTIONLESS_SHARE: f32 = 1e-6;

/// Two poses and where between them, as one set of matrices.
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
    reach: [[f32; 3]; 3],
    /// B − R, taken in double precision
    arc: [[f32; 3]; 3],
    /// R
    rotation: [[f32; 3]; 3],
    translation: [f32; 3],
}

impl Blend {
    fn new(from: &Pose, to: &Pose, alpha: f64) -> Self {
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
            reach: rows(&straight),
            arc: rows(&(straight - rotation)),
            rotation: rows(&rotation),
            translation: vec(drawn.translation),
        }
    }
}

impl Spring {
    /// Drawn tips in world space, at share `alpha` (0 to 1) from the state before the last step
    /// to the one after it; `from` and `to` are the head's poses then. `out` is made to hold one
    /// `[x, y, z, 0]` a strand.
    ///
    /// A drawn tip lies on the sphere of its strand's length around its root under
    /// `from.interpolate(to, alpha)`, on or above its root's plane.
    pub fn write_drawn_tips(&self, from: &Pose, to: &Pose, alpha: f64, out: &mut Vec<[f32; 4]>) {
        let blend = Blend::new(from, to, alpha.clamp(0.0, 1.0));
        out.resize(self.len(), [0.0; 4]);
        let draw_chunk = |(chunk, out): (usize, &mut [[f32; 4]])| {
            let first = chunk * CHUNK_BLOCKS;
            widest(Draw {
                spring: self,
                blend: &blend,
                first,
                out,
            });
        };
        let chunk = CHUNK_BLOCKS * LANES;
        if self.len() < PARALLEL_STRANDS {
            out.chunks_mut(chunk).enumerate().for_each(draw_chunk);
        } else {
            out.par_chunks_mut(chunk).enumerate().for_each(draw_chunk);
        }
    }
}

/// The drawn tips of blocks `first` and on.
struct Draw<'a> {
    spring: &'a Spring,
    blend: &'a Blend,
    first: usize,
    out: &'a mut [[f32; 4]],
}

impl Kernel for Draw<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Draw { spring, blend, .. } = self;
        for (out, block) in self.out.chunks_mut(LANES).zip(self.first..) {
            let tips = draw_block(
                &spring.shape[block],
                &spring.normals[block],
                &spring.previous[block],
                &spring.state[block].offset,
                blend,
            );
            for (lane, out) in out.iter_mut().enumerate() {
                let [x, y, z] = lane3(&tips, lane);
                *out = [x, y, z, 0.0];
            }
        }
    }
}

/// Drawn tips of eight strands. As in a step: the same for every lane, and no fused operations.
#[inline(always)]
fn draw_block(
    shape: &ShapeBlock,
    normal: &Lanes3,
    previous: &Lanes3,
    offset: &Lanes3,
    blend: &Blend,
) -> Lanes3 {
    let mut tips = [Lanes::default(); 3];
    for lane in 0..LANES {
        let (root, reach) = (lane3(&shape.root, lane), lane3(&shape.reach, lane));
        let (u0, u1) = (lane3(previous, lane), lane3(offset, lane));
        let length = shape.length.0[lane];
        let n = rotate(&blend.rotation, lane3(normal, lane));

        let straight = rotate(&blend.reach, reach);
        let arc = rotate(&blend.arc, root);
        let mut tip = [0.0; 3];
        for axis in 0..3 {
            let u = u0[axis] + blend.alpha * (u1[axis] - u0[axis]);
            tip[axis] = straight[axis] + arc[axis] + u;
        }

        // Above the skin, then on the sphere. A tip straight under its root is left with little
        // more than rounding, which the scaling blows up: so above the skin once more.
        let depth = negative_part(dot(tip, n));
        for axis in 0..3 {
            tip[axis] -= depth * n[axis];
        }
        let squared = dot(tip, tip);
        let least = DIRECTIONLESS_SHARE * length;
        let has_direction = squared > least * least;
        let scale = length / if has_direction { squared } else { 1.0 }.sqrt();
        let at_rest = rotate(&blend.rotation, reach);
        for axis in 0..3 {
            let scaled = tip[axis] * scale;
            tip[axis] = if has_direction { scaled } else { at_rest[axis] };
        }
        let depth = negative_part(dot(tip, n));

        let drawn_root = rotate(&blend.rotation, root);
        for axis in 0..3 {
            let from_root = tip[axis] - depth * n[axis];
            tips[axis].0[lane] = drawn_root[axis] + blend.translation[axis] + from_root;
        }
    }
    tips
}
