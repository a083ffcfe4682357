//! Followers that are straight at rest.

// Lanes and points by number, as elsewhere, also where a loop happens to go through one array only.
#![allow(clippy::needless_range_loop)]

use super::{BASIS_CHUNK, Frame, MOST_POINTS};
use crate::groom::Groom;
use crate::sim::simd::{
    Kernel, LANES, Lanes, Lanes3, Transpose, axes, dispatch, rotate3, scaled3, set3, splat3, sum3,
};
use glam::Mat3;
use rayon::prelude::*;

/// Returns the displacements of the `wanted` guides from their rest positions, head space, guide
/// after guide. Those of other guides are 0. Curved hair needs none.
pub(super) fn displacements(
    frame: &Frame<'_>,
    wanted: impl Fn(u32) -> bool + Sync,
) -> Vec<[f32; 4]> {
    let (basis, each) = (&frame.guides.basis, frame.each);
    let is_straight = frame.groom.curves.is_none();
    let per_last = 1.0 / (each - 1) as f32;
    let mut all = vec![[0.0; 4]; if is_straight { frame.basis.len() } else { 0 }];
    let hairs = all.par_chunks_exact_mut(each).enumerate();
    hairs.with_min_len(BASIS_CHUNK).for_each(|(slot, hair)| {
        if !wanted(slot as u32) {
            return;
        }
        let (root, reach) = (basis.roots[slot], basis.reach(slot));
        for (j, displacement) in hair.iter_mut().enumerate() {
            let rest = root + reach * (j as f32 * per_last);
            *displacement = (frame.in_head(slot, j) - rest).extend(0.0).to_array();
        }
    });
    all
}

/// All strands at rest, and how each transforms the displacements of its guides: head space, lanes
/// of eight strands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Straights {
    /// The roots of eight strands, and the vectors to their tips.
    at_rest: Vec<[Lanes3; 2]>,
    /// The transformations of eight strands, one per guide: columns of matrices.
    turns: Vec<[Lanes3; 3]>,
}

impl Straights {
    /// `turn` returns the transformation of a strand for the i-th of its guides.
    pub(crate) fn new(groom: &Groom, blend: usize, turn: impl Fn(usize, usize) -> Mat3) -> Self {
        let mut all = Self::default();
        for first in (0..groom.len()).step_by(LANES) {
            let mut at_rest = <[Lanes3; 2]>::default();
            let mut turns = vec![<[Lanes3; 3]>::default(); blend];
            for strand in first..groom.len().min(first + LANES) {
                let lane = strand - first;
                set3(&mut at_rest[0], lane, groom.roots[strand]);
                set3(&mut at_rest[1], lane, groom.reach(strand));
                for (k, lanes) in turns.iter_mut().enumerate() {
                    let turn = turn(strand, k);
                    for (column, lanes) in lanes.iter_mut().enumerate() {
                        set3(lanes, lane, turn.col(column));
                    }
                }
            }
            all.at_rest.push(at_rest);
            all.turns.append(&mut turns);
        }
        all
    }

    /// Returns the strands of a block under the pose of the head.
    #[inline(always)]
    fn prepare<const BLEND: usize>(
        &self,
        block: usize,
        frame: &Frame<'_>,
        transpose: impl Transpose,
        out: &mut [Prepared<BLEND>; LANES],
    ) {
        let per_last = Lanes::splat(1.0 / (frame.each - 1) as f32);
        let [root, reach] = &self.at_rest[block];
        let root = sum3(&rotate3(&frame.rotation, root), &splat3(frame.translation));
        let along = scaled3(&rotate3(&frame.rotation, reach), per_last);
        let lines = turned_over(transpose, root, along);
        for lane in 0..LANES {
            out[lane].line = lines[lane];
        }
        for k in 0..BLEND {
            let turns = &self.turns[block * BLEND + k];
            let [a, b, c] = axes!(i => rotate3(&frame.rotation, &turns[i]));
            let ab = turned_over(transpose, a, b);
            let c = turned_over(transpose, c, Lanes3::default());
            for lane in 0..LANES {
                out[lane].turned[k] = [ab[lane], c[lane]];
            }
        }
    }
}

