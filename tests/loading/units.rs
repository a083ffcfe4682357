//! Head space: decimetres of a standard head.

use crate::common::gltf_builder::*;
use glam::Vec3;
use mohawk::head::{Head, HeadSettings, STANDARD_HEIGHT, Up};
use serde_json::json;

fn box_of(head: &Head, part: usize) -> (Vec3, Vec3) {
    let corners = head.parts[part].positions.iter();
    let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    corners.fold(start, |(low, high), &p| (low.min(p), high.max(p)))
}

#[test]
fn heads_of_any_size_become_the_standard_height() {
    for size in [1e-6, 1e-3, 1.0, 250.0, 1e6, 1e12] {
        let mut gltf = Gltf::painted([[0.0; 3]; 4]);
        gltf.json["nodes"][0]["scale"] = json!([size, size, size]);
        gltf.json["nodes"][0]["translation"] = json!([0, 3.0 * size, 0]);
        let head = gltf.load().unwrap();
        let (low, high) = box_of(&head, 0);
        let height = STANDARD_HEIGHT as f32;
        assert!(
            (high.y - low.y - height).abs() < 1e-5,
            "{size}: {low} {high}"
        );
        assert!(
            (high + low).abs().max_element() < 1e-5,
            "{size}: {low} {high}"
        );
        assert!((f64::from(head.units.scale) * size / STANDARD_HEIGHT - 1.0).abs() < 1e-6);
        assert!(head.parts[0].normals[0].abs_diff_eq(Vec3::Z, 1e-6));
    }
}

#[test]
fn a_given_scale_that_makes_a_head_enormous_is_refused() {
    let mut gltf = Gltf::painted([[0.0; 3]; 4]);
    gltf.json["nodes"][0]["scale"] = json!([1e20, 1e20, 1e20]);
    let settings = HeadSettings {
        scale: Some(1.0),
        ..Default::default()
    };
    let error = gltf.load_with(&settings).unwrap_err().to_string();
    assert!(error.contains("vertex 0 is too far away"), "{error}");
}

#[test]
fn the_painted_part_decides_the_scale() {
    let mut gltf = Gltf::painted([[0.0; 3]; 4]);
    let primitive = gltf.square_primitive();
    let mesh = gltf.mesh("body", json!([primitive]));
    gltf.root(json!({"name": "body", "mesh": mesh, "scale": [10, 10, 10]}));
    let head = gltf.load().unwrap();
    let (low, high) = box_of(&head, 0);
    assert!((high.y - low.y - 2.74).abs() < 1e-5);
    let (low, high) = box_of(&head, 1);
    assert!((high.y - low.y - 27.4).abs() < 1e-4);
}

#[test]
fn units_map_back_to_the_file() {
    let mut gltf = Gltf::square();
    gltf.json["nodes"][0]["translation"] = json!([7, -3, 11]);
    let head = gltf.load().unwrap();
    for (position, corner) in head.parts[0].positions.iter().zip(SQUARE) {
        let file = *position / head.units.scale + head.units.centre;
        let expected = Vec3::from(corner) + Vec3::new(7.0, -3.0, 11.0);
        assert!(file.abs_diff_eq(expected, 1e-5), "{file} {expected}");
    }
}

#[test]
fn a_given_scale_is_used() {
    let settings = |scale| HeadSettings {
        scale: Some(scale),
        ..Default::default()
    };
    let head = Gltf::square().load_with(&settings(10.0)).unwrap();
    assert_eq!(head.units.scale, 10.0);
    assert_eq!(head.parts[0].positions[2], Vec3::new(5.0, 5.0, 0.0));
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let error = Gltf::square().load_with(&settings(scale)).unwrap_err();
        assert!(error.to_string().contains("setting `scale`"), "{error}");
    }
}

#[test]
fn a_flat_head_is_scaled_by_its_largest_side() {
    let mut gltf = Gltf::square();
    gltf.json["nodes"][0]["scale"] = json!([2, 0, 1]);
    let head = gltf.load().unwrap();
    assert!((head.units.scale - 1.37).abs() < 1e-6);
    assert!(
        head.warnings
            .iter()
            .any(|warning| warning.contains("no height"))
    );
}

