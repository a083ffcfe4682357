//! What the window writes: pictures, settings, recorded strokes.

pub(crate) mod output;
pub(crate) mod stroke_recording;
