//! Files in memory, with the names and meanings of `std::fs`.
//!
//! Functions fail if there is no such file or folder, and for no other reason.
//!
//! A page adds the files that people drop on it, and learns of those that the program writes.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use web_time::SystemTime;

/// The files by their whole paths. A folder exists as long as there is something in it.
static FILES: Mutex<BTreeMap<PathBuf, Stored>> = Mutex::new(BTreeMap::new());

/// Told of every file that is written, and with `None` of every one that is removed.
type Listener = fn(&Path, Option<&[u8]>);

static LISTENER: Mutex<Option<Listener>> = Mutex::new(None);

#[derive(Clone)]
struct Stored {
    bytes: Arc<Vec<u8>>,
    modified: SystemTime,
}

fn files() -> MutexGuard<'static, BTreeMap<PathBuf, Stored>> {
    FILES.lock().unwrap_or_else(|broken| broken.into_inner())
}

/// Calls `listener` from now on with every file that is written or removed.
pub fn listen(listener: Listener) {
    *LISTENER.lock().unwrap_or_else(|broken| broken.into_inner()) = Some(listener);
}

fn tell(path: &Path, bytes: Option<&[u8]>) {
    let listener = *LISTENER.lock().unwrap_or_else(|broken| broken.into_inner());
    if let Some(listener) = listener {
        listener(path, bytes);
    }
}

/// Puts a file where the program finds it. Nobody is told.
pub fn add(path: &Path, bytes: Vec<u8>) {
    let stored = Stored {
        bytes: Arc::new(bytes),
        modified: SystemTime::now(),
    };
    files().insert(whole(path), stored);
}

/// Returns the path from the root, without `.` and `..`.
fn whole(path: &Path) -> PathBuf {
    let mut whole = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => whole.push(name),
            Component::ParentDir => _ = whole.pop(),
            _ => {}
        }
    }
    whole
}

fn missing() -> io::Error {
    let text = "there is no such file here: drop or pick it together with the others";
    io::Error::new(io::ErrorKind::NotFound, text)
}

/// Size and time of a file, or the fact that something is a folder.
#[derive(Clone, Debug)]
pub struct Metadata {
    /// `None`: it is a folder.
    file: Option<(u64, SystemTime)>,
}

impl Metadata {
    /// Returns `true` for a file.
    pub fn is_file(&self) -> bool {
        self.file.is_some()
    }

    /// Returns `true` for a folder.
    pub fn is_dir(&self) -> bool {
        self.file.is_none()
    }

    /// Returns the size in bytes.
    #[expect(clippy::len_without_is_empty, reason = "as in `std::fs`")]
    pub fn len(&self) -> u64 {
        self.file.map_or(0, |(len, _)| len)
    }

    /// Returns when the file was written; an error for a folder.
    pub fn modified(&self) -> io::Result<SystemTime> {
        let modified = self.file.map(|(_, modified)| modified);
        modified.ok_or_else(|| io::ErrorKind::Unsupported.into())
    }
}

/// Returns what is known of a file or a folder.
pub fn metadata(path: impl AsRef<Path>) -> io::Result<Metadata> {
    let path = whole(path.as_ref());
    let files = files();
    let file = files.get(&path);
    let file = file.map(|file| (file.bytes.len() as u64, file.modified));
    let is_dir = || files.keys().any(|file| file.starts_with(&path));
    match file.is_some() || is_dir() {
        true => Ok(Metadata { file }),
        false => Err(missing()),
    }
}

/// Returns what [`metadata`] does: there are no links.
pub fn symlink_metadata(path: impl AsRef<Path>) -> io::Result<Metadata> {
    metadata(path)
}

/// Returns the path from the root.
pub fn canonicalize(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    metadata(&path)?;
    Ok(whole(path.as_ref()))
}

/// Reads a file.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let files = files();
    let file = files.get(&whole(path.as_ref())).ok_or_else(missing)?;
    Ok(file.bytes.to_vec())
}

/// Writes a file.
pub fn write(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    add(path.as_ref(), bytes.as_ref().to_vec());
    tell(path.as_ref(), Some(bytes.as_ref()));
    Ok(())
}

/// Gives a file another name, under which it counts as written.
pub fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    let file = files().remove(&whole(from.as_ref())).ok_or_else(missing)?;
    let bytes = file.bytes.clone();
    files().insert(whole(to.as_ref()), file);
    tell(to.as_ref(), Some(&bytes));
    Ok(())
}

/// Removes a file.
pub fn remove_file(path: impl AsRef<Path>) -> io::Result<()> {
    files().remove(&whole(path.as_ref())).ok_or_else(missing)?;
    tell(path.as_ref(), None);
    Ok(())
}

/// Removes all files in a folder.
pub fn remove_dir_all(path: impl AsRef<Path>) -> io::Result<()> {
    let folder = whole(path.as_ref());
    let inside = |file: &&PathBuf| file.starts_with(&folder);
    let inside: Vec<PathBuf> = files().keys().filter(inside).cloned().collect();
    inside.into_iter().try_for_each(remove_file)
}

/// Accepts any folder, since a folder exists as long as there is something in it.
pub fn create_dir_all(_: impl AsRef<Path>) -> io::Result<()> {
    Ok(())
}

/// A file or a folder in a folder.
#[derive(Debug)]
pub struct DirEntry(PathBuf);

impl DirEntry {
    /// Returns its path.
    pub fn path(&self) -> PathBuf {
        self.0.clone()
    }

    /// Returns its name.
    pub fn file_name(&self) -> OsString {
        self.0.file_name().map(OsStr::to_owned).unwrap_or_default()
    }
}

/// Returns the files and folders in a folder. One that does not exist is empty.
pub fn read_dir(path: impl AsRef<Path>) -> io::Result<impl Iterator<Item = io::Result<DirEntry>>> {
    let folder = whole(path.as_ref());
    let mut inside: Vec<PathBuf> = (files().keys())
        .filter_map(|file| Some(folder.join(file.strip_prefix(&folder).ok()?.iter().next()?)))
        .collect();
    inside.dedup();
    Ok(inside.into_iter().map(|path| Ok(DirEntry(path))))
}

/// A file that is open for reading or writing.
#[derive(Debug)]
pub struct File {
    bytes: Cursor<Vec<u8>>,
    /// The place of a file that is written.
    target: Option<PathBuf>,
}

impl File {
    /// Opens a file for reading.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self {
            bytes: Cursor::new(read(path)?),
            target: None,
        })
    }

    /// Opens a file for writing. It is there once it is closed.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self {
            bytes: Cursor::default(),
            target: Some(path.as_ref().to_owned()),
        })
    }

    /// Returns what is known of the file.
    pub fn metadata(&self) -> io::Result<Metadata> {
        let len = self.bytes.get_ref().len() as u64;
        Ok(Metadata {
            file: Some((len, SystemTime::now())),
        })
    }
}

impl Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer)
    }
}

impl Seek for File {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(place)
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for File {
    fn drop(&mut self) {
        if let Some(target) = self.target.take() {
            add(&target, std::mem::take(self.bytes.get_mut()));
        }
    }
}
