//! The place of files: the disk, or in a page, which has none, memory.

#[cfg(target_arch = "wasm32")]
mod memory;

#[cfg(target_arch = "wasm32")]
pub use memory::*;
#[cfg(not(target_arch = "wasm32"))]
pub use std::fs::*;
