//! Work off the window's thread: every long job runs on a thread of its own and wakes the window
//! when it has news.
//!
//! `task` is one job with its progress and its end; `loader` reads a head and plants its hair;
//! `style_job` does what takes long to a style; `roots_survey` measures roots for their overlay;
//! `autosave_worker` keeps unsaved work on disk.

pub(crate) mod autosave_worker;
pub(crate) mod loader;
pub(crate) mod roots_survey;
pub(crate) mod style_job;
pub(crate) mod task;
