//! Named head motions as functions of simulated time, shared by viewer, render, tests and benches.

use crate::choices;
use crate::det_math::sin_cos;
use crate::sim::pose::Pose;
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

choices! {
    /// A deterministic head motion.
    ///
    /// Every scene starts from the rest pose at time 0 without a jerk, moves, comes back, and lets
    /// the hair settle for a while before it begins again after [`period_secs`](Self::period_secs).
    /// Head motion loops exactly. Hair started from rest joins its own loop as its start is
    /// forgotten, with the default spring by a factor of 20 each 4 s (e^(−c t / 2)): a clip meant
    /// to loop shows the third period.
    pub enum Scene: "scene" = Swing {
        /// The head does not move.
        Still = "still",
        /// Tilts from side to side (about z), 35° each way.
        Swing = "swing",
        /// Nods (about x), 25° each way, down first.
        Nod = "nod",
        /// Turns left and right (about y), 50° each way.
        Turn = "turn",
        /// Shakes sideways by 0.5 dm each way and up by 0.3 dm (translation).
        Shake = "shake",
        /// Walks on the spot, two steps a second.
        Walk = "walk",
        /// Runs on the spot, three steps a second.
        Run = "run",
        /// The head does not move, and hair falls from its rest shape.
        Drop = "drop",
        /// Wind from the front as published for `angular` (Anjyo, Usami, Kurihara 1992): for 1.5 s
        /// (0, 0, -200), then (0, -250, -20), on hair that has k² ρ d = 100 and moves late on top.
        Gust = "gust",
        /// One strand of 1 dm from the origin, 30 degrees from hanging straight down; no head, no
        /// air.
        Pendulum = "pendulum",
        /// One strand of 1 dm, clamped at the origin along x, bends under its weight; no head. With
        /// solver `rod`, weight per length · length³ / bending stiffness is 10.
        Cantilever = "cantilever",
    }
}

/// A burst of waves, then a pause.
struct Rhythm {
    /// Length of a wave, seconds.
    wave_secs: f64,
    /// Time until the head is back at rest, seconds: whole half waves.
    active_secs: f64,
    /// Length of motion and pause, seconds.
    period_secs: f64,
}

impl Rhythm {
    const fn new(wave_secs: f64, active_secs: f64, period_secs: f64) -> Self {
        Self {
            wave_secs,
            active_secs,
            period_secs,
        }
    }
}

const SWING: Rhythm = Rhythm::new(1.6, 2.4, 4.0);
const NOD: Rhythm = Rhythm::new(1.2, 2.4, 4.0);
const TURN: Rhythm = Rhythm::new(1.8, 2.7, 4.5);
const SHAKE: Rhythm = Rhythm::new(0.8, 2.4, 4.0);
const WALK: Rhythm = Rhythm::new(1.0, 4.0, 5.5);
const RUN: Rhythm = Rhythm::new(2.0 / 3.0, 4.0, 5.5);
/// Length of a loop of scenes in which hair falls, seconds.
const FALL_PERIOD_SECS: f64 = 4.0;
/// Length of a loop of the still scene, seconds: any would do.
const STILL_PERIOD_SECS: f64 = 1.0;

/// A motion eases in and out over this time, seconds: long enough to look like muscles, and
/// less than the quarter wave of a tilt, so that its first peak is a full one.
const EASE_SECS: f64 = 0.3;

const SWING_RADIANS: f64 = 35.0 * TAU / 360.0;
const NOD_RADIANS: f64 = 25.0 * TAU / 360.0;
const TURN_RADIANS: f64 = 50.0 * TAU / 360.0;
const SHAKE_SIDEWAYS_DM: f64 = 0.5;
const SHAKE_UP_DM: f64 = 0.3;

/// The head motion of a gait.
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
    /// Returns the head pose at `t_secs` of simulated time; the rest pose at 0 and before. All
    /// platforms give the same bits.
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

    /// Returns the time after which the head motion repeats, seconds.
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
        // NaN and infinity count as the start.
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

/// Returns 0 before 0, 1 after 1, in between 6x⁵ − 15x⁴ + 10x³: starts and ends with neither speed
/// nor acceleration (Perlin 2002).
fn ease(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * x * (x * (x * 6.0 - 15.0) + 10.0)
}

/// Returns a rotation about a unit axis through the neck by `radians`.
fn turned(axis: DVec3, radians: f64) -> Pose {
    Pose::about_neck(Pose::turn(axis, radians))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_start_at_rest_without_a_jerk_and_loop() {
        for scene in Scene::ALL {
            for t in [0.0, -1.0, f64::NAN, f64::INFINITY] {
                assert!(scene.pose(t).usable().is_some());
            }
            assert_eq!(scene.pose(0.0), Pose::IDENTITY);
            let soon = scene.pose(1e-3);
            assert!(soon.rotation.angle_between(DQuat::IDENTITY) < 1e-7);
            assert!(soon.translation.length() < 1e-7);
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
        type Measure = fn(&Pose) -> f64;
        let cases: [(Scene, Measure, [f64; 2]); 5] = [
            (Scene::Swing, |p| degrees(p.rotation.z), [-35.0, 35.0]),
            (Scene::Nod, |p| degrees(p.rotation.x), [-25.0, 25.0]),
            (Scene::Turn, |p| degrees(p.rotation.y), [-50.0, 50.0]),
            (Scene::Shake, |p| p.translation.x, [-0.5, 0.5]),
            (Scene::Shake, |p| p.translation.y, [0.0, 0.3]),
        ];
        for (scene, measure, expected) in cases {
            let values = (0..(scene.period_secs() * 240.0) as i32)
                .map(|i| measure(&scene.pose(f64::from(i) / 240.0)));
            let extremes = values.fold([0.0_f64; 2], |[low, high], x| [low.min(x), high.max(x)]);
            for (got, expected) in extremes.into_iter().zip(expected) {
                assert!(
                    (got - expected).abs() <= 0.01 * expected.abs(),
                    "{scene}: {got}"
                );
            }
        }
    }

    fn degrees(half_sine: f64) -> f64 {
        2.0 * half_sine.asin().to_degrees()
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
