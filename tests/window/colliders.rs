//! Spheres and capsules, worked by the mouse.

use crate::picture::{Picture, is_hair};
use crate::program::{Program, SKY, scene};
use mohawk::{Config, sim::Collider};

/// Above the head, in the sky.
const PLACE: (i32, i32) = (300, 120);
/// A part around a point that a new sphere covers, pixels.
const HALF: i32 = 14;

fn around(seen: &Picture, (x, y): (i32, i32)) -> Picture {
    let range = |middle: i32| (middle - HALF) as usize..(middle + HALF) as usize;
    seen.part(range(x), range(y))
}

/// Saves the settings and reads the colliders in them.
fn saved(program: &Program) -> Vec<Collider> {
    let path = program.folder.path().join("hair.toml");
    std::fs::remove_file(&path).ok();
    program.key("ctrl+s");
    let config = program.until("saved settings", |_| {
        path.exists().then(|| Config::load(&path).unwrap())
    });
    config.sim.colliders
}

#[test]
fn a_sphere_is_added_dragged_resized_and_taken_away() {
    let program = Program::at_rest();
    let before = program.picture();
    assert_eq!(saved(&program), []);

    program.point(PLACE);
    let added = program.after_key("c");
    let [sphere] = saved(&program)[..] else {
        panic!("one sphere");
    };
    assert_eq!(sphere.to, None);
    assert!(around(&before, PLACE).difference(&around(&added, PLACE)) > 10.0);

    // What was taken hold of stays under the pointer, and nothing else moves.
    let by = (-150, 60);
    let to = (PLACE.0 + by.0, PLACE.1 + by.1);
    let moved = program.dragged("1", PLACE, by);
    let same = around(&added, PLACE).difference(&around(&moved, to));
    assert!(same < 8.0, "the sphere at its new place differs by {same}");
    let gone = around(&before, PLACE).difference(&around(&moved, PLACE));
    assert!(gone < 0.5, "where it was differs by {gone}");
    let [after] = saved(&program)[..] else {
        panic!("still one");
    };
    assert!(after.from != sphere.from && after.radius == sphere.radius);

    // Paused, too.
    program.key("space");
    let back = program.dragged("1", to, (-by.0, -by.1));
    assert!(around(&added, PLACE).difference(&around(&back, PLACE)) < 8.0);
    program.key("space");

    program.xdotool(&[
        "keydown", "ctrl", "click", "4", "click", "4", "keyup", "ctrl",
    ]);
    program.settled();
    let [larger] = saved(&program)[..] else {
        panic!("still one");
    };
    assert!(larger.radius > 1.15 * sphere.radius, "{}", larger.radius);

    program.key("Delete");
    program.point(SKY);
    let without = program.settled();
    // Below is the notice that all was saved.
    let above = |seen: &Picture| seen.part(0..960, 0..700);
    assert!(above(&before).difference(&above(&without)) < 0.02);
    assert_eq!(saved(&program), []);
}

#[test]
fn hair_gives_way_to_a_sphere_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--solver", "ftl", "--set", "sim.hold=0.4"];
    let program = Program::at_rest_in(folder, &args);
    let before = program.picture();
    program.point(PLACE);
    program.after_key("c");
    let in_hair = program.dragged("1", PLACE, (190, 60));
    program.point(SKY);
    let hair = |seen: &Picture| scene(seen).count(is_hair);
    assert!(hair(&in_hair) * 100 < hair(&before) * 99, "it covers some");
    program.key("Delete");
    let after = program.settled();
    let difference = scene(&before).difference(&scene(&after));
    assert!(difference < 1.0, "hair is back but for {difference}");
}
