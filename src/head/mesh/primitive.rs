//! A primitive: its vertices and its triangles.

use super::attributes::{Attributes, COLOR, INDICES, NORMAL, POSITION, TANGENT, TEXCOORD};
use super::paint::{PAINT_NAME, PaintSearch, named_density};
use crate::head::error::{LoadErrorKind, Result, Warnings, limit_hint};
use crate::head::gltf::accessor::{Accessor, Expected};
use crate::head::gltf::buffers::Buffers;
use crate::head::gltf::document::{Index, Primitive};
use crate::head::model::{Paint, Part};
use ::gltf::json::mesh as modes;
use glam::Vec4;

/// Memory of a line that is a strand of its own, once it is drawn.
const BYTES_PER_LINE: u64 = 150;

/// The colours and attributes of a primitive that are not its paint.
#[derive(Default)]
pub struct Unpainted {
    /// Why each colour set is no paint: `COLOR_0 has other colours than the paint`.
    pub color_sets: Vec<String>,
    /// Evidence of paint that would count if what counts before were not there.
    pub passed_over: Option<String>,
}

/// Reads a primitive as a part in mesh space; `None` if it has nothing to draw. With `is_masked`,
/// paint counts only if it was written here.
pub fn read(
    attributes: &Attributes,
    uv_set: u64,
    (paint, is_masked): (PaintSearch, bool),
    warnings: &mut Warnings,
) -> Result<Option<(Part, Unpainted)>> {
    let (buffers, primitive, place) = (attributes.buffers, attributes.primitive, attributes.place);
    // Nodes that share a mesh go through these lists again and again, so that this is never given back.
    let lists = primitive.attributes.len() as u64;
    (buffers.budget).take(lists, 32, format_args!("{place}: its attributes"))?;
    let code = primitive.mode.map(|mode| mode.0 as u32);
    let mode = code.unwrap_or(modes::TRIANGLES);
    if [modes::POINTS, modes::LINE_LOOP].contains(&mode) {
        warnings.push(format!("{place}: points and loops of lines are not drawn"));
        return Ok(None);
    }
    if mode > modes::TRIANGLE_FAN {
        let problem = "its mode is not one of 0 to 6";
        return Err(LoadErrorKind::invalid(place, problem));
    }
    let Some(accessor) = attributes.open("POSITION", &POSITION)? else {
        warnings.push(format!("{place}: it has no POSITION and is not drawn"));
        return Ok(None);
    };
    let count = accessor.count;
    // Every part will have normals.
    let what = format_args!("{place}, with {count} vertices,");
    buffers.budget.take(count as u64, 12, what)?;
    let positions = accessor.floats::<3>(0.0);
    let advice = "Remove the broken vertices (Blender: Mesh > Clean Up) and export again.";
    check_finite(&positions, &accessor.at, advice)?;
    let open = |role: &str, expected: &Expected| attributes.of_vertices(role, expected, count);
    let normals = open("NORMAL", &NORMAL)?;
    let tangents = open("TANGENT", &TANGENT)?;
    let role = format!("TEXCOORD_{uv_set}");
    let mut uvs = open(&role, &TEXCOORD)?.map(|accessor| accessor.floats::<2>(0.0));
    let lanes = uvs.iter_mut().flat_map(|uvs| uvs.as_flattened_mut());
    let broken = lanes.filter(|lane| !lane.is_finite());
    if broken.map(|lane| *lane = 0.0).count() > 0 {
        warnings.push(format!(
            "{place}: {role} is not finite in places; set to 0 there"
        ));
    }
    let corners = corners(attributes, count)?;
    // Draco has lists of triangles, whatever they were before.
    let mode = match attributes.draco {
        Some(_) => modes::TRIANGLES,
        None => mode,
    };
    let is_lines = mode <= modes::LINE_STRIP;
    let mut part = Part {
        normals: normals.map_or_else(Vec::new, |accessor| vectors(accessor.floats::<3>(0.0))),
        tangents: tangents.map(|accessor| vectors(accessor.floats::<4>(1.0))),
        triangles: match is_lines {
            true => Vec::new(),
            false => triangles(buffers, &corners, place, mode, warnings)?,
        },
        lines: match is_lines {
            true => lines(buffers, &corners, place, mode)?,
            false => Vec::new(),
        },
        positions: vectors(positions),
        uvs: uvs.map(vectors),
        ..Part::default()
    };
    let mut unpainted = Unpainted::default();
    // Lines have the colour of their material.
    let mut sets = match is_lines {
        true => Vec::new(),
        false => primitive.colors(),
    };
    // Colours that were painted here come first, then those whose name says so, then those that
    // look like paint.
    let is_own = |(_, index): &(u32, Index)| {
        let raw = buffers.document.accessors.get(index.index());
        raw.is_some_and(|raw| raw.name.as_deref() == Some(PAINT_NAME))
    };
    sets.sort_by_key(|set| !is_own(set));
    if let Some((role, density)) = named_density(attributes, count, warnings) {
        if is_masked || sets.first().is_some_and(is_own) {
            unpainted.passed_over = Some(role.to_owned());
        } else {
            part.paint = Some(Paint {
                set: first_free(primitive),
                is_own: false,
                why: role.to_owned(),
                density,
            });
        }
    }
    for (nth, of_set) in sets.into_iter().enumerate() {
        let set = of_set.0;
        let max = buffers.budget.limits.color_sets;
        if nth as u64 >= max {
            let hint = limit_hint("color-sets");
            warnings.push(format!(
                "{place}: only {max} of its colour sets are searched for paint {hint}"
            ));
            break;
        }
        let role = format!("COLOR_{set}");
        let Some(accessor) = open(&role, &COLOR)? else {
            continue;
        };
        // A VEC3 is read as four lanes as well.
        let what = format_args!("{place}: {role}");
        buffers.budget.take(count as u64, 4, what)?;
        let colors = accessor.floats::<4>(1.0);
        check_finite(&colors, &accessor.at, COLOR.advice)?;
        // Exporters add white sets.
        if colors.as_flattened().iter().all(|&lane| lane >= 0.999) {
            unpainted.color_sets.push(format!("{role} {WHITE}"));
            buffers.budget.give_back(count as u64, 16);
            continue;
        }
        let is_own = is_own(&of_set);
        let counts = part.paint.is_none() && (is_own || !is_masked);
        let found = paint.find(set, &colors, is_own);
        let other = match &found {
            Ok(found) if !counts => Some(found.why.clone()),
            _ if is_own || !paint.is_asked() => None,
            _ => PaintSearch::AUTO
                .find(set, &colors, false)
                .ok()
                .map(|auto| auto.why),
        };
        unpainted.passed_over = unpainted.passed_over.take().or(other);
        match found {
            Ok(paint) if counts => {
                part.paint = Some(paint);
                continue;
            }
            Ok(_) => {}
            Err(problem) => unpainted.color_sets.push(format!("{role} {problem}")),
        }
        if set == 0 {
            let rgba = |color| Vec4::from(color).max(Vec4::ZERO);
            part.colors = Some(colors.into_iter().map(rgba).collect());
            continue;
        }
        buffers.budget.give_back(count as u64, 16);
    }
    Ok(Some((part, unpainted)))
}

