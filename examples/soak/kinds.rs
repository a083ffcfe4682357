//! The kinds of files that are read, and what must hold of those that load.

use super::check::{self, Outcome};
use clap::ValueEnum;
use mohawk::doll::{Doll, DollStrokes};
use mohawk::groom::GroomSettings;
use mohawk::head::Limits;
use mohawk::import::PointSet;
use mohawk::maps::{Map, MapKind};
use mohawk::npy::Npy;
use mohawk::scene_file::SceneSetup;
use mohawk::strands::Strands;
use mohawk::style::{Saved, StrokeFile};
use mohawk::{Config, Groom, Roots, Scalp, Simulation};
use std::error::Error;
use std::path::{Path, PathBuf};

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Kind {
    /// Heads, .glb and .gltf
    Head,
    /// Heads of other formats, .dae, .fbx, .obj, .ply, .stl, .usda, .usdc and .usdz
    Other,
    /// Surfaces, .obj
    Obj,
    /// Surfaces, .ply
    Ply,
    /// Point sets, .csv and .ply
    Points,
    /// Styles, .mohawk
    Style,
    /// Settings files
    Settings,
    /// Scene files
    Scene,
    /// Stroke files, of heads and dolls
    Strokes,
    /// Dolls
    Doll,
    /// Pictures of maps
    Map,
    /// NumPy arrays
    Array,
    /// Strands, .hair, .tfx, .data, .usda, .usdc, .usdz, .abc, .glb, .npz, .obj and .ply
    Strands,
}

/// The largest number of strands of a scene that is played.
const MAX_PLAYED: usize = 200;

type Tried = Result<String, Box<dyn Error>>;

impl Kind {
    /// The extension of files of these bytes.
    pub fn extension(self, bytes: &[u8]) -> &'static str {
        match self {
            Kind::Head => "glb",
            Kind::Other => "fbx",
            Kind::Obj => "obj",
            Kind::Points if !bytes.starts_with(b"ply") => "csv",
            Kind::Ply | Kind::Points => "ply",
            Kind::Style => "mohawk",
            Kind::Settings | Kind::Scene => "toml",
            Kind::Strokes => "json",
            Kind::Doll => "doll",
            Kind::Map => "png",
            Kind::Array => "npy",
            // The others are told by their content.
            Kind::Strands if bytes.starts_with(b"#") => "obj",
            Kind::Strands => "data",
        }
    }

    /// The bytes of memory that any file may take on top of eight times its own. Maps have room for
    /// the largest one: 8,192 values a side, 3 numbers each, decoded from 8 bits.
    pub fn free_memory(self) -> f64 {
        match self {
            Kind::Map => 256e6 + 8192.0 * 8192.0 * 19.0,
            _ => 256e6,
        }
    }

    /// Returns `true` if files are read from a path.
    fn has_path(self) -> bool {
        matches!(
            self,
            Kind::Obj
                | Kind::Ply
                | Kind::Points
                | Kind::Style
                | Kind::Settings
                | Kind::Scene
                | Kind::Doll
        )
    }

    /// Reads bytes as a file of this kind, and uses what loads.
    pub fn read(self, bytes: &[u8], outcome: &mut Outcome) {
        if matches!(self, Kind::Head | Kind::Other) {
            return check::grow(bytes, outcome);
        }
        let file = file(self.extension(bytes));
        if self.has_path() && std::fs::write(&file, bytes).is_err() {
            outcome.said = format!("{} cannot be written", file.display());
            return;
        }
        match self.try_file(bytes, &file, outcome) {
            Ok(said) => (outcome.loaded, outcome.said) = (true, said),
            Err(error) => {
                outcome.said = error.to_string();
                let mut cause = error.source();
                while let Some(error) = cause {
                    outcome.said = format!("{}: {error}", outcome.said);
                    cause = error.source();
                }
                check::check_text(outcome);
            }
        }
    }

    fn try_file(self, bytes: &[u8], file: &Path, outcome: &mut Outcome) -> Tried {
        let text = || std::str::from_utf8(bytes);
        match self {
            Kind::Head | Kind::Other => Ok(String::new()),
            Kind::Obj | Kind::Ply => {
                let scalp = Scalp::from_mesh_file(file)?;
                check::grow_on(&scalp, outcome);
                Ok(outcome.said.clone())
            }
            Kind::Points => points(file, outcome),
            Kind::Style => style(file, outcome),
            Kind::Settings => {
                let config = Config::load(file)?;
                let again = Config::from_toml("again.toml", &config.to_toml()?);
                let is_same = again.is_ok_and(|again| again == config);
                find(outcome, is_same, "settings do not come back");
                Ok("settings".to_owned())
            }
            Kind::Scene => scene(file, outcome),
            Kind::Strokes => match StrokeFile::from_json(text()?) {
                Ok(strokes) => {
                    let mut views = strokes.strokes.iter().map(|stroke| strokes.view(stroke));
                    find(outcome, views.all(|view| view.is_ok()), "no view");
                    Ok(format!("{} strokes", strokes.strokes.len()))
                }
                Err(error) => {
                    let strokes = DollStrokes::from_json(text()?).map_err(|_| error)?;
                    Ok(format!("{} strokes of a doll", strokes.strokes.len()))
                }
            },
            Kind::Doll => {
                let doll = Doll::open(file)?;
                std::fs::write(file, doll.to_json())?;
                let is_same = Doll::open(file).is_ok_and(|again| again == doll);
                find(outcome, is_same, "the doll does not come back");
                Ok(format!("{} hairs", doll.hairs.len()))
            }
            Kind::Map => {
                let map = Map::from_bytes(MapKind::ALL[bytes.len() % MapKind::ALL.len()], bytes)?;
                Ok(format!("{:?}", map.layout()))
            }
            Kind::Array => {
                let array = Npy::parse(bytes)?;
                let counts = [
                    array.values::<u8>().map(|values| values.len()),
                    array.values::<u32>().map(|values| values.len()),
                    array.values::<f32>().map(|values| values.len()),
                    array.values::<f64>().map(|values| values.len()),
                ];
                let count = counts.into_iter().flatten().max().unwrap_or(0);
                Ok(format!("{count} numbers"))
            }
            Kind::Strands => {
                let (strands, _) = Strands::parse(bytes, file, &Limits::default())?;
                let points: u64 = strands.counts.iter().map(|&count| u64::from(count)).sum();
                let is_whole = points == strands.points.len() as u64
                    && strands.counts.iter().all(|&count| count >= 2);
                find(outcome, is_whole, "strands lack points");
                Ok(format!("{} strands", strands.len()))
            }
        }
    }
}

