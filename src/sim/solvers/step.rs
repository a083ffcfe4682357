//! One fixed step: how the head goes, and what pulls at the hair meanwhile.

use super::super::contact::Contacts;
use super::super::forces::Forces;
use super::super::simd::blocks::{Lanes, Lanes3, add_scaled, axes, rotate, rows, sub, vec};
use super::super::simd::lanes::{all3, dot3, minus3, rotate3, sum3};
use super::super::{Hair, Pose, STEP_SECS, SimSettings};
use crate::det_math::exp;
use glam::Vec3;

/// Offsets (dm) and velocities (dm/s) smaller than this become 0. Without it they decay into
/// denormal numbers under a still head, and the step takes 5 to 60 times longer.
pub(crate) const SNAP: f32 = 1e-15;
/// Stiffness with which `hold` = ½ pulls hair to its rest shape, 1/s²: 3.2 Hz.
const HOLD_STIFFNESS: f64 = 400.0;
/// Damping ratio of that pull.
const HOLD_DAMPING_RATIO: f64 = 0.5;
/// `hold` is kept this far below 1, where the stiffness would be infinite.
const HOLD_LEAST_LEFT: f64 = 1e-7;

/// One step of [`STEP_SECS`](super::super::STEP_SECS): the head goes from one pose to another while
/// forces act.
#[derive(Clone, Debug)]
pub struct Step {
    from: Pose,
    to: Pose,
    /// Length, seconds.
    pub(crate) dt: f32,
    /// Rows of R1, and T1.
    pub(crate) rotation: [[f32; 3]; 3],
    pub(crate) translation: [f32; 3],
    /// Rows of R1 − R0, and T1 − T0: how points of the head move.
    pub(crate) turn: [[f32; 3]; 3],
    pub(crate) shift: [f32; 3],
    /// How fast the head turns, world space, 1/s: exact but for the third order of the angle.
    pub(crate) spin: [f32; 3],
    pub(crate) forces: Forces,
    pub(crate) hold: Hold,
    pub(crate) contacts: Contacts,
}

impl Step {
    /// A step that ends at `time_secs` with the head at `to`.
    pub(crate) fn new(
        from: Pose,
        to: Pose,
        time_secs: f64,
        settings: &SimSettings,
        contacts: &Contacts,
    ) -> Self {
        // Rotations that differ by less than this come from an easing that has ended; as f32
        // they could be denormal.
        let snap = |x: f32| if x.abs() < SNAP { 0.0 } else { x };
        let (r0, r1) = (from.to_dmat3(), to.to_dmat3());
        let turn = to.rotation * from.rotation.conjugate();
        let twice = 2.0_f64.copysign(turn.w) / STEP_SECS;
        Self {
            from,
            to,
            dt: STEP_SECS as f32,
            rotation: rows(&r1),
            translation: vec(to.translation),
            turn: rows(&(r1 - r0)).map(|row| row.map(snap)),
            shift: vec(to.translation - from.translation).map(snap),
            spin: vec(turn.xyz() * twice).map(snap),
            forces: settings.forces.at(time_secs, STEP_SECS),
            hold: Hold::new(f64::from(settings.hold), STEP_SECS),
            contacts: contacts.under(&to),
        }
    }

    /// Is there nothing to meet, and no turbulence?
    pub(crate) fn is_free(&self) -> bool {
        self.contacts.is_empty() && self.is_calm()
    }

    /// Is there no turbulence?
    pub(crate) fn is_calm(&self) -> bool {
        self.forces.turbulence.strength == 0.0
    }

    /// Length, seconds.
    pub fn dt_secs(&self) -> f32 {
        self.dt
    }

    /// The head's pose when the step begins.
    pub fn from(&self) -> &Pose {
        &self.from
    }

    /// The head's pose when it ends.
    pub fn to(&self) -> &Pose {
        &self.to
    }

    /// Acceleration of everything, dm/s².
    pub fn gravity(&self) -> Vec3 {
        self.forces.gravity.into()
    }

    /// Velocity of the air at a point of the world, dm/s.
    pub fn wind_at(&self, point: Vec3) -> Vec3 {
        self.forces.air_at(point.to_array()).into()
    }

