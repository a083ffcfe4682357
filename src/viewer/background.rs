//! Work off the window's thread: every long job runs on a thread of its own and wakes the window
//! when it has news.
//!
//! `task` is one job with its progress and its result, `loader` loads heads, and `style_job` changes
//! styles.

mod loader;
mod style_job;
mod task;

pub(crate) use loader::{HeadSource, LoadRequest, LoadedHead, load};
pub(crate) use style_job::{Change, ShownHair, StyleJob, StyleResult};
pub(crate) use task::{BackgroundTask, Progress, Stopped, Wake};
