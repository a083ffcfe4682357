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
use ::gltf::json::mesh::POINTS;
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
            let mode = attributes.primitive.mode.map(|mode| mode.0 as u32);
            self.has_surfaces |= mode != Some(POINTS);
            return Ok(());
        };
        // Lists that grow may be there twice.
        let budget = &attributes.buffers.budget;
        let what = "its lines";
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
        let range = [first, first + count];
        let filled = |what| format!("objects without {what} take the first of the others");
        if join(&mut self.widths, range, widths, None) {
            self.note(filled("widths"));
        }
        join(&mut self.guides, range, numbers(GUIDE)?, Some(0.0));
        let colors = has("COLOR_0", &COLOR)?.map(|colors| colors.floats::<4>(1.0));
        if join(&mut self.colors, range, colors, None) {
            self.note(filled("colours"));
        }
        match has(ROOT_UV, &TEXCOORD)?.map(|uvs| uvs.floats::<2>(0.0)) {
            Some(uvs) if self.root_uvs.len() == first => self.root_uvs.extend(uvs),
            None if self.root_uvs.is_empty() => {}
            _ => {
                self.root_uvs.clear();
                let lost = "the texture coordinates of roots are left out: some objects lack them";
                self.note(lost.to_owned());
            }
        }
        Ok(())
    }

    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// Adds values of the vertices from `before` to `all` to those before. Where either has none, they
/// get the filler, by default the first of the others. Returns `true` if some were filled in.
fn join<T: Copy>(
    values: &mut Vec<T>,
    [before, all]: [usize; 2],
    more: Option<Vec<T>>,
    filler: Option<T>,
) -> bool {
    let had = !values.is_empty();
    let has_more = more.is_some();
    let mut known = values.iter().chain(more.iter().flatten());
    let Some(filler) = filler.or(known.next().copied()).filter(|_| had || has_more) else {
        return false;
    };
    values.resize(before, filler);
    values.extend(more.into_iter().flatten());
    values.resize(all, filler);
    !has_more || !had && before > 0
}
