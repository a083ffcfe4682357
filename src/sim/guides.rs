//! Guide hairs are simulated, and followers are interpolated from them.
//!
//! `choice` chooses the guides. `frame` writes all strands of a moment: `straight` those that are
//! straight at rest, `curved` all others.
//!
//! After *Styling by painting and real time animation of hair using basis-dependent hair strands*
//! (WSCG 2004 posters), which calls guides basis hairs. `docs/guides.md` lists the changes.

mod choice;
mod frame;

use super::contact::Contacts;
use super::{GuideBlend, GuideChoice, GuideSettings, Pose};
use crate::groom::Groom;
use crate::roots::RootIndex;
use frame::Frame;
use frame::straight::Straights;
use glam::{Mat3, Vec3};
use rayon::prelude::*;
use std::num::NonZeroUsize;

/// The number of nearest guides that are considered, so that some are on the same side of thin
/// sheets.
const CANDIDATES: NonZeroUsize = NonZeroUsize::new(8).unwrap();

/// The number of strands that a thread finds the guides of, at least.
const AT_ONCE: usize = 4096;

/// The guides, and the followers of each.
#[derive(Clone, Debug)]
pub(crate) struct Guides {
    /// The guides: the simulated strands.
    pub(super) basis: Groom,
    /// Their indices among all strands, ascending.
    pub(super) numbers: Vec<u32>,
    /// The guides of each strand.
    follows: Vec<Follow>,
    /// The number of guides that a strand follows.
    blend: usize,
    /// The data of straight hair; empty for curved hair.
    straights: Straights,
    clump: f32,
}

/// The guides that a strand follows, nearest first, and their weights, which add up to 1.
#[derive(Clone, Copy, Debug)]
struct Follow {
    slots: [u32; 3],
    weights: [f32; 3],
    /// `true` if the strand is the guide in the first slot.
    is_basis: bool,
    /// `true` if its segments stay about as long as those of its guide, however that moves.
    keeps_length: bool,
    /// `true` if a part of it rests below the plane at its root.
    rests_low: bool,
}

impl Follow {
    /// Follows one guide.
    fn only(slot: u32, is_basis: bool) -> Self {
        Self {
            slots: [slot; 3],
            weights: [1.0, 0.0, 0.0],
            is_basis,
            keeps_length: is_basis,
            rests_low: false,
        }
    }

    /// Returns slots and weights.
    fn each(&self) -> impl Iterator<Item = (usize, f32)> {
        let each = self.slots.into_iter().zip(self.weights);
        each.filter(|(_, weight)| *weight > 0.0)
            .map(|(slot, weight)| (slot as usize, weight))
    }
}

impl GuideSettings {
    /// Returns the numbers of the strands that are guides, ascending; `None` if all strands are
    /// simulated.
    pub fn chosen(&self, groom: &Groom) -> Option<Vec<u32>> {
        let wanted = (self.share * groom.len() as f32).ceil() as usize;
        if self.share >= 1.0 || wanted >= groom.len() {
            return None;
        }
        Some(match self.choice {
            GuideChoice::Even => choice::even(&groom.roots, wanted.max(1)),
            GuideChoice::Random => choice::random(groom.len(), &groom.faces, wanted.max(1)),
        })
    }
}

impl Guides {
    /// Returns `None` if all strands are simulated.
    pub(super) fn new(groom: &Groom, settings: &GuideSettings) -> Option<Self> {
        let numbers = settings.chosen(groom)?;
        let basis = groom.subset(&numbers);
        // Each thread has an index of its own.
        let indexed = || {
            let (mut index, mut slots) = (RootIndex::default(), Vec::new());
            for (slot, (&root, &normal)) in basis.roots.iter().zip(&basis.normals).enumerate() {
                // A root that the index refuses has no followers.
                if index.add(root, normal).is_ok() {
                    slots.push(slot as u32);
                }
            }
            (index, slots)
        };
        let strands = groom.roots.par_iter().zip(&groom.normals);
        let mut follows: Vec<Follow> = strands
            .with_min_len(AT_ONCE)
            .map_init(indexed, |(index, slots), (&root, &normal)| {
                follow(index, slots, root, normal, settings.blend)
            })
            .collect();
        for (strand, follow) in follows.iter_mut().enumerate() {
            follow.keeps_length = settings.clump == 0.0
                && (groom.curves.is_some()
                    || settings.blend == GuideBlend::Nearest
                        && is_combed_like(groom, strand, &basis, follow.slots[0] as usize));
            follow.rests_low = rests_low(groom, strand);
        }
        for (slot, &number) in numbers.iter().enumerate() {
            follows[number as usize] = Follow::only(slot as u32, true);
        }
        let blend = match settings.blend {
            GuideBlend::Nearest => 1,
            GuideBlend::Three => 3,
        };
        let straights = straights(groom, &basis, &follows, blend);
        Some(Self {
            basis,
            numbers,
            follows,
            blend,
            straights,
            clump: settings.clump,
        })
    }

    /// Returns what [`new`](Self::new) does for curves on the same roots, in much less time.
    pub(super) fn reshaped(&self, groom: &Groom) -> Self {
        let mut follows = self.follows.clone();
        for (strand, follow) in follows.iter_mut().enumerate() {
            follow.keeps_length = follow.is_basis || self.clump == 0.0;
            follow.rests_low = !follow.is_basis && rests_low(groom, strand);
        }
        Self {
            basis: groom.subset(&self.numbers),
            numbers: self.numbers.clone(),
            follows,
            straights: Straights::default(),
            ..*self
        }
    }

