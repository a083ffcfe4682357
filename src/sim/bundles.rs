//! Bundles: strands that are drawn together, by ties and by water.
//!
//! A bundle knows no solver. Before a step it changes the velocities of its strands, and the solver
//! turns them into motion. [`bound`] binds strands at a place, [`lock`] gathers wet strands. Both pull
//! each strand to its spot around the common middle by one law, [`Pull`]: [`particles`] applies it
//! to particles, [`tips`] to the tips of springs.

mod bound;
mod lock;
mod particles;
mod ribbon;
#[cfg(test)]
mod tests;
mod tips;

pub use ribbon::Ribbon;
pub(super) use ribbon::Ribbons;

use super::pose::Pose;
use super::simd::minus3;
use super::solvers::{STEP_SECS, TakesPulls};
use super::tie::Tie;
use super::{Hair, SimSettings, Spring, WetSettings};
use crate::groom::Groom;
use bound::Bound;
use glam::{DMat3, DVec3, Vec3};
use lock::Locks;
use particles::{LockedHair, TiedHair};
use rayon::prelude::*;
use std::slice;
use tips::TipBundle;

/// The pull of ties, 1/s². In a step it closes a fifth of a gap.
const TIE_STIFFNESS: f64 = 40_000.0;
/// The pull of ties on strands that they turn.
const TURN_STIFFNESS: f64 = 4_000.0;
/// The pull of water on tips of soaked hair, 1/s².
const WATER_STIFFNESS: f64 = 2_000.0;

/// A damped spring from where a strand is to its spot around the middle of its bundle, solved
/// implicitly, so that no stiffness makes it unstable.
///
/// With the way d to the spot and the velocity v against the common one, implicit Euler for d' = −v
/// and v' = κ d − c v with c = 2 √κ gives, for a step h,
/// Δv = (h κ d − (h c + h² κ) v) / (1 + h c + h² κ).
#[derive(Clone, Copy, Debug, Default)]
struct Pull {
    /// The velocity that is gained per way, 1/s.
    to_spot: f32,
    /// The share of the velocity that is lost.
    slowed: f32,
}

impl Pull {
    fn new(stiffness: f64) -> Self {
        let (h, damping) = (STEP_SECS, 2.0 * stiffness.sqrt());
        let lost = h * damping + h * h * stiffness;
        Self {
            to_spot: (h * stiffness / (1.0 + lost)) as f32,
            slowed: (lost / (1.0 + lost)) as f32,
        }
    }

    /// Returns the change of velocity. `spot` is relative to the middle.
    #[inline(always)]
    fn of(&self, middle: &Middle, spot: Vec3, place: Vec3, velocity: Vec3) -> Vec3 {
        let (way, slower) = (middle.place + spot - place, middle.velocity - velocity);
        way * self.to_spot + slower * self.slowed
    }
}

/// The mean place and velocity of a bundle, world space. `place` is that of the middle of its spots.
#[derive(Clone, Copy, Debug, Default)]
struct Middle {
    place: Vec3,
    velocity: Vec3,
}

impl Middle {
    fn is_finite(&self) -> bool {
        self.place.is_finite() && self.velocity.is_finite()
    }
}

/// Sums over the strands of a bundle. They are added in a fixed order.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    mass: f64,
    place: DVec3,
    velocity: DVec3,
}

impl Sums {
    /// Adds a strand. Its `place` is that less its spot.
    fn add(&mut self, mass: f32, place: Vec3, velocity: Vec3) {
        let mass = f64::from(mass);
        self.mass += mass;
        self.place += mass * place.as_dvec3();
        self.velocity += mass * velocity.as_dvec3();
    }

    fn with(mut self, other: &Self) -> Self {
        self.mass += other.mass;
        self.place += other.place;
        self.velocity += other.velocity;
        self
    }

    /// Returns the middle; `None` if there are no strands, or one of them is not finite.
    fn middle(&self) -> Option<Middle> {
        let middle = Middle {
            place: (self.place / self.mass).as_vec3(),
            velocity: (self.velocity / self.mass).as_vec3(),
        };
        middle.is_finite().then_some(middle)
    }
}

/// The settings that bundles are made from, besides the strands at rest.
#[derive(Clone, Debug, PartialEq)]
struct Plan {
    ties: Vec<Tie>,
    /// The size of wet locks, decimetres; 0: there are none.
    lock_size: f32,
    particles: usize,
}

/// The bundles of one kind of engine.
#[derive(Debug)]
enum Made {
    Hair {
        locks: Option<LockedHair>,
        ties: Vec<TiedHair>,
    },
    Tips {
        locks: Vec<TipBundle>,
        ties: Vec<TipBundle>,
    },
}

/// The bundles of all simulated strands. They are made when they are first needed.
#[derive(Debug, Default)]
pub(super) struct Bundles {
    made: Option<(Plan, Made)>,
    /// The number of strands in each tie.
    tied: Vec<usize>,
}

impl Bundles {
    /// Returns `true` if there are ties or wet hair.
    pub(super) fn act(settings: &SimSettings) -> bool {
        settings.wet.wetness > 0.0 || !settings.ties.is_empty()
    }