/// Converts lanes of eight strands to x, y, z and 0 of each strand, twice.
#[inline(always)]
fn turned_over(transpose: impl Transpose, a: Lanes3, b: Lanes3) -> [Lanes; LANES] {
    let ([x, y, z], [u, v, w], zero) = (a, b, Lanes::splat(0.0));
    transpose.transposed(&[x, y, z, zero, u, v, w, zero])
}

/// Writes strands from `first` on. Each follows `BLEND` guides, and moves towards the first one if
/// `CLUMP`.
struct Straight<'a, const BLEND: usize, const CLUMP: bool> {
    frame: &'a Frame<'a>,
    first: usize,
    displacements: &'a [[f32; 4]],
    points: &'a mut [[f32; 4]],
}

/// The mapping of [`Frame::write_some`].
pub(super) fn write(
    frame: &Frame<'_>,
    first: usize,
    displacements: &[[f32; 4]],
    points: &mut [[f32; 4]],
) {
    macro_rules! write {
        ($blend:literal, $clump:literal) => {
            dispatch(Straight::<$blend, $clump> {
                frame,
                first,
                displacements,
                points,
            })
        };
    }
    match (frame.guides.blend, frame.guides.clump > 0.0) {
        (1, false) => write!(1, false),
        (1, true) => write!(1, true),
        (_, false) => write!(3, false),
        (_, true) => write!(3, true),
    }
}

impl<const BLEND: usize, const CLUMP: bool> Kernel for Straight<'_, BLEND, CLUMP> {
    const AVX512: bool = true;

    #[inline(always)]
    fn run(self, transpose: impl Transpose) {
        let (frame, displacements) = (self.frame, self.displacements);
        let (guides, each) = (frame.guides, frame.each);
        let per_last = 1.0 / (each - 1) as f32;
        let (mut first, mut points) = (self.first, self.points);
        let nothing = Prepared {
            line: Lanes::ZERO,
            turned: [[Lanes::ZERO; 2]; BLEND],
        };
        let mut prepared = [nothing; LANES];
        while !points.is_empty() {
            // The rest of the block.
            let most = (LANES - first % LANES) * each;
            let (now, rest) = points.split_at_mut(most.min(points.len()));
            (guides.straights).prepare(first / LANES, frame, transpose, &mut prepared);
            for (points, strand) in now.chunks_exact_mut(each).zip(first..) {
                let follow = &guides.follows[strand];
                let hair = |first: usize| first * each..(first + 1) * each;
                let nearest = &frame.basis[hair(follow.slots[0] as usize)];
                if follow.is_basis {
                    points.copy_from_slice(nearest);
                    continue;
                }
                let Prepared { line, turned } = prepared[strand % LANES];
                let [root, along] = twice(line);
                let mut line: Line<'_, BLEND> = Line {
                    root,
                    along,
                    turned: [<[Lanes; 3]>::default(); BLEND],
                    displacements: [&[]; BLEND],
                    nearest,
                    clump: guides.clump * per_last,
                };
                for k in 0..BLEND {
                    let ([a, b], [c, _]) = (twice(turned[k][0]), twice(turned[k][1]));
                    line.turned[k] = [a, b, c];
                    line.displacements[k] = &displacements[hair(follow.slots[k] as usize)];
                }
                line.write::<CLUMP>(points, transpose);
            }
            (first, points) = (first + now.len() / each, rest);
        }
    }
}

/// A follower under the pose of the head, world space: x, y, z and 0, twice.
#[derive(Clone, Copy)]
struct Prepared<const BLEND: usize> {
    /// The root, and the vector between points at rest.
    line: Lanes,
    /// The columns of the matrices; the fourth is unused.
    turned: [[Lanes; 2]; BLEND],
}

