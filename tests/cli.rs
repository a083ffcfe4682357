//! Runs the whole program: what is typed, what comes out, the exit code.
//!
//! Help texts are held to `tests/golden/help-*.txt`; after a wanted change write them anew with
//! `MOHAWK_BLESS=1 cargo test --test cli`.

#[path = "common/mod.rs"]
mod common;

use common::program::*;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

/// A folder with a settings file in it.
fn with_config(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hair.toml");
    fs::write(&file, text).unwrap();
    (folder, file.to_str().unwrap().to_owned())
}

fn golden(name: &str, actual: &str) {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "golden", name]
        .iter()
        .collect();
    // Trailing blanks are clap's, and no editor leaves them alone.
    let actual: String = actual.lines().flat_map(|l| [l.trim_end(), "\n"]).collect();
    if std::env::var_os("MOHAWK_BLESS").is_some() {
        fs::write(&path, &actual).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        actual == expected,
        "{name} has changed; if that is wanted: MOHAWK_BLESS=1 cargo test --test cli\n{actual}"
    );
}

#[test]
fn help_is_as_blessed() {
    for (name, args) in [
        ("help-mohawk.txt", &["--help"][..]),
        ("help-short.txt", &["-h"]),
        ("help-view.txt", &["view", "--help"]),
        ("help-render.txt", &["render", "--help"]),
        ("help-inspect.txt", &["inspect", "--help"]),
        ("help-sample.txt", &["sample", "--help"]),
        ("help-simulate.txt", &["simulate", "--help"]),
        ("help-doll.txt", &["doll", "--help"]),
        ("help-export.txt", &["export", "--help"]),
        ("help-convert.txt", &["convert", "--help"]),
        ("help-style.txt", &["style", "--help"]),
        ("help-presets.txt", &["presets", "--help"]),
        ("help-bench.txt", &["bench", "--help"]),
        ("help-completions.txt", &["completions", "--help"]),
        ("help-man.txt", &["man", "--help"]),
    ] {
        let outcome = mohawk(args);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{name}");
        golden(name, &outcome.stdout);
    }
}

