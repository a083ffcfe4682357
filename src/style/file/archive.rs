//! Named files in a zip archive, in a folder or in the program.

use super::FileErrorKind;
use crate::files::{read_plain, write_whole};
use std::fs;
use std::io::{self, Cursor, Read, Seek, Write};
use std::path::{Component, Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Extension of style files.
pub(super) const EXTENSION: &str = "mohawk";
/// The file that names the others.
pub(super) const MANIFEST: &str = "style.toml";
/// Largest text and largest other file in a style, bytes.
const MAX_TEXT: u64 = 1 << 20;
pub(super) const MAX_BYTES: u64 = 2 << 30;

/// Files that are compiled into the program, by name.
pub(crate) type Files = &'static [(&'static str, &'static [u8])];

/// An archive to read from.
pub(super) struct Archive {
    place: Place,
    /// The folder of the files, or of the zip archive: names of other files are relative to it.
    pub(super) folder: PathBuf,
}

enum Place {
    Zip(ZipArchive<Cursor<Vec<u8>>>),
    Folder,
    Program(Files),
}

impl Archive {
    pub(super) fn of_files(files: Files) -> Self {
        Archive {
            place: Place::Program(files),
            folder: PathBuf::new(),
        }
    }

    pub(super) fn open(path: &Path) -> Result<Self, FileErrorKind> {
        let (mut folder, mut place) = (parent(path), Place::Folder);
        if path.is_dir() {
            folder = path.to_owned();
        } else if !is_manifest(path) {
            let bytes = read_plain(path, MAX_BYTES).map_err(FileErrorKind::Read)?;
            let opened = ZipArchive::new(Cursor::new(bytes));
            place = Place::Zip(opened.map_err(|error| {
                let problem = format!("it is damaged, or no .mohawk file at all ({error})");
                FileErrorKind::NoStyle(problem)
            })?);
        }
        Ok(Archive { place, folder })
    }

    /// Reads a file of at most `max` bytes.
    pub(super) fn read(&mut self, name: &str, max: u64) -> Result<Vec<u8>, FileErrorKind> {
        let is_plain = |part| matches!(part, Component::Normal(_));
        let is_inside = !name.is_empty() && Path::new(name).components().all(is_plain);
        let read = match &mut self.place {
            _ if !is_inside => Err("names a place outside of it".into()),
            Place::Zip(zip) => read_entry(zip, name, max),
            Place::Folder => read_plain(&self.folder.join(name), max)
                .map_err(|error| format!("cannot be read: {error}")),
            Place::Program(files) => (files.iter().find(|(known, _)| *known == name))
                .map(|(_, bytes)| bytes.to_vec())
                .ok_or_else(|| "cannot be read: it is not there".into()),
        };
        let name = name.to_owned();
        read.map_err(|problem| FileErrorKind::Entry(name, problem))
    }

    /// Reads a text file.
    pub(super) fn text(&mut self, name: &str) -> Result<String, FileErrorKind> {
        let bytes = self.read(name, MAX_TEXT)?;
        String::from_utf8(bytes)
            .map_err(|_| FileErrorKind::Entry(name.to_owned(), "is not text".into()))
    }
}

/// Reads a file of at most `max` bytes in a zip archive. The error follows its name.
pub(super) fn read_entry<R: Read + Seek>(
    zip: &mut ZipArchive<R>,
    name: &str,
    max: u64,
) -> Result<Vec<u8>, String> {
    let file = zip.by_name(name);
    let file = file.map_err(|error| format!("cannot be read: {error}"))?;
    let mut bytes = Vec::new();
    // The size in the archive may be wrong.
    let read = file.take(max + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("is damaged: {error}"))?;
    match bytes.len() as u64 > max {
        true => Err(format!("is larger than {} MiB", max >> 20)),
        false => Ok(bytes),
    }
}

fn parent(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).to_owned()
}

/// Returns the name of a file in a style at `path`: relative if it lies in the folder of the style,
/// else absolute.
pub(super) fn from_beside(path: &Path, file: &Path) -> String {
    let whole = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match is_zip(path) {
        true => parent(path),
        false => path.to_owned(),
    };
    // An empty path is no folder.
    let (folder, file) = (whole(&Path::new(".").join(folder)), whole(file));
    let name = file.strip_prefix(&folder).unwrap_or(&file);
    name.to_string_lossy().into_owned()
}

/// Returns `true` if a path has the name of a zip archive.
pub(super) fn is_zip(path: &Path) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case(EXTENSION))
}

/// Returns `true` if a path has the name of the manifest in a folder.
pub(super) fn is_manifest(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == MANIFEST)
}

/// Writes files with these names as a `.mohawk` file, or in a folder, in their order: the manifest
/// comes last. Each file is written completely or not at all.
pub(super) fn save(path: &Path, files: &[(String, Vec<u8>)]) -> io::Result<()> {
    if is_zip(path) {
        return write_whole(path, &zipped(files)?);
    }
    for (name, bytes) in files {
        let file = path.join(name);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        write_whole(&file, bytes)?;
    }
    Ok(())
}

/// Returns the bytes of a zip archive, the same for the same files.
pub(super) fn zipped(files: &[(String, Vec<u8>)]) -> io::Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        // PNG is compressed already.
        let method = match name.ends_with(".png") {
            true => CompressionMethod::Stored,
            false => CompressionMethod::Deflated,
        };
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .large_file(bytes.len() > u32::MAX as usize / 2);
        zip.start_file(name.as_str(), options)?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}
