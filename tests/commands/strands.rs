//! `mohawk convert`, and the commands that write or open strands.

use crate::common::program::*;
use std::fs;
use tempfile::tempdir;

#[test]
fn hair_goes_to_other_programs_and_comes_back() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let hair = ["--strands", "200", "--length", "1", "--json", "--hair"];
    let [usd, data, back] = ["a.usdc", "a.data", "b.usdc"].map(path);
    let told = json(&[&["export", "-o", &usd], &hair[..]].concat());
    let (strands, points) = (&told["strands"], &told["points"]);
    assert!(strands.as_u64().unwrap().abs_diff(200) < 20, "{told}");
    assert_eq!(
        (&told["widths"], &told["colors"]),
        (&true.into(), &true.into())
    );

    let told = json(&["convert", &usd, "-o", &data, "--json"]);
    assert_eq!((&told["strands"], &told["points"]), (strands, points));
    let lost = told["lost"].as_array().unwrap();
    assert!(lost.contains(&"widths".into()), "{told}");
    json(&["convert", &data, "-o", &back, "--points", "5", "--json"]);
    let told = json(&["convert", &back, "--json"]);
    assert_eq!(
        (&told["strands"], &told["points_per_strand"][1]),
        (strands, &5.into())
    );

    // It lies on the shipped head, moves there, and becomes a style.
    let npy = path("a.npy");
    let simulated = ["simulate", &data, "--frames", "3", "--json", "-o", &npy];
    let told = json(&simulated);
    assert_eq!(&told["strands"], strands);
    assert!(told["max_penetration"].as_f64().unwrap() < 0.2, "{told}");
    // On a head that is named.
    let on_head = [
        "models/head.glb",
        "--preset",
        &data,
        "--frames",
        "1",
        "--json",
    ];
    let told = json(&[&["simulate"], &on_head[..]].concat());
    assert_eq!(&told["strands"], strands);
    let style = path("a.mohawk");
    json(&["style", &data, "-o", &style, "--json"]);
    let told = json(&["simulate", &style, "--frames", "1", "--json"]);
    assert_eq!(&told["strands"], strands);
}

#[test]
fn hair_in_motion_is_written_for_other_programs() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let motion = [
        "simulate",
        "--strands",
        "50",
        "--scene",
        "nod",
        "--frames",
        "4",
        "-o",
    ];
    let sizes = ["a.usda", "a.usdz", "a.abc", "a.npz"].map(|name| {
        let file = path(name);
        let outcome = mohawk(&[&motion[..], &[&file]].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let told = json(&["convert", &file, "--json"]);
        assert!(told["strands"].as_u64().unwrap().abs_diff(50) < 10);
        fs::metadata(&file).unwrap().len()
    });
    assert!(sizes.iter().all(|&size| size > 20_000), "{sizes:?}");
    // Motion goes from format to format, or one frame of it.
    let [moving, again, pose] = ["a.abc", "b.usdc", "c.obj"].map(path);
    json(&["convert", &moving, "-o", &again, "--json"]);
    let told = json(&["convert", &again, "--json"]);
    assert_eq!((&told["frames"], &told["fps"]), (&4.into(), &60.0.into()));
    let frame = json(&["convert", &again, "-o", &pose, "--frame", "3", "--json"]);
    assert_ne!(frame["bounds"], told["bounds"]);
    let told = json(&["convert", &again, "-o", &pose, "--json"]);
    assert!(told["lost"].to_string().contains("motion"), "{told}");
    let told = mohawk(&["convert", &again, "--frame", "4"]);
    assert!(
        told.code == 1 && told.stderr.contains("0 to 3"),
        "{}",
        told.stderr
    );
    // A pose alone.
    let last = path("a.hair");
    assert_eq!(mohawk(&[&motion[..], &[&last]].concat()).code, 0);
    assert!(fs::metadata(&last).unwrap().len() < sizes[3]);
}

#[test]
fn mistakes_with_strands_are_told() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [broken, out] = ["broken.hair", "out.usda"].map(path);
    fs::write(&broken, b"HAIRcut").unwrap();
    let error = |args: &[&str], code: i32| {
        let outcome = mohawk(args);
        assert_eq!(outcome.code, code, "{}", outcome.stderr);
        outcome.stderr
    };
    let told = error(&["convert", &broken, "-o", &out], 1);
    assert!(
        told.contains("broken.hair") && told.contains("cut off"),
        "{told}"
    );
    let told = error(&["simulate", &broken], 1);
    assert!(
        told.contains("broken.hair") && told.contains("cut off"),
        "{told}"
    );
    let cards = path("cards.glb");
    let few = ["--mesh", "cards", "--cards", "900", "--texture", "64"];
    let grown = ["export", "--hair", "--strands", "1000", "-o", &cards];
    let told = error(&[&grown[..], &few].concat(), 1);
    assert!(
        told.contains("cards do not fit into a texture of 64"),
        "{told}"
    );
    let told = json(&[&grown[..], &few[..2], &["--texture", "256", "--json"]].concat());
    assert_eq!(told["lost"], serde_json::json!(["single strands"]));
    let told = error(&["convert", &cards], 1);
    assert!(told.contains("cannot be read back"), "{told}");
    let told = error(&["convert", &broken, "-o", "a.fbx"], 2);
    assert!(told.contains(".hair, .tfx"), "{told}");
    let told = error(&["convert", &broken, "-o", &broken], 2);
    assert!(told.contains("overwrite"), "{told}");
    let told = error(&["export", "--painted", "-o", &out], 2);
    assert!(told.contains(".glb"), "{told}");
    let told = error(&["export", "--hair", "--guides", "-o", &out], 1);
    assert!(told.contains("guide"), "{told}");
    assert!(!folder.path().join("out.usda").exists());
}
