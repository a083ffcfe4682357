//! Why a head's file could not be written with other paint.

use crate::head::error::{Bytes, LoadErrorKind};

/// Why a head's file could not be written with other paint.
///
/// The text names the file, the thing in it and what to do about it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{file}: {kind}")]
pub struct WriteError {
    /// The head's file as the caller named it.
    pub file: String,
    /// What is wrong.
    pub kind: WriteErrorKind,
}

/// What keeps a file from being written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The file cannot be read (any more).
    #[error(transparent)]
    Load(#[from] LoadErrorKind),
    /// The head has no such part, or one that is in no file.
    #[error(
        "part {part} of the head is not in the file; there are {count}. Name one that was read from it."
    )]
    NoPart {
        /// The part that was asked for.
        part: usize,
        /// Parts that the head has.
        count: usize,
    },
    /// The file is another than the one the head was read from.
    #[error(
        "it has changed since the head was read from it: {problem}. Load it again, then paint."
    )]
    Changed {
        /// What does not fit.
        problem: String,
    },
    /// Not one density for each vertex.
    #[error("{count} densities for the {vertices} vertices of a part. Give one for each.")]
    Count {
        /// Densities that were given.
        count: usize,
        /// Vertices that the part has.
        vertices: usize,
    },
    /// A density that is none.
    #[error("the density of vertex {vertex} is {density}. Give numbers from 0 (bald) to 1.")]
    Density {
        /// The vertex.
        vertex: usize,
        /// What was given for it.
        density: f32,
    },
    /// A `.glb` counts its bytes in 32 bits.
    #[error(
        "as one .glb it would have {}, and such a file has at most 4.2 GB. Make its pictures smaller.",
        Bytes(*bytes)
    )]
    TooLong {
        /// Bytes it would have.
        bytes: u64,
    },
}

impl From<serde_json::Error> for WriteErrorKind {
    fn from(error: serde_json::Error) -> Self {
        let problem = error.to_string();
        Self::Load(LoadErrorKind::Json { problem })
    }
}
