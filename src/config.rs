//! All settings in one versioned TOML file, the groom file. The command line and the panel edit the
//! same settings.
//!
//! `file` reads and writes the groom file and `comments` comments it, `set` changes one setting by
//! its key, and `merge` joins the changes of a file with those made meanwhile.

mod comments;
mod error;
mod file;
mod merge;
mod set;

pub use error::{ConfigError, VERSION};
pub use file::Config;
