//! Selected hair, and colours from the picture, with a real mouse.

use crate::picture::{Picture, is_hair};
use crate::program::Program;
use crate::styling::{HAIR, brushed, seen, upper, with_brush};

/// Returns the number of pixels that show hair in its own colour.
fn hair(picture: &Picture) -> usize {
    upper(picture).count(is_hair)
}

/// Taps a key, and returns what is seen when the log has these parts.
fn after(program: &Program, key: &str, logged: &[&str]) -> Picture {
    program.key(key);
    program.until_logged(logged);
    seen(program)
}

#[test]
fn brushes_leave_hair_alone_that_is_not_selected() {
    let program = with_brush();
    let rest = seen(&program);
    let none = after(&program, "alt+a", &["select none: 0 of"]);
    assert!(hair(&none) * 5 < hair(&rest), "{} veiled", hair(&none));
    let combed = upper(&brushed(&program, HAIR, (120, 0)));
    let moved = combed.difference(&upper(&none));
    assert!(moved < 0.02, "{moved}");

    program.point(HAIR);
    let clump = after(&program, "l", &["select: ", "strands selected"]);
    let shown = [&none, &clump, &rest].map(hair);
    assert!(
        shown[0] + 30 < shown[1] && 2 * shown[1] < shown[2],
        "{shown:?}"
    );
    let others = after(&program, "ctrl+i", &["select invert: "]);
    assert!(hair(&others) > 2 * shown[1], "{}", hair(&others));
    let back = after(&program, "ctrl+z", &["undo: select invert"]);
    assert!(upper(&back).difference(&upper(&clump)) < 0.02);

    let all = after(&program, "a", &["select all: all hair"]);
    assert!(upper(&all).difference(&upper(&rest)) < 0.02);
    let combed = upper(&brushed(&program, HAIR, (120, 0)));
    assert!(combed.difference(&upper(&rest)) > 0.3);
}

#[test]
fn a_click_takes_the_colour_of_hair() {
    let program = with_brush();
    program.key("e");
    program.point(HAIR);
    program.until_seen("what a click does", |p| {
        upper(p).count(|[r, g, b]| r.min(g).min(b) > 250) > 20
    });
    program.xdotool(&["click", "1"]);
    let line = program.until_logged(&["took the colour"]);
    let numbers = line.rsplit("colour").next().unwrap();
    let numbers = numbers.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    let color: Vec<f32> = numbers.filter_map(|n| n.parse().ok()).collect();
    let [r, g, b] = [color[0], color[1], color[2]].map(|share| (share * 255.0) as u8);
    // Hair may lie in shade, but it is never green.
    assert!(r > b && b > g, "{line}");
    assert!(
        program.logged(&["stroke:"]).is_empty(),
        "nothing was painted"
    );
}
