//! Scene files: strands or a head, the motion of the head, and settings.
//!
//! [`SceneSetup`] is a scene that is played, by its name, from a file or from poses.
//!
//! ```toml
//! version = 1
//! frames = 121              # the number of frames that `mohawk simulate` writes by default
//! fps = 60.0
//! head = "my-head.glb"      # beside this file; absent: the head of the command line
//! motion = "nod"            # a named motion; or [[poses]]
//! pivot = [0.0, -0.9, -0.2] # the centre of rotations in [[poses]]; absent: the neck, with [[strands]] the origin
//!
//! [[strands]]               # instead of a head and its hair
//! root = [0.0, 0.0, 0.0]
//! direction = [1.0, 0.0, 0.0]
//! length = 1.0
//!
//! [[strands]]               # a strand that is not straight at rest: root first, tip last
//! points = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.1, 0.1, 0.0]]
//!
//! [skull]                   # the obstacle of [[strands]]; absent: none
//! center = [0.0, 0.0, 0.0]
//! radii = [0.5, 0.5, 0.5]
//!
//! [[poses]]                 # at increasing times; interpolated in between
//! time_secs = 0.0
//! rotation_deg = [0.0, 0.0, 0.0]
//! translation = [0.0, 0.0, 0.0]
//!
//! [settings]                # settings by their keys in a settings file
//! "sim.solver" = "ftl"
//! "sim.forces.wind" = [0.0, 0.0, -20.0]
//! ```
//!
//! `[[strands]]` and `[[poses]]` may be very many; all else may take 1 MiB.

mod animated;
mod pieces;
mod setup;

pub use setup::SceneSetup;

use crate::files::read_plain;
use crate::groom::{Groom, GroomSettings, RestCurves};
use crate::sim::{Ellipsoid, NECK, Pose, Scene};
use glam::{DVec3, Vec3};
use serde::Deserialize;
use setup::Motion;
use std::f64::consts::PI;
use std::io;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The size of the largest scene file, bytes.
const MAX_BYTES: u64 = 256 << 20;
/// The version of the format.
const VERSION: i64 = 1;
/// The largest coordinate, decimetres.
const MAX_COORDINATE: f64 = 1e4;
/// The largest number of points of all strands together.
const MAX_POINTS: usize = 1 << 24;
/// The length of the longest scene, seconds.
const MAX_SECS: f64 = 3600.0;

