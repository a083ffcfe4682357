//! Valid heads that mutations start from: the shipped one, and small ones that use every
//! supported feature.

#[path = "../../tests/common/compressed_heads.rs"]
mod compressed_heads;
#[path = "../../tests/common/gltf_builder.rs"]
mod gltf_builder;
#[path = "../../tests/common/ktx2.rs"]
mod ktx2;

use gltf_builder::*;
use image::ImageFormat::{Jpeg, Png};
use serde_json::{Value, json};

/// A document and its buffer.
#[derive(Clone)]
pub struct Seed {
    pub json: Value,
    pub bin: Vec<u8>,
}

/// Returns all seeds, the small ones first.
pub fn all() -> Vec<Seed> {
    let small = [
        Gltf::square(),
        Gltf::painted([[0.0; 3]; 4]),
        colors(U8),
        colors(U16),
        colors(F32),
        modes(),
        sparse(),
        interleaved(),
        nodes(),
        dome(),
        textured(),
        basis(),
        compressed_heads::draco(&compressed_heads::dome(), 3),
        compressed_heads::draco(&compressed_heads::dome(), 9),
        compressed_heads::meshopt(&compressed_heads::dome(), "EXT_meshopt_compression"),
        posed(),
        animated(),
    ];
    let mut seeds: Vec<Seed> = small.map(|gltf| whole(gltf.glb())).into();
    let embedded = [Gltf::painted([[0.0; 3]; 4]), textured()];
    seeds.extend(embedded.map(|gltf| Seed {
        json: serde_json::from_slice(&gltf.embedded()).unwrap_or_default(),
        bin: Vec::new(),
    }));
    let shipped = whole(include_bytes!("../../models/head.glb").to_vec());
    // Decoding its pictures takes most of the time.
    let mut bare = shipped.clone();
    for list in ["materials", "textures", "images"] {
        bare.json[list] = json!([{}]);
    }
    seeds.extend([bare, shipped]);
    seeds
}

/// Returns the document and the buffer of a `.glb`.
fn whole(glb: Vec<u8>) -> Seed {
    let length = u32::from_le_bytes([glb[12], glb[13], glb[14], glb[15]]) as usize;
    Seed {
        json: serde_json::from_slice(&glb[20..20 + length]).unwrap_or_default(),
        bin: glb.get(28 + length..).unwrap_or_default().to_vec(),
    }
}

/// Returns a square with a morph target, bent by two joints.
fn posed() -> Gltf {
    let mut gltf = Gltf::painted([[0.0; 3]; 4]);
    let joints = gltf.ints(U8, "VEC4", &[0, 1, 0, 0].repeat(4));
    let weights = gltf.floats("VEC4", &[0.5, 0.5, 0.0, 0.0].repeat(4));
    let by = gltf.floats("VEC3", &[0.0, 0.5, 0.25].repeat(4));
    let identity = [
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ];
    let view = gltf.view(&f32_bytes(&[identity, identity].as_flattened().concat()));
    let matrices = json!({"bufferView": view, "componentType": F32, "type": "MAT4", "count": 2});
    let matrices = gltf.push("accessors", matrices);
    gltf.primitive()["attributes"]["JOINTS_0"] = json!(joints);
    gltf.primitive()["attributes"]["WEIGHTS_0"] = json!(weights);
    gltf.primitive()["targets"] = json!([{"POSITION": by}]);
    gltf.json["meshes"][0]["weights"] = json!([0.5]);
    let bone = |gltf: &mut Gltf, name| gltf.root(json!({"name": name, "scale": [1, 2, 1]}));
    let bones = [bone(&mut gltf, "hips"), bone(&mut gltf, "neck")];
    gltf.push(
        "skins",
        json!({"joints": bones, "inverseBindMatrices": matrices}),
    );
    gltf.json["nodes"][0]["skin"] = json!(0);
    gltf
}

