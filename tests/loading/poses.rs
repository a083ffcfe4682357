//! Skins and morph targets, in the pose that the file shows.

use crate::common::gltf_builder::{F32, Gltf, SQUARE, U8, f32_bytes};
use glam::{Mat4, Quat, Vec3};
use serde_json::json;

/// Returns the square on two joints: the lower two corners on one that stays, the upper two on
/// one that is moved.
fn bent(second: Mat4, bound: [Mat4; 2]) -> Gltf {
    let mut gltf = Gltf::square();
    gltf.hang_on_two_joints();
    let matrices: Vec<f32> = bound.iter().flat_map(|m| m.to_cols_array()).collect();
    let view = gltf.view(&f32_bytes(&matrices));
    let accessor = json!({"bufferView": view, "componentType": F32, "type": "MAT4", "count": 2});
    let bound = gltf.push("accessors", accessor);
    let root = gltf.root(json!({"name": "hips"}));
    let head = gltf.root(json!({"name": "head bone", "matrix": second.to_cols_array()}));
    gltf.push(
        "skins",
        json!({"joints": [root, head], "inverseBindMatrices": bound}),
    );
    gltf.json["nodes"][0]["skin"] = json!(0);
    // Skins replace the transform of the node.
    gltf.json["nodes"][0]["translation"] = json!([100.0, 0.0, 0.0]);
    gltf
}

/// Returns the corners, with the first at the origin.
fn corners(gltf: &Gltf) -> Vec<Vec3> {
    let positions = &gltf.load_plain().parts[0].positions;
    positions.iter().map(|p| p - positions[0]).collect()
}

fn assert_near(found: &[Vec3], expected: &[Vec3]) {
    let is_near = found
        .iter()
        .zip(expected)
        .all(|(a, b)| a.distance(*b) < 1e-5);
    assert!(
        is_near && found.len() == expected.len(),
        "{found:?} {expected:?}"
    );
}

#[test]
fn vertices_move_with_their_joints() {
    let square = SQUARE.map(Vec3::from);
    // As it was bound.
    let at = Mat4::from_rotation_translation(Quat::from_rotation_x(0.4), Vec3::new(0.2, 1.0, 0.0));
    let gltf = bent(at, [Mat4::IDENTITY, at.inverse()]);
    assert_near(&corners(&gltf), &square);
    // Moved from there.
    let up = Mat4::from_translation(Vec3::new(0.0, 0.5, 0.25));
    let moved = corners(&bent(up * at, [Mat4::IDENTITY, at.inverse()]));
    let expected = [
        square[0],
        square[1],
        up.transform_point3(square[2]),
        up.transform_point3(square[3]),
    ];
    assert_near(&moved, &expected);
    // Between two joints, a vertex is where the mean of both puts it.
    let mut gltf = bent(up, [Mat4::IDENTITY; 2]);
    let weights = gltf.floats("VEC4", &[0.5, 0.5, 0.0, 0.0].repeat(4));
    let joints = gltf.ints(U8, "VEC4", &[0, 1, 0, 0].repeat(4));
    gltf.primitive()["attributes"]["WEIGHTS_0"] = json!(weights);
    gltf.primitive()["attributes"]["JOINTS_0"] = json!(joints);
    assert_near(&corners(&gltf), &square);
    let low = gltf.load_plain().extent.low;
    assert!(
        (low.y - 0.25).abs() < 1e-6 && (low.z - 0.125).abs() < 1e-6,
        "{low}"
    );
}

#[test]
fn joints_may_be_outside_the_scene() {
    let up = Mat4::from_translation(Vec3::new(0.0, 0.5, 0.25));
    let mut gltf = bent(up, [Mat4::IDENTITY; 2]);
    let expected = corners(&gltf);
    gltf.json["scenes"][0]["nodes"] = json!([0]);
    assert_near(&corners(&gltf), &expected);
    // One that is its own ancestor has no place.
    let joint = gltf.json["skins"][0]["joints"][1].clone();
    let above = gltf.push("nodes", json!({"children": [joint]}));
    gltf.json["nodes"][joint.as_u64().unwrap() as usize]["children"] = json!([above]);
    let error = gltf.error();
    assert!(error.contains("has no place"), "{error}");
}

