//! Reading files up to a size, and writing them completely or not at all; the error of a file.

pub mod disk;
mod shipped;

use disk as fs;
use std::ffi::OsString;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) use shipped::{ShippedFile, shipped_file};
#[cfg(target_arch = "wasm32")]
pub use shipped::{are_here, provide, provide_file};

/// The folder of the files that a page keeps between visits.
pub const KEPT: &str = "/kept";

/// An error of a file. The text names the file, the thing in it and what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{file}: {kind}")]
pub struct FileError<K> {
    /// The file as the caller named it.
    pub file: String,
    /// The problem.
    pub kind: K,
}

impl<K> FileError<K> {
    /// Returns the conversion of problems of a file to errors, for `map_err`.
    pub(crate) fn of(file: impl ToString) -> impl FnOnce(K) -> Self {
        let file = file.to_string();
        move |kind| Self { file, kind }
    }
}

/// Returns `true` if there is a file or a folder at a path.
pub fn exists(path: &Path) -> bool {
    fs::metadata(path).is_ok()
}

/// Returns the one of `inputs` that writing to `output` would overwrite.
pub fn overwritten<P: AsRef<Path>>(
    output: &Path,
    inputs: impl IntoIterator<Item = P>,
) -> Option<P> {
    let output = std::fs::canonicalize(output).ok()?;
    let is_same = |input: &P| std::fs::canonicalize(input).is_ok_and(|input| input == output);
    inputs.into_iter().find(is_same)
}

/// Returns `true` if two paths name the same place, whether there is a file or not.
pub fn is_same_place(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
        Some(folder.join(path.file_name()?))
    };
    a == b || place(a).is_some_and(|a| place(b) == Some(a))
}

/// Returns `true` if there is a file at a path.
pub fn is_file(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| data.is_file())
}

/// Returns `true` if there is a folder at a path.
pub fn is_dir(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| data.is_dir())
}

/// Reads a plain file of at most `max` bytes. Special files may never end.
///
/// # Errors
///
/// The file is not plain, too large, or cannot be read.
pub fn read_plain(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    read_start(path, u64::MAX, max, || {
        format!("it is larger than {} MiB", max >> 20)
    })
}

/// Reads a plain file in a folder like [`read_plain`].
pub(crate) fn read_inside(folder: &Path, name: &Path, max: u64) -> io::Result<Vec<u8>> {
    let file = resolve_inside(folder, &folder.join(name))?;
    let problem = "it is a link out of the folder. Copy the file itself into the folder";
    read_plain(&file.ok_or_else(|| io::Error::other(problem))?, max)
}

/// Returns a path without links; `None` if it is not in the folder. Links are resolved before the
/// check, so that none can lead out.
pub(crate) fn resolve_inside(folder: &Path, file: &Path) -> io::Result<Option<PathBuf>> {
    // An empty path is no folder.
    let folder = fs::canonicalize(Path::new(".").join(folder))?;
    let file = fs::canonicalize(Path::new(".").join(file))?;
    Ok(file.starts_with(folder).then_some(file))
}

/// Reads the first `count` bytes of a plain file, or all it has when it is opened; they may be at
/// most `max`.
pub(crate) fn read_start(
    path: &Path,
    count: u64,
    max: u64,
    too_large: impl FnOnce() -> String,
) -> io::Result<Vec<u8>> {
    // Opening a pipe would wait for its other end.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a plain file"));
    }
    let file = fs::File::open(path)?;
    let count = file.metadata()?.len().min(count);
    if count > max {
        return Err(io::Error::other(too_large()));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(count as usize)?;
    file.take(count).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a file completely, or leaves what was there: it is written beside the target, then
/// renamed.
///
/// # Errors
///
/// The file cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole_with(path, |file| file.write_all(bytes))
}

/// A place that content is written to.
pub trait Output: Write + Seek {}

impl<T: Write + Seek> Output for T {}

/// Writes a file like [`write_whole`], with content that `write` writes piece by piece.
///
/// # Errors
///
/// The errors of [`write_whole`], and those of `write`.
pub fn write_whole_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Output) -> io::Result<()>,
) -> io::Result<()> {
    let part = Part::of(path);
    let mut file = fs::File::create(part.path())?;
    write(&mut file)?;
    drop(file);
    part.finish()
}

/// The number of characters at the end of a file's name that its [`Part`] keeps.
const MOST_CHARS: usize = 50;

