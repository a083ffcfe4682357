//! The 2D doll in the window.
//!
//! [`DollApp`] (`app`) owns the doll and performs actions; `frame` handles events and draws,
//! `input` turns drags and keys into actions, `saving` writes dolls, pictures and strokes, `panel`
//! shows the panel, and [`run`] opens a window of its own.

mod app;
mod frame;
mod input;
mod panel;
mod run;
mod saving;

pub(super) use app::{DollApp, Leave};
pub(crate) use run::run;
