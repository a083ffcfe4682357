//! Plain meshes and point sets of other programs: PLY, OBJ and CSV.
//!
//! `scalp` makes a scalp of a mesh (`mesh`, `obj`), `points` reads point sets, `file` and `error`
//! are shared.

mod error;
mod file;
mod mesh;
mod obj;
mod points;
mod scalp;

pub use crate::ply::PointSet;
pub use error::{ImportError, ImportErrorKind};
