//! From nothing to a moving picture, and to rest; and where there is nothing to draw on.

use crate::common::gltf_builder::{U16, shipped_head};
use crate::picture::{is_hair, is_skin};
use crate::program::{Program, command, scene};
use serde_json::json;
use std::fs;

#[test]
fn a_newcomer_is_greeted_by_hair_that_moves_and_then_rests() {
    let program = Program::start();
    assert_eq!(
        program.title().unwrap(),
        format!("mohawk – head – {} strands", strands(&program))
    );
    let mut places = Vec::new();
    let resting = program.settled_watching(|seen| {
        if seen.count(is_hair) > 0 {
            places.push(scene(seen).center(is_hair).0);
        }
    });
    let seen = scene(&resting);
    assert!(seen.colors() > 1000, "{} colours", seen.colors());
    assert!(seen.count(is_skin) > 40_000, "{}", seen.count(is_skin));
    assert!(seen.count(is_hair) > 10_000, "{}", seen.count(is_hair));
    let at_rest = seen.center(is_hair).0;
    let swung = places
        .iter()
        .map(|x| (x - at_rest).abs())
        .fold(0.0, f64::max);
    assert!(
        swung > 20.0,
        "the greeting moves the hair by {swung} pixels"
    );
}

#[test]
fn the_picture_of_hair_at_rest_stays_while_the_panel_is_used() {
    /// The tab Motion, and the one that is open at first.
    const TABS: [(i32, i32); 2] = [(1084, 72), (1006, 72)];
    let program = Program::at_rest();
    let best = scene(&program.settled());
    for tab in TABS {
        program.click(tab);
        program.settled_watching(|seen| {
            let apart = scene(seen).difference(&best);
            assert!(apart < 0.2, "the picture changes by {apart}");
        });
    }
}

/// The number of strands that the log tells.
fn strands(program: &Program) -> usize {
    let line = program.until_logged(&["loaded head", "triangles", "strands"]);
    let words: Vec<&str> = line.split(' ').collect();
    words[words.len() - 2].parse().unwrap()
}

/// Roots take a second and more to be sampled on a large head.
#[test]
fn a_large_head_is_shown_before_its_hair() {
    let mut gltf = shipped_head();
    let at = [[0.0, 0.0, 0.0], [0.01, 0.0, 0.0], [0.0, 0.01, 0.0]];
    let position = gltf.floats("VEC3", at.as_flattened());
    let indices = gltf.ints(U16, "SCALAR", &[0, 1, 2].repeat(300_000));
    let part = json!({"attributes": {"POSITION": position}, "indices": indices});
    let mesh = gltf.mesh("crowd", json!([part]));
    gltf.root(json!({"mesh": mesh}));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("large.glb"), gltf.glb()).unwrap();
    let program = Program::open_in(folder, &["large.glb"]);
    program.until_shown("large", 800);
    let order = ["is shown before its hair", "loaded large"];
    let lines = program.logged(&["large"]);
    let places = order.map(|part| lines.iter().position(|line| line.contains(part)));
    assert!(places[0].is_some() && places.is_sorted(), "{lines:?}");
    assert!(scene(&program.settled()).count(is_hair) > 10_000);
}

#[test]
fn without_a_display_the_error_names_the_way_without_one() {
    for display in [None, Some(":9999")] {
        let mut program = command(&[]);
        program.envs(display.map(|name| ("DISPLAY", name)));
        let output = program.output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{display:?}: {told}");
        assert!(told.starts_with("error: "), "{display:?}: {told}");
        assert!(told.contains("mohawk render"), "{display:?}: {told}");
        assert!(!told.contains("panicked"), "{display:?}: {told}");
    }
}
