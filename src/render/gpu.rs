//! What drawing needs beside three-d: the driver, conversions, data textures and programs.
//!
//! `gl` opens contexts and asks the driver, `convert` converts math types and colours, `texture`
//! makes data textures, and `frame` is the base of all that has a vertex shader of its own.

pub mod convert;
pub mod frame;
pub mod gl;
pub mod texture;
