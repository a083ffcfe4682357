//! Strands as they are drawn, between two steps.
//!
//! Straight lines between the positions of two steps would shorten every segment that turns. So a
//! strand is laid anew from its root: each segment in the direction between its two, at its own
//! length.

use super::{Hair, ParticleBlock};
use crate::sim::pose::{HeadMotion, Pose};
use crate::sim::simd::{
    Kernel, LANES, Lanes, Lanes3, Transpose, add_scaled3, axes, dispatch, dot3, minus3, rotate3,
    sum3,
};
use glam::Mat3;
use rayon::prelude::*;
use std::ops::Range;

/// The number of particles from which several threads are used.
const PARALLEL_PARTICLES: usize = 20_000;
/// The smallest number of blocks that a thread takes at a time.
const CHUNK_BLOCKS: usize = 32;
/// A blended segment whose square is below this share of its own has no direction: it has turned
/// about, and takes the later direction.
const DIRECTIONLESS_SQUARE: f32 = 1e-6;

/// A moment of the last step.
pub(crate) enum Moment {
    Before,
    /// The head's pose then, the rotations to it from the poses of both steps, and the share of
    /// the step that has passed.
    Between(Box<HeadMotion>, [Mat3; 2], f32),
    After,
}

impl Moment {
    /// Returns the moment at `alpha` (0 to 1) of a step between two poses of the head.
    pub(crate) fn new([from, to]: [&Pose; 2], alpha: f64) -> Self {
        if alpha >= 1.0 {
            return Self::After;
        }
        if alpha <= 0.0 {
            return Self::Before;
        }
        let drawn = from.interpolate(to, alpha);
        let turn = |pose: &Pose| (drawn.to_dmat3() * pose.to_dmat3().transpose()).as_mat3();
        let head = HeadMotion::new(&drawn, &drawn);
        Self::Between(Box::new(head), [turn(from), turn(to)], alpha as f32)
    }
}

impl Hair {
    /// Writes the particles of some strands, root first: `[x, y, z, 0]`, world space. Between the
    /// steps roots are under the pose of the moment, and segments are blended in the space of the
    /// head, with the length that they have before and after the step.
    pub(crate) fn write_drawn(
        &self,
        moment: &Moment,
        strands: Range<usize>,
        out: &mut Vec<[f32; 4]>,
    ) {
        let particles = self.particles;
        // Every element is written, so nothing is cleared before.
        out.resize(strands.len() * particles, [0.0; 4]);
        let blocks = match strands.len() {
            0 => return,
            1 => self.block_of(strands.start)..self.block_of(strands.start) + 1,
            _ => 0..self.length.len(),
        };
        // Strands that are neighbours in memory are written to places far apart.
        let mut places: Vec<&mut [[f32; 4]]> = Vec::new();
        places.resize_with(blocks.len() * LANES, Default::default);
        for (strand, place) in strands.zip(out.chunks_exact_mut(particles)) {
            places[self.slots[strand] as usize - blocks.start * LANES] = place;
        }
        let write = |(i, places): (usize, &mut [&mut [[f32; 4]]])| {
            let first = (blocks.start + i) * particles;
            dispatch(Draw {
                moment,
                rest: &self.rest[first],
                is_carried: !self.carried.is_empty(),
                previous: &self.previous[first..first + particles],
                state: &self.state[first..first + particles],
                places,
            });
        };
        if blocks.len() * LANES * particles < PARALLEL_PARTICLES {
            places.chunks_mut(LANES).enumerate().for_each(write);
        } else {
            let blocks = places.par_chunks_mut(LANES).enumerate();
            blocks.with_min_len(CHUNK_BLOCKS).for_each(write);
        }
    }

    fn block_of(&self, strand: usize) -> usize {
        self.slots[strand] as usize / LANES
    }
}

/// Writes eight strands.
struct Draw<'a, 'b> {
    moment: &'a Moment,
    /// The roots at rest.
    rest: &'a Lanes3,
    /// `true` if moving skin carries the roots.
    is_carried: bool,
    previous: &'a [Lanes3],
    state: &'a [ParticleBlock],
    /// The places of the strands; empty for those that are not wanted.
    places: &'a mut [&'b mut [[f32; 4]]],
}

impl Draw<'_, '_> {
    /// Returns the vector from the particle before to particle j.
    #[inline(always)]
    fn segment(&self, j: usize, [before, after]: &[Mat3; 2], alpha: f32) -> Lanes3 {
        let a = minus3(&self.previous[j], &self.previous[j - 1]);
        let b = minus3(&self.state[j].position, &self.state[j - 1].position);
        let (a, b) = (rotate3(before, &a), rotate3(after, &b));
        let share = Lanes::splat(alpha);
        let between = add_scaled3(&a, &minus3(&b, &a), share);
        let (squares, own) = ([dot3(&a, &a), dot3(&b, &b)], dot3(&between, &between));
        // The mean of the squares: exact where both lengths are the same, as with solvers that
        // keep lengths.
        let square = squares[0] + (squares[1] - squares[0]) * share;
        let scale = (square / own).sqrt();
        let least = Lanes::splat(DIRECTIONLESS_SQUARE) * square;
        axes!(i => least.less_than(own, between[i] * scale, b[i]))
    }
}

impl Kernel for Draw<'_, '_> {
    #[inline(always)]
    fn run(self, transpose: impl Transpose) {
        let mut pair = [Lanes3::default(); 2];
        let count = self.state.len();
        for j in 0..count {
            pair[j % 2] = match self.moment {
                Moment::Before => self.previous[j],
                Moment::After => self.state[j].position,
                Moment::Between(_, _, alpha) if j == 0 && self.is_carried => {
                    // Skin carries the roots, so that they are not where they rest.
                    let [a, b] = [&self.previous[0], &self.state[0].position];
                    add_scaled3(a, &minus3(b, a), Lanes::splat(*alpha))
                }
                Moment::Between(head, ..) if j == 0 => head.transform_points(self.rest),
                Moment::Between(_, turns, alpha) => {
                    sum3(&pair[(j + 1) % 2], &self.segment(j, turns, *alpha))
                }
            };
            if j % 2 == 0 && j + 1 < count {
                continue;
            }
            let ([[x, y, z], [u, v, w]], zero) = (pair, Lanes::ZERO);
            let rows = transpose.transposed(&[x, y, z, zero, u, v, w, zero]);
            let first = j - j % 2;
            for (place, Lanes([x, y, z, o, u, v, w, p])) in self.places.iter_mut().zip(rows) {
                let points = [[x, y, z, o], [u, v, w, p]];
                if let Some(place) = place.get_mut(first..=j) {
                    place.copy_from_slice(&points[..=j % 2]);
                }
            }
        }
    }
}
