//! Scenes: named head motions as functions of simulated time, with the strands and settings that
//! some of them bring. Viewer, `render`, `simulate`, tests and benches share them.
//!
//! [`pose_track`] has motions from sampled poses.

mod pose_track;

pub use pose_track::PoseTrack;

use super::forces::{ForceSettings, Push};
use super::pose::Pose;
use super::settings::{AngularSettings, SimSettings};
use crate::choices;
use crate::det_math::sin_cos;
use crate::groom::Groom;
use glam::{DQuat, DVec3, Vec3};
use std::f64::consts::TAU;
use std::sync::Arc;

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

/// A motion eases in and out over this time, seconds: long enough to look like muscles, and less
/// than the quarter wave of a tilt, so that its first peak is a full one.
const EASE_SECS: f64 = 0.3;
const PENDULUM_RADIANS: f64 = 30.0 * TAU / 360.0;
/// Forces of the published gust. Frames of the source are 0.1 s; its -x is our -z.
const GUST: [Push; 2] = [
    Push {
        from_secs: 0.0,
        acceleration: [0.0, 0.0, -200.0],
    },
    Push {
        from_secs: 1.5,
        acceleration: [0.0, -250.0, -20.0],
    },
];
/// Lift of combed hair off the skin, as a share of its way down where the skin is steep.
const COMBED_LIFT: f32 = 0.6;

impl Scene {
    /// Returns the head pose at `t_secs` of simulated time; the rest pose at 0 and before. All
    /// platforms give the same bits.
    pub fn pose(self, t_secs: f64) -> Pose {
        let (wave_secs, active_secs, period_secs) = self.rhythm();
        // NaN and infinity are taken as the start.
        let is_moving = t_secs > 0.0 && t_secs.is_finite();
        let t = if is_moving { t_secs % period_secs } else { 0.0 };
        let envelope = ease(t / EASE_SECS) * ease((active_secs - t) / EASE_SECS);
        let (sin, _) = sin_cos(TAU * t.min(active_secs) / wave_secs);
        // −1 to 1, and 0 to 1 twice as often.
        let (wave, bump) = (envelope * sin, envelope * sin * sin);
        let turn = |axis, peak_deg: f64, wave| Pose::turn(axis, peak_deg * TAU / 360.0 * wave);
        // A walking or running head goes up and nods with every step, and moves and tilts from side
        // to side with every other.
        let gait = |[sideways_dm, up_dm]: [f64; 2], nod_deg, tilt_deg| {
            let tilted = turn(DVec3::Z, tilt_deg, wave) * turn(DVec3::X, nod_deg, bump);
            let mut pose = Pose::about_neck(tilted);
            pose.translation += DVec3::new(-sideways_dm * wave, up_dm * bump, 0.0);
            pose
        };
        match self {
            Scene::Still | Scene::Drop | Scene::Gust | Scene::Pendulum | Scene::Cantilever => {
                Pose::IDENTITY
            }
            Scene::Walk => gait([0.2, 0.25], 3.0, 2.5),
            Scene::Run => gait([0.15, 0.7], 7.0, 4.0),
            Scene::Swing => Pose::about_neck(turn(DVec3::Z, 35.0, wave)),
            Scene::Nod => Pose::about_neck(turn(DVec3::X, 25.0, wave)),
            Scene::Turn => Pose::about_neck(turn(DVec3::Y, 50.0, wave)),
            // Up once on the way to each side, as on a figure of eight.
            Scene::Shake => Pose::new(DQuat::IDENTITY, DVec3::new(0.5 * wave, 0.3 * bump, 0.0)),
        }
    }

    /// Returns the time after which the head motion repeats, seconds.
    pub fn period_secs(self) -> f64 {
        let (_, _, period_secs) = self.rhythm();
        period_secs
    }

