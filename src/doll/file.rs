//! The doll, and its file in JSON.

use super::clip::{Clip, MAX_CLIPS, MAX_CLIPS_PER_HAIR};
use super::figure::PAGE;
use super::grow;
use super::hair::{Curve, DollHair, HeldPiece};
use super::settings::DollSettings;
use crate::autosave::Unsaved;
use crate::files::{read_plain, write_whole};
use crate::settings::SettingError;
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The version of the file format.
const VERSION: u32 = 1;
/// Largest size of a file, bytes: ten times that of 5,000 hairs in four clips each.
const MAX_BYTES: u64 = 64 << 20;
/// Largest coordinate and length, pixels.
const MAX_COORDINATE: f64 = 1e6;

/// A doll.
#[derive(Clone, Debug, PartialEq)]
pub struct Doll {
    /// The settings that its hair grew from.
    pub settings: DollSettings,
    /// Its hairs: those of the back, then those of the fringe.
    pub hairs: Vec<DollHair>,
    /// Its clips.
    pub clips: Vec<Clip>,
}

/// An error of reading or writing a doll.
#[derive(Debug, thiserror::Error)]
pub enum DollError {
    /// The file cannot be read.
    #[error("{file} cannot be read: {source}")]
    Read {
        /// The path of the file.
        file: String,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The file cannot be written.
    #[error("{file} cannot be written: {source}")]
    Write {
        /// The path of the file.
        file: String,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The file is not a doll, or is damaged.
    #[error("{file} is not a doll that can be opened: {problem}")]
    Content {
        /// The path of the file.
        file: String,
        /// The problem.
        problem: String,
    },
}

/// The content of a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    /// Width and height of the page of all coordinates, pixels.
    page: [u32; 2],
    settings: DollSettings,
    clips: Vec<Clip>,
    hairs: Vec<HairRecord>,
}

/// A hair in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HairRecord {
    from: DVec2,
    mid: DVec2,
    to: DVec2,
    length: f64,
    color: [f32; 3],
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    held: Vec<HeldPiece>,
}

impl Doll {
    /// Returns a doll with hair as it grows.
    ///
    /// # Errors
    /// [`SettingError`] if a setting is out of its range.
    pub fn grown(settings: DollSettings) -> Result<Self, SettingError> {
        settings.validate()?;
        Ok(Self {
            hairs: grow::grow(&settings),
            settings,
            clips: Vec::new(),
        })
    }

    /// Reads a doll from a file.
    ///
    /// # Errors
    ///
    /// [`DollError`] if the file cannot be read, is not JSON, or is not a valid doll.
    pub fn open(path: &Path) -> Result<Self, DollError> {
        let file = path.display().to_string();
        let bytes = match read_plain(path, MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(source) => return Err(DollError::Read { file, source }),
        };
        Self::from_json(&bytes).map_err(|problem| DollError::Content { file, problem })
    }

    /// Writes the doll to a file, whole or not at all.
    ///
    /// # Errors
    /// [`DollError::Write`].
    pub fn save(&self, path: &Path) -> Result<(), DollError> {
        write_whole(path, self.to_json().as_bytes()).map_err(|source| DollError::Write {
            file: path.display().to_string(),
            source,
        })
    }

    /// Returns the text of its file, one line per hair.
    pub fn to_json(&self) -> String {
        let line = |value: serde_json::Result<String>| value.unwrap_or_default();
        let lines = |lines: Vec<String>| match lines.is_empty() {
            true => "[]".to_owned(),
            false => format!("[\n  {}\n]", lines.join(",\n  ")),
        };
        let clips = self.clips.iter().map(serde_json::to_string);
        let hairs = self.hairs.iter().map(|hair| {
            serde_json::to_string(&HairRecord {
                from: hair.curve.from,
                mid: hair.curve.mid,
                to: hair.curve.to,
                length: hair.length,
                color: hair.color,
                held: hair.held.clone(),
            })
        });
        format!(
            "{{\n\"version\": {VERSION},\n\"page\": {PAGE:?},\n\"settings\": {},\n\"clips\": {},\n\"hairs\": {}\n}}\n",
            line(serde_json::to_string(&self.settings)),
            lines(clips.map(line).collect()),
            lines(hairs.map(line).collect()),
        )
    }

    /// Reads the text that [`to_json`](Self::to_json) writes. The error is a message about the
    /// content.
    fn from_json(bytes: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let say = |error: serde_json::Error| error.to_string();
        let Version { version } = serde_json::from_slice(bytes).map_err(say)?;
        if version != VERSION {
            return Err(format!(
                "it has \"version\": {version}, and this program reads version {VERSION}"
            ));
        }
        let document: Document = serde_json::from_slice(bytes).map_err(say)?;
        if document.page != PAGE {
            let [width, height] = document.page;
            return Err(format!(
                "its page is {width} x {height}, and this program's is {} x {}",
                PAGE[0], PAGE[1]
            ));
        }
        let settings = document.settings;
        settings.validate().map_err(|error| error.to_string())?;
        if document.hairs.len() != settings.hairs as usize {
            let (is, says) = (document.hairs.len(), settings.hairs);
            return Err(format!("it has {is} hairs, and its settings say {says}"));
        }
        check_clips(&document.clips)?;
        let mut hairs = Vec::with_capacity(document.hairs.len());
        for (number, strand) in document.hairs.into_iter().enumerate() {
            let hair = strand.checked(&document.clips);
            hairs.push(hair.map_err(|problem| format!("hair {}: {problem}", number + 1))?);
        }
        Ok(Self {
            settings,
            hairs,
            clips: document.clips,
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

impl HairRecord {
    /// Returns the hair, pulled back within its length, or a message about its first invalid value.
    fn checked(self, clips: &[Clip]) -> Result<DollHair, String> {
        let is_length = |length: f64| length > 0.0 && length <= MAX_COORDINATE;
        if self.held.len() > MAX_CLIPS_PER_HAIR {
            return Err(format!("more than {MAX_CLIPS_PER_HAIR} clips hold it"));
        }
        for (i, held) in self.held.iter().enumerate() {
            let is_known = clips.iter().any(|clip| clip.number == held.clip);
            if !is_known || self.held[..i].iter().any(|h| h.clip == held.clip) {
                return Err(format!("there is no clip {} to hold it", held.clip));
            }
            if !(is_place(held.from) && is_place(held.mid) && is_length(held.length)) {
                return Err("a held piece is too far away or has no length".into());
            }
        }
        if ![self.from, self.mid, self.to].into_iter().all(is_place) {
            return Err("\"from\", \"mid\" or \"to\" is too far away".into());
        }
        if !is_length(self.length) {
            let length = self.length;
            return Err(format!(
                "\"length\" must be above 0 to {MAX_COORDINATE}, not {length:e}"
            ));
        }
        check_color(self.color)?;
        let mut hair = DollHair {
            held: self.held,
            curve: Curve {
                from: self.from,
                mid: self.mid,
                to: self.to,
            },
            length: self.length,
            color: self.color,
        };
        // Rounding of the chord does not change a hair.
        if hair.curve.from.distance(hair.curve.to) > hair.length * (1.0 + 1e-12) {
            hair.settle();
        }
        Ok(hair)
    }
}

/// Returns `true` if a point is finite and within [`MAX_COORDINATE`].
fn is_place(place: DVec2) -> bool {
    place.abs().max_element() <= MAX_COORDINATE && place.is_finite()
}

fn check_color(color: [f32; 3]) -> Result<(), String> {
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
