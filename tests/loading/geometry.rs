//! Accessors, indices, modes, normals, tangents.

use crate::common::gltf_builder::*;
use glam::{Vec2, Vec3, Vec4};
use mohawk::head::{HeadSettings, Limits};
use mohawk::strands::Strands;
use mohawk::style::is_hair;
use serde_json::json;
use std::fs;

const TWO: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

#[test]
fn indices_of_every_size_load() {
    for component in [U8, U16, U32] {
        let mut gltf = Gltf::square();
        let indices = gltf.ints(component, "SCALAR", &SQUARE_INDICES);
        gltf.primitive()["indices"] = json!(indices);
        assert_eq!(gltf.load().unwrap().parts[0].triangles, TWO, "{component}");
    }
}

#[test]
fn triangles_without_indices_load() {
    let mut gltf = Gltf::new();
    let corners = SQUARE_INDICES.map(|corner| SQUARE[corner as usize]);
    let position = gltf.floats("VEC3", corners.as_flattened());
    gltf.head(json!({"attributes": {"POSITION": position}}));
    assert_eq!(
        gltf.load().unwrap().parts[0].triangles,
        [[0, 1, 2], [3, 4, 5]]
    );
}

#[test]
fn strips_and_fans_become_triangles_of_one_winding() {
    // The same square: as a strip 0 1 3 2, as a fan 0 1 2 3.
    for (mode, order) in [(5, [0, 1, 3, 2]), (6, [0, 1, 2, 3])] {
        for indexed in [false, true] {
            let mut gltf = Gltf::square();
            if indexed {
                let indices = gltf.ints(U8, "SCALAR", &order);
                gltf.primitive()["indices"] = json!(indices);
            } else {
                let ordered = order.map(|corner| SQUARE[corner as usize]);
                let position = gltf.floats("VEC3", ordered.as_flattened());
                *gltf.primitive() = json!({"attributes": {"POSITION": position}});
            }
            gltf.primitive()["mode"] = json!(mode);
            let part = &gltf.load().unwrap().parts[0];
            assert_eq!(part.triangles.len(), 2);
            for normal in &part.normals {
                assert!(normal.abs_diff_eq(Vec3::Z, 1e-6), "mode {mode}: {normal}");
            }
        }
    }
}

#[test]
fn points_and_loops_of_lines_are_skipped_with_a_warning() {
    for mode in [0, 2] {
        let mut gltf = Gltf::square();
        let mut points = gltf.primitive().clone();
        points["mode"] = json!(mode);
        let primitives = gltf.json["meshes"][0]["primitives"].as_array_mut();
        primitives.unwrap().push(points);
        let head = gltf.load().unwrap();
        assert_eq!(head.parts.len(), 1);
        assert!(
            head.warnings[0].contains("primitive 1: points and loops"),
            "{:?}",
            head.warnings
        );
    }
}

#[test]
fn lines_are_parts_of_their_own() {
    for (mode, expected) in [
        (1, vec![[0, 1], [2, 3], [4, 5]]),
        (3, vec![[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]]),
    ] {
        let mut gltf = Gltf::square();
        let positions: Vec<f32> = (0..18).map(|x| x as f32 / 18.0).collect();
        let position = gltf.floats("VEC3", &positions);
        let lines = json!({"attributes": {"POSITION": position}, "mode": mode});
        let primitives = gltf.json["meshes"][0]["primitives"].as_array_mut();
        primitives.unwrap().push(lines);
        let head = gltf.load().unwrap();
        assert_eq!(head.parts[1].lines, expected, "mode {mode}");
        assert!(head.parts[1].triangles.is_empty());
        // Lines have no say in the size of the head.
        assert_eq!(head.extent, Gltf::square().load().unwrap().extent);
    }
}

