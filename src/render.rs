//! Drawing of heads, strands, overlays and dolls with `three-d`, with or without a window.
//!
//! [`Stage`] holds a head, its hair and what is shown with them, and draws a [`Shot`] into any
//! target: solid things (`head_model`, `surface`, `strands`, `solids`, `light`), then what is
//! blended over them (`discs`, `marks`, `slice`). [`Paper`] draws the doll, [`UvCanvas`] the UV
//! layout of a head, and [`Offscreen`] makes pictures without a window. Drawing fails if the driver
//! refuses a shader. Nothing here depends on the simulation: strands are a [`Groom`](crate::Groom)
//! and a slice of points. Each shader is beside the file that uses it. `surfaceless` opens a
//! context, `gl` asks the driver, `convert` converts math types and colours, and `frame` is shared
//! by all that has a vertex shader of its own.

mod bloom;
mod camera;
mod coarse;
mod convert;
mod depth_order;
mod discs;
mod exposure;
mod floor;
mod follicles;
mod frame;
mod framing;
mod gl;
#[cfg(test)]
mod hair_energy;
mod head_hair;
mod head_model;
mod light;
mod marks;
mod occlusion;
#[cfg(not(target_arch = "wasm32"))]
mod offscreen;
mod outline;
mod paper;
mod pictures;
mod ribbons;
mod shadow_map;
mod sheet;
mod shot;
mod slice;
mod solids;
mod stage;
mod strands;
mod surface;
#[cfg(not(target_arch = "wasm32"))]
mod surfaceless;
mod survey;
mod uv_canvas;

pub use crate::look::CameraView;
pub use camera::{OrbitCamera, Ray};
pub use discs::Disc;
pub use framing::{Framing, ball_around};
pub use gl::renderer_name;
pub use head_model::HeadModel;
pub use light::Quality;
pub use marks::{Color, Dot, Line, Marks, Radius};
#[cfg(not(target_arch = "wasm32"))]
pub use offscreen::Offscreen;
pub use paper::Paper;
pub use pictures::{Screen, page_picture, refined_picture, small_picture};
pub use sheet::Sheet;
pub use shot::{Economy, Layers, Shot};
pub use slice::{DistanceSlice, SLICE_COLORS, SLICE_END, SLICE_STEP};
pub use solids::{Highlight, Ring, Solid, Solids};
pub use stage::Stage;
pub use strands::Tints;
pub use uv_canvas::UvCanvas;

/// An error of opening a context or drawing a picture.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// There is no GL context.
    #[error(
        "cannot open an OpenGL 3.3 context without a window: {0}\n\
         On Debian or Ubuntu: apt-get install libegl1 libgl1-mesa-dri (or run script/setup)"
    )]
    NoContext(String),
    /// The picture is empty or larger than the driver allows.
    #[error(
        "a picture of {width} x {height} pixels cannot be drawn here: each side must be 1 to {limit}"
    )]
    Size {
        /// Requested width, pixels.
        width: u32,
        /// Requested height, pixels.
        height: u32,
        /// The longest side that the driver allows, pixels.
        limit: u32,
    },
    /// The driver reported an error.
    #[error("the graphics driver refused to draw: {0}")]
    Driver(#[from] three_d::RendererError),
}
