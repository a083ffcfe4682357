//! Tests of scene files.

use super::*;
use crate::Config;

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
    }
    let pivot = setup.pose(2.0).transform_point(DVec3::X);
    assert!(pivot.distance(DVec3::X) < 1e-12);
    assert_eq!(setup.period_secs(), 2.0);
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
