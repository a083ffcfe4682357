//! Styling: maps painted over the skin, and brushes that comb, cut and grow single strands.
//!
//! A [`Style`] (`contents`) is settings, maps and edits; `grow` makes hair of it, as a pure
//! function of the style and the head, on `follicles` that are sampled once; `planted` are those
//! that have hair. A [`Styler`] is a session with a style: strokes, settings, undo and redo. `brush`
//! changes `strands` as a camera sees them (`view`, `visibility`), as far as they are selected
//! (`selection`). `file` and `stroke_file` are the file formats, and `transfer_edits` moves edits to
//! other roots.
//!
//! Rules, figures and file formats: `docs/styling.md`.

mod brush;
mod contents;
mod file;
mod follicles;
mod grow;
mod imported;
mod open;
mod planted;
mod selection;
mod strands;
mod stroke_file;
mod styler;
mod transfer_edits;
mod view;
mod visibility;

pub use contents::{Curve, Edits, History, RootSource, Style};
pub use file::{Card, FileError, FileErrorKind, Saved};
pub(crate) use file::{Files, StyleFile};
pub use follicles::{Follicles, Progress, with_skin};
pub use grow::Grown;
pub use imported::Imported;
pub use open::{hair_extensions, is_hair, open_hair, open_within, opens};
pub use planted::Planted;
pub use selection::{SelectBy, Selection};
pub use strands::Strands;
pub use stroke_file::{FillSide, PaintValue, PaintWord, Stroke, StrokeFile, Tool};
pub(crate) use styler::{Baked, bake_skin};
pub use styler::{Measured, OpenError, PaintError, Styler};
pub use view::{Camera, CameraError, View};

#[cfg(test)]
mod tests;
