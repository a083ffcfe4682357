//! Basis hairs, which are simulated, and dependent hairs, which follow them.
//!
//! After *Styling by painting and real time animation of hair using basis-dependent hair strands*
//! (WSCG 2004 posters). What was changed, and why: `docs/guides.md`.

use super::blocks::{LANES, Lanes3, put3};
use super::contact::{Contacts, Free};
use super::widest::widest;
use super::{GuideBlend, GuideChoice, GuideSettings, Hair, Pose};
use crate::groom::Groom;
use crate::roots::RootIndex;
use glam::{Mat3, Vec3};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use std::num::NonZeroUsize;

/// Which strands are basis hairs draws from a stream of its own.
const CHOICE_SEED: u64 = 0x6775_6964_6573_2121;
/// Basis hairs looked at for the nearest ones on the same side of thin sheets.
const CANDIDATES: NonZeroUsize = NonZeroUsize::new(8).unwrap();
/// Most points of a strand.
const MOST_POINTS: usize = *Hair::PARTICLES_RANGE.end() as usize;
/// Points of dependents from which they are split among threads.
const PARALLEL_POINTS: usize = 20_000;

/// Who follows whom.
#[derive(Clone, Debug)]
pub(super) struct Guides {
    /// The basis hairs: what is simulated.
    pub(super) basis: Groom,
    /// Their numbers among all strands, rising.
    numbers: Vec<u32>,
    /// For each strand.
    follows: Vec<Follow>,
    clump: f32,
}

/// The basis hairs that a strand follows, nearest first, and their weights, which add up to 1.
#[derive(Clone, Copy, Debug)]
struct Follow {
    slots: [u32; 3],
    weights: [f32; 3],
    /// Is this the basis hair in the first slot itself?
    is_basis: bool,
}

impl Follow {
    /// Slots and weights.
    fn each(&self) -> impl Iterator<Item = (usize, f32)> {
        let each = self.slots.into_iter().zip(self.weights);
        each.filter(|(_, weight)| *weight > 0.0)
            .map(|(slot, weight)| (slot as usize, weight))
    }
}

impl Guides {
    /// `None` where all strands are simulated.
    pub(super) fn new(groom: &Groom, settings: &GuideSettings) -> Option<Self> {
        let wanted = (f64::from(settings.share) * groom.len() as f64).ceil() as usize;
        if settings.share >= 1.0 || wanted >= groom.len() {
            return None;
        }
        let numbers = choose(groom.len(), &groom.faces, wanted.max(1), settings.choice);
        let basis = groom.subset(&numbers);
        let mut index = RootIndex::default();
        let mut slots = Vec::new();
        for (slot, (&root, &normal)) in basis.roots.iter().zip(&basis.normals).enumerate() {
            // A root that the index refuses guides nobody but itself.
            if index.add(root, normal).is_ok() {
                slots.push(slot as u32);
            }
        }
        let mut follows: Vec<Follow> = (groom.roots.iter().zip(&groom.normals))
            .map(|(&root, &normal)| follow(&mut index, &slots, root, normal, settings.blend))
            .collect();
        for (slot, &number) in numbers.iter().enumerate() {
            follows[number as usize] = Follow {
                slots: [slot as u32; 3],
                weights: [1.0, 0.0, 0.0],
                is_basis: true,
            };
        }
        Some(Self {
            basis,
            numbers,
            follows,
            clump: settings.clump,
        })
    }

    /// Number of basis hairs.
    pub(super) fn basis_count(&self) -> usize {
        self.numbers.len()
    }

    /// The number of a basis hair among all strands.
    pub(super) fn number_of(&self, slot: usize) -> usize {
        self.numbers[slot] as usize
    }

    /// The slots of the basis hairs that a strand is, or follows.
    pub(super) fn slots_of(&self, strand: usize) -> impl Iterator<Item = usize> {
        self.follows[strand].each().map(|(slot, _)| slot)
    }

    /// Is a strand simulated?
    pub(super) fn is_basis(&self, strand: usize) -> bool {
        self.follows[strand].is_basis
    }

    /// The basis hair that a strand is, or follows most.
    pub(super) fn slot_of(&self, strand: usize) -> Option<usize> {
        let follow = self.follows.get(strand)?;
        Some(follow.slots[0] as usize)
    }

    /// Of values of all strands, those of the basis hairs; `each` values a strand.
    pub(super) fn of_basis(&self, all: &[[f32; 4]], each: usize) -> Vec<[f32; 4]> {
        let strand = |&i: &u32| &all[i as usize * each..(i as usize + 1) * each];
        self.numbers.iter().flat_map(strand).copied().collect()
    }

