//! Animations of a head's file.

use crate::common::gltf_builder::shipped_head;
use crate::picture::{Picture, is_hair, is_skin};
use crate::program::{HEAD, Program, scene};
use serde_json::json;
use std::fs;

/// Returns the shipped head, which shifts from side to side.
fn shifting_head() -> Vec<u8> {
    let mut gltf = shipped_head();
    let parts = gltf.json["scenes"][0]["nodes"].take();
    let neck = gltf.push("nodes", json!({"name": "neck", "children": parts}));
    gltf.json["scenes"][0]["nodes"] = json!([neck]);
    let times = gltf.floats("SCALAR", &[0.0, 1.0, 2.0, 3.0, 4.0]);
    let places = [0.0, 0.4, 0.0, -0.4, 0.0].map(|x| [x, 0.0, 0.0]);
    let places = gltf.floats("VEC3", places.as_flattened());
    gltf.push(
        "animations",
        json!({
            "name": "sway",
            "samplers": [{"input": times, "output": places}],
            "channels": [{"sampler": 0, "target": {"node": neck, "path": "translation"}}],
        }),
    );
    gltf.glb()
}

#[test]
fn a_head_moves_as_its_file_says_until_it_is_grabbed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sway.glb"), shifting_head()).unwrap();
    let mut program = Program::open_in(folder, &["sway.glb"]);
    program.until_logged(&["playing sway"]);
    program.until_shown("sway", 800);
    let (mut left, mut right) = (f64::MAX, f64::MIN);
    program.until("the head on both sides", |program| {
        let seen: Picture = scene(&program.picture());
        let middle = seen.center(is_skin).0;
        (left, right) = (left.min(middle), right.max(middle));
        (right - left > 40.0 && seen.count(is_hair) > 1000).then_some(())
    });

    // By hand from here on.
    program.pull("1", HEAD, (60, 0));
    program.until_logged(&["stopped sway"]);
    program.release("1");
    program.key("r");
    program.settled();
    program.key("Escape");
    assert_eq!(program.until_ended().code(), Some(0));
}
