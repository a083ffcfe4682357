//! `mohawk render` as other programs use it: what it tells, and what it does when files change.

#![cfg(feature = "viewer")]

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tempfile::{TempDir, tempdir};

/// How long anything may take on a slow machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(120);

/// `mohawk render --json` with little to draw.
fn render(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mohawk"));
    command
        .arg("render")
        .args(args)
        .args(["--json", "--strands", "50", "--resolution", "64,48"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .env_remove("RUST_LOG");
    command
}

#[test]
fn a_rendering_is_told_as_json() {
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

/// A program that renders again and again, in a folder of its own, until it is dropped.
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
