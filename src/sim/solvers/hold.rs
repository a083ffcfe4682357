//! The pull of hair to its rest shape, which the setting `hold` gives.

use crate::sim::hair::Hair;
use crate::sim::settings::SimSettings;
use crate::sim::simd::{LANES, Lanes, Lanes3, axes, set3};
use glam::{DVec3, Vec3};

/// Stiffness of the pull at `hold` = ½, 1/s²: 3.2 Hz.
const STIFFNESS: f64 = 400.0;
/// Damping ratio of the pull.
const DAMPING_RATIO: f64 = 0.5;
/// `hold` is kept this far below 1, where the stiffness would be infinite.
const LEAST_LEFT: f64 = 1e-7;

/// The longest way that a goal is lifted, decimetres: under the usual gravity `hold` below 0.11 carries
/// a part of the weight only. Hair that it carried whole would float, and fall to the side when the
/// head tilts a little.
const LONGEST_LIFT: f64 = 2.0;

/// The smallest value of 1 − hold; the spring would be infinitely stiff at 0.
const LEAST_GIVE: f64 = 1e-3;

/// Returns 1 − `hold`, at least [`LEAST_GIVE`].
pub(crate) fn spring_give(hold: f32) -> f64 {
    (1.0 - f64::from(hold)).max(LEAST_GIVE)
}

/// The pull to the rest shape on the strands of one block: a damped spring to where a particle
/// would be on a rigid strand, solved implicitly, so that no stiffness makes it unstable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hold {
    /// h² κ, h c and 1, each over 1 + h c + h² κ; h is the step.
    stiff: Lanes,
    damp: Lanes,
    /// Share of their own displacement that particles keep.
    pub(crate) free: Lanes,
    /// The way from where a particle rests to its goal, head space: as far as gravity takes it back,
    /// but at most [`LONGEST_LIFT`].
    pub(crate) lift: Lanes3,
    /// Share of the weight that the pull does not carry.
    pub(crate) unborne: Lanes,
}

impl Hold {
    /// Returns the pull for steps of `dt` seconds on strands with shares of `hold`, which rest where
    /// they are groomed under the gravity of the settings.
    fn new(settings: &HoldSettings, shares: &Lanes, dt: f64) -> Self {
        let [stiff, damp, free, unborne] = [Lanes::ZERO; 4];
        let lift = Lanes3::default();
        let mut block = Self {
            stiff,
            damp,
            free,
            lift,
            unborne,
        };
        let gravity = f64::from(settings.gravity.length());
        for lane in 0..LANES {
            let stiffness = settings.stiffness(shares.0[lane]);
            set3(&mut block.lift, lane, settings.lift(stiffness).as_vec3());
            let borne = (LONGEST_LIFT / (gravity / stiffness)).min(1.0);
            block.unborne.0[lane] = (1.0 - borne) as f32;
            let damping = 2.0 * DAMPING_RATIO * stiffness.sqrt();
            let sum = 1.0 + dt * damping + dt * dt * stiffness;
            block.stiff.0[lane] = (dt * dt * stiffness / sum) as f32;
            block.damp.0[lane] = (dt * damping / sum) as f32;
            block.free.0[lane] = (1.0 / sum) as f32;
        }
        block
    }

    /// Returns the displacement of a particle in the step, from its displacement without the pull,
    /// the way to its goal (at the end of the step) and the displacement of where it rests.
    ///
    /// Implicit Euler for x'' = κ (g − x) + c (g' − x'): with the displacement d = h v1,
    /// (1 + h c + h² κ) d = free + h² κ (g1 − x0) + h c (g1 − g0).
    #[inline(always)]
    pub(crate) fn pull(&self, lane: usize, free: Vec3, to_goal: Vec3, of_goal: Vec3) -> Vec3 {
        free * self.free.0[lane] + to_goal * self.stiff.0[lane] + of_goal * self.damp.0[lane]
    }

    /// Returns the displacements of eight particles, one of each strand, like [`pull`](Self::pull).
    #[inline(always)]
    pub(crate) fn pull3(&self, free: &Lanes3, to_goal: &Lanes3, of_goal: &Lanes3) -> Lanes3 {
        axes!(i => self.free * free[i] + self.stiff * to_goal[i] + self.damp * of_goal[i])
    }
}

