//! A primitive: its attributes, checked, and its triangles.

use super::paint::{PaintColor, is_white};
use crate::head::error::{LoadErrorKind, Result, Warnings, limit_hint};
use crate::head::gltf::accessor::{Accessor, Expected};
use crate::head::gltf::buffers::Buffers;
use crate::head::gltf::container::unsupported;
use crate::head::gltf::document::{DRACO, Index, Primitive};
use crate::head::model::Paint;
use ::gltf::accessor::DataType;
use ::gltf::json::mesh as modes;

/// A primitive in mesh space.
pub struct Geometry {
    pub positions: Vec<[f32; 3]>,
    pub normals: Option<Vec<[f32; 3]>>,
    pub tangents: Option<Vec<[f32; 4]>>,
    pub uvs: Option<Vec<[f32; 2]>>,
    pub colors: Option<Vec<[f32; 4]>>,
    pub triangles: Vec<[u32; 3]>,
    pub paint: Option<Paint>,
    /// Descriptions of the colour sets, for the warning that nothing is painted.
    pub color_sets: Vec<String>,
}

const FLOAT: &[DataType] = &[DataType::F32];
const UNIT: &[DataType] = &[DataType::F32, DataType::U8, DataType::U16];
const POSITION: Expected = Expected {
    lanes: &[3],
    components: FLOAT,
    text: "VEC3 of f32",
    advice: "Re-export with float positions (no quantisation).",
};
const NORMAL: Expected = Expected {
    advice: "Re-export with float normals (no quantisation), or without normals.",
    ..POSITION
};
const TANGENT: Expected = Expected {
    lanes: &[4],
    components: FLOAT,
    text: "VEC4 of f32",
    advice: "Re-export with float tangents, or without tangents.",
};
const TEXCOORD: Expected = Expected {
    lanes: &[2],
    components: UNIT,
    text: "VEC2 of f32, normalised u8 or u16",
    advice: "Re-export the texture coordinates as floats.",
};
/// The types of a set of vertex colours.
pub const COLOR: Expected = Expected {
    lanes: &[3, 4],
    components: UNIT,
    text: "VEC3 or VEC4 of f32, normalised u8 or u16",
    advice: "Re-export the colours as bytes or floats.",
};
const INDICES: Expected = Expected {
    lanes: &[1],
    components: &[DataType::U8, DataType::U16, DataType::U32],
    text: "SCALAR of u8, u16 or u32",
    advice: "Re-export the mesh; indices are whole numbers.",
};

/// The way in which corners make triangles.
#[derive(Clone, Copy, PartialEq)]
enum Topology {
    List,
    Strip,
    Fan,
}

