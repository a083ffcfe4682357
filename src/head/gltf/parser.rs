//! Parsing of a document's lists item by item, with the memory of each item charged first.

use crate::head::error::{LoadErrorKind, Result, truncated};
use crate::head::limits::Budget;
use crate::told::short;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Error, IgnoredAny, Unexpected};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A part of the text.
pub type Raw<'a> = Option<&'a RawValue>;

/// Bytes charged per list item, in sizes of the item's type: a growing list may hold its items
/// twice while it moves.
const LIST_FACTOR: usize = 2;

/// The longest extension that is parsed when its element is used, which may be often.
const MAX_EXTENSION: usize = 16 << 10;

/// Parses the extension of an element. The error says what is wrong with it.
pub fn extension<T: DeserializeOwned>(raw: &RawValue) -> std::result::Result<T, String> {
    match raw.get().len() > MAX_EXTENSION {
        true => Err(format!("it has more than {MAX_EXTENSION} bytes of JSON")),
        false => serde_json::from_str(raw.get()).map_err(|error| short(&error.to_string())),
    }
}

/// Parses a document part by part.
pub struct Parser<'a, 'b> {
    pub json: &'a [u8],
    pub budget: &'b Budget,
    /// The budget before the first item, for the message.
    pub left: u64,
}

impl<'a> Parser<'a, '_> {
    pub fn list<T: Deserialize<'a>>(&self, list: Raw<'a>, heap_factor: usize) -> Result<Vec<T>> {
        self.list_of(list, heap_factor, |item| self.object(item))
    }

    pub fn list_of<T>(
        &self,
        list: Raw<'a>,
        heap_factor: usize,
        parse: impl Fn(&'a [u8]) -> Result<T>,
    ) -> Result<Vec<T>> {
        let Some(list) = list.map(|list| list.get().as_bytes()) else {
            return Ok(Vec::new());
        };
        let charge = |bytes: usize, place: &[u8]| {
            let charged = self.budget.take(bytes as u64, 1, "");
            charged.map_err(|_| LoadErrorKind::Crowded {
                place: self.place(place, 0),
                left: self.left,
            })
        };
        let wrong = |error| self.error(&error, list);
        // A list of these takes no memory.
        let ignored: Vec<IgnoredAny> = serde_json::from_slice(list).map_err(wrong)?;
        let unparsed = ignored.len() * size_of::<&RawValue>() * LIST_FACTOR;
        charge(unparsed, list)?;
        let items: Vec<&RawValue> = serde_json::from_slice(list).map_err(wrong)?;
        let mut parsed = Vec::new();
        for item in items {
            let item = item.get().as_bytes();
            let bytes = size_of::<T>() * LIST_FACTOR + item.len() * heap_factor;
            charge(bytes, item)?;
            parsed.push(parse(item)?);
        }
        self.budget.give_back(unparsed as u64, 1);
        Ok(parsed)
    }

    /// Parses a part of the document; derived types would take a list for an object.
    pub fn object<T: Deserialize<'a>>(&self, part: &'a [u8]) -> Result<T> {
        let parsed = match part.trim_ascii_start().first() {
            Some(b'[') => Err(Error::invalid_type(Unexpected::Seq, &"an object")),
            _ => serde_json::from_slice(part),
        };
        parsed.map_err(|error| self.error(&error, part))
    }

    /// Returns the error of a part of the document, with its place in the whole.
    fn error(&self, error: &serde_json::Error, part: &[u8]) -> LoadErrorKind {
        let (line, column) = (error.line(), error.column());
        let lines = part.split_inclusive(|&byte| byte == b'\n');
        let before: usize = lines.take(line.saturating_sub(1)).map(<[u8]>::len).sum();
        let place = self.place(part, before + column);
        let problem = error.to_string();
        let suffix = format!(" at line {line} column {column}");
        let mut problem = Cow::from(problem.strip_suffix(&suffix).unwrap_or(&problem));
        // serde quotes the offending value in full.
        if problem.len() > 300 {
            problem = truncated(&problem).into();
        }
        LoadErrorKind::Json(format!("{problem} at {place}"))
    }

    /// Returns the line and column of a byte of a part of the document.
    fn place(&self, part: &[u8], offset: usize) -> String {
        let start = part.as_ptr() as usize - self.json.as_ptr() as usize;
        let before = &self.json[..(start + offset).min(self.json.len())];
        let is_newline = |byte: &u8| *byte == b'\n';
        let line_start = before.iter().rposition(is_newline).map_or(0, |at| at + 1);
        let line = 1 + before.iter().copied().filter(|b| is_newline(b)).count();
        format!("line {line} column {}", before.len() - line_start)
    }
}
