//! The version of groom files, and errors about them.

use crate::look::Look;
use crate::settings::SettingError;
use std::io;
use std::path::PathBuf;

/// The version of groom files that this program reads and writes.
pub const VERSION: i64 = 1;

/// The reason why a groom file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file does not exist or cannot be read.
    #[error("{} could not be read", file.display())]
    Read {
        /// The groom file.
        file: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The file is not TOML, or has an unknown key or a value of another type.
    #[error("{file}: {message}")]
    Parse {
        /// The name of the groom file.
        file: String,
        /// The line, the problem and the known keys or values.
        message: String,
    },
    /// The file has no `version`.
    #[error("{file} has no `version`: write `version = {VERSION}` as its first line")]
    NoVersion {
        /// The name of the groom file.
        file: String,
    },
    /// The file has another version.
    #[error("{file} has version = {found}, and this program reads version = {VERSION}")]
    UnknownVersion {
        /// The name of the groom file.
        file: String,
        /// The value in the file.
        found: String,
    },
    /// The file has an unknown look.
    #[error("{file}: look.name = {found}: expected {}", Look::NAMES.join(" or "))]
    UnknownLook {
        /// The name of the groom file.
        file: String,
        /// The value in the file.
        found: String,
    },
    /// A value is out of its range.
    #[error("{file}: {problem}")]
    Range {
        /// The name of the groom file.
        file: String,
        /// The key, the value and the range.
        problem: SettingError,
    },
    /// The file could not be written.
    #[error("{} could not be written", file.display())]
    Save {
        /// The groom file.
        file: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A setting cannot be written as TOML.
    #[error("the settings could not be written as TOML")]
    Write(#[from] toml::ser::Error),
}
