//! Brushes, maps, undo and saving, with a real mouse.

use crate::closing::close;
use crate::dropping::drop_file;
use crate::files::shipped;
use crate::picture::{Picture, is_hair};
use crate::program::{HEAD, Program, command, scene};
use std::path::Path;

/// In the middle of the mohawk, seen from the side.
pub const HAIR: (i32, i32) = (480, 130);
/// Bald skin above the ear, seen from the side.
pub const TEMPLE: (i32, i32) = (500, 300);
/// The buttons of two brushes.
const COMB: (i32, i32) = (1000, 127);
const DRAW: (i32, i32) = (1204, 171);

/// The link that adds a part to the stack where "parting" is searched for, and its button then.
const ADD_PART: (i32, i32) = (1057, 129);
const DRAW_LINE: (i32, i32) = (1040, 439);

/// The head from its side, a brush in hand, hair as it is at rest.
pub fn with_brush() -> Program {
    let program = Program::at_rest();
    program.key("3");
    program.key("t");
    program.until_logged(&["hair is frozen"]);
    program.key("b");
    // The circle must not be in the pictures that are compared.
    program.point((1270, 790));
    program.settled();
    program
}

/// What the scene shows when all is done, with the pointer out of it.
pub fn seen(program: &Program) -> Picture {
    program.point((1270, 790));
    scene(&program.settled())
}

/// Drags the brush and waits for what has come of it.
pub fn brushed(program: &Program, from: (i32, i32), by: (i32, i32)) -> Picture {
    let before = program.logged(&["stroke:"]).len();
    program.pull("1", from, by);
    program.release("1");
    program.until("the stroke", |p| {
        (p.logged(&["stroke:"]).len() > before).then_some(())
    });
    seen(program)
}

/// What `mohawk style` makes of a head or a style: bytes of its hair.
fn hair_of(folder: &Path, args: &[&str]) -> Vec<u8> {
    let out = folder.join("hair.npy");
    let out_text = out.to_str().unwrap();
    let status = command(&[&["style", "--json", "--points", out_text], args].concat())
        .current_dir(folder)
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "{args:?}");
    std::fs::read(&out).unwrap()
}

#[test]
fn combed_hair_is_undone_redone_saved_and_found_again() {
    let mut program = with_brush();
    let rest = seen(&program);

    // The hair answers while the brush is still down.
    program.pull("1", HAIR, (120, 0));
    let moved = |picture: &Picture| scene(picture).difference(&rest) > 0.3;
    program.until_seen("hair that follows the brush", moved);
    program.release("1");
    program.until_logged(&["stroke: comb"]);
    let combed = seen(&program);
    assert!(
        combed.difference(&rest) > 0.3,
        "{}",
        combed.difference(&rest)
    );

    program.key("ctrl+z");
    program.until_logged(&["undo: comb"]);
    let undone = upper(&seen(&program));
    assert!(undone.difference(&upper(&rest)) < 0.01, "as it was");
    program.key("ctrl+shift+z");
    program.until_logged(&["redo: comb"]);
    assert!(upper(&seen(&program)).difference(&upper(&combed)) < 0.01);

    // Quitting would lose it.
    close(&program.desk, program.window_id());
    program.until_seen("a question", |p| scene(p).buttons(3).is_some());
    // Keys that come at once, as they do to a slow picture.
    program.xdotool(&["key", "Escape", "ctrl+s"]);
    program.until_logged(&["Saved", "mohawk.mohawk"]);
    program.until_title(|title| title.starts_with("mohawk – mohawk.mohawk – "));
    close(&program.desk, program.window_id());
    assert_eq!(program.until_ended().code(), Some(0));

    // Another day.
    let again = program.again(&["mohawk.mohawk"]);
    again.until_title(|title| title.starts_with("mohawk – mohawk.mohawk – "));
    again.key("r");
    again.key("3");
    again.key("t");
    again.until_logged(&["hair is frozen"]);
    let found = upper(&seen(&again));
    assert!(
        found.difference(&upper(&combed)) < 0.05,
        "{}",
        found.difference(&upper(&combed))
    );
}

/// The part of the scene above any message.
pub fn upper(picture: &Picture) -> Picture {
    picture.part(0..960, 0..560)
}

