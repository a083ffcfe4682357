//! The panel: its search, small windows, and what it remembers.

use crate::picture::{Picture, is_skin};
use crate::program::{HEAD, MOTION, Program, SKY, STATE, STIFF, command, scene};
use glam::Vec3;
use mohawk::head::Limits;
use mohawk::strands::Strands;
use std::fs;

/// The box of the number in the first row that a search finds.
const FOUND: (i32, i32) = (1208, 136);

/// The box of the number of degrees in the part *Model*, with all parts above it folded.
const TURN: (i32, i32) = (1197, 473);

/// A folder in which the program remembers `state`.
fn folder(state: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(STATE);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, state).unwrap();
    folder
}

/// Dark ground of the panel, and its light one.
fn is_dark(seen: &Picture) -> bool {
    seen.part(970..990, 700..720).count(|rgb| rgb == [27; 3]) == 400
}

fn is_light(seen: &Picture) -> bool {
    seen.part(970..990, 700..720).count(|rgb| rgb == [248; 3]) == 400
}

#[test]
fn a_setting_is_found_by_its_key_and_takes_an_expression() {
    let program = Program::at_rest();
    let before = program.settled().part(960..1280, 0..740);
    program.key("slash");
    program.settled();
    program.xdotool(&["type", "look.hair.width_px"]);
    let found = program.settled();
    program.click(FOUND);
    program.settled();
    program.xdotool(&["type", "1.5*(1+3)"]);
    program.key("Return");
    program.until_seen("wider strands", |seen| {
        scene(seen).difference(&scene(&found)) > 0.2
    });
    program.key("ctrl+s");
    program.until_logged(&["Saved", "hair.toml"]);
    let saved = fs::read_to_string(program.folder.path().join("hair.toml")).unwrap();
    assert!(saved.contains("width_px = 6.0"), "{saved}");

    // Esc leaves the field, and clears it; nothing asks whether to quit.
    program.key("ctrl+f");
    program.settled();
    program.key("Escape");
    let cleared = program.settled().part(960..1280, 0..740);
    let difference = cleared.difference(&before);
    assert!(difference < 0.5, "{difference}");
}

#[test]
fn the_way_a_model_is_read_is_set_and_remembered() {
    let folder = folder(
        "head_dragged = true\n[sections]\nColour = false\n\"Length and fullness\" = false\nModel = true\n",
    );
    let head = concat!(env!("CARGO_MANIFEST_DIR"), "/models/head.glb");
    fs::copy(head, folder.path().join("own.glb")).unwrap();
    let mut program = Program::open_in(folder, &["own.glb"]);
    program.until_shown("own", 800);
    let ahead = program.settled();
    program.click(TURN);
    program.settled();
    program.xdotool(&["type", "180"]);
    program.key("Return");
    program.until_logged(&["Reloaded own.glb"]);
    let face = scene(&ahead).count(is_skin);
    let is_turned = |seen: &Picture| scene(seen).difference(&scene(&ahead)) > 1.0;
    program.until_seen("the back of the head", is_turned);
    program.until_logged(&["loaded own"]);
    assert!(face > 20_000);
    // Nothing is unsaved, because it is kept with the file.
    program.settled();
    program.key("Escape");
    assert_eq!(program.until_ended().code(), Some(0));
    let state = fs::read_to_string(program.folder.path().join(STATE)).unwrap();
    assert!(state.contains("turn_deg = 180.0"), "{state}");

    // The file is read in this way again, and others are not.
    let again = program.again(&["own.glb"]);
    again.until_shown("own", 800);
    again.until_seen("the back of the head", is_turned);
    let other = program.again(&[head]);
    other.until_shown("head", 800);
    other.until_seen("the face", |seen| {
        scene(seen).difference(&scene(&ahead)) < 0.5
    });
}