    /// Rate at which hair takes on the velocity of the air, 1/s.
    pub fn drag(&self) -> f32 {
        self.forces.drag
    }

    /// Where a point of the head is when the step ends: from head to world space.
    #[inline(always)]
    pub(crate) fn carry(&self, point: [f32; 3]) -> [f32; 3] {
        add_scaled(rotate(&self.rotation, point), self.translation, 1.0)
    }

    /// The same of a point in every lane.
    #[inline(always)]
    pub(crate) fn carry3(&self, points: &Lanes3) -> Lanes3 {
        sum3(&rotate3(&self.rotation, points), &all3(self.translation))
    }

    /// How far points of the head move in the step, world space.
    #[inline(always)]
    pub(crate) fn way3(&self, points: &Lanes3) -> Lanes3 {
        sum3(&rotate3(&self.turn, points), &all3(self.shift))
    }

    /// Where the strands' hold takes particles in the step, from the ways that they would go
    /// freely: see [`Hold::pull3`].
    #[inline(always)]
    pub(crate) fn held3(&self, free: Lanes3, rest: &Lanes3, x: &Lanes3) -> Lanes3 {
        if self.hold.is_none() {
            return free;
        }
        let to_goal = minus3(&self.carry3(rest), x);
        self.hold.pull3(&free, &to_goal, &self.way3(rest))
    }

    /// The same by holds of their own.
    #[inline(always)]
    pub(crate) fn held3_by(
        &self,
        hold: &StrandHolds,
        free: &Lanes3,
        rest: &Lanes3,
        x: &Lanes3,
    ) -> Lanes3 {
        let to_goal = minus3(&self.carry3(rest), x);
        hold.pull3(free, &to_goal, &self.way3(rest))
    }

    /// The same of one particle, by its strand's hold.
    #[inline(always)]
    pub(crate) fn held_by(
        &self,
        hold: &Hold,
        free: [f32; 3],
        rest: [f32; 3],
        x: [f32; 3],
    ) -> [f32; 3] {
        let to_goal = sub(self.carry(rest), x);
        let of_goal = add_scaled(rotate(&self.turn, rest), self.shift, 1.0);
        hold.pull(free, to_goal, of_goal)
    }

    /// Directions of the head when the step ends: from head to world space.
    #[inline(always)]
    pub(crate) fn turned3(&self, directions: &Lanes3) -> Lanes3 {
        rotate3(&self.rotation, directions)
    }

    /// The same of points that are given in world space where they are when the step ends.
    #[inline(always)]
    pub(crate) fn way_of3(&self, points: &Lanes3) -> Lanes3 {
        let p = minus3(points, &all3(self.translation));
        let r = &self.rotation;
        self.way3(&axes!(i => dot3(&all3([r[0][i], r[1][i], r[2][i]]), &p)))
    }
}

/// Stiffness of the pull to the rest shape, 1/s².
pub(crate) fn hold_stiffness(hold: f64) -> f64 {
    let hold = hold.clamp(0.0, 1.0 - HOLD_LEAST_LEFT);
    HOLD_STIFFNESS * hold / (1.0 - hold)
}

/// The pull to the rest shape: a damped spring to where a particle would be on a rigid strand,
/// solved implicitly, so that no stiffness is too much for it.
///
/// `hold` h means a stiffness of 400 h / (1 − h) 1/s² at half its critical damping.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hold {
    /// h² κ and h c, over 1 + h c + h² κ, h being the step.
    stiff: f32,
    damp: f32,
    /// 1 over the same.
    free: f32,
}

impl Hold {
    pub(crate) fn new(hold: f64, dt: f64) -> Self {
        let stiffness = hold_stiffness(hold);
        let damping = 2.0 * HOLD_DAMPING_RATIO * stiffness.sqrt();
        let sum = 1.0 + dt * damping + dt * dt * stiffness;
        Self {
            stiff: (dt * dt * stiffness / sum) as f32,
            damp: (dt * damping / sum) as f32,
            free: (1.0 / sum) as f32,
        }
    }

    /// Does it not pull at all?
    #[inline(always)]
    pub(crate) fn is_none(&self) -> bool {
        self.stiff == 0.0 && self.damp == 0.0
    }

