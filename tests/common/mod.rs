//! Helpers that the test crates share.

pub mod gltf_builder;
pub mod program;