/// The files of all [`Part`]s.
static PARTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn parts() -> MutexGuard<'static, Vec<PathBuf>> {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what is not finished, for a process that ends at once.
pub fn remove_parts() {
    for path in parts().drain(..) {
        fs::remove_file(&path).ok();
    }
}

/// A file beside its target, which it replaces when it is finished. Dropped before, it is removed.
#[derive(Debug)]
pub struct Part {
    path: PathBuf,
    target: PathBuf,
}

impl Part {
    /// Returns the place for a file that will replace `target`, or the file that `target` links to.
    /// Nothing is created yet.
    pub fn of(target: &Path) -> Self {
        // A link may lead to a file that does not exist yet.
        let linked = std::fs::read_link(target).ok().map(|link| {
            let folder = target.parent().unwrap_or(Path::new(""));
            std::fs::canonicalize(target).unwrap_or_else(|_| folder.join(link))
        });
        let target = linked.unwrap_or_else(|| target.to_owned());
        // Systems limit names to 255 bytes. The end tells numbered files apart.
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let long = name.chars().count().saturating_sub(MOST_CHARS);
        let name: String = name.chars().skip(long).collect();
        let path = target.with_file_name(format!(".{name}.{}.part", process_id()));
        parts().push(path.clone());
        Self { path, target }
    }

    /// Returns where to write the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the target, whose permissions stay.
    ///
    /// # Errors
    ///
    /// The file was not written, or the target is no plain file or cannot be replaced.
    pub fn finish(self) -> io::Result<()> {
        if let Ok(data) = std::fs::metadata(&self.target) {
            // A device would become a file.
            if !data.is_file() {
                return Err(io::Error::other("it is not a plain file"));
            }
            // Some disks of other machines know none.
            std::fs::set_permissions(&self.path, data.permissions()).ok();
        }
        fs::rename(&self.path, &self.target)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        fs::remove_file(&self.path).ok(); // It is gone if it was renamed.
        let mut parts = parts();
        if let Some(place) = parts.iter().position(|part| *part == self.path) {
            parts.swap_remove(place);
        }
    }
}

/// Returns the number that the system gives to this process; 0 in a page.
pub(crate) fn process_id() -> u32 {
    match cfg!(target_arch = "wasm32") {
        true => 0,
        false => std::process::id(),
    }
}

/// Returns the folder of this program among those that the system keeps for a user, from environment
/// variables: on Linux in the folder that `xdg` names, or else in `in_home`; on macOS in
/// `~/Library/Application Support`, on Windows in `%LOCALAPPDATA%`; in a page in [`KEPT`]. `None`:
/// there is no such place.
pub(crate) fn user_folder(
    xdg: &str,
    in_home: &str,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Option<PathBuf> {
    // Relative paths are to be ignored.
    let path = |name| Some(PathBuf::from(variable(name)?)).filter(|path| path.is_absolute());
    let folder = match () {
        () if cfg!(target_arch = "wasm32") => Path::new(KEPT).join(in_home),
        () if cfg!(windows) => path("LOCALAPPDATA")?,
        () if cfg!(target_os = "macos") => path("HOME")?.join("Library/Application Support"),
        () => path(xdg).or_else(|| Some(path("HOME")?.join(in_home)))?,
    };
    Some(folder.join("mohawk"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.png");
        for text in ["old", "new"] {
            write_whole(&target, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&target).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_one_and_its_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        fs::remove_file(&file).unwrap();
        write_whole(&link, b"newer").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "newer");
    }

    /// Root would replace /dev/null.
    #[cfg(unix)]
    #[test]
    fn devices_and_permissions_stay() {
        use std::os::unix::{fs::PermissionsExt, net::UnixListener};
        let folder = tempfile::tempdir().unwrap();
        let [socket, own] = ["socket", "own"].map(|name| folder.path().join(name));
        let _socket = UnixListener::bind(&socket).unwrap();
        let told = write_whole(&socket, b"new").unwrap_err().to_string();
        assert_eq!(told, "it is not a plain file");
        fs::write(&own, "old").unwrap();
        fs::set_permissions(&own, fs::Permissions::from_mode(0o600)).unwrap();
        write_whole(&own, b"new").unwrap();
        let mode = fs::metadata(&own).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("taken.png");
        fs::create_dir(&target).unwrap(); // A folder cannot be replaced by a file.
        fs::write(target.join("keep"), "").unwrap();
        write_whole(&target, b"picture").unwrap_err();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
