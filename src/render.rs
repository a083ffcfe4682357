//! Drawing heads, strands and sky with `three-d`, in a window or without one.
//!
//! [`Stage`] holds what is drawn and draws a [`Shot`] of it into any target;
//! [`Offscreen`] makes pictures where there is no display. Nothing here knows the
//! simulation: strands arrive as a [`Groom`](crate::Groom) and a slice of tips.

mod camera;
mod convert;
mod light;
mod offscreen;
mod sky;
mod stage;
mod strands;
mod surface;

pub use camera::{CameraView, OrbitCamera, Ray};
pub use offscreen::{Offscreen, picture};
pub use stage::{Shot, Stage};

/// Why something could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// No GL context.
    #[error(
        "cannot open an OpenGL 3.3 context without a window: {0}\n\
         On Debian or Ubuntu: apt-get install libegl1 libgl1-mesa-dri (or run script/setup)"
    )]
    NoContext(String),
    /// A picture that the driver cannot hold.
    #[error(
        "a picture of {width} x {height} pixels cannot be drawn here: each side must be 1 to {limit}"
    )]
    Size {
        /// Asked for.
        width: u32,
        /// Asked for.
        height: u32,
        /// Longest side that works.
        limit: u32,
    },
    /// The driver refused something.
    #[error("the graphics driver refused to draw: {0}")]
    Driver(#[from] three_d::RendererError),
}

/// The longest texture side of the driver, pixels.
#[allow(unsafe_code)] // A pure query; glow marks every GL call unsafe.
fn max_texture_size(context: &three_d::Context) -> u32 {
    use three_d::HasContext;
    let size = unsafe { context.get_parameter_i32(three_d::context::MAX_TEXTURE_SIZE) };
    u32::try_from(size).unwrap_or(2048).min(16_384)
}

/// The driver's name for its renderer, and whether it draws on the CPU.
#[allow(unsafe_code)] // A pure query; glow marks every GL call unsafe.
pub fn renderer_name(context: &three_d::Context) -> (String, bool) {
    use three_d::HasContext;
    let name = unsafe { context.get_parameter_string(three_d::context::RENDERER) };
    let lower = name.to_lowercase();
    let software = ["llvmpipe", "softpipe", "swiftshader", "software"]
        .iter()
        .any(|s| lower.contains(s));
    (name, software)
}
