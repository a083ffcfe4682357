//! One primitive: attributes read and checked, its triangles made plain.

use super::Paint;
use super::accessor::{Accessor, Wanted};
use super::buffers::Buffers;
use super::container::unsupported;
use super::error::{LoadErrorKind, Result, Warnings};
use super::limits::way_past;
use super::paint::{PaintColor, is_white};
use gltf::json::accessor::ComponentType as Component;
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use gltf::json::{self, Index};

/// A primitive in mesh space.
pub struct Geometry {
    pub positions: Vec<[f32; 3]>,
    pub normals: Option<Vec<[f32; 3]>>,
    pub tangents: Option<Vec<[f32; 4]>>,
    pub uvs: Option<Vec<[f32; 2]>>,
    pub colors: Option<Vec<[f32; 4]>>,
    pub triangles: Vec<[u32; 3]>,
    pub paint: Option<Paint>,
    /// What the colour sets were, for the notice that nothing is painted.
    pub color_sets: Vec<String>,
}

const FLOAT: &[Component] = &[Component::F32];
const UNIT: &[Component] = &[Component::F32, Component::U8, Component::U16];
const POSITION: Wanted = Wanted {
    lanes: &[3],
    components: FLOAT,
    text: "VEC3 of f32",
    advice: "Re-export with float positions (no quantisation).",
};
const NORMAL: Wanted = Wanted {
    advice: "Re-export with float normals (no quantisation), or without normals.",
    ..POSITION
};
const TANGENT: Wanted = Wanted {
    lanes: &[4],
    components: FLOAT,
    text: "VEC4 of f32",
    advice: "Re-export with float tangents, or without tangents.",
};
const TEXCOORD: Wanted = Wanted {
    lanes: &[2],
    components: UNIT,
    text: "VEC2 of f32, normalised u8 or u16",
    advice: "Re-export the texture coordinates as floats.",
};
/// What a set of vertex colours may be.
pub const COLOR: Wanted = Wanted {
    lanes: &[3, 4],
    components: UNIT,
    text: "VEC3 or VEC4 of f32, normalised u8 or u16",
    advice: "Re-export the colours as bytes or floats.",
};
const INDICES: Wanted = Wanted {
    lanes: &[1],
    components: &[Component::U8, Component::U16, Component::U32],
    text: "SCALAR of u8, u16 or u32",
    advice: "Re-export the mesh; indices are whole numbers.",
};

/// Reads a primitive; none if it has nothing to fill with triangles.
/// `place` names it in messages: `mesh 2 "head", primitive 0`.
pub fn read(
    buffers: &Buffers,
    primitive: &Primitive,
    place: &str,
    uv_set: u32,
    paint: PaintColor,
    warnings: &mut Warnings,
) -> Result<Option<Geometry>> {
    let kind = match primitive.mode {
        Checked::Valid(Mode::Triangles) => Triangles::List,
        Checked::Valid(Mode::TriangleStrip) => Triangles::Strip,
        Checked::Valid(Mode::TriangleFan) => Triangles::Fan,
        Checked::Valid(_) => {
            warnings.push(format!("{place}: points and lines are not drawn"));
            return Ok(None);
        }
        Checked::Invalid => {
            let problem = "its mode is not one of 0 to 6";
            return Err(LoadErrorKind::invalid(place, problem));
        }
    };
    let index_of = |semantic| {
        let index = primitive.attributes.get(&Checked::Valid(semantic));
        index.copied()
    };
    let Some(position) = index_of(Semantic::Positions) else {
        warnings.push(format!("{place}: it has no POSITION and is not drawn"));
        return Ok(None);
    };
    let accessor = Accessor::open(buffers, position, place, "POSITION", &POSITION)?;
    let count = accessor.count;
    let drained = buffers
        .document
        .accessors
        .get(position.value())
        .is_some_and(|a| a.buffer_view.is_none());
    if drained && has_draco(primitive) {
        return Err(unsupported("KHR_draco_mesh_compression"));
    }
    // Every part has normals.
    buffers.budget.take(count as u64, 12, || {
        format!("{place}, with {count} vertices,")
    })?;
    let positions = accessor.floats::<3>(0.0);
    if let Some(vertex) = positions
        .iter()
        .position(|p| !p.iter().all(|lane| lane.is_finite()))
    {
        return Err(LoadErrorKind::advised(
            accessor.at,
            format!("vertex {vertex} is not finite: {:?}", positions[vertex]),
            "Remove the broken vertices (Blender: Mesh > Clean Up) and export again.",
        ));
    }
    let attribute = |index: Index<json::Accessor>, role: &str, wanted: &Wanted| {
        let accessor = Accessor::open(buffers, index, place, role, wanted)?;
        if accessor.count != count {
            let problem = format!("has {} elements for {count} positions", accessor.count);
            return Err(LoadErrorKind::invalid(accessor.at, problem));
        }
        Ok(accessor)
    };
    let normals = index_of(Semantic::Normals)
        .map(|normal| attribute(normal, "NORMAL", &NORMAL))
        .transpose()?;
    let tangents = index_of(Semantic::Tangents)
        .map(|tangent| attribute(tangent, "TANGENT", &TANGENT))
        .transpose()?;
    let mut uvs = None;
    if let Some(uv) = index_of(Semantic::TexCoords(uv_set)) {
        let mut read = attribute(uv, &format!("TEXCOORD_{uv_set}"), &TEXCOORD)?.floats::<2>(0.0);
        let mut broken = false;
        for lane in read
            .as_flattened_mut()
            .iter_mut()
            .filter(|lane| !lane.is_finite())
        {
            *lane = 0.0;
            broken = true;
        }
        if broken {
            warnings.push(format!(
                "{place}: TEXCOORD_{uv_set} is not finite in places; set to 0 there"
            ));
        }
        uvs = Some(read);
    }
    let mut geometry = Geometry {
        normals: normals.map(|accessor| accessor.floats(0.0)),
        tangents: tangents.map(|accessor| accessor.floats(1.0)),
        triangles: triangles(buffers, primitive, place, kind, count, warnings)?,
        positions,
        uvs,
        colors: None,
        paint: None,
        color_sets: Vec::new(),
    };
    // In order of their sets.
    let colors = primitive.attributes.iter().filter_map(|named| match named {
        (&Checked::Valid(Semantic::Colors(set)), &color) => Some((set, color)),
        _ => None,
    });
    for (nth, (set, color)) in colors.enumerate() {
        let most = buffers.budget.limits.color_sets;
        if nth as u64 >= most {
            let way_past = way_past("color-sets");
            warnings.push(format!(
                "{place}: only {most} of its colour sets are searched for paint {way_past}"
            ));
            break;
        }
        let role = format!("COLOR_{set}");
        let accessor = attribute(color, &role, &COLOR)?;
        // A VEC3 becomes four lanes as well.
        buffers
            .budget
            .take(count as u64, 4, || format!("{place}: {role}"))?;
        let colors = accessor.floats::<4>(1.0);
        if let Some(vertex) = colors
            .iter()
            .position(|c| !c.iter().all(|lane| lane.is_finite()))
        {
            let problem = format!("vertex {vertex} is not finite: {:?}", colors[vertex]);
            return Err(LoadErrorKind::advised(accessor.at, problem, COLOR.advice));
        }
        if is_white(&colors) {
            geometry
                .color_sets
                .push(format!("{role} is uniformly white"));
        } else if let Some(paint) = paint
            .find(set, &colors)
            .filter(|_| geometry.paint.is_none())
        {
            geometry.paint = Some(paint);
            continue;
        } else {
            geometry
                .color_sets
                .push(format!("{role} holds other colours than the paint"));
            if set == 0 {
                geometry.colors = Some(colors);
                continue;
            }
        }
        buffers.budget.give_back(count as u64, 16);
    }
    Ok(Some(geometry))
}

