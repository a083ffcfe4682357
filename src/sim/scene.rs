//! Named head motions as functions of simulated time, shared by viewer, render, tests and benches.

mod props;
pub(crate) mod track;

use super::Pose;
use crate::det_math::sin_cos;
use crate::settings::SettingError;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;
use std::fmt;
use std::str::FromStr;

/// A deterministic head motion.
///
/// Every scene starts from the rest pose at time 0 without a jerk, moves, comes back, and lets
/// the hair settle for a while before it begins again after [`period_secs`](Self::period_secs).
/// Head motion loops exactly. Hair started from rest joins its own loop as its start is
/// forgotten, with the default spring by a factor of 20 each 4 s (e^(−c t / 2)): a clip meant to
/// loop shows the third period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scene {
    /// The head does not move.
    Still,
    /// Tilts from side to side (about z), 35° each way.
    #[default]
    Swing,
    /// Nods (about x), 25° each way, down first.
    Nod,
    /// Turns left and right (about y), 50° each way.
    Turn,
    /// Is shaken sideways by 0.5 dm each way and up by 0.3 dm (translation).
    Shake,
    /// Walks on the spot, two steps a second.
    Walk,
    /// Runs on the spot, three steps a second.
    Run,
    /// The head does not move, and hair falls from its rest shape.
    Drop,
    /// Wind from the front as published for `angular` (Anjyo, Usami, Kurihara 1992): for 1.5 s
    /// (0, 0, -200), then (0, -250, -20), on hair that has k² ρ d = 100 and moves late on top.
    Gust,
    /// One strand of 1 dm from the origin, 30 degrees from hanging straight down; no head, no air.
    Pendulum,
    /// One strand of 1 dm, clamped at the origin along x, bends under its weight; no head. With
    /// solver `rod`, weight per length · length³ / bending stiffness is 10.
    Cantilever,
}

/// A burst of waves, then a pause.
struct Rhythm {
    /// One wave, seconds.
    wave_secs: f64,
    /// Until the head is back at rest, seconds: whole half waves.
    active_secs: f64,
    /// Motion and pause, seconds.
    period_secs: f64,
}

const SWING: Rhythm = Rhythm {
    wave_secs: 1.6,
    active_secs: 2.4,
    period_secs: 4.0,
};
const NOD: Rhythm = Rhythm {
    wave_secs: 1.2,
    active_secs: 2.4,
    period_secs: 4.0,
};
const TURN: Rhythm = Rhythm {
    wave_secs: 1.8,
    active_secs: 2.7,
    period_secs: 4.5,
};
const SHAKE: Rhythm = Rhythm {
    wave_secs: 0.8,
    active_secs: 2.4,
    period_secs: 4.0,
};
const WALK: Rhythm = Rhythm {
    wave_secs: 1.0,
    active_secs: 4.0,
    period_secs: 5.5,
};
const RUN: Rhythm = Rhythm {
    wave_secs: 2.0 / 3.0,
    active_secs: 4.0,
    period_secs: 5.5,
};
/// What a loop of a scene lasts in which hair falls, seconds.
const FALL_PERIOD_SECS: f64 = 4.0;
/// What a loop of the still scene lasts, seconds: any length would do.
const STILL_PERIOD_SECS: f64 = 1.0;

/// A motion eases in and out over this time, seconds: long enough to look like muscles, and
/// less than the quarter wave of a tilt, so that its first peak is a full one.
const EASE_SECS: f64 = 0.3;

const SWING_RADIANS: f64 = 35.0 * TAU / 360.0;
const NOD_RADIANS: f64 = 25.0 * TAU / 360.0;
const TURN_RADIANS: f64 = 50.0 * TAU / 360.0;
const SHAKE_SIDEWAYS_DM: f64 = 0.5;
const SHAKE_UP_DM: f64 = 0.3;

/// How a gait moves the head.
struct Gait {
    sideways_dm: f64,
    up_dm: f64,
    nod_radians: f64,
    tilt_radians: f64,
}

