//! The page in a browser: the window of the program, in a canvas.
//!
//! `web/page.js` starts it; `viewer::platform` is the border to the browser.

#[cfg(target_arch = "wasm32")]
mod bindings;
#[cfg(target_arch = "wasm32")]
mod file_watcher;
#[cfg(target_arch = "wasm32")]
#[path = "web/log.rs"]
mod log;
#[cfg(target_arch = "wasm32")]
mod numbers;
#[cfg(target_arch = "wasm32")]
mod ribbons;
#[cfg(target_arch = "wasm32")]
mod roots_overlay;
#[cfg(target_arch = "wasm32")]
#[path = "web/start.rs"]
mod start;
#[cfg(target_arch = "wasm32")]
mod viewer;

fn main() {
    #[cfg(not(target_arch = "wasm32"))]
    eprintln!("This program runs in a browser: script/build-web builds it.");
}
