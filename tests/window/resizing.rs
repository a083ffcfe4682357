//! Windows of any size, and out of sight.

use crate::picture::{is_hair, is_skin};
use crate::program::{Program, scene};

#[test]
fn the_window_draws_right_at_any_size_and_after_being_out_of_sight() {
    let mut program = Program::at_rest();
    let before = scene(&program.picture());

    for (width, height) in [(1500, 960), (420, 700), (330, 60), (1, 1)] {
        let size = [width, height].map(|side: usize| side.to_string());
        program.window("windowsize", &[&size[0], &size[1]]);
        program.until_seen("the new size", |p| (p.width, p.height()) == (width, height));
        let seen = program.settled();
        assert!(program.is_running(), "{width}x{height}");
        if width > 1000 {
            let (skin, hair) = (seen.count(is_skin), seen.count(is_hair));
            assert!(
                skin > before.count(is_skin),
                "the head grows with the window"
            );
            assert!(hair > before.count(is_hair));
        }
    }

    program.window("windowsize", &["1280", "800"]);
    program.until_seen("the old size", |seen| seen.width == 1280);
    assert!(scene(&program.settled()).difference(&before) < 0.02);

    program.window("windowunmap", &[]);
    program.until_seen("an empty screen", |seen| seen.colors() == 1);
    program.window("windowmap", &[]);
    program.until_seen("the head again", |seen| {
        scene(seen).difference(&before) < 0.02
    });
    program.settled();
}