const WALKING: Gait = Gait {
    sideways_dm: 0.2,
    up_dm: 0.25,
    nod_radians: 3.0 * TAU / 360.0,
    tilt_radians: 2.5 * TAU / 360.0,
};
const RUNNING: Gait = Gait {
    sideways_dm: 0.15,
    up_dm: 0.7,
    nod_radians: 7.0 * TAU / 360.0,
    tilt_radians: 4.0 * TAU / 360.0,
};

impl Gait {
    fn pose(&self, wave: &Wave) -> Pose {
        // Up and a nod with every step, from side to side with every other.
        let tilted = turned(DVec3::Z, self.tilt_radians * wave.sin);
        let nodded = turned(DVec3::X, self.nod_radians * wave.sin_squared);
        let mut pose = Pose::about_neck(tilted.rotation * nodded.rotation);
        pose.translation += DVec3::new(
            -self.sideways_dm * wave.sin,
            self.up_dm * wave.sin_squared,
            0.0,
        );
        pose
    }
}

impl Scene {
    /// Every scene.
    pub const ALL: [Scene; 11] = [
        Scene::Still,
        Scene::Swing,
        Scene::Nod,
        Scene::Turn,
        Scene::Shake,
        Scene::Walk,
        Scene::Run,
        Scene::Drop,
        Scene::Gust,
        Scene::Pendulum,
        Scene::Cantilever,
    ];

    /// Head pose at `t_secs` of simulated time; the rest pose at 0 and before. The same bits on
    /// every platform.
    pub fn pose(self, t_secs: f64) -> Pose {
        match self {
            Scene::Still | Scene::Drop | Scene::Gust | Scene::Pendulum | Scene::Cantilever => {
                Pose::IDENTITY
            }
            Scene::Walk => WALKING.pose(&WALK.at(t_secs)),
            Scene::Run => RUNNING.pose(&RUN.at(t_secs)),
            Scene::Swing => turned(DVec3::Z, SWING_RADIANS * SWING.at(t_secs).sin),
            Scene::Nod => turned(DVec3::X, NOD_RADIANS * NOD.at(t_secs).sin),
            Scene::Turn => turned(DVec3::Y, TURN_RADIANS * TURN.at(t_secs).sin),
            Scene::Shake => {
                // Up once on the way to each side, as on a figure of eight.
                let wave = SHAKE.at(t_secs);
                let sideways = SHAKE_SIDEWAYS_DM * wave.sin;
                let up = SHAKE_UP_DM * wave.sin_squared;
                Pose::new(DQuat::IDENTITY, DVec3::new(sideways, up, 0.0))
            }
        }
    }

    /// After this time the head motion repeats, seconds.
    pub fn period_secs(self) -> f64 {
        match self {
            Scene::Still => STILL_PERIOD_SECS,
            Scene::Swing => SWING.period_secs,
            Scene::Nod => NOD.period_secs,
            Scene::Turn => TURN.period_secs,
            Scene::Shake => SHAKE.period_secs,
            Scene::Walk => WALK.period_secs,
            Scene::Run => RUN.period_secs,
            Scene::Drop | Scene::Gust | Scene::Pendulum | Scene::Cantilever => FALL_PERIOD_SECS,
        }
    }

    /// Name as on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Scene::Still => "still",
            Scene::Swing => "swing",
            Scene::Nod => "nod",
            Scene::Turn => "turn",
            Scene::Shake => "shake",
            Scene::Walk => "walk",
            Scene::Run => "run",
            Scene::Drop => "drop",
            Scene::Gust => "gust",
            Scene::Pendulum => "pendulum",
            Scene::Cantilever => "cantilever",
        }
    }
}

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Scene {
    type Err = SettingError;

    fn from_str(name: &str) -> Result<Self, SettingError> {
        (Scene::ALL.into_iter())
            .find(|scene| scene.name() == name)
            .ok_or_else(|| {
                let names = Scene::ALL.map(Scene::name).join(", ");
                SettingError::new("scene", name, format!("one of {names}"))
            })
    }
}

/// A wave under its envelope.
struct Wave {
    /// envelope · sin, −1 to 1.
    sin: f64,
    /// envelope · sin², 0 to 1.
    sin_squared: f64,
}

