//! Scenes, nodes and transforms.

use crate::common::gltf_builder::*;
use glam::Vec3;
use mohawk::head::{Head, HeadSettings};
use serde_json::json;

/// Returns corner 2 of the square of part 0, in the file's units.
fn corner(head: &Head) -> Vec3 {
    head.parts[0].positions[2] / head.units.scale + head.units.centre
}

fn moved(node: serde_json::Value) -> Head {
    let mut gltf = Gltf::square();
    gltf.json["nodes"][0] = node;
    gltf.load().unwrap()
}

#[test]
fn translation_rotation_and_scale_apply_in_order() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let head = moved(json!({
        "mesh": 0, "translation": [10, 0, 0], "rotation": [0, 0, half, half], "scale": [2, 3, 1],
    }));
    // (1, 1) scaled is (2, 3), turned a quarter (-3, 2), moved (7, 2).
    assert!(
        corner(&head).abs_diff_eq(Vec3::new(7.0, 2.0, 0.0), 1e-5),
        "{}",
        corner(&head)
    );
}

#[test]
fn matrices_apply_in_columns() {
    let head = moved(json!({"mesh": 0, "matrix": [2,0,0,0, 0,3,0,0, 0,0,4,0, 5,6,7,1]}));
    assert!(corner(&head).abs_diff_eq(Vec3::new(7.0, 9.0, 7.0), 1e-5));
}

#[test]
fn children_move_with_their_parents() {
    let mut gltf = Gltf::square();
    gltf.json["nodes"] = json!([
        {"children": [1], "translation": [1, 0, 0]},
        {"children": [2], "scale": [2, 2, 2]},
        {"mesh": 0, "translation": [0, 1, 0]},
    ]);
    let head = gltf.load().unwrap();
    assert!(corner(&head).abs_diff_eq(Vec3::new(3.0, 4.0, 0.0), 1e-5));
}

#[test]
fn mirrored_nodes_keep_their_orientation() {
    let mut gltf = Gltf::square();
    let normal = gltf.floats("VEC3", [[0.0f32, 0.0, 1.0]; 4].as_flattened());
    let tangent = gltf.floats("VEC4", [[1.0f32, 0.0, 0.0, 1.0]; 4].as_flattened());
    gltf.primitive()["attributes"]["NORMAL"] = json!(normal);
    gltf.primitive()["attributes"]["TANGENT"] = json!(tangent);
    for (scale, normal) in [
        ([-1, 1, 1], Vec3::Z),
        ([1, 1, -2], Vec3::NEG_Z),
        ([-1, -1, -1], Vec3::NEG_Z),
    ] {
        gltf.json["nodes"][0]["scale"] = json!(scale);
        let part = &gltf.load().unwrap().parts[0];
        assert!(
            part.normals.iter().all(|n| n.abs_diff_eq(normal, 1e-6)),
            "{scale:?}"
        );
        for corners in &part.triangles {
            let [a, b, c] = corners.map(|corner| part.positions[corner as usize]);
            assert!((b - a).cross(c - a).dot(normal) > 0.0, "{scale:?}");
        }
        let tangent = part.tangents.as_ref().unwrap()[0];
        let bitangent = normal.cross(tangent.truncate()) * tangent.w;
        // v follows the file's y, mirrored or not.
        assert_eq!(bitangent.y.signum(), scale[1] as f32, "{scale:?}");
    }
}

#[test]
fn normals_turn_with_the_inverse_transpose() {
    let mut gltf = Gltf::square();
    let slant = Vec3::new(1.0, 0.0, 1.0).normalize().to_array();
    let normal = gltf.floats("VEC3", [slant; 4].as_flattened());
    gltf.primitive()["attributes"]["NORMAL"] = json!(normal);
    gltf.json["nodes"][0]["scale"] = json!([2, 1, 1]);
    let normal = gltf.load().unwrap().parts[0].normals[0];
    assert!(
        normal.abs_diff_eq(Vec3::new(0.5, 0.0, 1.0).normalize(), 1e-6),
        "{normal}"
    );
}

#[test]
fn the_default_scene_is_scene_then_the_first_then_all_roots() {
    let mut gltf = Gltf::square();
    gltf.root(json!({"name": "child", "mesh": 0}));
    gltf.json["nodes"][0]["children"] = json!([1]);
    gltf.json["scenes"] = json!([{"nodes": [1]}, {"nodes": [0]}]);
    let parts = |gltf: &Gltf| gltf.load().unwrap().parts.len();
    gltf.json["scene"] = json!(1);
    assert_eq!(parts(&gltf), 2);
    gltf.json.as_object_mut().unwrap().remove("scene");
    assert_eq!(parts(&gltf), 1);
    gltf.json.as_object_mut().unwrap().remove("scenes");
    assert_eq!(parts(&gltf), 2);
}

#[test]
fn every_instance_of_a_primitive_is_a_part_with_a_unique_name() {
    let mut gltf = Gltf::square();
    let primitive = gltf.primitive().clone();
    gltf.json["meshes"][0]["primitives"] = json!([primitive, primitive]);
    gltf.root(json!({"name": "head", "mesh": 0, "translation": [3, 0, 0]}));
    let lone = gltf.mesh("lone", json!([primitive]));
    gltf.root(json!({"mesh": lone}));
    let head = gltf.load().unwrap();
    let names: Vec<&str> = head.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["head", "head 2", "head 3", "head 4", "lone"]);
    assert_ne!(head.parts[0].positions, head.parts[2].positions);
}