/// The description of a colour set that exporters add.
pub const WHITE: &str = "is uniformly white";

/// Returns the first `n` of `COLOR_n` that a primitive does not have.
pub fn first_free(primitive: &Primitive) -> u32 {
    let sets = primitive.colors();
    let taken = (0..).zip(&sets).take_while(|(nth, (set, _))| nth == set);
    taken.count() as u32
}

fn vectors<T: From<[f32; N]>, const N: usize>(elements: Vec<[f32; N]>) -> Vec<T> {
    elements.into_iter().map(T::from).collect()
}

pub fn check_finite<const N: usize>(elements: &[[f32; N]], at: &str, advice: &str) -> Result<()> {
    let is_finite = |element: &[f32; N]| element.iter().all(|lane| lane.is_finite());
    let Some(vertex) = elements.iter().position(|element| !is_finite(element)) else {
        return Ok(());
    };
    let problem = format!("vertex {vertex} is not finite: {:?}", elements[vertex]);
    Err(LoadErrorKind::advised(at, problem, advice))
}

/// The vertices of a primitive in the order in which they are joined.
struct Corners {
    /// The indices, all in range; `None` stands for all vertices in order.
    indices: Option<Vec<u32>>,
    count: usize,
}

impl Corners {
    fn at(&self, nth: usize) -> u32 {
        match &self.indices {
            Some(indices) => indices[nth],
            None => nth as u32,
        }
    }
}

