//! The motion of the head: by hand, by a scene, back to rest.

use glam::{DQuat, DVec3, Vec2, Vec3};
use mohawk::scene_file::SceneSetup;
use mohawk::sim::{Pose, Scene};
use std::rc::Rc;

/// The effect of a drag on the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeadDrag {
    /// Nods and tilts towards the pointer.
    Swing,
    /// Nods and turns.
    Turn,
    /// Moves the head without turning it.
    Shift,
}

/// Degrees of swing per logical pixel of drag, as in the reference program.
const DEGREES_PER_PIXEL: f32 = 0.5;
/// Limits, degrees either way.
const MAX_NOD: f32 = 45.0;
const MAX_TILT: f32 = 90.0;
const MAX_TURN: f32 = 120.0;
/// The largest shift of the head, decimetres either way.
const MAX_SHIFT: f32 = 2.0;
/// Time in which a scene takes over a head that is not at rest, seconds.
const TAKE_OVER_SECS: f64 = 0.4;
/// Rate at which a released head returns to rest, 1/s: 95 % there after half a second.
const RETURN_RATE: f32 = 6.0;

/// The head's commanded pose.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeadMotion {
    nod_deg: f32,
    tilt_deg: f32,
    turn_deg: f32,
    shift: Vec3,
    playing: Option<Playing>,
}

/// A scene that plays.
#[derive(Clone, Debug)]
struct Playing {
    setup: Rc<SceneSetup>,
    /// Simulated time at which it began.
    since: f64,
    /// The pose when the scene began, from which it takes over smoothly. `None`: it begins from
    /// rest.
    from: Option<Pose>,
    /// Ends after one period instead of looping.
    once: bool,
}

impl Playing {
    fn pose(&self, now: f64) -> Pose {
        let elapsed = now - self.since;
        let x = (elapsed / TAKE_OVER_SECS).clamp(0.0, 1.0);
        let pose = if self.is_over(now) {
            Pose::IDENTITY
        } else {
            self.setup.pose(elapsed)
        };
        match &self.from {
            Some(from) => from.interpolate(&pose, x * x * (3.0 - 2.0 * x)),
            None => pose,
        }
    }

    fn is_over(&self, now: f64) -> bool {
        self.once && now - self.since >= self.setup.period_secs()
    }

    /// Whether the scene will move the head, or loop.
    fn is_moving(&self, now: f64) -> bool {
        let stands = self.setup.scene() == Some(Scene::Still);
        !stands || now - self.since < TAKE_OVER_SECS
    }
}

impl HeadMotion {
    /// Plays a scene from simulated time `now`. `once`: one period, then rest.
    pub(crate) fn play(&mut self, setup: Rc<SceneSetup>, now: f64, once: bool) {
        let playing = Playing {
            since: now,
            from: (!setup.starts_from_rest()).then(|| self.pose(now)),
            once,
            setup,
        };
        *self = Self {
            playing: Some(playing),
            ..Self::default()
        };
    }

    /// Restarts the scene that plays, at simulated time 0 and without a transition.
    pub(crate) fn restart(&mut self) {
        if let Some(playing) = &mut self.playing {
            (playing.since, playing.from) = (0.0, None);
        }
    }

    /// The scene that is playing.
    pub(crate) fn playing(&self) -> Option<&Rc<SceneSetup>> {
        self.playing.as_ref().map(|playing| &playing.setup)
    }

    /// A scene that begins from rest and is to begin anew.
    pub(crate) fn round_over(&self, now: f64) -> Option<Rc<SceneSetup>> {
        let playing = self.playing.as_ref()?;
        let setup = &playing.setup;
        let over = setup.starts_from_rest() && now - playing.since >= setup.loop_secs();
        over.then(|| setup.clone())
    }

