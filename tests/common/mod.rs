//! Shared by the tests that read files they make themselves.

pub mod gltf_builder;
