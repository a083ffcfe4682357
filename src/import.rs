//! Plain meshes and point sets of other programs: PLY, OBJ and CSV.
//!
//! `scalp` makes a scalp of a mesh, `points` reads point sets, both with the readers of
//! `mesh_file`. Here are reading a file by its extension, and the errors.

mod points;
mod scalp;

pub use crate::ply::PointSet;

use crate::files::{FileError, read_plain};
use crate::head::MAX_COORDINATE;
use crate::roots::MAX_STRANDS;
use crate::scalp::ScalpError;
use std::path::Path;

/// The largest size of a file: some 30 million vertices.
const MAX_BYTES: u64 = 1 << 30;

/// An error of reading a mesh or a point set.
pub type ImportError = FileError<ImportErrorKind>;

/// A problem of a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportErrorKind {
    /// The file cannot be read or is too large.
    #[error("cannot be read: {0}. Check the path")]
    Unreadable(String),
    /// The extension is not supported.
    #[error("its name must end in {0}; export it as one of these")]
    Extension(&'static str),
    /// The PLY file is invalid.
    #[error("{0}. Export it again; ascii and both binary encodings are read")]
    Ply(String),
    /// The OBJ file is invalid.
    #[error("line {line} {problem}. Export it again, as polygons")]
    Obj {
        /// The line, from 1.
        line: usize,
        /// The problem.
        problem: &'static str,
    },
    /// The CSV file is invalid.
    #[error("{0}. Expected three columns of numbers, or a line of names with x, y and z")]
    Csv(String),
    /// The mesh has no faces.
    #[error("it has no faces. Export it with them; a set of points goes to --points")]
    NoFaces,
    /// The density of the mesh is 0 everywhere.
    #[error("no triangle has a `density` above 0 at a corner. Leave the property out")]
    NoDensity,
    /// The set has no points.
    #[error("it has no points")]
    NoPoints,
    /// The set has more than [`MAX_STRANDS`] points.
    #[error("it has {0} points; at most {MAX_STRANDS} can be measured. Use some of them")]
    TooMany(usize),
    /// A point is NaN, infinite, or beyond [`MAX_COORDINATE`].
    #[error(
        "point {0} has a coordinate or normal beyond {MAX_COORDINATE}, or no number. Remove it"
    )]
    NotFinite(usize),
    /// The mesh is not a valid surface.
    #[error("{0}. Repair the mesh, or export it again")]
    Scalp(ScalpError),
}

/// Reads a file and parses its bytes; `parse` also gets the extension in lower case.
fn load<T>(
    path: &Path,
    parse: impl FnOnce(&[u8], &str) -> Result<T, ImportErrorKind>,
) -> Result<T, ImportError> {
    let extension = path.extension().unwrap_or_default();
    let extension = extension.to_string_lossy().to_ascii_lowercase();
    read_plain(path, MAX_BYTES)
        .map_err(|error| ImportErrorKind::Unreadable(error.to_string()))
        .and_then(|bytes| parse(&bytes, &extension))
        .map_err(FileError::of(path.display()))
}
