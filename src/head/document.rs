//! The glTF document, in the types of the `gltf` crate.
//!
//! They are read without that crate's validation, which refuses legal files, and
//! without its wrappers, which panic on invalid ones: an index may lead nowhere
//! and a code may be `Checked::Invalid` wherever they are used.

use super::error::{LoadErrorKind, Result, short};
use super::json_filter::{Meter, Sieve};
use super::limits::Budget;
use gltf::json::Root;
use serde::Deserialize;
use std::cell::Cell;

/// Parses JSON; the memory of the document is taken from `budget`.
pub fn parse(json: &[u8], budget: &Budget) -> Result<Root> {
    let meter = Meter {
        budget,
        refused: Cell::new(false),
    };
    let left = budget.left();
    let mut parser = serde_json::Deserializer::from_slice(json);
    let parsed = Root::deserialize(Sieve::new(&mut parser, &meter));
    let error = match parsed.and_then(|root| parser.end().map(|()| root)) {
        Ok(root) => return Ok(root),
        Err(error) => error,
    };
    let place = format!("line {} column {}", error.line(), error.column());
    if meter.refused.get() {
        return Err(LoadErrorKind::Crowded { place, left });
    }
    // The value at fault may be quoted whole; the place is at the end.
    let mut problem = error.to_string();
    if problem.len() > 300 {
        problem = format!("{} at {place}", short(&problem));
    }
    Err(LoadErrorKind::Json { problem })
}
