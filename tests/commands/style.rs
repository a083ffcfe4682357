//! `mohawk style`, and what other commands make of styles.

use crate::common::gltf_builder::Gltf;
use crate::common::program::*;
use glam::{DVec3, Vec3};
use npyz::NpyFile;
use std::fs;
use std::path::Path;

fn path_in(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

/// Reads points of strands: `[strand][point]`.
fn read(path: &str) -> Vec<Vec<DVec3>> {
    let bytes = fs::read(path).unwrap();
    let file = NpyFile::new(&bytes[..]).unwrap();
    let per = file.shape()[1] as usize;
    let numbers = file.into_vec::<f32>().unwrap();
    let points = numbers
        .chunks_exact(3)
        .map(|p| Vec3::from_slice(p).as_dvec3());
    let points: Vec<DVec3> = points.collect();
    points.chunks_exact(per).map(<[_]>::to_vec).collect()
}

/// A stroke file over the left of the head, of one stroke.
fn strokes(tool: &str, more: &str, undo: u32) -> String {
    format!(
        r#"{{"version": 1,
        "camera": {{"eye": [5, 2, 7], "target": [0, 0.3, 0], "up": [0, 1, 0], "fov_degrees": 30}},
        "size": [800, 600],
        "strokes": [{{"tool": "{tool}", "radius": 60, "strength": 0.8 {more},
            "points": [[0, 380, 120], [0.1, 420, 160], [0.4, 460, 300]]}}],
        "undo": {undo}}}"#
    )
}

fn written(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = path_in(folder, name);
    fs::write(&path, text).unwrap();
    path
}

const HAIR: [&str; 4] = ["--strands", "600", "--length", "1.2"];

/// Runs `mohawk style` with short hair.
fn style(args: &[&str]) -> serde_json::Value {
    json(&[&["style", "--json"], args, &HAIR].concat())
}

#[test]
fn combing_moves_hair_and_undoing_it_gives_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let run = |strokes: Option<&str>, name: &str| {
        let points = path_in(&folder, name);
        let mut args = vec!["--points", &points];
        args.extend(strokes.iter().flat_map(|strokes| ["--strokes", strokes]));
        (style(&args), points)
    };
    let (plain, before) = run(None, "before.npy");
    assert_eq!(
        (&plain["edited"], &plain["strokes"]),
        (&0.into(), &0.into())
    );
    let comb = written(&folder, "comb.json", &strokes("comb", "", 0));
    let (told, after) = run(Some(&comb), "after.npy");
    let edited = told["edited"].as_u64().unwrap();
    assert!(edited > 30, "{edited}");
    assert!(told["deepest"].as_f64().unwrap() < 0.005);
    let (old, new) = (read(&before), read(&after));
    assert_eq!(told["strands"], new.len());
    assert!(old != new);
    let undone = written(&folder, "undone.json", &strokes("comb", "", 1));
    let (told, back) = run(Some(&undone), "back.npy");
    assert_eq!((&told["edited"], &told["undone"]), (&0.into(), &1.into()));
    assert_eq!(fs::read(before).unwrap(), fs::read(back).unwrap());
}