    /// The ways of particles in the step, from the ways they would go freely, those to their
    /// goals (where those will be) and the ways of the goals themselves.
    ///
    /// Implicit Euler for x'' = κ (g − x) + c (g' − x'): with way = h v1,
    /// (1 + h c + h² κ) way = free + h² κ (g1 − x0) + h c (g1 − g0).
    #[inline(always)]
    pub(crate) fn pull3(&self, free: &Lanes3, to_goal: &Lanes3, of_goal: &Lanes3) -> Lanes3 {
        let all = StrandHolds {
            stiff: Lanes::all(self.stiff),
            damp: Lanes::all(self.damp),
            free: Lanes::all(self.free),
        };
        all.pull3(free, to_goal, of_goal)
    }

    /// The same of one particle.
    #[inline(always)]
    pub(crate) fn pull(&self, free: [f32; 3], to_goal: [f32; 3], of_goal: [f32; 3]) -> [f32; 3] {
        axes!(i => self.free * free[i] + self.stiff * to_goal[i] + self.damp * of_goal[i])
    }
}

/// The same of eight strands that differ in stiffness.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StrandHolds {
    stiff: Lanes,
    damp: Lanes,
    free: Lanes,
}

impl StrandHolds {
    /// Of all strands, block by block, for steps of `dt` seconds; none where they are all held
    /// alike, or not at all.
    pub(crate) fn of(hair: &Hair, hold: f32, dt: f64) -> Vec<StrandHolds> {
        if hold <= 0.0 {
            return Vec::new();
        }
        let block = |stiffness: &Lanes| {
            let mut holds = StrandHolds::default();
            for (lane, &share) in stiffness.0.iter().enumerate() {
                let own = Hold::new(f64::from(hold) * f64::from(share), dt);
                holds.stiff.0[lane] = own.stiff;
                holds.damp.0[lane] = own.damp;
                holds.free.0[lane] = own.free;
            }
            holds
        };
        hair.stiffness.iter().map(block).collect()
    }

    /// That of one strand.
    #[inline(always)]
    pub(crate) fn one(&self, lane: usize) -> Hold {
        Hold {
            stiff: self.stiff.0[lane],
            damp: self.damp.0[lane],
            free: self.free.0[lane],
        }
    }

    /// As [`Hold::pull3`].
    #[inline(always)]
    pub(crate) fn pull3(&self, free: &Lanes3, to_goal: &Lanes3, of_goal: &Lanes3) -> Lanes3 {
        axes!(i => self.free * free[i] + self.stiff * to_goal[i] + self.damp * of_goal[i])
    }
}

/// How strands are held in their rest shape: not at all...
pub(crate) const FREELY: u8 = 0;
/// ...all alike...
pub(crate) const ALIKE: u8 = 1;
/// ...or each as stiff as it is.
pub(crate) const BY_STRAND: u8 = 2;

/// What holds the strand in a lane.
#[inline(always)]
pub(crate) fn held_by<const HELD: u8>(all: &Hold, own: &StrandHolds, lane: usize) -> Hold {
    match HELD {
        BY_STRAND => own.one(lane),
        _ => *all,
    }
}

/// What is left of a velocity that decays at `rate` (1/s) over a time.
pub(crate) fn kept(rate: f32, dt: f64) -> f32 {
    exp(-f64::from(rate) * dt) as f32
}

/// Keeps numbers out of the denormal range.
#[inline(always)]
pub(crate) fn snap(x: f32) -> f32 {
    if x.abs() < SNAP { 0.0 } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::simd::blocks::lane3;

    #[test]
    fn a_full_hold_goes_all_the_way_and_none_goes_free() {
        let [free, to_goal, of_goal] = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]];
        let pulled = |hold: Hold| {
            let way = hold.pull3(&all3(free), &all3(to_goal), &all3(of_goal));
            Vec3::from(lane3(&way, 5))
        };
        assert!(Hold::new(0.0, STEP_SECS).is_none());
        assert_eq!(pulled(Hold::new(0.0, STEP_SECS)), Vec3::from(free));
        let full = pulled(Hold::new(1.0, STEP_SECS));
        assert!((full - Vec3::from(to_goal)).length() < 0.02, "{full}");
    }
}
