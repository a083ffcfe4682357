//! The doll, and its file in JSON.

use super::clip::{Clip, MAX_CLIPS, MAX_CLIPS_PER_HAIR};
use super::figure::PAGE;
use super::grow::{self, DollSettings};
use super::hair::{Curve, DollHair};
use crate::autosave::Unsaved;
use crate::files::{read_plain, write_whole};
use crate::settings::SettingError;
use crate::strokes::{self, VERSION};
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Largest size of a file, bytes: ten times that of 5,000 hairs in four clips each.
const MAX_BYTES: u64 = 64 << 20;
/// Largest coordinate and length, pixels.
const MAX_COORDINATE: f64 = 1e6;

/// A doll.
#[derive(Clone, Debug, PartialEq)]
pub struct Doll {
    /// The settings that its hair grew from.
    pub settings: DollSettings,
    /// The hairs: those of the back, then those of the fringe.
    pub hairs: Vec<DollHair>,
    /// The clips.
    pub clips: Vec<Clip>,
}

/// An error of reading or writing a doll: the path of its file, and the problem.
#[derive(Debug, thiserror::Error)]
pub enum DollError {
    /// The file cannot be read.
    #[error("{0} cannot be read: {1}")]
    Read(String, std::io::Error),
    /// The file cannot be written.
    #[error("{0} cannot be written: {1}")]
    Write(String, std::io::Error),
    /// The file is not a doll, or is damaged.
    #[error("{0} is not a doll that can be opened: {1}")]
    Content(String, String),
}

/// The content of a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(rename = "version")]
    _version: u32,
    /// Width and height of the page of all coordinates, pixels.
    page: [u32; 2],
    settings: DollSettings,
    clips: Vec<Clip>,
    hairs: Vec<DollHair>,
}

impl Doll {
    /// Returns a doll with hair as it grows.
    ///
    /// # Errors
    /// [`SettingError`] if a setting is out of its range.
    pub fn grown(settings: DollSettings) -> Result<Self, SettingError> {
        settings.validate()?;
        Ok(Self::fresh(settings))
    }

    /// Returns a doll with hair as it grows by valid settings.
    pub(super) fn fresh(settings: DollSettings) -> Self {
        let grown = (0..settings.hairs as usize).map(|number| grow::hair(&settings, number));
        Self {
            hairs: grown.collect(),
            settings,
            clips: Vec::new(),
        }
    }

    /// Reads a doll from a file.
    ///
    /// # Errors
    ///
    /// [`DollError`] if the file cannot be read, is not JSON, or is not a valid doll.
    pub fn open(path: &Path) -> Result<Self, DollError> {
        let file = || path.display().to_string();
        let bytes = read_plain(path, MAX_BYTES).map_err(|error| DollError::Read(file(), error))?;
        Self::from_json(&bytes).map_err(|problem| DollError::Content(file(), problem))
    }

    /// Writes the doll to a file, whole or not at all.
    ///
    /// # Errors
    /// [`DollError::Write`].
    pub fn save(&self, path: &Path) -> Result<(), DollError> {
        let written = write_whole(path, self.to_json().as_bytes());
        written.map_err(|error| DollError::Write(path.display().to_string(), error))
    }

    /// Returns the text of its file, one line per hair.
    pub fn to_json(&self) -> String {
        fn lines<T: Serialize>(items: &[T]) -> String {
            let lines: Vec<String> = items.iter().map(line).collect();
            match lines.is_empty() {
                true => "[]".to_owned(),
                false => format!("[\n  {}\n]", lines.join(",\n  ")),
            }
        }
        fn line<T: Serialize>(item: &T) -> String {
            serde_json::to_string(item).unwrap_or_default()
        }
        let (settings, clips, hairs) = (&self.settings, &self.clips, &self.hairs);
        let (settings, clips, hairs) = (line(settings), lines(clips), lines(hairs));
        format!(
            "{{\n\"version\": {VERSION},\n\"page\": {PAGE:?},\n\"settings\": {settings},\n\
             \"clips\": {clips},\n\"hairs\": {hairs}\n}}\n"
        )
    }