#[test]
fn what_is_saved_comes_back_to_the_bit_from_files_and_folders() {
    let folder = tempfile::tempdir().unwrap();
    let comb = written(
        &folder,
        "comb.json",
        &strokes("comb", r#", "mirror": true"#, 0),
    );
    let delete = written(&folder, "delete.json", &strokes("delete", "", 0));
    let paint = r#", "map": "length", "value": 0.4"#;
    let paint = written(&folder, "paint.json", &strokes("paint", paint, 0));
    let points = path_in(&folder, "points.npy");
    for name in ["a.mohawk", "folder"] {
        let saved = path_in(&folder, name);
        let strokes = [&comb, &delete, &paint].map(|strokes| ["--strokes", strokes]);
        let outputs = ["-o", &saved, "--points", &points];
        let told = style(&[strokes.as_flattened(), &outputs].concat());
        assert!(told["removed"].as_u64().unwrap() > 10);
        assert_eq!(told["maps"], serde_json::json!(["length"]));
        let (again, copy) = (
            path_in(&folder, "again.npy"),
            path_in(&folder, "copy.mohawk"),
        );
        let retold = json(&["style", &saved, "--points", &again, "-o", &copy, "--json"]);
        for key in ["strands", "edited", "planted", "removed", "maps", "longest"] {
            assert_eq!(told[key], retold[key], "{key}");
        }
        assert_eq!(
            fs::read(&points).unwrap(),
            fs::read(&again).unwrap(),
            "{name}"
        );
        // And the copy is the same file as one that was written at once.
        if name.ends_with("mohawk") {
            assert_eq!(fs::read(&saved).unwrap(), fs::read(&copy).unwrap());
        }
    }
}

/// A dab of paint once turned braids all over the head into edits, and so did a click of the comb.
#[test]
fn only_hair_that_a_stroke_moves_is_edited() {
    let folder = tempfile::tempdir().unwrap();
    let dab = r#"{"version": 1, "size": [1280, 800], "strokes": [{"tool": "paint", "map": "length",
        "value": 0.98, "radius": 3, "strength": 0.5, "points": [[0, 640, 200]]}]}"#;
    let click = r#"{"version": 1, "size": [1280, 800], "strokes": [{"tool": "comb", "radius": 60,
        "strength": 0.8, "points": [[0, 640, 200]]}]}"#;
    // Curls grow into the skin by settings alone.
    let fill = r#"{"version": 1, "size": [1280, 800], "strokes": [{"tool": "fill", "map": "length",
        "value": 0.8, "radius": 1, "strength": 1, "points": [[0, 0, 0]]}]}"#;
    for (stroke, preset, most) in [
        (dab, "braids", 20),
        (click, "mohawk", 0),
        (fill, "curls", 3),
    ] {
        let file = written(&folder, "strokes.json", stroke);
        let told = json(&[
            "style",
            "--json",
            "--preset",
            preset,
            "--strands",
            "2000",
            "--strokes",
            &file,
        ]);
        let edited = told["edited"].as_u64().unwrap();
        assert!(edited <= most, "{preset}: {edited}");
    }
}

