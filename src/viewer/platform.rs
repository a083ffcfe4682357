//! The differences between a desktop and a page in a browser: threads, the event loop, file dialogs.

#[cfg(not(target_arch = "wasm32"))]
mod desktop;
#[cfg(target_arch = "wasm32")]
pub(crate) mod page;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use desktop::*;
#[cfg(target_arch = "wasm32")]
pub(crate) use page::*;

/// A question for a file of one of these kinds: their names, and the extensions of each.
pub(crate) struct FileDialog {
    #[cfg_attr(target_arch = "wasm32", expect(dead_code))]
    pub(crate) title: &'static str,
    pub(crate) kinds: Vec<(&'static str, Vec<&'static str>)>,
}
