//! The signed distance field of a head's skin: baked once, sampled by solvers.
//!
//! [`field`] is the field, [`bake`] turns triangles into distances at the nodes of a [`grid`].
//! [`bricks`] is their layout in memory, [`sample`] interpolates distance and gradient, and
//! [`bound`] bounds distances with one load. Method, figures and limits: `docs/field.md`.

mod bake;
mod bound;
mod bricks;
mod field;
mod grid;
mod sample;
mod settings;

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod shapes;
#[cfg(test)]
mod tests;

pub(crate) use bound::BoundLookup;
pub use field::Sdf;
pub use settings::{SdfError, SdfSettings};
