//! Drawing heads, strands, discs on the skin, plain solids, marks and sky with `three-d`, in a window or without one.
//!
//! [`Stage`] holds what is drawn and draws a [`Shot`] of it into any target;
//! [`Offscreen`] makes pictures where there is no display. Nothing here knows the
//! simulation: strands arrive as a [`Groom`](crate::Groom) and a slice of tips.

mod camera;
mod convert;
mod discs;
mod dyes;
mod framing;
mod gl;
mod light;
mod marks;
mod offscreen;
mod paper;
mod ramp;
mod sky;
mod slice;
mod solids;
mod stage;
mod strands;
mod surface;
mod tints;
mod uv_canvas;

pub use camera::{CameraView, OrbitCamera, Ray};
pub use discs::Disc;
pub use framing::ball_around;
pub use gl::renderer_name;
pub use light::Quality;
pub use marks::{Color, Dot, Line, Marks, Radius};
pub use offscreen::{Offscreen, page_picture, picture};
pub use paper::Paper;
pub use ramp::{RAMP_END, TOO_CLOSE, distance_color, diverging};
pub use slice::{DistanceSlice, SLICE_COLORS, SLICE_END, SLICE_STEP};
pub use solids::{Mark, Solid};
pub use stage::{Layers, Shot, Stage};
pub use tints::Tints;
pub use uv_canvas::UvCanvas;

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