/// Returns a file of this thread.
fn file(extension: &str) -> PathBuf {
    let (process, thread) = (std::process::id(), std::thread::current().id());
    std::env::temp_dir().join(format!("soak-{process}-{thread:?}.{extension}"))
}

fn find(outcome: &mut Outcome, holds: bool, what: &str) {
    if !holds {
        outcome.findings.push(("value", what.to_owned()));
    }
}

fn points(file: &Path, outcome: &mut Outcome) -> Tried {
    let set = PointSet::load(file)?;
    let square = [[-2.0, -2.0], [2.0, -2.0], [2.0, 2.0], [-2.0, 2.0]];
    let corners = square.map(|[x, y]| glam::Vec3::new(x, y, 0.0)).to_vec();
    let triangles = vec![[0, 1, 2], [0, 2, 3]];
    let scalp = Scalp::new(corners, vec![glam::Vec3::Z; 4], triangles, vec![1.0; 4])?;
    let roots = Roots::of_points(&scalp, &set, None)?.roots;
    let groom = Groom::grow(&roots, &GroomSettings::default(), 1);
    outcome.grown = true;
    Ok(format!("{} points", groom.len()))
}

fn style(file: &Path, outcome: &mut Outcome) -> Tried {
    let mut saved = Saved::open(file)?;
    let is_shown = saved.card.picture().is_some();
    let maps = saved.style.maps.len();
    // Without what was never in the file.
    saved.model = Default::default();
    saved.save(file)?;
    let again = Saved::open(file);
    let is_same = again.as_ref().is_ok_and(|again| *again == saved);
    let why = again
        .err()
        .map_or_else(String::new, |error| error.to_string());
    find(
        outcome,
        is_same,
        &format!("the style does not come back: {why}"),
    );
    Ok(format!("{maps} maps, picture: {is_shown}"))
}

fn scene(file: &Path, outcome: &mut Outcome) -> Tried {
    let setup = SceneSetup::load(file)?;
    let mut config = Config::default();
    setup.prepare(&mut config)?;
    let times = (0..6).map(|i| f64::from(i) * 0.3 * setup.period_secs());
    let mut poses = times.map(|time| setup.pose(time));
    let is_finite = poses.all(|pose| pose.rotation.is_finite() && pose.translation.is_finite());
    find(outcome, is_finite, "a pose is not finite");
    let loops = setup.loop_secs();
    find(
        outcome,
        loops > 0.0 && loops.is_finite(),
        "it has no length",
    );
    let Some(strands) = setup.strands.as_ref().filter(|all| all.len() <= MAX_PLAYED) else {
        return Ok("a scene".to_owned());
    };
    let reach = setup.reach().into_iter().flatten();
    let is_finite = { reach }.all(|(at, radius)| at.is_finite() && radius.is_finite());
    find(outcome, is_finite, "it reaches without end");
    let mut sim = Simulation::new(strands, config.sim, setup.pose(0.0));
    for _ in 0..2 {
        sim.advance(1.0 / 60.0, &mut |time| setup.pose(time));
    }
    let mut tips = Vec::new();
    sim.write_drawn_tips(&mut tips);
    let is_finite = tips.iter().flatten().all(|x| x.is_finite());
    find(outcome, is_finite, "a tip is not finite");
    outcome.grown = true;
    Ok(format!("{} strands", strands.len()))
}
