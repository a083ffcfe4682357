//! Style files: a `.mohawk` file, which is a zip archive, or a folder with the same content.
//!
//! ```text
//! style.toml        version, model, and the names of what follows
//! settings.toml     every setting, as `mohawk --print-config` writes it
//! maps/density.png  16-bit grey, or RGB
//! edits.npz         changes to single strands
//! model.glb         the model, if it is embedded
//! ```

mod archive;
mod npz;

use super::contents::{Edits, Style};
use crate::autosave::Unsaved;
use crate::config::{Config, ConfigError};
use crate::files;
use crate::head::Model;
use crate::maps::{Map, MapError, MapKind};
use archive::{Archive, EXTENSION, MANIFEST, MAX_BYTES};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The version of style files that this program reads and writes.
const VERSION: i64 = 1;
const SETTINGS: &str = "settings.toml";
const EDITS: &str = "edits.npz";
const MODEL: &str = "model.glb";

/// A style as it is saved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Saved {
    /// The style.
    pub style: Style,
    /// The head that it is for.
    pub model: Model,
    /// The roots of edited strands, head space. On another head they are elsewhere.
    pub roots: BTreeMap<u32, Vec3>,
}

/// An error of a style file, which may be a folder.
pub type FileError = files::FileError<FileErrorKind>;

/// A problem of a style file.
#[derive(Debug, thiserror::Error)]
pub enum FileErrorKind {
    /// The file does not exist, or cannot be read.
    #[error("cannot be read: {0}")]
    Read(io::Error),
    /// The file is not a style.
    #[error("is no style: {0}")]
    NoStyle(String),
    /// A file in the style is missing or broken: its name, and the problem.
    #[error("{0} in it {1}")]
    Entry(String, String),
    /// The file is of this version, which the program does not read.
    #[error("is version {0}, and this program reads version {VERSION}; a newer mohawk may read it")]
    Version(i64),
    /// The settings are invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A map is invalid.
    #[error(transparent)]
    Map(#[from] MapError),
    /// The file cannot be written; an existing one stays.
    #[error("cannot be written: {0}")]
    Write(io::Error),
}

/// The content of `style.toml`.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    version: i64,
    settings: String,
    /// Absent for the shipped head.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    model_embedded: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    edits: Option<String>,
    #[serde(default)]
    maps: BTreeMap<MapKind, String>,
}

impl Saved {
    /// Returns `true` if a path names a style: a `.mohawk` file, a folder with a `style.toml`, or
    /// that file.
    pub fn is_named(path: &Path) -> bool {
        archive::is_zip(path) || archive::is_manifest(path) || path.join(MANIFEST).is_file()
    }

    /// Reads a style: a `.mohawk` file, a folder, or the `style.toml` in one.
    ///
    /// # Errors
    ///
    /// [`FileError`]: what is wrong, and with which file in the style. The model is not read yet.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        read(path).map_err(FileError::of(path.display()))
    }

    /// Writes a style completely or not at all: a `.mohawk` file, or a folder if the name has
    /// another extension.
    ///
    /// # Errors
    ///
    /// [`FileError`]: the style cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        write(self, path).map_err(FileError::of(path.display()))
    }
}

fn read(path: &Path) -> Result<Saved, FileErrorKind> {
    let mut archive = Archive::open(path)?;
    let text = archive.text(MANIFEST)?;
    /// Checked first, as other versions may have other fields.
    #[derive(Deserialize)]
    struct Version {
        version: i64,
    }
    let wrong = |error: toml::de::Error| {
        let problem = format!("is not understood: {}", error.to_string().trim_end());
        FileErrorKind::Entry(MANIFEST.to_owned(), problem)
    };
    let Version { version } = toml::from_str(&text).map_err(wrong)?;
    if version != VERSION {
        return Err(FileErrorKind::Version(version));
    }
    let manifest: Manifest = toml::from_str(&text).map_err(wrong)?;
    let config = Config::from_toml(&manifest.settings, &archive.text(&manifest.settings)?)?;
    let mut maps = BTreeMap::new();
    for (&kind, name) in &manifest.maps {
        let map = Map::from_bytes(kind, &archive.read(name, MAX_BYTES)?)?;
        maps.insert(kind, Arc::new(map));
    }
    let (mut edits, mut roots) = (Edits::default(), BTreeMap::new());
    if let Some(name) = &manifest.edits {
        let bytes = archive.read(name, MAX_BYTES)?;
        let problem = |problem| FileErrorKind::Entry(name.clone(), problem);
        (edits, roots) = npz::read(&bytes).map_err(problem)?;
    }
    let model = match manifest.model {
        None => Model::Shipped,
        Some(name) if manifest.model_embedded => {
            Model::Embedded(archive.read(&name, MAX_BYTES)?.into())
        }
        Some(name) => Model::File(archive.folder.join(name)),
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
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let style = &saved.style;
    let mut manifest = Manifest {
        version: VERSION,
        settings: SETTINGS.into(),
        ..Manifest::default()
    };
    files.push((SETTINGS.into(), style.config.to_toml()?.into()));
    for (&kind, map) in &style.maps {
        let name = format!("maps/{}.png", kind.name());
        files.push((name.clone(), map.to_png()?));
        manifest.maps.insert(kind, name);
    }
    if !style.edits.is_empty() {
        let bytes = npz::write(&style.edits, &saved.roots).map_err(FileErrorKind::Write)?;
        files.push((EDITS.into(), bytes));
        manifest.edits = Some(EDITS.into());
    }
    match &saved.model {
        Model::Shipped => {}
        Model::File(model) => manifest.model = Some(archive::from_beside(path, model)),
        Model::Embedded(bytes) => {
            files.push((MODEL.into(), bytes.to_vec()));
            (manifest.model, manifest.model_embedded) = (Some(MODEL.into()), true);
        }
    }
    let text = toml::to_string(&manifest).map_err(ConfigError::from)?;
    let head = "# A style of mohawk (https://docs.rs/mohawk): docs/styling.md describes it.\n";
    files.push((MANIFEST.into(), format!("{head}{text}").into()));
    archive::save(path, &files).map_err(FileErrorKind::Write)
}

impl Unsaved for Saved {
    const FOLDER: &'static str = "autosave";
    const EXTENSION: &'static str = EXTENSION;

    /// Makes the path of the model absolute: it may be relative to the working folder.
    fn write(&self, file: &Path) -> io::Result<()> {
        let saved = match &self.model {
            Model::File(model) if model.is_relative() => Saved {
                model: Model::File(std::path::absolute(model)?),
                ..self.clone()
            }
            .save(file),
            _ => self.save(file),
        };
        saved.map_err(io::Error::other)
    }
}