fn corners(attributes: &Attributes, vertices: usize) -> Result<Corners> {
    let (buffers, place) = (attributes.buffers, attributes.place);
    let mut indices = None;
    if let Some((_, geometry)) = &attributes.draco {
        // Positions that are not compressed may be fewer.
        if geometry.vertices > vertices {
            let compressed = geometry.vertices;
            let problem = format!("it has {vertices} positions for {compressed} vertices (Draco)");
            return Err(LoadErrorKind::invalid(place, problem));
        }
        let what = format_args!("{place}: its corners");
        buffers
            .budget
            .take(geometry.indices.len() as u64, 4, what)?;
        indices = Some(geometry.indices.clone());
    } else if let Some(index) = attributes.primitive.indices {
        let accessor = Accessor::open(buffers, index, place, "indices", &INDICES)?;
        let list = indices.insert(accessor.indices());
        if let Some(nth) = list.iter().position(|&index| index as usize >= vertices) {
            let index = list[nth];
            let problem = format!("index {nth} is {index}, but there are only {vertices} vertices");
            return Err(LoadErrorKind::invalid(accessor.at, problem));
        }
    }
    let count = indices.as_ref().map_or(vertices, Vec::len);
    Ok(Corners { indices, count })
}

/// Returns the triangles of a list, strip or fan (`mode`).
fn triangles(
    buffers: &Buffers,
    corners: &Corners,
    place: &str,
    mode: u32,
    warnings: &mut Warnings,
) -> Result<Vec<[u32; 3]>> {
    let count = match mode {
        modes::TRIANGLES => corners.count / 3,
        _ => corners.count.saturating_sub(2),
    };
    if mode == modes::TRIANGLES && !corners.count.is_multiple_of(3) {
        warnings.push(format!(
            "{place}: {} corners are not a multiple of 3; the rest is dropped",
            corners.count
        ));
    }
    let what = format_args!("{place}, with {count} triangles,");
    buffers.budget.take(count as u64, 12, what)?;
    let at = |nth| corners.at(nth);
    let triangle = |nth: usize| match mode {
        modes::TRIANGLES => [at(3 * nth), at(3 * nth + 1), at(3 * nth + 2)],
        // Every other triangle of a strip has the opposite winding.
        modes::TRIANGLE_STRIP => [at(nth), at(nth + 1 + nth % 2), at(nth + 2 - nth % 2)],
        _ => [at(nth + 1), at(nth + 2), at(0)],
    };
    let triangles = (0..count).map(triangle).collect();
    give_back(buffers, corners);
    Ok(triangles)
}

/// Returns the edges of a primitive of lines with so many vertices; `None` for other primitives.
pub fn line_edges(attributes: &Attributes, vertices: usize) -> Result<Option<Vec<[u32; 2]>>> {
    let code = attributes.primitive.mode.map(|mode| mode.0 as u32);
    match code {
        Some(mode @ ..=modes::LINE_STRIP) if mode > modes::POINTS && attributes.draco.is_none() => {
            let corners = corners(attributes, vertices)?;
            let mut edges = edges(&corners, mode);
            if mode == modes::LINE_LOOP && corners.count > 2 {
                edges.push([corners.at(corners.count - 1), corners.at(0)]);
            }
            Ok(Some(edges))
        }
        _ => Ok(None),
    }
}

fn edges(corners: &Corners, mode: u32) -> Vec<[u32; 2]> {
    let (count, step) = line_count(corners, mode);
    let edge = |nth: usize| [corners.at(step * nth), corners.at(step * nth + 1)];
    (0..count).map(edge).collect()
}

/// Returns the number of lines of a list or a strip (`mode`), and the corners from one to the next.
fn line_count(corners: &Corners, mode: u32) -> (usize, usize) {
    match mode {
        modes::LINES => (corners.count / 2, 2),
        _ => (corners.count.saturating_sub(1), 1),
    }
}

/// Returns the lines of a list or a strip (`mode`).
fn lines(buffers: &Buffers, corners: &Corners, place: &str, mode: u32) -> Result<Vec<[u32; 2]>> {
    let (count, _) = line_count(corners, mode);
    let what = format_args!("{place}, with {count} lines,");
    buffers.budget.take(count as u64, BYTES_PER_LINE, what)?;
    let lines = edges(corners, mode);
    give_back(buffers, corners);
    Ok(lines)
}

fn give_back(buffers: &Buffers, corners: &Corners) {
    let indices = corners.indices.as_ref().map_or(0, Vec::len);
    buffers.budget.give_back(indices as u64, 4);
}
