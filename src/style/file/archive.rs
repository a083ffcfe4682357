//! Files by name, in a zip archive or in a folder.

use super::{EXTENSION, FileErrorKind, MANIFEST, MOST_BYTES, MOST_TEXT};
use crate::files::{read_plain, write_whole};
use std::fs;
use std::io::{self, Cursor, Read, Write};
use std::path::{Component, Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Where to read from.
pub(super) enum Archive {
    Zip {
        zip: ZipArchive<Cursor<Vec<u8>>>,
        /// The folder that the file is in.
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
        let bytes = read_plain(path, MOST_BYTES).map_err(FileErrorKind::Read)?;
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

    /// A file in it, of at most so many bytes.
    pub(super) fn read(&mut self, name: &str, most: u64) -> Result<Vec<u8>, FileErrorKind> {
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
                // What the archive says of the size need not be true.
                let read = file.take(most + 1).read_to_end(&mut bytes);
                read.map_err(|error| problem(format!("is damaged: {error}")))?;
                if bytes.len() as u64 > most {
                    return Err(problem(format!("is larger than {} MiB", most >> 20)));
                }
                Ok(bytes)
            }
            Archive::Folder(folder) => {
                let read = read_plain(&folder.join(name), most);
                read.map_err(|error| problem(format!("cannot be read: {error}")))
            }
        }
    }

    pub(super) fn text(&mut self, name: &str) -> Result<String, FileErrorKind> {
        let bytes = self.read(name, MOST_TEXT)?;
        String::from_utf8(bytes).map_err(|_| FileErrorKind::Entry {
            name: name.to_owned(),
            problem: "is not text".into(),
        })
    }

    /// The path of a file that is named from here.
    pub(super) fn beside(&self, name: &str) -> PathBuf {
        match self {
            Archive::Zip { folder, .. } | Archive::Folder(folder) => folder.join(name),
        }
    }
}

/// A plain name without ways out of the folder.
fn is_inside(name: &str) -> bool {
    let is_plain = |part| matches!(part, Component::Normal(_));
    !name.is_empty() && Path::new(name).components().all(is_plain)
}

fn parent(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).to_owned()
}

/// How a style at `path` names a file: from its own folder if it is in there, else from the root.
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

/// What is to be written.
#[derive(Default)]
pub(super) struct Made(Vec<(String, Vec<u8>)>);

impl Made {
    pub(super) fn add(&mut self, name: &str, bytes: impl Into<Vec<u8>>) {
        self.0.push((name.to_owned(), bytes.into()));
    }

    /// Writes a `.mohawk` file, or a folder; of a folder, the manifest comes last and each file is
    /// whole or as it was.
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

    /// An archive: the same bytes for the same style.
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
