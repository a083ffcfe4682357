//! Reading a file and parsing it by its extension.

use super::error::{ImportError, ImportErrorKind};
use std::path::Path;

/// The largest size of a file: some 30 million vertices.
const MAX_BYTES: u64 = 1 << 30;

/// Reads a file and parses its bytes; `parse` also gets the extension in lower case.
pub fn load<T>(
    path: &Path,
    parse: impl FnOnce(&[u8], &str) -> Result<T, ImportErrorKind>,
) -> Result<T, ImportError> {
    let extension = path.extension().unwrap_or_default();
    let extension = extension.to_string_lossy().to_ascii_lowercase();
    crate::files::read_plain(path, MAX_BYTES)
        .map_err(|error| ImportErrorKind::Unreadable(error.to_string()))
        .and_then(|bytes| parse(&bytes, &extension))
        .map_err(|kind| ImportError {
            file: path.display().to_string(),
            kind,
        })
}
