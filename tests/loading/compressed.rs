//! Geometry that is compressed with Draco or meshopt, or quantised, and textures as WebP.

use crate::common::gltf_builder::{Gltf, I8, I16, U8, U16, picture};
use crate::compressed_heads::{dome, draco, meshopt, plain, require};
use glam::Vec3;
use mohawk::head::{Head, HeadSettings, Model, write};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::ops::Range;

/// Returns the middles of the triangles with the mean density of their corners, sorted.
fn middles(head: &Head) -> Vec<([f32; 3], f32)> {
    let part = &head.parts[0];
    let density = |v: u32| {
        part.paint
            .as_ref()
            .map_or(0.0, |paint| paint.density[v as usize])
    };
    let middles = part.triangles.iter().map(|corners| {
        let middle = corners
            .map(|v| part.positions[v as usize])
            .iter()
            .sum::<Vec3>()
            / 3.0;
        (
            middle.into(),
            corners.map(density).iter().sum::<f32>() / 3.0,
        )
    });
    let mut middles: Vec<([f32; 3], f32)> = middles.collect();
    // Rounding must not change the order.
    let key = |middle: &[f32; 3]| middle.map(|lane| (lane * 64.0).round() as i32);
    middles.sort_by_key(|(middle, _)| key(&[middle[0], middle[2], middle[1]]));
    middles
}

fn assert_near(head: &Head, expected: &Head, within: f32) {
    let pairs = || middles(head).into_iter().zip(middles(expected));
    assert_eq!(
        head.parts[0].triangles.len(),
        expected.parts[0].triangles.len()
    );
    for ((a, paint), (b, other)) in pairs() {
        assert!(Vec3::from(a).distance(b.into()) < within, "{a:?} {b:?}");
        assert!((paint - other).abs() < 0.01, "{paint} {other}");
    }
    for part in [&head.parts[0], &expected.parts[0]] {
        for (p, n) in part.positions.iter().zip(&part.normals) {
            let down = Vec3::new(2.0 * p.x, 1.0, 2.0 * p.z);
            assert!(
                (n.length() - 1.0).abs() < 1e-3 && n.dot(down) > 0.0,
                "{p} {n}"
            );
        }
    }
}

#[test]
fn draco_gives_what_was_compressed() {
    let dome = dome();
    let expected = plain(&dome).load_plain();
    // Levels below 10 use the connectivity; 0 is sequential.
    for level in [0, 3, 5, 7, 10] {
        let head = draco(&dome, level).load_plain();
        assert!(head.warnings.is_empty(), "{level}: {:?}", head.warnings);
        assert_near(&head, &expected, 2e-3);
    }
}

#[test]
fn meshopt_gives_the_same_bits() {
    let dome = dome();
    let expected = plain(&dome).load_plain();
    for name in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
        let head = meshopt(&dome, name).load_plain();
        assert_eq!(head.parts[0].positions, expected.parts[0].positions);
        assert_eq!(head.parts[0].normals, expected.parts[0].normals);
        // The codec may turn triangles about.
        assert_near(&head, &expected, 1e-6);
    }
}

#[test]
fn painting_a_compressed_head_keeps_it_compressed() {
    let dome = dome();
    let settings = HeadSettings::default();
    for gltf in [draco(&dome, 7), meshopt(&dome, "EXT_meshopt_compression")] {
        let file = gltf.glb();
        let head = Head::from_bytes("a.glb", &file, &settings).unwrap();
        let count = head.parts[0].positions.len();
        let density: Vec<f32> = (0..count).map(|v| (v % 2) as f32).collect();
        let mut written = file.clone();
        // The second time overwrites what the first has written.
        for _ in 0..2 {
            let model = Model::Embedded(written[..].into());
            let head = Head::from_bytes("a.glb", &written, &settings).unwrap();
            let painted = write::painted(&model, &head, 0, &density, &settings).unwrap();
            assert!(painted.warnings.iter().all(|told| !told.contains("Draco")));
            written = painted.glb;
        }
        assert!(
            written.len() < file.len() + 8 * count + 2000,
            "{}",
            written.len()
        );
        let again = Head::from_bytes("a.glb", &written, &settings).unwrap();
        assert_eq!(again.parts[0].positions, head.parts[0].positions);
        assert_eq!(again.parts[0].paint.as_ref().unwrap().density, density);
    }
}

