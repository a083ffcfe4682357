//! Errors of writing a head's file with other paint.

use crate::head::error::{Bytes, LoadErrorKind};

/// An error of writing a head's file with other paint.
///
/// The text names the file, the element in it and what to do about it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{file}: {kind}")]
pub struct WriteError {
    /// The head's file as the caller named it.
    pub file: String,
    /// The problem.
    pub kind: WriteErrorKind,
}

/// A problem of writing a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The file cannot be read.
    #[error(transparent)]
    Load(#[from] LoadErrorKind),
    /// The head has no such part, or the part is not from a file.
    #[error(
        "part {part} of the head is not in the file; there are {count}. Name one that was read from it."
    )]
    NoPart {
        /// The index of the part.
        part: usize,
        /// The number of parts of the head.
        count: usize,
    },
    /// The file is not the one that the head was read from; with the difference.
    #[error("it has changed since the head was read from it: {0}. Load it again, then paint.")]
    Changed(String),
    /// The number of densities is not the number of vertices.
    #[error("{count} densities for the {vertices} vertices of a part. Give one for each.")]
    Count {
        /// The number of densities.
        count: usize,
        /// The number of vertices of the part.
        vertices: usize,
    },
    /// A density outside 0 to 1.
    #[error("the density of vertex {vertex} is {density}. Give numbers from 0 (bald) to 1.")]
    Density {
        /// The vertex.
        vertex: usize,
        /// The density given for it.
        density: f32,
    },
    /// The `.glb` would exceed 4 GiB: it counts its bytes in 32 bits. With its number of bytes.
    #[error(
        "as one .glb it would have {}, and such a file has at most 4.2 GB. Make its pictures smaller.",
        Bytes(*.0)
    )]
    TooLong(u64),
}

impl From<serde_json::Error> for WriteErrorKind {
    fn from(error: serde_json::Error) -> Self {
        Self::Load(LoadErrorKind::Json(error.to_string()))
    }
}
