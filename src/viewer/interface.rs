//! What is drawn over the picture with `egui`.
//!
//! `panel` holds the rows of settings and `rows` builds one from a setting's declaration;
//! `overlay` shows progress, messages and questions; `legend` explains colours; `badge` tells of
//! slow motion and pause.

pub(crate) mod badge;
pub(crate) mod legend;
pub(crate) mod overlay;
pub(crate) mod panel;
pub(crate) mod rows;
