//! Reading a head from a file, from memory, or from the program.

use super::assemble;
use super::error::{LoadError, LoadErrorKind};
use super::gltf::uri::{ReadSize, read_capped};
use super::limits::Limits;
use super::model::Head;
use super::settings::HeadSettings;
use std::path::Path;

/// The head that ships with the program.
pub const SHIPPED: &[u8] = include_bytes!("../../models/head.glb");
/// The name of [`SHIPPED`] in messages.
pub const SHIPPED_NAME: &str = "head.glb";

impl Head {
    /// Reads a `.glb` or `.gltf` file with the buffers and images it names.
    ///
    /// # Errors
    ///
    /// A file that cannot be read or is invalid; the text names the file, the element in it and
    /// what to do. Broken textures are only warnings.
    pub fn load(path: &Path, settings: &HeadSettings) -> Result<Head, LoadError> {
        let file = path.display().to_string();
        read_file(path, &settings.limits)
            .and_then(|bytes| assemble::head(&stem(&file), &bytes, Some(path), settings))
            .map_err(|kind| LoadError { file, kind })
    }

    /// Reads a self-contained file from memory; `name` is used in messages.
    ///
    /// # Errors
    ///
    /// As [`Head::load`]; buffers in other files are an error too.
    pub fn from_bytes(
        name: &str,
        bytes: &[u8],
        settings: &HeadSettings,
    ) -> Result<Head, LoadError> {
        let file = name.to_owned();
        let head = assemble::head(&stem(name), bytes, None, settings);
        head.map_err(|kind| LoadError { file, kind })
    }

    /// Returns the head that ships with the program.
    ///
    /// # Errors
    ///
    /// Settings that are out of range.
    pub fn shipped(settings: &HeadSettings) -> Result<Head, LoadError> {
        Head::from_bytes(SHIPPED_NAME, SHIPPED, settings)
    }
}

/// Reads a plain file within the limit on its size.
///
/// # Errors
///
/// A file that cannot be read, is not a plain file or is too large.
pub fn read_file(path: &Path, limits: &Limits) -> Result<Vec<u8>, LoadErrorKind> {
    let fail = |problem: &dyn ToString, advice: &str| LoadErrorKind::Unreadable {
        problem: problem.to_string(),
        advice: advice.to_owned(),
    };
    let meta = path.metadata();
    let meta = meta.map_err(|error| fail(&error, "Check the path."))?;
    if meta.is_dir() {
        let advice = "Name the .glb or .gltf file in it.";
        return Err(fail(&"it is a directory", advice));
    }
    if !meta.is_file() {
        return Err(fail(
            &"it is not a plain file",
            "Name a .glb or .gltf file.",
        ));
    }
    let bytes = read_capped(path, ReadSize::Bytes(u64::MAX), 0, limits);
    bytes.map_err(|error| fail(&error, "Check that it may be read, and its size."))
}

/// Returns the file name without its extension.
fn stem(name: &str) -> String {
    let stem = Path::new(name)
        .file_stem()
        .map(|stem| stem.to_string_lossy());
    stem.map_or_else(|| name.to_owned(), |stem| stem.into_owned())
}
