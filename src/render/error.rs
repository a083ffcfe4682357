//! Errors of drawing.

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
