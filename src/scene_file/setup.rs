//! The scene that simulate, render and the window play.

use super::SceneError;
use super::animated::Animated;
use crate::config::Config;
use crate::groom::Groom;
use crate::head::Head;
use crate::sim::{Ellipsoid, Pose, PoseTrack, Scene, SpringSettings};
use crate::told::parser_text;
use glam::{DVec3, Vec3};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// The length of a scene file without motion, seconds: long enough for strands to fall.
const FALL_SECS: f64 = 4.0;
/// The time after the last pose in which hair comes to rest, seconds.
const SETTLE_SECS: f64 = 1.5;
/// The frame rate of a file that has a number of frames only.
const DEFAULT_FPS: f64 = 60.0;
/// The number of poses at which the extent of strands is sampled.
const EXTENT_POSES: u32 = 48;

/// A scene by name, from a file, or made of poses: strands or a head, the motion of the head,
/// settings.
#[derive(Clone, Debug)]
pub struct SceneSetup {
    /// The scene file, if it came from one.
    pub file: Option<PathBuf>,
    /// The number of frames to write, including that of the start.
    pub frames: Option<u32>,
    /// The frame rate, 1/s.
    pub fps: Option<f64>,
    /// A head file, relative to the working directory.
    pub head: Option<PathBuf>,
    /// Strands instead of a head and its hair.
    pub strands: Option<Groom>,
    /// The obstacle of these strands.
    pub skull: Option<Ellipsoid>,
    /// `true` if it was written as a scene file, which may belong to a style.
    pub(super) is_file: bool,
    pub(super) motion: Motion,
    /// Keys and values.
    pub(super) settings: Vec<(String, String)>,
}

/// The motion of the head.
#[derive(Clone, Debug)]
pub(super) enum Motion {
    Named(Scene),
    /// Times, seconds, and poses: at least one, in the order of time. They turn about a pivot.
    Keys(Vec<(f64, Pose)>, DVec3),
    Track(PoseTrack),
    Animated(Arc<Animated>),
}

impl From<Scene> for SceneSetup {
    fn from(scene: Scene) -> Self {
        Self {
            file: None,
            frames: None,
            fps: None,
            head: None,
            strands: scene.strands(),
            skull: None,
            is_file: false,
            motion: Motion::Named(scene),
            settings: Vec::new(),
        }
    }
}

impl From<PoseTrack> for SceneSetup {
    fn from(poses: PoseTrack) -> Self {
        Self {
            frames: u32::try_from(poses.len()).ok(),
            motion: Motion::Track(poses),
            ..Self::from(Scene::Still)
        }
    }
}

/// Writes the name of a scene or an animation, the path of a file, or `poses`.
impl fmt::Display for SceneSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, &self.motion) {
            (Some(path), _) => path.display().fmt(f),
            (None, Motion::Named(scene)) => scene.fmt(f),
            (None, Motion::Animated(animated)) => f.write_str(animated.name()),
            (None, _) => f.write_str("poses"),
        }
    }
}

impl SceneSetup {
    /// Returns an animation of a head, by its place in the list of its [`Rig`](crate::head::Rig); `None`
    /// if the head has none.
    pub fn of_animation(head: &Head, animation: usize) -> Option<Self> {
        let animated = Animated::new(head, animation)?;
        Some(Self {
            motion: Motion::Animated(Arc::new(animated)),
            ..Self::from(Scene::Still)
        })
    }

    /// Returns the place of the animation that it plays in the list of its [`Rig`](crate::head::Rig).
    pub fn animation(&self) -> Option<usize> {
        match &self.motion {
            Motion::Animated(animated) => Some(animated.number()),
            _ => None,
        }
    }

    /// Returns the named scene; `None` for files and poses.
    pub fn scene(&self) -> Option<Scene> {
        match &self.motion {
            Motion::Named(scene) if !self.is_file => Some(*scene),
            _ => None,
        }
    }