#[test]
fn lines_are_charged_with_what_they_take_as_strands() {
    let mut gltf = Gltf::square();
    let indices = gltf.ints(U8, "SCALAR", &[0, 1].repeat(20_000));
    let mut lines = gltf.primitive().clone();
    (lines["mode"], lines["indices"]) = (json!(1), json!(indices));
    let primitives = gltf.json["meshes"][0]["primitives"].as_array_mut();
    primitives.unwrap().push(lines);
    let mut settings = HeadSettings::default();
    (settings.limits.memory_free, settings.limits.memory_per_byte) = (1_000_000, 7);
    let error = gltf.load_with(&settings).unwrap_err();
    assert!(error.to_string().contains("20000 lines"), "{error}");
    settings.limits.memory_free = 10_000_000;
    gltf.load_with(&settings).unwrap();
}

#[test]
fn lines_alone_are_no_head() {
    let mut gltf = Gltf::square();
    gltf.primitive()["mode"] = json!(3);
    let error = gltf.load().unwrap_err().to_string();
    assert!(
        error.contains("no triangles in the default scene"),
        "{error}"
    );
    // They are hair, whatever points are beside them. Points are neither.
    let mut points = gltf.primitive().clone();
    points["mode"] = json!(0);
    let primitives = gltf.json["meshes"][0]["primitives"].as_array_mut();
    primitives.unwrap().push(points);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.glb");
    fs::write(&path, gltf.glb()).unwrap();
    assert!(is_hair(&path));
    gltf.primitive()["mode"] = json!(0);
    let error = Strands::parse(&gltf.glb(), &path, &Limits::default()).unwrap_err();
    assert!(error.to_string().contains("it has no strands"), "{error}");
}

#[test]
fn corners_that_make_no_triangle_are_dropped_with_a_warning() {
    let mut gltf = Gltf::square();
    let indices = gltf.ints(U8, "SCALAR", &[0, 1, 2, 3]);
    gltf.primitive()["indices"] = json!(indices);
    let head = gltf.load().unwrap();
    assert_eq!(head.parts[0].triangles, [[0, 1, 2]]);
    assert!(head.warnings[0].contains("not a multiple of 3"));
}

