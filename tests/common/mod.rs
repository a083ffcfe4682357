//! Shared by the test crates.

pub mod gltf_builder;
pub mod program;
