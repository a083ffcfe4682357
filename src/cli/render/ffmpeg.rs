//! Videos, which the program `ffmpeg` encodes from pixels that it gets through a pipe.

use anyhow::{Context, Result, anyhow, bail};
use image::RgbaImage;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::{
    env,
    thread::{self, JoinHandle},
};

/// The most lines of an error of ffmpeg that are shown.
const SHOWN_LINES: usize = 5;

/// H.264 as every player shows it, which starts before all of it is loaded.
const MP4: &str =
    "-c:v libx264 -preset medium -crf 18 -pix_fmt yuv420p -movflags +faststart -f mp4";
const WEBM: &str = "-c:v libvpx-vp9 -crf 24 -b:v 0 -row-mt 1 -f webm";
const WEBM_OPAQUE: &str = "-pix_fmt yuv420p";
const WEBM_ALPHA: &str = "-auto-alt-ref 0 -pix_fmt yuva420p";
/// Without these players guess the colours from the size.
const COLORS: &str = "-vf scale=out_color_matrix=bt709:out_range=tv \
    -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv";

/// The encoding of a video.
#[derive(Clone, Copy, Debug)]
pub enum Codec {
    Mp4,
    WebM { alpha: bool },
}

/// Returns the path of the program.
pub fn find() -> Result<PathBuf> {
    let name = format!("ffmpeg{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH").unwrap_or_default();
    let mut places = env::split_paths(&path).map(|folder| folder.join(&name));
    places.find(|place| place.is_file()).ok_or_else(|| {
        anyhow!(
            "the program ffmpeg, which writes .mp4 and .webm, is not installed; on Debian or \
             Ubuntu: apt-get install ffmpeg. .apng, .gif and numbered .png work without it"
        )
    })
}

/// A running ffmpeg, which is ended when it is dropped.
pub struct Video {
    child: Child,
    /// `None` after the last picture.
    stdin: Option<ChildStdin>,
    /// Reads the messages of ffmpeg.
    messages: Option<JoinHandle<String>>,
}

impl Video {
    /// Starts ffmpeg.
    pub fn new(path: &Path, (width, height): (u32, u32), fps: f64, codec: Codec) -> Result<Self> {
        let input = format!(
            "-v error -y -f rawvideo -pix_fmt rgba -s {width}x{height} -framerate {fps} -i pipe:0"
        );
        let (encoder, pixels) = match codec {
            Codec::Mp4 => (MP4, ""),
            Codec::WebM { alpha: false } => (WEBM, WEBM_OPAQUE),
            Codec::WebM { alpha: true } => (WEBM, WEBM_ALPHA),
        };
        let words = [input.as_str(), COLORS, encoder, pixels];
        let words = words.into_iter().flat_map(str::split_whitespace);
        // With its protocol, a name with a colon is a file too.
        let mut output = OsString::from("file:");
        output.push(path);
        let program = find()?;
        let mut command = Command::new(&program);
        command.args(words).arg(&output);
        command.stdin(Stdio::piped()).stdout(Stdio::null());
        let started = command.stderr(Stdio::piped()).spawn();
        let mut child =
            started.with_context(|| format!("{} could not be started", program.display()))?;
        let messages = child.stderr.take().map(|mut stderr| {
            thread::spawn(move || {
                let mut messages = Vec::new();
                stderr.read_to_end(&mut messages).ok(); // What was read is shown.
                String::from_utf8_lossy(&messages).into_owned()
            })
        });
        Ok(Self {
            stdin: child.stdin.take(),
            child,
            messages,
        })
    }

    /// Appends a picture.
    pub fn push(&mut self, picture: &RgbaImage) -> Result<()> {
        let written = match &mut self.stdin {
            Some(stdin) => stdin.write_all(picture.as_raw()),
            None => Ok(()),
        };
        if written.is_err() {
            self.finish()?; // It ended early, and says why.
        }
        written.context("ffmpeg ended before the last picture")
    }

    /// Waits until everything is encoded.
    pub fn finish(&mut self) -> Result<()> {
        self.stdin = None;
        let messages = self
            .messages
            .take()
            .and_then(|messages| messages.join().ok());
        let status = self.child.wait()?;
        if status.success() {
            return Ok(());
        }
        let messages = messages.unwrap_or_default();
        let lines: Vec<&str> = messages.lines().collect();
        let last = lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n");
        bail!("ffmpeg failed ({status}): {last}")
    }
}

impl Drop for Video {
    fn drop(&mut self) {
        // Both fail if it has ended.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