#[test]
fn broken_properties_that_a_head_does_not_need_are_ignored() {
    let mut gltf = Gltf::square();
    gltf.json["animations"] = json!([{"channels": 3}]);
    gltf.json["cameras"] = json!([{"type": 7}]);
    gltf.json["extras"] = json!({"anything": [null]});
    gltf.json["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
    assert_eq!(gltf.load().unwrap().parts.len(), 1);
}

#[test]
fn unusual_but_legal_json_is_read() {
    let mut gltf = Gltf::square();
    // Whole numbers may be written with a zero fraction.
    gltf.json["accessors"][0]["count"] = json!(4.0);
    gltf.json["accessors"][0]["componentType"] = json!(5126.0);
    gltf.json["nodes"][0]["mesh"] = json!(0.0);
    // Extras of any type, unknown extensions and attributes.
    gltf.json["extras"] = json!([1]);
    gltf.json["nodes"][0]["extras"] = json!("text");
    gltf.json["accessors"][0]["extras"] = json!(null);
    gltf.json["meshes"][0]["extensions"] = json!({"ACME_curls": [{"index": -1}]});
    gltf.primitive()["attributes"]["_CURL"] = json!(99);
    gltf.json["scenes"].as_array_mut().unwrap().push(json!({}));
    assert_eq!(gltf.load().unwrap().parts.len(), 1);
    // A scene without nodes, escaped keys, white space.
    gltf.json["scene"] = json!(1);
    assert!(gltf.error().contains("0 primitives shown"));
    let text = r#" { "\u0061sset" : {"version": "2.0"}, "scenes": [{}] } "#;
    let error = crate::files::bytes_error("a.gltf", text.as_bytes());
    assert!(
        error.contains("no triangles in the default scene"),
        "{error}"
    );
}

#[test]
fn meshes_and_primitives_without_content_are_left_out() {
    let mut gltf = Gltf::square();
    let primitives = gltf.json["meshes"][0]["primitives"].as_array_mut();
    primitives.unwrap().push(json!({}));
    let empty = gltf.push("meshes", json!({}));
    gltf.root(json!({"mesh": empty}));
    let head = gltf.load().unwrap();
    assert_eq!(head.parts.len(), 1);
    assert!(head.warnings[0].contains("primitive 1: it has no POSITION"));
}

#[test]
fn parts_are_hidden_by_a_word_in_their_names() {
    let mut gltf = Gltf::square();
    for name in ["Wolf3D_Hair", "Chair", "eyebrow"] {
        let primitive = gltf.square_primitive();
        let mesh = gltf.mesh("mesh", json!([primitive]));
        gltf.root(json!({"name": name, "mesh": mesh}));
    }
    let head = gltf.load().unwrap();
    assert_eq!(head.parts.len(), 4);
    let told = "the model has hair of its own: \"Wolf3D_Hair\"; --hide hair leaves it out";
    assert!(
        head.warnings.iter().any(|warning| warning == told),
        "{:?}",
        head.warnings
    );
    let hide = vec!["hair".to_owned()];
    let settings = HeadSettings {
        hide,
        ..HeadSettings::default()
    };
    let head = gltf.load_with(&settings).unwrap();
    let names: Vec<&str> = head.parts.iter().map(|part| &part.name[..]).collect();
    assert_eq!(names, ["head", "Chair", "eyebrow"]);
    assert!(
        head.warnings
            .iter()
            .all(|warning| !warning.contains("of its own"))
    );
    let hide = ["head", "hair", "chair", "eyebrow"]
        .map(str::to_owned)
        .to_vec();
    let settings = HeadSettings {
        hide,
        ..HeadSettings::default()
    };
    let error = gltf.load_with(&settings).unwrap_err().to_string();
    assert!(
        error.contains("0 primitives shown, 4 hidden by name"),
        "{error}"
    );
}

#[test]
fn avatars_of_vrm_look_ahead_and_name_their_licence() {
    let mut gltf = Gltf::square();
    gltf.json["nodes"][0]["translation"] = json!([0.0, 0.0, -3.0]);
    gltf.json["asset"]["copyright"] = json!("2026 Jo");
    assert_eq!(gltf.load().unwrap().licence.as_deref(), Some("2026 Jo"));
    let meta = json!({"title": "Alicia", "author": "Jo", "licenseName": "CC_BY"});
    gltf.json["extensions"] = json!({"VRM": {"meta": meta, "humanoid": []}});
    let head = gltf.load().unwrap();
    assert_eq!(head.licence.as_deref(), Some("\"Alicia\", by Jo: CC_BY"));
    // Those of VRM 0 look to -Z, those of VRM 1 to +Z.
    assert!((head.extent.low.z - 3.0).abs() < 1e-6, "{:?}", head.extent);
    let meta =
        json!({"name": "Alicia", "authors": ["Jo", "Al\u{1b}[31m"], "licenseUrl": "https://x"});
    gltf.json["extensions"] = json!({"VRMC_vrm": {"meta": meta}});
    let head = gltf.load().unwrap();
    let licence = head.licence.unwrap();
    assert!(
        licence.starts_with("\"Alicia\", by Jo, Al") && !licence.contains('\u{1b}'),
        "{licence}"
    );
    assert!((head.extent.low.z + 3.0).abs() < 1e-6);
    // Broken metadata do not stop a load.
    gltf.json["extensions"] = json!({"VRMC_vrm": {"meta": 3}});
    assert_eq!(gltf.load().unwrap().licence.as_deref(), Some("2026 Jo"));
}
