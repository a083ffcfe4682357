//! Primitives that are compressed with `KHR_draco_mesh_compression`.

use super::document::{Index, Primitive};
use super::parser::extension;
use crate::head::error::{LoadErrorKind, Result};
use crate::head::limits::Budget;
use crate::told::short;
use ::gltf::accessor::DataType;
use draco_core::{
    DecodeLimits, DecoderBuffer, ErrorKind, Mesh, MeshDecoder, PointAttribute, PointIndex,
};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};

/// Memory that the decoder needs for each triangle besides what it returns, measured.
const BYTES_PER_TRIANGLE: u64 = 64;

/// The extension of a primitive.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Compressed {
    pub buffer_view: Index,
    /// The number of each attribute in the compressed data.
    #[serde(default)]
    pub attributes: BTreeMap<String, Index>,
}

/// Decompressed geometry.
pub struct Geometry {
    /// The corners of the triangles, each below `vertices`.
    pub indices: Vec<u32>,
    pub vertices: usize,
    /// The attributes by their number.
    attributes: BTreeMap<u64, Attribute>,
}

/// The values of an attribute, packed, one per vertex.
pub struct Attribute {
    pub component: DataType,
    pub lanes: usize,
    pub bytes: Vec<u8>,
}

impl Compressed {
    /// Returns how a primitive is compressed; `None` if it is not.
    pub fn of(primitive: &Primitive) -> Result<Option<Self>> {
        let raw = primitive.extensions.as_ref();
        let raw = raw.and_then(|all| all.draco.as_ref());
        let parsed = raw.map(|raw| extension(raw)).transpose();
        parsed.map_err(fail)
    }

    /// Returns the values of an attribute, if the compressed data has them.
    pub fn attribute<'a>(&self, geometry: &'a Geometry, role: &str) -> Option<&'a Attribute> {
        geometry.attributes.get(&self.attributes.get(role)?.0)
    }
}

impl Geometry {
    /// Decompresses a mesh, charged to the budget before the decoder runs.
    pub fn decode(bytes: &[u8], budget: &Budget) -> Result<Self> {
        // The decoder's values, ours, and its tables each get a part.
        let room = budget.left();
        let limits = DecodeLimits::default()
            .with_max_points(budget.limits.vertices)
            .with_max_faces(room / 2 / BYTES_PER_TRIANGLE)
            .with_max_decoded_bytes(room / 4);
        let decode = || {
            let mut mesh = Mesh::new();
            let mut buffer = DecoderBuffer::new(bytes).with_limits(limits);
            let done = MeshDecoder::new().decode(&mut buffer, &mut mesh);
            done.map(|()| mesh)
        };
        let decoded = panic::catch_unwind(AssertUnwindSafe(decode));
        let decoded = decoded.map_err(|_| fail("its decoder fails"))?;
        let mesh = decoded.map_err(|error| match error.kind() {
            ErrorKind::LimitExceeded => LoadErrorKind::advised(
                "",
                "its Draco data takes more memory or vertices than may be taken",
                "Reduce the mesh, or raise --limit memory-free=N or --limit vertices=N.",
            ),
            _ => fail(error),
        })?;
        let vertices = mesh.num_points();
        let what = "decompressed data (Draco)";
        budget.take(mesh.num_faces() as u64, 12, what)?;
        let indices = mesh
            .faces()
            .iter()
            .flat_map(|face| face.map(|point| point.0));
        let indices: Vec<u32> = indices.collect();
        if indices.iter().any(|&index| index as usize >= vertices) {
            return Err(fail("a triangle has a corner that does not exist"));
        }
        let mut attributes = BTreeMap::new();
        for number in 0..mesh.num_attributes() {
            let attribute = mesh.attribute(number);
            let Some(component) = component(attribute) else {
                continue;
            };
            let lanes = usize::from(attribute.num_components());
            let element = lanes * component.size();
            budget.take(vertices as u64, element as u64, what)?;
            let bytes = packed(attribute, vertices, element)
                .ok_or_else(|| fail("an attribute has too few values"))?;
            let attribute_of = Attribute {
                component,
                lanes,
                bytes,
            };
            attributes.insert(u64::from(attribute.unique_id()), attribute_of);
        }
        Ok(Self {
            indices,
            vertices,
            attributes,
        })
    }
}

/// Returns the type of the components of an attribute, if accessors can have it.
fn component(attribute: &PointAttribute) -> Option<DataType> {
    use draco_core::DataType as Draco;
    Some(match attribute.data_type() {
        Draco::Int8 => DataType::I8,
        Draco::Uint8 => DataType::U8,
        Draco::Int16 => DataType::I16,
        Draco::Uint16 => DataType::U16,
        Draco::Uint32 => DataType::U32,
        Draco::Float32 => DataType::F32,
        _ => return None,
    })
}

/// Returns the value of each vertex, one after the other; `None` if one is missing.
fn packed(attribute: &PointAttribute, vertices: usize, element: usize) -> Option<Vec<u8>> {
    let stride = usize::try_from(attribute.byte_stride()).ok()?;
    let data = attribute.buffer().data();
    let mut bytes = Vec::with_capacity(vertices * element);
    for vertex in 0..vertices {
        let value = attribute.mapped_index(PointIndex(vertex as u32)).0 as usize;
        let start = value.checked_mul(stride)?;
        bytes.extend_from_slice(data.get(start..start.checked_add(element)?)?);
    }
    Some(bytes)
}

fn fail(problem: impl std::fmt::Display) -> LoadErrorKind {
    let advice = "Export it again, or without Draco (Blender: untick Compression).";
    LoadErrorKind::advised(
        "",
        format!("its Draco data is broken: {}", short(&problem.to_string())),
        advice,
    )
}