#[test]
fn recorded_strokes_done_again_give_the_same_hair() {
    let program = with_brush();
    program.key("ctrl+r");
    program.until_logged(&["Recording strokes"]);
    brushed(&program, HAIR, (90, 30));
    // Another view is part of the stroke.
    program.key("1");
    brushed(&program, (480, 120), (-60, -20));
    brushed(&program, (480, 120), (30, 0));
    program.key("ctrl+z");
    program.until_logged(&["undo: comb"]);
    program.key("ctrl+r");
    program.until_logged(&["Saved 2 strokes"]);
    program.key("ctrl+s");
    program.until_logged(&["Saved", "mohawk.mohawk"]);

    let folder = program.folder.path();
    let drawn = hair_of(folder, &["mohawk.mohawk"]);
    let args = ["--config", "hair.toml", "--strands", "800"];
    let strokes = ["--strokes", "mohawk-0001.json"];
    let replayed = hair_of(folder, &[&args[..], &strokes[..]].concat());
    assert!(drawn == replayed, "to the bit");
    assert!(
        drawn != hair_of(folder, &args),
        "and it is not the hair of before"
    );
}

#[test]
fn hair_grows_where_either_view_is_painted_while_the_brush_is_down() {
    let program = with_brush();
    program.key("u");
    program.until_logged(&["canvas at"]);
    let before = seen(&program);
    let on_temple = |picture: &Picture| {
        let around = picture.part(440..560, 240..360);
        around.count(is_hair)
    };
    assert_eq!(on_temple(&before), 0, "bald");

    program.pull("1", TEMPLE, (30, 0));
    program.until_seen("hair under the brush", |p| on_temple(p) > 200);
    program.release("1");
    program.until_logged(&["stroke: paint"]);
    let painted = seen(&program);
    assert!(canvas(&program, &painted).difference(&canvas(&program, &before)) > 0.1);

    // All over the canvas there is some skin that can be seen. Above it lies the head; the circle of
    // the brush has the colour of hair.
    let above = |picture: &Picture| picture.part(0..960, 0..430);
    let hair = above(&painted).count(is_hair);
    let [x, y, side] = <[usize; 3]>::from(canvas_place(&program)).map(|n| n as i32);
    program.pull("1", (x + side / 2, y + side / 4), (0, side / 2));
    program.until_seen("hair on the head", |p| above(p).count(is_hair) > hair + 100);
    program.release("1");
    program.until("two strokes", |p| {
        (p.logged(&["stroke: paint"]).len() > 1).then_some(())
    });
    program.key("ctrl+z");
    program.until_logged(&["undo: paint"]);
    // The title of the canvas tells that it was the last thing touched.
    let unpainted = seen(&program);
    let undone = above(&unpainted).difference(&above(&painted));
    assert!(undone < 0.02, "{undone}");

    // The wheel shows a part of it larger, the right button moves that.
    let look = |what: &str, before: &Picture| {
        let before = canvas(&program, before);
        program.until_seen(what, |p| canvas(&program, p).difference(&before) > 1.0);
        seen(&program)
    };
    program.point((x + side / 4, y + side * 3 / 4));
    program.xdotool(&["click", "--repeat", "4", "4"]);
    let larger = look("a part of the canvas", &unpainted);
    program.pull("3", (x + side / 2, y + side / 2), (-side / 3, 0));
    program.release("3");
    let moved = look("another part of it", &larger);
    assert!(
        above(&moved).difference(&above(&unpainted)) < 0.02,
        "and the head stays"
    );
}

#[test]
fn a_line_is_asked_for_until_it_is_drawn() {
    let program = Program::at_rest();
    program.key("ctrl+f");
    program.xdotool(&["type", "parting"]);
    program.settled();
    program.click(ADD_PART);
    // The panel scrolls to the new modifier.
    program.settled();
    program.click(DRAW_LINE);
    let is_white = |rgb: [u8; 3]| rgb.into_iter().min() > Some(235);
    let asks = |seen: &Picture| seen.part(300..660, 655..690).count(is_white) > 50;
    program.until_seen("what to do", asks);
    program.click(HEAD);
    program.until_logged(&["The line is too short"]);
    // It is asked for again, and the label of what was drawn has the colour of a change.
    program.pull("1", (420, 250), (140, -20));
    program.release("1");
    let is_pink = |[r, g, b]: [u8; 3]| r > 200 && g < 150 && b > 120;
    let changed = |seen: &Picture| seen.part(986..1020, 560..720).count(is_pink);
    program.until_seen("a line", |seen| changed(seen) > 5 && !asks(seen));
}

#[test]
fn what_was_not_saved_outlives_a_crash() {
    let mut program = with_brush();
    let combed = upper(&brushed(&program, HAIR, (120, 0)));
    program.until_logged(&["autosaved"]);
    program.kill();

    let again = program.again(&["--config", "hair.toml"]);
    again.until_seen("a question", |p| scene(p).buttons(3).is_some());
    let buttons = scene(&again.picture()).buttons(3).unwrap();
    again.click(buttons[0]);
    again.until_logged(&["Opened the unsaved style"]);
    again.key("r");
    again.key("3");
    again.key("t");
    again.until_logged(&["hair is frozen"]);
    let found = upper(&seen(&again));
    assert!(
        found.difference(&combed) < 0.05,
        "{}",
        found.difference(&combed)
    );
}

