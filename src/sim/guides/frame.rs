//! Writes all strands of a moment from the guides, eight at a time, keeps them from shrinking, and
//! turns them out of obstacles.

pub(super) mod straight;

use super::{Follow, Guides, turned};
use crate::groom::Groom;
use crate::sim::Hair;
use crate::sim::contact::{Contacts, LayStrands};
use crate::sim::simd::{LANES, Lanes, Lanes3, dispatch, set3};
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
        let displacements = straight::displacements(self, |_| true);
        let write = |(i, points): (usize, &mut [[f32; 4]])| {
            self.write_some(i * CHUNK, &displacements, points);
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
        let displacements = straight::displacements(self, |slot| slots.contains(&slot));
        self.write_some(strand, &displacements, points);
    }

    /// Writes strands from `first` on.
    fn write_some(&self, first: usize, displacements: &[[f32; 4]], points: &mut [[f32; 4]]) {
        if self.groom.curves.is_some() {
            for (i, points) in points.chunks_exact_mut(self.each).enumerate() {
                self.write_curve(first + i, points);
            }
        } else {
            straight::write(self, first, displacements, points);
        }
        for (i, points) in points.chunks_mut(LANES * self.each).enumerate() {
            self.lay(first + i * LANES, points);
        }
    }

    /// Brings up to eight strands from `first` on to length, and out of all obstacles.
    fn lay(&self, first: usize, points: &mut [[f32; 4]]) {
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
        let lengths = match self.groom.curves.is_none() && clump == 0.0 {
            true => &mut lengths[..],
            false => {
                all.resize(self.each, Lanes::ZERO);
                &mut all[..]
            }
        };
        (0..count).for_each(|lane| self.write_lengths(first + lane, lane, lengths));
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
    fn write_lengths(&self, strand: usize, lane: usize, lengths: &mut [Lanes]) {
        let last = (self.each - 1) as f32;
        if let [all] = lengths {
            all.0[lane] = self.groom.lengths[strand] / last;
            return;
        }
        let mut places = [[Vec3::ZERO; MOST_POINTS]; 2];
        let [own, guide] = places.each_mut().map(|places| &mut places[..self.each]);
        self.groom.write_rest(strand, own);
        let slot = self.guides.follows[strand].slots[0] as usize;
        self.guides.basis.write_rest(slot, guide);
        let clump = self.guides.clump;
        let at = |j: usize| own[j].lerp(guide[j], clump * (j as f32 / last));
        for (j, all) in lengths.iter_mut().enumerate().skip(1) {
            all.0[lane] = at(j).distance(at(j - 1));
        }
    }

    /// Writes a strand with a curved rest shape.
    fn write_curve(&self, strand: usize, points: &mut [[f32; 4]]) {
        let follow = &self.guides.follows[strand];
        let slot = follow.slots[0] as usize;
        if follow.is_basis {
            points.copy_from_slice(&self.basis[slot * self.each..(slot + 1) * self.each]);
            return;
        }
        let mut places = [Vec3::ZERO; MOST_POINTS];
        let places = &mut places[..self.each];
        self.groom.write_rest(strand, places);
        let last = (self.each - 1) as f32;
        self.turn_along(follow, strand, places);
        for (j, (point, place)) in points.iter_mut().zip(&*places).enumerate() {
            let clump = self.guides.clump * (j as f32 / last);
            let place = place.lerp(self.in_head(slot, j), clump);
            let world = self.rotation * place + self.translation;
            *point = [world.x, world.y, world.z, 0.0];
        }
    }

    /// Returns point j of a guide, head space.
    pub(super) fn in_head(&self, slot: usize, j: usize) -> Vec3 {
        let [x, y, z, _] = self.basis[slot * self.each + j];
        self.rotation.transpose() * (Vec3::new(x, y, z) - self.translation)
    }

    /// Rotates each segment of a follower's rest curve as that segment of its guide is rotated.
    /// Adding displacements would tear curls that are out of phase.
    fn turn_along(&self, follow: &Follow, strand: usize, places: &mut [Vec3]) {
        let mut turned_by = [Vec3::ZERO; MOST_POINTS];
        let normal = self.groom.normals[strand];
        for (slot, weight) in follow.each() {
            let basis = &self.guides.basis;
            let mut rest = [Vec3::ZERO; MOST_POINTS];
            let rest = &mut rest[..self.each];
            basis.write_rest(slot, rest);
            let guide = basis.normals[slot];
            let mut before = self.in_head(slot, 0);
            for j in 1..self.each {
                let now = self.in_head(slot, j);
                let from = (rest[j] - rest[j - 1]).normalize_or_zero();
                let to = (now - before).normalize_or(from);
                let own = turned(places[j] - places[j - 1], normal, guide);
                turned_by[j] += turned(turned(own, from, to), guide, normal) * weight;
                before = now;
            }
        }
        let (mut before, mut end) = (places[0], places[0]);
        for (place, turned) in places.iter_mut().zip(turned_by).skip(1) {
            let length = place.distance(before);
            before = *place;
            end += turned.normalize_or_zero() * length;
            *place = end;
        }
    }
}
