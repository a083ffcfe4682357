//! Starts the window in the page.

use crate::address;
use crate::log::Console;
use crate::viewer::page;
use wasm_bindgen::prelude::wasm_bindgen;

/// Opens the window with what an address asks for. The page calls this once.
///
/// # Errors
///
/// The reason why nothing can be drawn.
#[wasm_bindgen]
pub fn start(address: &str) -> Result<(), String> {
    std::panic::set_hook(Box::new(|panic| page::failed(&panic.to_string())));
    // A page that is started twice keeps the first log.
    _ = tracing::subscriber::set_global_default(Console);
    mohawk::files::disk::listen(page::written);
    let (options, problems) = address::options(address);
    page::run(options, &problems).map_err(|error| error.to_string())
}
