//! Layers of maps, with a real mouse.

use crate::picture::{Picture, is_hair};
use crate::program::Program;
use crate::styling::{TEMPLE, brushed, seen, with_brush};

/// Returns where the list of layers begins, its width, and the height of a row, as soon as it has
/// so many rows. The first row are the buttons.
fn list(program: &Program, rows: i32) -> [i32; 4] {
    program.until("the list of layers", |p| {
        let line = p.logged(&["layers at"]).pop()?;
        let numbers = line.split(|c: char| !c.is_ascii_digit());
        let numbers: Vec<i32> = numbers.filter_map(|n| n.parse().ok()).collect();
        let &[.., x, y, width, height] = &numbers[..] else {
            return None;
        };
        ((18..30).contains(&(height / rows))).then_some([x, y, width, height / rows])
    })
}

#[test]
fn hair_grows_from_a_layer_as_far_as_its_opacity_says() {
    let program = with_brush();
    program.key("u");
    program.until_logged(&["canvas at"]);
    program.key("u");
    let hair = |picture: &Picture| picture.part(440..560, 240..360).count(is_hair);
    assert_eq!(hair(&seen(&program)), 0, "bald");

    let [x, y, ..] = list(&program, 1);
    program.click((x + 30, y + 10));
    let [x, y, width, row] = list(&program, 3);
    let painted = brushed(&program, TEMPLE, (30, 0));
    assert!(hair(&painted) > 200, "{}", hair(&painted));

    // The hair follows the opacity while it is dragged. A press and a move in one frame are none of
    // its.
    let opacity = (x + width - 20, y + row * 3 / 2);
    program.point(opacity);
    program.settled();
    program.xdotool(&["mousedown", "1"]);
    program.settled();
    program.carry(opacity, (-240, 0));
    program.until_seen("bald skin", |p| hair(p) == 0);
    program.release("1");
    program.settled();
    for (undone, is_hairy) in [
        ("undo: opacity of layer Layer 1", true),
        ("undo: paint", false),
        ("undo: add layer Layer 1", false),
    ] {
        program.key("ctrl+z");
        program.until_logged(&[undone]);
        program.until_seen(undone, |p| (hair(p) > 200) == is_hairy);
    }
    list(&program, 1);
}
