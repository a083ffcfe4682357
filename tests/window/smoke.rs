//! A picture of the window without a hand on the keyboard.

use crate::closing::close;
use crate::common::gltf_builder::Gltf;
use crate::desk::Desk;
use crate::picture::{Picture, is_hair, is_skin};
use crate::program::{command, scene};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

fn program(desk: &Desk, folder: &Path, args: &[&str]) -> Command {
    let mut command = command(args);
    command
        .args(["--strands", "800"])
        .current_dir(folder)
        .env("DISPLAY", &desk.display)
        .env("LIBGL_ALWAYS_SOFTWARE", "1")
        .env("WINIT_X11_SCALE_FACTOR", "1");
    command
}

fn run(desk: &Desk, folder: &Path, args: &[&str]) -> Output {
    program(desk, folder, args).output().unwrap()
}

#[test]
fn a_picture_is_taken_and_the_program_tells_what_it_showed() {
    let (desk, folder) = (Desk::new(), tempfile::tempdir().unwrap());
    let args = ["--screenshot-after", "0.2", "shot.png", "--json"];
    let output = run(&desk, folder.path(), &args);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), told.as_str()), (Some(0), ""));

    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["head"], "head");
    assert_eq!(report["screenshot"], "shot.png");
    assert!(report["triangles"].as_u64().unwrap() > 1000, "{report}");
    assert!(report["strands"].as_u64().unwrap() > 700, "{report}");
    assert!(report["pictures"].as_u64().unwrap() >= 2, "{report}");
    assert!(report["first_picture_seconds"].as_f64().unwrap() > 0.0);
    assert!(report["renderer"].as_str().unwrap().contains("llvmpipe"));

    let picture = image::open(folder.path().join("shot.png")).unwrap();
    let pixels = picture.into_rgb8().pixels().map(|pixel| pixel.0).collect();
    let picture = Picture::new(1280, pixels);
    assert!(scene(&picture).count(is_skin) > 40_000);
    assert!(scene(&picture).count(is_hair) > 10_000);
    assert!(picture.field().is_some(), "the panel is in the picture");
}

#[test]
fn without_head_or_hair_there_is_no_picture_but_an_error() {
    let (desk, folder) = (Desk::new(), tempfile::tempdir().unwrap());
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("broken.glb"), "a shopping list").unwrap();
    std::fs::write(file("bald.glb"), Gltf::painted([[1.0; 3]; 4]).glb()).unwrap();
    for name in ["broken.glb", "bald.glb"] {
        let args = [name, "--screenshot-after", "0", "shot.png", "--json"];
        let output = run(&desk, folder.path(), &args);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}: {told}");
        assert!(
            told.starts_with(&format!("error: {name}")),
            "{name}: {told}"
        );
        assert_eq!(told.matches("error:").count(), 1, "told once: {told}");
        assert_eq!(output.stdout, b"");
        assert!(!file("shot.png").exists());
    }
}

#[test]
fn a_picture_that_cannot_be_taken_or_written_is_an_error() {
    let (desk, folder) = (Desk::new(), tempfile::tempdir().unwrap());
    // A folder with something in it cannot be replaced by a file.
    std::fs::create_dir_all(folder.path().join("taken.png/by")).unwrap();
    let output = run(
        &desk,
        folder.path(),
        &["--screenshot-after", "0", "taken.png"],
    );
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.starts_with("error: taken.png could not be written"),
        "{told}"
    );

    let mut child = program(
        &desk,
        folder.path(),
        &["--screenshot-after", "3600", "late.png"],
    )
    .stderr(Stdio::piped())
    .spawn()
    .unwrap();
    let window = loop {
        // With its last title the window has all its properties.
        match desk.find("mohawk – head") {
            Some((window, _)) => break window,
            None => assert!(child.try_wait().unwrap().is_none(), "it ended"),
        }
        sleep(Duration::from_millis(40));
    };
    close(&desk, window);
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("closed before late.png"), "{told}");
}