    /// Returns the length of a wave, the time until the head is back at rest, which is whole half
    /// waves, and the length of motion and pause; seconds.
    fn rhythm(self) -> (f64, f64, f64) {
        match self {
            Scene::Still => (1.0, 0.0, 1.0), // Any period would do.
            Scene::Swing => (1.6, 2.4, 4.0),
            Scene::Nod => (1.2, 2.4, 4.0),
            Scene::Turn => (1.8, 2.7, 4.5),
            Scene::Shake => (0.8, 2.4, 4.0),
            Scene::Walk => (1.0, 4.0, 5.5),
            Scene::Run => (2.0 / 3.0, 4.0, 5.5),
            // The hair falls in this time.
            Scene::Drop | Scene::Gust | Scene::Pendulum | Scene::Cantilever => (1.0, 0.0, 4.0),
        }
    }

    /// Returns the strands of a scene without a head; `None` for scenes with one.
    pub fn strands(self) -> Option<Groom> {
        let (sin, cos) = sin_cos(PENDULUM_RADIANS);
        let direction = match self {
            Scene::Pendulum => DVec3::new(sin, -cos, 0.0).as_vec3(),
            Scene::Cantilever => Vec3::X,
            _ => return None,
        };
        Some(Groom::parallel(vec![Vec3::ZERO], direction, 1.0))
    }

    /// Returns `true` if the scene begins with hair at rest, which then falls or is blown about.
    /// The others only move the head.
    pub fn starts_from_rest(self) -> bool {
        matches!(
            self,
            Scene::Drop | Scene::Gust | Scene::Pendulum | Scene::Cantilever
        )
    }

    /// Combs hair for the scene: for `gust` down along the skin where that is steep, and less the
    /// flatter it is, so that wind from the front meets all of it from the side.
    /// Strands that have curves keep them. Other scenes leave it shared.
    pub fn comb(self, groom: &mut Arc<Groom>) {
        if self != Scene::Gust {
            return;
        }
        let groom = Arc::make_mut(groom);
        for (direction, &normal) in groom.directions.iter_mut().zip(&groom.normals) {
            let down = Vec3::NEG_Y - normal * Vec3::NEG_Y.dot(normal);
            *direction = (down + normal * COMBED_LIFT).normalize_or(normal);
        }
    }

    /// Changes the settings that belong to the scene, but not the solver.
    pub fn prepare(self, settings: &mut SimSettings) {
        if let Scene::Gust | Scene::Pendulum | Scene::Cantilever = self {
            settings.forces = ForceSettings::default();
            settings.hold = 0.0;
        }
        if let Scene::Drop | Scene::Pendulum | Scene::Cantilever = self {
            settings.sag_free = false;
        }
        if self.starts_from_rest() {
            // Without weight, springs neither fall nor feel pushes.
            settings.spring.weight = 1.0;
        }
        match self {
            Scene::Gust => {
                settings.strand_particles = 11;
                settings.forces.gravity = [0.0; 3];
                settings.forces.drag = 0.0;
                settings.forces.pushes = GUST.to_vec();
                settings.angular = AngularSettings {
                    damping: 1.0,
                    inertia: 100.0,
                    friction_crown: 0.2,
                    ..AngularSettings::default()
                };
            }
            Scene::Pendulum => {
                settings.strand_particles = 2;
                settings.forces.drag = 0.0;
                settings.ftl.damping = 0.0;
                settings.angular.damping = 0.0;
                settings.rod.damping = 0.0;
            }
            Scene::Cantilever => {
                settings.strand_particles = 17;
                settings.rod.bending = 9.81;
            }
            _ => {}
        }
    }
}

/// Returns 0 before 0, 1 after 1, in between 6x⁵ − 15x⁴ + 10x³: starts and ends with neither speed
/// nor acceleration (Perlin 2002).
fn ease(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * x * (x * (x * 6.0 - 15.0) + 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motions_start_at_rest_without_a_jerk_and_loop() {
        for scene in Scene::ALL {
            for t in [0.0, -1.0, f64::NAN, f64::INFINITY] {
                assert_eq!(scene.pose(t), Pose::IDENTITY);
            }
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
    fn motions_reach_their_amplitudes_on_both_sides() {
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
                let error = (got - expected).abs();
                assert!(error <= 0.01 * expected.abs(), "{scene}: {got}");
            }
        }
        let early = Scene::Nod.pose(0.2).transform_vector(DVec3::Z);
        assert!(early.y < -0.1, "a nod goes down first");
    }

    fn degrees(half_sine: f64) -> f64 {
        2.0 * half_sine.asin().to_degrees()
    }
}