/// Returns the dome with integers in place of an attribute's floats.
fn quantized(role: &str, component: u32, lanes: usize, values: &[i32]) -> Gltf {
    let mut gltf = plain(&dome());
    let size = if [I8, U8].contains(&component) { 1 } else { 2 };
    let stride = (lanes * size).next_multiple_of(4);
    let mut bytes = Vec::new();
    for element in values.chunks(lanes) {
        let start = bytes.len();
        bytes.extend(
            element
                .iter()
                .flat_map(|value| value.to_le_bytes().into_iter().take(size)),
        );
        bytes.resize(start + stride, 0);
    }
    let view = gltf.view(&bytes);
    gltf.json["bufferViews"][view]["byteStride"] = json!(stride);
    let shape = format!("VEC{lanes}");
    let accessor = gltf.accessor(view, component, &shape, values.len() / lanes);
    gltf.json["accessors"][accessor]["normalized"] = json!(false);
    gltf.primitive()["attributes"][role] = json!(accessor);
    require(&mut gltf, "KHR_mesh_quantization");
    gltf
}

#[test]
fn integers_are_numbers_if_the_file_is_quantised() {
    let count = dome().positions.len();
    let values: Vec<i32> = (0..3 * count as i32).map(|i| i * 37 % 256).collect();
    for (component, low, divisor) in [
        (U8, 0, 255.0),
        (U16, 0, 65535.0),
        (I8, -128, 127.0),
        (I16, -128, 32767.0),
    ] {
        let shifted: Vec<i32> = values.iter().map(|value| value + low).collect();
        for normalized in [false, true] {
            let mut gltf = quantized("POSITION", component, 3, &shifted);
            let accessor = gltf.primitive()["attributes"]["POSITION"].as_u64().unwrap() as usize;
            gltf.json["accessors"][accessor]["normalized"] = json!(normalized);
            let head = gltf.load_plain();
            let divisor = if normalized { divisor } else { 1.0 };
            let read = |nth: usize| {
                Vec3::from_slice(
                    &shifted
                        .iter()
                        .map(|&v| v as f32 / divisor)
                        .collect::<Vec<_>>()[3 * nth..],
                )
            };
            // The head is centred: differences count.
            for nth in 1..40 {
                let (a, b) = (read(nth).max(Vec3::NEG_ONE * 1e9), read(0));
                let clamp = |v: Vec3| if normalized { v.max(Vec3::NEG_ONE) } else { v };
                let expected = clamp(a) - clamp(b);
                let found = head.parts[0].positions[nth] - head.parts[0].positions[0];
                let within = 1e-4 * (1.0 + expected.length());
                assert!(
                    found.distance(expected) < within,
                    "{component}: {found} {expected}"
                );
            }
            // Without the extension, such a file is not legal.
            gltf.json.as_object_mut().unwrap().remove("extensionsUsed");
            gltf.json
                .as_object_mut()
                .unwrap()
                .remove("extensionsRequired");
            let error = gltf.error();
            assert!(error.contains("KHR_mesh_quantization"), "{error}");
        }
    }
    // Normals are unit vectors at any scale.
    let normals: Vec<i32> = [0, 100, 0].repeat(count);
    let head = quantized("NORMAL", I8, 3, &normals).load_plain();
    assert!(
        head.parts[0]
            .normals
            .iter()
            .all(|n| n.distance(Vec3::Y) < 1e-6)
    );
    // Coordinates count texels until a transform makes them shares.
    let uvs: Vec<i32> = (0..2 * count as i32).map(|i| i % 1024).collect();
    let mut gltf = quantized("TEXCOORD_0", U16, 2, &uvs);
    let texture = gltf.texture(&picture(image::ImageFormat::Png, 2, 2, [9, 9, 9]));
    let scale = json!({"KHR_texture_transform": {"scale": [0.0009765625, 0.0009765625]}});
    gltf.push(
        "materials",
        json!({"pbrMetallicRoughness": {"baseColorTexture": {
        "index": texture, "extensions": scale}}}),
    );
    gltf.primitive()["material"] = json!(0);
    let uvs = gltf.load_plain().parts[0].uvs.clone().unwrap();
    assert_eq!(uvs[1], glam::Vec2::new(2.0, 3.0) / 1024.0);
}