#[test]
fn a_head_without_size_is_refused_unless_a_scale_is_given() {
    let mut gltf = Gltf::square();
    gltf.json["nodes"][0]["scale"] = json!([0, 0, 0]);
    let error = gltf.error();
    assert!(
        error.contains("all its corners are at one point"),
        "{error}"
    );
    gltf.load_plain();
}

/// Returns a box of 8 x 8 quads on each side, from its middle and its size.
fn cuboid(middle: [f32; 3], size: [f32; 3]) -> (Vec<[f32; 3]>, Vec<u32>) {
    let (mut positions, mut indices) = (Vec::new(), Vec::new());
    for side in 0..6 {
        let (axis, sign) = (side / 2, (side % 2 * 2) as f32 - 1.0);
        let first = positions.len() as u32;
        for i in 0..81 {
            let [u, v] = [i % 9, i / 9].map(|k| k as f32 / 4.0 - 1.0);
            let mut place = [0.0; 3];
            (place[axis], place[(axis + 1) % 3], place[(axis + 2) % 3]) = (sign, u, v);
            positions.push([0, 1, 2].map(|k| middle[k] + 0.5 * size[k] * place[k]));
        }
        for i in 0..64 {
            let a = first + i / 8 * 9 + i % 8;
            indices.extend([a, a + 1, a + 9, a + 1, a + 10, a + 9]);
        }
    }
    (positions, indices)
}

/// Returns somebody 1.8 m high, whose head of 0.25 m is painted on top.
fn body() -> Gltf {
    let boxes = [
        cuboid([0.0, 1.675, 0.02], [0.16, 0.25, 0.2]), // head
        cuboid([0.0, 1.5, 0.0], [0.09, 0.14, 0.09]),   // neck
        cuboid([0.0, 1.2, 0.0], [0.42, 0.5, 0.22]),    // trunk
        cuboid([0.0, 0.5, 0.0], [0.3, 1.0, 0.2]),      // legs
    ];
    let (mut positions, mut indices) = (Vec::new(), Vec::new());
    for (of_box, corners) in boxes {
        let first = positions.len() as u32;
        positions.extend(of_box);
        indices.extend(corners.iter().map(|corner| corner + first));
    }
    let color = |p: &[f32; 3]| if p[1] > 1.75 { [0.0; 3] } else { [1.0; 3] };
    let colors: Vec<[f32; 3]> = positions.iter().map(color).collect();
    let mut gltf = Gltf::new();
    let position = gltf.floats("VEC3", positions.as_flattened());
    let color = gltf.floats("VEC3", colors.as_flattened());
    let indices = gltf.ints(U32, "SCALAR", &indices);
    let attributes = json!({"POSITION": position, "COLOR_0": color});
    gltf.head(json!({"attributes": attributes, "indices": indices}));
    gltf
}

#[test]
fn the_head_of_somebody_with_a_body_is_what_is_above_the_neck() {
    let mut gltf = body();
    let head = gltf.load().unwrap();
    // The neck ends between 1.43 and 1.57 m.
    let height = STANDARD_HEIGHT as f32 / head.units.scale;
    assert!(
        (0.2..=0.4).contains(&height),
        "{height} {}",
        head.extent.measured
    );
    assert!(head.units.centre.y > 1.55, "{:?}", head.units);
    assert!(
        head.extent.measured.contains("above its neck"),
        "{}",
        head.extent.measured
    );
    // A joint tells exactly.
    let joint = gltf.root(json!({"name": "mixamorig:Neck", "translation": [0.0, 1.45, 0.0]}));
    gltf.push("skins", json!({"joints": [joint]}));
    let head = gltf.load().unwrap();
    let height = STANDARD_HEIGHT as f32 / head.units.scale;
    assert!(
        (height - 0.35).abs() < 1e-4,
        "{height} {}",
        head.extent.measured
    );
    // The same lying on its back, set upright.
    gltf.json["nodes"][0]["rotation"] = json!([0.5_f64.sqrt(), 0.0, 0.0, 0.5_f64.sqrt()]);
    gltf.json["nodes"][joint]["translation"] = json!([0.0, 0.0, 1.45]);
    let settings = HeadSettings {
        up: Up::Z,
        ..HeadSettings::default()
    };
    let upright = gltf.load_with(&settings).unwrap();
    assert!((upright.units.scale / head.units.scale - 1.0).abs() < 1e-5);
    let near = |(a, b): (&Vec3, &Vec3)| a.distance(*b) < 1e-4;
    let pairs = upright.parts[0]
        .positions
        .iter()
        .zip(&head.parts[0].positions);
    assert!(pairs.into_iter().all(near));
}

