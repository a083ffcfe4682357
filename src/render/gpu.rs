//! Parts of drawing that three-d does not have.
//!
//! `gl` opens contexts and asks the driver, `convert` converts math types and colours, and `frame` is
//! the base of all that has a vertex shader of its own.

pub mod convert;
pub mod frame;
pub mod gl;