    /// Back to the rest pose at once, any scene stopped.
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }

    /// The hand takes over: a scene stops where it is.
    pub(crate) fn grab(&mut self, now: f64) {
        if let Some(playing) = self.playing.take() {
            let pose = playing.pose(now);
            let (turn, nod, tilt) = pose.rotation.to_euler(glam::EulerRot::YXZ);
            let degrees = |radians: f64| radians.to_degrees() as f32;
            (self.nod_deg, self.tilt_deg, self.turn_deg) =
                (degrees(nod), degrees(-tilt), degrees(turn));
            self.shift = pose_shift(&pose);
        }
    }

    /// Follows a drag of `delta` logical pixels (y down), seen by a camera at `yaw`;
    /// `pixel_size`: decimetres per pixel at the head. The top of the head goes where
    /// the pointer goes, from whichever side it is seen.
    pub(crate) fn drag(&mut self, kind: HeadDrag, delta: Vec2, yaw: f32, pixel_size: f32) {
        let (sin, cos) = yaw.sin_cos();
        let swing = delta * DEGREES_PER_PIXEL;
        let nod = swing.y * cos - swing.x * sin;
        let tilt = swing.x * cos + swing.y * sin;
        match kind {
            HeadDrag::Swing => {
                self.nod_deg = (self.nod_deg + nod).clamp(-MAX_NOD, MAX_NOD);
                self.tilt_deg = (self.tilt_deg + tilt).clamp(-MAX_TILT, MAX_TILT);
            }
            HeadDrag::Turn => {
                self.nod_deg = (self.nod_deg + swing.y * cos).clamp(-MAX_NOD, MAX_NOD);
                self.turn_deg = (self.turn_deg + swing.x).clamp(-MAX_TURN, MAX_TURN);
            }
            HeadDrag::Shift => {
                let right = Vec3::new(cos, 0.0, -sin);
                let limit = Vec3::splat(MAX_SHIFT);
                let moved = self.shift + (right * delta.x - Vec3::Y * delta.y) * pixel_size;
                self.shift = moved.clamp(-limit, limit);
            }
        }
    }

    /// Lets a released head ease back over `dt_secs`.
    pub(crate) fn return_to_rest(&mut self, dt_secs: f32) {
        let keep = (-RETURN_RATE * dt_secs).exp();
        let settle = |value: f32, least: f32| {
            if value.abs() < least {
                0.0
            } else {
                value * keep
            }
        };
        self.nod_deg = settle(self.nod_deg, 0.01);
        self.tilt_deg = settle(self.tilt_deg, 0.01);
        self.turn_deg = settle(self.turn_deg, 0.01);
        self.shift = Vec3::from_array(self.shift.to_array().map(|v| settle(v, 1e-4)));
    }

    /// Ends a scene that was to play once and is over.
    pub(crate) fn finish_scene(&mut self, now: f64) {
        if self
            .playing
            .as_ref()
            .is_some_and(|playing| playing.is_over(now))
        {
            self.reset();
        }
    }

    /// Whether the pose changes without a drag.
    pub(crate) fn is_moving(&self, returns: bool, now: f64) -> bool {
        let at_rest = self.nod_deg == 0.0
            && self.tilt_deg == 0.0
            && self.turn_deg == 0.0
            && self.shift == Vec3::ZERO;
        let playing = self.playing.as_ref();
        playing.is_some_and(|playing| playing.is_moving(now)) || (returns && !at_rest)
    }

    /// The pose at simulated time `now`.
    pub(crate) fn pose(&self, now: f64) -> Pose {
        if let Some(playing) = &self.playing {
            return playing.pose(now);
        }
        let radians = |degrees: f32| f64::from(degrees).to_radians();
        let rotation = DQuat::from_rotation_y(radians(self.turn_deg))
            * DQuat::from_rotation_x(radians(self.nod_deg))
            * DQuat::from_rotation_z(radians(-self.tilt_deg));
        let mut pose = Pose::about_neck(rotation);
        pose.translation += self.shift.as_dvec3();
        pose
    }
}

