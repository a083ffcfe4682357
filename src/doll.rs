//! The 2D doll: a figure on a page whose hair is brushed, cut, dyed and tied.
//!
//! A [`Doll`] is the figure's settings, its hairs (quadratic Beziers) and the clips in them; a
//! [`DollSession`] works on it with strokes, undo and redo. `brush` and `clip` have the rules,
//! `grow` the hair at the start, `look` the drawings (SVG), `file` and `strokes` the formats. The
//! rules are explained, with their source, in `docs/doll.md`. All positions are in pixels of the
//! [page](PAGE), x right and y down; colours are sRGB, 0 to 1.

mod brush;
mod clip;
mod figure;
mod file;
mod grow;
mod hair;
mod look;
mod session;
mod strokes;

pub use brush::{DollBrush, DollTool};
pub use clip::{Clip, ClipKind};
pub use figure::{Figure, PAGE, Palette};
pub use file::{Doll, DollError};
pub use grow::{COUNTS, DollSettings, LengthProfile, MAX_LENGTH, STATIONS};
pub use hair::{Curve, DollHair, HeldPiece, MAX_STRETCH};
pub use look::{Face, Mouth, clip_svg};
pub use session::{DollHistory, DollSession};
pub use strokes::{DollStroke, DollStrokes, PageFit};

#[cfg(test)]
mod tests;