/// Reads a primitive; `None` if it has no triangles to draw. `place` is the primitive as messages
/// name it: `mesh 2 "head", primitive 0`.
pub fn read(
    buffers: &Buffers,
    primitive: &Primitive,
    place: &str,
    uv_set: u64,
    paint: PaintColor,
    warnings: &mut Warnings,
) -> Result<Option<Geometry>> {
    let mode = primitive.mode.map(|mode| u32::try_from(mode.0));
    let topology = match mode.unwrap_or(Ok(modes::TRIANGLES)) {
        Ok(modes::TRIANGLES) => Topology::List,
        Ok(modes::TRIANGLE_STRIP) => Topology::Strip,
        Ok(modes::TRIANGLE_FAN) => Topology::Fan,
        Ok(modes::POINTS..=modes::LINE_STRIP) => {
            warnings.push(format!("{place}: points and lines are not drawn"));
            return Ok(None);
        }
        _ => {
            let problem = "its mode is not one of 0 to 6";
            return Err(LoadErrorKind::invalid(place, problem));
        }
    };
    let Some(&position) = primitive.attributes.get("POSITION") else {
        warnings.push(format!("{place}: it has no POSITION and is not drawn"));
        return Ok(None);
    };
    let accessor = Accessor::open(buffers, position, place, "POSITION", &POSITION)?;
    let count = accessor.count;
    let raw = buffers.document.accessors.get(position.index());
    if raw.is_some_and(|raw| raw.buffer_view.is_none()) && primitive.has_draco() {
        return Err(unsupported(DRACO));
    }
    // Every part will have normals.
    let what = || format!("{place}, with {count} vertices,");
    buffers.budget.take(count as u64, 12, what)?;
    let positions = accessor.floats::<3>(0.0);
    let advice = "Remove the broken vertices (Blender: Mesh > Clean Up) and export again.";
    check_finite(&positions, &accessor.at, advice)?;
    let open = |role: &str, expected: &Expected| {
        let index = primitive.attributes.get(role);
        let open = |&index: &Index| Accessor::open(buffers, index, place, role, expected);
        let accessor = index.map(open).transpose()?;
        match accessor {
            Some(accessor) if accessor.count != count => {
                let problem = format!("has {} elements for {count} positions", accessor.count);
                Err(LoadErrorKind::invalid(accessor.at, problem))
            }
            accessor => Ok(accessor),
        }
    };
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
    let mut geometry = Geometry {
        normals: normals.map(|accessor| accessor.floats(0.0)),
        tangents: tangents.map(|accessor| accessor.floats(1.0)),
        triangles: triangles(buffers, primitive, place, topology, count, warnings)?,
        positions,
        uvs,
        colors: None,
        paint: None,
        color_sets: Vec::new(),
    };
    for (nth, (set, _)) in primitive.colors().into_iter().enumerate() {
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
        let what = || format!("{place}: {role}");
        buffers.budget.take(count as u64, 4, what)?;
        let colors = accessor.floats::<4>(1.0);
        check_finite(&colors, &accessor.at, COLOR.advice)?;
        if is_white(&colors) {
            let contents = format!("{role} is uniformly white");
            geometry.color_sets.push(contents);
        } else if geometry.paint.is_none()
            && let Some(paint) = paint.find(set, &colors)
        {
            geometry.paint = Some(paint);
            continue;
        } else {
            let contents = format!("{role} holds other colours than the paint");
            geometry.color_sets.push(contents);
            if set == 0 {
                geometry.colors = Some(colors);
                continue;
            }
        }
        buffers.budget.give_back(count as u64, 16);
    }
    Ok(Some(geometry))
}

fn check_finite<const N: usize>(elements: &[[f32; N]], at: &str, advice: &str) -> Result<()> {
    let is_finite = |element: &[f32; N]| element.iter().all(|lane| lane.is_finite());
    let Some(vertex) = elements.iter().position(|element| !is_finite(element)) else {
        return Ok(());
    };
    let problem = format!("vertex {vertex} is not finite: {:?}", elements[vertex]);
    Err(LoadErrorKind::advised(at, problem, advice))
}

/// Returns the triangles of a list, strip or fan, indexed or not, with all corners in range.
fn triangles(
    buffers: &Buffers,
    primitive: &Primitive,
    place: &str,
    topology: Topology,
    vertices: usize,
    warnings: &mut Warnings,
) -> Result<Vec<[u32; 3]>> {
    let indices = match primitive.indices {
        None => None,
        Some(index) => {
            let accessor = Accessor::open(buffers, index, place, "indices", &INDICES)?;
            let indices = accessor.indices();
            let wrong = indices.iter().position(|&index| index as usize >= vertices);
            if let Some(nth) = wrong {
                let index = indices[nth];
                let problem =
                    format!("index {nth} is {index}, but there are only {vertices} vertices");
                return Err(LoadErrorKind::invalid(accessor.at, problem));
            }
            Some(indices)
        }
    };
    let corners = indices.as_ref().map_or(vertices, Vec::len);
    let count = match topology {
        Topology::List => corners / 3,
        _ => corners.saturating_sub(2),
    };
    if topology == Topology::List && corners % 3 != 0 {
        warnings.push(format!(
            "{place}: {corners} corners are not a multiple of 3; the rest is dropped"
        ));
    }
    let what = || format!("{place}, with {count} triangles,");
    buffers.budget.take(count as u64, 12, what)?;
    let at = |nth: usize| match &indices {
        Some(indices) => indices[nth],
        None => nth as u32,
    };
    let triangle = |nth: usize| match topology {
        Topology::List => [at(3 * nth), at(3 * nth + 1), at(3 * nth + 2)],
        // Every other triangle of a strip has the opposite winding.
        Topology::Strip => [at(nth), at(nth + 1 + nth % 2), at(nth + 2 - nth % 2)],
        Topology::Fan => [at(nth + 1), at(nth + 2), at(0)],
    };
    let triangles = (0..count).map(triangle).collect();
    if let Some(indices) = indices {
        buffers.budget.give_back(indices.len() as u64, 4);
    }
    Ok(triangles)
}
