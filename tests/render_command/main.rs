//! `mohawk render` with `--json`, with scenes and with `--watch`; in `clips`, many pictures.

#![cfg(feature = "viewer")]

mod cache;
mod clips;
#[path = "../common/gltf_builder.rs"]
mod gltf_builder;

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tempfile::{TempDir, tempdir};

/// Time limit of each step, generous for slow and busy machines.
const PATIENCE: Duration = Duration::from_secs(120);

/// Returns the command `mohawk render --json` with little to draw.
fn render(folder: &Path, args: &[&str]) -> Command {
    render_sized(folder, "64,48", args)
}

fn render_sized(folder: &Path, size: &str, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mohawk"));
    command
        .arg("render")
        .args(args)
        .args(["--json", "--strands", "50", "--resolution", size])
        .current_dir(folder)
        .stdin(Stdio::null())
        .env_remove("RUST_LOG");
    command
}

#[test]
fn a_rendering_is_reported_as_json() {
    let folder = tempdir().unwrap();
    let args = ["-o", "a_{frame}.png", "--frames", "2"];
    let output = render(folder.path(), &args).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), told.as_str()), (Some(0), ""));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["output"], "a_{frame}.png");
    let numbers = ["frames", "width", "height"].map(|key| told[key].as_u64().unwrap());
    assert_eq!(numbers, [2, 64, 48]);
    let strands = told["strands"].as_u64().unwrap();
    assert!((40..60).contains(&strands), "{told}");
    assert!(told["seconds"].as_f64().unwrap() > 0.0, "{told}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn the_camera_of_settings_is_that_of_the_flags() {
    let folder = tempdir().unwrap();
    let settings = [
        "view.yaw_deg=90",
        "view.pitch_deg=20",
        "view.distance=7",
        "view.target=[0, 0.5, 0]",
    ];
    let set: Vec<&str> = settings.iter().flat_map(|set| ["--set", set]).collect();
    let flags = "--yaw 90 --pitch 20 --distance 7 --target 0,0.5,0";
    let flags: Vec<&str> = flags.split(' ').collect();
    // Flags replace settings.
    let both = [&set[..], &["--camera", "front"]].concat();
    let front = ["--camera", "front"];
    for (name, args) in [
        ("a.png", &set[..]),
        ("b.png", &flags),
        ("c.png", &both),
        ("d.png", &front),
    ] {
        rendered(render(folder.path(), &[args, &["-o", name]].concat()));
    }
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(bytes("a.png") == bytes("b.png"));
    assert!(bytes("c.png") == bytes("d.png"));
    assert!(bytes("a.png") != bytes("d.png"));
}

