//! The 2D doll: a figure on paper whose hair is brushed, cut, dyed and tied.
//!
//! After Anko's answer to "Simple 2D hair simulation/manipulation" (2013), with what its listing
//! left open mended; rules, figures and file formats: `docs/doll.md`.
//!
//! | file | one thing |
//! |---|---|
//! | `hair` | a hair: its curve, how far that is from a point, how long it may be |
//! | `brush` | what the tools do to a hair, step by step |
//! | `clip` | clips: what they catch, and hair that is let go |
//! | `figure`, `palette` | who has the hair, and its colours |
//! | `look` | what figures and clips look like, as SVG |
//! | `settings`, `grow` | what it grows from; the hair before anybody brushes it |
//! | `file` | the doll as it is saved |
//! | `session` | a doll in hand: strokes, undo, redo |
//! | `history` | what undo and redo exchange |
//! | `strokes` | stroke files, and how they are replayed |
//!
//! Everything is in pixels of the [page](PAGE), x right and y down; colours are sRGB, 0 to 1.

mod brush;
mod clip;
mod figure;
mod file;
mod grow;
mod hair;
mod history;
mod look;
mod palette;
mod session;
mod settings;
mod strokes;

pub use brush::{DollBrush, DollTool};
pub use clip::{Clip, ClipKind};
pub use figure::{Figure, PAGE};
pub use file::{Doll, DollError};
pub use hair::{Curve, Hair, Held, MOST_STRETCH};
pub use history::DollHistory;
pub use look::{Face, Mouth, clip_svg};
pub use palette::Palette;
pub use session::DollSession;
pub use settings::{COUNTS, DollSettings, MOST_LENGTH, Profile, STATIONS};
pub use strokes::{DollStroke, DollStrokes, Fit};

#[cfg(test)]
mod tests;
