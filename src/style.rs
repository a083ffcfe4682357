//! Styling: maps painted over the skin, and brushes that comb, cut and grow single strands.
//!
//! A [`Style`] is settings, maps and edits; its hair is a pure function of them and the head. A
//! [`Styler`] is a session with one: strokes, undo, redo.
//!
//! | file | one thing |
//! |---|---|
//! | `follicles` | every place where hair could grow |
//! | `grow` | from a style to its hair |
//! | `edits` | what brushes have made of single strands |
//! | `strands` | hair as brushes work on it: polylines |
//! | `camera`, `sight` | from head space to pixels; what the head hides |
//! | `brush` | what brushes do, step by step: a table of its files |
//! | `neighbours` | which strands grow beside each other |
//! | `stroke` | stroke files |
//! | `styler` | a session: what it holds and what it tells |
//! | `active` | strokes, until the brush is lifted |
//! | `pushed` | hair that grows into the skin, brought out of it |
//! | `live` | strokes over hair that moves, and what they have done so far |
//! | `open` | from what was saved to a session with it |
//! | `paint` | strokes on maps |
//! | `flat` | the same, over the part's UV layout |
//! | `settings` | other settings, to keep or lent |
//! | `carry` | edits taken over to other roots |
//! | `undo` | undo and redo |
//! | `play` | stroke files, replayed |
//! | `history` | what undo and redo exchange |
//! | `file` | folders and `.mohawk` files |
//!
//! Rules, figures and file formats: `docs/styling.md`.

mod active;
mod brush;
mod camera;
mod depenetrate;
mod edits;
mod file;
mod flat;
mod follicles;
mod grow;
mod history;
mod live;
mod neighbours;
mod open;
mod paint;
mod play;
mod settings;
mod strands;
mod stroke;
mod styler;
mod transfer_edits;
mod undo;
mod visibility;

pub use brush::{Brush, Tool};
pub use camera::{Camera, CameraError, View};
pub use edits::{Curve, Edits};
pub use file::{FileError, FileErrorKind, Model, Saved};
pub use follicles::{Follicles, with_skin};
pub use grow::Grown;
pub use history::History;
pub use open::OpenError;
pub use paint::{Paint, PaintError, RESOLUTION};
pub use strands::{POINTS, Strands};
pub use stroke::{AlongStroke, PaintValue, Stroke, StrokeFile, StrokeTool};
pub use styler::Styler;

use crate::config::Config;
#[cfg(test)]
use crate::groom::Groom;
use crate::maps::{Map, MapKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// All that makes the hair of a head: what is saved, and what undo restores.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Style {
    /// Every setting.
    pub config: Config,
    /// Values over the skin, which settings are multiplied by; the density map stands in for the
    /// model's own paint.
    pub maps: BTreeMap<MapKind, Arc<Map>>,
    /// What differs from strand to strand by hand.
    pub edits: Edits,
}

impl Style {
    /// Settings alone.
    pub fn of(config: Config) -> Self {
        Self {
            config,
            ..Self::default()
        }
    }

    /// Nothing is painted or edited: settings say it all.
    pub fn is_plain(&self) -> bool {
        self.maps.is_empty() && self.edits.is_empty()
    }

    /// Could hair grow where the model is bald?
    fn needs_bald(&self) -> bool {
        self.maps.contains_key(&MapKind::Density) || !self.edits.planted.is_empty()
    }
}

#[cfg(test)]
mod tests;
