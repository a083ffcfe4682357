//! Pictures that `mohawk render` makes, held to `tests/golden/*.png` with a tolerance that other
//! versions of the graphics driver stay within.
//!
//! After a wanted change of the look, write them anew and look at them:
//! `MOHAWK_BLESS=1 cargo test --test golden_images`. What a failing test drew lies beside its
//! golden's name in the folder that the message names.

#![cfg(feature = "viewer")]

use image::RgbaImage;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Mean difference of a channel, of 255, that is still the same picture.
const MAX_MEAN: f64 = 1.0;
/// A pixel differs when a channel is off by more than this, of 255.
const PIXEL_TOLERANCE: u8 = 24;
/// Share of pixels that may differ: thin strands move by parts of a pixel.
const MAX_SHARE: f64 = 0.01;

/// Every picture is small and has few strands, to be quick without a GPU.
const SMALL: [&str; 6] = [
    "--quiet",
    "--resolution",
    "200,200",
    "--strands",
    "1500",
    "--seed=5",
];

/// Runs `mohawk render` into `file`.
fn render(file: &Path, args: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_mohawk"))
        .arg("render")
        .arg("--output")
        .arg(file)
        .args(SMALL)
        .args(args)
        .stdin(Stdio::null())
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {stderr}");
    assert_eq!(stderr, "", "--quiet says nothing");
}

fn picture(args: &[&str]) -> RgbaImage {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picture.png");
    render(&file, args);
    image::open(&file).unwrap().into_rgba8()
}

struct Difference {
    /// Mean over all channels, of 255.
    mean: f64,
    /// Pixels off by more than [`PIXEL_TOLERANCE`].
    share: f64,
}

fn difference(a: &RgbaImage, b: &RgbaImage) -> Difference {
    assert_eq!(a.dimensions(), b.dimensions());
    let (mut sum, mut differing) = (0_u64, 0_u32);
    for (a, b) in a.pixels().zip(b.pixels()) {
        let off = [0, 1, 2, 3].map(|c| a.0[c].abs_diff(b.0[c]));
        sum += off.map(u64::from).iter().sum::<u64>();
        differing += u32::from(off.iter().any(|&off| off > PIXEL_TOLERANCE));
    }
    let pixels = f64::from(a.width() * a.height());
    Difference {
        mean: sum as f64 / (4.0 * pixels),
        share: f64::from(differing) / pixels,
    }
}

/// Holds `actual` to `tests/golden/NAME.png`, or writes that; says what differs.
fn golden(name: &str, actual: &RgbaImage) -> Result<(), String> {
    let file = format!("{name}.png");
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "golden", &file]
        .iter()
        .collect();
    if std::env::var_os("MOHAWK_BLESS").is_some() {
        actual.save(&path).unwrap();
    }
    let expected = image::open(&path)
        .map_err(|error| format!("{}: {error}", path.display()))?
        .into_rgba8();
    let Difference { mean, share } = difference(actual, &expected);
    if mean > MAX_MEAN || share > MAX_SHARE {
        let drawn = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&file);
        actual.save(&drawn).unwrap();
        return Err(format!(
            "{} differs from {}: {mean:.2} of 255 in the mean, {:.1} % of the pixels",
            drawn.display(),
            path.display(),
            100.0 * share
        ));
    }
    Ok(())
}

