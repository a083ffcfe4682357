//! The files that the window writes: `document` saves styles and dolls and recovers them after a
//! crash, `output` names and writes pictures, `stroke_recording` and `tip_recording` record strokes
//! and the path of a strand's tip.

pub(crate) mod document;
pub(crate) mod output;
pub(crate) mod stroke_recording;
pub(crate) mod tip_recording;