/// Renders with success; gives what the program told.
#[track_caller]
fn rendered(mut command: Command) -> Value {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Renders without success; gives the error.
#[track_caller]
fn refused(mut command: Command) -> String {
    let output = command.output().unwrap();
    assert!(!output.status.success(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Two strands on a ball and a capsule beside them.
const SCENE: &str = r#"version = 1
frames = 11
fps = 20
[[strands]]
root = [0, 1, 0]
direction = [1, 0.5, 0]
length = 1.2
[[strands]]
root = [0, 1, 0]
direction = [-1, 0.5, 0]
length = 1.2
[skull]
center = [0, 0, 0]
radii = [0.9, 1.0, 0.9]
[settings]
"sim.solver" = "ftl"
"sim.colliders" = [{ from = [1.2, 0.0, -0.5], to = [1.2, 0.0, 0.5], radius = 0.3 }]
"#;

fn picture(path: PathBuf) -> image::RgbaImage {
    image::open(path).unwrap().into_rgba8()
}

/// Counts the pink pixels and all pixels that are not transparent.
fn drawn(picture: &image::RgbaImage) -> (usize, usize) {
    let is_pink = |p: &&image::Rgba<u8>| p.0[3] > 100 && p.0[0] > p.0[1].saturating_add(60);
    let pink = picture.pixels().filter(is_pink).count();
    let all = picture.pixels().filter(|p| p.0[3] > 0).count();
    (pink, all)
}

#[test]
fn scenes_without_a_head_show_only_their_strands() {
    let folder = tempdir().unwrap();
    for (scene, at) in [("pendulum", "0.3"), ("cantilever", "0.8")] {
        let args = ["--scene", scene, "--at", at, "--solver", "rod"];
        let output = render_sized(folder.path(), "200,150", &args)
            .args(["-o", "a.png", "--no-background", "--camera", "front"])
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(told["strands"], 1);
        let picture = picture(folder.path().join("a.png"));
        let (pink, all) = drawn(&picture);
        assert!(pink > 60 && all < 600, "{scene}: {pink} of {all} pixels");
        // It hangs from the middle, and is large: its reach is the picture.
        let rows = |(_, y, p): (u32, u32, &image::Rgba<u8>)| (p.0[3] > 0).then_some(y);
        let rows: Vec<u32> = picture.enumerate_pixels().filter_map(rows).collect();
        let (low, high) = (rows.iter().min().unwrap(), rows.iter().max().unwrap());
        assert!(
            (70..80).contains(low) && *high > 110,
            "{scene}: {low} to {high}"
        );
    }
}

#[test]
fn scene_files_have_strands_a_skull_and_colliders() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("scene.toml"), SCENE).unwrap();
    let pictures = ["[]", "[{ from = [1.2, 0, 0], radius = 0.3 }]"].map(|colliders| {
        let set = format!("sim.colliders={colliders}");
        let args = ["--scene", "scene.toml", "--at", "0.5", "--set", &set];
        let output = render_sized(folder.path(), "200,150", &args)
            .args(["-o", "a.png", "--no-background", "--camera", "front"])
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        picture(folder.path().join("a.png"))
    });
    let [(pink, skull), (_, with_sphere)] = pictures.each_ref().map(drawn);
    assert!(pink > 60, "{pink} pixels of strands");
    assert!(skull > 2_000, "{skull} pixels of skull");
    assert!(with_sphere > skull + 300, "{with_sphere}: the sphere too");

    // As many pictures as the file's frames last: half a second.
    let args = ["--scene", "scene.toml", "-o", "clip.gif", "--fps", "20"];
    let output = render(folder.path(), &args).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&told["frames"], &told["strands"]), (&10.into(), &2.into()));
}

#[test]
fn errors_in_scene_files_name_the_file() {
    let folder = tempdir().unwrap();
    let scene = |text: String| fs::write(folder.path().join("scene.toml"), text).unwrap();
    let refused = |args: &[&str]| {
        let output = render(folder.path(), args).args(["-o", "a.png"]).output();
        let output = output.unwrap();
        assert!(!output.status.success() && !folder.path().join("a.png").exists());
        String::from_utf8(output.stderr).unwrap()
    };
    for (broken, told) in [
        (SCENE.replace("length", "lenght"), "lenght"),
        (
            SCENE.replace("[1, 0.5, 0]", "[0, 0, 0]"),
            "strands, number 1",
        ),
        (SCENE.replace("ftl", "rope"), "sim.solver = \"rope\""),
        (
            SCENE.replace("radius = 0.3", "radius = 0"),
            "sim.colliders.radius",
        ),
        (SCENE.replace("[[strands]]", "[[strand]]"), "strand"),
    ] {
        scene(broken);
        let error = refused(&["--scene", "scene.toml"]);
        assert!(
            error.contains("scene.toml") && error.contains(told),
            "{error}"
        );
    }
    scene(SCENE.to_owned());
    let error = refused(&["--scene", "scene.toml", "--roots"]);
    assert!(
        error.contains("--roots") && error.contains("scene.toml"),
        "{error}"
    );
    let error = refused(&["--scene", "scene.toml", "a-head.glb"]);
    assert!(error.contains("a-head.glb"), "{error}");
    let error = refused(&["--scene", "none.toml"]);
    assert!(error.contains("none.toml cannot be read"), "{error}");
}

/// A program that watches files in its own folder until it is dropped.
struct Watching {
    folder: TempDir,
    child: Child,
    stdout: Receiver<String>,
    stderr: Receiver<String>,
}

