//! Two solvers side by side.

use crate::picture::{Picture, is_hair, is_skin};
use crate::program::{Program, scene};

/// On the forehead of the right one of two heads.
const RIGHT_HEAD: (i32, i32) = (720, 330);

/// Both views, below their labels and beside the line between them.
fn halves(seen: &Picture) -> [Picture; 2] {
    let seen = scene(seen);
    [seen.part(10..470, 60..700), seen.part(490..950, 60..700)]
}

/// How much two views differ, apart from the grain of shadows, which goes by the pixel's place in
/// the window.
fn difference([left, right]: &[Picture; 2]) -> f64 {
    left.coarse(10).difference(&right.coarse(10))
}

#[test]
fn two_solvers_move_hair_on_the_same_head() {
    let folder = tempfile::tempdir().unwrap();
    let args =
        "--solver ftl --set sim.hold=0.3 --set sim.sag_free=false --set sim.strand_particles=6";
    let args: Vec<&str> = args.split(' ').collect();
    let program = Program::at_rest_in(folder, &args);
    let alone = scene(&program.picture());
    let split = program.after_key("v");
    program.until_logged(&["solver ftl beside angular"]);
    let views = halves(&split);
    let apart = difference(&views);
    assert!(apart > 1.0, "solvers differ by {apart}");
    for view in &views {
        assert!(view.count(is_skin) > 12_000 && view.count(is_hair) > 2_000);
    }
    let middle = |view: &Picture| view.center(is_skin);
    let [left, right] = [middle(&views[0]), middle(&views[1])];
    assert!((left.0 - right.0).abs() < 8.0, "{left:?} {right:?}");

    // Whichever head is dragged, both go.
    let dragged = halves(&program.dragged("1", RIGHT_HEAD, (70, 0)));
    for (before, after) in views.iter().zip(&dragged) {
        let (before, after) = (middle(before), middle(after));
        assert!(after.0 > before.0 + 8.0, "{before:?} to {after:?}");
    }

    // The same solver, from rest, gives the same picture.
    program.key("s");
    program.until_logged(&["solver angular:"]);
    let same = halves(&program.after_key("r"));
    let apart = difference(&same);
    assert!(apart < 0.4, "the same solver differs by {apart}");

    let seen = scene(&program.after_key("v"));
    let (before, after) = (middle(&alone), middle(&seen));
    let apart = (before.0 - after.0).hypot(before.1 - after.1);
    // Hair covers other parts of the skin.
    assert!(apart < 15.0, "one view as before: {before:?} {after:?}");
}

#[test]
fn pictures_of_two_views_have_both() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::at_rest_in(folder, &["--split", "spring"]);
    program.key("ctrl+F12");
    program.until_logged(&["Saved", "mohawk-0001.png"]);
    let path = program.folder.path().join("mohawk-0001.png");
    let picture = image::open(path).unwrap().into_rgba8();
    assert_eq!(picture.dimensions(), (960, 800));
    let solid = |columns: std::ops::Range<u32>| {
        let pixels = picture.enumerate_pixels();
        pixels
            .filter(|(x, _, pixel)| columns.contains(x) && pixel.0[3] == 255)
            .count()
    };
    let solid = [solid(0..480), solid(480..960)];
    assert!(solid.iter().all(|&count| count > 15_000), "{solid:?}");
}
