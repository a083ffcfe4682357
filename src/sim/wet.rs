//! Water in hair: how it dries, and how it changes the settings of the motion.

use super::settings::{SimSettings, WetSettings};
use super::solvers::{STEP_SECS, spring_give};
use crate::det_math::decay;

/// Mass of the water of soaked hair, as a share of that of dry hair.
const WATER: f32 = 0.4;
/// Share of its stiffness that soaked hair loses: water breaks the hydrogen bonds in it.
const SOFTENED: f32 = 0.6;
/// Rate at which water damps the motion of soaked hair, 1/s.
const WATER_DAMPING: f32 = 3.0;
/// Hair that is less wet is dry.
const DRY: f32 = 0.01;
/// The water in hair: how wet it was at a step, from which on it has dried.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Water {
    wetness: f32,
    since: u64,
}

impl Water {
    /// Steps between changes of wetness: a tenth of a second.
    pub(super) const STEPS: u64 = 24;

    /// Returns the water of hair that is wetted as the settings say.
    pub(super) fn new(settings: &WetSettings, step: u64) -> Self {
        Self {
            wetness: settings.wetness,
            since: step,
        }
    }

    /// Returns the wetness at a step: w 2^(−t / T), and 0 below a hundredth.
    pub(super) fn wetness(&self, settings: &WetSettings, step: u64) -> f32 {
        if !self.dries(settings) {
            return self.wetness;
        }
        let secs = step.saturating_sub(self.since) as f64 * STEP_SECS;
        let rate = std::f64::consts::LN_2 / f64::from(settings.drying_secs);
        let left = self.wetness * decay(1.0, rate * secs);
        if left < DRY { 0.0 } else { left }
    }

    /// Returns the number of steps from a step on until hair takes on another wetness.
    pub(super) fn steps_left(&self, settings: &WetSettings, step: u64) -> u64 {
        match self.dries(settings) {
            true => Self::STEPS - step.saturating_sub(self.since) % Self::STEPS,
            false => u64::MAX,
        }
    }

    /// Returns the water after a change of settings: another wetness wets hair again, another time
    /// of drying leaves it as wet as it is.
    pub(super) fn changed(&self, [was, now]: [&WetSettings; 2], step: u64) -> Self {
        if was.wetness != now.wetness {
            Self::new(now, step)
        } else if was.drying_secs != now.drying_secs {
            Self {
                wetness: self.wetness(was, step),
                since: step,
            }
        } else {
            *self
        }
    }

    fn dries(&self, settings: &WetSettings) -> bool {
        settings.drying_secs > 0.0 && self.wetness > 0.0
    }
}

impl WetSettings {
    /// Returns the mass of wet hair, as a multiple of that of dry hair.
    fn mass(&self) -> f32 {
        1.0 + WATER * self.wetness
    }

    /// Returns the rate at which water damps motion, 1/s.
    fn damping(&self) -> f32 {
        WATER_DAMPING * self.wetness
    }

    /// Returns the share of its stiffness per mass that wet hair has left.
    pub(super) fn stiffness_left(&self) -> f32 {
        (1.0 - SOFTENED * self.wetness) / self.mass()
    }
}

impl SimSettings {
    /// Returns the settings of hair that is as wet as `wetness` says: clamped settings for hair of
    /// mass 1, in which water acts by what it does to a hair of that mass.
    ///
    /// Bending is weaker by the softening and per mass, the air drags less per mass, and the motion of
    /// the water damps. Solvers weaken the pull of hold by the
    /// [same share](WetSettings::stiffness_left). Hair that carries its weight dry
    /// ([`groomed_gravity`](Self::groomed_gravity)) does not when it is wet.
    pub(super) fn soaked(&self, wetness: f32) -> Self {
        let mut soaked = self.clone();
        soaked.wet.wetness = wetness;
        if wetness <= 0.0 {
            return soaked;
        }
        let (mass, left) = (soaked.wet.mass(), soaked.wet.stiffness_left());
        let damping = soaked.wet.damping();
        soaked.forces.drag /= mass;
        // A tip of which a share is weighed carries all of its water.
        soaked.spring.weight = (self.spring.weight + mass - 1.0) / mass;
        soaked.spring.stiffness *= left;
        // Hold divides the damping of a spring, but not that of the water.
        soaked.spring.damping += damping * spring_give(self.hold) as f32;
        soaked.rod.bending *= left;
        soaked.rod.twisting *= left;
        soaked.rod.damping += damping;
        soaked.ftl.damping += damping;
        soaked.angular.damping += damping;
        soaked.clamped()
    }

