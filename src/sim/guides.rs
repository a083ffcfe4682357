//! Basis hairs, which are simulated, and dependent hairs, which follow them.
//!
//! After *Styling by painting and real time animation of hair using basis-dependent hair strands*
//! (WSCG 2004 posters). What was changed, and why: `docs/guides.md`.

use super::blocks::{LANES, Lanes, Lanes3, put3};
use super::contact::{Contacts, Rise};
use super::{GuideBlend, GuideChoice, GuideSettings, Pose};
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

impl Guides {
    /// `None` where all strands are simulated.
    pub(super) fn new(groom: &Groom, settings: &GuideSettings) -> Option<Self> {
        let wanted = (f64::from(settings.share) * groom.len() as f64).ceil() as usize;
        if settings.share >= 1.0 || wanted >= groom.len() {
            return None;
        }
        let numbers = choose(groom.len(), wanted.max(1), settings.choice);
        let pick = |i: &u32| *i as usize;
        let basis = Groom {
            roots: numbers.iter().map(|i| groom.roots[pick(i)]).collect(),
            directions: numbers.iter().map(|i| groom.directions[pick(i)]).collect(),
            normals: numbers.iter().map(|i| groom.normals[pick(i)]).collect(),
            lengths: numbers.iter().map(|i| groom.lengths[pick(i)]).collect(),
        };
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
    /// normal into its own and scaling its length; then by `clump` on the way to the basis hair,
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
        let frame = Frame {
            guides: self,
            groom,
            basis,
            each,
            rotation: pose.to_dmat3().as_mat3(),
            translation: pose.translation.as_vec3(),
            contacts: contacts.under(pose),
        };
        out.clear();
        out.resize(groom.len() * each, [0.0; 4]);
        let strand = |(i, points): (usize, &mut [[f32; 4]])| frame.write(i, points);
        if out.len() < PARALLEL_POINTS {
            out.chunks_exact_mut(each).enumerate().for_each(strand);
        } else {
            out.par_chunks_exact_mut(each).enumerate().for_each(strand);
        }
    }
}

/// Numbers of the basis hairs, rising.
fn choose(count: usize, wanted: usize, choice: GuideChoice) -> Vec<u32> {
    match choice {
        // Strands are in the order of their roots' ranks, of which every prefix is even.
        GuideChoice::Even => (0..wanted as u32).collect(),
        GuideChoice::Random => {
            let mut rng = Pcg64Mcg::seed_from_u64(CHOICE_SEED);
            let mut numbers: Vec<u32> = (0..count as u32).collect();
            // The first draws of Fisher and Yates's shuffle.
            for i in 0..wanted {
                let left = (count - i) as u64;
                let draw = (u128::from(rng.next_u64()) * u128::from(left)) >> 64;
                numbers.swap(i, i + draw as usize);
            }
            numbers.truncate(wanted);
            numbers.sort_unstable();
            numbers
        }
    }
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
struct Frame<'a> {
    guides: &'a Guides,
    groom: &'a Groom,
    basis: &'a [[f32; 4]],
    each: usize,
    rotation: Mat3,
    translation: Vec3,
    contacts: Contacts,
}

impl Frame<'_> {
    fn write(&self, strand: usize, points: &mut [[f32; 4]]) {
        let follow = &self.guides.follows[strand];
        let slot = follow.slots[0] as usize;
        if follow.is_basis {
            points.copy_from_slice(&self.basis[slot * self.each..(slot + 1) * self.each]);
            return;
        }
        let groom = self.groom;
        let (root, length) = (groom.roots[strand], groom.lengths[strand]);
        let reach = groom.directions[strand] * length;
        let last = (self.each - 1) as f32;
        let segment = length / last;
        let mut rise: Option<Rise> = None;
        for (j, point) in points.iter_mut().enumerate() {
            let s = j as f32 / last;
            let mut place = root + reach * s;
            for (&slot, &weight) in follow.slots.iter().zip(&follow.weights) {
                if weight > 0.0 {
                    place += self.moved(slot as usize, j, strand) * weight;
                }
            }
            let clump = self.guides.clump * s;
            place = place.lerp(self.in_head(slot, j), clump);
            let world = self.rotation * place + self.translation;
            let rise = rise.get_or_insert_with(|| {
                let mut roots = Lanes3::default();
                put3(&mut roots, 0, world.to_array());
                Rise::of(&roots, &self.contacts)
            });
            let world = if j == 0 || self.contacts.is_empty() {
                world.to_array()
            } else {
                rise.climb(&Lanes([segment; LANES]));
                self.contacts.push_out(world.to_array(), rise.least(0)).0
            };
            *point = [world[0], world[1], world[2], 0.0];
        }
    }

    /// Point j of a basis hair, head space.
    fn in_head(&self, slot: usize, j: usize) -> Vec3 {
        let [x, y, z, _] = self.basis[slot * self.each + j];
        self.rotation.transpose() * (Vec3::new(x, y, z) - self.translation)
    }

    /// How far point j of a basis hair is from its rest curve, as a dependent takes it over.
    fn moved(&self, slot: usize, j: usize, strand: usize) -> Vec3 {
        let basis = &self.guides.basis;
        let s = j as f32 / (self.each - 1) as f32;
        let rest = basis.roots[slot] + basis.directions[slot] * (basis.lengths[slot] * s);
        let scale = self.groom.lengths[strand] / basis.lengths[slot].max(1e-9);
        let way = (self.in_head(slot, j) - rest) * scale;
        turned(way, basis.normals[slot], self.groom.normals[strand])
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
mod tests {
    use super::*;

    #[test]
    fn the_shortest_turn_takes_one_to_the_other() {
        let (a, b) = (Vec3::new(0.6, 0.0, 0.8), Vec3::new(0.0, -0.8, 0.6));
        assert!(turned(a, a, b).distance(b) < 1e-6);
        let across = a.cross(b);
        assert!(turned(across, a, b).distance(across) < 1e-6);
        assert_eq!(turned(b, a, -a), b);
    }

    #[test]
    fn so_many_are_chosen_and_none_twice() {
        for choice in [GuideChoice::Even, GuideChoice::Random] {
            let chosen = choose(1000, 130, choice);
            assert_eq!(chosen.len(), 130);
            assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]) && chosen[129] < 1000);
        }
        let random = choose(1000, 130, GuideChoice::Random);
        let mean = random.iter().sum::<u32>() / 130;
        assert!((400..600).contains(&mean), "{mean}");
    }
}
