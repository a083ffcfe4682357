//! Other heads, by path and by drop, and files that are none.

use crate::common::gltf_builder::Gltf;
use crate::dropping::drop_file;
use crate::picture::{Picture, is_hair, is_skin};
use crate::program::{HEAD, Program};
use std::path::PathBuf;

pub fn shipped() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "models", "head.glb"]
        .iter()
        .collect()
}

/// Types a path into the panel's field, which has the keyboard once it is shown.
fn open(program: &Program, path: &str) {
    program.path_field();
    program.xdotool(&["key", "ctrl+a"]);
    program.xdotool(&["type", path]);
    program.key("Return");
}

/// The part of the scene above any message.
fn upper(picture: &Picture) -> Picture {
    picture.part(0..960, 0..640)
}

#[test]
fn heads_come_by_path_and_by_drop() {
    let program = Program::at_rest();
    // Another view, to see that a new head does not touch the camera.
    let before = program.after_key("3");

    let other = program.folder.path().join("other.glb");
    std::fs::copy(shipped(), &other).unwrap();
    open(&program, other.to_str().unwrap());
    program.until_shown("other", 800);
    let seen = program.settled();
    let difference = upper(&seen).difference(&upper(&before));
    assert!(
        difference < 0.02,
        "the same head from the same side: {difference}"
    );

    // The name of the file needs escapes in a list of URIs.
    let square = program.folder.path().join("my säge #1.glb");
    std::fs::write(&square, Gltf::painted([[0.0; 3]; 4]).glb()).unwrap();
    drop_file(&program, &square);
    program.until_title(|title| title.starts_with("mohawk – my säge #1 – "));
    let seen = program.settled();
    assert!(upper(&seen).difference(&upper(&before)) > 1.0);
    assert!(upper(&seen).count(is_hair) > 1000, "hair grows on it");
}

#[test]
fn a_file_that_is_no_head_leaves_the_head_and_says_why() {
    let mut program = Program::at_rest();
    let title = program.title();
    let before = upper(&program.picture());
    let broken = program.folder.path().join("broken.glb");
    std::fs::write(&broken, "a shopping list: gel, comb").unwrap();

    drop_file(&program, &broken);
    program.until_logged(&["error:", "broken.glb"]);
    open(&program, "nowhere/absent.gltf");
    program.until_logged(&["error:", "absent.gltf"]);

    assert_eq!(program.title(), title);
    let seen = upper(&program.settled());
    assert!(seen.count(is_skin) * 10 > before.count(is_skin) * 9);
    assert!(seen.count(is_hair) * 10 > before.count(is_hair) * 9);
    // And it can still be swung.
    let swung = upper(&program.dragged("1", HEAD, (100, 0)));
    assert!(swung.center(is_hair).0 > before.center(is_hair).0 + 50.0);
    assert!(program.is_running());
}

#[test]
fn pictures_that_are_dropped_in_a_row_become_maps_in_turn() {
    let program = Program::at_rest();
    let folder = program.folder.path();
    // Hair grows on bald skin first, which takes a while.
    let pictures = [255, 0].map(|grey| {
        let path = folder.join(format!("grey{grey}.png"));
        let picture = image::GrayImage::from_pixel(8, 8, image::Luma([grey]));
        picture.save(&path).unwrap();
        path
    });
    pictures.iter().for_each(|path| drop_file(&program, path));
    program.until_logged(&["grey255.png is the density map"]);
    program.until_logged(&["grey0.png is the density map"]);
    program.key("ctrl+z");
    program.until_logged(&["undo"]);
    let seen = program.settled();
    assert!(
        upper(&seen).count(is_hair) > 1000,
        "hair by the first picture"
    );
}
