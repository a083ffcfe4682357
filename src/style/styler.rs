//! A session with a style.
//!
//! `state` declares [`Styler`] and what it tells about itself. The other files add what can be
//! done: `strokes` (and `live`, while hair moves), `paint` and `uv_strokes` on maps, `settings`,
//! `undo`, `open` from a file, and `play` for stroke files. `depenetrate` brings new hair out of
//! the skin.

mod depenetrate;
mod live;
mod open;
mod paint;
mod play;
mod settings;
mod state;
mod strokes;
mod undo;
mod uv_strokes;

pub use open::OpenError;
pub use state::Styler;
