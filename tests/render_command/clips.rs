//! Clips whole and in parts, sheets, videos, and hair in motion inside the picture.

use super::{drawn, picture, refused, render, render_sized, rendered};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::tempdir;

#[test]
fn parts_of_a_clip_and_resumed_runs_give_the_same_bytes() {
    let folder = tempdir().unwrap();
    let clip = |name: &str, args: &[&str]| {
        let turning = ["--turntable", "--fps", "7", "--length", "2", "-o", name];
        let mut command = render(folder.path(), args);
        command.args(turning);
        command
    };
    let path = |name: &str, frame: u32| folder.path().join(format!("{name}_{frame:04}.png"));
    let bytes = |name: &str| [0, 1, 2, 3, 4].map(|frame| fs::read(path(name, frame)).unwrap());
    rendered(clip("a_{frame}.png", &["--frames", "5"]));
    let whole = bytes("a");
    assert_ne!(whole[2], whole[3], "pictures differ");

    for part in ["3..5/5", "0..3/5"] {
        let told = rendered(clip("b_{frame}.png", &["--frames", part]));
        assert_eq!(told["skipped"], 0);
    }
    assert!(bytes("b") == whole, "parts differ from the whole");
    // One of them can be a picture of its own.
    rendered(clip("c.png", &["--frames", "3..4/5"]));
    assert!(fs::read(folder.path().join("c.png")).unwrap() == whole[3]);

    for frame in [1, 4] {
        fs::remove_file(path("b", frame)).unwrap();
    }
    fs::write(path("b", 2), "mine").unwrap();
    let told = rendered(clip("b_{frame}.png", &["--frames", "5", "--resume"]));
    assert_eq!((&told["frames"], &told["skipped"]), (&2.into(), &3.into()));
    assert_eq!(fs::read(path("b", 2)).unwrap(), b"mine", "it was there");
    fs::copy(path("a", 2), path("b", 2)).unwrap();
    assert!(bytes("b") == whole, "resumed pictures differ");

    // One loop of swing has 4 s, 28 pictures.
    let error = refused(clip("d_{frame}.png", &["--frames", "0..50"]));
    assert!(
        error.contains("there are 28") && error.contains("0..50/50"),
        "{error}"
    );
    let error = refused(clip("d.gif", &["--resume"]));
    assert!(error.contains("d_{frame}.png"), "{error}");
}

#[test]
fn a_sheet_holds_the_pictures_of_a_clip() {
    let folder = tempdir().unwrap();
    let args = ["--frames", "5", "--fps", "5", "--no-background", "-o"];
    rendered(render(
        folder.path(),
        &[&args[..], &["a_{frame}.png"]].concat(),
    ));
    let sheet = ["sheet.webp", "--sheet", "3"];
    let told = rendered(render(folder.path(), &[&args[..], &sheet].concat()));
    assert_eq!(
        (&told["width"], &told["height"]),
        (&200.into(), &100.into())
    );
    let sheet = picture(folder.path().join("sheet.webp"));
    assert_eq!(sheet.dimensions(), (200, 100));
    for frame in 0..5 {
        let (x, y) = (frame % 3 * 68, frame / 3 * 52);
        let tile = image::imageops::crop_imm(&sheet, x, y, 64, 48).to_image();
        let alone = picture(folder.path().join(format!("a_{frame:04}.png")));
        assert!(tile == alone, "picture {frame}");
    }
    assert_eq!(
        (sheet.get_pixel(66, 20).0[3], sheet.get_pixel(150, 70).0[3]),
        (0, 0)
    );
    let error = refused(render(folder.path(), &["-o", "a.gif", "--sheet", "3"]));
    assert!(error.contains(".png or .webp"), "{error}");
    let error = refused(render(
        folder.path(),
        &["-o", "a.png", "--sheet", "3", "--frames", "2000"],
    ));
    assert!(error.contains("16384"), "{error}");
}

#[test]
fn long_hair_is_in_the_picture_while_it_moves() {
    let folder = tempdir().unwrap();
    for size in ["160,90", "60,130"] {
        let args = [
            "-o",
            "a_{frame}.png",
            "--frames",
            "9",
            "--fps",
            "9",
            "--no-background",
        ];
        rendered({
            let mut command = render_sized(folder.path(), size, &args);
            command.args(["--length", "2.5", "--set", "sim.hold=0.2"]);
            command
        });
        for frame in 0..9 {
            let picture = picture(folder.path().join(format!("a_{frame:04}.png")));
            let (width, height) = picture.dimensions();
            let (_, all) = drawn(&picture);
            assert!(all > 700, "{size}: {all} pixels of picture {frame}");
            for (x, y, pixel) in picture.enumerate_pixels() {
                let is_edge = x % (width - 1) == 0 || y % (height - 1) == 0;
                assert!(!is_edge || pixel.0[3] == 0, "{size}, {frame}: {x}, {y}");
            }
        }
    }
}