    /// Writes the scene's settings into `config`.
    ///
    /// # Errors
    /// [`SceneError::Invalid`] if there is no such setting, or its value is not allowed.
    pub fn prepare(&self, config: &mut Config) -> Result<(), SceneError> {
        // Strands of a scene are for the study of the methods, which move them as published.
        if self.strands.is_some() {
            config.sim.sag_free = false;
            if config.sim.spring == SpringSettings::default() {
                config.sim.spring = SpringSettings::REFERENCE;
            }
        }
        if let Motion::Named(scene) = self.motion {
            scene.prepare(&mut config.sim);
        }
        for (key, value) in &self.settings {
            let set = config.set(key, value);
            set.map_err(|problem| {
                let file = self.file.clone().unwrap_or_default();
                SceneError::Invalid(file, format!("[settings]: {}", parser_text(problem)))
            })?;
        }
        Ok(())
    }

    /// Combs hair for a named motion, as [`Scene::comb`]. The scene's own strands stay as they are.
    pub fn comb(&self, groom: &mut Arc<Groom>) {
        if let (Motion::Named(scene), None) = (&self.motion, &self.strands) {
            scene.comb(groom);
        }
    }

    /// Returns the pose of the head at a time.
    pub fn pose(&self, time_secs: f64) -> Pose {
        let (keys, pivot) = match &self.motion {
            Motion::Named(scene) => return scene.pose(time_secs),
            Motion::Track(poses) => return poses.at(time_secs),
            Motion::Animated(animated) => return animated.pose(time_secs),
            Motion::Keys(keys, pivot) => (keys, *pivot),
        };
        let after = keys.partition_point(|(time, _)| *time <= time_secs);
        let mut pose = match (after.checked_sub(1).map(|i| &keys[i]), keys.get(after)) {
            (Some((t0, from)), Some((t1, to))) => {
                from.interpolate(to, (time_secs - t0) / (t1 - t0))
            }
            (Some((_, pose)), None) | (None, Some((_, pose))) => *pose,
            (None, None) => Pose::IDENTITY,
        };
        // Translations of keys are without this, or the pivot would move between them.
        pose.translation += pivot - pose.rotation * pivot;
        pose
    }

    /// Returns by how much a camera follows the head at a time, world space: that of an animation walks.
    pub fn followed_at(&self, time_secs: f64) -> Vec3 {
        match &self.motion {
            Motion::Animated(animated) => animated.followed_at(time_secs).as_vec3(),
            _ => Vec3::ZERO,
        }
    }

    /// Returns the length of the scene, seconds: until its last pose, or a period of its motion.
    pub fn period_secs(&self) -> f64 {
        match &self.motion {
            Motion::Named(scene) => scene.period_secs(),
            Motion::Keys(keys, _) => keys.last().map_or(0.0, |(time, _)| *time),
            Motion::Track(poses) => poses.duration_secs(),
            Motion::Animated(animated) => animated.period_secs(),
        }
    }

    /// Returns `true` if each round begins with hair at rest. Named head motions and animations instead
    /// continue from the current state of head and hair, and loop by themselves.
    pub fn starts_from_rest(&self) -> bool {
        self.animation().is_none() && self.scene().is_none_or(Scene::starts_from_rest)
    }

    /// Returns the length of a round, seconds, above 0: the length of the frames of a file, else
    /// the time until hair has come to rest after the last pose.
    pub fn loop_secs(&self) -> f64 {
        match (&self.motion, self.frames) {
            (Motion::Named(_) | Motion::Keys(..), Some(frames @ 2..)) => {
                f64::from(frames - 1) / self.fps.unwrap_or(DEFAULT_FPS)
            }
            (Motion::Named(Scene::Still), _) if self.is_file => FALL_SECS,
            (Motion::Named(_) | Motion::Animated(_), _) => self.period_secs(),
            _ => self.period_secs() + SETTLE_SECS,
        }
    }

