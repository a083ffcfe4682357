//! Head space: decimetres of a standard head.

use crate::common::gltf_builder::*;
use glam::Vec3;
use mohawk::head::{Head, HeadSettings, STANDARD_HEIGHT};
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
