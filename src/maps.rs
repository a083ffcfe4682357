//! Maps: values painted over the skin of a part of a head, such as how dense or how long hair is.
//!
//! | file | one thing |
//! |---|---|
//! | `kind` | what maps there are, and what their values mean |
//! | `map` | the values themselves: a picture over UVs, or one value per vertex |
//! | `sample` | a map's value at a point of the skin |
//! | `file`, `chunk` | pictures in, PNG out |
//! | `canvas` | where each value of a map is on the skin |
//! | `raster` | texels of a picture to points in head space |
//! | `grid` | the places within reach of a point |
//! | `dab` | one touch of a brush |
//! | `lattice` | means over a neighbourhood, for the smoothing brush |
//! | `whole` | fill, and mirror one half of the head to the other |
//! | `flat` | the skin laid out flat: a table of its files |
//! | `touched` | what a stroke changed, to undo and redo it |
//! | `error` | what can be wrong |
//!
//! Painting goes by position in head space, never by UV: what lies on both sides of a UV seam
//! is the same skin, and gets the same value.
//!
//! ```
//! use mohawk::{Head, maps::{Canvas, Dab, Map, MapKind, Touched}};
//!
//! let head = Head::shipped(&Default::default())?;
//! let part = &head.parts[head.scalp_part.ok_or("nothing is painted")?];
//! let canvas = Canvas::of_part(part, 128);
//! let mut map = Map::uniform(canvas.layout(), MapKind::Density, MapKind::Density.neutral())?;
//! let mut stroke = Touched::default();
//! let bald = Dab { centre: part.positions[0], value: [0.0; 3], ..Dab::default() };
//! assert!(map.dab(&canvas, &bald, &mut stroke) > 0);
//! stroke.swap(&mut map); // undone
//! assert!(map.values().iter().all(|&value| value == u16::MAX));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod canvas;
mod chunk;
mod dab;
mod error;
mod file;
mod flat;
mod grid;
mod kind;
mod lattice;
mod map;
mod map_undo;
mod raster;
mod sample;
#[cfg(test)]
mod seams;
mod whole;

pub use self::map_undo::Touched;
pub use canvas::{Canvas, Place};
pub use dab::{Dab, Tool};
pub use error::{MapError, MapErrorKind, UnknownKind};
pub use flat::{Flat, FlatPoint};
pub use kind::{MapKind, direction_of, value_of_direction};
pub use map::{Layout, MAX_SIDE, Map};