/// Returns the displacement of the neck.
fn pose_shift(pose: &Pose) -> Vec3 {
    let turned: DVec3 = Pose::about_neck(pose.rotation).translation;
    (pose.translation - turned).as_vec3()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(scene: Scene) -> Rc<SceneSetup> {
        Rc::new(scene.into())
    }

    #[test]
    fn what_begins_from_rest_begins_anew_and_what_stands_still_rests() {
        let mut motion = HeadMotion::default();
        motion.drag(HeadDrag::Swing, Vec2::new(80.0, -30.0), 0.0, 0.01);
        motion.play(named(Scene::Drop), 0.0, false);
        assert_eq!(motion.pose(0.0), Pose::IDENTITY);
        assert!(motion.round_over(3.9).is_none() && motion.round_over(4.0).is_some());
        assert!(motion.is_moving(false, 9.0));
        motion.play(named(Scene::Still), 0.0, false);
        assert!(motion.round_over(9.0).is_none());
        assert!(motion.is_moving(false, 0.1) && !motion.is_moving(false, 1.0));
    }

    /// Returns the displacement of the crown, head space (0, 1.2, 0).
    fn crown(motion: &HeadMotion) -> DVec3 {
        let crown = DVec3::new(0.0, 1.2, 0.0);
        motion.pose(0.0).transform_point(crown) - crown
    }

    #[test]
    fn the_crown_follows_the_pointer_from_every_side() {
        for yaw_deg in [0.0_f32, 90.0, 180.0, 270.0, 40.0] {
            let yaw = yaw_deg.to_radians();
            let mut motion = HeadMotion::default();
            motion.drag(HeadDrag::Swing, Vec2::new(30.0, 0.0), yaw, 0.01);
            let right = DVec3::new(f64::from(yaw.cos()), 0.0, -f64::from(yaw.sin()));
            assert!(
                crown(&motion).dot(right) > 0.3,
                "seen from {yaw_deg} degrees"
            );
        }
    }

    #[test]
    fn dragging_stops_at_the_limits_of_a_neck() {
        let mut motion = HeadMotion::default();
        motion.drag(HeadDrag::Swing, Vec2::new(1e6, 1e6), 0.0, 0.01);
        assert_eq!((motion.nod_deg, motion.tilt_deg), (MAX_NOD, MAX_TILT));
        motion.drag(HeadDrag::Shift, Vec2::new(1e9, 0.0), 0.0, 0.01);
        assert_eq!(motion.shift.x, MAX_SHIFT);
    }

    #[test]
    fn grabbing_a_playing_head_does_not_make_it_jump() {
        for scene in [Scene::Swing, Scene::Nod, Scene::Turn, Scene::Shake] {
            let mut motion = HeadMotion::default();
            motion.play(named(scene), 2.0, false);
            let before = motion.pose(2.9);
            motion.grab(2.9);
            let after = motion.pose(2.9);
            assert!(
                before.rotation.angle_between(after.rotation) < 1e-3,
                "{scene:?}"
            );
            assert!(
                before.translation.distance(after.translation) < 1e-3,
                "{scene:?}"
            );
        }
    }

    #[test]
    fn a_scene_takes_over_a_tilted_head_without_a_jump() {
        let mut motion = HeadMotion::default();
        motion.drag(HeadDrag::Swing, Vec2::new(80.0, -30.0), 0.0, 0.01);
        let before = motion.pose(5.0);
        motion.play(named(Scene::Nod), 5.0, false);
        let step = |a: Pose, b: Pose| a.rotation.angle_between(b.rotation);
        assert!(step(before, motion.pose(5.0)) < 1e-6);
        for i in 0..240 {
            let now = 5.0 + f64::from(i) / 240.0;
            assert!(step(motion.pose(now), motion.pose(now + 1.0 / 240.0)) < 0.03);
        }
        assert_eq!(motion.pose(7.0), Scene::Nod.pose(2.0));
    }

    #[test]
    fn a_scene_that_begins_anew_does_so_from_its_first_pose() {
        let mut motion = HeadMotion::default();
        motion.drag(HeadDrag::Swing, Vec2::new(80.0, -30.0), 0.0, 0.01);
        motion.play(named(Scene::Nod), 5.0, false);
        motion.restart();
        for time in [0.0, 0.1, 0.9] {
            assert_eq!(motion.pose(time), Scene::Nod.pose(time));
        }
    }

    #[test]
    fn a_released_head_comes_to_rest_exactly() {
        let mut motion = HeadMotion::default();
        motion.drag(HeadDrag::Swing, Vec2::new(80.0, -30.0), 0.0, 0.01);
        motion.drag(HeadDrag::Shift, Vec2::new(80.0, -30.0), 0.0, 0.01);
        assert!(motion.is_moving(true, 0.0) && !motion.is_moving(false, 0.0));
        for _ in 0..240 {
            motion.return_to_rest(1.0 / 60.0);
        }
        assert!(!motion.is_moving(true, 0.0));
        assert_eq!(motion.pose(0.0), Pose::IDENTITY);
    }
}