#[test]
fn an_arm_above_the_neck_is_no_piece_of_the_head() {
    let mut gltf = body();
    let joint = gltf.root(json!({"name": "neck", "translation": [0.0, 1.45, 0.0]}));
    gltf.push("skins", json!({"joints": [joint]}));
    let expected = gltf.load().unwrap();
    let (positions, indices) = cuboid([0.5, 1.5, 0.3], [0.7, 0.1, 0.1]);
    let position = gltf.floats("VEC3", positions.as_flattened());
    let indices = gltf.ints(U32, "SCALAR", &indices);
    let primitives = gltf.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    primitives.push(json!({"attributes": {"POSITION": position}, "indices": indices}));
    let head = gltf.load().unwrap();
    assert_eq!(head.units, expected.units);
    assert_eq!(head.extent.head, expected.extent.head);
    assert!(head.extent.head.x < 0.4, "{:?}", head.extent);
}

#[test]
fn a_model_can_be_turned() {
    let mut gltf = Gltf::square();
    gltf.json["nodes"][0]["translation"] = json!([0.0, 0.0, 3.0]);
    let turned = |turn_deg| {
        let settings = HeadSettings {
            scale: Some(1.0),
            turn_deg,
            ..HeadSettings::default()
        };
        gltf.load_with(&settings).unwrap().extent.low
    };
    assert!((turned(90.0).x - 3.0).abs() < 1e-6, "{}", turned(90.0));
    assert!((turned(180.0).z + 3.0).abs() < 1e-6);
}

#[test]
fn strays_do_not_count_and_parts_of_a_node_belong_together() {
    let mut gltf = body();
    let expected = gltf.load().unwrap().units;
    // One triangle far away.
    let far = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1e6, 0.0, 0.0, 0.0, 1e6, 0.0]);
    let primitives = gltf.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    primitives.push(json!({"attributes": {"POSITION": far}}));
    let head = gltf.load().unwrap();
    assert!(
        (head.units.scale / expected.scale - 1.0).abs() < 0.02,
        "{:?}",
        head.units
    );
    let told = |warning: &String| warning.contains("lie far from the rest");
    assert!(head.warnings.iter().any(told), "{:?}", head.warnings);
    // A cap is painted, and the face below is another primitive of the same node.
    let cap = gltf_of_two([true, false]);
    assert_eq!(cap.units.scale, STANDARD_HEIGHT as f32 / 2.0);
    // On another node it does not belong to the head.
    let cap = gltf_of_two([true, true]);
    assert_eq!(cap.units.scale, STANDARD_HEIGHT as f32);
}

/// Returns a head of two squares, the upper one painted, with a node for each or for both.
fn gltf_of_two([painted, apart]: [bool; 2]) -> mohawk::head::Head {
    let mut gltf = Gltf::painted([[if painted { 0.0 } else { 1.0 }; 3]; 4]);
    let below: Vec<f32> = SQUARE
        .iter()
        .flat_map(|[x, y, z]| [*x, y - 1.0, *z])
        .collect();
    let position = gltf.floats("VEC3", &below);
    let indices = gltf.json["meshes"][0]["primitives"][0]["indices"].clone();
    let primitive = json!({"attributes": {"POSITION": position}, "indices": indices});
    match apart {
        true => drop(gltf.head(primitive)),
        false => {
            let primitives = gltf.json["meshes"][0]["primitives"].as_array_mut().unwrap();
            primitives.push(primitive);
        }
    }
    gltf.load().unwrap()
}
