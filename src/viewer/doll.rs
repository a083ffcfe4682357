//! The 2D doll in the window: drag to brush its hair.
//!
//! | file | what it is about |
//! |---|---|
//! | `run` | a window with nothing but a doll |
//! | `app` | the doll in hand, and what each request does to it |
//! | `frame` | events, and a frame of it |
//! | `input` | what drags and keys ask for |
//! | `saving` | dolls, pictures and strokes on disk |
//! | `panel` | tools, brush, hair, files |

mod app;
mod frame;
mod input;
mod panel;
mod run;
mod saving;

pub(super) use app::{DollApp, Leave};
pub(super) use run::run;
