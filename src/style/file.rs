//! Styles as files: a `.mohawk` file, which is a zip archive, or a folder with the same in it.
//!
//! ```text
//! style.toml        version, model, and the names of what follows
//! settings.toml     every setting, as `mohawk --print-config` writes it
//! maps/density.png  16-bit grey, or RGB
//! edits.npz         what brushes have made of single strands
//! model.glb         where the model is embedded
//! ```

mod archive;
mod npz;

use super::contents::Style;
use super::edits::Edits;
use crate::autosave::Unsaved;
use crate::config::{Config, ConfigError};
use crate::head::{Head, HeadSettings, LoadError};
use crate::maps::{Map, MapError, MapKind};
use archive::{Archive, Made};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The version of the files that this program reads and writes.
const VERSION: i64 = 1;
/// What a `.mohawk` file is called.
const EXTENSION: &str = "mohawk";
/// The file that says what is where.
const MANIFEST: &str = "style.toml";
const SETTINGS: &str = "settings.toml";
const EDITS: &str = "edits.npz";
const MODEL: &str = "model.glb";
/// Largest texts, and largest of all else, bytes.
const MOST_TEXT: u64 = 1 << 20;
const MOST_BYTES: u64 = 2 << 30;

/// Which head a style is for.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Model {
    /// The one that ships with the program.
    #[default]
    Shipped,
    /// A file.
    File(PathBuf),
    /// In the style's own file, a `.glb`.
    Embedded(Arc<[u8]>),
}

impl Model {
    /// Reads the head.
    ///
    /// # Errors
    ///
    /// As [`Head::load`].
    pub fn load(&self, settings: &HeadSettings) -> Result<Head, LoadError> {
        match self {
            Model::Shipped => Head::shipped(settings),
            Model::File(path) => Head::load(path, settings),
            Model::Embedded(bytes) => Head::from_bytes(MODEL, bytes, settings),
        }
    }
}

/// A style as it was saved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Saved {
    /// What was saved.
    pub style: Style,
    /// Which head it is for.
    pub model: Model,
    /// Where the roots of edited strands were, head space: on another head they are elsewhere.
    pub roots: BTreeMap<u32, Vec3>,
}

/// Why a style could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {kind}")]
pub struct FileError {
    /// The file or the folder.
    pub file: String,
    /// What is wrong with it.
    pub kind: FileErrorKind,
}

/// What is wrong with a style's file.
#[derive(Debug, thiserror::Error)]
pub enum FileErrorKind {
    /// Not there, or not readable.
    #[error("cannot be read: {0}")]
    Read(io::Error),
    /// Some other file.
    #[error("is no style: {0}")]
    NoStyle(String),
    /// Something that the style names is not there, or is broken.
    #[error("{name} in it {problem}")]
    Entry {
        /// What the style calls it.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// A file of a newer program.
    #[error(
        "is version {found}, and this program reads version {VERSION}; a newer mohawk may read it"
    )]
    Version {
        /// As written in the file.
        found: i64,
    },
    /// The settings.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A map.
    #[error(transparent)]
    Map(#[from] MapError),
    /// Could not be written; what was there is as it was.
    #[error("cannot be written: {0}")]
    Write(io::Error),
}

/// `style.toml`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    version: i64,
    settings: String,
    /// Absent: the shipped head.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(default, skip_serializing_if = "is_false")]
    model_embedded: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    edits: Option<String>,
    #[serde(default)]
    maps: BTreeMap<MapKind, String>,
}

fn is_false(value: &bool) -> bool {
    !*value
}

impl Saved {
    /// Is this the name of a style: a `.mohawk` file, a folder with a `style.toml`, or that itself?
    pub fn is_named(path: &Path) -> bool {
        let extension = path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case(EXTENSION));
        let is_manifest = path.file_name().is_some_and(|name| name == MANIFEST);
        extension || is_manifest || path.join(MANIFEST).is_file()
    }

    /// Reads a style: a `.mohawk` file, a folder, or the `style.toml` in one.
    ///
    /// # Errors
    ///
    /// What is wrong with the file, or with which file in it. The model is not read yet.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        read(path).map_err(|kind| FileError {
            file: path.display().to_string(),
            kind,
        })
    }

    /// Writes a style, whole or not at all: a `.mohawk` file, or a folder where the name does not
    /// end in that.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        write(self, path).map_err(|kind| FileError {
            file: path.display().to_string(),
            kind,
        })
    }
}

