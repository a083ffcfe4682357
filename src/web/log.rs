//! Sends the log of the program to the console of the browser.

use std::fmt::{Debug, Write};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(raw_module = "./host.js")]
unsafe extern "C" {
    /// Tells the page around this one what went wrong.
    fn problem(text: &str);
}

#[wasm_bindgen]
unsafe extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn debug(text: &str);
    #[wasm_bindgen(js_namespace = console)]
    fn info(text: &str);
    #[wasm_bindgen(js_namespace = console)]
    fn warn(text: &str);
}

/// The console. Spans are not shown.
pub(crate) struct Console;

impl Subscriber for Console {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("mohawk") && *metadata.level() <= Level::DEBUG
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line::default();
        event.record(&mut line);
        match *event.metadata().level() {
            Level::ERROR => {
                // Errors that the page shows to people are no errors of the page itself.
                warn(&line.0);
                problem(&line.0);
            }
            Level::WARN => warn(&line.0),
            Level::INFO => info(&line.0),
            _ => debug(&line.0),
        }
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The message of an event.
#[derive(Default)]
struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            _ = write!(self.0, "{value:?}"); // A text takes whatever is written.
        }
    }
}
