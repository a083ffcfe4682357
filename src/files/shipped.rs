//! The files that ship with the program, from the folder `models`. They are compiled into it. A page
//! fetches those that it does not show at once when somebody asks for them.

/// A file that ships with the program.
#[derive(Debug)]
pub(crate) struct ShippedFile {
    /// The path in the folder `models`.
    path: &'static str,
    /// The name in its own folder.
    pub(crate) name: &'static str,
    /// Empty if it has to be fetched.
    compiled: &'static [u8],
}

impl ShippedFile {
    pub(crate) const fn new(
        path: &'static str,
        name: &'static str,
        content: &'static [u8],
    ) -> Self {
        Self {
            path,
            name,
            compiled: if is_compiled(path) { content } else { &[] },
        }
    }

    /// Returns the content; empty if it has not been fetched.
    pub(crate) fn bytes(&self) -> &'static [u8] {
        #[cfg(target_arch = "wasm32")]
        if self.compiled.is_empty() {
            return fetched::content(self.path);
        }
        self.compiled
    }

    /// Returns the path in the folder `models` if the file has to be fetched.
    pub(crate) fn missing(&self) -> Option<&'static str> {
        self.bytes().is_empty().then_some(self.path)
    }
}

/// Returns the [`ShippedFile`] of a name in a folder of `models`, whose path is in brackets.
macro_rules! shipped_file {
    ([$($folder:literal)*] $file:literal) => {
        $crate::files::ShippedFile::new(
            concat!($($folder,)* $file),
            $file,
            include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/models/", $($folder,)* $file)),
        )
    };
}
pub(crate) use shipped_file;

/// Returns `true` for the files that a page begins with: the head, its first hair, and what the list
/// of presets shows. The module for JavaScript begins with the texts of presets only. Everywhere else
/// all files are compiled into the program.
const fn is_compiled(path: &str) -> bool {
    if !cfg!(target_arch = "wasm32") || ends_with(path, ".toml") {
        return true;
    }
    let is_first = has_at(path, "head.glb", 0)
        || has_at(path, "presets/mohawk/", 0)
        || ends_with(path, "/thumbnail.png");
    !cfg!(feature = "js") && is_first
}

const fn ends_with(text: &str, part: &str) -> bool {
    text.len() >= part.len() && has_at(text, part, text.len() - part.len())
}

/// Returns `true` if a part of a text stands at a place.
const fn has_at(text: &str, part: &str, place: usize) -> bool {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    let mut i = 0;
    while i < part.len() {
        if place + i >= text.len() || text[place + i] != part[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(target_arch = "wasm32")]
pub use fetched::{are_here, provide, provide_file};

#[cfg(target_arch = "wasm32")]
mod fetched {
    use std::collections::BTreeMap;
    use std::io::{self, Cursor, Read};
    use std::sync::{Mutex, MutexGuard};
    use zip::ZipArchive;

    /// The files that were fetched.
    struct Fetched {
        /// Their keys are paths in the folder `models`.
        files: BTreeMap<String, &'static [u8]>,
        are_all: bool,
    }

    static FETCHED: Mutex<Fetched> = Mutex::new(Fetched {
        files: BTreeMap::new(),
        are_all: false,
    });

    fn fetched() -> MutexGuard<'static, Fetched> {
        FETCHED.lock().unwrap_or_else(|broken| broken.into_inner())
    }

    /// Returns the content of the file at a path; empty if it is not here.
    pub(super) fn content(path: &str) -> &'static [u8] {
        fetched().files.get(path).copied().unwrap_or_default()
    }

    /// Returns `true` if all files are here.
    pub fn are_here() -> bool {
        fetched().are_all
    }

    /// Takes the files that the program does not begin with: a zip archive of the folder `models`.
    ///
    /// # Errors
    ///
    /// The archive is damaged.
    pub fn provide(archive: Vec<u8>) -> io::Result<()> {
        let mut archive = ZipArchive::new(Cursor::new(archive)).map_err(io::Error::other)?;
        for i in 0..archive.len() {
            let mut file = archive.by_index(i).map_err(io::Error::other)?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            let name = file.name().map_err(io::Error::other)?.into_owned();
            provide_file(&name, bytes);
        }
        fetched().are_all = true;
        Ok(())
    }

    /// Takes one of those files, by its path in the folder `models`. One that is here already stays.
    pub fn provide_file(path: &str, bytes: Vec<u8>) {
        let files = &mut fetched().files;
        files.entry(path.to_owned()).or_insert_with(|| bytes.leak());
    }
}
