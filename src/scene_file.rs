//! What is played: a scene by name or from a file, or poses. Here, what a file may contain: strands
//! or a head, how the head moves, settings.
//!
//! ```toml
//! version = 1
//! frames = 121              # what `mohawk simulate` writes unless told otherwise
//! fps = 60.0
//! head = "my-head.glb"      # beside this file; absent: the head of the command line
//! motion = "nod"            # a named motion; or [[poses]]
//! pivot = [0.0, -0.9, -0.2] # what [[poses]] turn about; absent: the neck, with [[strands]] the origin
//!
//! [[strands]]               # instead of a head and its hair
//! root = [0.0, 0.0, 0.0]
//! direction = [1.0, 0.0, 0.0]
//! length = 1.0
//!
//! [[strands]]               # one that is not straight at rest: root first, tip last
//! points = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.1, 0.1, 0.0]]
//!
//! [skull]                   # what [[strands]] collide with; absent: nothing
//! center = [0.0, 0.0, 0.0]
//! radii = [0.5, 0.5, 0.5]
//!
//! [[poses]]                 # at rising times; in between turned and moved evenly
//! time_secs = 0.0
//! rotation_deg = [0.0, 0.0, 0.0]
//! translation = [0.0, 0.0, 0.0]
//!
//! [settings]                # any, by their keys in a settings file
//! "sim.solver" = "ftl"
//! "sim.forces.wind" = [0.0, 0.0, -20.0]
//! ```

mod setup;

pub use setup::SceneSetup;

use crate::config::ConfigError;
use crate::files::read_plain;
use crate::groom::{Groom, GroomSettings, RestCurves};
use crate::sim::{Ellipsoid, NECK, Pose, Scene};
use glam::{DQuat, DVec3, Vec3};
use serde::Deserialize;
use setup::Motion;
use std::f64::consts::PI;
use std::io;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Largest scene file, bytes.
const MOST_BYTES: u64 = 256 << 20;
/// The version of the file that this program reads.
const VERSION: i64 = 1;
/// Largest coordinate, decimetres.
const FARTHEST: f64 = 1e4;
/// Most points of all strands together.
const MOST_POINTS: usize = 1 << 24;
/// Longest scene, seconds.
const LONGEST_SECS: f64 = 3600.0;

