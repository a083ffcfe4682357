//! Meshes: from the scene graph to vertices and triangles in head space.
//!
//! | file | contents |
//! |---|---|
//! | `nodes` | which meshes the default scene shows, and their transforms |
//! | `primitive` | the attributes of a primitive, and its triangles |
//! | `paint` | hair density from vertex colours |
//! | `placed` | a primitive moved to head space: winding, normals, tangents |
//! | `normals` | smooth normals where a file has none |

pub mod nodes;
pub mod normals;
pub mod paint;
pub mod placed;
pub mod primitive;
