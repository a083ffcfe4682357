//! Bundles of the tips of springs.
//!
//! A spring moves the tip of a strand alone, and the point at share u of the strand moves by about
//! u² times as much. A tie moves the tips so that the bound points gather.

use super::bound::Bound;
use super::lock::Locks;
use super::{Pull, Sums, turned};
use crate::groom::Groom;
use crate::sim::pose::Pose;
use crate::sim::solvers::{STEP_SECS, Spring};
use glam::Vec3;
use rayon::prelude::*;

/// Tips that a thread takes at least.
const FEW_TIPS: usize = 1_024;
/// The least u²: a tie near the root would take the tip far beyond the head.
const LEAST_GIVE: f32 = 0.25;

/// Strands that are drawn together by their tips.
#[derive(Clone, Debug)]
pub(super) struct TipBundle(Vec<Tip>);

/// A strand of a bundle.
#[derive(Clone, Copy, Debug)]
struct Tip {
    strand: usize,
    /// The place of the bound point along the strand, 0 to 1; `None`: it is the tip.
    share: Option<f32>,
    /// The bound point at rest, head space.
    rest: Vec3,
    /// Share of the tip's motion by which it moves.
    give: f32,
    /// Its spot around the middle, head space.
    spot: Vec3,
}

impl Tip {
    /// Puts the bound point where it rests.
    fn put(&mut self, groom: &Groom) {
        let Some(share) = self.share else {
            self.rest = groom.roots[self.strand] + groom.reach(self.strand);
            return;
        };
        let mut points = [Vec3::ZERO; 64];
        groom.write_rest(self.strand, &mut points);
        let place = share * (points.len() - 1) as f32;
        let first = (place as usize).min(points.len() - 2);
        self.rest = points[first].lerp(points[first + 1], place - first as f32);
    }
}

impl TipBundle {
    /// Returns the locks. The tips of a lock are as far apart as at the end of other hair.
    pub(super) fn of_locks(locks: &Locks, groom: &Groom) -> Vec<Self> {
        let tip = |&strand: &usize| Tip {
            strand,
            share: None,
            rest: Vec3::ZERO,
            give: 1.0,
            spot: locks.spots[strand] * super::particles::TIP_WIDTH,
        };
        let locks = locks.strands.iter();
        locks
            .map(|strands| Self::at_rest(strands.iter().map(tip).collect(), groom))
            .collect()
    }

    pub(super) fn of_tie(bound: &[Bound], groom: &Groom) -> Self {
        let tip = |bound: &Bound| Tip {
            strand: bound.strand,
            share: Some(bound.share),
            rest: Vec3::ZERO,
            give: (bound.share * bound.share).max(LEAST_GIVE),
            spot: bound.spot,
        };
        Self::at_rest(bound.iter().map(tip).collect(), groom)
    }

    fn at_rest(tips: Vec<Tip>, groom: &Groom) -> Self {
        let mut bundle = Self(tips);
        bundle.carry(groom);
        bundle
    }

    /// Takes the strands at rest to where skin has carried them.
    pub(super) fn carry(&mut self, groom: &Groom) {
        let tips = self.0.par_iter_mut().with_min_len(FEW_TIPS);
        tips.for_each(|tip| tip.put(groom));
    }

    /// Pulls the strands of each bundle together. No strand may be in two of them.
    pub(super) fn pull_all(all: &[Self], spring: &mut Spring, poses: &[Pose; 2], pull: &Pull) {
        let gains = (all.par_iter()).map(|bundle| bundle.gains(spring, poses, pull));
        let gains: Vec<Vec<Vec3>> = gains.collect();
        for (bundle, gains) in all.iter().zip(gains) {
            for (tip, gain) in bundle.0.iter().zip(gains) {
                spring.push(tip.strand, gain);
            }
        }
    }

    /// Returns the velocity that each tip gains.
    fn gains(&self, spring: &Spring, [from, to]: &[Pose; 2], pull: &Pull) -> Vec<Vec3> {
        let turn = from.to_dmat3();
        let state = |tip: &Tip| {
            let (offset, velocity) = spring.motion_of(tip.strand);
            let rest = tip.rest.as_dvec3();
            let at = from.transform_point(rest);
            let carried = ((to.transform_point(rest) - at) / STEP_SECS).as_vec3();
            let velocity = carried.lerp(velocity, tip.give);
            (
                at.as_vec3() + offset * tip.give,
                velocity,
                turned(&turn, tip.spot),
            )
        };
        let tips = self.0.par_iter().with_min_len(FEW_TIPS);
        let states: Vec<_> = tips.map(state).collect();
        let mut sums = Sums::default();
        for (tip, (place, velocity, spot)) in self.0.iter().zip(&states) {
            sums.add(1.0 / tip.give, *place - *spot, *velocity);
        }
        let Some(middle) = sums.middle() else {
            return Vec::new();
        };
        let gain = |(tip, (place, velocity, spot)): (&Tip, &(Vec3, Vec3, Vec3))| {
            pull.of(&middle, *spot, *place, *velocity) / tip.give
        };
        self.0.iter().zip(&states).map(gain).collect()
    }
}
