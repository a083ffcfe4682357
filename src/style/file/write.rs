//! Writes style files.

use super::{
    CardScene, EDITS, FileError, FileErrorKind, MANIFEST, MODEL, Manifest, SETTINGS, Saved,
    THUMBNAIL, VERSION, archive, layers, npz,
};
use crate::autosave::Unsaved;
use crate::config::ConfigError;
use crate::files::{is_file, write_whole};
use crate::head::{HEAD_EXTENSIONS, Model};
use crate::strands::Format;
use glam::Vec3;
use std::ffi::OsStr;
use std::io;
use std::path::Path;

impl Saved {
    /// Writes a style: a `.mohawk` file, completely or not at all, or a folder if the name has another
    /// extension, whose files are each written so.
    ///
    /// # Errors
    ///
    /// [`FileError`]: the style cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        write(self, path).map_err(FileError::of(path.display()))
    }
}

fn write(saved: &Saved, path: &Path) -> Result<(), FileErrorKind> {
    // A folder may be named by its manifest, as when it is opened.
    let path = match path.parent() {
        Some(folder) if archive::is_manifest(path) && is_file(path) => folder,
        _ => path,
    };
    let of_head =
        |extension: &OsStr| (HEAD_EXTENSIONS.iter()).any(|e| extension.eq_ignore_ascii_case(e));
    let names_other = Format::of_path(path).is_some() || path.extension().is_some_and(of_head);
    if !archive::is_zip(path) && (names_other || is_file(path)) {
        let problem = "a style is a .mohawk file or a folder";
        return Err(FileErrorKind::Write(io::Error::other(problem)));
    }
    let memory = memory(saved);
    // A file that is compressed well may have fewer bytes than the memory to read it asks for.
    for is_plain in [false, true] {
        let files = files_of(saved, path, is_plain)?;
        let packed = archive::is_zip(path).then(|| archive::zipped(&files, is_plain));
        let packed = packed.transpose().map_err(FileErrorKind::Write)?;
        if !is_plain && !archive::can_be_read(&files, packed.as_deref(), memory) {
            continue;
        }
        let written = match packed {
            Some(bytes) => write_whole(path, &bytes),
            None => archive::save_in(path, &files),
        };
        return written.map_err(FileErrorKind::Write);
    }
    Ok(())
}

/// Returns the bytes of memory that maps and edits take while they are read.
fn memory(saved: &Saved) -> u64 {
    let roots = size_of::<(u32, Vec3)>() * saved.roots.len();
    let edits = npz::MEMORY * (saved.style.edits.bytes() + roots);
    (layers::memory(&saved.style) + edits) as u64
}

/// Returns the files of a style with their names, on demand without compression.
fn files_of(
    saved: &Saved,
    path: &Path,
    is_plain: bool,
) -> Result<Vec<(String, Vec<u8>)>, FileErrorKind> {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let style = &saved.style;
    let mut manifest = Manifest {
        version: VERSION,
        about: saved.card.about.clone(),
        settings: SETTINGS.into(),
        ..Manifest::default()
    };
    files.push((SETTINGS.into(), style.config.to_toml()?.into()));
    for (&kind, map) in &style.maps {
        let name = format!("maps/{}.png", kind.name());
        let layered = style.layered.get(&kind);
        let base = layered.map_or(map, |layered| layered.base());
        files.push((name.clone(), base.to_png_of(is_plain)?));
        manifest.maps.insert(kind, name);
        if let Some(layered) = layered {
            let entries = layers::write(kind, layered, &mut files, is_plain)?;
            manifest.layers.insert(kind, entries);
        }
    }
    if !style.edits.is_empty() {
        let bytes =
            npz::write(&style.edits, &saved.roots, is_plain).map_err(FileErrorKind::Write)?;
        files.push((EDITS.into(), bytes));
        manifest.edits = Some(EDITS.into());
    }
    match &saved.model {
        model if *model == Model::default() => {}
        Model::Shipped(model) => {
            manifest.model = Some(model.file_name().into());
            manifest.model_shipped = true;
        }
        Model::File(model) => manifest.model = Some(archive::from_beside(path, model)),
        Model::Embedded(bytes) => {
            files.push((MODEL.into(), bytes.to_vec()));
            (manifest.model, manifest.model_embedded) = (Some(MODEL.into()), true);
        }
    }
    match &saved.card.scene {
        Some(CardScene::Named(scene)) => manifest.scene = Some(scene.to_string()),
        Some(CardScene::File(name, text)) => {
            files.push((name.clone(), text.as_bytes().to_vec()));
            manifest.scene = Some(name.clone());
        }
        None => {}
    }
    if let Some(png) = &saved.card.thumbnail {
        files.push((THUMBNAIL.into(), png.to_vec()));
        manifest.thumbnail = Some(THUMBNAIL.into());
    }
    let text = toml::to_string(&manifest).map_err(ConfigError::from)?;
    let head = "# A style of mohawk (https://docs.rs/mohawk): docs/styling.md describes it.\n";
    files.push((MANIFEST.into(), format!("{head}{text}").into()));
    Ok(files)
}

impl Unsaved for Saved {
    const FOLDER: &'static str = "autosave";
    const EXTENSION: &'static str = archive::EXTENSION;

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
