//! What the window writes: documents with their autosave, pictures, recorded strokes.

pub(crate) mod document;
pub(crate) mod output;
pub(crate) mod stroke_recording;
