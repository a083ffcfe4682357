//! The files that the window writes: `document` saves styles and dolls and recovers them after a
//! crash, `output` writes pictures and strokes, and `tip_recording` the path of a strand's tip.

pub(crate) mod document;
pub(crate) mod output;
pub(crate) mod tip_recording;