impl Watching {
    /// Renders `head.glb` with `hair.toml` to `hair.png`.
    fn start() -> Self {
        let folder = tempdir().unwrap();
        fs::copy(shipped(), folder.path().join("head.glb")).unwrap();
        fs::write(folder.path().join("hair.toml"), "version = 1\n").unwrap();
        let args = ["head.glb", "-o", "hair.png", "--config", "hair.toml"];
        let mut child = render(folder.path(), &args)
            .arg("--watch")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Watching {
            folder,
            stdout: lines(child.stdout.take().unwrap()),
            stderr: lines(child.stderr.take().unwrap()),
            child,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Waits for a line on stderr. A slow machine may tell more than that: it may have shown the
    /// program files that were not all there yet.
    #[track_caller]
    fn until_told(&self, parts: &[&str]) {
        let mut lines = std::iter::from_fn(|| self.stderr.recv_timeout(PATIENCE).ok());
        let found = lines.any(|line| parts.iter().all(|part| line.contains(part)));
        assert!(found, "nothing was said with {parts:?}");
    }

    /// Waits for a rendering; gives the picture.
    #[track_caller]
    fn rendered(&self) -> Vec<u8> {
        let line = self.stdout.recv_timeout(PATIENCE).expect("no rendering");
        let told: Value = serde_json::from_str(&line).expect("one line of JSON");
        assert_eq!(told["output"], "hair.png");
        fs::read(self.path("hair.png")).unwrap()
    }

    fn save_by_rename(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path("new"), bytes).unwrap();
        fs::rename(self.path("new"), self.path(name)).unwrap();
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn lines(from: impl Read + Send + 'static) -> Receiver<String> {
    let (send, received) = channel();
    std::thread::spawn(move || {
        let mut lines = BufReader::new(from).lines().map_while(Result::ok);
        lines.try_for_each(|line| send.send(line))
    });
    received
}

fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models/head.glb")
}

#[test]
fn a_watched_scene_is_rendered_again() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("scene.toml"), SCENE).unwrap();
    let args = ["--scene", "scene.toml", "-o", "hair.png", "--watch"];
    let mut child = render(folder.path(), &args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let watching = Watching {
        folder,
        stdout: lines(child.stdout.take().unwrap()),
        stderr: lines(child.stderr.take().unwrap()),
        child,
    };
    let first = watching.rendered();
    watching.until_told(&["Ctrl+C"]);
    let broken = SCENE.replace("ftl", "rope");
    watching.save_by_rename("scene.toml", broken.as_bytes());
    watching.until_told(&["error: scene.toml", "rope"]);
    let longer = SCENE.replace("length = 1.2", "length = 0.5");
    watching.save_by_rename("scene.toml", longer.as_bytes());
    assert!(watching.rendered() != first, "the strands are shorter");
}

#[test]
fn a_watched_head_and_settings_are_rendered_again() {
    let watching = Watching::start();
    let first = watching.rendered();
    watching.until_told(&["rendered hair.png in "]);
    watching.until_told(&["Ctrl+C"]);

    watching.save_by_rename("hair.toml", b"version = 1\n[groom]\nlength = 2\n");
    let longer = watching.rendered();
    watching.until_told(&["rendered hair.png again in "]);
    assert!(first != longer, "the picture shows the new settings");

    watching.save_by_rename("hair.toml", b"version = 1\n[groom]\nlength = -2\n");
    watching.until_told(&["error: hair.toml", "groom.length = -2"]);
    fs::write(watching.path("head.glb"), "This is no head.").unwrap();
    watching.until_told(&["error: "]);
    let stays = fs::read(watching.path("hair.png")).unwrap() == longer;
    assert!(stays, "the old picture stays");

    watching.save_by_rename("hair.toml", b"version = 1\n[groom]\nlength = 2\n");
    watching.until_told(&["error: head.glb"]);
    watching.save_by_rename("head.glb", &fs::read(shipped()).unwrap());
    let again = watching.rendered();
    assert!(again == longer, "the same head gives the same picture");
}
