//! The overlay of roots: discs on the skin instead of hair.

use crate::picture::{Picture, Rgb, is_hair};
use crate::program::{HEAD, Program, STIFF, scene};
use std::fs;

/// A disc whose nearest neighbour is close: violet, as nothing else is but some edges of hair.
fn is_violet([r, g, b]: Rgb) -> bool {
    g < 60 && r < 95 && b > r && b > g + 25
}

/// The scene without the legend, which has the same colours.
fn beside_the_legend(picture: &Picture) -> Picture {
    scene(picture).part(300..960, 0..800)
}

fn shows_discs(picture: &Picture) -> bool {
    let seen = beside_the_legend(picture);
    seen.count(is_violet) > 60 && seen.count(is_hair) == 0
}

#[test]
fn a_key_shows_the_roots_instead_of_the_hair_and_they_move_with_the_head() {
    let program = Program::at_rest();
    program.key("1");
    program.point(HEAD);
    let before = program.settled();
    assert!(!shows_discs(&before));
    assert!(scene(&before).count(is_hair) > 1000);

    program.key("d");
    program.until_seen("discs and no hair", shows_discs);
    // Nothing else moves: the legend has to be drawn again when the proof is there.
    program.until_seen("the largest gap in the legend", |seen| {
        let end_of_line = scene(seen).part(160..240, 138..156);
        end_of_line.count(|[r, g, b]| r.min(g).min(b) > 90) > 20
    });
    let shown = program.settled();
    assert!(shows_discs(&shown));

    program.pull("1", HEAD, (110, 0));
    let swung = program.settled();
    let [from, to] = [&shown, &swung].map(|seen| beside_the_legend(seen).center(is_violet));
    assert!(to.0 > from.0 + 20.0, "from {from:?} to {to:?}");
    program.release("1");

    program.key("r");
    let back = scene(&program.after_key("d"));
    let difference = back.difference(&scene(&before));
    assert!(difference < 0.02, "the scenes differ by {difference}");
}

#[test]
fn the_roots_follow_the_settings_while_they_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::at_rest_in(folder, &["--watch"]);
    program.key("d");
    program.until_seen("discs and no hair", shows_discs);
    let before = beside_the_legend(&program.settled());

    let settings = format!("{STIFF}[roots]\nseed = 7\n");
    fs::write(program.folder.path().join("hair.toml"), settings).unwrap();
    program.until_logged(&["Reloaded hair.toml"]);
    program.until_seen("other discs", |seen| {
        let seen = beside_the_legend(seen);
        seen.part(0..660, 0..400)
            .difference(&before.part(0..660, 0..400))
            > 0.05
    });
    assert!(shows_discs(&program.settled()));
}
