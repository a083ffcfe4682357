//! Where strokes are seen from: cameras, and what of the head they show.

mod camera;
mod visibility;

pub use camera::{Camera, CameraError, View};
pub(crate) use camera::{Seen, check_size};
pub(crate) use visibility::{Spot, Visibility};