    /// Forgets the bundles of strands that are no more.
    pub(super) fn forget(&mut self) {
        self.made = None;
    }

    /// Takes the same strands as skin has carried them. Those of a bundle stay together.
    pub(super) fn carry(&mut self, groom: &Groom) {
        if let Some((_, Made::Tips { locks, ties })) = &mut self.made {
            let all = locks.par_iter_mut().chain(ties);
            all.for_each(|bundle| bundle.carry(groom));
        }
    }

    /// Returns the number of strands in each tie of the settings.
    pub(super) fn tied(&self, groom: &Groom, settings: &SimSettings) -> Vec<usize> {
        match &self.made {
            Some((plan, _)) if plan.ties == settings.ties => self.tied.clone(),
            _ => settings.ties.iter().map(|tie| tie.strands(groom)).collect(),
        }
    }

    /// Returns the strands that the ties of a plan hold.
    fn bind(&mut self, plan: &Plan, groom: &Groom) -> Vec<Vec<Bound>> {
        let ties = plan.ties.iter();
        let bound: Vec<_> = ties.map(|tie| tie.bind(groom, plan.particles)).collect();
        self.tied = bound.iter().map(Vec::len).collect();
        bound
    }

    fn plan(settings: &SimSettings, particles: usize) -> Plan {
        Plan {
            ties: settings.ties.clone(),
            lock_size: settings.wet.size_of_locks(),
            particles,
        }
    }

    /// Changes the velocities of particles before a step that begins with the head at `pose`.
    /// `takes` is how the solver takes them on.
    pub(super) fn pull_hair(
        &mut self,
        hair: &mut Hair,
        groom: &Groom,
        settings: &SimSettings,
        pose: &Pose,
        takes: TakesPulls,
    ) {
        let plan = Self::plan(settings, hair.particles());
        if !matches!(&self.made, Some((now, Made::Hair { .. })) if *now == plan) {
            let locks = Locks::of(groom, plan.lock_size);
            let bound = self.bind(&plan, groom);
            let made = Made::Hair {
                locks: locks.map(|locks| LockedHair::new(&locks, hair)),
                ties: (bound.iter().map(|bound| TiedHair::new(bound, hair))).collect(),
            };
            self.made = Some((plan, made));
        }
        let is_force = takes == TakesPulls::Forces;
        if is_force {
            let velocities = hair.state.par_iter().map(|particle| particle.velocity);
            velocities.collect_into_vec(&mut hair.pulled);
        }
        if let Some((_, Made::Hair { locks, ties })) = &self.made {
            let turn = pose.to_dmat3().as_mat3();
            if let Some(locks) = locks {
                locks.pull(hair, &turn, settings.wet.wetness);
            }
            let turns = takes == TakesPulls::Turns;
            let pull = Pull::new(if turns { TURN_STIFFNESS } else { TIE_STIFFNESS });
            ties.iter()
                .for_each(|tie| tie.pull(hair, &turn, &pull, turns));
        }
        if is_force {
            let pulled = hair.pulled.par_iter_mut().zip(&hair.state);
            pulled.for_each(|(pulled, particle)| *pulled = minus3(&particle.velocity, pulled));
        }
    }

    /// Changes the velocities of tips before a step in which the head moves from one pose to
    /// another.
    pub(super) fn pull_tips(
        &mut self,
        spring: &mut Spring,
        groom: &Groom,
        settings: &SimSettings,
        poses: &[Pose; 2],
    ) {
        let plan = Self::plan(settings, settings.strand_particles as usize);
        if !matches!(&self.made, Some((now, Made::Tips { .. })) if *now == plan) {
            let locks = Locks::of(groom, plan.lock_size);
            let bound = self.bind(&plan, groom);
            let made = Made::Tips {
                locks: locks.map_or(Vec::new(), |locks| TipBundle::of_locks(&locks, groom)),
                ties: (bound.iter().map(|bound| TipBundle::of_tie(bound, groom))).collect(),
            };
            self.made = Some((plan, made));
        }
        if let Some((_, Made::Tips { locks, ties })) = &self.made {
            let wet = Pull::new(settings.wet.water_stiffness());
            TipBundle::pull_all(locks, spring, poses, &wet);
            let tied = Pull::new(TIE_STIFFNESS);
            for tie in ties {
                TipBundle::pull_all(slice::from_ref(tie), spring, poses, &tied);
            }
        }
    }
}

impl WetSettings {
    /// Returns the pull of water on tips, 1/s².
    fn water_stiffness(&self) -> f64 {
        WATER_STIFFNESS * f64::from(self.wetness)
    }

    /// Returns the distance between the middles of locks: wetter hair gathers in larger ones, in
    /// four sizes.
    fn size_of_locks(&self) -> f32 {
        match self.wetness > 0.0 {
            true => self.lock_size * (0.4 + 0.15 * (4.0 * self.wetness).ceil()),
            false => 0.0,
        }
    }
}

/// Returns a head's vector in world space.
fn turned(turn: &DMat3, vector: Vec3) -> Vec3 {
    (*turn * vector.as_dvec3()).as_vec3()
}
