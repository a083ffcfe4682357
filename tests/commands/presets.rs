//! `mohawk presets`, and `--preset` of other commands.

use crate::common::program::*;
use std::path::Path;

/// Runs the program with its data in a folder.
fn mohawk_in(folder: &Path, args: &[&str]) -> Outcome {
    let output = program().args(args).env("XDG_DATA_HOME", folder).output();
    let output = output.unwrap();
    Outcome {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn an_unknown_preset_lists_the_names() {
    for command in [
        "view", "render", "sample", "simulate", "style", "export", "inspect",
    ] {
        let output = match command {
            "render" => &["-o", "a.png"][..],
            "export" => &["--painted", "-o", "a.glb"],
            _ => &[],
        };
        let error = refused(2, &[&[command, "--preset", "nope"], output].concat());
        let known = ["--preset", "\"nope\"", "mohawk, ", "fan"];
        assert_mentions(&error, &known);
    }
    assert_mentions(&stdout(&["completions", "fish"]), &["-l preset", "fan"]);
}

#[test]
fn a_preset_is_the_base_of_settings() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hair.toml");
    std::fs::write(&file, "version = 1\n[groom]\nlength = 0.5\n").unwrap();
    let print = |args: &[&str]| json(&[&["--print-config", "--json"], args].concat());
    let plain = print(&["--preset", "mohawk"]);
    assert_eq!(plain, print(&[]));
    let fan = print(&["--preset", "fan"]);
    assert_ne!(fan["groom"], plain["groom"]);
    let over = [
        "--preset",
        "fan",
        "--config",
        file.to_str().unwrap(),
        "--set",
        "sim.hold=0.25",
    ];
    let over = print(&over);
    assert_eq!(
        (&over["groom"]["length"], &over["sim"]["hold"]),
        (&0.5.into(), &0.25.into())
    );
    assert_eq!(over["look"], fan["look"]);
    assert_ne!(over["look"], plain["look"]);
}

#[test]
fn a_users_preset_is_listed_and_used_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let presets = folder.join("mohawk/presets");
    std::fs::create_dir_all(&presets).unwrap();
    let style = presets.join("mine.mohawk");
    let style = style.to_str().unwrap();
    let made = [
        "style",
        "--preset",
        "fan",
        "--strands",
        "300",
        "--length",
        "1.25",
    ];
    let picture = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/models/presets/mohawk/thumbnail.png"
    );
    let card = ["--about", "My own", "--thumbnail", picture, "-o", style];
    assert_eq!(mohawk_in(folder, &[&made[..], &card].concat()).code, 0);
    // What is a thumbnail already is kept.
    let again = ["style", style, "-o", style];
    assert_eq!(mohawk_in(folder, &again).code, 0);
    let other = folder.join("other.mohawk");
    let refused = ["style", "--thumbnail", style, "-o", other.to_str().unwrap()];
    let refused = mohawk_in(folder, &refused);
    assert_eq!(refused.code, 1);
    assert_mentions(&refused.stderr, &["mine.mohawk cannot be a thumbnail"]);
    std::fs::write(presets.join("bad.mohawk"), "half of it").unwrap();
    std::fs::copy(style, presets.join("mohawk.mohawk")).unwrap();

    let listed = mohawk_in(folder, &["presets"]);
    assert_eq!(listed.code, 0);
    assert_mentions(
        &listed.stdout,
        &["mohawk", "fan", "mine", presets.to_str().unwrap()],
    );
    let problems = [
        "warning",
        "bad.mohawk",
        "damaged",
        "mohawk.mohawk",
        "rename",
    ];
    assert_mentions(&listed.stderr, &problems);
    let listed = mohawk_in(folder, &["presets", "--json", "--quiet"]);
    let listed: serde_json::Value = serde_json::from_str(&listed.stdout).unwrap();
    let rows = listed["presets"].as_array().unwrap();
    let (first, last) = (&rows[0], rows.last().unwrap());
    assert_eq!(
        (&first["name"], &first["file"]),
        (&"mohawk".into(), &serde_json::Value::Null)
    );
    assert!(
        first["about"]
            .as_str()
            .is_some_and(|about| !about.is_empty())
    );
    assert_eq!(
        (&last["name"], &last["file"]),
        (&"mine".into(), &style.into())
    );
    assert_eq!(last["about"], "My own");

    let of = |name: &str| {
        let run = mohawk_in(folder, &["style", "--preset", name, "--json"]);
        serde_json::from_str::<serde_json::Value>(&run.stdout).unwrap()
    };
    let (named, by_path) = (of("mine"), of(style));
    let strands = named["strands"].as_u64().unwrap();
    assert!(strands.abs_diff(300) < 20, "{strands}");
    assert_eq!(
        (&named["strands"], &named["longest"]),
        (&by_path["strands"], &by_path["longest"])
    );
    let bad = mohawk_in(folder, &["style", "--preset", "bad"]);
    assert_eq!(bad.code, 1);
    assert_mentions(&bad.stderr, &["bad.mohawk", "damaged"]);
    assert_mentions(
        &mohawk_in(folder, &["inspect", "--preset", "none"]).stderr,
        &["mine"],
    );
}

#[test]
fn a_style_and_a_preset_exclude_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let style = folder.path().join("a.mohawk");
    let style = style.to_str().unwrap();
    stdout(&["style", "--strands", "200", "-o", style]);
    let error = refused(1, &["inspect", style, "--preset", "fan"]);
    assert_mentions(&error, &[style, "--preset fan", "not both"]);
}
