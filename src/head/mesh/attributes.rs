//! The attributes of a primitive and their types, checked.

use crate::head::error::{LoadErrorKind, Result};
use crate::head::gltf::accessor::{Accessor, Expected};
use crate::head::gltf::buffers::Buffers;
use crate::head::gltf::document::Primitive;
use crate::head::gltf::draco;
use ::gltf::accessor::DataType;

const FLOAT: &[DataType] = &[DataType::F32];
/// Numbers from 0 to 1.
pub const UNIT: &[DataType] = &[DataType::F32, DataType::U8, DataType::U16];
const SIGNED: &[DataType] = &[DataType::I8, DataType::I16];
/// The types of positions, and of what morph targets add to them.
pub const POSITION: Expected = Expected {
    lanes: &[3],
    components: FLOAT,
    quantized: &[DataType::I8, DataType::U8, DataType::I16, DataType::U16],
    text: "VEC3 of f32, or of integers with KHR_mesh_quantization",
    advice: "Re-export with float positions (no quantisation).",
};
/// The types of normals, and of what morph targets add to them.
pub const NORMAL: Expected = Expected {
    quantized: SIGNED,
    text: "VEC3 of f32, or of i8 or i16 with KHR_mesh_quantization",
    advice: "Re-export with float normals (no quantisation), or without normals.",
    ..POSITION
};
/// The types of tangents.
pub const TANGENT: Expected = Expected {
    lanes: &[4],
    components: FLOAT,
    quantized: SIGNED,
    text: "VEC4 of f32, or of i8 or i16 with KHR_mesh_quantization",
    advice: "Re-export with float tangents, or without tangents.",
};
/// The types of a set of texture coordinates.
pub const TEXCOORD: Expected = Expected {
    lanes: &[2],
    components: UNIT,
    quantized: SIGNED,
    text: "VEC2 of f32, normalised u8 or u16",
    advice: "Re-export the texture coordinates as floats.",
};
/// The types of a set of vertex colours.
pub const COLOR: Expected = Expected {
    lanes: &[3, 4],
    components: UNIT,
    quantized: &[],
    text: "VEC3 or VEC4 of f32, normalised u8 or u16",
    advice: "Re-export the colours as bytes or floats.",
};
/// The types of a set of joints, and of the weights of these.
pub const JOINTS: Expected = Expected {
    lanes: &[4],
    components: &[DataType::U8, DataType::U16],
    quantized: &[],
    text: "VEC4 of u8 or u16",
    advice: "Export the skin again.",
};
const WEIGHTS: Expected = Expected {
    lanes: &[4],
    components: &[DataType::F32, DataType::U8, DataType::U16],
    text: "VEC4 of f32, normalised u8 or u16",
    ..JOINTS
};

/// Sets of four joints that a vertex may have.
pub const MOST_SETS: usize = 4;

/// The types of the numbers of corners.
pub const INDICES: Expected = Expected {
    lanes: &[1],
    components: &[DataType::U8, DataType::U16, DataType::U32],
    quantized: &[],
    text: "SCALAR of u8, u16 or u32",
    advice: "Re-export the mesh; indices are whole numbers.",
};

/// The attributes of a primitive, compressed with Draco or not.
pub struct Attributes<'a> {
    pub buffers: &'a Buffers<'a>,
    pub primitive: &'a Primitive,
    /// The primitive as messages name it: `mesh 2 "head", primitive 0`.
    pub place: &'a str,
    pub draco: Option<(draco::Compressed, &'a draco::Geometry)>,
}

impl<'a> Attributes<'a> {
    /// Finds the attributes of a primitive, and decompresses them.
    pub fn of(buffers: &'a Buffers, primitive: &'a Primitive, place: &'a str) -> Result<Self> {
        Ok(Self {
            buffers,
            primitive,
            place,
            draco: buffers.draco(primitive, place)?,
        })
    }

    /// Opens an attribute that has one element for each of so many vertices.
    pub fn of_vertices(
        &self,
        role: &str,
        expected: &Expected,
        vertices: usize,
    ) -> Result<Option<Accessor<'a>>> {
        let accessor = self.open(role, expected)?;
        accessor
            .map(|accessor| checked(accessor, vertices))
            .transpose()
    }

    /// Opens the joints and the weights of a set, which has four of each for each of so many vertices.
    pub fn joints(&self, set: usize, vertices: usize) -> Result<Option<[Accessor<'a>; 2]>> {
        let open = |role: &str, expected: &Expected| {
            self.of_vertices(&format!("{role}_{set}"), expected, vertices)
        };
        let (joints, weights) = (open("JOINTS", &JOINTS)?, open("WEIGHTS", &WEIGHTS)?);
        Ok(joints.zip(weights).map(<[_; 2]>::from))
    }

    /// Opens an attribute; `None` if the primitive does not have it.
    pub fn open(&self, role: &str, expected: &Expected) -> Result<Option<Accessor<'a>>> {
        let Some(&index) = self.primitive.attributes.get(role) else {
            return Ok(None);
        };
        let (buffers, place) = (self.buffers, self.place);
        let draco = self.draco.as_ref();
        let compressed = draco.and_then(|(numbers, geometry)| {
            Some((numbers.attribute(geometry, role)?, geometry.vertices))
        });
        match compressed {
            Some((attribute, vertices)) => {
                Accessor::of_draco(buffers, index, attribute, vertices, place, role, expected)
            }
            None => Accessor::open(buffers, index, place, role, expected),
        }
        .map(Some)
    }
}

/// Returns an accessor that has one element for each of so many vertices.
pub fn checked(accessor: Accessor, vertices: usize) -> Result<Accessor> {
    match accessor.count == vertices {
        true => Ok(accessor),
        false => {
            let problem = format!("has {} elements for {vertices} positions", accessor.count);
            Err(LoadErrorKind::invalid(accessor.at, problem))
        }
    }
}
