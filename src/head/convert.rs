//! Models of other formats, converted to glTF in memory, so that everything after has one format to
//! know: COLLADA, FBX, OBJ, PLY, STL and USD.

mod builder;
mod dae;
mod fbx;
mod plain;
mod polygons;
mod usd;

use super::error::{LoadErrorKind, Result, Warnings};
use super::gltf::container::{self, GLB};
use super::limits::{Budget, Limits};
use super::model::Model;
use super::units::NativeUnits;
use crate::mesh_file::{ply, stl};
use crate::told::short;
use ::gltf::json::mesh::{LINE_STRIP, LINES, POINTS, TRIANGLES};
pub use builder::{GUIDE, Lines, ROOT_UV, WIDTH};
pub use usd::Clock;

use builder::Builder;
use std::borrow::Cow;
use std::path::PathBuf;

/// A format that is converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Dae,
    Fbx,
    Obj,
    Ply,
    Stl,
    Usd,
}

/// Extensions of the files of heads that can be read.
pub const HEAD_EXTENSIONS: [&str; 12] = [
    "glb", "gltf", "vrm", "dae", "fbx", "obj", "ply", "stl", "usd", "usda", "usdc", "usdz",
];

/// The glTF that a file stands for.
pub struct Converted<'a> {
    pub bytes: Cow<'a, [u8]>,
    /// The budget of its load.
    pub budget: Budget,
    /// The material files that were looked for.
    pub libraries: Vec<PathBuf>,
    /// The unit and the axes of the file, if its format names them.
    pub native: Option<NativeUnits>,
}

/// Returns the glTF that a file stands for: the file itself, if it has none of the other formats.
/// `model` says where materials and pictures lie.
pub fn to_gltf<'a>(
    bytes: Cow<'a, [u8]>,
    model: Option<&Model>,
    limits: &Limits,
    warnings: &mut Warnings,
) -> Result<Converted<'a>> {
    let budget = Budget::new(limits, bytes.len() as u64);
    let Some(format) = format(&bytes) else {
        return Ok(Converted {
            bytes,
            budget,
            libraries: Vec::new(),
            native: None,
        });
    };
    let left = budget.left();
    let mut builder = Builder::new(&budget, model);
    match format {
        Format::Dae => dae::convert(&bytes, &mut builder)?,
        Format::Fbx => fbx::convert(&bytes, &mut builder)?,
        Format::Obj => plain::convert_obj(&bytes, model, &mut builder)?,
        Format::Ply => plain::convert_ply(&bytes, &mut builder)?,
        Format::Usd => usd::convert(&bytes, &mut builder)?,
        Format::Stl => plain::convert_stl(&bytes, &mut builder)?,
    }
    let (libraries, native) = (std::mem::take(&mut builder.libraries), builder.native);
    let glb = builder.finish(warnings)?;
    // Only that stays. The names of materials beside the file may have raised what is left.
    budget.give_back(left.saturating_sub(budget.left()), 1);
    budget.take(glb.len() as u64, 1, "the model as glTF")?;
    Ok(Converted {
        bytes: Cow::Owned(glb),
        budget,
        libraries,
        native,
    })
}

/// Returns `true` if a file is USD.
pub fn is_usd(bytes: &[u8]) -> bool {
    format(bytes) == Some(Format::Usd)
}

/// Returns the glTF of the lines and curves that a file has at the time of a clock, and the budget of its
/// load. The clock gets the times that there are.
pub fn curves_to_gltf<'a>(
    bytes: &'a [u8],
    limits: &Limits,
    clock: &mut Clock,
) -> Result<(Cow<'a, [u8]>, Budget)> {
    let budget = Budget::new(limits, bytes.len() as u64);
    if !is_usd(bytes) {
        return Ok((bytes.into(), budget));
    }
    let left = budget.left();
    let mut builder = Builder::new(&budget, None);
    *clock = usd::convert_curves(bytes, clock.time, &mut builder)?;
    let glb = builder.finish(&mut Warnings::default())?;
    budget.give_back(left.saturating_sub(budget.left()), 1);
    budget.take(glb.len() as u64, 1, "the curves as glTF")?;
    Ok((Cow::Owned(glb), budget))
}