    /// Returns the guides of the same strands, as skin has carried them.
    pub(super) fn carried(&self, groom: &Groom) -> Self {
        let basis = groom.subset(&self.numbers);
        Self {
            straights: straights(groom, &basis, &self.follows, self.blend),
            follows: self.follows.clone(),
            numbers: self.numbers.clone(),
            basis,
            ..*self
        }
    }

    /// Returns the slots of the guides that a strand is, or follows.
    pub(super) fn slots_of(&self, strand: usize) -> impl Iterator<Item = usize> {
        self.follows[strand].each().map(|(slot, _)| slot)
    }

    /// Returns `true` if a strand is simulated.
    pub(super) fn is_basis(&self, strand: usize) -> bool {
        self.follows[strand].is_basis
    }

    /// Returns the slot of the guide that a strand is, or follows most.
    pub(super) fn slot_of(&self, strand: usize) -> Option<usize> {
        let follow = self.follows.get(strand)?;
        Some(follow.slots[0] as usize)
    }

    /// Selects the values of guides from those of all strands, `each` values per strand.
    pub(super) fn of_basis(&self, all: &[[f32; 4]], each: usize) -> Vec<[f32; 4]> {
        let strand = |&i: &u32| &all[i as usize * each..(i as usize + 1) * each];
        self.numbers.iter().flat_map(strand).copied().collect()
    }

    /// Returns the state from which strands are written: `basis` are the particles of the guides,
    /// world space, `each` points per strand, under the pose. To write some strands only, it needs
    /// only the guides of their [`slots_of`](Self::slots_of).
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

/// Returns the data of straight hair; empty for curved hair.
fn straights(groom: &Groom, basis: &Groom, follows: &[Follow], blend: usize) -> Straights {
    if groom.curves.is_some() {
        return Straights::default();
    }
    Straights::new(groom, blend, |strand, i| {
        let follow = &follows[strand];
        let slot = follow.slots[i] as usize;
        let scale = groom.lengths[strand] / basis.lengths[slot].max(1e-9);
        let column = |v| turned(v, basis.normals[slot], groom.normals[strand]);
        let turn = Mat3::from_cols(column(Vec3::X), column(Vec3::Y), column(Vec3::Z));
        turn * (scale * follow.weights[i])
    })
}

/// Returns `true` if a part of a strand rests below the plane at its root.
fn rests_low(groom: &Groom, strand: usize) -> bool {
    let normal = groom.normals[strand];
    match &groom.curves {
        Some(curves) => {
            let mut points = curves.strand(strand).iter();
            points.any(|point| point.dot(normal) < 0.0)
        }
        None => groom.reach(strand).dot(normal) < 0.0,
    }
}

/// Returns `true` if a straight strand that follows one guide keeps its length about as well as that
/// does. With its direction d, that of the guide e, and the guide's segment along s, its segment is
/// along d − Q e + Q s, whose length is between 1 ± |d − Q e|.
fn is_combed_like(groom: &Groom, strand: usize, basis: &Groom, slot: usize) -> bool {
    let guide = turned(
        basis.directions[slot],
        basis.normals[slot],
        groom.normals[strand],
    );
    guide.distance(groom.directions[strand]) <= 1.0 - frame::SHARES[0]
}

/// Returns the nearest guides, those on the same side first.
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
        return Follow::only(0, false);
    };
    let mut follow = Follow::only(slot, false);
    if blend == GuideBlend::Three {
        // Inverse squares, with a small term that avoids a division by 0.
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

/// Rotates v by the shortest rotation from the unit vector a to b. Opposite vectors rotate nothing.
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
    use crate::groom::RestCurves;

    #[test]
    fn the_shortest_turn_takes_one_to_the_other() {
        let (a, b) = (Vec3::new(0.6, 0.0, 0.8), Vec3::new(0.0, -0.8, 0.6));
        assert!(turned(a, a, b).distance(b) < 1e-6);
        let across = a.cross(b);
        assert!(turned(across, a, b).distance(across) < 1e-6);
        assert_eq!(turned(b, a, -a), b);
    }

    #[test]
    fn curves_on_the_same_roots_keep_the_guides() {
        let groom = |bend: f32| {
            let root = |i: u16| Vec3::new(f32::from(i % 20), 0.0, f32::from(i / 20)) * 0.05;
            let mut groom = Groom::parallel((0..400).map(root).collect(), Vec3::Y, 0.5);
            let point = |i: u16| Vec3::new(bend, 0.1, 0.0) * f32::from(i % 6);
            groom.curves = RestCurves::new(6, (0..2400).map(point).collect());
            groom
        };
        let settings = GuideSettings {
            share: 0.1,
            ..GuideSettings::default()
        };
        assert_eq!(settings.chosen(&groom(0.0)).unwrap().len(), 40);
        let old = Guides::new(&groom(0.0), &settings).unwrap();
        let new = Guides::new(&groom(0.05), &settings).unwrap();
        assert_eq!(
            format!("{:?}", old.reshaped(&groom(0.05))),
            format!("{new:?}")
        );
        assert_ne!(format!("{old:?}"), format!("{new:?}"));
    }
}