#[test]
fn version_is_the_crates() {
    let outcome = mohawk(&["--version"]);
    assert_eq!(outcome.code, 0);
    assert_eq!(
        outcome.stdout,
        concat!("mohawk ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn wrong_usage_is_code_2_and_says_what_is_right() {
    for (args, parts) in [
        (&["--frobnicate"][..], &["--frobnicate"][..]),
        (&["a.glb", "b.glb"], &["b.glb"]),
        (&["--strands", "0"], &["--strands", "1 to 2000000"]),
        (&["--strands", "many"], &["--strands", "not a whole number"]),
        (&["--spacing", "nan"], &["--spacing", "above 0"]),
        (
            &["--strands", "9", "--spacing", "1"],
            &["--strands", "--spacing"],
        ),
        (&["--length", "11"], &["--length", "0.01 to 10"]),
        (&["--seed", "-1"], &["-1"]),
        (&["--look", "noir"], &["noir", "studio", "classic"]),
        (&["--quiet", "--verbose"], &["--quiet", "--verbose"]),
        (&["render"], &["--output"]),
        (&["render", "-o", "a.jpg"], &[".jpg", ".png", ".gif"]),
        (&["render", "-o", "a"], &["no extension", ".png", ".gif"]),
        (
            &["render", "-o", "a.png", "--scene", "jump"],
            &["jump", "swing", "shake"],
        ),
        (
            &["render", "-o", "a.png", "--camera", "left"],
            &["left", "three-quarter"],
        ),
        (
            &["render", "-o", "a.png", "--resolution", "0,9"],
            &["0,9", "1280,720"],
        ),
        (&["render", "-o", "a.png", "--frames", "0"], &["--frames"]),
        (
            &["render", "-o", "a.png", "--frames", "7..7"],
            &["7..7", "50..100/300"],
        ),
        (&["render", "-o", "a.gif", "--fps", "60"], &["at most 50"]),
        (
            &["render", "-o", "a.png", "--frames", "2"],
            &["a.png", "a_{frame}.png"],
        ),
        (
            &["render", "-o", "a.gif", "--no-background"],
            &["a_{frame}.png", ".apng"],
        ),
        (
            &["render", "-o", "a.mp4", "--no-background"],
            &["an MP4", ".webm"],
        ),
        (
            &["render", "-o", "a.mp4", "--resolution", "641,360"],
            &["even", "642,360"],
        ),
        (&["export", "-o", "a.glb"], &["--painted"]),
        (&["export", "--painted"], &["--output"]),
        (&["export", "--painted", "-o", "a.gltf"], &[".glb"]),
        (&["--screenshot-after", "1"], &["--screenshot-after", "2"]),
        (
            &["--screenshot-after", "soon", "a.png"],
            &["soon", "0 to 3600"],
        ),
        (&["--screenshot-after", "1", "a.jpg"], &["a.jpg", ".png"]),
        (&["--watch"], &["--watch", "name a head", "--config"]),
        (&["render", "-o", "a.png", "--watch"], &["name a head"]),
        (
            &["--watch", "--print-config"],
            &["--watch", "--print-config"],
        ),
    ] {
        assert_mentions(&refused(2, args), parts);
    }
}

#[test]
fn print_config_round_trips() {
    let first = mohawk(&["--print-config"]);
    assert_eq!((first.code, first.stderr.as_str()), (0, ""));
    assert_mentions(
        &first.stdout,
        &["version = 1", "[groom]", "# Strand length"],
    );
    let (_folder, file) = with_config(&first.stdout);
    for command in [
        &["--config", &file, "--print-config"][..],
        &["render", "--config", &file, "--print-config"],
    ] {
        let second = mohawk(command);
        assert_eq!((second.code, second.stdout), (0, first.stdout.clone()));
    }
}

#[test]
fn flags_override_the_config() {
    let (_folder, file) = with_config("version = 1\n[roots]\nspacing = 0.5\n[groom]\nlength = 2");
    let print = |more: &[&str]| {
        let mut args = vec!["view", "--print-config", "--config", &file];
        args.extend(more);
        mohawk(&args).stdout
    };
    assert_mentions(&print(&[]), &["\nspacing = 0.5\n", "\nlength = 2.0\n"]);
    let flags = [
        "--strands",
        "123",
        "--seed",
        "9",
        "--length",
        "0.25",
        "--look",
        "classic",
    ];
    let parts = [
        "\nstrands = 123\n",
        "\nseed = 9\n",
        "\nlength = 0.25\n",
        "\nlit = false\n",
    ];
    assert_mentions(&print(&flags), &parts);
    assert_mentions(&print(&["--spacing", "0.25"]), &["\nspacing = 0.25\n"]);
    // Flags override a scene, too.
    let text = "version = 1\nmotion = \"nod\"\n[settings]\nlook.light.lights = \"studio\"";
    let (_folder, scene) = with_config(text);
    let flags = ["--scene", &scene, "--light", "stage"];
    assert_mentions(&print(&flags), &["\nlights = \"stage\"\n"]);
}

#[test]
fn config_errors_name_the_file_and_the_key() {
    for (text, parts) in [
        ("", &["`version`", "write `version = 1`"][..]),
        ("version = 9", &["version = 9", "version = 1"]),
        (
            "version = 1\n[groom]\nlenght = 1",
            &["line 3", "`lenght`", "`length`"],
        ),
        (
            "version = 1\n[grom]\nlength = 1",
            &["line 2", "`grom`", "`groom`"],
        ),
        ("version = 1\nseed = 4", &["line 2", "`seed`"]),
        (
            "version = 1\n[groom]\nlength = 'long'",
            &["line 3", "length", "expected a number"],
        ),
        (
            "version = 1\n[groom]\nlength = 99",
            &["groom.length = 99", "0.01 to 10"],
        ),
        (
            "version = 1\n[look.hair]\nroot_color = [2, 0, 0]",
            &["look.hair.root_color", "0 to 1"],
        ),
        (
            "version = 1\n[roots]\nstrands = 5\nspacing = 1",
            &["strands", "spacing"],
        ),
        ("version = 1\n[groom\n", &["line 2"]),
    ] {
        let (_folder, file) = with_config(text);
        let message = refused(1, &["--config", &file, "--print-config"]);
        assert_mentions(&message, &[&file]);
        assert_mentions(&message, parts);
    }
    let message = refused(1, &["--config", "no/such.toml", "--print-config"]);
    assert_mentions(&message, &["no/such.toml", "could not be read"]);
}

#[test]
fn a_closed_stdout_is_no_failure() {
    let mut child = program()
        .arg("--print-config")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    // The child may have written before the pipe closed; either way it does not complain.
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn a_missing_output_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let target = missing.join("a.png");
    let target = target.to_str().unwrap();
    for args in [
        &["render", "-o", target][..],
        &["--screenshot-after", "1", target],
    ] {
        let message = refused(1, args);
        assert_mentions(&message, &[missing.to_str().unwrap(), "mkdir -p"]);
    }
    assert!(!missing.exists());
}

#[cfg(feature = "viewer")]
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[cfg(feature = "viewer")]
#[test]
fn heads_that_cannot_be_loaded_are_named_and_leave_no_picture() {
    let folder = tempfile::tempdir().unwrap();
    let heads = folder.path().join("heads");
    let pictures = folder.path().join("pictures");
    fs::create_dir_all(&heads).unwrap();
    fs::create_dir_all(&pictures).unwrap();
    let bad = heads.join("bad.glb");
    fs::write(&bad, "This is no head.").unwrap();
    let target = pictures.join("a.png");
    for head in [heads.join("none.glb"), bad] {
        let head = head.to_str().unwrap();
        let message = refused(1, &["render", head, "-o", target.to_str().unwrap()]);
        assert_mentions(&message, &[head]);
        assert_eq!(entries(&pictures), Vec::<PathBuf>::new());
    }
    let missing = heads.join("none.glb");
    let missing = missing.to_str().unwrap();
    assert_mentions(&refused(1, &[missing]), &[missing]);
}

#[cfg(feature = "viewer")]
#[test]
fn without_a_display_the_window_says_what_works() {
    let message = refused(1, &["--strands", "10"]);
    assert_mentions(&message, &["mohawk render"]);
}

#[cfg(not(feature = "viewer"))]
#[test]
fn a_build_without_drawing_says_so() {
    for args in [&["view"][..], &["render", "-o", "a.png"]] {
        assert_mentions(&refused(1, args), &["feature `viewer`"]);
        assert!(!Path::new("a.png").exists());
    }
}

#[test]
fn bindings_are_listed_without_a_window() {
    let text = mohawk(&["--list-bindings"]);
    assert_eq!((text.code, text.stderr.as_str()), (0, ""));
    assert_eq!(text.stdout, mohawk(&["view", "--list-bindings"]).stdout);
    let json = mohawk(&["--list-bindings", "--json"]);
    assert_eq!((json.code, json.stderr.as_str()), (0, ""));
    let rows: Vec<serde_json::Value> = serde_json::from_str(&json.stdout).unwrap();
    assert!(rows.len() > 10);
    let mut columns = Vec::new();
    for row in &rows {
        let [group, input, does] = ["group", "input", "does"].map(|key| row[key].as_str().unwrap());
        assert!(text.stdout.lines().any(|line| line == group), "{group}");
        let line = text.stdout.lines().find(|line| {
            let rest = line.strip_prefix("  ").and_then(|l| l.strip_prefix(input));
            rest.is_some_and(|rest| rest.trim_start() == does)
        });
        let line = line.unwrap_or_else(|| panic!("{input}: {does} is not in: {}", text.stdout));
        columns.push(line.len() - does.len());
    }
    columns.dedup();
    assert_eq!(columns.len(), 1, "one column: {}", text.stdout);
}