/// Writes a program called ffmpeg and returns the command that finds it alone.
#[cfg(unix)]
fn with_ffmpeg(folder: &Path, script: &str, args: &[&str]) -> Command {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("bin/ffmpeg");
    fs::create_dir_all(folder.join("bin")).unwrap();
    fs::write(&path, format!("#!/bin/sh\nPATH=/usr/bin:/bin\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = render(folder, args);
    command.env("PATH", folder.join("bin"));
    command
}

#[cfg(unix)]
#[test]
fn videos_are_piped_to_ffmpeg() {
    let folder = tempdir().unwrap();
    let args = ["--frames", "3", "--fps", "12.5", "--no-background", "-o"];
    let records = r#"echo "$@" > told; for last; do :; done; cat > "${last#file:}""#;
    let video = [&args[..], &["a.webm"]].concat();
    let told = rendered(with_ffmpeg(folder.path(), records, &video));
    assert_eq!(told["frames"], 3);
    let numbered = [&args[..], &["a_{frame}.png", "--at", "8"]].concat();
    rendered(render(folder.path(), &numbered));
    let pictures = [0, 1, 2].map(|i| picture(folder.path().join(format!("a_{i:04}.png"))));
    let pixels = pictures
        .each_ref()
        .map(|picture| picture.as_raw().as_slice());
    let piped = fs::read(folder.path().join("a.webm")).unwrap();
    assert!(
        piped == pixels.concat(),
        "the clip begins after two periods"
    );
    let told = fs::read_to_string(folder.path().join("told")).unwrap();
    for words in ["-s 64x48 -framerate 12.5", "-c:v libvpx-vp9", "yuva420p"] {
        assert!(told.contains(words), "{told}");
    }
    rendered(with_ffmpeg(
        folder.path(),
        records,
        &["-o", "a.mp4", "--frames", "2"],
    ));
    let told = fs::read_to_string(folder.path().join("told")).unwrap();
    for words in ["-c:v libx264", "-pix_fmt yuv420p", "+faststart", "-f mp4"] {
        assert!(told.contains(words), "{told}");
    }
}

#[cfg(unix)]
#[test]
fn without_a_working_ffmpeg_no_video_is_left() {
    let folder = tempdir().unwrap();
    let args = ["--frames", "3", "-o", "a.mp4"];
    for script in [
        "head -c 9 > /dev/null; echo Unknown encoder >&2; exit 3",
        r#"for last; do :; done; cat > "${last#file:}"; echo Unknown encoder >&2; exit 3"#,
    ] {
        let error = refused(with_ffmpeg(folder.path(), script, &args));
        for part in ["a.mp4 could not be written", "Unknown encoder"] {
            assert!(error.contains(part), "{error}");
        }
    }
    fs::remove_file(folder.path().join("bin/ffmpeg")).unwrap();
    let mut none = render(folder.path(), &args);
    none.env("PATH", folder.path().join("bin"));
    let error = refused(none);
    for part in ["ffmpeg", "apt-get install", ".apng, .gif and numbered .png"] {
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "only bin");
    // Nothing is drawn into a cache.
    let mut none = render(folder.path(), &[&args[..], &["--bake", "a.cache"]].concat());
    none.env("PATH", folder.path().join("bin"));
    assert_eq!(rendered(none)["frames"], 3);
}

#[test]
fn the_scene_of_a_style_has_its_settings() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let style = ["style", "--strands", "50", "-o", "falling"];
    let made = Command::new(env!("CARGO_BIN_EXE_mohawk"))
        .args(style)
        .current_dir(folder)
        .output();
    assert!(made.unwrap().status.success());
    let manifest = folder.join("falling/style.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, format!("scene = \"drop\"\n{text}")).unwrap();
    let motion = ["--solver", "spring", "--fps", "4", "--frames", "3"];
    for (name, more) in [("own", &[][..]), ("named", &["--scene", "drop"])] {
        let output = format!("{name}_{{frame}}.png");
        rendered(render(
            folder,
            &[&["falling"], &motion[..], more, &["-o", &output]].concat(),
        ));
    }
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    assert!(read("own_0002.png") == read("named_0002.png"));
    assert!(read("own_0000.png") != read("own_0002.png"), "hair falls");
}

#[test]
fn shadows_follow_a_head_that_goes_away() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    for (name, x) in [("near", 0), ("far", 8)] {
        let pose = |secs: u32| format!("[[poses]]\ntime_secs = {secs}\ntranslation = [{x}, 0, 0]");
        let text = format!("version = 1\n{}\n{}", pose(0), pose(1));
        fs::write(folder.join("scene.toml"), text).unwrap();
        let (target, output) = (format!("{x},0,0"), format!("{name}.png"));
        rendered(render(
            folder,
            &[
                "--scene",
                "scene.toml",
                "--target",
                &target,
                "--distance",
                "9",
                "--samples",
                "4",
                "--set",
                "look.light.floor=true",
                "--no-background",
                "-o",
                &output,
            ],
        ));
    }
    let [near, far] = ["near.png", "far.png"].map(|name| picture(folder.join(name)));
    let both = near.as_raw().iter().zip(far.as_raw());
    let apart: u64 = both.map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    let mean = apart as f64 / near.as_raw().len() as f64;
    assert!(mean < 0.1, "{mean} levels");
}
