//! What keys do.

use crate::picture::{Picture, Rgb, is_hair, is_skin};
use crate::program::{FILES, HEAD, Program, SKY, command, scene};

#[track_caller]
fn assert_same(a: &Picture, b: &Picture) {
    let difference = a.difference(b);
    assert!(difference < 0.02, "the pictures differ by {difference}");
}

#[track_caller]
fn assert_other(a: &Picture, b: &Picture) {
    let difference = a.difference(b);
    assert!(difference > 1.0, "the pictures differ by {difference} only");
}

#[test]
fn keys_choose_a_view_stop_time_and_open_the_sheet() {
    let mut program = Program::at_rest();
    let before = scene(&program.picture());
    let views = ["1", "3", "7"].map(|key| scene(&program.after_key(key)));
    let [front, side, top] = &views;
    for (a, b) in [(&before, front), (front, side), (side, top)] {
        assert_other(a, b);
    }
    assert!(side.count(is_hair) > front.count(is_hair) * 13 / 10);
    assert_same(&before, &scene(&program.after_key("Return")));

    // Time stands still in mid-swing, and goes on by steps and then by itself.
    program.pull("1", HEAD, (100, 0));
    program.until_seen("the head tilt", |seen| {
        before.difference(&scene(seen)) > 1.0
    });
    program.key("space");
    program.release("1");
    let frozen = scene(&program.settled());
    assert_other(&before, &frozen);
    program.xdotool(&["key", "--repeat", "60", "--repeat-delay", "1", "period"]);
    program.until_seen("steps by hand", |seen| {
        frozen.difference(&scene(seen)) > 1.0
    });
    let stepped = scene(&program.settled());
    let going = scene(&program.after_key("space"));
    assert!(stepped.difference(&going) > 0.1, "time goes on");
    program.key("r");

    // The sheet of keys, by either key; Esc closes it and nothing else.
    for key in ["F1", "question"] {
        assert_other(&before, &scene(&program.after_key(key)));
        assert_same(&before, &scene(&program.after_key("Escape")));
        assert!(program.is_running());
    }

    // Without the panel the head is in the middle of the whole window.
    let wide = program.after_key("n");
    let (panel, whole) = (before.center(is_skin).0, wide.center(is_skin).0);
    assert!((whole - panel - 160.0).abs() < 25.0, "{panel} to {whole}");
    assert_same(&before, &scene(&program.after_key("n")));
    assert_same(front, &scene(&program.after_key("1")));
}

#[test]
fn typing_into_a_field_is_not_taken_for_commands() {
    let mut program = Program::at_rest();
    let before = scene(&program.picture());
    let field = program.picture().field().unwrap();
    program.click(field);
    // Rests although the caret is there.
    let empty = program.settled();
    program.xdotool(&["type", "137 .?r"]);
    let typed = program.settled();
    assert_same(&before, &scene(&typed));
    assert!(empty != typed, "what is typed can be read");

    // Esc leaves the field first; a key right after it is a command. Then Esc asks to quit; nothing is
    // unsaved, so that is all.
    program.point(SKY);
    program.xdotool(&["key", "--delay", "0", "Escape", "1"]);
    program.until_seen("another view", |seen| before.difference(&scene(seen)) > 1.0);
    program.settled();
    assert!(program.is_running(), "Esc only leaves the field");
    program.key("Escape");
    assert_eq!(program.until_ended().code(), Some(0));
}

/// Pictures take long: what is typed right after the key that opens the search comes before the next
/// one.
#[test]
fn letters_right_after_the_key_that_opens_the_search_go_to_its_field() {
    let program = Program::at_rest();
    let title = program.title();
    let before = scene(&program.picture());
    let field = |seen: &Picture| seen.part(1070..1260, 36..50);
    program.click(program.picture().field().unwrap());
    program.xdotool(&["type", "pdn"]);
    program.point(SKY);
    program.settled();
    program.key("BackSpace");
    let typed = field(&program.settled());
    for keys in [["ctrl+f", "p", "d"], ["slash", "p", "d"]] {
        program.key("Escape");
        program.until_seen("no text", |seen| field(seen) != typed);
        program.settled();
        program.xdotool(&[&["key", "--delay", "0"][..], &keys].concat());
        let seen = program.settled();
        assert!(field(&seen) == typed, "{keys:?}");
        assert_same(&before, &scene(&seen));
        assert_eq!(program.title(), title, "no doll");
    }
}

