//! Maps: values painted over the skin of a part of a head, such as the density or the length of
//! hair.
//!
//! A [`Map`] of a [`MapKind`] holds the values, as a picture over UVs or one per vertex. A
//! [`Canvas`] knows where each value lies on the skin, and a [`Dab`] is one touch of a brush on it.
//! [`MapUndo`] holds what a stroke changed; `uv_layout` finds the skin at a UV. A [`LayeredMap`] is
//! a map with [`Layer`]s above it.
//!
//! Brushes reach as far as their radius in head space, not in UV space: both sides of a UV seam are
//! the same skin, and get the same value.
//!
//! ```
//! use mohawk::{Head, maps::{Canvas, Dab, Map, MapKind, MapUndo}};
//!
//! let head = Head::shipped(&Default::default())?;
//! let part = &head.parts[head.scalp_part.ok_or("nothing is painted")?];
//! let canvas = Canvas::of_part(part, 128);
//! let mut map = Map::uniform(canvas.layout(), MapKind::Density, MapKind::Density.neutral())?;
//! let (before, mut undo) = (map.clone(), MapUndo::default());
//! let bald = Dab { centre: part.positions[0], value: Some([0.0; 3]), ..Dab::default() };
//! assert!(map.dab(&canvas, &bald, &mut undo) > 0);
//! undo.swap(&mut map); // undone
//! assert_eq!(map, before);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod canvas;
mod dab;
mod file;
mod layers;
mod map;
mod sample;
mod undo;
mod uv_layout;

pub use canvas::{Canvas, Place};
pub use dab::Dab;
pub use layers::{Layer, LayerEdit, LayerError, LayerSettings, LayeredMap};
pub use map::{
    Layout, MAX_SIDE, Map, MapError, MapErrorKind, MapKind, direction_of, value_of_direction,
};
pub use undo::MapUndo;
#[cfg(feature = "render")]
pub(crate) use uv_layout::triangles_in_unit_square;
pub(crate) use uv_layout::{UvLayout, skin_area};

#[cfg(test)]
pub(crate) mod test_parts {
    //! Parts that tests of maps share.

    use super::Layout;
    use crate::head::{Head, HeadSettings, Part};
    use glam::{Vec2, Vec3};

    /// UVs that spread the quad over the whole picture.
    pub(crate) const FULL_SQUARE: Option<[Vec2; 4]> =
        Some([Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::ONE]);

    /// A square from (−1, −1) to (1, 1) in z = 0, its first vertex at the upper left.
    pub(crate) fn quad(uvs: Option<[Vec2; 4]>) -> Part {
        let corners = [[-1.0, 1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
        Part {
            name: "quad".to_owned(),
            positions: corners.map(|[x, y]| Vec3::new(x, y, 0.0)).to_vec(),
            normals: vec![Vec3::Z; 4],
            uvs: uvs.map(|uvs| uvs.to_vec()),
            triangles: vec![[0, 2, 3], [0, 3, 1]],
            ..Part::default()
        }
    }

    /// The part of the shipped head that hair grows on.
    pub(crate) fn shipped() -> Part {
        let mut head = Head::shipped(&HeadSettings::default()).unwrap();
        head.parts.swap_remove(head.scalp_part.unwrap())
    }

    /// The layout of a picture.
    pub(crate) fn picture_layout(width: u32, height: u32) -> Layout {
        Layout::Picture { width, height }
    }
}
