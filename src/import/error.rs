//! Why a mesh or a point set could not be read: the file, the thing in it, and the way out.

use crate::ply::PlyError;
use crate::roots::MAX_STRANDS;
use crate::scalp::ScalpError;

/// Why a mesh or a point set could not be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{file}: {kind}")]
pub struct ImportError {
    /// The file as the caller named it.
    pub file: String,
    /// What is wrong with it.
    pub kind: ImportErrorKind,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportErrorKind {
    /// The system cannot read it, or it is too large.
    #[error("cannot be read: {0}. Check the path")]
    Unreadable(String),
    /// Its name ends in nothing that is read here.
    #[error("its name must end in {0}; export it as one of these")]
    Extension(&'static str),
    /// It is no sound PLY file.
    #[error("{0}. Export it again; ascii and both binary encodings are read")]
    Ply(PlyError),
    /// It is no sound OBJ file.
    #[error("line {line} {problem}. Export it again, as polygons")]
    Obj {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// It is no sound CSV file.
    #[error("{0}. Wanted are three columns of numbers, or a line of names with x, y and z")]
    Csv(String),
    /// It has points, and no faces.
    #[error("it has no faces. Export it with them; a set of points goes to --points")]
    NoFaces,
    /// A mesh whose density is 0 all over.
    #[error("no triangle has a `density` above 0 at a corner. Leave the property out")]
    NoDensity,
    /// It has no points.
    #[error("it has no points")]
    NoPoints,
    /// It has more points than there can be strands.
    #[error("it has {0} points; at most {MAX_STRANDS} are judged. Take some of them")]
    TooMany(usize),
    /// Something is NaN, infinite, or too large for single precision.
    #[error("point {0} has a coordinate or normal that is not a finite number. Remove it")]
    NotFinite(usize),
    /// The mesh makes no surface.
    #[error("{0}. Repair the mesh, or export it again")]
    Scalp(ScalpError),
}
