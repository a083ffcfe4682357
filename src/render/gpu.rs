//! What drawing needs beside three-d: the driver, conversions, textures and custom geometry.
//!
//! `gl` opens contexts and asks the driver, `convert` converts math types and colours, `texture`
//! makes data textures, and `shape` is the base of every geometry with a vertex shader of its own.

pub mod convert;
pub mod gl;
pub mod shape;
pub mod texture;