/// An error of a scene file, with its path.
#[derive(Debug, thiserror::Error)]
pub enum SceneError {
    /// The file could not be read.
    #[error("{} cannot be read", .0.display())]
    Read(PathBuf, #[source] io::Error),
    /// The file is not TOML, has an unknown key, or a value that is not allowed: the place in it,
    /// and the expected values.
    #[error("{file}: {1}", file = .0.display())]
    Invalid(PathBuf, String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SceneFile {
    version: i64,
    frames: Option<u32>,
    fps: Option<f64>,
    head: Option<PathBuf>,
    motion: Option<Scene>,
    pivot: Option<DVec3>,
    #[serde(default)]
    strands: Vec<Strand>,
    skull: Option<Ellipsoid>,
    #[serde(default)]
    poses: Vec<Key>,
    #[serde(default)]
    settings: Table,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Strand {
    root: Option<Vec3>,
    direction: Option<Vec3>,
    length: Option<f32>,
    points: Option<Vec<Vec3>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Key {
    time_secs: f64,
    #[serde(default)]
    rotation_deg: DVec3,
    #[serde(default)]
    translation: DVec3,
}

impl SceneSetup {
    /// Returns the scene of a name, or reads that of a file which ends in `.toml`.
    ///
    /// # Errors
    /// Those of [`load`](Self::load), and [`SceneError::Invalid`] for a name that no scene has.
    pub fn open(name: &str) -> Result<Self, SceneError> {
        if Path::new(name).extension().is_some_and(|end| end == "toml") {
            return Self::load(Path::new(name));
        }
        let named = name.parse::<Scene>().map_err(|error| {
            let expected = format!("expected {}, or a file .toml", error.expected);
            SceneError::Invalid(name.into(), expected)
        });
        named.map(Self::from)
    }

    /// Reads and checks a scene file.
    ///
    /// # Errors
    /// [`SceneError`] names the file, the thing in it, and the expected values. Settings are
    /// checked by [`prepare`](Self::prepare).
    pub fn load(path: &Path) -> Result<Self, SceneError> {
        let bytes = read_plain(path, MAX_BYTES);
        let bytes = bytes.map_err(|error| SceneError::Read(path.to_owned(), error))?;
        let text = String::from_utf8(bytes);
        text.map_err(|_| "it is no text in UTF-8".to_owned())
            .and_then(|text| Self::parse(path, &text))
            .map_err(|what| SceneError::Invalid(path.to_owned(), what))
    }

    /// Reads the text of a scene file; the error says what is wrong with it.
    fn parse(path: &Path, text: &str) -> Result<Self, String> {
        pieces::parse(text)?.check(path)
    }

    /// Reads the text of a scene that belongs to a style, and so plays on the style's head.
    pub(crate) fn of_style(text: &str) -> Result<Self, String> {
        let setup = Self::parse(Path::new(""), text)?;
        let is_alone = setup.head.is_some() || setup.strands.is_some();
        ensure(!is_alone, "it has a head or strands of its own")?;
        Ok(Self {
            file: None,
            ..setup
        })
    }
}

/// Returns `what` as an error unless a condition holds.
fn ensure(holds: bool, what: impl Into<String>) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.into()) }
}

impl SceneFile {
    fn check(self, path: &Path) -> Result<SceneSetup, String> {
        // A named look replaces all settings of the look.
        let mut settings = flat(&self.settings, "");
        settings.sort_by_key(|(key, _)| key != "look.name");
        let told = format!(
            "version = {}: this program reads version = {VERSION}",
            self.version
        );
        ensure(self.version == VERSION, told)?;
        let is_allowed = (self.frames).is_none_or(|frames| (1..=1_000_000).contains(&frames));
        ensure(is_allowed, "frames: expected 1 to 1000000")?;
        let is_allowed = self.fps.is_none_or(|fps| (0.1..=1000.0).contains(&fps));
        ensure(is_allowed, "fps: expected 0.1 to 1000")?;
        let (has_strands, has_poses) = (!self.strands.is_empty(), !self.poses.is_empty());
        let is_one = !has_strands || self.head.is_none();
        ensure(is_one, "it has both head and [[strands]]: leave one out")?;
        let is_one = !has_poses || self.motion.is_none();
        ensure(is_one, "it has both motion and [[poses]]: leave one out")?;
        let is_needed = has_strands || self.skull.is_none();
        ensure(
            is_needed,
            "[skull] goes with [[strands]]: heads have their own",
        )?;
        if let Some(pivot) = self.pivot {
            check_near("pivot", pivot, MAX_COORDINATE)?;
        }
        let default_pivot = if has_strands { DVec3::ZERO } else { NECK };
        let motion = match has_poses {
            true => Motion::Keys(keys(&self.poses)?, self.pivot.unwrap_or(default_pivot)),
            false => Motion::Named(self.motion.unwrap_or(Scene::Still)),
        };
        let strands = match (has_strands, &self.head) {
            (true, _) => Some(groom(&self.strands)?),
            // A named motion may bring strands of its own.
            (false, None) => self.motion.and_then(Scene::strands),
            (false, Some(_)) => None,
        };
        if let Some(Ellipsoid { center, radii }) = self.skull {
            check_near("skull.center", center.as_dvec3(), MAX_COORDINATE)?;
            let allowed = radii.cmpge(Vec3::splat(0.001)) & radii.cmple(Vec3::splat(1000.0));
            ensure(allowed.all(), "skull.radii: expected 0.001 to 1000")?;
        }
        Ok(SceneSetup {
            file: Some(path.to_owned()),
            frames: self.frames,
            fps: self.fps,
            head: (self.head).map(|head| path.parent().unwrap_or(Path::new("")).join(head)),
            strands,
            skull: self.skull,
            is_file: true,
            motion,
            settings,
        })
    }
}

fn groom(strands: &[Strand]) -> Result<Groom, String> {
    let mut groom = Groom::default();
    let mut curves = Vec::with_capacity(strands.len());
    for (i, strand) in strands.iter().enumerate() {
        let curve = strand.curve();
        let curve = curve.map_err(|what| format!("strands, number {}: {what}", i + 1))?;
        let along = (strand.direction.into_iter())
            .chain(curve[1..].iter().map(|&point| point - curve[0]))
            .find_map(Vec3::try_normalize)
            .unwrap_or(Vec3::Y);
        groom.roots.push(curve[0]);
        groom.directions.push(along);
        groom.normals.push(along);
        let length = strand.length.unwrap_or_else(|| length_of(&curve));
        groom.lengths.push(length);
        curves.push(curve);
    }
    if strands.iter().any(|strand| strand.points.is_some()) {
        let (count, most) = (curves.len(), curves.iter().map(Vec::len).max().unwrap_or(0));
        let told = format!(
            "strands: {count} of up to {most} points are too many: all get as many points as the \
             one that has the most, {MAX_POINTS} in all at most"
        );
        ensure(most * count <= MAX_POINTS, told)?;
        groom.curves = RestCurves::of_uneven(&curves);
    }
    Ok(groom)
}

/// Returns strands of which each has points, root first, within the limits of a file. The error says
/// what is wrong with which strand.
pub(crate) fn curved_strands(
    strands: impl IntoIterator<Item = Vec<Vec3>>,
) -> Result<Groom, String> {
    let strand = |points| Strand {
        root: None,
        direction: None,
        length: None,
        points: Some(points),
    };
    groom(&strands.into_iter().map(strand).collect::<Vec<_>>())
}

/// Returns straight strands of roots, directions and lengths, as [`curved_strands`] does.
pub(crate) fn straight_strands(
    strands: impl IntoIterator<Item = (Vec3, Vec3, f32)>,
) -> Result<Groom, String> {
    let strand = |(root, direction, length)| Strand {
        root: Some(root),
        direction: Some(direction),
        length: Some(length),
        points: None,
    };
    groom(&strands.into_iter().map(strand).collect::<Vec<_>>())
}

impl Strand {
    /// Returns two points or more, root first.
    fn curve(&self) -> Result<Vec<Vec3>, String> {
        match (self.root, self.direction, self.length, &self.points) {
            (Some(root), Some(direction), Some(length), None) => {
                check_near("root", root.as_dvec3(), MAX_COORDINATE)?;
                let direction = direction.try_normalize();
                let direction =
                    direction.ok_or("direction: expected three numbers that are not all 0")?;
                check_length("length", length)?;
                Ok(vec![root, root + direction * length])
            }
            (None, None, None, Some(points)) => {
                let most = RestCurves::MOST_POINTS;
                let is_allowed = (2..=most).contains(&points.len());
                ensure(is_allowed, format!("points: expected 2 to {most}"))?;
                for point in points {
                    check_near("points", point.as_dvec3(), MAX_COORDINATE)?;
                }
                check_length("length of points", length_of(points))?;
                Ok(points.clone())
            }
            _ => Err("expected root, direction and length, or points alone".to_owned()),
        }
    }
}

fn length_of(points: &[Vec3]) -> f32 {
    let segments = points.windows(2).map(|ends| ends[0].distance(ends[1]));
    segments.sum()
}

/// Returns an error if a component is larger than `most`, or not a number.
fn check_near(name: &str, point: DVec3, most: f64) -> Result<(), String> {
    let is_near = point.abs().cmple(DVec3::splat(most)).all();
    ensure(is_near, format!("{name}: expected -{most} to {most}"))
}

fn check_length(name: &str, length: f32) -> Result<(), String> {
    let (min, max) = GroomSettings::length.range().into_inner();
    let is_allowed = (min..=max).contains(&length);
    ensure(is_allowed, format!("{name}: expected {min} to {max}"))
}

fn keys(poses: &[Key]) -> Result<Vec<(f64, Pose)>, String> {
    let mut keys: Vec<(f64, Pose)> = Vec::new();
    for (i, key) in poses.iter().enumerate() {
        let follows = keys.last().is_none_or(|(last, _)| *last < key.time_secs);
        let is_timely = (0.0..=MAX_SECS).contains(&key.time_secs);
        let late = "time_secs: expected more than that of the pose before";
        let checked = ensure(is_timely, "time_secs: expected 0 to 3600")
            .and_then(|()| ensure(follows, late))
            .and_then(|()| check_near("rotation_deg", key.rotation_deg, 36_000.0))
            .and_then(|()| check_near("translation", key.translation, MAX_COORDINATE));
        checked.map_err(|wrong| format!("poses, number {}: {wrong}", i + 1))?;
        let DVec3 { x, y, z } = key.rotation_deg * PI / 180.0;
        let rotation = Pose::turn(DVec3::Y, y) * Pose::turn(DVec3::X, x) * Pose::turn(DVec3::Z, z);
        let pose = Pose::new(rotation.normalize(), key.translation);
        keys.push((key.time_secs, pose));
    }
    Ok(keys)
}

/// Returns every value with its full key. Sections may be tables, or prefixes with dots.
fn flat(table: &Table, prefix: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for (key, value) in table {
        let key = format!("{prefix}{key}");
        match value {
            Value::Table(inner) => out.extend(flat(inner, &format!("{key}."))),
            value => out.push((key, value.to_string())),
        }
    }
    out
}

#[cfg(test)]
mod tests;
