//! A dome, plain and compressed with Draco or meshopt.

#![allow(dead_code)] // Each test crate uses a part of this.

use super::gltf_builder::{F32, Gltf, U16};
use draco_core::{
    DataType, EncoderBuffer, EncoderOptions, FaceIndex, GeometryAttributeType, Mesh, MeshEncoder,
    PointAttribute, PointIndex,
};
use glam::Vec3;
use meshoptimizer_rs::Workspace;
use meshoptimizer_rs::codec::{
    IndexEncoding, VertexEncoding, encode_index_buffer, encode_vertex_buffer,
};
use serde_json::json;

/// Rows and columns of the dome.
const SIDE: usize = 24;

/// A dome, black above and white below.
pub struct Dome {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub colors: Vec<[f32; 4]>,
    pub indices: Vec<u32>,
}

pub fn dome() -> Dome {
    let at = |i: usize| {
        let [u, v] = [i % SIDE, i / SIDE].map(|k| 2.0 * k as f32 / (SIDE - 1) as f32 - 1.0);
        Vec3::new(u, 2.0 - u * u - v * v, v)
    };
    let vertices = 0..SIDE * SIDE;
    let normal = |p: Vec3| Vec3::new(2.0 * p.x, 1.0, 2.0 * p.z).normalize();
    let color = |p: Vec3| {
        if p.y > 1.0 {
            [0.0, 0.0, 0.0, 1.0]
        } else {
            [1.0; 4]
        }
    };
    let corners = (0..(SIDE - 1) * (SIDE - 1)).flat_map(|cell| {
        let a = (cell / (SIDE - 1) * SIDE + cell % (SIDE - 1)) as u32;
        let (b, c, d) = (a + 1, a + SIDE as u32, a + SIDE as u32 + 1);
        [a, c, b, b, c, d]
    });
    Dome {
        positions: vertices.clone().map(|i| at(i).into()).collect(),
        normals: vertices.clone().map(|i| normal(at(i)).into()).collect(),
        colors: vertices.map(|i| color(at(i))).collect(),
        indices: corners.collect(),
    }
}

pub fn plain(dome: &Dome) -> Gltf {
    let mut gltf = Gltf::new();
    let position = gltf.floats("VEC3", dome.positions.as_flattened());
    let normal = gltf.floats("VEC3", dome.normals.as_flattened());
    let color = gltf.floats("VEC4", dome.colors.as_flattened());
    let indices = gltf.ints(U16, "SCALAR", &dome.indices);
    let attributes = json!({"POSITION": position, "NORMAL": normal, "COLOR_0": color});
    gltf.head(json!({"attributes": attributes, "indices": indices}));
    gltf
}

/// Returns the Draco data of the dome: position 0, normal 1, colour 2.
fn draco_bytes(dome: &Dome, level: i32) -> Vec<u8> {
    let mut mesh = Mesh::new();
    let mut add = |kind, lanes, values: &[f32]| {
        let mut attribute = PointAttribute::new();
        let vertices = values.len() / lanes as usize;
        attribute.init(kind, lanes, DataType::Float32, false, vertices);
        attribute.buffer_mut().update_f32s_le(0, values);
        mesh.add_attribute(attribute);
    };
    add(
        GeometryAttributeType::Position,
        3,
        dome.positions.as_flattened(),
    );
    add(
        GeometryAttributeType::Normal,
        3,
        dome.normals.as_flattened(),
    );
    add(GeometryAttributeType::Color, 4, dome.colors.as_flattened());
    mesh.set_num_faces(dome.indices.len() / 3);
    for (face, corners) in dome.indices.as_chunks::<3>().0.iter().enumerate() {
        mesh.set_face(FaceIndex(face as u32), corners.map(PointIndex));
    }
    let mut encoder = MeshEncoder::new();
    encoder.set_mesh(mesh);
    let mut options = EncoderOptions::new();
    options.set_compression_level(level);
    for (attribute, bits) in [(0, 14), (1, 10), (2, 8)] {
        options.set_attribute_int(attribute, "quantization_bits", bits);
    }
    let mut out = EncoderBuffer::new();
    encoder.encode(&options, &mut out).unwrap();
    out.data().to_vec()
}

pub fn draco(dome: &Dome, level: i32) -> Gltf {
    let mut gltf = Gltf::new();
    let view = gltf.view(&draco_bytes(dome, level));
    let mut accessor = |shape, count| {
        let accessor = json!({"componentType": F32, "type": shape, "count": count});
        gltf.push("accessors", accessor)
    };
    let vertices = dome.positions.len();
    let [position, normal] = [(); 2].map(|()| accessor("VEC3", vertices));
    let color = accessor("VEC4", vertices);
    let indices = accessor("SCALAR", dome.indices.len());
    gltf.json["accessors"][indices]["componentType"] = json!(U16);
    let numbers = json!({"POSITION": 0, "NORMAL": 1, "COLOR_0": 2});
    let extension = json!({"bufferView": view, "attributes": numbers});
    gltf.head(json!({
        "attributes": {"POSITION": position, "NORMAL": normal, "COLOR_0": color},
        "indices": indices,
        "extensions": {"KHR_draco_mesh_compression": extension},
    }));
    require(&mut gltf, "KHR_draco_mesh_compression");
    gltf
}

pub fn require(gltf: &mut Gltf, name: &str) {
    gltf.json["extensionsUsed"] = json!([name]);
    gltf.json["extensionsRequired"] = json!([name]);
}

/// Compresses a view of the plain dome; the old bytes stay in the file.
fn pack(gltf: &mut Gltf, accessor: usize, stride: usize, mode: &str, name: &str) {
    let view = gltf.json["accessors"][accessor]["bufferView"]
        .as_u64()
        .unwrap() as usize;
    let number = |key| gltf.json["bufferViews"][view][key].as_u64().unwrap() as usize;
    let (start, length) = (number("byteOffset"), number("byteLength"));
    let bytes = gltf.bin[start..start + length].to_vec();
    let (count, workspace) = (length / stride, &mut Workspace::default());
    let packed = match mode {
        "ATTRIBUTES" => {
            let version = VertexEncoding::default();
            encode_vertex_buffer(&bytes, count, stride, version, workspace)
        }
        _ => {
            let indices = bytes.as_chunks::<2>().0.iter();
            let indices: Vec<u32> = indices.map(|&two| u16::from_le_bytes(two).into()).collect();
            encode_index_buffer(&indices, IndexEncoding::default(), workspace)
        }
    };
    let to = gltf.view(&packed.unwrap());
    let of = gltf.json["bufferViews"][to].clone();
    gltf.json["bufferViews"][view]["extensions"][name] = json!({
        "buffer": 0, "byteOffset": of["byteOffset"], "byteLength": of["byteLength"],
        "byteStride": stride, "count": count, "mode": mode,
    });
    // A buffer that only says how long the data would be.
    gltf.json["bufferViews"][view]["buffer"] = json!(1);
}

pub fn meshopt(dome: &Dome, name: &str) -> Gltf {
    let mut gltf = plain(dome);
    for (accessor, stride, mode) in [
        (0, 12, "ATTRIBUTES"),
        (1, 12, "ATTRIBUTES"),
        (2, 16, "ATTRIBUTES"),
        (3, 2, "TRIANGLES"),
    ] {
        pack(&mut gltf, accessor, stride, mode, name);
    }
    let fallback = json!({"fallback": true});
    gltf.json["buffers"] = json!([
        {"byteLength": gltf.bin.len()},
        {"byteLength": gltf.bin.len(), "extensions": {name: fallback}},
    ]);
    require(&mut gltf, name);
    gltf
}