impl Rhythm {
    fn at(&self, t_secs: f64) -> Wave {
        // Times that are no time are the start.
        let t = if t_secs > 0.0 && t_secs.is_finite() {
            t_secs % self.period_secs
        } else {
            0.0
        };
        let envelope = ease(t / EASE_SECS) * ease((self.active_secs - t) / EASE_SECS);
        let (sin, _) = sin_cos(TAU * t.min(self.active_secs) / self.wave_secs);
        Wave {
            sin: envelope * sin,
            sin_squared: envelope * sin * sin,
        }
    }
}

/// 0 before 0, 1 after 1, in between 6x⁵ − 15x⁴ + 10x³: starts and ends with neither speed nor
/// acceleration (Perlin 2002).
fn ease(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * x * (x * (x * 6.0 - 15.0) + 10.0)
}

/// Turned about a unit axis through the neck by `radians`.
fn turned(axis: DVec3, radians: f64) -> Pose {
    Pose::about_neck(Pose::turn(axis, radians))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(scene: Scene) -> impl Iterator<Item = Pose> {
        let steps = (scene.period_secs() * 240.0) as i32;
        (0..steps).map(move |i| scene.pose(f64::from(i) / 240.0))
    }

    #[test]
    fn they_start_at_rest_without_a_jerk() {
        for scene in Scene::ALL {
            for t in [0.0, -1.0, f64::NAN, f64::INFINITY] {
                assert!(scene.pose(t).usable().is_some());
            }
            assert_eq!(scene.pose(0.0), Pose::IDENTITY);
            let soon = scene.pose(1e-3);
            assert!(soon.rotation.angle_between(DQuat::IDENTITY) < 1e-7);
            assert!(soon.translation.length() < 1e-7);
        }
    }

    #[test]
    fn they_loop() {
        for scene in Scene::ALL {
            for i in 0..100 {
                let t = f64::from(i) * 0.05;
                let (a, b) = (scene.pose(t), scene.pose(t + scene.period_secs()));
                assert!((a.rotation - b.rotation).length() < 1e-12, "{scene} {t}");
                assert!(a.translation.distance(b.translation) < 1e-12);
            }
            assert_eq!(scene.pose(scene.period_secs()), Pose::IDENTITY);
        }
    }

    #[test]
    fn they_reach_their_amplitudes_on_both_sides() {
        let extremes = |scene: Scene, value: fn(&Pose) -> f64| {
            samples(scene).fold((0.0_f64, 0.0_f64), |(low, high), pose| {
                (low.min(value(&pose)), high.max(value(&pose)))
            })
        };
        let near = |(low, high): (f64, f64), amplitude: f64| {
            (low + amplitude).abs() < 0.01 * amplitude
                && (high - amplitude).abs() < 0.01 * amplitude
        };
        let degrees = |half_sine: f64| 2.0 * half_sine.asin().to_degrees();
        assert!(near(
            extremes(Scene::Swing, |p| p.rotation.z),
            (17.5_f64).to_radians().sin()
        ));
        let (low, high) = extremes(Scene::Nod, |p| p.rotation.x);
        assert!((degrees(low) + 25.0).abs() < 0.5 && (degrees(high) - 25.0).abs() < 0.5);
        let (low, high) = extremes(Scene::Turn, |p| p.rotation.y);
        assert!((degrees(low) + 50.0).abs() < 0.5 && (degrees(high) - 50.0).abs() < 0.5);
        assert!(near(extremes(Scene::Shake, |p| p.translation.x), 0.5));
        let (low, high) = extremes(Scene::Shake, |p| p.translation.y);
        assert!(low == 0.0 && (high - 0.3).abs() < 0.01);
    }

    #[test]
    fn a_nod_goes_down_first() {
        let early = Scene::Nod.pose(0.2);
        assert!(early.transform_vector(DVec3::Z).y < -0.1);
    }

    #[test]
    fn names_round_trip_and_unknown_ones_list_what_there_is() {
        for scene in Scene::ALL {
            assert_eq!(scene.to_string().parse(), Ok(scene));
        }
        let error = "sway".parse::<Scene>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "scene = sway: expected one of still, swing, nod, turn, shake, walk, run, drop, gust, pendulum, cantilever"
        );
    }
}
