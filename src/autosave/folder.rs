//! The folder of sessions: what is where in it, and who may look.

use super::*;
use std::ffi::OsString;
use std::time::{Duration, Instant};

const PREFIX: &str = "session-";
const LOCK: &str = "lock";
const OF: &str = "of";
/// The longest time to wait for the guard.
const PATIENCE: Duration = Duration::from_secs(2);
/// Longest path, bytes.
const MOST_PATH: u64 = 1 << 16;

/// Returns the folder where the state of programs is kept, from environment variables.
pub(super) fn of_user(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // What is not a whole path is to be ignored.
    let path = |name| Some(PathBuf::from(variable(name)?)).filter(|path| path.is_absolute());
    let state = match () {
        () if cfg!(windows) => path("LOCALAPPDATA")?,
        () if cfg!(target_os = "macos") => path("HOME")?.join("Library/Application Support"),
        () => match path("XDG_STATE_HOME") {
            Some(state) => state,
            None => path("HOME")?.join(".local/state"),
        },
    };
    Some(state.join("mohawk"))
}

/// Makes a folder for this user alone.
pub(super) fn make(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// A lock on the folder. While it is held, no other process begins, ends or lists sessions.
pub(super) struct Guard(#[expect(dead_code, reason = "held, not read")] File);

impl Guard {
    pub(super) fn of(folder: &Path) -> io::Result<Self> {
        let path = folder.join("folder.lock");
        let mut options = File::options();
        let file = (options.create(true).truncate(false).write(true)).open(path)?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self(file)),
                Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// The files of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Session {
    pub(super) folder: PathBuf,
    stem: String,
    /// The extension of its document.
    extension: &'static str,
}

impl Session {
    pub(super) fn new(folder: &Path, extension: &'static str, process: u32, number: u32) -> Self {
        Self {
            folder: folder.to_owned(),
            stem: format!("{PREFIX}{process}-{number}"),
            extension,
        }
    }

    /// Returns the sessions that have files, by name.
    pub(super) fn all(folder: &Path, extension: &'static str) -> Vec<Self> {
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut stems: Vec<String> = files
            .filter_map(|file| stem(file.file_name().to_str()?, extension))
            .collect();
        stems.sort_unstable();
        stems.dedup();
        let session = |stem| Self {
            folder: folder.to_owned(),
            stem,
            extension,
        };
        stems.into_iter().map(session).collect()
    }

    fn path(&self, extension: &str) -> PathBuf {
        self.folder.join(format!("{}.{extension}", self.stem))
    }

    pub(super) fn copy(&self) -> PathBuf {
        self.path(self.extension)
    }

    pub(super) fn lock(&self) -> PathBuf {
        self.path(LOCK)
    }

    pub(super) fn of(&self) -> PathBuf {
        self.path(OF)
    }

    /// Returns the time when the document was written; `None`: it was not.
    pub(super) fn written(&self) -> Option<SystemTime> {
        let data = fs::symlink_metadata(self.copy()).ok()?;
        data.is_file().then(|| data.modified().ok()).flatten()
    }

    /// Whether the session runs: its lock is held, or that is unknown.
    pub(super) fn is_running(&self) -> bool {
        match File::open(self.lock()) {
            Ok(lock) => lock.try_lock().is_err(),
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        }
    }

    pub(super) fn write_of(&self, file: Option<&Path>) -> io::Result<()> {
        let Some(file) = file else {
            return remove(&self.of());
        };
        let bytes = bytes(&path::absolute(file)?);
        // It seldom changes.
        match fs::read(self.of()).is_ok_and(|old| old == bytes) {
            true => Ok(()),
            false => write_whole(&self.of(), &bytes),
        }
    }

    pub(super) fn read_of(&self) -> Option<PathBuf> {
        let bytes = crate::files::read_plain(&self.of(), MOST_PATH).ok()?;
        let path = from_bytes(bytes)?;
        path.is_absolute().then_some(path)
    }

    pub(super) fn delete_copy(&self) {
        fs::remove_file(self.copy()).ok();
        fs::remove_file(self.of()).ok();
    }

    /// Deletes the files of a session that does not run.
    pub(super) fn delete(&self) {
        self.delete_copy();
        // What it was about to write.
        let parts = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let begin = format!(".{}.", self.stem);
        for part in parts {
            if (part.file_name().to_str()).is_some_and(|name| name.starts_with(&begin)) {
                fs::remove_file(part.path()).ok();
            }
        }
        fs::remove_file(self.lock()).ok();
    }
}

/// The session that a file belongs to.
fn stem(name: &str, of: &str) -> Option<String> {
    let (stem, extension) = name.split_once('.')?;
    let (process, number) = stem.strip_prefix(PREFIX)?.split_once('-')?;
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    let is_ours = is_number(process) && is_number(number);
    (is_ours && [of, LOCK, OF].contains(&extension)).then(|| stem.to_owned())
}

fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// A path as it is.
fn bytes(path: &Path) -> Vec<u8> {
    #[cfg(unix)]
    let bytes = std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec();
    #[cfg(not(unix))]
    let bytes = path.to_string_lossy().into_owned().into_bytes();
    bytes
}

fn from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    #[cfg(unix)]
    let path = Some(<OsString as std::os::unix::ffi::OsStringExt>::from_vec(
        bytes,
    ));
    #[cfg(not(unix))]
    let path = String::from_utf8(bytes).ok().map(OsString::from);
    path.map(PathBuf::from)
}
