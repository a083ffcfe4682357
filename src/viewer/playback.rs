//! The motion of the head, by hand, by a scene and back to rest, and slow motion.

use glam::{DQuat, EulerRot, Vec2, Vec3};
use mohawk::scene_file::SceneSetup;
use mohawk::sim::{Pose, Scene, Simulation};
use std::rc::Rc;

/// The motion of the head, and the passing of time.
#[derive(Default)]
pub(crate) struct Playback {
    pub(crate) motion: HeadMotion,
    /// `true` if the head returns to rest when it is let go of.
    pub(crate) returns_to_rest: bool,
    pub(crate) paused: bool,
    pub(crate) speed: Speed,
    /// The sum of the frames' durations while time went on, seconds.
    pub(crate) running_secs: f64,
}

impl Playback {
    /// Logs simulated time and the frames' durations, which tests compare.
    pub(crate) fn log_time(&self, sim: &Simulation) {
        let steps = sim.steps();
        let state = if self.paused { "paused" } else { "going" };
        let secs = self.running_secs;
        tracing::info!("{state} at step {steps}, after {secs:.4} s of frames");
    }
}

/// The speeds as shares of real time, and their names.
const SHARES: [(f64, &str); 5] = [
    (1.0, "1"),
    (0.5, "1/2"),
    (0.25, "1/4"),
    (0.1, "1/10"),
    (1.0 / 30.0, "1/30"),
];

/// One of a few speeds. The first is real time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Speed(usize);

impl Speed {
    /// Returns every speed, the fastest first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..SHARES.len()).map(Self)
    }

    /// Returns the simulated seconds per second.
    pub(crate) fn share(self) -> f64 {
        SHARES[self.0].0
    }

    /// Returns the name.
    pub(crate) fn name(self) -> &'static str {
        SHARES[self.0].1
    }

    /// Returns the next slower speed, or the slowest.
    pub(crate) fn slower(self) -> Self {
        Self((self.0 + 1).min(SHARES.len() - 1))
    }

    /// Returns the next faster speed, or the fastest.
    pub(crate) fn faster(self) -> Self {
        Self(self.0.saturating_sub(1))
    }
}

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

/// Degrees of swing per logical pixel of drag near rest, as in the reference program.
const DEGREES_PER_PIXEL: f32 = 0.5;
/// The limits of nod, turn and tilt, degrees either way. Hair of the standard head hardly leaves the
/// usual view within them.
const MAX_ANGLES: Vec3 = Vec3::new(40.0, 120.0, 50.0);
/// The argument of the hyperbolic tangent at the limits.
const AT_LIMITS: f32 = 2.0;
/// The largest shift of the head, decimetres either way.
const MAX_SHIFT: f32 = 2.0;
/// Time in which a scene takes over a head that is not at rest, seconds.
const TAKE_OVER_SECS: f64 = 0.4;
/// Rate at which a released head returns to rest, 1/s: 95 % there after half a second.
const RETURN_RATE: f32 = 6.0;