#[test]
fn escape_closes_a_menu_and_nothing_else() {
    let mut program = Program::at_rest();
    let menu = |seen: &Picture| seen.part(960..1280, 56..140);
    let before = menu(&program.settled());
    program.click(FILES);
    program.until_seen("a menu", |seen| menu(seen).difference(&before) > 2.0);
    program.key("Escape");
    program.until_seen("no menu", |seen| menu(seen).difference(&before) < 1.0);
    program.settled();
    assert!(program.is_running());
}

#[test]
fn pictures_and_settings_are_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::open_in(folder, &["--look", "classic"]);
    program.until_shown("head", 800);
    let before = program.after_key("r");

    program.key("F12");
    program.until_logged(&["Saved", "mohawk-0001.png"]);
    let path = program.folder.path().join("mohawk-0001.png");
    let picture = image::open(path).unwrap().into_rgb8();
    // The scene as it is seen, without the panel and the message.
    assert_eq!(picture.dimensions(), (960, 800));
    let pixels = picture.pixels().map(|pixel| pixel.0).collect();
    assert_same(&scene(&before), &Picture::new(960, pixels));

    program.key("ctrl+F12");
    program.until_logged(&["Saved", "mohawk-0002.png"]);
    let path = program.folder.path().join("mohawk-0002.png");
    let picture = image::open(path).unwrap().into_rgba8();
    let (width, height) = picture.dimensions();
    for (x, y) in [
        (0, 0),
        (width - 1, 0),
        (0, height - 1),
        (width - 1, height - 1),
    ] {
        assert_eq!(picture.get_pixel(x, y).0[3], 0, "corner {x} {y}");
    }
    let solid = picture.pixels().filter(|pixel| pixel.0[3] == 255).count();
    assert!(solid > 50_000, "{solid} pixels of head");

    // Roots, tips, sky above, sky below.
    for (name, is_it) in [
        (
            "magenta",
            (|[r, g, b]| r > 230 && g < 60 && b > 200) as fn(Rgb) -> bool,
        ),
        ("yellow", |[r, g, b]| r > 230 && g > 200 && b < 60),
        ("green", |[r, g, b]| r < 30 && g > 100 && g > b),
        ("blue", |[r, g, b]| r < 30 && b > 140 && b > g),
    ] {
        program.until_seen(name, |seen| scene(seen).count(is_it) > 300);
    }

    program.key("ctrl+s");
    program.until_logged(&["Saved", "mohawk.toml"]);
    let file = program.folder.path().join("mohawk.toml");
    let printed = command(&["--config", file.to_str().unwrap(), "--print-config"]);
    let printed = { printed }.output().unwrap();
    let told = String::from_utf8(printed.stderr).unwrap();
    assert_eq!((printed.status.code(), told.as_str()), (Some(0), ""));
    let settings = String::from_utf8(printed.stdout).unwrap();
    assert!(settings.contains("width_px = 3.0"), "{settings}");
    assert!(settings.contains("strands = 800"), "{settings}");

    // Saved: Esc asks nothing.
    program.key("Escape");
    assert_eq!(program.until_ended().code(), Some(0));
}

#[test]
fn tab_steps_through_the_panel_and_commands_stay_commands() {
    let mut program = Program::at_rest();
    let before = program.settled();
    let stepped = program.after_key("Tab");
    assert!(stepped != before, "something has the keyboard");
    assert_same(&scene(&before), &scene(&stepped));
    let again = program.after_key("Tab");
    assert!(again != stepped && again != before);
    // Other keys are commands as before.
    let wide = program.after_key("n");
    assert!(wide.center(is_skin).0 > before.center(is_skin).0 + 100.0);
    program.after_key("n");
    // Esc leaves the widget, and asks nothing.
    program.key("Tab");
    program.settled();
    let left = program.after_key("Escape");
    assert_same(&scene(&before), &scene(&left));
    assert!(program.is_running());
}
