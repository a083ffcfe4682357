//! A session with a style.
//!
//! `state` declares [`Styler`], how it begins, and what others may read of it. The other files add
//! what it can do: `strokes` on hair, `paint` on maps, and `settings` with undo and redo.
//! `depenetrate` brings new hair out of the skin.

mod depenetrate;
mod paint;
mod settings;
mod state;
mod strokes;

pub use state::{OpenError, Styler};