    /// All strands, from the basis hairs' particles: world space, `each` points a strand, under
    /// the pose at which the basis hairs are.
    ///
    /// Nothing accumulates: with x and r the points of a basis hair and of its rest curve in head
    /// space, a dependent is at its own rest curve plus Q (x − r), Q turning the basis hair's
    /// normal into its own and scaling its length (curls: each segment turned as that of the basis
    /// hair has turned); then by `clump` on the way to the basis hair,
    /// more towards the tip. At the root x = r.
    pub(super) fn spread(
        &self,
        groom: &Groom,
        basis: &[[f32; 4]],
        each: usize,
        pose: &Pose,
        contacts: &Contacts,
        out: &mut Vec<[f32; 4]>,
    ) {
        let frame = self.frame(groom, basis, each, pose, contacts);
        out.clear();
        out.resize(groom.len() * each, [0.0; 4]);
        let block = |(i, points): (usize, &mut [[f32; 4]])| frame.write_block(i * LANES, points);
        let points = LANES * each;
        if out.len() < PARALLEL_POINTS {
            out.chunks_mut(points).enumerate().for_each(block);
        } else {
            out.par_chunks_mut(points).enumerate().for_each(block);
        }
    }

    /// What [`spread`](Self::spread) writes strands from; where only some are written, `basis` needs
    /// only the hairs of their [`slots_of`](Self::slots_of).
    pub(super) fn frame<'a>(
        &'a self,
        groom: &'a Groom,
        basis: &'a [[f32; 4]],
        each: usize,
        pose: &Pose,
        contacts: &Contacts,
    ) -> Frame<'a> {
        Frame {
            guides: self,
            groom,
            basis,
            each,
            rotation: pose.to_dmat3().as_mat3(),
            translation: pose.translation.as_vec3(),
            contacts: contacts.under(pose),
        }
    }
}

/// Numbers of the basis hairs, rising. `faces`: the triangle of each root, or nothing.
fn choose(count: usize, faces: &[u32], wanted: usize, choice: GuideChoice) -> Vec<u32> {
    match choice {
        // Strands are in the order of their roots' ranks, of which every prefix is even.
        GuideChoice::Even => (0..wanted as u32).collect(),
        GuideChoice::Random => choose_by_face(count, faces, wanted),
    }
}

/// As published: of each face some at random, as many as is its share of what is wanted. Where
/// that is no whole number, chance decides, but so that all faces together give what is wanted.
fn choose_by_face(count: usize, faces: &[u32], wanted: usize) -> Vec<u32> {
    let mut rng = Pcg64Mcg::seed_from_u64(CHOICE_SEED);
    let mut below = |limit: usize| {
        let draw = (u128::from(rng.next_u64()) * limit as u128) >> 64;
        draw as usize
    };
    let mut numbers: Vec<u32> = (0..count as u32).collect();
    let face = |&i: &u32| faces.get(i as usize).copied().unwrap_or(0);
    numbers.sort_by_key(face);
    // Shuffled within their face (Fisher and Yates), those that come first are taken: of the
    // first n strands of all faces floor((n wanted + offset) / count).
    let offset = below(count) as u128;
    let taken = |strands: usize| (strands as u128 * wanted as u128 + offset) / count as u128;
    let (mut chosen, mut done) = (Vec::with_capacity(wanted), 0);
    for strands in numbers.chunk_by_mut(|a, b| face(a) == face(b)) {
        let take = (taken(done + strands.len()) - taken(done)) as usize;
        for i in 0..take {
            strands.swap(i, i + below(strands.len() - i));
        }
        chosen.extend_from_slice(&strands[..take]);
        done += strands.len();
    }
    chosen.sort_unstable();
    chosen
}

