//! What can be wrong with a map: which one, what, and the way out.

use super::map::{MAX_SIDE, MAX_VERTICES};

/// What is wrong with a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {kind}")]
pub struct MapError {
    /// The file as the caller named it, or "density map" for one from memory.
    pub what: String,
    /// What is wrong with it.
    pub kind: MapErrorKind,
}

/// What is wrong with a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MapErrorKind {
    /// The system cannot read it, or it is too large.
    #[error("cannot be read: {0}. Check the path")]
    Unreadable(String),
    /// The system cannot write it.
    #[error("cannot be written: {0}. Check the folder, and the space that is left")]
    Unwritable(String),
    /// It is no picture of a kind that is read.
    #[error("it is neither PNG nor JPEG. Save the map as a PNG")]
    NoPicture,
    /// It is a picture that cannot be decoded.
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
    /// A file of values per vertex has not as many as it says.
    #[error(
        "it says that it has values for {said} vertices, and has {width} x {height} values. \
         It was changed after it was saved: save it from mohawk again"
    )]
    Padding {
        /// What the file says.
        said: String,
        /// Values across.
        width: u32,
        /// Values down.
        height: u32,
    },
    /// It has values per vertex of another model.
    #[error("it has values for {map} vertices, and the model has {part}. Paint a map for it")]
    OtherModel {
        /// Vertices the map has values for.
        map: u32,
        /// Vertices of the part.
        part: usize,
    },
    /// It is a picture, and the model has no UVs.
    #[error("it is a picture, and the model has no UVs. Unwrap the model, or paint a map for it")]
    NoUvs,
}

/// A name that no kind of map has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no map called `{name}`; there are {}", all_names())]
pub struct UnknownKind {
    /// The name, cut short.
    pub name: String,
}

fn all_names() -> String {
    super::MapKind::ALL
        .map(super::MapKind::name)
        .as_slice()
        .join(", ")
}
