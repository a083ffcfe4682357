//! Dragging the head, the camera, and out of the window.

use crate::picture::{Picture, is_hair, is_skin};
use crate::program::{HEAD, Program, SKY, scene, sky};

/// Pictures that nobody can tell apart.
const SAME: f64 = 0.02;

#[track_caller]
fn assert_same(a: &Picture, b: &Picture) {
    let difference = scene(a).difference(&scene(b));
    assert!(difference < SAME, "the scenes differ by {difference}");
}

/// The camera stayed where it was.
#[track_caller]
fn assert_same_sky(a: &Picture, b: &Picture) {
    let difference = sky(a).difference(&sky(b));
    assert!(difference < 0.5, "the skies differ by {difference}");
}

/// How far the middle of a colour has moved.
fn moved(from: &Picture, to: &Picture, of: impl Fn([u8; 3]) -> bool + Copy) -> (f64, f64) {
    let (a, b) = (scene(from).center(of), scene(to).center(of));
    (b.0 - a.0, b.1 - a.1)
}

#[test]
fn a_drag_on_the_head_swings_it_and_the_hair_follows() {
    let program = Program::start();
    // A machine that has other things to do sees the hair on its way, too.
    program.key("minus");
    let before = program.after_key("r");
    program.pull("1", HEAD, (110, 0));
    let mut places = Vec::new();
    let held = program.settled_watching(|seen| {
        places.push((moved(&before, seen, is_skin), moved(&before, seen, is_hair)));
    });
    let (skin, hair) = (
        moved(&before, &held, is_skin),
        moved(&before, &held, is_hair),
    );
    assert!(skin.0 > 10.0, "the head moves with the pointer: {skin:?}");
    assert!(hair.0 > 60.0, "the hair moves with the head: {hair:?}");
    assert!(
        places
            .iter()
            .any(|(s, h)| (s.0 - skin.0).abs() < 3.0 && h.0 < hair.0 - 8.0),
        "the hair comes after the head: {places:?}"
    );

    program.release("1");
    assert_same(&held, &program.settled());
    assert_same(&before, &program.after_key("r"));
}

#[test]
fn hair_that_is_frozen_in_the_greeting_leaves_the_head_upright() {
    let program = Program::start();
    program.key("t");
    program.until_logged(&["hair is frozen"]);
    let frozen = program.settled();
    assert_same(&frozen, &program.after_key("r"));
}

#[test]
fn keys_and_the_place_decide_what_a_drag_moves() {
    let program = Program::at_rest();
    let before = program.picture();

    // H held: swings from anywhere.
    program.xdotool(&["keydown", "h"]);
    let swung = program.dragged("1", SKY, (100, 0));
    program.xdotool(&["keyup", "h"]);
    assert!(moved(&before, &swung, is_hair).0 > 60.0);
    assert_same_sky(&before, &swung);
    assert_same(&before, &program.after_key("r"));

    // The background orbits: the head turns on the screen and stays upright.
    let orbited = program.dragged("1", SKY, (75, 30));
    assert!(
        sky(&before).difference(&sky(&orbited)) > 0.5,
        "the sky turns too"
    );
    let (hair, skin) = (
        scene(&orbited).center(is_hair),
        scene(&orbited).center(is_skin),
    );
    assert!(
        hair.1 < skin.1 - 100.0,
        "hair {hair:?} is above skin {skin:?}"
    );
    assert_same(&before, &program.after_key("Return"));

    // Shift on the background and the middle button anywhere: the picture moves along.
    program.xdotool(&["keydown", "shift"]);
    let panned = program.dragged("1", SKY, (60, 40));
    program.xdotool(&["keyup", "shift"]);
    let again = program.dragged("2", HEAD, (-60, -40));
    let by = moved(&before, &panned, is_skin);
    assert!(
        (by.0 - 60.0).abs() < 6.0 && (by.1 - 40.0).abs() < 6.0,
        "{by:?}"
    );
    assert_same(&before, &again);

    // The wheel and the right button: nearer, farther.
    program.point(SKY);
    program.xdotool(&["click", "--repeat", "2", "4"]);
    let near = program.settled();
    program.xdotool(&["click", "--repeat", "4", "5"]);
    let far = program.settled();
    let skin = [&far, &before, &near].map(|seen| scene(seen).count(is_skin));
    assert!(
        skin[0] * 11 < skin[1] * 10 && skin[1] * 11 < skin[2] * 10,
        "{skin:?}"
    );
    let nearer = program.dragged("3", SKY, (0, -60));
    assert!(scene(&nearer).count(is_skin) > skin[0] * 11 / 10);
    program.key("Return");

    // Shift on the head, from the front: it shows its side, the mohawk from end to end.
    let front = program.after_key("1");
    program.xdotool(&["keydown", "shift"]);
    let turned = program.dragged("1", HEAD, (140, 0));
    program.xdotool(&["keyup", "shift"]);
    assert_same_sky(&front, &turned);
    let hair = [&front, &turned].map(|seen| scene(seen).count(is_hair));
    assert!(hair[1] * 10 > hair[0] * 13, "{hair:?}");
    assert_same(&front, &program.after_key("r"));

    // Alt on the head: it comes along as it is.
    program.xdotool(&["keydown", "alt"]);
    let shaken = program.dragged("1", HEAD, (70, -20));
    program.xdotool(&["keyup", "alt"]);
    let by = moved(&front, &shaken, is_skin);
    assert!(
        (by.0 - 70.0).abs() < 12.0 && (by.1 + 20.0).abs() < 12.0,
        "{by:?}"
    );
    assert_same_sky(&front, &shaken);
}

#[test]
fn a_drag_out_of_the_window_goes_on_and_ends_with_the_button() {
    const OUTSIDE: (i32, i32) = (1450, 900);
    let way_out = (OUTSIDE.0 - HEAD.0, OUTSIDE.1 - HEAD.1);
    let program = Program::at_rest();
    let before = program.picture();

    // Out, and back in with the button still down: the head is still in hand.
    program.pull("1", HEAD, way_out);
    let outside = program.settled();
    assert!(
        moved(&before, &outside, is_hair).0 > 60.0,
        "the drag goes on outside"
    );
    assert_same_sky(&before, &outside);
    program.carry(OUTSIDE, (-way_out.0, -way_out.1));
    let back = program.settled();
    assert!(
        moved(&outside, &back, is_hair).0 < -60.0,
        "it is still in hand"
    );
    program.release("1");
    program.carry(HEAD, (150, 60));
    assert_same(&back, &program.settled());

    // Let go outside: it is not in hand when the pointer comes back.
    let before = program.after_key("r");
    program.pull("1", HEAD, way_out);
    program.release("1");
    let outside = program.settled();
    assert!(moved(&before, &outside, is_hair).0 > 60.0);
    program.carry(OUTSIDE, (-way_out.0, -way_out.1));
    assert_same(&outside, &program.settled());

    // The keyboard goes elsewhere in the middle of a drag: it is over.
    let before = program.after_key("r");
    program.pull("1", HEAD, (100, 0));
    let held = program.settled();
    assert!(moved(&before, &held, is_hair).0 > 60.0);
    let root = program.desk.root.to_string();
    program.xdotool(&["windowfocus", &root]);
    program.settled();
    program.carry((580, 300), (-150, 0));
    assert_same(&held, &program.settled());
    program.release("1");
}