/// The head's commanded pose.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeadMotion {
    /// Nod, turn and tilt, degrees.
    angles: Vec3,
    /// The displacement of the neck, decimetres.
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

    /// Returns by how much a camera follows the scene that plays at simulated time `now`.
    pub(crate) fn followed(&self, now: f64) -> Option<Vec3> {
        let playing = self.playing.as_ref()?;
        Some(playing.setup.followed_at(now - playing.since))
    }

    /// Returns `true` if the head is farther away than it can be moved by hand.
    pub(crate) fn is_away(&self) -> bool {
        self.shift.abs().max_element() > MAX_SHIFT
    }

    /// Returns the scene that is playing.
    pub(crate) fn playing(&self) -> Option<&Rc<SceneSetup>> {
        self.playing.as_ref().map(|playing| &playing.setup)
    }

    /// Ends a scene that was to play once and is over. Returns a scene that begins from rest and is
    /// to begin anew.
    pub(crate) fn end_round(&mut self, now: f64) -> Option<Rc<SceneSetup>> {
        let playing = self.playing.as_ref()?;
        if playing.is_over(now) {
            *self = Self::default();
            return None;
        }
        let setup = &playing.setup;
        let over = setup.starts_from_rest() && now - playing.since >= setup.loop_secs();
        over.then(|| setup.clone())
    }

    /// Stops the scene at its current pose. The user controls the head from then on.
    pub(crate) fn grab(&mut self, now: f64) {
        if let Some(playing) = self.playing.take() {
            let pose = playing.pose(now);
            let (turn, nod, tilt) = pose.rotation.to_euler(EulerRot::YXZ);
            self.angles = [nod, turn, -tilt]
                .map(|angle| angle.to_degrees() as f32)
                .into();
            let turned = Pose::about_neck(pose.rotation).translation;
            self.shift = (pose.translation - turned).as_vec3();
        }
    }

    /// Follows a drag of `delta` logical pixels (y down), seen by a camera at `yaw`;
    /// `pixel_size`: decimetres per pixel at the head. The top of the head goes where
    /// the pointer goes, from whichever side it is seen.
    pub(crate) fn drag(&mut self, kind: HeadDrag, delta: Vec2, yaw: f32, pixel_size: f32) {
        let (sin, cos) = yaw.sin_cos();
        let Vec2 { x, y } = delta * DEGREES_PER_PIXEL;
        let turned = match kind {
            HeadDrag::Swing => Vec3::new(y * cos - x * sin, 0.0, x * cos + y * sin),
            HeadDrag::Turn => Vec3::new(y * cos, x, 0.0),
            HeadDrag::Shift => {
                let right = Vec3::new(cos, 0.0, -sin);
                let moved = self.shift + (right * delta.x - Vec3::Y * delta.y) * pixel_size;
                self.shift = moved.clamp(Vec3::splat(-MAX_SHIFT), Vec3::splat(MAX_SHIFT));
                return;
            }
        };
        // The neck resists more and more towards its limits. A drag out and back ends where it began.
        let scale = MAX_ANGLES / AT_LIMITS.tanh();
        let resisted = |axis: usize| {
            let now = self.angles[axis].clamp(-MAX_ANGLES[axis], MAX_ANGLES[axis]);
            let free = (now / scale[axis]).atanh() + turned[axis] / scale[axis];
            scale[axis] * free.clamp(-AT_LIMITS, AT_LIMITS).tanh()
        };
        // An angle that a scene left beyond its limit stays until it is dragged itself.
        let angles = Vec3::from_array(std::array::from_fn(resisted));
        self.angles = Vec3::select(turned.cmpeq(Vec3::ZERO), self.angles, angles);
    }

    /// Lets a released head ease back over `dt_secs`.
    pub(crate) fn return_to_rest(&mut self, dt_secs: f32) {
        let keep = (-RETURN_RATE * dt_secs).exp();
        for (value, least) in [(&mut self.angles, 0.01), (&mut self.shift, 1e-4)] {
            let is_there = value.abs().cmplt(Vec3::splat(least));
            *value = Vec3::select(is_there, Vec3::ZERO, *value * keep);
        }
    }

    /// Returns `true` if the pose changes without a drag.
    pub(crate) fn is_moving(&self, returns: bool, now: f64) -> bool {
        let at_rest = self.angles == Vec3::ZERO && self.shift == Vec3::ZERO;
        // A scene moves the head or loops, unless it stands still and has taken over.
        let plays = self.playing.as_ref().is_some_and(|playing| {
            playing.setup.scene() != Some(Scene::Still) || now - playing.since < TAKE_OVER_SECS
        });
        plays || (returns && !at_rest)
    }

    /// Returns the pose at simulated time `now`.
    pub(crate) fn pose(&self, now: f64) -> Pose {
        if let Some(playing) = &self.playing {
            return playing.pose(now);
        }
        let radians = |degrees: f32| f64::from(degrees).to_radians();
        let [nod, turn, tilt] = self.angles.to_array().map(radians);
        let rotation = DQuat::from_rotation_y(turn)
            * DQuat::from_rotation_x(nod)
            * DQuat::from_rotation_z(-tilt);
        let mut pose = Pose::about_neck(rotation);
        pose.translation += self.shift.as_dvec3();
        pose
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn named(scene: Scene) -> Rc<SceneSetup> {
        Rc::new(scene.into())
    }

    /// Returns a head that was dragged to the side and up.
    fn tilted() -> HeadMotion {
        let mut motion = HeadMotion::default();
        motion.drag(HeadDrag::Swing, Vec2::new(80.0, -30.0), 0.0, 0.01);
        motion
    }

    #[test]
    fn what_begins_from_rest_begins_anew_and_what_stands_still_rests() {
        let mut motion = tilted();
        motion.play(named(Scene::Drop), 0.0, false);
        assert_eq!(motion.pose(0.0), Pose::IDENTITY);
        assert!(motion.end_round(3.9).is_none() && motion.end_round(4.0).is_some());
        assert!(motion.is_moving(false, 9.0));
        motion.play(named(Scene::Still), 0.0, false);
        assert!(motion.end_round(9.0).is_none());
        assert!(motion.is_moving(false, 0.1) && !motion.is_moving(false, 1.0));
    }

    #[test]
    fn the_crown_follows_the_pointer_from_every_side() {
        for yaw_deg in [0.0_f32, 90.0, 180.0, 270.0, 40.0] {
            let yaw = yaw_deg.to_radians();
            let mut motion = HeadMotion::default();
            motion.drag(HeadDrag::Swing, Vec2::new(30.0, 0.0), yaw, 0.01);
            let right = DVec3::new(f64::from(yaw.cos()), 0.0, -f64::from(yaw.sin()));
            let crown = DVec3::new(0.0, 1.2, 0.0);
            let way = motion.pose(0.0).transform_point(crown) - crown;
            assert!(way.dot(right) > 0.3, "seen from {yaw_deg} degrees");
        }
    }

    #[test]
    fn dragging_stops_at_the_limits_of_a_neck() {
        let mut motion = HeadMotion::default();
        motion.drag(HeadDrag::Swing, Vec2::new(1e6, 1e6), 0.0, 0.01);
        let limits = MAX_ANGLES * Vec3::new(1.0, 0.0, 1.0);
        assert!(motion.angles.distance(limits) < 1e-3, "{}", motion.angles);
        motion.drag(HeadDrag::Shift, Vec2::new(1e9, 0.0), 0.0, 0.01);
        assert_eq!(motion.shift.x, MAX_SHIFT);
    }

    #[test]
    fn a_drag_out_and_back_ends_where_it_began() {
        let mut motion = HeadMotion::default();
        for pixels in [4.0, -4.0] {
            for _ in 0..50 {
                motion.drag(HeadDrag::Swing, Vec2::new(pixels, 0.0), 0.6, 0.01);
            }
            let lean = motion.angles.abs().max_element();
            let is_right = match pixels > 0.0 {
                true => lean > 45.0,
                false => lean < 0.01,
            };
            assert!(is_right, "{}", motion.angles);
        }
    }

    #[test]
    fn grabbing_a_playing_head_does_not_make_it_jump() {
        for scene in [Scene::Swing, Scene::Nod, Scene::Turn, Scene::Shake] {
            let mut motion = HeadMotion::default();
            motion.play(named(scene), 2.0, false);
            let before = motion.pose(2.9);
            motion.grab(2.9);
            let after = motion.pose(2.9);
            let turned = before.rotation.angle_between(after.rotation);
            let moved = before.translation.distance(after.translation);
            assert!(turned < 1e-3 && moved < 1e-3, "{scene:?}");
        }
    }

    #[test]
    fn a_scene_takes_over_a_tilted_head_without_a_jump_and_begins_anew_from_its_first_pose() {
        let mut motion = tilted();
        let before = motion.pose(5.0);
        motion.play(named(Scene::Nod), 5.0, false);
        let step = |a: Pose, b: Pose| a.rotation.angle_between(b.rotation);
        assert!(step(before, motion.pose(5.0)) < 1e-6);
        for i in 0..240 {
            let now = 5.0 + f64::from(i) / 240.0;
            assert!(step(motion.pose(now), motion.pose(now + 1.0 / 240.0)) < 0.03);
        }
        assert_eq!(motion.pose(7.0), Scene::Nod.pose(2.0));
        motion.restart();
        for time in [0.0, 0.1, 0.9] {
            assert_eq!(motion.pose(time), Scene::Nod.pose(time));
        }
    }

    #[test]
    fn a_released_head_comes_to_rest_exactly() {
        let mut motion = tilted();
        motion.drag(HeadDrag::Shift, Vec2::new(80.0, -30.0), 0.0, 0.01);
        assert!(motion.is_moving(true, 0.0) && !motion.is_moving(false, 0.0));
        for _ in 0..240 {
            motion.return_to_rest(1.0 / 60.0);
        }
        assert!(!motion.is_moving(true, 0.0));
        assert_eq!(motion.pose(0.0), Pose::IDENTITY);
    }

    #[test]
    fn speeds_fall_and_stop_at_their_ends() {
        let all: Vec<_> = Speed::all().collect();
        assert_eq!(all[0], Speed::default());
        assert_eq!((all[0].share(), all[0].faster()), (1.0, all[0]));
        for pair in all.windows(2) {
            assert!(pair[0].share() > pair[1].share());
            assert_eq!((pair[0].slower(), pair[1].faster()), (pair[1], pair[0]));
        }
        let slowest = all[all.len() - 1];
        assert_eq!(slowest.slower(), slowest);
    }
}
