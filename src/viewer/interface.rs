//! Parts of the interface that every window has: `overlay` shows progress, messages, questions, and
//! that time is slow or paused; `rows` builds a row of a panel from a setting's declaration.

pub(crate) mod overlay;
pub(crate) mod rows;