    /// Returns the rate at which the tips of springs take on the velocity of the air, 1/s: the damping
    /// of these settings, which may be [soaked](Self::soaked), without that of the water.
    pub(super) fn tip_drag(&self) -> f64 {
        let give = spring_give(self.hold);
        let air = (self.spring.damping - self.wet.damping() * give as f32).max(0.0);
        f64::from(air / self.wet.mass()) / give
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wet(wetness: f32, drying_secs: f32) -> WetSettings {
        WetSettings {
            wetness,
            drying_secs,
            ..WetSettings::default()
        }
    }

    #[test]
    fn hair_loses_half_of_its_water_in_each_half_life() {
        let settings = wet(0.8, 2.0);
        let water = Water::new(&settings, 100);
        for (step, expected) in [
            (100, 0.8),
            (340, 0.8 / 2.0_f32.sqrt()),
            (580, 0.4),
            (1060, 0.2),
        ] {
            let now = water.wetness(&settings, step);
            assert!((now - expected).abs() < 1e-6, "{step}: {now}");
        }
        assert_eq!(water.wetness(&settings, 100 + 20 * 240), 0.0);
        assert_eq!(
            Water::new(&wet(0.8, 0.0), 0).wetness(&wet(0.8, 0.0), 1 << 40),
            0.8
        );
    }

    #[test]
    fn another_wetness_wets_again_and_another_time_does_not() {
        let was = wet(0.8, 2.0);
        let water = Water::new(&was, 0);
        let slower = wet(0.8, 4.0);
        let later = water.changed([&was, &slower], 480);
        assert!((later.wetness(&slower, 480) - 0.4).abs() < 1e-6);
        assert!((later.wetness(&slower, 480 + 960) - 0.2).abs() < 1e-6);
        let wetter = wet(0.9, 2.0);
        assert_eq!(
            water.changed([&was, &wetter], 480).wetness(&wetter, 480),
            0.9
        );
        assert_eq!(water.changed([&was, &was], 480), water);
        assert_eq!(water.steps_left(&was, 480), 24);
        assert_eq!(water.steps_left(&was, 481), 23);
    }

    #[test]
    fn water_weighs_and_softens() {
        let dry = SimSettings {
            hold: 0.5,
            ..SimSettings::default()
        };
        assert_eq!(dry.soaked(0.0), dry);
        let soaked = dry.soaked(1.0);
        let left = 0.4 / 1.4;
        assert!((f64::from(soaked.rod.bending / dry.rod.bending) - left).abs() < 1e-6);
        let carried = soaked.groomed_gravity().y / dry.groomed_gravity().y;
        assert!((f64::from(carried) - left).abs() < 1e-6);
        assert!((soaked.spring.weight - 0.4 / 1.4).abs() < 1e-6);
        for hold in [0.0, 0.3, 0.9] {
            let dry = SimSettings {
                hold,
                ..SimSettings::default()
            };
            let soaked = dry.soaked(1.0);
            let stiffness = |settings: &SimSettings| {
                f64::from(settings.spring.stiffness) / spring_give(settings.hold).powi(2)
            };
            let softened = stiffness(&soaked) / stiffness(&dry);
            assert!((softened / left - 1.0).abs() < 1e-4, "{hold}: {softened}");
            let damping = |settings: &SimSettings| {
                f64::from(settings.spring.damping) / spring_give(settings.hold)
            };
            let damped = damping(&soaked) - damping(&dry);
            assert!((damped - 3.0).abs() < 1e-4, "{hold}: {damped}");
            // Water does not make the air drag more.
            let drag = soaked.tip_drag() / dry.tip_drag();
            assert!((drag * 1.4 - 1.0).abs() < 1e-5, "{hold}: {drag}");
        }
    }
}
