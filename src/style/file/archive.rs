//! Named files in a zip archive, in a folder or in the program. What is read of them takes at most
//! about 8 times their bytes plus 256 MB, as of heads.

use super::FileErrorKind;
use crate::files::{ShippedFile, disk as fs, is_dir, read_inside, read_plain, write_whole};
use crate::head::{Budget, Limits};
use crate::zip_file::{open_zip, read_entry, take};
use std::io::{self, Cursor, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Extension of style files.
pub(super) const EXTENSION: &str = "mohawk";
/// The file that names the others.
pub(super) const MANIFEST: &str = "style.toml";
/// Largest text and largest other file in a style, bytes.
const MAX_TEXT: u64 = 1 << 20;
pub(super) const MAX_BYTES: u64 = 2 << 30;
/// A model may unpack to so many times its bytes in the archive, and to these bytes more: as a head
/// it takes memory by its unpacked bytes.
const MODEL: [u64; 2] = [4, 32 << 20];

/// Files that ship with the program.
pub(crate) type Files = &'static [ShippedFile];

/// An archive to read from.
pub(super) struct Archive {
    place: Place,
    /// The memory that may be taken. What is read is charged to it first.
    pub(super) budget: Budget,
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
            budget: Budget::new(&Limits::default(), MAX_BYTES),
            folder: PathBuf::new(),
        }
    }

    pub(super) fn open(path: &Path) -> Result<Self, FileErrorKind> {
        let (mut folder, mut place) = (parent(path), Place::Folder);
        let mut packed = 0;
        if is_dir(path) {
            folder = path.to_owned();
        } else if !is_manifest(path) {
            let bytes = read_plain(path, MAX_BYTES).map_err(FileErrorKind::Read)?;
            packed = bytes.len() as u64;
            let opened = open_zip(bytes).map_err(|error| {
                let problem = format!("it is damaged, or no .mohawk file at all ({error})");
                FileErrorKind::NoStyle(problem)
            })?;
            place = Place::Zip(opened);
        }
        Ok(Archive {
            place,
            budget: Budget::new(&Limits::default(), packed),
            folder,
        })
    }

    /// Reads a file of at most `max` bytes, which stay charged until [`release`](Self::release).
    pub(super) fn read(&mut self, name: &str, max: u64) -> Result<Vec<u8>, FileErrorKind> {
        let is_plain = |part| matches!(part, Component::Normal(_));
        let is_inside = !name.is_empty() && Path::new(name).components().all(is_plain);
        let read = match &mut self.place {
            _ if !is_inside => Err("names a place outside of it".into()),
            Place::Zip(zip) => read_entry(zip, name, max, &self.budget),
            Place::Folder => read_inside(&self.folder, name.as_ref(), max)
                .inspect(|bytes| self.budget.add_input(bytes.len() as u64))
                .map_err(|error| format!("cannot be read: {error}")),
            Place::Program(files) => (files.iter().find(|file| file.name == name))
                .map(|file| file.bytes().to_vec())
                .ok_or_else(|| "cannot be read: it is not there".into()),
        };
        let name = name.to_owned();
        read.map_err(|problem| FileErrorKind::Entry(name, problem))
    }

    /// Drops what [`read`](Self::read) returned.
    pub(super) fn release(&self, bytes: Vec<u8>) {
        if let Place::Zip(_) = self.place {
            self.budget.give_back(bytes.len() as u64, 1);
        }
    }

    /// Reads a model.
    pub(super) fn model(&mut self, name: &str) -> Result<Arc<[u8]>, FileErrorKind> {
        let wrong = |problem: &str| FileErrorKind::Entry(name.to_owned(), problem.to_owned());
        if let Place::Zip(zip) = &mut self.place
            && let Ok(file) = zip.by_name(name)
            && !is_fair_model(file.size(), file.compressed_size())
        {
            return Err(wrong(
                "unpacks to more than 4 times its bytes and 32 MiB. Store it without compression",
            ));
        }
        let bytes = self.read(name, MAX_BYTES)?;
        // It is copied.
        take(&self.budget, bytes.len() as u64).map_err(|problem| wrong(&problem))?;
        let model = Arc::from(&bytes[..]);
        self.budget.give_back(bytes.len() as u64, 1);
        Ok(model)
    }

    /// Reads a text file.
    pub(super) fn text(&mut self, name: &str) -> Result<String, FileErrorKind> {
        let bytes = self.read(name, MAX_TEXT)?;
        String::from_utf8(bytes)
            .map_err(|_| FileErrorKind::Entry(name.to_owned(), "is not text".into()))
    }
}

fn is_fair_model(size: u64, packed: u64) -> bool {
    size <= packed.saturating_mul(MODEL[0]).saturating_add(MODEL[1])
}

/// Returns `true` if a style of these files, whose maps and edits take `memory` bytes, can be read
/// again: as `packed` in a zip archive, or in a folder.
pub(super) fn can_be_read(files: &[(String, Vec<u8>)], packed: Option<&[u8]>, memory: u64) -> bool {
    let bytes: u64 = files.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    let budget = match packed {
        None => Budget::new(&Limits::default(), bytes),
        Some(packed) => Budget::new(&Limits::default(), packed.len() as u64),
    };
    let (mut zip, unpacked) = match packed.map(open_zip) {
        None => (None, 0),
        Some(Err(_)) => return false,
        Some(Ok(zip)) => (Some(zip), bytes),
    };
    let is_fair = |(name, bytes): &(String, Vec<u8>)| {
        let file = zip.as_mut().and_then(|zip| zip.by_name(name).ok());
        file.is_none_or(|file| is_fair_model(bytes.len() as u64, file.compressed_size()))
    };
    let mut models = files.iter().filter(|(name, _)| name.ends_with(".glb"));
    models.all(is_fair) && take(&budget, unpacked.saturating_add(memory)).is_ok()
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

/// Writes files with these names in a folder, in their order: the manifest comes last. Each file is
/// written completely or not at all.
pub(super) fn save_in(folder: &Path, files: &[(String, Vec<u8>)]) -> io::Result<()> {
    for (name, bytes) in files {
        let file = folder.join(name);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        write_whole(&file, bytes)?;
    }
    Ok(())
}

/// Returns the bytes of a zip archive, the same for the same files.
pub(super) fn zipped(files: &[(String, Vec<u8>)], is_plain: bool) -> io::Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        // PNG is compressed already.
        let method = match is_plain || name.ends_with(".png") {
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
