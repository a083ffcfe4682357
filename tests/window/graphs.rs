//! Graphs at the bottom of the window.

use crate::picture::{Picture, is_hair, is_skin};
use crate::program::{HEAD, Program, scene};

/// Where plots are, beneath what tells their curves apart.
fn plots(seen: &Picture) -> Picture {
    scene(seen).part(0..960, 660..780)
}

#[test]
fn graphs_appear_draw_what_moves_stand_still_and_go() {
    let program = Program::at_rest();
    let before = scene(&program.picture());
    let shown = program.after_key("g");
    let strip = plots(&shown);
    assert_eq!(strip.count(is_skin), 0);
    let ground = strip.count(|rgb| rgb == [27; 3]);
    assert!(ground > 60_000, "{ground} pixels of ground");
    let skin = scene(&shown).count(is_skin);
    assert!(skin > 15_000, "the head is above them: {skin}");

    // Curves in the colour of the solver; they end with the motion.
    let curves = |seen: &Picture| plots(seen).count(is_hair);
    let empty = curves(&shown);
    program.pull("1", (HEAD.0, HEAD.1 - 60), (90, 0));
    program.until_seen("curves", |seen| curves(seen) > empty + 80);
    program.release("1");
    program.settled();

    // Two solvers, two colours: limp hair falls.
    let is_blue = |[r, g, b]: [u8; 3]| b > 180 && g > 140 && r < 130;
    let one = plots(&program.picture()).count(is_blue);
    program.key("v");
    program.until_seen("curves of the other solver", |seen| {
        plots(seen).count(is_blue) > one + 60
    });
    program.key("v");
    program.key("r");
    program.settled();

    let gone = scene(&program.after_key("g"));
    let difference = before.difference(&gone);
    assert!(difference < 0.3, "as before but for {difference}");
}
