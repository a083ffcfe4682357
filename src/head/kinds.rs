//! The kinds of geometry that a model holds: the surfaces of a head, or hair as lines and curves.

use super::convert::{Format, format, usd};
use super::error::Result;
use super::gltf::container;
use super::limits::{Budget, Limits};
use crate::mesh_file::ply;
use ::gltf::json::mesh::LINE_STRIP;

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
                let is_line = |mode: u64| (1..=u64::from(LINE_STRIP)).contains(&mode);
                match primitive.mode.map(|mode| mode.0) {
                    Some(mode) if is_line(mode) => kinds.lines = true,
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