/// The pull that settings ask for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HoldSettings {
    /// The setting `hold`.
    pub(crate) share: f32,
    /// Share of its stiffness per mass that water leaves hair.
    left: f32,
    /// Gravity under which held hair rests where it is groomed, head space, dm/s².
    pub(crate) gravity: Vec3,
}

impl HoldSettings {
    pub(crate) fn of(settings: &SimSettings) -> Self {
        Self {
            share: settings.hold,
            left: settings.wet.stiffness_left(),
            gravity: settings.groomed_gravity(),
        }
    }

    /// Returns the way by which a pull of a stiffness in 1/s² is lifted, head space, decimetres.
    pub(crate) fn lift(&self, stiffness: f64) -> DVec3 {
        if stiffness == 0.0 {
            return DVec3::ZERO;
        }
        (self.gravity.as_dvec3() * (-1.0 / stiffness)).clamp_length_max(LONGEST_LIFT)
    }

    /// Returns the stiffness of the pull on strands with a share of `hold`, 1/s²: 400 h / (1 − h),
    /// with h the share times `hold`, times the share that water leaves.
    pub(crate) fn stiffness(&self, share: f32) -> f64 {
        let hold = f64::from(self.share) * f64::from(share);
        let hold = hold.clamp(0.0, 1.0 - LEAST_LEFT);
        STIFFNESS * hold / (1.0 - hold) * f64::from(self.left)
    }
}

/// The pull on all strands.
#[derive(Clone, Debug)]
pub(crate) struct Holds {
    /// `true` if any strand is pulled.
    pub(crate) pull: bool,
    /// The pull on strands that do not differ.
    all: Hold,
    /// The pull on each block, if strands differ in stiffness.
    blocks: Vec<Hold>,
}

impl Holds {
    /// Returns the pull for steps of `dt` seconds.
    pub(crate) fn new(hair: &Hair, settings: &HoldSettings, dt: f64) -> Self {
        let pull = settings.share > 0.0;
        let differ = hair.stiffness.iter().filter(|_| pull);
        Self {
            pull,
            all: Hold::new(settings, &Lanes::ONE, dt),
            blocks: (differ.map(|shares| Hold::new(settings, shares, dt))).collect(),
        }
    }

    /// Returns the pull on the strands of a block.
    #[inline(always)]
    pub(crate) fn of_block(&self, index: usize) -> &Hold {
        self.blocks.get(index).unwrap_or(&self.all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::simd::{get3, splat3};
    use crate::sim::solvers::STEP_SECS;

    #[test]
    fn a_full_hold_goes_all_the_way_and_none_goes_free() {
        let (free, to_goal, of_goal) = (Vec3::X, Vec3::Y * 2.0, Vec3::Z * 3.0);
        for (hold, expected, within) in [(0.0, free, 0.0), (1.0, to_goal, 0.02)] {
            let settings = HoldSettings {
                share: hold,
                left: 1.0,
                gravity: Vec3::ZERO,
            };
            let hold = Hold::new(&settings, &Lanes::ONE, STEP_SECS);
            let way = hold.pull3(&splat3(free), &splat3(to_goal), &splat3(of_goal));
            for way in [get3(&way, 5), hold.pull(5, free, to_goal, of_goal)] {
                assert!(way.distance(expected) <= within, "{way}");
            }
        }
    }

    #[test]
    fn water_takes_the_same_share_of_stiffness_from_all_hair() {
        for (hold, share) in [(0.9, 0.1), (0.9, 0.3), (0.9, 1.0), (1.0, 1.0)] {
            let dry = SimSettings {
                hold,
                ..SimSettings::default()
            };
            let [dry, soaked] = [0.0, 1.0].map(|wetness| HoldSettings::of(&dry.soaked(wetness)));
            let left = soaked.stiffness(share) / dry.stiffness(share);
            assert!((left - 0.4 / 1.4).abs() < 1e-6, "{hold} {share}: {left}");
        }
    }
}
