//! Other ways of moving hair, chosen while it swings.

use crate::picture::is_hair;
use crate::program::{HEAD, Program, scene};

#[test]
fn solvers_are_exchanged_in_mid_swing() {
    let program = Program::at_rest();
    let standing = scene(&program.picture()).center(is_hair).1;

    // Held by its spring the mohawk stands; let go it falls onto the head.
    program.pull("1", HEAD, (60, 0));
    program.key("s");
    program.until_seen("hair that has fallen", |seen| {
        scene(seen).center(is_hair).1 > standing + 15.0
    });
    program.release("1");

    // Round to the spring, past all others, at once: it stands up again.
    for _ in 0..4 {
        program.key("s");
    }
    program.key("r");
    program.until_seen("hair that stands again", |seen| {
        (scene(seen).center(is_hair).1 - standing).abs() < 4.0
    });
}
