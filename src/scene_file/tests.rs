//! Tests of scene files.

use super::*;
use crate::Config;
use std::sync::Arc;

fn load(text: &str) -> Result<SceneSetup, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, text).unwrap();
    let setup = SceneSetup::load(&path).map_err(|error| error.to_string())?;
    let mut config = Config::default();
    let prepared = setup.prepare(&mut config);
    prepared.map_err(|error| error.to_string())?;
    Ok(setup)
}

#[test]
fn the_example_of_the_module_is_read() {
    let source = include_str!("../scene_file.rs");
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let text: Vec<&str> = (lines.map(|line| line.strip_prefix(' ').unwrap_or(line)))
        .skip_while(|line| !line.starts_with("```"))
        .skip(1)
        .take_while(|line| !line.starts_with("```"))
        .filter(|line| !line.starts_with("head =") && !line.starts_with("motion ="))
        .collect();
    let setup = load(&text.join("\n")).unwrap();
    assert_eq!((setup.frames, setup.fps), (Some(121), Some(60.0)));
    let strands = setup.strands.unwrap();
    assert_eq!((strands.len(), strands.reach(0)), (2, Vec3::X));
    assert_eq!(strands.reach(1), Vec3::new(0.1, 0.1, 0.0));
    assert!((strands.lengths[1] - 0.2).abs() < 1e-6);
    assert_eq!(setup.skull.unwrap().radii, Vec3::splat(0.5));
}

#[test]
fn poses_turn_about_the_pivot_and_are_interpolated() {
    let keys = "[[poses]]\ntime_secs = 1\n[[poses]]\ntime_secs = 2\nrotation_deg = [0, 90, 0]";
    let setup = load(&format!("version = 1\npivot = [1, 0, 0]\n{keys}")).unwrap();
    assert_eq!(setup.pose(0.5), Pose::IDENTITY);
    for (time_secs, degrees) in [(1.0, 0.0), (1.5, 45.0), (2.0, 90.0), (9.0, 90.0_f64)] {
        let pose = setup.pose(time_secs);
        let (sin, cos) = degrees.to_radians().sin_cos();
        let forward = pose.transform_vector(DVec3::Z);
        assert!(forward.distance(DVec3::new(sin, 0.0, cos)) < 1e-12);
        let pivot = pose.transform_point(DVec3::X);
        assert!(pivot.distance(DVec3::X) < 1e-12, "{pivot}");
    }
    assert_eq!(setup.period_secs(), 2.0);
}

#[test]
fn own_strands_are_not_combed() {
    let strand = "[[strands]]\nroot = [0, 0, 0]\ndirection = [1, 0, 0]\nlength = 1";
    let setup = load(&format!("version = 1\nmotion = \"gust\"\n{strand}")).unwrap();
    let mut groom = Arc::new(setup.strands.clone().unwrap());
    setup.comb(&mut groom);
    assert_eq!(setup.strands, Some((*groom).clone()));
}

#[test]
fn names_that_look_like_numbers_stay_names() {
    let text = "version = 1\n[settings]\n\"head.animation\" = \"2\"\nhead.mask = \"nan\"";
    let setup = load(text).unwrap();
    let mut config = Config::default();
    setup.prepare(&mut config).unwrap();
    assert_eq!(config.head.animation.as_deref(), Some("2"));
    assert_eq!(config.head.mask, "nan");
}