/// Whether a primitive's geometry is compressed.
fn has_draco(primitive: &Primitive) -> bool {
    let extensions = primitive.extensions.as_ref();
    extensions.is_some_and(|all| all.others.contains_key("KHR_draco_mesh_compression"))
}

/// How corners make triangles.
#[derive(Clone, Copy, PartialEq)]
enum Triangles {
    List,
    Strip,
    Fan,
}

/// Triangles from a list, strip or fan, indexed or not; all corners in range.
fn triangles(
    buffers: &Buffers,
    primitive: &Primitive,
    place: &str,
    kind: Triangles,
    vertices: usize,
    warnings: &mut Warnings,
) -> Result<Vec<[u32; 3]>> {
    let indices = match primitive.indices {
        None => None,
        Some(index) => {
            let accessor = Accessor::open(buffers, index, place, "indices", &INDICES)?;
            let indices = accessor.indices();
            let wrong = indices
                .iter()
                .enumerate()
                .find(|&(_, &index)| index as usize >= vertices);
            if let Some((nth, index)) = wrong {
                let problem =
                    format!("index {nth} is {index}, but there are only {vertices} vertices");
                return Err(LoadErrorKind::invalid(accessor.at, problem));
            }
            Some(indices)
        }
    };
    let corners = indices.as_ref().map_or(vertices, Vec::len);
    let count = match kind {
        Triangles::List => corners / 3,
        _ => corners.saturating_sub(2),
    };
    if kind == Triangles::List && corners % 3 != 0 {
        warnings.push(format!(
            "{place}: {corners} corners are not a multiple of 3; the rest is dropped"
        ));
    }
    buffers.budget.take(count as u64, 12, || {
        format!("{place}, with {count} triangles,")
    })?;
    let at = |nth: usize| match &indices {
        Some(indices) => indices[nth],
        None => nth as u32,
    };
    let triangle = |nth: usize| match kind {
        Triangles::List => [at(3 * nth), at(3 * nth + 1), at(3 * nth + 2)],
        // Every other triangle of a strip turns the other way.
        Triangles::Strip => [at(nth), at(nth + 1 + nth % 2), at(nth + 2 - nth % 2)],
        Triangles::Fan => [at(nth + 1), at(nth + 2), at(0)],
    };
    let triangles = (0..count).map(triangle).collect();
    if let Some(indices) = indices {
        buffers.budget.give_back(indices.len() as u64, 4);
    }
    Ok(triangles)
}
