//! Named files in a zip archive or a folder.

use super::{EXTENSION, FileErrorKind, MANIFEST, MAX_BYTES, MAX_TEXT};
use crate::files::{read_plain, write_whole};
use std::fs;
use std::io::{self, Cursor, Read, Write};
use std::path::{Component, Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// An archive to read from.
pub(super) enum Archive {
    Zip {
        zip: ZipArchive<Cursor<Vec<u8>>>,
        /// The folder of the archive.
        folder: PathBuf,
    },
    Folder(PathBuf),
}

impl Archive {
    pub(super) fn open(path: &Path) -> Result<Self, FileErrorKind> {
        if path.is_dir() {
            return Ok(Archive::Folder(path.to_owned()));
        }
        if path.file_name().is_some_and(|name| name == MANIFEST) {
            return Ok(Archive::Folder(parent(path)));
        }
        let bytes = read_plain(path, MAX_BYTES).map_err(FileErrorKind::Read)?;
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| {
            FileErrorKind::NoStyle(format!(
                "it is damaged, or no .mohawk file at all ({error})"
            ))
        })?;
        Ok(Archive::Zip {
            zip,
            folder: parent(path),
        })
    }

    /// Reads a file of at most `max` bytes.
    pub(super) fn read(&mut self, name: &str, max: u64) -> Result<Vec<u8>, FileErrorKind> {
        let problem = |problem: String| FileErrorKind::Entry {
            name: name.to_owned(),
            problem,
        };
        if !is_inside(name) {
            return Err(problem("names a place outside of it".into()));
        }
        match self {
            Archive::Zip { zip, .. } => {
                let file = zip.by_name(name);
                let file = file.map_err(|error| problem(format!("cannot be read: {error}")))?;
                let mut bytes = Vec::new();
                // The size in the archive may be wrong.
                let read = file.take(max + 1).read_to_end(&mut bytes);
                read.map_err(|error| problem(format!("is damaged: {error}")))?;
                if bytes.len() as u64 > max {
                    return Err(problem(format!("is larger than {} MiB", max >> 20)));
                }
                Ok(bytes)
            }
            Archive::Folder(folder) => {
                let read = read_plain(&folder.join(name), max);
                read.map_err(|error| problem(format!("cannot be read: {error}")))
            }
        }
    }

    /// Reads a text file.
    pub(super) fn text(&mut self, name: &str) -> Result<String, FileErrorKind> {
        let bytes = self.read(name, MAX_TEXT)?;
        String::from_utf8(bytes).map_err(|_| FileErrorKind::Entry {
            name: name.to_owned(),
            problem: "is not text".into(),
        })
    }

    /// Returns the path of a file whose name is relative to the style.
    pub(super) fn beside(&self, name: &str) -> PathBuf {
        match self {
            Archive::Zip { folder, .. } | Archive::Folder(folder) => folder.join(name),
        }
    }
}

/// Whether a name stays inside the archive.
fn is_inside(name: &str) -> bool {
    let is_plain = |part| matches!(part, Component::Normal(_));
    !name.is_empty() && Path::new(name).components().all(is_plain)
}

fn parent(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).to_owned()
}

/// Returns the name of a file in a style at `path`: relative if it lies in the folder of the style,
/// else absolute.
pub(super) fn from_beside(path: &Path, file: &Path) -> String {
    let whole = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match is_archive(path) {
        true => parent(path),
        false => path.to_owned(),
    };
    let folder = match folder.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => folder,
    };
    let (folder, file) = (whole(&folder), whole(file));
    let name = file.strip_prefix(&folder).unwrap_or(&file);
    name.to_string_lossy().into_owned()
}

fn is_archive(path: &Path) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case(EXTENSION))
}

/// The files of an archive to write.
#[derive(Default)]
pub(super) struct NewArchive(Vec<(String, Vec<u8>)>);

impl NewArchive {
    pub(super) fn add(&mut self, name: &str, bytes: impl Into<Vec<u8>>) {
        self.0.push((name.to_owned(), bytes.into()));
    }

    /// Writes a `.mohawk` file, or a folder, whose manifest is written last. Each file is written
    /// completely or not at all.
    pub(super) fn save(self, path: &Path) -> io::Result<()> {
        if is_archive(path) {
            return write_whole(path, &self.zipped()?);
        }
        for (name, bytes) in &self.0 {
            let file = path.join(name);
            if let Some(folder) = file.parent() {
                fs::create_dir_all(folder)?;
            }
            write_whole(&file, bytes)?;
        }
        Ok(())
    }

    /// Returns the bytes of a zip archive, the same for the same files.
    pub(super) fn zipped(self) -> io::Result<Vec<u8>> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in &self.0 {
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
}