fn read(path: &Path) -> Result<Saved, FileErrorKind> {
    let mut archive = Archive::open(path)?;
    let text = archive.text(MANIFEST)?;
    /// Told before the rest, which another version may spell otherwise.
    #[derive(Deserialize)]
    struct Version {
        version: i64,
    }
    let wrong = |name: &str| {
        let name = name.to_owned();
        move |error: toml::de::Error| FileErrorKind::Entry {
            name,
            problem: format!("is not understood: {}", error.to_string().trim_end()),
        }
    };
    let Version { version } = toml::from_str(&text).map_err(wrong(MANIFEST))?;
    if version != VERSION {
        return Err(FileErrorKind::Version { found: version });
    }
    let manifest: Manifest = toml::from_str(&text).map_err(wrong(MANIFEST))?;
    let config = Config::from_toml(&manifest.settings, &archive.text(&manifest.settings)?)?;
    let mut maps = BTreeMap::new();
    for (&kind, name) in &manifest.maps {
        let bytes = archive.read(name, MOST_BYTES)?;
        let map = Map::from_png(kind, &bytes)?;
        maps.insert(kind, Arc::new(map));
    }
    let (mut edits, mut roots) = (Edits::default(), BTreeMap::new());
    if let Some(name) = &manifest.edits {
        let bytes = archive.read(name, MOST_BYTES)?;
        let problem = |problem: String| FileErrorKind::Entry {
            name: name.clone(),
            problem,
        };
        (edits, roots) = npz::read(&bytes).map_err(problem)?;
    }
    let model = match manifest.model {
        None => Model::Shipped,
        Some(name) if manifest.model_embedded => {
            Model::Embedded(archive.read(&name, MOST_BYTES)?.into())
        }
        Some(name) => Model::File(archive.beside(&name)),
    };
    Ok(Saved {
        style: Style {
            config,
            maps,
            edits,
        },
        model,
        roots,
    })
}

fn write(saved: &Saved, path: &Path) -> Result<(), FileErrorKind> {
    let mut made = Made::default();
    let style = &saved.style;
    let mut manifest = Manifest {
        version: VERSION,
        settings: SETTINGS.into(),
        model: None,
        model_embedded: false,
        edits: None,
        maps: BTreeMap::new(),
    };
    made.add(SETTINGS, style.config.to_toml()?);
    for (&kind, map) in &style.maps {
        let name = format!("maps/{}.png", kind.name());
        made.add(&name, map.to_png()?);
        manifest.maps.insert(kind, name);
    }
    if !style.edits.is_empty() {
        let bytes = npz::write(&style.edits, &saved.roots).map_err(FileErrorKind::Write)?;
        made.add(EDITS, bytes);
        manifest.edits = Some(EDITS.into());
    }
    match &saved.model {
        Model::Shipped => {}
        Model::File(model) => manifest.model = Some(archive::from_beside(path, model)),
        Model::Embedded(bytes) => {
            made.add(MODEL, bytes.to_vec());
            (manifest.model, manifest.model_embedded) = (Some(MODEL.into()), true);
        }
    }
    let text = toml::to_string(&manifest).map_err(ConfigError::from)?;
    let head = "# A style of mohawk (https://docs.rs/mohawk): docs/styling.md says what is what.\n";
    made.add(MANIFEST, format!("{head}{text}"));
    made.save(path).map_err(FileErrorKind::Write)
}

impl Unsaved for Saved {
    const FOLDER: &'static str = "autosave";
    const EXTENSION: &'static str = EXTENSION;
    type Error = FileError;

    /// Its model's path may be relative to the working folder.
    fn write(&self, file: &Path) -> Result<(), FileError> {
        let whole = match &self.model {
            Model::File(model) => std::path::absolute(model)
                .ok()
                .filter(|whole| whole != model),
            _ => None,
        };
        match whole {
            Some(model) => Saved {
                model: Model::File(model),
                ..self.clone()
            }
            .save(file),
            None => self.save(file),
        }
    }

    fn failed(file: &Path, error: io::Error) -> FileError {
        FileError {
            file: file.display().to_string(),
            kind: FileErrorKind::Write(error),
        }
    }
}
