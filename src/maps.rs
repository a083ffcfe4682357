//! Maps: values painted over the skin of a part of a head, such as the density or the length of
//! hair.
//!
//! A [`Map`] of a [`MapKind`] holds the values, as a picture over UVs or one per vertex. A
//! [`Canvas`] knows where each value lies on the skin, and a [`Dab`] is one touch of a brush on it.
//! [`MapUndo`] remembers what a stroke changed; a [`UvLayout`] finds the skin at a UV.
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
//! let mut stroke = MapUndo::default();
//! let bald = Dab { centre: part.positions[0], value: [0.0; 3], ..Dab::default() };
//! assert!(map.dab(&canvas, &bald, &mut stroke) > 0);
//! stroke.swap(&mut map); // undone
//! assert!(map.values().iter().all(|&value| value == u16::MAX));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod canvas;
mod dab;
mod error;
mod file;
mod fill;
mod grid;
mod kind;
mod lattice;
mod map;
mod map_undo;
mod raster;
mod sample;
#[cfg(test)]
mod seams;
#[cfg(test)]
pub(crate) mod test_parts;
mod uv_layout;
mod uv_triangle;

pub use self::map_undo::MapUndo;
pub use canvas::{Canvas, Place};
pub use dab::{Dab, Tool};
pub use error::{MapError, MapErrorKind};
pub use kind::{MapKind, direction_of, value_of_direction};
pub use map::{Layout, MAX_SIDE, Map};
#[cfg(feature = "render")]
pub(crate) use uv_layout::triangles_in_unit_square;
pub use uv_layout::{UvLayout, UvPoint};
