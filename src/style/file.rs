//! Style files: a `.mohawk` file, which is a zip archive, or a folder with the same content. Some
//! are compiled into the program.
//!
//! ```text
//! style.toml        version, model, a line about it, and the names of what follows
//! settings.toml     every setting, as `mohawk --print-config` writes it
//! maps/density.png  16-bit grey, or RGB: the base, if the map has layers
//! maps/density-1.png  the lowest layer: 16 bits with alpha
//! edits.npz         changes to single strands
//! thumbnail.png     a small picture of it
//! scene.toml        the scene that it is shown with, if that is not a named one
//! model.glb         the model, if it is embedded
//! ```

mod archive;
mod card;
mod layers;
mod npz;
mod write;

use super::contents::Style;
use super::imported::Imported;
use crate::config::{Config, ConfigError};
use crate::files;
use crate::head::{Model, ShippedModel};
use crate::maps::{MapError, MapKind};
use crate::sim::Scene;
use crate::strands::{StrandsError, StrandsErrorKind};
use crate::told::{parser_text, short};
pub(crate) use archive::Files;
use archive::{Archive, MANIFEST, MAX_BYTES};
pub use card::Card;
use card::CardScene;
use glam::Vec3;
use layers::LayerEntry;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The version of style files that this program reads and writes.
const VERSION: i64 = 1;
/// The file in a style of its settings.
const SETTINGS: &str = "settings.toml";
/// The file in a style of the strands that were edited by hand.
const EDITS: &str = "edits.npz";
/// The file in a style of its embedded model.
const MODEL: &str = "model.glb";
/// The file in a style of the picture that lists show.
const THUMBNAIL: &str = "thumbnail.png";

/// A style as it is saved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Saved {
    /// The style.
    pub style: Style,
    /// The head that it is for.
    pub model: Model,
    /// The roots of edited strands, head space. On another head they are elsewhere.
    pub roots: BTreeMap<u32, Vec3>,
    /// The line, the picture and the scene that lists show of it.
    pub card: Card,
    /// Strands of a file, which become its hair on the head that it is opened on.
    pub strands: Option<Arc<Imported>>,
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
    #[error("{name} in it {1}", name = short(.0))]
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
    /// The file of strands cannot be read.
    #[error(transparent)]
    Strands(#[from] StrandsErrorKind),
    /// The file cannot be written; an existing one stays.
    #[error("cannot be written: {0}")]
    Write(io::Error),
}

impl From<StrandsError> for FileError {
    fn from(error: StrandsError) -> Self {
        let kind = error.kind.into();
        Self {
            kind,
            file: error.file,
        }
    }
}

/// The content of `style.toml`.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    version: i64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    about: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    thumbnail: Option<String>,
    settings: String,
    /// The name of a scene, or of a scene file in the style.
    #[serde(skip_serializing_if = "Option::is_none")]
    scene: Option<String>,
    /// Absent for the shipped head.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// `true` if the model is one of those that ship with the program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    model_shipped: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    model_embedded: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    edits: Option<String>,
    #[serde(default)]
    maps: BTreeMap<MapKind, String>,
    /// The layers of maps, from the lowest to the highest.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    layers: BTreeMap<MapKind, Vec<LayerEntry>>,
}

impl Saved {
    /// Returns `true` if there are neither maps nor edits nor strands, only settings.
    pub fn is_plain(&self) -> bool {
        self.style.is_plain() && self.strands.is_none()
    }

    /// Returns `true` if a path names a style: a `.mohawk` file, a folder with a `style.toml`, or
    /// that file.
    pub fn is_named(path: &Path) -> bool {
        archive::is_zip(path) || archive::is_manifest(path) || files::is_file(&path.join(MANIFEST))
    }

    /// Returns the files of a style that is a folder, as far as its `style.toml` can be read.
    pub fn files_of(path: &Path) -> Vec<PathBuf> {
        if archive::is_zip(path) || !Self::is_named(path) {
            return Vec::new();
        }
        let files = StyleFile::read(path, |file| Ok(file.files()));
        files.unwrap_or_default()
    }

    /// Reads a style: a `.mohawk` file, a folder, or the `style.toml` in one.
    ///
    /// # Errors
    ///
    /// [`FileError`]: what is wrong, and with which file in the style. The model is not read yet.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        StyleFile::read(path, StyleFile::saved)
    }

    /// Returns the settings of the style for another model, and what belongs to its own model and is
    /// left out. If both models are the same, nothing is.
    pub fn on_model(mut self, model: Model) -> (Self, Option<String>) {
        if self.model.is_same(&model) {
            return (Saved { model, ..self }, None);
        }
        if self.strands.is_some() || self.style.edits.roots.is_some() {
            self.style.config.leave_air();
        }
        if self.strands.is_some() {
            return (Saved { model, ..self }, None);
        }
        let maps: Vec<&str> = self.style.maps.keys().map(|kind| kind.name()).collect();
        let mut parts = Vec::new();
        if !maps.is_empty() {
            parts.push(format!("its maps ({})", maps.join(", ")));
        }
        if !self.style.edits.is_empty() {
            parts.push("the edits of its strands".to_owned());
        }
        let own = self.model.name().into_owned();
        let left_out = (!parts.is_empty())
            .then(|| format!("{} belong to {own} and are left out", parts.join(" and ")));
        let mut plain = Saved {
            model,
            ..Saved::default()
        };
        plain.style.config = self.style.config;
        (plain, left_out)
    }
}

