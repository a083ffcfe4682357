//! Lines: curves of other formats, with what strands have.

use super::Builder;
use crate::head::error::Result;
use ::gltf::json::accessor::UNSIGNED_INT;
use ::gltf::json::mesh::LINES;
use serde_json::{Value, json};

/// The attribute of the diameters of lines, in units of the file.
pub const WIDTH: &str = "_WIDTH";
/// The attribute that is 1 on lines that others follow.
pub const GUIDE: &str = "_GUIDE";
/// The attribute of the texture coordinates of the skin, v down.
pub const ROOT_UV: &str = "TEXCOORD_0";

/// Vertices and the edges between them. Lists of values have one for each vertex, or are empty.
#[derive(Debug, Default)]
pub struct Lines {
    /// The positions, in the space of the file: metres, with Y up.
    pub positions: Vec<[f32; 3]>,
    /// The ends of edges, below the number of positions.
    pub edges: Vec<[u32; 2]>,
    /// Linear RGBA.
    pub colors: Vec<[f32; 4]>,
    /// Diameters.
    pub widths: Vec<f32>,
    /// 1 on lines that others follow.
    pub guides: Vec<f32>,
    /// Texture coordinates of the skin, v down.
    pub root_uvs: Vec<[f32; 2]>,
    /// `true` if there are triangles beside them.
    pub has_surfaces: bool,
    /// Notes on values that were filled in or left out because some objects lack them.
    pub notes: Vec<String>,
}

impl Builder<'_> {
    /// Returns the primitive of curves: polylines with so many points each.
    pub fn lines(&mut self, counts: &[u32], lines: &Lines) -> Result<Value> {
        let mut attributes = json!({"POSITION": self.positions(&lines.positions)?});
        if !lines.colors.is_empty() {
            attributes["COLOR_0"] = json!(self.floats("VEC4", &lines.colors)?);
        }
        for (role, numbers) in [(WIDTH, &lines.widths), (GUIDE, &lines.guides)] {
            if !numbers.is_empty() {
                let numbers = numbers.as_chunks::<1>().0;
                attributes[role] = json!(self.floats("SCALAR", numbers)?);
            }
        }
        if !lines.root_uvs.is_empty() {
            attributes[ROOT_UV] = json!(self.floats("VEC2", &lines.root_uvs)?);
        }
        let mut first = 0;
        let mut bytes = Vec::new();
        let points: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        self.budget.take(points, 8, "its curves")?;
        for &count in counts {
            for point in first..first + count.saturating_sub(1) {
                bytes.extend([point, point + 1].map(u32::to_le_bytes));
            }
            first += count;
        }
        let indices = self.accessor("SCALAR", UNSIGNED_INT, bytes.len(), bytes.as_flattened())?;
        self.budget.give_back(points, 8);
        Ok(json!({"attributes": attributes, "indices": indices, "mode": LINES}))
    }
}