#[test]
fn looks_and_cameras_are_as_blessed() {
    let blessed = [
        ("studio-three-quarter", &[][..]),
        ("studio-front", &["--camera", "front"]),
        ("studio-side", &["--camera", "side"]),
        ("studio-top", &["--camera", "top"]),
        ("studio-back", &["--camera", "back"]),
        (
            "studio-swing",
            &["--camera", "front", "--scene", "swing", "--at", "0.8"],
        ),
        ("classic-three-quarter", &["--look", "classic"]),
        (
            "classic-nod",
            &[
                "--look", "classic", "--camera", "side", "--scene", "nod", "--at", "0.7",
            ],
        ),
    ];
    let failures: Vec<String> = blessed
        .iter()
        .filter_map(|(name, args)| golden(name, &picture(args)).err())
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn without_background_corners_are_clear_and_the_head_is_not() {
    let cut = picture(&["--no-background", "--camera", "front"]);
    let (width, height) = cut.dimensions();
    for (x, y) in [
        (0, 0),
        (width - 1, 0),
        (0, height - 1),
        (width - 1, height - 1),
    ] {
        assert_eq!(cut.get_pixel(x, y).0[3], 0, "corner {x}, {y}");
    }
    assert_eq!(cut.get_pixel(width / 2, height / 2).0[3], 255, "the face");
    let partial = cut.pixels().any(|pixel| (1..255).contains(&pixel.0[3]));
    assert!(partial, "edges are soft");
    golden("studio-cut-out", &cut).unwrap();
}

#[test]
fn the_picture_shows_hair_motion_and_seed() {
    let still = picture(&["--camera", "front"]);
    let moved = |args: &[&str]| difference(&still, &picture(args)).share;
    let swung = moved(&["--camera", "front", "--scene", "swing", "--at", "0.8"]);
    assert!(
        swung > 2.0 * MAX_SHARE,
        "swinging moves the head and its hair: {swung}"
    );
    let shorter = moved(&["--camera", "front", "--length", "0.2"]);
    assert!(shorter > 2.0 * MAX_SHARE, "the length shows: {shorter}");
    let settled = moved(&["--camera", "front", "--scene", "still", "--at", "3"]);
    assert_eq!(settled, 0.0, "nothing moves by itself");
}

#[test]
fn the_same_arguments_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--scene", "nod", "--frames", "4", "--fps", "10"];
    let runs = ["a", "b"].map(|run| {
        let clip = folder.path().join(format!("{run}.gif"));
        render(&clip, &args);
        render(&folder.path().join(format!("{run}_{{frame}}.png")), &args);
        let numbered = (0..4).map(|i| folder.path().join(format!("{run}_{i:04}.png")));
        let files = numbered.chain([clip]);
        files
            .map(|file| fs::read(file).unwrap())
            .collect::<Vec<_>>()
    });
    assert!(runs[0] == runs[1], "two runs differ");
    assert_ne!(runs[0][0], runs[0][3], "the head moves");
    let count = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(count, 10, "nothing else is left behind");
}

#[test]
fn a_clip_is_as_long_as_asked_and_loops() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("clip.gif");
    render(&file, &["--frames", "7", "--fps", "30"]);
    let mut decoder = gif::DecodeOptions::new()
        .read_info(fs::File::open(&file).unwrap())
        .unwrap();
    assert_eq!((decoder.width(), decoder.height()), (200, 200));
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        delays.push(frame.delay);
    }
    assert_eq!(delays, [3, 4, 3, 3, 4, 3, 3]);
}

#[test]
fn heads_without_paint_are_drawn_and_say_how_to_paint() {
    let folder = tempfile::tempdir().unwrap();
    let (head, target) = (folder.path().join("bald.gltf"), folder.path().join("a.png"));
    fs::write(&head, BALD).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_mohawk"))
        .args(["render", "--resolution", "64,64", "-o"])
        .args([&target, &head])
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert!(stderr.starts_with("warning: "), "{stderr}");
    assert!(stderr.contains("COLOR_n"), "{stderr}");
    assert!(target.exists());
}

/// One triangle, no paint.
const BALD: &str = r#"{
  "asset": { "version": "2.0" },
  "scenes": [{ "nodes": [0] }], "scene": 0, "nodes": [{ "mesh": 0 }],
  "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
  "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                  "min": [0, 0, 0], "max": [1, 1, 0] }],
  "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
  "buffers": [{ "byteLength": 36,
    "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA" }]
}"#;
