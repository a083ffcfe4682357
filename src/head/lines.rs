//! The lines of a model: the hair of other programs, as vertices and edges in the space of the file.

use super::convert::{Clock, GUIDE, Lines, ROOT_UV, WIDTH, curves_to_gltf};
use super::error::{LoadErrorKind, Result, label};
use super::gltf::accessor::Expected;
use super::gltf::buffers::Buffers;
use super::limits::Limits;
use super::mesh::attributes::{Attributes, COLOR, POSITION, TEXCOORD, UNIT};
use super::mesh::nodes;
use super::mesh::primitive::{check_finite, line_edges};
use ::gltf::accessor::DataType;
use glam::{DMat4, DVec3};

const NUMBER: Expected = Expected {
    lanes: &[1],
    components: &[DataType::F32],
    quantized: UNIT,
    text: "SCALAR of f32",
    advice: "Leave the attribute out, or re-export it as floats.",
};

/// Reads the lines of glTF, and the curves of USD at the time of a clock, which gets the times of all.
pub fn read_lines(bytes: &[u8], limits: &Limits, clock: &mut Clock) -> Result<Lines> {
    let (bytes, budget) = curves_to_gltf(bytes, limits, clock)?;
    let buffers = Buffers::open(&bytes, None, budget)?;
    let (document, budget) = (&buffers.document, &buffers.budget);
    let shown = nodes::shown(document, budget, DMat4::IDENTITY)?;
    let mut lines = Lines::default();
    for &(node, mesh) in &shown.meshes {
        let mesh_label = label("mesh", mesh, document.meshes[mesh].name.as_deref());
        let matrix = shown.file_from_node(node).unwrap_or(DMat4::IDENTITY);
        for (nth, primitive) in document.meshes[mesh].primitives.iter().enumerate() {
            let place = format!("{mesh_label}, primitive {nth}");
            let attributes = Attributes::of(&buffers, primitive, &place)?;
            lines.add(&attributes, matrix)?;
        }
    }
    Ok(lines)
}

impl Lines {
    /// Adds a primitive, if it has lines.
    fn add(&mut self, attributes: &Attributes, file_from_mesh: DMat4) -> Result<()> {
        let Some(accessor) = attributes.open("POSITION", &POSITION)? else {
            return Ok(());
        };
        let (count, first) = (accessor.count, self.positions.len());
        let Some(edges) = line_edges(attributes, count)? else {
            self.has_surfaces = true;
            return Ok(());
        };
        // Lists that grow may be there twice.
        let budget = &attributes.buffers.budget;
        let what = || "its lines".to_owned();
        budget.take(edges.len() as u64, 2 * 8, what)?;
        budget.take(count as u64, 2 * (12 + 16 + 4 + 4 + 8), what)?;
        if u32::try_from(first + count).is_err() {
            let problem = "its lines have more points than 32 bits can count";
            return Err(LoadErrorKind::invalid(attributes.place, problem));
        }
        let mut positions = accessor.floats::<3>(0.0);
        check_finite(&positions, &accessor.at, "Remove the broken points.")?;
        // The bits of positions that are not moved stay.
        if file_from_mesh != DMat4::IDENTITY {
            for position in &mut positions {
                let place = DVec3::from(position.map(f64::from));
                *position = file_from_mesh.transform_point3(place).as_vec3().to_array();
            }
        }
        let scale = file_from_mesh.determinant().abs().cbrt();
        self.positions.extend(positions);
        let shifted = edges.iter().map(|edge| edge.map(|end| end + first as u32));
        self.edges.extend(shifted);
        let has = |role: &str, expected| attributes.of_vertices(role, expected, count);
        let numbers = |role: &str| -> Result<_> {
            Ok(has(role, &NUMBER)?.map(|numbers| numbers.floats::<1>(0.0).into_flattened()))
        };
        let mut widths = numbers(WIDTH)?;
        if scale != 1.0 {
            for width in widths.iter_mut().flatten() {
                *width = (f64::from(*width) * scale) as f32;
            }
        }
        join(&mut self.widths, first, widths);
        join(&mut self.guides, first, numbers(GUIDE)?);
        let colors = has("COLOR_0", &COLOR)?;
        join(
            &mut self.colors,
            first,
            colors.map(|colors| colors.floats::<4>(1.0)),
        );
        let uvs = has(ROOT_UV, &TEXCOORD)?;
        join(
            &mut self.root_uvs,
            first,
            uvs.map(|uvs| uvs.floats::<2>(0.0)),
        );
        Ok(())
    }
}

/// Adds values to those of the vertices before; without values of all vertices, none are kept.
fn join<T>(values: &mut Vec<T>, before: usize, more: Option<Vec<T>>) {
    match more {
        Some(more) if values.len() == before => values.extend(more),
        _ => values.clear(),
    }
}