#[test]
fn strokes_over_the_layout_are_replayed_and_undone() {
    let folder = tempfile::tempdir().unwrap();
    let points = path_in(&folder, "points.npy");
    let run = |more: &str, undo| {
        let paint = format!(r#", "map": "length", "value": 0.2 {more}"#);
        let text = strokes("paint", &paint, undo)
            .replace("[800, 600]", "[512, 512]")
            .replace(
                "[0, 380, 120], [0.1, 420, 160], [0.4, 460, 300]",
                "[0, 250, 310], [1, 260, 330]",
            );
        let file = written(&folder, "flat.json", &text);
        let told = style(&["--strokes", &file, "--points", &points]);
        (told, fs::read(&points).unwrap())
    };
    let (told, flat) = run(r#", "flat": true"#, 0);
    assert_eq!(told["maps"], serde_json::json!(["length"]));
    let (_, undone) = run(r#", "flat": true"#, 1);
    let told = style(&["--points", &points]);
    assert_eq!(told["maps"], serde_json::json!([]));
    assert!(flat != undone && undone == fs::read(&points).unwrap());
    let (_, on_head) = run("", 0);
    assert!(on_head != flat);
    // A model without UVs has no layout.
    let bare = path_in(&folder, "bare.glb");
    fs::write(&bare, Gltf::square().glb()).unwrap();
    let stroke = strokes(
        "paint",
        r#", "map": "length", "value": 0.2, "flat": true"#,
        0,
    );
    let file = written(&folder, "flat.json", &stroke);
    let refused = refused(1, &["style", &bare, "--strokes", &file]);
    assert_mentions(&refused, &["flat.json", "no usable UVs", "unwrap"]);
}

/// The layer is created by its first stroke. It is saved beside the base, and what is measured and
/// exported is what all layers give together.
#[test]
fn strokes_on_a_layer_are_replayed_saved_and_flattened() {
    let folder = tempfile::tempdir().unwrap();
    let points = path_in(&folder, "points.npy");
    let saved = path_in(&folder, "folder");
    let run = |tool: &str, more: &str| {
        let more = format!(r#", "map": "length" {more}"#);
        let file = written(&folder, "strokes.json", &strokes(tool, &more, 0));
        let told = style(&["--strokes", &file, "--points", &points, "-o", &saved]);
        (told, fs::read(&points).unwrap())
    };
    let (told, on_layer) = run("paint", r#", "layer": "short", "value": 0.2"#);
    assert_eq!(told["maps"], serde_json::json!(["length"]));
    let manifest = fs::read_to_string(Path::new(&saved).join("style.toml")).unwrap();
    for line in ["[[layers.length]]", "name = \"short\"", "length-1.png"] {
        assert!(manifest.contains(line), "{manifest}");
    }
    json(&["style", &saved, "--points", &points, "--json"]);
    assert_eq!(fs::read(&points).unwrap(), on_layer);
    // A single layer over white is as paint on the base, but for the rounding of its coverage.
    let (_, on_base) = run("paint", r#", "value": 0.2"#);
    let on_layer = {
        fs::write(&points, &on_layer).unwrap();
        read(&points)
    };
    fs::write(&points, &on_base).unwrap();
    let strands = on_layer
        .iter()
        .flatten()
        .zip(read(&points).into_iter().flatten());
    let apart = strands.map(|(a, b)| a.distance(b)).fold(0.0, f64::max);
    assert!(apart < 1e-3, "{apart}");

    let erase = r#", "layer": "short", "value": "erase""#;
    let file = written(
        &folder,
        "erase.json",
        &strokes("fill", &format!(r#", "map": "length" {erase}"#), 0),
    );
    run("paint", r#", "layer": "short", "value": 0.2"#);
    json(&[
        "style",
        &saved,
        "--strokes",
        &file,
        "--points",
        &points,
        "--json",
    ]);
    let erased = fs::read(&points).unwrap();
    style(&["--points", &points]);
    assert_eq!(erased, fs::read(&points).unwrap(), "as without a map");
}

#[test]
fn edits_are_taken_over_to_other_roots() {
    let folder = tempfile::tempdir().unwrap();
    let saved = path_in(&folder, "a.mohawk");
    let comb = written(&folder, "comb.json", &strokes("comb", "", 0));
    let delete = strokes("delete", "", 0).replace("0.8", "1");
    let delete = written(&folder, "delete.json", &delete);
    let told = style(&["--strokes", &comb, "--strokes", &delete, "-o", &saved]);
    let share =
        |told: &serde_json::Value, key: &str, strands: f64| told[key].as_f64().unwrap() / strands;
    for (flags, strands) in [(["--seed", "9"], 600.0), (["--strands", "1200"], 1200.0)] {
        let (other, points) = (path_in(&folder, "b.mohawk"), path_in(&folder, "b.npy"));
        let outputs = ["style", &saved, "-o", &other, "--points", &points, "--json"];
        let taken = json(&[&outputs[..], &flags].concat());
        for key in ["edited", "removed"] {
            let ratio = share(&taken, key, strands) / share(&told, key, 600.0);
            assert!((0.5..2.0).contains(&ratio), "{key}: {ratio}");
        }
        assert_eq!(taken["undone"], 0);
        assert!(taken["deepest"].as_f64().unwrap() < 0.01);
        // From now on these are its own, for every command.
        let (again, frames) = (
            path_in(&folder, "again.npy"),
            path_in(&folder, "frames.npy"),
        );
        let retold = json(&["style", &other, "--points", &again, "--json"]);
        assert_eq!(taken["edited"], retold["edited"]);
        assert_eq!(fs::read(&points).unwrap(), fs::read(&again).unwrap());
        let scene = ["--solver", "ftl", "--frames", "10", "-o", &frames];
        let simulate = |style: &str, more: &[&str]| {
            json(&[&["simulate", style, "--json"], &scene[..], more].concat());
            fs::read(&frames).unwrap()
        };
        assert_eq!(simulate(&other, &[]), simulate(&saved, &flags));
    }
}

#[test]
fn one_picture_may_drive_several_maps_and_is_exported_as_paint() {
    let folder = tempfile::tempdir().unwrap();
    let picture = path_in(&folder, "grey.png");
    image::GrayImage::from_pixel(8, 8, image::Luma([128]))
        .save(&picture)
        .unwrap();
    let (density, length) = (format!("density={picture}"), format!("length={picture}"));
    let fur = path_in(&folder, "fur.mohawk");
    let maps = [
        "style", "--json", "--map", &density, "--map", &length, "-o", &fur,
    ];
    let even = [
        "--set",
        "groom.length_variation=0",
        "--set",
        "groom.clump=0",
    ];
    let told = json(&[&maps[..], &["--strands", "300"], &even].concat());
    assert_eq!(told["maps"], serde_json::json!(["density", "length"]));
    // Half as many as fit on all of the head, which is far larger than its painted part.
    assert!(told["strands"].as_u64().unwrap() > 900, "{told}");
    let half = 0.75 * 128.0 / 255.0;
    assert!(
        (told["longest"].as_f64().unwrap() - half).abs() < 1e-4,
        "{told}"
    );
    let glb = path_in(&folder, "fur.glb");
    let told = json(&["export", &fur, "--painted", "-o", &glb, "--json"]);
    assert_eq!(told["painted_vertices"], told["vertices"]);
    let told = json(&["inspect", &glb, "--json"]);
    let mut parts = told["parts"].as_array().unwrap().iter();
    let part = parts.find(|part| part["name"] == "head").unwrap();
    assert_eq!(part["painted_vertices"], part["vertices"]);
    assert_eq!(told["scalp"]["triangles"], part["triangles"]);
}

#[test]
fn broken_files_are_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let whole_file = path_in(&folder, "a.mohawk");
    let comb = written(&folder, "comb.json", &strokes("comb", "", 0));
    style(&["--strokes", &comb, "-o", &whole_file]);
    let refuse = |args: &[&str], parts: &[&str]| assert_mentions(&refused(1, args), parts);

    // Damaged at any byte, it is an error or the same style, never a crash.
    let whole = fs::read(&whole_file).unwrap();
    let broken = path_in(&folder, "broken.mohawk");
    fs::write(&broken, &whole[..whole.len() / 2]).unwrap();
    refuse(&["style", &broken], &["broken.mohawk", "damaged"]);
    fs::write(&broken, b"not a zip").unwrap();
    refuse(&["style", &broken], &["broken.mohawk", "damaged"]);

    // Of a newer program, or with what is not there.
    let saved = path_in(&folder, "folder");
    json(&["style", &whole_file, "-o", &saved, "--json"]);
    let manifest = Path::new(&saved).join("style.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("version = 1", "version = 2")).unwrap();
    refuse(&["style", &saved], &["version 2", "version 1"]);
    fs::write(&manifest, text.replace("edits.npz", "../edits.npz")).unwrap();
    refuse(&["style", &saved], &["../edits.npz", "outside"]);
    fs::write(&manifest, text.replace("edits.npz", "gone.npz")).unwrap();
    refuse(&["style", &saved], &["gone.npz", "cannot be read"]);
    fs::write(&manifest, &text).unwrap();
    let settings = Path::new(&saved).join("settings.toml");
    let text = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, text.replace("seed = 1", "seed = 9")).unwrap();
    refuse(
        &["style", &saved],
        &["does not fit this head", "[roots] has changed"],
    );

    // Strokes.
    let bad = |text: &str, parts: &[&str]| {
        let file = written(&folder, "bad.json", text);
        refuse(
            &["style", "--strokes", &file],
            &[&["bad.json"], parts].concat(),
        );
    };
    bad("{", &["EOF"]);
    bad(
        &strokes("comb", "", 0).replace("\"version\": 1", "\"version\": 7"),
        &["7", "version 1"],
    );
    bad(
        &strokes("comb", "", 0).replace("[5, 2, 7]", "[0, 0.3, 0]"),
        &["camera", "one line"],
    );
    let usage = refused(2, &["style", "--map", "colour=a.png"]);
    assert_mentions(&usage, &["colour", "density"]);
    let usage = refused(2, &["style", &whole_file, "--points", &whole_file]);
    assert_mentions(&usage, &[".npy"]);
    let picture = path_in(&folder, "picture");
    fs::write(&picture, "").unwrap();
    let usage = refused(2, &["style", "--thumbnail", &picture, "-o", &picture]);
    assert_mentions(&usage, &["would overwrite", "picture"]);
    let both = path_in(&folder, "both.npy");
    let usage = refused(2, &["style", "-o", &both, "--points", &both]);
    assert_mentions(&usage, &["--output and --points"]);
    refuse(&["style", "--map", "density=gone.png"], &["gone.png"]);
}

#[test]
fn a_settings_file_replaces_what_it_has_in_a_style() {
    let folder = tempfile::tempdir().unwrap();
    let saved = path_in(&folder, "long.mohawk");
    let long = ["--strands", "300", "--length", "3"];
    json(&[&["style", "--json", "-o", &saved][..], &long].concat());
    let config = written(&folder, "soft.toml", "version = 1\n[sim]\nhold = 0.25\n");
    let merged = path_in(&folder, "merged.mohawk");
    json(&[
        "style", &saved, "--config", &config, "-o", &merged, "--json",
    ]);
    let settings = mohawk::style::Saved::open(merged.as_ref())
        .unwrap()
        .style
        .config;
    assert_eq!((settings.groom.length, settings.sim.hold), (3.0, 0.25));
}

#[test]
fn wrong_inputs_are_refused_before_the_work() {
    let picture = "density=models/presets/bob/maps/density.png";
    for (args, told) in [
        (
            &["style", "--map", picture, "--map", picture][..],
            "given twice",
        ),
        (&["style", "my.doll"], "mohawk doll my.doll"),
        (&["render", "my.toml", "-o", "a.png"], "--config"),
    ] {
        let outcome = mohawk(args);
        assert_eq!(outcome.code, 2, "{}", outcome.stderr);
        assert!(outcome.stderr.contains(told), "{}", outcome.stderr);
    }
}

#[test]
fn a_stiffness_map_that_changes_nothing_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let fill = r#", "map": "stiffness", "value": 0.5"#;
    let fill = written(&folder, "fill.json", &strokes("fill", fill, 0));
    let soft = path_in(&folder, "soft.mohawk");
    style(&["--strokes", &fill, "-o", &soft]);
    let told = |more: &[&str]| {
        let points = path_in(&folder, "motion.npy");
        let args = ["simulate", &soft, "--frames", "1", "-o", &points, "--json"];
        let outcome = mohawk(&[&args[..], more].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        outcome.stderr
    };
    let limp = told(&["--solver", "ftl"]);
    assert!(
        limp.contains("its stiffness map has no effect with solver ftl"),
        "{limp}"
    );
    assert_eq!(told(&["--solver", "ftl", "--set", "sim.hold=0.2"]), "");
    assert_eq!(told(&["--solver", "rod"]), "");
}