/// The kinds of geometry that a model holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds {
    pub(crate) surfaces: bool,
    /// Lines of a mesh, which may be anything.
    pub(crate) lines: bool,
    /// Curves, which are hair.
    pub(crate) curves: bool,
}

/// Returns the kinds of geometry of a model; its geometry itself is not read.
pub(crate) fn kinds(bytes: &[u8], limits: &Limits) -> Result<Kinds> {
    let mut kinds = Kinds::default();
    let budget = Budget::new(limits, bytes.len() as u64);
    match format(bytes) {
        None => {
            let (document, _) = container::open(bytes, &budget)?;
            let meshes = document.meshes.iter();
            for primitive in meshes.flat_map(|mesh| &mesh.primitives) {
                match primitive.mode.map_or(TRIANGLES, |mode| mode.0 as u32) {
                    POINTS => {}
                    LINES..=LINE_STRIP => kinds.lines = true,
                    _ => kinds.surfaces = true,
                }
            }
        }
        Some(Format::Obj) => {
            let lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r'));
            for line in lines {
                match line.trim_ascii_start() {
                    [b'f', b' ' | b'\t', ..] => kinds.surfaces = true,
                    [b'l', b' ' | b'\t', ..] => kinds.lines = true,
                    _ => {}
                }
            }
        }
        Some(Format::Ply) => {
            kinds.surfaces = ply::has(bytes, "face");
            kinds.lines = ply::has(bytes, "edge");
        }
        Some(Format::Usd) => kinds = usd::kinds(bytes, &budget)?,
        Some(Format::Dae | Format::Fbx | Format::Stl) => kinds.surfaces = true,
    }
    Ok(kinds)
}

/// Returns the format of a file by its content; `None` for glTF and what is not known.
fn format(bytes: &[u8]) -> Option<Format> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let is_any = |starts: &[&[u8]]| starts.iter().any(|start| text.starts_with(start));
    if is_any(&[GLB]) || text.trim_ascii_start().starts_with(b"{") {
        return None;
    }
    if is_any(&[b"Kaydara FBX", b"; FBX", b";FBX"]) {
        return Some(Format::Fbx);
    }
    if is_any(&[b"ply\n", b"ply\r"]) {
        return Some(Format::Ply);
    }
    if is_any(&usd::STARTS) || usd::is_package(bytes) {
        return Some(Format::Usd);
    }
    // A text says what it is within its first lines, after the comments of the program that wrote it.
    let start = &text[..text.len().min(1 << 16)];
    let mut lines = start
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .map(<[u8]>::trim_ascii);
    let is_text = !start.contains(&0);
    if stl::is_binary(bytes) || is_text && text.starts_with(b"solid") && has_word(start, b"facet") {
        return Some(Format::Stl);
    }
    if is_text && text.trim_ascii_start().starts_with(b"<") && has_word(start, b"COLLADA") {
        return Some(Format::Dae);
    }
    let words: [&[u8]; 5] = [b"v ", b"v\t", b"mtllib ", b"o ", b"g "];
    let is_obj = |line: &[u8]| words.iter().any(|word| line.starts_with(word));
    (is_text && lines.any(is_obj)).then_some(Format::Obj)
}

fn has_word(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}

/// Returns the error of a file that a reader of its format refuses.
fn broken(format: &str, problem: impl std::fmt::Display) -> LoadErrorKind {
    let advice = "Export it again, or as glTF 2.0 (.glb).";
    let problem = short(&problem.to_string());
    LoadErrorKind::advised(format!("its {format}"), problem, advice)
}