/// Returns the same head with an animation of every kind of property and of way between keys.
fn animated() -> Gltf {
    let mut gltf = posed();
    let times = gltf.floats("SCALAR", &[0.0, 0.5]);
    let turns = gltf.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.6, 0.0, 0.0, 0.8]);
    let places = gltf.floats("VEC3", &[0.5; 18]);
    let weights = gltf.floats("SCALAR", &[0.0, 1.0]);
    let sampler = |output: usize, interpolation: &str| json!({"input": times, "output": output, "interpolation": interpolation});
    let target = |sampler: usize, node: usize, path: &str| json!({"sampler": sampler, "target": {"node": node, "path": path}});
    gltf.json["animations"] = json!([{
        "name": "talk",
        "samplers": [sampler(turns, "LINEAR"), sampler(places, "CUBICSPLINE"), sampler(weights, "STEP")],
        "channels": [target(0, 2, "rotation"), target(1, 1, "translation"), target(2, 0, "weights")],
    }]);
    gltf
}

/// Returns a head with colours of a type in two sets, the first white.
fn colors(component: u32) -> Gltf {
    let mut gltf = Gltf::square();
    let one = match component {
        U8 => 255,
        U16 => 65535,
        _ => 1f32.to_bits(),
    };
    let white = gltf.ints(component, "VEC4", &[one; 16]);
    let black = gltf.ints(component, "VEC4", &[0; 16]);
    gltf.primitive()["attributes"]["COLOR_0"] = json!(white);
    gltf.primitive()["attributes"]["COLOR_1"] = json!(black);
    gltf
}

/// Returns a strip, a fan, a list without indices, and points.
fn modes() -> Gltf {
    let mut gltf = Gltf::painted([[0.2; 3]; 4]);
    let indices = gltf.ints(U8, "SCALAR", &[0, 1, 3, 2]);
    let mut primitives = vec![gltf.primitive().clone()];
    for mode in [5, 6, 0] {
        let mut primitive = primitives[0].clone();
        primitive["indices"] = json!(indices);
        primitive["mode"] = json!(mode);
        primitives.push(primitive);
    }
    if let Some(primitive) = primitives[0].as_object_mut() {
        primitive.remove("indices");
    }
    gltf.json["meshes"][0]["primitives"] = json!(primitives);
    gltf
}

fn sparse() -> Gltf {
    let mut gltf = Gltf::painted([[0.0; 3]; 4]);
    let indices = gltf.view(&[1, 0, 3, 0]);
    let values = gltf.view(&f32_bytes(&[3.0, 0.0, 0.0, 0.0, 3.0, 1.0]));
    gltf.json["accessors"][0]["sparse"] = json!({"count": 2,
        "indices": {"bufferView": indices, "componentType": U16, "byteOffset": 0},
        "values": {"bufferView": values, "byteOffset": 0}});
    let color = json!({"componentType": F32, "type": "VEC3", "count": 4, "sparse": {"count": 1,
        "indices": {"bufferView": indices, "componentType": U8},
        "values": {"bufferView": values}}});
    let color = gltf.push("accessors", color);
    gltf.primitive()["attributes"]["COLOR_1"] = json!(color);
    gltf
}

/// Returns a head with all attributes interleaved in one view.
fn interleaved() -> Gltf {
    let mut gltf = Gltf::new();
    let mut bytes = Vec::new();
    for corner in SQUARE {
        bytes.extend(f32_bytes(&corner));
        bytes.extend(f32_bytes(&[
            0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, corner[0], corner[1],
        ]));
        bytes.extend([0, 0, 0, 255]);
    }
    let view = gltf.view(&bytes);
    gltf.json["bufferViews"][view]["byteStride"] = json!(52);
    let indices = gltf.ints(U32, "SCALAR", &SQUARE_INDICES);
    let mut primitive = json!({"indices": indices, "attributes": {}});
    for (role, shape, component, offset) in [
        ("POSITION", "VEC3", F32, 0),
        ("NORMAL", "VEC3", F32, 12),
        ("TANGENT", "VEC4", F32, 24),
        ("TEXCOORD_0", "VEC2", F32, 40),
        ("COLOR_0", "VEC4", U8, 48),
    ] {
        let accessor = gltf.accessor(view, component, shape, 4);
        gltf.json["accessors"][accessor]["byteOffset"] = json!(offset);
        primitive["attributes"][role] = json!(accessor);
    }
    gltf.head(primitive);
    gltf
}

