//! The resolution of a field, and the errors of baking.

use crate::settings;
use crate::settings::SettingError;

settings! {
    /// The resolution of a [`Sdf`](super::Sdf).
    pub struct SdfSettings in "field" {
        /// Side of a cell, by default 0.025. Finer where the skin is smaller than 32 cells, coarser
        /// where `most_bytes` says so.
        cell: f32 = 0.025, 0.002..=1.0 "decimetres";
        /// The margin between the box around the skin and the sides of the grid; at most half of
        /// the longest side of that box. Default 0.5.
        margin: f32 = 0.5, 0.01..=10.0 "decimetres";
        /// Openings and folds that a ball of this radius cannot enter are closed; at most half of
        /// the margin. 0 closes none, and the default, 0.1, closes eye sockets, nostrils and mouth,
        /// in which hair tips would be caught.
        closing: f32 = 0.1, 0.0..=1.0 "decimetres";
        /// The largest memory of the field. The default cell takes a quarter of the default, 64
        /// MiB, for a head.
        most_bytes: u32 = 64 << 20, 65_536..=1_073_741_824 "bytes";
    }
}

/// An error of baking a field.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SdfError {
    /// A setting is out of its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The head has no scalp, so nothing tells its skin from its eyes and clothes.
    #[error("no part of the head carries scalp paint, so its skin is not known")]
    NoSkin,
    /// No triangle has an area.
    #[error("no triangle of the skin has an area")]
    NoArea,
    /// A corner of a triangle names no vertex, or one whose position is not finite.
    #[error("triangle {triangle} has a corner that names no vertex or is not finite")]
    BadCorner {
        /// The first such triangle.
        triangle: usize,
    },
    /// There are too many triangles.
    #[error("{triangles} triangles: a field is made of at most {most}; simplify the mesh")]
    TooManyTriangles {
        /// The number of triangles.
        triangles: usize,
        /// The largest allowed number.
        most: usize,
    },
    /// The skin is too large, too small, or too far from the origin for its size.
    #[error(
        "the skin is {side} decimetres large and up to {farthest} from the origin: expected sides \
         of 1e-6 to 1e6, no farther than 4096 times that"
    )]
    BadSize {
        /// The longest side of the box around it, decimetres.
        side: f64,
        /// The largest coordinate, decimetres.
        farthest: f64,
    },
    /// Too many triangles lie in the same place for a tree to separate.
    #[error("too many triangles of the skin lie in the same place; clean the mesh")]
    TooTangled,
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
}
