//! Problems of a file of USD, before it is known where they are told.

use super::refused;
use crate::head::error::LoadErrorKind;
use std::fmt::Display;

/// A problem of a file.
pub enum Fault {
    /// It contradicts itself.
    Broken(&'static str),
    /// It takes too much memory.
    Budget(LoadErrorKind),
}

impl From<LoadErrorKind> for Fault {
    fn from(error: LoadErrorKind) -> Self {
        Fault::Budget(error)
    }
}

impl Fault {
    /// Returns the error of a file.
    pub fn of_file(self) -> LoadErrorKind {
        match self {
            Fault::Broken(problem) => refused(problem),
            Fault::Budget(error) => error,
        }
    }

    /// Returns the error of an attribute.
    pub fn of_attribute(self, name: impl Display) -> LoadErrorKind {
        match self {
            Fault::Broken(problem) => refused(format!("`{name}` {problem}")),
            Fault::Budget(error) => error,
        }
    }
}
