//! Presets: the strip, its keys, undo, and one's own.

use crate::closing::close;
use crate::picture::Picture;
use crate::program::{Program, scene};

/// The button beside the strip that opens the form.
const PLUS: (i32, i32) = (1250, 107);

/// The scene above any message, with the pointer out of it.
fn hair(program: &Program) -> Picture {
    program.point((1270, 790));
    scene(&program.settled()).part(0..960, 0..560)
}

#[test]
fn a_preset_is_chosen_by_key_and_undone() {
    let mut program = Program::at_rest();
    program.key("t");
    program.until_logged(&["hair is frozen"]);
    let before = hair(&program);
    let title = program.title().unwrap();
    program.key("ctrl+2");
    let took = program.until_logged(&["info: preset ", " after "]);
    let (name, _) = took.split_once(" after ").unwrap();
    let name = name.split_once("preset ").unwrap().1;
    let chosen = hair(&program);
    let apart = chosen.difference(&before);
    assert!(apart > 0.5, "{apart}");

    // The same strands may be drawn with other samples.
    let same = |picture: &Picture, as_it_was: &Picture| {
        let difference = picture.difference(as_it_was);
        assert!(difference < apart / 4.0, "{difference} of {apart}");
    };
    program.key("ctrl+z");
    program.until_logged(&[&format!("undo: preset {name}")]);
    program.until_title(|now| now == title);
    same(&hair(&program), &before);
    program.key("ctrl+shift+z");
    program.until_logged(&[&format!("redo: preset {name}")]);
    program.until_title(|now| now != title);
    same(&hair(&program), &chosen);

    // Nothing would be lost, so nothing is asked.
    close(&program.desk, program.window_id());
    assert_eq!(program.until_ended().code(), Some(0));
}

#[test]
fn saving_a_preset_does_not_replace_the_file_of_another_style() {
    let program = Program::at_rest();
    program.key("s");
    program.key("ctrl+s");
    program.until_logged(&["Saved", "hair.toml"]);
    let kept = || std::fs::read(program.folder.path().join("hair.toml")).unwrap();
    let before = kept();
    program.key("ctrl+2");
    program.until_logged(&["info: preset ", " after "]);
    program.key("s");
    program.settled();
    program.key("ctrl+s");
    program.until_logged(&["Saved", "/liberty-spikes."]);
    assert!(kept() == before);
}

#[test]
fn a_preset_on_another_model_is_undone() {
    let program = Program::at_rest();
    let title = program.title().unwrap();
    program.key("ctrl+7");
    program.until_logged(&["preset long"]);
    program.until_title(|now| now.contains("bust"));
    program.key("ctrl+z");
    program.until_logged(&["undo: back on head.glb"]);
    program.until_title(|now| now == title);
    program.key("ctrl+shift+z");
    program.until_logged(&["redo: back on bust.glb"]);
    program.until_title(|now| now.contains("bust"));
}

#[test]
fn what_is_seen_is_saved_as_a_preset_of_ones_own() {
    let program = Program::at_rest();
    program.click(PLUS);
    program.until_logged(&["save a preset"]);
    program.xdotool(&["type", "mine"]);
    program.key("Return");
    let saved = program.until_logged(&["Saved", "mine.mohawk"]);
    let folder = program.folder.path().join(".data/mohawk/presets");
    assert!(saved.contains(folder.to_str().unwrap()), "{saved}");
    let again = program.again(&["--preset", "mine"]);
    again.until_logged(&["preset mine"]);
    again.until_shown("head", 800);
}
