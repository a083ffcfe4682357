//! What simulate, render and the window play, wherever it comes from.

use super::SceneError;
use crate::config::Config;
use crate::groom::Groom;
use crate::sim::{Ellipsoid, Pose, PoseTrack, Scene};
use glam::{DVec3, Vec3};
use std::fmt;
use std::path::{Path, PathBuf};

/// The length of a scene whose strands are not moved, seconds: long enough for them to fall.
const FALL_SECS: f64 = 4.0;
/// After the last pose hair swings on for so long before a scene begins anew, seconds.
const SETTLE_SECS: f64 = 1.5;
/// Frames a second of a file that tells how many frames only.
const DEFAULT_FPS: f64 = 60.0;
/// Poses that are looked at to know where strands get.
const LOOKS: u32 = 48;

/// A scene by name, from a file, or made of poses: strands or a head, how the head moves, settings.
#[derive(Clone, Debug)]
pub struct SceneSetup {
    /// The file that it came from.
    pub(crate) file: Option<PathBuf>,
    /// Frames to write, the start among them.
    pub frames: Option<u32>,
    /// Frames for each second.
    pub fps: Option<f64>,
    /// A head file, as a path from where the program runs.
    pub head: Option<PathBuf>,
    /// Strands instead of a head and its hair.
    pub strands: Option<Groom>,
    /// The obstacle of these strands.
    pub skull: Option<Ellipsoid>,
    pub(crate) motion: Motion,
    pub(crate) settings: Vec<(String, String)>,
}

/// The motion of the head.
#[derive(Clone, Debug)]
pub(crate) enum Motion {
    Named(Scene),
    /// At least one, times rising.
    Keys(Vec<(f64, Pose)>),
    Track(PoseTrack),
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
            motion: Motion::Named(scene),
            settings: Vec::new(),
        }
    }
}

impl From<PoseTrack> for SceneSetup {
    fn from(poses: PoseTrack) -> Self {
        Self {
            frames: u32::try_from(poses.len()).ok(),
            strands: None,
            motion: Motion::Track(poses),
            ..Self::from(Scene::Still)
        }
    }
}

/// The name of a scene, the path of a file, or `poses`.
impl fmt::Display for SceneSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, &self.motion) {
            (Some(path), _) => path.display().fmt(f),
            (None, Motion::Named(scene)) => scene.fmt(f),
            (None, _) => f.write_str("poses"),
        }
    }
}

impl SceneSetup {
    /// The file that it came from.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The named scene that it is; `None` for files and poses.
    pub fn scene(&self) -> Option<Scene> {
        match (&self.file, &self.motion) {
            (None, Motion::Named(scene)) => Some(*scene),
            _ => None,
        }
    }

    /// Puts the scene's settings into `config`.
    ///
    /// # Errors
    /// When there is no such setting, or its value is not allowed.
    pub fn prepare(&self, config: &mut Config) -> Result<(), SceneError> {
        if let Motion::Named(scene) = self.motion {
            scene.prepare(&mut config.sim);
        }
        for (key, value) in &self.settings {
            let set = config.set(key, value);
            set.map_err(|problem| SceneError::Setting {
                file: self.file.clone().unwrap_or_default(),
                problem,
            })?;
        }
        Ok(())
    }

    /// Combs hair as its motion wants it: [`Scene::comb`].
    pub fn comb(&self, groom: &mut Groom) {
        if let Motion::Named(scene) = self.motion {
            scene.comb(groom);
        }
    }

    /// Returns the pose of the head at a time.
    pub fn pose(&self, time_secs: f64) -> Pose {
        let keys = match &self.motion {
            Motion::Named(scene) => return scene.pose(time_secs),
            Motion::Track(poses) => return poses.at(time_secs),
            Motion::Keys(keys) => keys,
        };
        let after = keys.partition_point(|(time, _)| *time <= time_secs);
        match (after.checked_sub(1).map(|i| &keys[i]), keys.get(after)) {
            (Some((t0, from)), Some((t1, to))) => {
                from.interpolate(to, (time_secs - t0) / (t1 - t0))
            }
            (Some((_, pose)), None) | (None, Some((_, pose))) => *pose,
            (None, None) => Pose::IDENTITY,
        }
    }

    /// Returns the length of the scene, seconds: until its last pose, or a period of its motion.
    pub fn period_secs(&self) -> f64 {
        match &self.motion {
            Motion::Named(scene) => scene.period_secs(),
            Motion::Keys(keys) => keys.last().map_or(0.0, |(time, _)| *time),
            Motion::Track(poses) => poses.duration_secs(),
        }
    }

