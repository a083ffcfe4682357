//! Dependents that are straight at rest.

// Lanes and points by number, as elsewhere, also where a loop happens to go through one array only.
#![allow(clippy::needless_range_loop)]

use super::frame::{CHUNK, Frame, MOST_POINTS};
use crate::groom::Groom;
use crate::sim::blocks::{LANES, Lanes, Lanes3, axes, lane3, set3};
use crate::sim::lanes::{all3, rotate3, scaled3, sum3};
use crate::sim::widest::{Kernel, widest};
use glam::{Mat3, Vec3};
use rayon::prelude::*;

/// Basis hairs that a thread takes at a time.
const BASIS_CHUNK: usize = 64;

/// How far the points of basis hairs are from where they rest, head space: of each hair x of all
/// points, then y, then z, with zeros up to a multiple of the lanes.
pub(super) struct Ways {
    /// Points of a hair, the zeros among them.
    padded: usize,
    ways: Vec<f32>,
    /// Where they are, world space, for clumps.
    places: Vec<f32>,
}

impl Ways {
    /// Of the basis hairs in `slots`.
    pub(super) fn new(frame: &Frame<'_>, slots: &[u32]) -> Self {
        let mut all = Self {
            padded: frame.each.next_multiple_of(LANES),
            ways: Vec::new(),
            places: Vec::new(),
        };
        if frame.groom.curves.is_some() {
            return all; // Nobody asks for them.
        }
        let basis = &frame.guides.basis;
        let per_last = 1.0 / (frame.each - 1) as f32;
        all.ways = all.fill(frame, slots, |slot, j| {
            let rest = basis.roots[slot] + basis.reach(slot) * (j as f32 * per_last);
            frame.in_head(slot, j) - rest
        });
        if frame.guides.clump > 0.0 {
            all.places = all.fill(frame, slots, |slot, j| {
                let [x, y, z, _] = frame.basis[slot * frame.each + j];
                Vec3::new(x, y, z)
            });
        }
        all
    }

    /// What `value` gives for slots and points.
    fn fill(
        &self,
        frame: &Frame<'_>,
        slots: &[u32],
        value: impl Fn(usize, usize) -> Vec3 + Sync,
    ) -> Vec<f32> {
        let mut all = vec![0.0; slots.len() * 3 * self.padded];
        let chunks = all.par_chunks_mut(BASIS_CHUNK * 3 * self.padded);
        chunks
            .zip(slots.par_chunks(BASIS_CHUNK))
            .for_each(|(all, slots)| {
                for (hair, &slot) in all.chunks_exact_mut(3 * self.padded).zip(slots) {
                    for j in 0..frame.each {
                        let value = value(slot as usize, j);
                        for axis in 0..3 {
                            hair[axis * self.padded + j] = value[axis];
                        }
                    }
                }
            });
        all
    }

    /// x, y and z of a hair.
    #[inline(always)]
    fn of<'a>(&self, all: &'a [f32], hair: usize) -> [&'a [f32]; 3] {
        let first = hair * 3 * self.padded;
        axes!(i => &all[first + i * self.padded..first + (i + 1) * self.padded])
    }
}

/// All strands as they are at rest, and what each makes of the ways of the basis hairs that it
/// follows: head space, lanes of eight strands.
#[derive(Clone, Debug, Default)]
pub(super) struct Straights {
    /// Of eight strands the roots, and the ways from there to the tips.
    at_rest: Vec<[Lanes3; 2]>,
    /// Of eight strands so many turns as a strand follows basis hairs: columns of matrices.
    turns: Vec<[Lanes3; 3]>,
}

impl Straights {
    /// `turn`: of a strand's number, and the number of a basis hair among those that it follows.
    pub(super) fn new(groom: &Groom, blend: usize, turn: impl Fn(usize, usize) -> Mat3) -> Self {
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

    /// The strands of a block as the head carries them.
    #[inline(always)]
    fn carry<const BLEND: usize>(
        &self,
        block: usize,
        frame: &Frame<'_>,
        out: &mut [Carried<BLEND>; LANES],
    ) {
        let [x, y, z] = frame.rotation.transpose().to_cols_array_2d();
        let rows = [x, y, z];
        let per_last = Lanes::all(1.0 / (frame.each - 1) as f32);
        let [root, reach] = &self.at_rest[block];
        let root = sum3(&rotate3(&rows, root), &all3(frame.translation.to_array()));
        let along = scaled3(&rotate3(&rows, reach), per_last);
        for lane in 0..LANES {
            out[lane].root = lane3(&root, lane);
            out[lane].along = lane3(&along, lane);
        }
        for k in 0..BLEND {
            let turns = &self.turns[block * BLEND + k];
            let turned = axes!(i => rotate3(&rows, &turns[i]));
            for lane in 0..LANES {
                out[lane].turned[k] = axes!(i => lane3(&turned[i], lane));
            }
        }
    }
}

/// Writes strands from `first` on, at most [`CHUNK`]: each follows `BLEND` basis hairs, and is drawn
/// to the first of them if `CLUMP`.
pub(super) struct Straight<'a, A, const BLEND: usize, const CLUMP: bool> {
    frame: &'a Frame<'a>,
    first: usize,
    ways: &'a Ways,
    at: A,
    points: &'a mut [[f32; 4]],
}

