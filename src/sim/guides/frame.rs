//! Writes all strands of a moment from the guides, eight at a time, keeps them from shrinking, and
//! turns them out of obstacles.

mod curved;
pub(super) mod straight;

use super::Guides;
use crate::groom::Groom;
use crate::sim::Hair;
use crate::sim::contact::{Contacts, LayStrands};
use crate::sim::simd::{LANES, Lanes, Lanes3, dispatch, set3};
use curved::Curves;
use glam::{Mat3, Vec3};
use rayon::prelude::*;

/// The largest number of points of a strand.
pub(super) const MOST_POINTS: usize = *Hair::PARTICLES_RANGE.end() as usize;
/// The smallest and the largest share of their length that segments of followers may have. A
/// follower between guides that part is shorter than they are; within these bounds that is hardly
/// seen, and it stays where its guides put it.
pub(super) const SHARES: [f32; 2] = [0.8, 1.25];
/// The bounds where all tips meet, at a clumpiness of 1: the user has asked for other lengths.
const CLUMPED_SHARES: [f32; 2] = [0.5, 2.0];
/// The number of points from which several threads are used.
const PARALLEL_POINTS: usize = 20_000;
/// The smallest number of guides that a thread takes at a time.
const BASIS_CHUNK: usize = 64;
/// The number of strands that a thread takes at a time.
pub(super) const CHUNK: usize = 32 * LANES;

/// The state that all followers of a moment share.
pub(crate) struct Frame<'a> {
    pub(super) guides: &'a Guides,
    pub(super) groom: &'a Groom,
    pub(super) basis: &'a [[f32; 4]],
    pub(super) each: usize,
    pub(super) rotation: Mat3,
    pub(super) translation: Vec3,
    pub(super) contacts: Contacts,
}

/// The state of guides that their followers need.
struct OfGuides {
    /// The displacements, for straight hair.
    displacements: Vec<[f32; 4]>,
    /// The curves, for curved and clumped hair.
    curves: Curves,
}

impl Frame<'_> {
    /// Writes the points of all strands, world space.
    ///
    /// Nothing accumulates. With the points x of a guide and r of its rest curve in head space, a
    /// follower is at its own rest curve plus Q (x − r), where Q rotates the normal of the guide to
    /// its own and scales by its length. On curls, each segment is rotated as the guide's segment
    /// is. Then the point moves towards the guide by `clump`, more so near the tip. At the root, x
    /// = r.
    pub(crate) fn write_all(&self, out: &mut Vec<[f32; 4]>) {
        // Every element is written, so nothing is cleared before.
        out.resize(self.groom.len() * self.each, [0.0; 4]);
        let of_guides = self.of_guides(|_| true);
        let write = |(i, points): (usize, &mut [[f32; 4]])| {
            self.write_some(i * CHUNK, &of_guides, points);
        };
        let points = CHUNK * self.each;
        if out.len() < PARALLEL_POINTS {
            out.chunks_mut(points).enumerate().for_each(write);
        } else {
            out.par_chunks_mut(points).enumerate().for_each(write);
        }
    }

    /// Writes the points of one strand.
    pub(crate) fn write(&self, strand: usize, points: &mut [[f32; 4]]) {
        let slots = self.guides.follows[strand].slots;
        let of_guides = self.of_guides(|slot| slots.contains(&slot));
        self.write_some(strand, &of_guides, points);
    }

    fn of_guides(&self, wanted: impl Fn(u32) -> bool + Sync) -> OfGuides {
        OfGuides {
            displacements: straight::displacements(self, &wanted),
            curves: match self.has_curves() {
                true => Curves::new(self, &wanted),
                false => Curves::default(),
            },
        }
    }

    /// Returns `true` if the segments of a follower differ in their lengths.
    fn has_curves(&self) -> bool {
        self.groom.curves.is_some() || self.guides.clump > 0.0
    }

    /// Writes strands from `first` on.
    fn write_some(&self, first: usize, of_guides: &OfGuides, points: &mut [[f32; 4]]) {
        let (each, curves) = (self.each, &of_guides.curves);
        if self.groom.curves.is_none() {
            straight::write(self, first, &of_guides.displacements, points);
        }
        let mut rest = Vec::new();
        if self.has_curves() {
            rest.resize(LANES * each, Vec3::ZERO);
        }
        for (i, points) in points.chunks_mut(LANES * each).enumerate() {
            let first = first + i * LANES;
            let strands = rest
                .chunks_exact_mut(each)
                .zip(points.chunks_exact_mut(each));
            for (strand, (rest, points)) in (first..).zip(strands) {
                self.groom.write_rest(strand, rest);
                if self.groom.curves.is_some() {
                    curved::write(self, strand, curves, rest, points);
                }
            }
            self.lay(first, points, curves, &rest);
        }
    }

    /// Brings up to eight strands from `first` on to length, and out of all obstacles. `rest` are
    /// their points at rest if they have curves.
    fn lay(&self, first: usize, points: &mut [[f32; 4]], curves: &Curves, rest: &[Vec3]) {
        let (mut normals, mut stay) = (Lanes3::default(), [true; LANES]);
        let (count, is_free) = (points.len() / self.each, self.contacts.is_empty());
        for (lane, stay) in stay.iter_mut().enumerate().take(count) {
            let follow = &self.guides.follows[first + lane];
            *stay = follow.is_basis || follow.keeps_length && is_free;
            if !(self.contacts.spares_low && follow.rests_low) {
                let normal = self.rotation * self.groom.normals[first + lane];
                set3(&mut normals, lane, normal);
            }
        }
        if stay == [true; LANES] {
            return;
        }
        let clump = self.guides.clump;
        let share = |i: usize| SHARES[i] + (CLUMPED_SHARES[i] - SHARES[i]) * clump;
        let (mut lengths, mut all) = ([Lanes::ZERO; 1], Vec::new());
        let lengths = match self.has_curves() {
            false => &mut lengths[..],
            true => {
                all.resize(self.each, Lanes::ZERO);
                &mut all[..]
            }
        };
        for lane in 0..count {
            self.write_lengths(first + lane, lane, curves, rest, lengths);
        }
        dispatch(LayStrands {
            contacts: &self.contacts,
            points,
            each: self.each,
            lengths,
            shares: [share(0), share(1)],
            normals: &normals,
            stay,
        });
    }

    /// Writes the lengths of a follower's segments where it and its guide are at rest; only one if
    /// they are all the same.
    fn write_lengths(
        &self,
        strand: usize,
        lane: usize,
        curves: &Curves,
        rest: &[Vec3],
        lengths: &mut [Lanes],
    ) {
        let last = (self.each - 1) as f32;
        if let [all] = lengths {
            all.0[lane] = self.groom.lengths[strand] / last;
            return;
        }
        let own = &rest[lane * self.each..(lane + 1) * self.each];
        let slot = self.guides.follows[strand].slots[0] as usize;
        let guide = &curves.rest[slot * self.each..(slot + 1) * self.each];
        let clump = self.guides.clump;
        let at = |j: usize| own[j].lerp(guide[j], clump * (j as f32 / last));
        for (j, all) in lengths.iter_mut().enumerate().skip(1) {
            all.0[lane] = at(j).distance(at(j - 1));
        }
    }

    /// Returns point j of a guide, head space.
    pub(super) fn in_head(&self, slot: usize, j: usize) -> Vec3 {
        let [x, y, z, _] = self.basis[slot * self.each + j];
        self.rotation.transpose() * (Vec3::new(x, y, z) - self.translation)
    }
}