    /// Reads the text that [`to_json`](Self::to_json) writes. The error is a message about the
    /// content.
    fn from_json(bytes: &[u8]) -> Result<Self, String> {
        let document: Document = strokes::read(bytes).map_err(|error| error.to_string())?;
        let (page, settings) = (document.page, document.settings);
        let (clips, hairs) = (document.clips, document.hairs);
        if page != PAGE {
            let ([width, height], [own_width, own_height]) = (page, PAGE);
            return Err(format!(
                "its page is {width} x {height}, and this program's is {own_width} x {own_height}"
            ));
        }
        settings.validate().map_err(|error| error.to_string())?;
        let (count, said) = (hairs.len(), settings.hairs);
        if count != said as usize {
            return Err(format!("it has {count} hairs, and its settings say {said}"));
        }
        check_clips(&clips)?;
        let hairs = hairs.into_iter().zip(1..).map(|(hair, number)| {
            checked(hair, &clips).map_err(|problem| format!("hair {number}: {problem}"))
        });
        Ok(Self {
            hairs: hairs.collect::<Result<_, String>>()?,
            settings,
            clips,
        })
    }
}

fn check_clips(clips: &[Clip]) -> Result<(), String> {
    if clips.len() > MAX_CLIPS {
        return Err(format!("it has more than {MAX_CLIPS} clips"));
    }
    for (i, clip) in clips.iter().enumerate() {
        let wrong = |what: &str| format!("clip {}: {what}", i + 1);
        if !is_place(clip.at) {
            return Err(wrong("\"at\" is too far away"));
        }
        if !(clip.radius > 0.0 && clip.radius <= MAX_COORDINATE) {
            return Err(wrong(&format!(
                "\"radius\" must be above 0 to {MAX_COORDINATE}"
            )));
        }
        if clips[..i].iter().any(|other| other.number == clip.number) {
            return Err(wrong("another clip has its number"));
        }
        check_color(clip.color).map_err(|problem| wrong(&problem))?;
    }
    Ok(())
}

/// Returns a hair pulled back within its length, or a message about its first invalid value.
fn checked(mut hair: DollHair, clips: &[Clip]) -> Result<DollHair, String> {
    let is_length = |length: f64| length > 0.0 && length <= MAX_COORDINATE;
    if hair.held.len() > MAX_CLIPS_PER_HAIR {
        return Err(format!("more than {MAX_CLIPS_PER_HAIR} clips hold it"));
    }
    for (i, held) in hair.held.iter().enumerate() {
        let is_known = clips.iter().any(|clip| clip.number == held.clip);
        if !is_known || hair.held[..i].iter().any(|h| h.clip == held.clip) {
            return Err(format!("there is no clip {} to hold it", held.clip));
        }
        if !(is_place(held.from) && is_place(held.mid) && is_length(held.length)) {
            return Err("a held piece is too far away or has no length".into());
        }
    }
    let (Curve { from, mid, to }, length) = (hair.curve, hair.length);
    if ![from, mid, to].into_iter().all(is_place) {
        return Err("\"from\", \"mid\" or \"to\" is too far away".into());
    }
    if !is_length(length) {
        let range = format!("above 0 to {MAX_COORDINATE}");
        return Err(format!("\"length\" must be {range}, not {length:e}"));
    }
    check_color(hair.color)?;
    // Rounding of the chord does not change a hair.
    if from.distance(to) > length * (1.0 + 1e-12) {
        hair.settle();
    }
    Ok(hair)
}

/// Returns `true` if a point is finite and within [`MAX_COORDINATE`].
fn is_place(place: DVec2) -> bool {
    place.abs().max_element() <= MAX_COORDINATE && place.is_finite()
}

pub(super) fn check_color(color: [f32; 3]) -> Result<(), String> {
    match color.iter().all(|channel| (0.0..=1.0).contains(channel)) {
        true => Ok(()),
        false => Err("\"color\" must be red, green and blue, each 0 to 1".into()),
    }
}

impl Unsaved for Doll {
    const FOLDER: &'static str = "dolls";
    const EXTENSION: &'static str = "doll";

    fn write(&self, file: &Path) -> std::io::Result<()> {
        self.save(file).map_err(std::io::Error::other)
    }
}