/// See [`Frame::write_some`].
pub(super) fn write(
    frame: &Frame<'_>,
    first: usize,
    ways: &Ways,
    at: impl Fn(usize, u32) -> usize,
    points: &mut [[f32; 4]],
) {
    macro_rules! write {
        ($blend:literal, $clump:literal) => {
            widest(Straight::<_, $blend, $clump> {
                frame,
                first,
                ways,
                at,
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

impl<A, const BLEND: usize, const CLUMP: bool> Kernel for Straight<'_, A, BLEND, CLUMP>
where
    A: Fn(usize, u32) -> usize,
{
    type Output = ();
    const AVX512: bool = true;

    #[inline(always)]
    fn run(self) {
        let (frame, ways) = (self.frame, self.ways);
        let (guides, each) = (frame.guides, frame.each);
        let per_last = 1.0 / (each - 1) as f32;
        let start = self.first / LANES;
        let end = (self.first + self.points.len() / each).div_ceil(LANES);
        let mut carried = [[Carried::<BLEND>::default(); LANES]; CHUNK / LANES];
        for (block, out) in (start..end).zip(&mut carried) {
            guides.straights.carry(block, frame, out);
        }
        let mut written = [[0.0; 4]; MOST_POINTS];
        for (i, points) in self.points.chunks_exact_mut(each).enumerate() {
            let strand = self.first + i;
            let follow = &guides.follows[strand];
            if follow.is_basis {
                let first = follow.slots[0] as usize * each;
                points.copy_from_slice(&frame.basis[first..first + each]);
                continue;
            }
            let mut line: Line<'_, BLEND> = Line {
                carried: &carried[strand / LANES - start][strand % LANES],
                ways: [[&[]; 3]; BLEND],
                to: [&[]; 3],
                clump: guides.clump * per_last,
            };
            for k in 0..BLEND {
                line.ways[k] = ways.of(&ways.ways, (self.at)(k, follow.slots[k]));
            }
            if CLUMP {
                line.to = ways.of(&ways.places, (self.at)(0, follow.slots[0]));
            }
            let written = &mut written[..ways.padded];
            line.write::<CLUMP>(written);
            points.copy_from_slice(&written[..each]);
        }
    }
}

/// A dependent as the head carries it, world space.
#[derive(Clone, Copy)]
struct Carried<const BLEND: usize> {
    root: [f32; 3],
    /// From point to point at rest.
    along: [f32; 3],
    /// Columns of matrices.
    turned: [[[f32; 3]; 3]; BLEND],
}

impl<const BLEND: usize> Default for Carried<BLEND> {
    fn default() -> Self {
        Self {
            root: [0.0; 3],
            along: [0.0; 3],
            turned: [[[0.0; 3]; 3]; BLEND],
        }
    }
}

/// A dependent: point j is root + j along + sum of turned · way of j, and from there on the way to
/// the basis hair.
struct Line<'a, const BLEND: usize> {
    carried: &'a Carried<BLEND>,
    ways: [[&'a [f32]; 3]; BLEND],
    to: [&'a [f32]; 3],
    clump: f32,
}

impl<const BLEND: usize> Line<'_, BLEND> {
    /// As many points as ways have.
    #[inline(always)]
    fn write<const CLUMP: bool>(mut self, points: &mut [[f32; 4]]) {
        // All of the same length: compilers make vector code of the loop as a whole.
        let count = points.len();
        for axis in 0..3 {
            for ways in &mut self.ways {
                ways[axis] = &ways[axis][..count];
            }
            if CLUMP {
                self.to[axis] = &self.to[axis][..count];
            }
        }
        let Carried {
            root,
            along,
            turned,
        } = *self.carried;
        for j in 0..count {
            // By way of i32: of wider numbers processors convert one at a time.
            let number = j as i32 as f32;
            let mut place = axes!(i => root[i] + along[i] * number);
            for k in 0..BLEND {
                let [x, y, z] = axes!(i => self.ways[k][i][j]);
                let [a, b, c] = turned[k];
                place = axes!(i => place[i] + (a[i] * x + b[i] * y + c[i] * z));
            }
            if CLUMP {
                let share = self.clump * number;
                place = axes!(i => place[i] + (self.to[i][j] - place[i]) * share);
            }
            points[j] = [place[0], place[1], place[2], 0.0];
        }
    }
}
