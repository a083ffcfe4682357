//! The signed distance field of a head's skin: baked once, sampled by solvers.
//!
//! [`field`] is the field, [`bake`] turns triangles into distances at the nodes of a [`grid`].
//! [`bricks`] is their layout in memory, and [`sample`] interpolates distance and gradient. Method,
//! figures and limits: `docs/field.md`.

mod bake;
mod bricks;
mod field;
mod grid;
mod sample;
mod settings;
#[cfg(test)]
mod tests;

pub use field::Sdf;
pub(crate) use sample::BoundLookup;
pub use settings::{SdfError, SdfSettings};
