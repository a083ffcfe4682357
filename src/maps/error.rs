//! Errors of maps: which map, what is wrong, and what to do.

use super::map::{MAX_SIDE, MAX_VERTICES};

/// An error of a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {kind}")]
pub struct MapError {
    /// The file as the caller named it, or for example "density map" for one in memory.
    pub what: String,
    /// The problem.
    pub kind: MapErrorKind,
}

/// A problem of a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MapErrorKind {
    /// The file cannot be read, or is too large.
    #[error("cannot be read: {0}. Check the path")]
    Unreadable(String),
    /// The file cannot be written.
    #[error("cannot be written: {0}. Check the folder, and the space that is left")]
    Unwritable(String),
    /// The file is not a PNG or JPEG.
    #[error("it is neither PNG nor JPEG. Save the map as a PNG")]
    NoPicture,
    /// The picture cannot be decoded.
    #[error("the picture is broken: {0}. Save it again as a PNG")]
    Broken(String),
    /// A side is 0 or too long.
    #[error("{width} x {height} values; each side must be 1 to {MAX_SIDE}. Resize the picture")]
    Size {
        /// Values across.
        width: u32,
        /// Values down.
        height: u32,
    },
    /// Too many vertices, or none.
    #[error("{0} vertices; there must be 1 to {MAX_VERTICES}. Give the model UVs")]
    Vertices(u32),
    /// The number of vertices that a file tells does not fit its size.
    #[error(
        "it says that it has values for {said} vertices, and has {width} x {height} values. \
         It was changed after it was saved: save it from mohawk again"
    )]
    Padding {
        /// The number in the file.
        said: String,
        /// Values across.
        width: u32,
        /// Values down.
        height: u32,
    },
    /// The map has values per vertex of another model.
    #[error("it has values for {map} vertices, and the model has {part}. Paint a map for it")]
    OtherModel {
        /// Vertices of the map.
        map: u32,
        /// Vertices of the part.
        part: usize,
    },
    /// The map is a picture, and the model has no UVs.
    #[error("it is a picture, and the model has no UVs. Unwrap the model, or paint a map for it")]
    NoUvs,
}
