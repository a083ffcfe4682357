//! Plain meshes and point sets of other programs: PLY, OBJ and CSV.
//!
//! `scalp` makes a scalp of a mesh, `points` reads point sets, both with the readers `ply` and
//! `obj`; `file` reads files and has the errors.

mod file;
mod obj;
mod ply;
mod points;
mod scalp;

pub use crate::ply::PointSet;
pub use file::{ImportError, ImportErrorKind};