#[test]
fn errors_name_the_file_and_the_value() {
    // In these cases `|` stands for a line break.
    let strand = "[[strands]]|root = [0, 0, 0]|direction = [1, 0, 0]|length = 1|";
    let cases = r#"
        version = 2 => reads version = 1
        frames = 0 => frames: expected 1 to
        fps = 0 => fps: expected 0.1 to
        speed = 0 => unknown field `speed`
        motion = "sway" => unknown variant `sway`
        head = "a.glb"|STRAND => both head and
        motion = "nod"|[[poses]]|time_secs = 1 => both motion and
        STRANDpoints = [[0, 0, 0], [1, 0, 0]] => strands, number 1: expected root, direction and
        STRANDpoints = [[0, 0, 0], [1, 0, 0]] => length, or points alone
        [[strands]]|points = [[0, 0, 0]] => points: expected 2 to 1024
        [[strands]]|points = [[0, 0, 0], [0, nan, 0]] => points: expected -10000 to 10000
        [[strands]]|points = [[0, 0, 0], [0, 0, 0]] => length of points: expected 0.01 to 10
        STRAND[[strands]]|root = [0, 0, 0]|direction = [0, 0, 0]|length = 1 => number 2: direction
        [[strands]]|root = [0, 0, 0]|direction = [1, 0, 0]|length = 1e9 => number 1: length
        [[strands]]|root = [nan, 0, 0]|direction = [1, 0, 0]|length = 1 => root
        pivot = [0, nan, 0]|[[poses]]|time_secs = 1 => pivot: expected -10000 to 10000
        [[poses]]|time_secs = -1 => poses, number 1: time_secs
        [[poses]]|time_secs = 1|[[poses]]|time_secs = 1 => poses, number 2: time_secs
        [settings]|"sim.hold" = 3 => sim.hold = 3: expected 0 to 1
        [settings.sim]|holt = 0.5 => unknown field `holt`
        [skull]|center = [0,0,0]|radii = [1,1,1] => goes with
        STRAND[skull]|center = [0,0,0]|radii = [0,1,1] => skull.radii"#;
    for case in cases.trim().lines() {
        let (text, told) = case.trim().split_once(" => ").unwrap();
        let version = if text.starts_with("version") {
            ""
        } else {
            "version = 1|"
        };
        let text = format!("{version}{text}").replace("STRAND", strand);
        let error = load(&text.replace('|', "\n")).unwrap_err();
        let is_told = error.contains("scene.toml") && error.contains(told);
        assert!(is_told, "{text}: {error}");
    }
    let error = load(&strand.replace('|', "\n")).unwrap_err();
    assert!(error.contains("missing field `version`"));
}

#[test]
fn lists_in_pieces_are_the_whole_file() {
    let strand = |i: usize| {
        let root = format!("[[ strands ]] # [[poses]]\nroot = [\n{i},\n0, 0]\n");
        root + "direction = [1, 0, 0]\nlength = 1\n"
    };
    let strands: Vec<String> = (0..9000).map(strand).collect();
    let (first, second) = strands.split_at(5000);
    let between = "[settings]\n\"sim.hold\" = 0.5\n[skull]\ncenter = [0, 0, 0]\nradii = [1, 1, 1]\n\
        [[poses]]\ntime_secs = 1\n";
    let text = |end: &str| {
        let (first, second) = (first.concat(), second.concat());
        format!("version = 1\n{first}{between}{second}[[poses]]\ntime_secs = 2\n{end}")
    };
    let setup = load(&text("")).unwrap();
    let roots = setup.strands.as_ref().unwrap().roots.iter();
    let expected = (0..9000).map(|i| Vec3::new(i as f32, 0.0, 0.0));
    assert!(roots.copied().eq(expected));
    assert_eq!((setup.period_secs(), setup.skull.is_some()), (2.0, true));
    // The line is that in the whole file.
    let lines = text("").lines().count();
    let error = load(&text("[[strands]]\nroots = 3\n")).unwrap_err();
    assert!(error.contains(&format!("line {}", lines + 2)), "{error}");
    let error = load(&text("[skulls]\n")).unwrap_err();
    assert!(error.contains(&format!("line {}", lines + 1)), "{error}");
    let listed = format!(
        "version = 1\nstrands = [{}]",
        "{length = 1}, ".repeat(90_000)
    );
    assert!(load(&listed).unwrap_err().contains("with its own header"));
}

#[test]
fn headers_in_texts_and_lists_are_none() {
    let motion = "motion = \"\"\"\\\nnod\"\"\" # \"\n";
    let text = format!("version = 1\n{motion}[settings]\n'sim.solver' = '''ftl'''\n");
    assert_eq!(load(&text).unwrap().period_secs(), Scene::Nod.period_secs());
    let text = "version = 1\nhead = \"\"\"\n[[strands]]\n\\\"\"\"\"\n";
    let head = load(text).unwrap().head.unwrap();
    assert!(head.to_string_lossy().ends_with("[[strands]]\n\""));
}
