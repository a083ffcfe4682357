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
    /// The bound point at rest, head space.
    rest: Vec3,
    /// Share of the tip's motion by which it moves.
    give: f32,
    /// Its spot around the middle, head space.
    spot: Vec3,
}

impl TipBundle {
    /// Returns the locks. The tips of a lock are as far apart as at the end of other hair.
    pub(super) fn of_locks(locks: &Locks, groom: &Groom) -> Vec<Self> {
        let tip = |&strand: &usize| Tip {
            strand,
            rest: groom.roots[strand] + groom.reach(strand),
            give: 1.0,
            spot: locks.spots[strand] * super::particles::TIP_WIDTH,
        };
        let locks = locks.strands.iter();
        locks
            .map(|strands| Self(strands.iter().map(tip).collect()))
            .collect()
    }

    pub(super) fn of_tie(bound: &[Bound], groom: &Groom) -> Self {
        let mut points = [Vec3::ZERO; 64];
        let tip = |bound: &Bound| {
            groom.write_rest(bound.strand, &mut points);
            let place = bound.share * (points.len() - 1) as f32;
            let first = (place as usize).min(points.len() - 2);
            Tip {
                strand: bound.strand,
                rest: points[first].lerp(points[first + 1], place - first as f32),
                give: (bound.share * bound.share).max(LEAST_GIVE),
                spot: bound.spot,
            }
        };
        Self(bound.iter().map(tip).collect())
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