    /// Returns the space that the scene's own strands can reach, world space, as balls (centre and
    /// radius) around each root and the skull, at poses of the whole scene. Returns `None` without
    /// such strands.
    pub fn reach(&self) -> Option<Vec<(Vec3, f32)>> {
        let strands = self.strands.as_ref()?;
        let skull = (self.skull.iter()).map(|skull| (skull.center, skull.radii.max_element()));
        let balls = (strands.roots.iter().copied()).zip(strands.lengths.iter().copied());
        let balls: Vec<(Vec3, f32)> = balls.chain(skull).collect();
        let per_pose = self.loop_secs() / f64::from(EXTENT_POSES - 1);
        let keys = match &self.motion {
            Motion::Keys(keys, _) => &keys[..],
            _ => &[],
        };
        let times = (0..EXTENT_POSES).map(|i| per_pose * f64::from(i));
        let times = times.chain(keys.iter().map(|(time, _)| *time));
        let mut poses: Vec<Pose> = times.map(|time| self.pose(time)).collect();
        poses.dedup();
        let moved = |pose: &Pose, center: Vec3| pose.transform_point(center.into()).as_vec3();
        let reach = (poses.iter())
            .flat_map(|pose| (balls.iter()).map(move |&(at, radius)| (moved(pose, at), radius)));
        Some(reach.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_scenes_are_played_unchanged() {
        for scene in Scene::ALL {
            let setup = SceneSetup::from(scene);
            assert_eq!(setup.scene(), Some(scene));
            assert_eq!(setup.to_string(), scene.name());
            assert_eq!(setup.strands, scene.strands());
            assert_eq!(setup.pose(0.7), scene.pose(0.7));
            assert_eq!(setup.loop_secs(), scene.period_secs());
            let (mut config, mut sim) = (Config::default(), Config::default().sim);
            setup.prepare(&mut config).unwrap();
            if scene.strands().is_some() {
                sim.spring = SpringSettings::REFERENCE;
            }
            scene.prepare(&mut sim);
            assert_eq!(config.sim, sim);
            assert_eq!(setup.reach().is_some(), scene.strands().is_some());
        }
    }

    #[test]
    fn the_scene_file_of_a_style_plays_as_any() {
        for (text, secs) in [
            (
                "version = 1\nmotion = \"nod\"\nframes = 31\nfps = 10.0",
                3.0,
            ),
            ("version = 1", FALL_SECS),
        ] {
            let setup = SceneSetup::of_style(text).unwrap();
            assert_eq!((setup.scene(), setup.loop_secs()), (None, secs));
            assert!(setup.starts_from_rest());
        }
    }

    #[test]
    fn poses_are_played_at_the_frame_rate() {
        let at = |x: f64| Pose::new(Pose::IDENTITY.rotation, DVec3::new(x, 0.0, 0.0));
        let setup = SceneSetup::from(PoseTrack::new([0.0, 1.0, 2.0].map(at), 10.0).unwrap());
        assert_eq!((setup.frames, setup.scene()), (Some(3), None));
        assert_eq!(setup.to_string(), "poses");
        assert!((setup.period_secs() - 0.2).abs() < 1e-12);
        assert_eq!(setup.pose(0.1), at(1.0));
    }

    #[test]
    fn strands_reach_where_their_roots_are_moved() {
        let mut setup = SceneSetup::from(Scene::Cantilever);
        let moved = Pose::new(Pose::IDENTITY.rotation, DVec3::new(3.0, 0.0, 0.0));
        setup.motion = Motion::Keys(vec![(0.0, Pose::IDENTITY), (1.0, moved)], DVec3::ZERO);
        let reach = setup.reach().unwrap();
        assert_eq!(reach.first(), Some(&(Vec3::ZERO, 1.0)));
        assert_eq!(reach.last(), Some(&(Vec3::new(3.0, 0.0, 0.0), 1.0)));
    }
}
