//! Work off the window's thread: every long job runs on a thread of its own and wakes the window
//! when it has news.
//!
//! `task` is one job with its progress and its result; `jobs` load heads and change styles.

mod jobs;
mod task;

pub(crate) use jobs::{Change, ShownHair, StyleJob, StyleResult};
pub(crate) use jobs::{HeadSource, LoadRequest, LoadedHead, head_name, load};
pub(crate) use task::{BackgroundTask, Progress, Stopped, Wake};
