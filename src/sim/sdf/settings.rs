//! The resolution of a field, and the errors of baking.

use crate::settings::{Field, SettingError};

/// The resolution of a [`Sdf`](super::Sdf).
#[derive(Clone, Debug, PartialEq)]
pub struct SdfSettings {
    /// Side of a cell, decimetres, 0.002 to 1. Finer where the skin is smaller than 32 cells,
    /// coarser where [`most_bytes`](Self::most_bytes) says so. Default 0.025.
    pub cell: f32,
    /// The margin between the box around the skin and the sides of the grid, decimetres, 0.01 to
    /// 10; at most half of the longest side of that box. Default 0.5.
    pub margin: f32,
    /// Openings and folds that a ball of this radius cannot enter are closed, decimetres, 0 (none)
    /// to 1; at most half of the margin. Default 0.1, which closes eye sockets, nostrils and mouth,
    /// in which hair tips would be caught.
    pub closing: f32,
    /// The largest memory of the field, bytes, 64 KiB to 1 GiB. Default 64 MiB; the default cell
    /// takes a quarter of it for a head.
    pub most_bytes: usize,
}

impl Default for SdfSettings {
    fn default() -> Self {
        Self {
            cell: 0.025,
            margin: 0.5,
            closing: 0.1,
            most_bytes: 64 << 20,
        }
    }
}

impl SdfSettings {
    /// Checks every range.
    ///
    /// # Errors
    /// [`SettingError`] of the first setting that is out of range.
    pub fn validate(&self) -> Result<(), SettingError> {
        let length = |key, min, max| Field::new(key, &[]).within(min, max, "decimetres");
        length("field.cell", 0.002, 1.0).check(&self.cell)?;
        length("field.margin", 0.01, 10.0).check(&self.margin)?;
        length("field.closing", 0.0, 1.0).check(&self.closing)?;
        let (min, max) = (1 << 16, 1 << 30);
        if (min..=max).contains(&self.most_bytes) {
            return Ok(());
        }
        let expected = format!("{min} to {max} (bytes)");
        Err(SettingError::new(
            "field.most_bytes",
            self.most_bytes,
            expected,
        ))
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