#[test]
fn the_axes_of_a_model_set_which_way_is_up() {
    /// The middle of the axes, and the end of that which is down.
    const AXES: (i32, i32) = (884, 724);
    const DOWN: (i32, i32) = (884, 767);
    let folder = folder("head_dragged = true\n[sections]\nModel = true\n");
    let head = concat!(env!("CARGO_MANIFEST_DIR"), "/models/head.glb");
    fs::copy(head, folder.path().join("own.glb")).unwrap();
    let mut program = Program::open_in(folder, &["own.glb"]);
    program.until_shown("own", 800);
    program.settled();
    program.click(DOWN);
    program.until("the head upside down", |p| {
        (p.logged(&["loaded own", "strands"]).len() == 2).then_some(())
    });
    program.settled();
    program.pull("1", AXES, (-45, 0));
    program.release("1");
    program.until("the head turned", |p| {
        (p.logged(&["loaded own", "strands"]).len() == 3).then_some(())
    });
    program.settled();
    program.key("Escape");
    assert_eq!(program.until_ended().code(), Some(0));
    let state = fs::read_to_string(program.folder.path().join(STATE)).unwrap();
    assert!(state.contains("up = \"-y\""), "{state}");
    assert!(state.contains("turn_deg = -45.0"), "{state}");
}

#[test]
fn the_first_hint_goes_once_it_is_followed_and_does_not_come_back() {
    let program = Program::at_rest_in(folder(""), &[]);
    let is_white = |rgb: [u8; 3]| rgb.into_iter().min() > Some(235);
    let letters = |seen: &Picture| seen.part(400..560, 655..690).count(is_white);
    assert!(letters(&program.settled()) > 50);
    // It is out of the way as soon as the picture is used at all.
    program.click(SKY);
    program.until_seen("no hint", |seen| letters(seen) == 0);
    program.pull("1", HEAD, (40, 0));
    program.release("1");
    let state = program.folder.path().join(STATE);
    program.until("the memory", |_| {
        let kept = fs::read_to_string(&state).ok()?;
        kept.contains("head_dragged = true").then_some(())
    });
    let again = program.again(&["--config", "hair.toml"]);
    again.until_shown("head", 800);
    again.key("r");
    assert_eq!(letters(&again.settled()), 0);
}

#[test]
fn the_next_run_looks_as_the_last_one_did() {
    let mut program = Program::at_rest_in(folder("theme = \"light\"\nhead_dragged = true\n"), &[]);
    let light = program.settled();
    assert!(is_light(&light));
    program.click(MOTION);
    program.window("windowsize", &["1100", "700"]);
    program.until_seen("another size", |seen| seen.width == 1100);
    program.point((300, 300));
    program.settled();
    program.key("Escape");
    assert_eq!(program.until_ended().code(), Some(0));
    let kept = fs::read_to_string(program.folder.path().join(STATE)).unwrap();
    for line in [
        "theme = \"light\"",
        "window = [1100.0, 700.0]",
        "place = \"motion\"",
    ] {
        assert!(kept.contains(line), "{line}: {kept}");
    }
    let again = program.again(&["--config", "hair.toml"]);
    again.until_shown("head", 800);
    again.until_seen("the size of before", |seen| seen.width == 1100);
}

#[test]
fn a_hostile_memory_is_ignored_and_told_in_the_log() {
    let folder = folder("theme = \"plaid\"\nwindow = [9e9, nan]\n");
    fs::write(folder.path().join("hair.toml"), STIFF).unwrap();
    let program = Program::open_in(folder, &["--config", "hair.toml"]);
    program.until_logged(&["window.toml is ignored"]);
    program.until_shown("head", 800);
    program.until_seen("the usual window", |seen| {
        seen.width == 1280 && is_dark(seen)
    });
}

#[test]
fn nothing_reaches_over_the_edge_of_a_small_window() {
    let folder = folder("head_dragged = true\nwindow = [640.0, 480.0]\n");
    // The spring has no weight: it is at rest whatever gravity is.
    let args = ["--set", "sim.forces.gravity=[-100.5, 22.25, 1000]"];
    let program = Program::at_rest_in(folder, &args);
    for (i, query) in ["", "", "", "sim", "look", "groom"].into_iter().enumerate() {
        match query {
            "" => program.click((366 + 76 * i as i32, 72)),
            _ => {
                program.key("ctrl+f");
                program.settled();
                program.key("ctrl+a");
                program.xdotool(&["type", query]);
            }
        }
        program.point((100, 100));
        let seen = program.settled();
        let edge = seen.part(634..640, 90..430);
        assert_eq!(edge.colors(), 1, "place {i} {query}");
    }
}