    /// Whether it begins with hair at rest, and does so again in each round. A mere head motion
    /// continues from the present state of head and hair, and loops by itself.
    pub fn starts_from_rest(&self) -> bool {
        match self.scene() {
            Some(scene) => scene.starts_from_rest(),
            None => true,
        }
    }

    /// Returns the length of a round, seconds, above 0: the length of the frames of a file, else
    /// the time until hair has come to rest after the last pose.
    pub fn loop_secs(&self) -> f64 {
        let told = self.frames.filter(|_| self.file.is_some());
        if let Some(frames @ 2..) = told {
            return f64::from(frames - 1) / self.fps.unwrap_or(DEFAULT_FPS);
        }
        match (&self.motion, &self.file) {
            (Motion::Named(Scene::Still), Some(_)) => FALL_SECS,
            (Motion::Named(scene), _) => scene.period_secs(),
            _ => self.period_secs() + SETTLE_SECS,
        }
    }

    /// Returns the space that its own strands can reach, world space: a ball (centre and radius)
    /// around the root of each and one around the skull, wherever they are moved. `None` without
    /// such strands.
    pub fn reach(&self) -> Option<Vec<(Vec3, f32)>> {
        let strands = self.strands.as_ref()?;
        let skull = (self.skull.iter()).map(|skull| (skull.center, skull.radii.max_element()));
        let balls = (strands.roots.iter().copied()).zip(strands.lengths.iter().copied());
        let balls: Vec<(Vec3, f32)> = balls.chain(skull).collect();
        let span_secs = self.loop_secs();
        let times = (0..LOOKS).map(|i| span_secs * f64::from(i) / f64::from(LOOKS - 1));
        let mut looks: Vec<Pose> = times.map(|time| self.pose(time)).collect();
        if let Motion::Keys(keys) = &self.motion {
            looks.extend(keys.iter().map(|(_, pose)| *pose));
        }
        looks.dedup(); // A head that stands still is looked at once.
        let carried = |pose: &Pose, center: Vec3| -> DVec3 { pose.transform_point(center.into()) };
        let reach = looks.iter().flat_map(|pose| {
            let balls = balls.iter();
            balls.map(move |&(center, radius)| (carried(pose, center).as_vec3(), radius))
        });
        Some(reach.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_scene_is_played_as_it_is() {
        for scene in Scene::ALL {
            let setup = SceneSetup::from(scene);
            assert_eq!(setup.scene(), Some(scene));
            assert_eq!(setup.to_string(), scene.name());
            assert_eq!(setup.strands, scene.strands());
            assert_eq!(setup.pose(0.7), scene.pose(0.7));
            assert_eq!(setup.loop_secs(), scene.period_secs());
            let (mut config, mut sim) = (Config::default(), Config::default().sim);
            setup.prepare(&mut config).unwrap();
            scene.prepare(&mut sim);
            assert_eq!(config.sim, sim);
            assert_eq!(setup.reach().is_some(), scene.strands().is_some());
        }
    }

    #[test]
    fn poses_are_played_frame_by_frame() {
        let at = |x: f64| Pose::new(Pose::IDENTITY.rotation, DVec3::new(x, 0.0, 0.0));
        let track = PoseTrack::new([at(0.0), at(1.0), at(2.0)], 10.0).unwrap();
        let setup = SceneSetup::from(track);
        assert_eq!((setup.frames, setup.scene()), (Some(3), None));
        assert_eq!(setup.to_string(), "poses");
        assert!((setup.period_secs() - 0.2).abs() < 1e-12);
        assert_eq!(setup.pose(0.1), at(1.0));
    }

    #[test]
    fn strands_are_where_their_roots_are_carried() {
        let mut setup = SceneSetup::from(Scene::Cantilever);
        let aside = Pose::new(Pose::IDENTITY.rotation, DVec3::new(3.0, 0.0, 0.0));
        setup.motion = Motion::Keys(vec![(0.0, Pose::IDENTITY), (1.0, aside)]);
        let reach = setup.reach().unwrap();
        assert_eq!(reach.first(), Some(&(Vec3::ZERO, 1.0)));
        assert_eq!(reach.last(), Some(&(Vec3::new(3.0, 0.0, 0.0), 1.0)));
    }
}