/// An error of a scene file.
#[derive(Debug, thiserror::Error)]
pub enum SceneError {
    /// The file could not be read.
    #[error("{} cannot be read", file.display())]
    Read {
        /// The scene file.
        file: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The file is not TOML, or has an unknown key or a value of the wrong type.
    #[error("{}: {message}", file.display())]
    Parse {
        /// The scene file.
        file: PathBuf,
        /// The place, and what is expected there.
        message: String,
    },
    /// A value that makes no sense.
    #[error("{}: {what}", file.display())]
    Value {
        /// The scene file.
        file: PathBuf,
        /// The thing in it, and what is expected.
        what: String,
    },
    /// One of its settings.
    #[error("{}: [settings]: {problem}", file.display())]
    Setting {
        /// The scene file.
        file: PathBuf,
        /// Key, value and what is expected.
        problem: ConfigError,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SceneFile {
    version: i64,
    frames: Option<u32>,
    fps: Option<f64>,
    head: Option<PathBuf>,
    motion: Option<Scene>,
    pivot: Option<[f64; 3]>,
    #[serde(default)]
    strands: Vec<Strand>,
    skull: Option<Skull>,
    #[serde(default)]
    poses: Vec<Key>,
    #[serde(default)]
    settings: Table,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Strand {
    root: Option<[f32; 3]>,
    direction: Option<[f32; 3]>,
    length: Option<f32>,
    points: Option<Vec<[f32; 3]>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Skull {
    center: [f32; 3],
    radii: [f32; 3],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Key {
    time_secs: f64,
    #[serde(default)]
    rotation_deg: [f64; 3],
    #[serde(default)]
    translation: [f64; 3],
}

impl SceneSetup {
    /// Reads and checks a scene file.
    ///
    /// # Errors
    /// Each names the file, the thing in it, and what is expected. Settings are checked by
    /// [`prepare`](Self::prepare).
    pub fn load(path: &Path) -> Result<Self, SceneError> {
        let file = path.to_owned();
        let bytes = read_plain(path, MOST_BYTES).map_err(|source| SceneError::Read {
            file: file.clone(),
            source,
        })?;
        let text = String::from_utf8(bytes).map_err(|_| SceneError::Parse {
            file: file.clone(),
            message: "it is no text in UTF-8".to_owned(),
        })?;
        let parsed: SceneFile = toml::from_str(&text).map_err(|error| SceneError::Parse {
            file: file.clone(),
            message: error.to_string().trim_end().to_owned(),
        })?;
        parsed
            .check(path)
            .map_err(|what| SceneError::Value { file, what })
    }
}

impl SceneFile {
    fn check(self, path: &Path) -> Result<SceneSetup, String> {
        if self.version != VERSION {
            return Err(format!(
                "version = {}: this program reads version = {VERSION}",
                self.version
            ));
        }
        if !self
            .frames
            .is_none_or(|frames| (1..=1_000_000).contains(&frames))
        {
            return Err("frames: expected 1 to 1000000".to_owned());
        }
        if !self.fps.is_none_or(|fps| (0.1..=1000.0).contains(&fps)) {
            return Err("fps: expected 0.1 to 1000".to_owned());
        }
        if !self.strands.is_empty() && self.head.is_some() {
            return Err("it has both head and [[strands]]: leave one out".to_owned());
        }
        if !self.poses.is_empty() && self.motion.is_some() {
            return Err("it has both motion and [[poses]]: leave one out".to_owned());
        }
        if self.skull.is_some() && self.strands.is_empty() {
            return Err("[skull] goes with [[strands]]: heads have their own".to_owned());
        }
        let pivot = match self.pivot {
            Some(pivot) => DVec3::from_array(pivot),
            None if self.strands.is_empty() => NECK,
            None => DVec3::ZERO,
        };
        let motion = match self.motion {
            Some(scene) => Motion::Named(scene),
            None if self.poses.is_empty() => Motion::Named(Scene::Still),
            None => Motion::Keys(keys(&self.poses, pivot)?),
        };
        // A named motion may bring strands of its own.
        let own = self
            .motion
            .filter(|_| self.head.is_none())
            .and_then(Scene::strands);
        let strands = if self.strands.is_empty() {
            own
        } else {
            Some(groom(&self.strands)?)
        };
        let settings = flat(&self.settings, "");
        Ok(SceneSetup {
            file: Some(path.to_owned()),
            frames: self.frames,
            fps: self.fps,
            head: (self.head).map(|head| path.parent().unwrap_or(Path::new("")).join(head)),
            strands,
            skull: self.skull.map(skull).transpose()?,
            motion,
            settings,
        })
    }
}

fn skull(skull: Skull) -> Result<Ellipsoid, String> {
    let is_near = |x: &f32| f64::from(x.abs()) <= FARTHEST;
    if !skull.center.iter().all(is_near) {
        return Err(format!("skull.center: expected -{FARTHEST} to {FARTHEST}"));
    }
    if !skull.radii.iter().all(|r| (0.001..=1000.0).contains(r)) {
        return Err("skull.radii: expected 0.001 to 1000".to_owned());
    }
    Ok(Ellipsoid {
        center: skull.center.into(),
        radii: skull.radii.into(),
    })
}

fn groom(strands: &[Strand]) -> Result<Groom, String> {
    let mut groom = Groom::default();
    let mut curves = Vec::with_capacity(strands.len());
    for (i, strand) in strands.iter().enumerate() {
        let curve = strand
            .curve()
            .map_err(|what| format!("strands, number {}: {what}", i + 1))?;
        let straight = strand.direction.map(Vec3::from);
        let along = (straight.into_iter())
            .chain(curve[1..].iter().map(|&point| point - curve[0]))
            .find_map(Vec3::try_normalize)
            .unwrap_or(Vec3::Y);
        groom.roots.push(curve[0]);
        groom.directions.push(along);
        groom.normals.push(along);
        let length = |pair: &[Vec3]| pair[0].distance(pair[1]);
        groom
            .lengths
            .push((strand.length).unwrap_or_else(|| curve.windows(2).map(length).sum()));
        curves.push(curve);
    }
    if strands.iter().any(|strand| strand.points.is_some()) {
        let most = curves.iter().map(Vec::len).max().unwrap_or(0);
        if most * curves.len() > MOST_POINTS {
            return Err(format!(
                "strands: {} of up to {most} points are too many: all get as many points as the one \
                 that has the most, {MOST_POINTS} in all at most",
                curves.len()
            ));
        }
        groom.curves = RestCurves::of_uneven(&curves);
    }
    Ok(groom)
}

impl Strand {
    /// Two points or more, root first.
    fn curve(&self) -> Result<Vec<Vec3>, String> {
        match (self.root, self.direction, self.length, &self.points) {
            (Some(root), Some(direction), Some(length), None) => {
                check_near("root", root)?;
                let Some(direction) = Vec3::from(direction).try_normalize() else {
                    return Err("direction: expected three numbers that are not all 0".to_owned());
                };
                check_length("length", length)?;
                Ok(vec![root.into(), Vec3::from(root) + direction * length])
            }
            (None, None, None, Some(points)) => {
                if !(2..=RestCurves::MOST_POINTS).contains(&points.len()) {
                    return Err(format!("points: expected 2 to {}", RestCurves::MOST_POINTS));
                }
                for &point in points {
                    check_near("points", point)?;
                }
                let points: Vec<Vec3> = points.iter().map(|&point| point.into()).collect();
                let length = points.windows(2).map(|pair| pair[0].distance(pair[1]));
                check_length("length of points", length.sum())?;
                Ok(points)
            }
            _ => Err("expected root, direction and length, or points alone".to_owned()),
        }
    }
}

fn check_near(name: &str, point: [f32; 3]) -> Result<(), String> {
    // False of what is not a number, too.
    if point.iter().all(|x| f64::from(x.abs()) <= FARTHEST) {
        Ok(())
    } else {
        Err(format!("{name}: expected -{FARTHEST} to {FARTHEST}"))
    }
}

fn check_length(name: &str, length: f32) -> Result<(), String> {
    let range = GroomSettings::length.range();
    if range.contains(&length) {
        return Ok(());
    }
    Err(format!(
        "{name}: expected {} to {}",
        range.start(),
        range.end()
    ))
}

fn keys(poses: &[Key], pivot: DVec3) -> Result<Vec<(f64, Pose)>, String> {
    let mut keys: Vec<(f64, Pose)> = Vec::new();
    for (i, key) in poses.iter().enumerate() {
        let bad = |what: &str| Err(format!("poses, number {}: {what}", i + 1));
        if !(0.0..=LONGEST_SECS).contains(&key.time_secs) {
            return bad("time_secs: expected 0 to 3600");
        }
        if keys.last().is_some_and(|(last, _)| *last >= key.time_secs) {
            return bad("time_secs: expected more than that of the pose before");
        }
        if !key.rotation_deg.iter().all(|x| x.abs() <= 36_000.0) {
            return bad("rotation_deg: expected -36000 to 36000");
        }
        if !key.translation.iter().all(|x| x.abs() <= FARTHEST) {
            return bad("translation: expected -10000 to 10000");
        }
        let [x, y, z] = key.rotation_deg.map(|degrees| degrees * PI / 180.0);
        let rotation = Pose::turn(DVec3::Y, y) * Pose::turn(DVec3::X, x) * Pose::turn(DVec3::Z, z);
        let translation = pivot - rotation * pivot + DVec3::from_array(key.translation);
        keys.push((
            key.time_secs,
            Pose::new(DQuat::normalize(rotation), translation),
        ));
    }
    Ok(keys)
}

/// Every value with its whole key: sections may be written as such or with dots.
fn flat(table: &Table, prefix: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for (key, value) in table {
        let key = format!("{prefix}{key}");
        match value {
            Value::Table(inner) => out.extend(flat(inner, &format!("{key}."))),
            Value::String(text) => out.push((key, text.clone())),
            value => out.push((key, value.to_string())),
        }
    }
    out
}

#[cfg(test)]
mod tests;