#[test]
fn a_colour_is_typed_as_a_code_and_anything_else_is_refused() {
    let program = Program::at_rest();
    program.key("slash");
    program.settled();
    program.xdotool(&["type", "look.hair.root_color"]);
    program.settled();
    program.click((FOUND.0 - 110, FOUND.1));
    let below = 150;
    let field = |seen: &Picture| {
        let found = seen.part(900..1280, below..800).field();
        found.map(|(x, y)| (x + 900, y + below as i32))
    };
    let code = program.until("the field for the code", |p| field(&p.settled()));
    for (typed, expected) in [("#3FAE4A", [63, 174, 74]), ("#12", [63, 174, 74])] {
        program.click(code);
        program.key("ctrl+a");
        program.xdotool(&["type", typed]);
        program.key("Return");
        program.settled();
        program.key("ctrl+s");
        program.until_logged(&["Saved the settings", "hair.toml"]);
        program.settled();
        let file = program.folder.path().join("hair.toml");
        program.until(typed, |_| {
            let saved = fs::read_to_string(&file).ok()?;
            let line = saved.lines().find(|line| line.starts_with("root_color"))?;
            let numbers = line
                .split(['[', ']', ','])
                .filter_map(|n| n.trim().parse::<f32>().ok());
            let bytes: Vec<i32> = numbers
                .map(|share| (share * 255.0).round() as i32)
                .collect();
            (bytes == expected).then_some(())
        });
    }
}

#[test]
fn help_appears_over_the_control_itself() {
    let program = Program::at_rest();
    program.key("slash");
    program.settled();
    program.xdotool(&["type", "groom.length"]);
    let before = program.settled();
    let below = |seen: &Picture| seen.part(970..1270, 150..200);
    program.point((1110, FOUND.1));
    program.until_seen("help", |seen| below(seen).difference(&below(&before)) > 3.0);
}

#[test]
fn a_style_is_saved_under_another_name_and_settings_too() {
    let program = Program::at_rest();
    for (count, name, parts) in [
        (1, "other", ["Saved the style", "other.mohawk"]),
        (2, "mine.toml", ["Saved the settings", "mine.toml"]),
    ] {
        program.key("ctrl+shift+s");
        program.until("the form", |p| {
            (p.logged(&["type a name to save a style"]).len() == count).then_some(())
        });
        program.settled();
        program.key("ctrl+a");
        program.xdotool(&["type", name]);
        program.key("Return");
        program.until_logged(&parts);
        assert!(program.folder.path().join(parts[1]).exists());
    }
    program.until_title(|title| title.contains("other.mohawk"));
}

/// The roots are where `mohawk export` has them, though the head is turned; the rest hangs otherwise.
#[test]
fn hair_is_exported_as_it_hangs_and_where_the_model_is() {
    let wind = ["--set", "sim.forces.wind=[60, 0, 0]"];
    let program = Program::at_rest_in(tempfile::tempdir().unwrap(), &wind);
    program.dragged("1", HEAD, (110, 40));
    program.key("ctrl+e");
    program.until_logged(&["type a name to save a file of strands"]);
    program.settled();
    program.xdotool(&["type", "hair"]);
    program.key("Return");
    program.until_logged(&["Saved", "strands as", "hair.usdc"]);

    let load = |name: &str| {
        let path = program.folder.path().join(name);
        Strands::load(&path, &Limits::default()).unwrap().0
    };
    let rest = program.folder.path().join("rest.npz");
    let export = [
        "export",
        "--hair",
        "--strands",
        "800",
        "--points",
        "2",
        "-o",
    ];
    let status = command(&export).arg(&rest).status();
    assert!(status.unwrap().success());
    let (hung, rest) = (load("hair.usdc"), load("rest.npz"));
    assert_eq!(hung.len(), rest.len());
    let mut moved = 0.0_f32;
    for (hung_at, rest_at) in hung.ranges().zip(rest.ranges()) {
        let place = |strands: &Strands, point: usize| Vec3::from(strands.points[point]);
        let root = place(&rest, rest_at.start);
        let off = place(&hung, hung_at.start).distance(root);
        let length = root.distance(place(&rest, rest_at.end - 1));
        assert!(off < 1e-3 * length, "a root is {off} off");
        let tip = place(&hung, hung_at.end - 1).distance(place(&rest, rest_at.end - 1));
        moved = moved.max(tip / length);
    }
    assert!(moved > 0.02, "the hair hangs as at rest: {moved}");
}
