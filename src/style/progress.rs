//! How long work tells how far it is.

use std::ops::ControlFlow;

/// Called with the finished share of the work, 0 to 1; says whether to go on.
pub type Progress<'a> = &'a mut dyn FnMut(f32) -> ControlFlow<()>;
