//! Plain meshes and point sets from other programs: PLY, OBJ and CSV.

mod error;
mod mesh;
mod obj;
mod points;

pub use error::{ImportError, ImportErrorKind};
pub use points::PointSet;

use std::path::Path;

/// The most bytes that are read of a file: some 30 million vertices.
const MOST_BYTES: u64 = 1 << 30;

/// The whole file, and its extension in lower case.
fn read(path: &Path) -> Result<(Vec<u8>, String), ImportErrorKind> {
    let extension = path.extension().unwrap_or_default();
    let bytes = crate::files::read_plain(path, MOST_BYTES);
    let bytes = bytes.map_err(|error| ImportErrorKind::Unreadable(error.to_string()))?;
    Ok((bytes, extension.to_string_lossy().to_ascii_lowercase()))
}
