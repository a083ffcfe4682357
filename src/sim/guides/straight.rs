//! Dependents that are straight at rest.

use super::frame::{Frame, MOST_POINTS};
use crate::sim::blocks::{LANES, axes};
use crate::sim::widest::{Kernel, widest};
use glam::Vec3;
use rayon::prelude::*;

/// Basis hairs that a thread takes at a time.
const CHUNK: usize = 64;

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
        let chunks = all.par_chunks_mut(CHUNK * 3 * self.padded);
        chunks
            .zip(slots.par_chunks(CHUNK))
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

/// Writes strands from `first` on: each follows `BLEND` basis hairs, and is drawn to the first of
/// them if `CLUMP`.
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
        let (groom, guides, each) = (frame.groom, frame.guides, frame.each);
        let per_last = 1.0 / (each - 1) as f32;
        let clump = guides.clump * per_last;
        let rotation = frame.rotation.to_cols_array_2d();
        let translation = frame.translation.to_array();
        let mut written = [[0.0; 4]; MOST_POINTS];
        for (i, points) in self.points.chunks_exact_mut(each).enumerate() {
            let strand = self.first + i;
            let follow = &guides.follows[strand];
            if follow.is_basis {
                let first = follow.slots[0] as usize * each;
                points.copy_from_slice(&frame.basis[first..first + each]);
                continue;
            }
            // R (root + s reach + sum of M way) + T. Turning M once for a strand costs more than
            // turning all of its points, eight at once.
            let root = groom.roots[strand].to_array();
            let along = groom.directions[strand] * (groom.lengths[strand] * per_last);
            let along = along.to_array();
            let turns = guides.turns_of(strand);
            let mut turned = [[[0.0; 3]; 3]; BLEND];
            let mut found: [[&[f32]; 3]; BLEND] = [[&[]; 3]; BLEND];
            for k in 0..BLEND {
                turned[k] = turns[k].to_cols_array_2d();
                found[k] = ways.of(&ways.ways, (self.at)(k, follow.slots[k]));
            }
            let mut to: [&[f32]; 3] = [&[]; 3];
            if CLUMP {
                to = ways.of(&ways.places, (self.at)(0, follow.slots[0]));
            }
            // Padded to whole lanes, and all of the same length: compilers make vector code of the
            // loop as a whole.
            let count = ways.padded;
            let written = &mut written[..count];
            for axis in 0..3 {
                for found in &mut found {
                    found[axis] = &found[axis][..count];
                }
                if CLUMP {
                    to[axis] = &to[axis][..count];
                }
            }
            for j in 0..count {
                // By way of i32: of wider numbers processors convert one at a time.
                let number = j as i32 as f32;
                let mut place = axes!(i => root[i] + along[i] * number);
                for k in 0..BLEND {
                    let [x, y, z] = axes!(i => found[k][i][j]);
                    let [a, b, c] = turned[k];
                    place = axes!(i => place[i] + (a[i] * x + b[i] * y + c[i] * z));
                }
                place = axes!(i => translation[i]
                    + (rotation[0][i] * place[0] + rotation[1][i] * place[1] + rotation[2][i] * place[2]));
                if CLUMP {
                    let share = clump * number;
                    place = axes!(i => place[i] + (to[i][j] - place[i]) * share);
                }
                written[j] = [place[0], place[1], place[2], 0.0];
            }
            points.copy_from_slice(&written[..each]);
        }
    }
}