/// The nearest basis hairs, those on the same side first.
fn follow(
    index: &mut RootIndex,
    slots: &[u32],
    root: Vec3,
    normal: Vec3,
    blend: GuideBlend,
) -> Follow {
    let mut found: Vec<(bool, f64, u32)> = Vec::new();
    if root.is_finite() {
        index.visit_nearest(root.as_dvec3(), CANDIDATES, |i, place, other| {
            let other_side = normal.dot(other) <= 0.0;
            let distance = place.distance(root.as_dvec3());
            found.push((other_side, distance, slots[i]));
        });
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    let Some(&(side, nearest, slot)) = found.first() else {
        return Follow {
            slots: [0; 3],
            weights: [1.0, 0.0, 0.0],
            is_basis: false,
        };
    };
    let mut follow = Follow {
        slots: [slot; 3],
        weights: [1.0, 0.0, 0.0],
        is_basis: false,
    };
    if blend == GuideBlend::Three {
        // Inverse squares, with a little added so that a hair on its guide is no division by 0.
        let least = 1e-4 * nearest + 1e-9;
        let mut sum = 0.0;
        let near = found.iter().filter(|other| other.0 == side).take(3);
        for (i, &(_, distance, slot)) in near.enumerate() {
            let weight = 1.0 / (distance + least).powi(2);
            sum += weight;
            follow.slots[i] = slot;
            follow.weights[i] = weight as f32;
        }
        follow.weights = follow.weights.map(|weight| weight / sum as f32);
    }
    follow
}

/// What all dependents of a moment share.
pub(super) struct Frame<'a> {
    guides: &'a Guides,
    groom: &'a Groom,
    basis: &'a [[f32; 4]],
    each: usize,
    rotation: Mat3,
    translation: Vec3,
    contacts: Contacts,
}

impl Frame<'_> {
    /// Writes the points of a strand.
    pub(super) fn write(&self, strand: usize, points: &mut [[f32; 4]]) {
        self.write_block(strand, points);
    }

    /// Up to eight strands from `first` on.
    fn write_block(&self, first: usize, points: &mut [[f32; 4]]) {
        let (mut normals, mut stay) = (Lanes3::default(), [true; LANES]);
        for (lane, strand) in points.chunks_exact_mut(self.each).enumerate() {
            self.write_free(first + lane, strand);
            let normal = self.rotation * self.groom.normals[first + lane];
            put3(&mut normals, lane, normal.to_array());
            stay[lane] = self.guides.is_basis(first + lane);
        }
        if !self.contacts.is_empty() && stay != [true; LANES] {
            widest(Free {
                contacts: &self.contacts,
                points,
                each: self.each,
                normals: &normals,
                stay,
            });
        }
    }

    /// Writes the points of a strand, wherever they are.
    fn write_free(&self, strand: usize, points: &mut [[f32; 4]]) {
        let follow = &self.guides.follows[strand];
        let slot = follow.slots[0] as usize;
        if follow.is_basis {
            points.copy_from_slice(&self.basis[slot * self.each..(slot + 1) * self.each]);
            return;
        }
        let groom = self.groom;
        let mut places = [Vec3::ZERO; MOST_POINTS];
        let places = &mut places[..self.each];
        groom.write_rest(strand, places);
        let last = (self.each - 1) as f32;
        if groom.curves.is_some() {
            self.turn_along(follow, strand, places);
        } else {
            for (slot, weight) in follow.each() {
                self.move_along(slot, strand, weight, places);
            }
        }
        for (j, (point, place)) in points.iter_mut().zip(&*places).enumerate() {
            let s = j as f32 / last;
            let clump = self.guides.clump * s;
            let place = place.lerp(self.in_head(slot, j), clump);
            let world = self.rotation * place + self.translation;
            *point = [world.x, world.y, world.z, 0.0];
        }
    }

    /// Point j of a basis hair, head space.
    fn in_head(&self, slot: usize, j: usize) -> Vec3 {
        let [x, y, z, _] = self.basis[slot * self.each + j];
        self.rotation.transpose() * (Vec3::new(x, y, z) - self.translation)
    }

    /// Adds to each place of a dependent how far that point of a basis hair is from its rest curve,
    /// as the dependent takes it over.
    fn move_along(&self, slot: usize, strand: usize, weight: f32, places: &mut [Vec3]) {
        let basis = &self.guides.basis;
        let mut rest = [Vec3::ZERO; MOST_POINTS];
        let rest = &mut rest[..self.each];
        basis.write_rest(slot, rest);
        let scale = self.groom.lengths[strand] / basis.lengths[slot].max(1e-9);
        for (j, (place, &rest)) in places.iter_mut().zip(&*rest).enumerate() {
            let way = (self.in_head(slot, j) - rest) * scale;
            *place += turned(way, basis.normals[slot], self.groom.normals[strand]) * weight;
        }
    }
}

impl Frame<'_> {
    /// Turns each segment of a dependent's rest curve as that segment of its basis hair has
    /// turned. For curls, which displacements of curls that are out of step would tear.
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

/// v turned as the shortest turn takes the unit vector a to b; as it is where they are opposite.
fn turned(v: Vec3, a: Vec3, b: Vec3) -> Vec3 {
    let cos = a.dot(b);
    if cos < -0.99 {
        return v;
    }
    let half = a + b;
    v - half * (half.dot(v) / (1.0 + cos)) + b * (2.0 * a.dot(v))
}

#[cfg(test)]
mod tests;