#[test]
fn missing_normals_are_smooth_over_seams() {
    // A roof: two quads that meet at x = 0, without shared vertices.
    let mut gltf = Gltf::new();
    let positions = [
        [-1.0, 0.0, -1.0],
        [0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [-1.0, 1.0, -1.0],
        [-0.0, 0.0, 0.0],
        [1.0, 0.0, -1.0],
        [1.0, 1.0, -1.0],
        [0.0, 1.0, 0.0f32],
    ];
    let position = gltf.floats("VEC3", positions.as_flattened());
    let indices = gltf.ints(U8, "SCALAR", &[0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]);
    gltf.head(json!({"attributes": {"POSITION": position}, "indices": indices}));
    let normals = &gltf.load().unwrap().parts[0].normals;
    for ridge in [1, 2, 4, 7] {
        assert!(
            normals[ridge].abs_diff_eq(Vec3::Z, 1e-5),
            "{}",
            normals[ridge]
        );
    }
    let slope = Vec3::new(-1.0, 0.0, 1.0).normalize();
    assert!(normals[0].abs_diff_eq(slope, 1e-5));
}

#[test]
fn broken_normals_and_tangents_are_repaired() {
    let mut gltf = Gltf::square();
    let nan = f32::NAN;
    let normals = [[0.0, 0.0, 2.0], [0.0; 3], [nan, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let tangents = [
        [2.0, 0.0, 0.0, 1.0],
        [0.0; 4],
        [nan; 4],
        [0.0, 0.0, 1.0, -1.0],
    ];
    let normal = gltf.floats("VEC3", normals.as_flattened());
    let tangent = gltf.floats("VEC4", tangents.as_flattened());
    gltf.primitive()["attributes"]["NORMAL"] = json!(normal);
    gltf.primitive()["attributes"]["TANGENT"] = json!(tangent);
    let head = gltf.load().unwrap();
    let part = &head.parts[0];
    assert!(
        part.normals.iter().all(|&normal| normal == Vec3::Z),
        "{:?}",
        part.normals
    );
    let tangents = part.tangents.as_ref().unwrap();
    assert_eq!(tangents[0], Vec4::new(1.0, 0.0, 0.0, 1.0));
    for tangent in tangents {
        assert!((tangent.truncate().length() - 1.0).abs() < 1e-6);
        assert!(tangent.truncate().dot(Vec3::Z).abs() < 1e-6);
        assert_eq!(tangent.w.abs(), 1.0);
    }
    let told = |warning: &String| warning.contains("2 normals have no direction");
    assert!(head.warnings.iter().any(told));
}

#[test]
fn interleaved_attributes_load() {
    let mut gltf = Gltf::new();
    let mut vertices = Vec::new();
    for corner in SQUARE {
        vertices.extend(corner);
        vertices.extend([0.0, 0.0, 1.0]);
        vertices.extend([corner[0], 1.0 - corner[1]]);
    }
    let view = gltf.view(&f32_bytes(&vertices));
    gltf.json["bufferViews"][view]["byteStride"] = json!(32);
    let position = gltf.accessor(view, F32, "VEC3", 4);
    let normal = gltf.accessor(view, F32, "VEC3", 4);
    let uv = gltf.accessor(view, F32, "VEC2", 4);
    gltf.json["accessors"][normal]["byteOffset"] = json!(12);
    gltf.json["accessors"][uv]["byteOffset"] = json!(24);
    let indices = gltf.ints(U16, "SCALAR", &SQUARE_INDICES);
    gltf.head(json!({
        "attributes": {"POSITION": position, "NORMAL": normal, "TEXCOORD_0": uv},
        "indices": indices,
    }));
    let part = &gltf.load_plain().parts[0];
    assert_eq!(part.positions[2], Vec3::new(0.5, 0.5, 0.0));
    assert_eq!(part.normals[3], Vec3::Z);
    assert_eq!(part.uvs.as_ref().unwrap()[2], Vec2::new(1.0, 0.0));
}

#[test]
fn sparse_accessors_load_over_a_view_and_over_zeros() {
    for over_view in [true, false] {
        let mut gltf = Gltf::square();
        let indices = gltf.view(&int_bytes(U8, &[1, 2]));
        let values = gltf.view(&f32_bytes(&[4.0, 0.0, 0.0, 4.0, 4.0, 0.0]));
        let accessor = &mut gltf.json["accessors"][0];
        accessor["sparse"] = json!({
            "count": 2,
            "indices": {"bufferView": indices, "componentType": U8},
            "values": {"bufferView": values},
        });
        if !over_view {
            accessor.as_object_mut().unwrap().remove("bufferView");
        }
        let part = &gltf.load_plain().parts[0];
        let last = if over_view {
            Vec3::new(0.0, 1.0, 0.0)
        } else {
            Vec3::ZERO
        };
        let expected = [
            Vec3::ZERO,
            Vec3::new(4.0, 0.0, 0.0),
            Vec3::new(4.0, 4.0, 0.0),
            last,
        ];
        for (position, expected) in part.positions.iter().zip(expected) {
            assert_eq!(*position, expected - Vec3::new(2.0, 2.0, 0.0));
        }
    }
}

#[test]
fn an_accessor_without_a_view_is_zeros() {
    let mut gltf = Gltf::square();
    let zeros = gltf.push(
        "accessors",
        json!({"componentType": F32, "type": "VEC2", "count": 4}),
    );
    gltf.primitive()["attributes"]["TEXCOORD_0"] = json!(zeros);
    assert_eq!(gltf.load().unwrap().parts[0].uvs, Some(vec![Vec2::ZERO; 4]));
}

#[test]
fn texture_coordinates_of_every_type_load() {
    for (component, one) in [(U8, 255), (U16, 65535)] {
        let mut gltf = Gltf::square();
        let mut values = vec![0; 8];
        values[5] = one;
        let uv = gltf.ints(component, "VEC2", &values);
        gltf.primitive()["attributes"]["TEXCOORD_0"] = json!(uv);
        let uvs = gltf.load().unwrap().parts[0].uvs.clone().unwrap();
        assert_eq!(uvs[2], Vec2::Y);
        assert_eq!(uvs[3], Vec2::ZERO);
    }
}
