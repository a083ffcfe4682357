//! Parts of the interface that every window has: `overlay` shows progress, messages and questions;
//! `rows` builds a row of a panel from a setting's declaration.

pub(crate) mod overlay;
pub(crate) mod rows;
