//! Scenes: from the panel, from the command line, from files that are dropped.

use crate::dropping::drop_file;
use crate::picture::{is_hair, is_skin};
use crate::program::{MOTION, Program, SKY, scene};
use std::fs;

/// Scenes, and where they are in the panel from "by hand".
type Choice = (&'static str, (i32, i32));
const STILL: Choice = ("still", (44, 8));
const DROP: Choice = ("drop", (21, 30));
const GUST: Choice = ("gust", (55, 30));
const CANTILEVER: Choice = ("cantilever", (178, 30));

/// Three strands on a ball, beside a sphere.
const BALL: &str = r#"version = 1
[[strands]]
root = [0, 1, 0]
direction = [1, 0.4, 0]
length = 1.2
[[strands]]
root = [0, 1, 0]
direction = [-1, 0.4, 0]
length = 1.2
[[strands]]
root = [0, 1, 0]
direction = [0, 0.4, 1]
length = 1.2
[skull]
center = [0, 0, 0]
radii = [0.95, 0.95, 0.95]
[settings]
"sim.solver" = "ftl"
"sim.colliders" = [{ from = [1.2, 0.4, 0.0], radius = 0.3 }]
"#;

/// Where "by hand" is, in the panel of a program that plays nothing.
fn by_hand(program: &Program) -> (i32, i32) {
    program.click(MOTION);
    program.until("the scenes", |p| {
        let below_tabs = p.picture().part(960..1280, 85..140);
        below_tabs.chosen().map(|(x, y)| (x + 960, y + 85))
    })
}

/// Clicks on a scene, and takes the pointer away once it is played.
fn pick(program: &Program, (x, y): (i32, i32), (name, (right, down)): Choice) {
    program.click((x + right, y + down));
    program.until_logged(&["playing", name]);
    program.point(SKY);
}

#[test]
fn scenes_from_the_panel_leave_no_traces_in_the_settings() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::at_rest_in(folder, &["--solver", "ftl"]);
    let height = |seen: &_| scene(seen).center(is_hair).1;
    let limp = height(&program.picture());
    let by_hand = by_hand(&program);

    // Hair begins upright, falls, and begins anew.
    pick(&program, by_hand, DROP);
    for _ in 0..2 {
        program.until_seen("hair that stands", |seen| height(seen) < limp - 15.0);
        program.until_seen("hair that has fallen", |seen| height(seen) > limp - 5.0);
    }

    // The wind brings settings; another solver is the person's own.
    pick(&program, by_hand, GUST);
    program.until_logged(&["stopped drop"]);
    program.key("s");
    program.until_logged(&["solver angular"]);
    program.key("ctrl+s");
    program.until_logged(&["Saved", "hair.toml"]);
    let saved = fs::read_to_string(program.folder.path().join("hair.toml")).unwrap();
    for setting in [
        "solver = \"angular\"",
        "strand_particles = 12",
        "pushes = []",
    ] {
        assert!(saved.contains(setting), "{setting}: {saved}");
    }

    // Stopped, all is as it was, and nothing is unsaved.
    program.key("r");
    program.until_logged(&["stopped gust"]);
    program.settled();
    pick(&program, by_hand, STILL);
    program.settled();
    program.key("Escape");
    assert_eq!(program.until_ended().code(), Some(0));
}

#[test]
fn a_strand_takes_the_place_of_the_head_until_it_is_grabbed_again() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::open_in(folder, &["--scene", "pendulum", "--solver", "ftl"]);
    program.until_title(|title| title == "mohawk – pendulum – 1 strand");
    let sides = |seen: &crate::picture::Picture| {
        let strand = scene(seen);
        (strand.count(is_skin) == 0 && strand.count(is_hair) > 100)
            .then(|| strand.center(is_hair).0)
    };
    program.until_seen("it on the right", |seen| {
        sides(seen).is_some_and(|x| x > 500.0)
    });
    program.until_seen("it on the left", |seen| {
        sides(seen).is_some_and(|x| x < 460.0)
    });

    // By hand: head and hair are back, and another scene of strands hides them again.
    program.key("r");
    program.until_shown("head", 800);
    program.until_seen("the head", |seen| scene(seen).count(is_skin) > 20_000);
    program.settled();
    let by_hand = by_hand(&program);
    pick(&program, by_hand, DROP);
    pick(&program, by_hand, CANTILEVER);
    program.until_seen("no head", |seen| sides(seen).is_some());
}

