//! Work off the window's thread: every long job runs on a thread of its own and wakes the window
//! when it has news.
//!
//! `task` is one job with its progress and its result; `loader` loads heads and works on styles;
//! `style_job` names the changes of a style.

pub(crate) mod loader;
pub(crate) mod style_job;
pub(crate) mod task;