#[test]
fn what_is_saved_again_by_redo_is_not_offered_after_a_crash() {
    let program = with_brush();
    let sessions = program.folder.path().join(".state/mohawk/autosave");
    let has_copy = || {
        let sessions = std::fs::read_dir(&sessions).unwrap();
        let mut copies = sessions.map(|session| session.unwrap().path().join("document.mohawk"));
        copies.any(|copy| copy.exists())
    };
    brushed(&program, HAIR, (120, 0));
    program.until("a copy", |_| has_copy().then_some(()));
    program.key("ctrl+s");
    program.until("no copy", |_| (!has_copy()).then_some(()));
    program.key("ctrl+z");
    program.until("a copy", |_| has_copy().then_some(()));
    program.key("ctrl+shift+z");
    program.until("no copy", |_| (!has_copy()).then_some(()));
}

#[test]
fn another_head_takes_the_place_of_unsaved_hair_only_if_it_may() {
    let program = with_brush();
    let rest = upper(&seen(&program));
    let combed = upper(&brushed(&program, HAIR, (120, 0)));
    let other = program.folder.path().join("other.glb");
    std::fs::copy(shipped(), &other).unwrap();
    drop_file(&program, &other);
    program.until_seen("a question", |p| scene(p).buttons(3).is_some());
    program.key("Escape");
    let kept = upper(&seen(&program)).difference(&combed);
    assert!(kept < 0.02, "{kept}");

    // Nothing is unsaved when all is undone.
    program.key("ctrl+z");
    program.until_logged(&["undo: comb"]);
    assert!(upper(&seen(&program)).difference(&rest) < 0.02);
    drop_file(&program, &other);
    program.until_title(|title| title.starts_with("mohawk – other – "));
}

#[test]
fn the_brush_is_sized_by_the_mouse_and_the_head_still_swings() {
    let program = with_brush();
    program.point(HEAD);
    program.xdotool(&["keydown", "f"]);
    program.carry(HEAD, (60, 0));
    program.xdotool(&["keyup", "f"]);
    program.until_logged(&["brush radius 100"]);
    program.xdotool(&["keydown", "shift", "keydown", "f"]);
    program.carry((540, 300), (-40, 0));
    program.xdotool(&["keyup", "f", "keyup", "shift"]);
    program.until_logged(&["brush strength 0.30"]);

    program.key("t");
    program.until_logged(&["hair is free"]);
    let still = seen(&program);
    program.xdotool(&["keydown", "h"]);
    program.pull("1", HEAD, (80, 0));
    program.release("1");
    program.xdotool(&["keyup", "h"]);
    assert!(
        seen(&program).difference(&still) > 1.0,
        "the head is elsewhere"
    );
    assert!(
        program.logged(&["stroke:"]).is_empty(),
        "and nothing was brushed"
    );
}

/// Where the canvas is: its left and upper edge and its side.
fn canvas_place(program: &Program) -> (usize, usize, usize) {
    let line = program.logged(&["canvas at"]).pop().unwrap();
    let numbers = line.split(|c: char| !c.is_ascii_digit());
    let numbers: Vec<usize> = numbers.filter_map(|n| n.parse().ok()).collect();
    let [.., x, y, side] = numbers[..] else {
        panic!("{line}")
    };
    (x, y, side)
}

/// What it shows.
fn canvas(program: &Program, picture: &Picture) -> Picture {
    let (x, y, side) = canvas_place(program);
    picture.part(x..x + side, y..y + side)
}

#[test]
fn hair_follows_a_guide_that_is_drawn_and_combed() {
    let program = with_brush();
    let rest = seen(&program);
    program.click(DRAW);
    // A guide begins on the skin: here below the hair.
    let root = (480, 215);
    program.pull("1", root, (-60, -100));
    program.release("1");
    program.until_logged(&["stroke: draw"]);
    program.until_logged(&["guides: 1"]);
    let drawn = seen(&program);
    assert!(drawn.difference(&rest) > 0.3, "hair goes to the front");

    program.click(COMB);
    program.key("j");
    let combed = brushed(&program, (root.0 - 80, root.1 - 60), (160, 0));
    let moved = combed.difference(&drawn);
    assert!(moved > 0.1, "and follows the comb: {moved}");
    program.key("ctrl+z");
    program.until_logged(&["undo: comb guides"]);
    program.key("ctrl+z");
    program.until_logged(&["undo: draw guides"]);
    assert!(upper(&seen(&program)).difference(&upper(&rest)) < 0.01);

    // Without guides, a brush for them says so.
    program.pull("1", HAIR, (40, 0));
    program.release("1");
    program.until_logged(&["there are no guides yet"]);
}