/// The file of a style, of which the manifest has been read.
pub(crate) struct StyleFile {
    archive: Archive,
    manifest: Manifest,
}

impl StyleFile {
    /// Reads something of a style: a `.mohawk` file, a folder, or the `style.toml` in one.
    pub(crate) fn read<T>(
        path: &Path,
        what: impl FnOnce(&mut Self) -> Result<T, FileErrorKind>,
    ) -> Result<T, FileError> {
        let read = Archive::open(path)
            .and_then(Self::of)
            .and_then(|mut file| what(&mut file));
        read.map_err(FileError::of(path.display()))
    }

    /// Reads something of a style whose files are in the program, and which messages call `name`.
    pub(crate) fn read_files<T>(
        name: &str,
        files: Files,
        what: impl FnOnce(&mut Self) -> Result<T, FileErrorKind>,
    ) -> Result<T, FileError> {
        let read = Self::of(Archive::of_files(files)).and_then(|mut file| what(&mut file));
        read.map_err(FileError::of(name))
    }

    fn of(mut archive: Archive) -> Result<Self, FileErrorKind> {
        let text = archive.text(MANIFEST)?;
        /// Checked first, as other versions may have other fields.
        #[derive(Deserialize)]
        struct Version {
            version: i64,
        }
        let wrong = |error: toml::de::Error| {
            let problem = format!("is not understood: {}", parser_text(error));
            FileErrorKind::Entry(MANIFEST.to_owned(), problem)
        };
        let Version { version } = toml::from_str(&text).map_err(wrong)?;
        if version != VERSION {
            return Err(FileErrorKind::Version(version));
        }
        let manifest = toml::from_str(&text).map_err(wrong)?;
        Ok(Self { archive, manifest })
    }

    fn files(&self) -> Vec<PathBuf> {
        let Manifest {
            thumbnail,
            settings,
            scene,
            model,
            edits,
            ..
        } = &self.manifest;
        let layers = self.manifest.layers.values().flatten();
        let maps = (self.manifest.maps.values()).chain(layers.map(|layer| &layer.file));
        let named = [thumbnail, scene, model, edits].into_iter().flatten();
        let all = named.chain([settings]).chain(maps).map(String::as_str);
        let files = all.chain([MANIFEST]);
        files.map(|name| self.archive.folder.join(name)).collect()
    }

    /// Reads what a list shows of the style.
    pub(crate) fn card(&mut self) -> Result<Card, FileErrorKind> {
        let name = self.manifest.thumbnail.as_deref();
        let picture = name.map(|name| self.archive.read(name, card::MAX_BYTES));
        let scene = self.manifest.scene.as_ref().map(|name| {
            Ok::<_, FileErrorKind>(match name.parse::<Scene>() {
                Ok(scene) => CardScene::Named(scene),
                Err(_) => CardScene::File(name.clone(), self.archive.text(name)?.into()),
            })
        });
        let card = Card {
            about: self.manifest.about.clone(),
            thumbnail: picture.transpose()?.map(Arc::from),
            scene: scene.transpose()?,
        };
        card.check(name.unwrap_or_default())?;
        Ok(card)
    }

    /// Returns the model, which is not read unless it is embedded.
    pub(crate) fn model(&mut self) -> Result<Model, FileErrorKind> {
        Ok(match &self.manifest.model {
            None => Model::default(),
            Some(name) if self.manifest.model_shipped => Model::Shipped(shipped_model(name)?),
            Some(name) if self.manifest.model_embedded => {
                Model::Embedded(self.archive.model(name)?)
            }
            Some(name) => Model::File(self.archive.folder.join(name)),
        })
    }

    /// Reads all of it.
    pub(crate) fn saved(&mut self) -> Result<Saved, FileErrorKind> {
        let (card, model) = (self.card()?, self.model()?);
        let Self { archive, manifest } = self;
        let text = archive.text(&manifest.settings)?;
        let config = Config::from_toml(&short(&manifest.settings), &text)?;
        layers::check(manifest)?;
        let mut style = Style {
            config,
            ..Style::default()
        };
        for (&kind, name) in &manifest.maps {
            let base = layers::map_of(archive, name, kind, false)?;
            let entries = manifest.layers.get(&kind).map_or(&[][..], |all| all);
            let map = layers::read(archive, base, entries)?;
            style.put_map(kind, Some(map));
        }
        let mut roots = BTreeMap::new();
        if let Some(name) = &manifest.edits {
            let bytes = archive.read(name, MAX_BYTES)?;
            let problem = |problem| FileErrorKind::Entry(name.clone(), problem);
            (style.edits, roots) = npz::read(&bytes, &archive.budget).map_err(problem)?;
            archive.release(bytes);
        }
        Ok(Saved {
            style,
            model,
            roots,
            card,
            strands: None,
        })
    }
}

fn shipped_model(name: &str) -> Result<ShippedModel, FileErrorKind> {
    ShippedModel::named(name).ok_or_else(|| {
        let known: Vec<&str> = ShippedModel::names().collect();
        let problem = format!(
            "names the model {}, which this program does not have; it has {}",
            short(name),
            known.join(", ")
        );
        FileErrorKind::Entry(MANIFEST.to_owned(), problem)
    })
}

#[cfg(test)]
mod tests;
