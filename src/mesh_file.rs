//! Files of plain meshes, as arrays: OBJ, PLY and STL. Counts are not trusted: nothing is allocated
//! before the bytes that it needs are known to exist.

pub mod obj;
pub mod ply;
pub mod polygon;
pub mod stl;
