//! `mohawk style`, and what other commands make of styles.

use crate::common::gltf_builder::Gltf;
use crate::common::program::*;
use npyz::NpyFile;
use std::fs;
use std::path::Path;

fn path_in(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

/// Points of strands: `[strand][point][3]`.
fn read(path: &str) -> Vec<Vec<[f64; 3]>> {
    let bytes = fs::read(path).unwrap();
    let file = NpyFile::new(&bytes[..]).unwrap();
    let per = file.shape()[1] as usize;
    let numbers: Vec<f64> = file
        .into_vec::<f32>()
        .unwrap()
        .into_iter()
        .map(f64::from)
        .collect();
    let points: Vec<[f64; 3]> = numbers
        .chunks_exact(3)
        .map(|p| [p[0], p[1], p[2]])
        .collect();
    points.chunks_exact(per).map(<[_]>::to_vec).collect()
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
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

#[test]
fn combing_keeps_lengths_and_undoing_it_gives_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let run = |strokes: Option<&str>, name: &str| {
        let points = path_in(&folder, name);
        let mut args = vec!["style", "--points", &points, "--json"];
        args.extend(HAIR);
        if let Some(strokes) = strokes {
            args.extend(["--strokes", strokes]);
        }
        (json(&args), points)
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
    let mut changed = 0;
    for (old, new) in old.iter().zip(&new) {
        changed += u64::from(old != new);
        assert_eq!(old[0], new[0]);
        for i in 1..old.len() {
            let (a, b) = (distance(old[i - 1], old[i]), distance(new[i - 1], new[i]));
            assert!((a - b).abs() < 1e-5 * a + 5e-7, "{a} {b}");
        }
    }
    assert!(changed > 30 && changed <= edited);
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
        let style = path_in(&folder, name);
        let mut args = vec!["style", "-o", &style, "--points", &points, "--json"];
        for strokes in [&comb, &delete, &paint] {
            args.extend(["--strokes", strokes]);
        }
        args.extend(HAIR);
        let told = json(&args);
        assert!(told["removed"].as_u64().unwrap() > 10);
        assert_eq!(told["maps"], serde_json::json!(["length"]));
        let (again, copy) = (
            path_in(&folder, "again.npy"),
            path_in(&folder, "copy.mohawk"),
        );
        let retold = json(&["style", &style, "--points", &again, "-o", &copy, "--json"]);
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
            assert_eq!(fs::read(&style).unwrap(), fs::read(&copy).unwrap());
        }
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
        let mut args = vec!["style", "--strokes", &file, "--points", &points, "--json"];
        args.extend(HAIR);
        (json(&args), fs::read(&points).unwrap())
    };
    let (told, flat) = run(r#", "flat": true"#, 0);
    assert_eq!(told["maps"], serde_json::json!(["length"]));
    let (_, undone) = run(r#", "flat": true"#, 1);
    let mut args = vec!["style", "--points", &points, "--json"];
    args.extend(HAIR);
    let told = json(&args);
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

#[test]
fn edits_are_taken_over_to_other_roots() {
    let folder = tempfile::tempdir().unwrap();
    let style = path_in(&folder, "a.mohawk");
    let comb = written(&folder, "comb.json", &strokes("comb", "", 0));
    let delete = strokes("delete", "", 0).replace("0.8", "1");
    let delete = written(&folder, "delete.json", &delete);
    let mut args = vec!["style", "--strokes", &comb, "--strokes", &delete];
    args.extend(["-o", &style, "--json"]);
    args.extend(HAIR);
    let told = json(&args);
    let share =
        |told: &serde_json::Value, key: &str, strands: f64| told[key].as_f64().unwrap() / strands;
    for (flags, strands) in [(["--seed", "9"], 600.0), (["--strands", "1200"], 1200.0)] {
        let (other, points) = (path_in(&folder, "b.mohawk"), path_in(&folder, "b.npy"));
        let mut args = vec!["style", &style, "-o", &other, "--points", &points, "--json"];
        args.extend(flags);
        let taken = json(&args);
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
        assert_eq!(simulate(&other, &[]), simulate(&style, &flags));
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
    let style = path_in(&folder, "fur.mohawk");
    let told = json(&[
        "style",
        "--map",
        &density,
        "--map",
        &length,
        "-o",
        &style,
        "--strands",
        "300",
        "--json",
        "--set",
        "groom.length_variation=0",
        "--set",
        "groom.clump=0",
    ]);
    assert_eq!(told["maps"], serde_json::json!(["density", "length"]));
    // Half as many as fit on all of the head, which is far larger than its painted part.
    assert!(told["strands"].as_u64().unwrap() > 900, "{told}");
    let half = 0.75 * 128.0 / 255.0;
    assert!(
        (told["longest"].as_f64().unwrap() - half).abs() < 1e-4,
        "{told}"
    );
    let glb = path_in(&folder, "fur.glb");
    let told = json(&["export", &style, "--painted", "-o", &glb, "--json"]);
    assert_eq!(told["painted_vertices"], told["vertices"]);
    let told = json(&["inspect", &glb, "--json"]);
    let part = &told["parts"][2];
    assert_eq!(part["painted_vertices"], part["vertices"]);
    assert_eq!(told["scalp"]["triangles"], part["triangles"]);
}

#[test]
fn broken_files_are_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let style = path_in(&folder, "a.mohawk");
    let comb = written(&folder, "comb.json", &strokes("comb", "", 0));
    let mut args = vec!["style", "--strokes", &comb, "-o", &style, "--json"];
    args.extend(HAIR);
    json(&args);
    let refuse = |args: &[&str], parts: &[&str]| assert_mentions(&refused(1, args), parts);

    // Damaged at any byte, it is an error or the same style, never a crash.
    let whole = fs::read(&style).unwrap();
    let broken = path_in(&folder, "broken.mohawk");
    fs::write(&broken, &whole[..whole.len() / 2]).unwrap();
    refuse(&["style", &broken], &["broken.mohawk", "damaged"]);
    fs::write(&broken, b"not a zip").unwrap();
    refuse(&["style", &broken], &["broken.mohawk", "damaged"]);

    // Of a newer program, or with what is not there.
    let saved = path_in(&folder, "folder");
    json(&["style", &style, "-o", &saved, "--json"]);
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
        &["styled on another head", "[roots] were changed"],
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
    bad(&strokes("brush", "", 0), &["brush", "comb, cut"]);
    bad(
        &strokes("comb", r#", "falloff": 3"#, 0),
        &["stroke 1", "falloff", "0 to 1"],
    );
    bad(
        &strokes("paint", r#", "value": 1"#, 0),
        &["stroke 1", "map", "density"],
    );
    bad(
        &strokes("comb", r#", "flat": true"#, 0),
        &["stroke 1", "flat", "paint"],
    );
    bad(
        &strokes("comb", "", 0).replace("[5, 2, 7]", "[0, 0.3, 0]"),
        &["camera", "one line"],
    );
    bad(
        &strokes("comb", "", 0).replace("380", "1e300"),
        &["stroke 1", "point 1"],
    );
    let usage = refused(2, &["style", "--map", "colour=a.png"]);
    assert_mentions(&usage, &["colour", "density"]);
    let usage = refused(2, &["style", &style, "--points", &style]);
    assert_mentions(&usage, &["would overwrite", "a.mohawk"]);
    refuse(&["style", "--map", "density=gone.png"], &["gone.png"]);
}

#[test]
fn a_stiffness_map_that_changes_nothing_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let fill = r#", "map": "stiffness", "value": 0.5"#;
    let fill = written(&folder, "fill.json", &strokes("fill", fill, 0));
    let style = path_in(&folder, "soft.mohawk");
    json(
        &[
            &["style", "--strokes", &fill, "-o", &style, "--json"],
            &HAIR[..],
        ]
        .concat(),
    );
    let told = |more: &[&str]| {
        let points = path_in(&folder, "motion.npy");
        let args = ["simulate", &style, "--frames", "1", "-o", &points, "--json"];
        let outcome = mohawk(&[&args[..], more].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        outcome.stderr
    };
    let limp = told(&["--solver", "ftl"]);
    assert!(
        limp.contains("its stiffness map changes nothing under ftl"),
        "{limp}"
    );
    assert_eq!(told(&["--solver", "ftl", "--set", "sim.hold=0.2"]), "");
    assert_eq!(told(&["--solver", "rod"]), "");
}