#[test]
fn scene_files_are_played_and_broken_ones_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ball.toml"), BALL).unwrap();
    fs::write(
        folder.path().join("broken.toml"),
        BALL.replace("ftl", "rope"),
    )
    .unwrap();
    fs::write(
        folder.path().join("windy.toml"),
        "version = 1\nmotion = \"hurricane\"",
    )
    .unwrap();
    let [ball, broken, windy] =
        ["ball", "broken", "windy"].map(|name| folder.path().join(format!("{name}.toml")));

    let args = ["--scene", "ball.toml", "--set", "sim.hold=0.2"];
    let mut program = Program::open_in(folder, &args);
    let plays_ball = |title: &str| title == "mohawk – ball.toml – 3 strands";
    program.until_title(plays_ball);
    let is_bald = |seen: &_| scene(seen).count(is_skin) == 0;
    program.until_seen("strands alone", |seen| {
        is_bald(seen) && scene(seen).count(is_hair) > 300
    });

    program.key("r");
    program.until_shown("head", 800);
    let before = program.settled();
    assert!(scene(&before).count(is_skin) > 20_000);

    for (file, told) in [(&broken, "rope"), (&windy, "hurricane")] {
        drop_file(&program, file);
        let name = file.file_name().unwrap().to_str().unwrap();
        program.until_logged(&["error", name]);
        program.until_logged(&[told]);
        program.key("Escape");
        let after = program.settled();
        assert!(scene(&before).difference(&scene(&after)) < 0.02, "{name}");
        program.until_shown("head", 800);
    }

    drop_file(&program, &ball);
    program.until_seen("strands alone", is_bald);
    let title = program.title().unwrap();
    assert!(title.contains("ball.toml – 3 strands"), "{title}");
    program.key("r");
    program.until_shown("head", 800);
    program.key("Escape");
    assert_eq!(program.until_ended().code(), Some(0), "nothing is unsaved");
}

#[test]
fn heads_of_scenes_and_how_they_were_read_go_with_them() {
    const OWN: &str = "version = 1\nhead = \"own.glb\"\n[settings]\n\"roots.strands\" = 300\n";
    const SMALL: &str = "version = 1\n[settings]\n\"head.scale\" = 0.2\n";
    let folder = tempfile::tempdir().unwrap();
    let head = concat!(env!("CARGO_MANIFEST_DIR"), "/models/head.glb");
    fs::copy(head, folder.path().join("own.glb")).unwrap();
    let path = |name: &str| folder.path().join(name);
    let [own, small, ball] = ["own.toml", "small.toml", "ball.toml"].map(path);
    for (file, text) in [(&own, OWN), (&small, SMALL), (&ball, BALL)] {
        fs::write(file, text).unwrap();
    }
    let program = Program::at_rest_in(folder, &[]);
    let skin = |seen: &crate::picture::Picture| scene(seen).count(is_skin);
    let before = skin(&program.picture());

    drop_file(&program, &own);
    program.until_shown("own", 300);
    program.key("r");
    program.until_shown("head", 800);

    // The small head is not there to be seen while strands are, and does not come back after them.
    drop_file(&program, &small);
    program.until_seen("a small head", |seen| (1..before / 4).contains(&skin(seen)));
    drop_file(&program, &ball);
    program.until_seen("strands alone", |seen| skin(seen) == 0);
    program.key("r");
    program.until_seen("the head as it was", |seen| skin(seen) * 10 > before * 9);
    program.until_shown("head", 800);
}
