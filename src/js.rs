//! The library for JavaScript: the module of the npm package, without a window.
//!
//! `web/npm/index.js` wraps these functions, and its types are what people see. Here are borders
//! only: numbers and names in, arrays out, the errors of the library as `Error`s.

#[cfg(target_arch = "wasm32")]
mod js {
    mod arrays;
    mod hair;
    mod head;
    mod roots;
    mod settings;
    mod shipped;
}

fn main() {
    #[cfg(not(target_arch = "wasm32"))]
    eprintln!("This program is a module for JavaScript: script/build-npm builds it.");
    // An error of the library itself reaches JavaScript as an `Error` too.
    #[cfg(target_arch = "wasm32")]
    std::panic::set_hook(Box::new(|panic| {
        wasm_bindgen::throw_str(&format!("an error of mohawk has ended it: {panic}"));
    }));
}
