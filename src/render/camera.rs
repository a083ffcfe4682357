//! Cameras: `orbit` is the camera that turns around a point, `framing` places it so that
//! something fills the picture.

pub mod framing;
pub mod orbit;