/// Returns a hierarchy with matrices, rotations, mirrors and a mesh shown twice.
fn nodes() -> Gltf {
    let mut gltf = Gltf::painted([[0.0; 3]; 4]);
    gltf.json["nodes"] = json!([
        {"name": "root", "children": [1, 2], "scale": [2, 2, 2]},
        {"mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,-1,0, 5,6,7,1]},
        {"name": "arm", "children": [3], "rotation": [0, 0, 0.7, 0.7]},
        {"mesh": 0, "skin": 0, "translation": [1e3, -1, 0]},
    ]);
    gltf.json["skins"] = json!([{"joints": [0]}]);
    gltf
}

/// Returns a bowl of 800 triangles with more paint on one side.
fn dome() -> Gltf {
    const SIDE: u32 = 21;
    let mut gltf = Gltf::new();
    let (mut positions, mut colors, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for n in 0..SIDE * SIDE {
        let [x, y] = [n % SIDE, n / SIDE].map(|at| at as f32 / (SIDE - 1) as f32 - 0.5);
        positions.extend([x, 1.0 - x * x - y * y, y]);
        colors.extend([x + 0.5; 3]);
    }
    for (x, y) in (1..SIDE).flat_map(|y| (1..SIDE).map(move |x| (x, y))) {
        let [a, b] = [y * SIDE + x, (y - 1) * SIDE + x];
        indices.extend([a, b, b - 1, a, b - 1, a - 1]);
    }
    let position = gltf.floats("VEC3", &positions);
    let color = gltf.floats("VEC3", &colors);
    let indices = gltf.ints(U16, "SCALAR", &indices);
    let attributes = json!({"POSITION": position, "COLOR_0": color});
    gltf.head(json!({"attributes": attributes, "indices": indices}));
    gltf
}

/// Returns a head with every kind of picture and texture, a sampler and a texture transform.
fn textured() -> Gltf {
    use image::DynamicImage as Any;
    let mut gltf = interleaved();
    let ramp = |x: u32, y: u32| image::Rgba([(x * 30) as u8, (y * 30) as u8, 90, (x * y) as u8]);
    let any = Any::ImageRgba8(image::RgbaImage::from_fn(8, 6, ramp));
    let kinds = [
        any.clone(),
        Any::ImageLuma8(any.to_luma8()),
        Any::ImageLumaA16(any.to_luma_alpha16()),
        Any::ImageRgb16(any.to_rgb16()),
    ];
    for any in kinds {
        let mut file = std::io::Cursor::new(Vec::new());
        // Without this picture the seed is still useful.
        any.write_to(&mut file, Png).unwrap_or_default();
        gltf.texture(&file.into_inner());
    }
    gltf.texture(&picture(Jpeg, 16, 16, [200, 100, 50]));
    gltf.json["samplers"] = json!([{"magFilter": 9728, "wrapS": 33071, "wrapT": 33648}]);
    gltf.json["textures"][0]["sampler"] = json!(0);
    let moved =
        json!({"KHR_texture_transform": {"offset": [0.25, 0], "rotation": 1, "scale": [2, 1]}});
    gltf.json["materials"] = json!([{
        "name": "skin",
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.1, 0.2, 0.3, 0.4], "metallicFactor": 0.5, "roughnessFactor": 0.6,
            "baseColorTexture": {"index": 0, "extensions": moved},
            "metallicRoughnessTexture": {"index": 1},
        },
        "normalTexture": {"index": 2, "scale": 0.7}, "emissiveTexture": {"index": 3},
        "emissiveFactor": [0.8, 0.9, 1.0], "alphaMode": "MASK", "alphaCutoff": 0.25,
        "doubleSided": true,
    }, {"pbrMetallicRoughness": {"baseColorTexture": {"index": 4}}}]);
    let mut second = gltf.primitive().clone();
    gltf.primitive()["material"] = json!(0);
    second["material"] = json!(1);
    if let Some(primitives) = gltf.json["meshes"][0]["primitives"].as_array_mut() {
        primitives.push(second);
    }
    gltf
}

/// Returns a head with textures of Basis Universal.
fn basis() -> Gltf {
    let mut gltf = interleaved();
    for file in [ktx2::etc1s(), ktx2::uastc(false), ktx2::uastc(true)] {
        let texture = gltf.texture(&file);
        gltf.json["textures"][texture] =
            json!({"extensions": {"KHR_texture_basisu": {"source": texture}}});
    }
    gltf.json["materials"] = json!([{
        "normalTexture": {"index": 1},
        "emissiveTexture": {"index": 2},
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}},
    }]);
    gltf.primitive()["material"] = json!(0);
    gltf
}