#[test]
fn broken_data_is_refused_by_name() {
    let dome = dome();
    let cut = |mut gltf: Gltf, by: u64| {
        let length = &mut gltf.json["bufferViews"][0]["byteLength"];
        *length = json!(length.as_u64().unwrap() - by);
        gltf.error()
    };
    let error = cut(draco(&dome, 7), 40);
    assert!(
        error.contains("mesh 0 \"head\", primitive 0") && error.contains("Draco"),
        "{error}"
    );
    let mut gltf = draco(&dome, 7);
    let extension = &mut gltf.primitive()["extensions"]["KHR_draco_mesh_compression"];
    extension["bufferView"] = json!(7);
    assert!(
        gltf.error().contains("bufferView 7: there are only 1"),
        "{}",
        gltf.error()
    );
    // Positions that are not among the compressed attributes, fewer than their corners need.
    let mut few = draco(&dome, 7);
    few.primitive()["attributes"] = json!({"POSITION": 0});
    few.json["accessors"][0]["count"] = json!(9);
    few.primitive()["extensions"]["KHR_draco_mesh_compression"]["attributes"] = json!({});
    assert!(
        few.error().contains("it has 9 positions for"),
        "{}",
        few.error()
    );
    // Many nodes may show a primitive, and its extension is parsed for each of them.
    let long = json!({"bufferView": 0, "more": "x".repeat(20_000)});
    gltf.primitive()["extensions"]["KHR_draco_mesh_compression"] = long;
    assert!(
        gltf.error().contains("more than 16384 bytes of JSON"),
        "{}",
        gltf.error()
    );
    gltf.primitive()["extensions"]["KHR_draco_mesh_compression"] = json!([]);
    assert!(
        gltf.error().contains("its Draco data is broken"),
        "{}",
        gltf.error()
    );

    let name = "EXT_meshopt_compression";
    let broken = |key: &str, value: Value| {
        let mut gltf = meshopt(&dome, name);
        gltf.json["bufferViews"][0]["extensions"][name][key] = value;
        gltf.error()
    };
    for (key, value) in [
        ("count", json!(u32::MAX)),
        ("count", json!(1)),
        ("byteStride", json!(3)),
        ("mode", json!("TRIANGLES")),
        ("mode", json!("SECRET")),
        ("filter", json!("OCTAHEDRAL")),
        ("byteLength", json!(8)),
        ("byteOffset", json!(1)),
        ("buffer", json!(9)),
    ] {
        let error = broken(key, value.clone());
        let is_named = error.contains("bufferView 0") && !error.contains("Khronos");
        assert!(
            is_named || key == "buffer" || key == "count",
            "{key} {value}: {error}"
        );
    }
}

#[test]
fn a_small_file_cannot_ask_for_much() {
    // A constant attribute of very many vertices takes hardly any bytes.
    let mut gltf = meshopt(&dome(), "EXT_meshopt_compression");
    let count = 400_000_000;
    let view = &mut gltf.json["bufferViews"][0];
    view["byteLength"] = json!(12_u64 * count);
    view["extensions"]["EXT_meshopt_compression"]["count"] = json!(count);
    gltf.json["accessors"][0]["count"] = json!(count);
    gltf.json["buffers"][1]["byteLength"] = json!(12_u64 * count);
    let error = gltf.error();
    assert!(error.contains("would take 4.8 GB of memory"), "{error}");
}

#[test]
fn webp_textures_are_read_and_others_stand_in_for_them() {
    let mut gltf = Gltf::square();
    let png = gltf.texture(&picture(image::ImageFormat::Png, 1, 1, [1, 2, 3]));
    let webp = gltf.texture(&picture(image::ImageFormat::WebP, 5, 4, [200, 100, 50]));
    let uvs = gltf.floats("VEC2", &[0.0; 8]);
    gltf.primitive()["attributes"]["TEXCOORD_0"] = json!(uvs);
    gltf.primitive()["material"] = json!(0);
    let base = json!({"baseColorTexture": {"index": png}});
    gltf.push("materials", json!({"pbrMetallicRoughness": base}));
    gltf.json["textures"][png]["extensions"]["EXT_texture_webp"] = json!({"source": webp});
    require(&mut gltf, "EXT_texture_webp");
    let head = gltf.load().unwrap();
    let texture = &head.textures[head.materials[0].base_color_texture.unwrap()];
    assert_eq!((texture.width, texture.height), (5, 4));
    assert_eq!(texture.pixels.get()[0], [200, 100, 50, 255]);
    // Pictures that are not read never stop a load, even if the file requires them.
    require(&mut gltf, "EXT_texture_avif");
    gltf.json["textures"][png] = json!({"extensions": {"EXT_texture_avif": {"source": 0}}});
    let warnings = gltf.load().unwrap().warnings;
    assert!(
        warnings
            .iter()
            .any(|told| told.contains("a checker is shown")),
        "{warnings:?}"
    );
}

/// Changes some bytes of a file's binary chunk.
fn mutated(mut gltf: Gltf, places: Range<usize>, changes: &[(u16, u8)]) -> Result<Head, String> {
    for &(at, with) in changes {
        let length = places.len();
        gltf.bin[places.start + usize::from(at) % length] ^= with;
    }
    gltf.load().map_err(|error| error.to_string())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn broken_compressed_data_is_read_or_refused(
        changes in prop::collection::vec((any::<u16>(), 1..=255_u8), 1..6),
        level in 0..8,
    ) {
        let dome = dome();
        let gltf = draco(&dome, level);
        let end = gltf.bin.len();
        drop(mutated(gltf, 0..end, &changes));
        let gltf = meshopt(&dome, "EXT_meshopt_compression");
        let end = gltf.bin.len();
        // The packed data comes last.
        drop(mutated(gltf, plain(&dome).bin.len()..end, &changes));
    }
}