/// Duplicates each half for two points.
#[inline(always)]
fn twice(Lanes([x, y, z, w, r, s, t, u]): Lanes) -> [Lanes; 2] {
    [
        Lanes([x, y, z, w, x, y, z, w]),
        Lanes([r, s, t, u, r, s, t, u]),
    ]
}

/// The indices of two consecutive points, four times each.
const NUMBERS: [Lanes; MOST_POINTS.div_ceil(2)] = {
    let mut all = [Lanes([0.0; LANES]); MOST_POINTS.div_ceil(2)];
    let mut i = 0;
    while i < all.len() {
        let (a, b) = (2.0 * i as f32, 2.0 * i as f32 + 1.0);
        all[i] = Lanes([a, a, a, a, b, b, b, b]);
        i += 1;
    }
    all
};

/// Writes a follower: point j is root + j · along + the sum of transformed displacements of j,
/// moved towards the guide. Constants are stored twice, for two points at a time.
struct Line<'a, const BLEND: usize> {
    root: Lanes,
    along: Lanes,
    turned: [[Lanes; 3]; BLEND],
    displacements: [&'a [[f32; 4]]; BLEND],
    /// The guide that the follower moves towards.
    nearest: &'a [[f32; 4]],
    clump: f32,
}

impl<const BLEND: usize> Line<'_, BLEND> {
    /// Writes as many points as there are displacements, two at a time.
    #[inline(always)]
    fn write<const CLUMP: bool>(&self, points: &mut [[f32; 4]], transpose: impl Transpose) {
        let (pairs, last) = points.as_chunks_mut::<2>();
        // Slices of equal length, which spare bounds checks.
        let count = pairs.len();
        let numbers = &NUMBERS[..count];
        let mut displacements: [&[[[f32; 4]; 2]]; BLEND] = [&[]; BLEND];
        for k in 0..BLEND {
            displacements[k] = &self.displacements[k].as_chunks().0[..count];
        }
        let nearest = &self.nearest.as_chunks().0[..count];
        for i in 0..count {
            let mut at = [[[0.0; 4]; 2]; BLEND];
            for k in 0..BLEND {
                at[k] = displacements[k][i];
            }
            pairs[i] = self.two::<CLUMP>(&numbers[i], &at, &nearest[i], transpose);
        }
        if let [last] = last {
            let mut at = [[[0.0; 4]; 2]; BLEND];
            for k in 0..BLEND {
                at[k][0] = self.displacements[k][2 * count];
            }
            let nearest = [self.nearest[2 * count]; 2];
            [*last, _] = self.two::<CLUMP>(&NUMBERS[count], &at, &nearest, transpose);
        }
    }

    /// Returns two points.
    #[inline(always)]
    fn two<const CLUMP: bool>(
        &self,
        number: &Lanes,
        displacements: &[[[f32; 4]; 2]; BLEND],
        nearest: &[[f32; 4]; 2],
        transpose: impl Transpose,
    ) -> [[f32; 4]; 2] {
        let (root, along) = (self.root, self.along);
        let mut places = [[0.0; 4]; 2];
        let all = places.as_flattened_mut();
        for lane in 0..LANES {
            all[lane] = root.0[lane] + along.0[lane] * number.0[lane];
        }
        for k in 0..BLEND {
            let [x, y, z] = transpose.spread(&displacements[k]);
            let [a, b, c] = self.turned[k];
            for lane in 0..LANES {
                all[lane] += a.0[lane] * x.0[lane] + b.0[lane] * y.0[lane] + c.0[lane] * z.0[lane];
            }
        }
        if CLUMP {
            let to = nearest.as_flattened();
            for lane in 0..LANES {
                let share = self.clump * number.0[lane];
                all[lane] += (to[lane] - all[lane]) * share;
            }
        }
        places
    }
}