#[test]
fn normals_turn_with_their_joints() {
    let turn = Mat4::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let mut gltf = bent(turn, [Mat4::IDENTITY; 2]);
    let joints = gltf.ints(U8, "VEC4", &[1, 0, 0, 0].repeat(4));
    gltf.primitive()["attributes"]["JOINTS_0"] = json!(joints);
    let normals = gltf.floats("VEC3", &[0.0, 0.0, 1.0].repeat(4));
    gltf.primitive()["attributes"]["NORMAL"] = json!(normals);
    let part = &gltf.load_plain().parts[0];
    assert!(
        part.normals.iter().all(|n| n.distance(Vec3::NEG_Y) < 1e-6),
        "{:?}",
        part.normals
    );
    // A mirrored joint turns triangles inside out, so that their corners change places.
    let mirror = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    let joint = gltf.json["skins"][0]["joints"][1].as_u64().unwrap() as usize;
    gltf.json["nodes"][joint] = json!({"matrix": mirror.to_cols_array()});
    let part = &gltf.load_plain().parts[0];
    let [a, b, c] = part.triangles[0].map(|corner| part.positions[corner as usize]);
    assert!((b - a).cross(c - a).dot(part.normals[0]) > 0.0);
}

#[test]
fn morph_targets_add_by_their_weights() {
    let mut gltf = Gltf::square();
    let first = gltf.floats("VEC3", &[0.0, 0.0, 2.0].repeat(4));
    let second = gltf.floats(
        "VEC3",
        &[[0.0; 3], [0.0; 3], [1.0, 0.0, 0.0], [0.0; 3]].concat(),
    );
    gltf.primitive()["targets"] = json!([{"POSITION": first}, {"POSITION": second}]);
    let far = |gltf: &Gltf| gltf.load_plain().extent.high;
    assert_eq!(far(&gltf), glam::DVec3::new(1.0, 1.0, 0.0));
    gltf.json["meshes"][0]["weights"] = json!([0.5, 0.25]);
    assert_eq!(far(&gltf), glam::DVec3::new(1.25, 1.0, 1.0));
    // Those of the node come first.
    gltf.json["nodes"][0]["weights"] = json!([0.0, 1.0]);
    assert_eq!(far(&gltf), glam::DVec3::new(2.0, 1.0, 0.0));
}

#[test]
fn contradictory_poses_are_refused() {
    let gltf = bent(Mat4::IDENTITY, [Mat4::IDENTITY; 2]);
    let refused = |change: &dyn Fn(&mut Gltf)| {
        let mut gltf = gltf.clone();
        change(&mut gltf);
        gltf.error()
    };
    let error = refused(&|gltf| gltf.json["skins"][0]["joints"] = json!([1]));
    assert!(
        error.contains("vertex 2 names joint 1 of 1 of its skin"),
        "{error}"
    );
    let error = refused(&|gltf| gltf.json["skins"][0]["joints"] = json!([1, 99]));
    assert!(
        error.contains("skin 0: its joint 99 has no place"),
        "{error}"
    );
    let error = refused(&|gltf| gltf.json["nodes"][0]["skin"] = json!(5));
    assert!(error.contains("skin 5: there are only 1"), "{error}");
    let error = refused(&|gltf| {
        let accessor = gltf.json["skins"][0]["inverseBindMatrices"]
            .as_u64()
            .unwrap() as usize;
        gltf.json["accessors"][accessor]["count"] = json!(1);
    });
    assert!(error.contains("1 matrices for 2 joints"), "{error}");
    let error = refused(&|gltf| {
        let short = gltf.floats("VEC3", &[1.0; 9]);
        gltf.primitive()["targets"] = json!([{"POSITION": short}]);
        gltf.json["meshes"][0]["weights"] = json!([1.0]);
    });
    assert!(
        error.contains("morph target 0") && error.contains("3 elements"),
        "{error}"
    );
}
