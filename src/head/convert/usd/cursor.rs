//! A place in a text of USD, from which names and values are read; and what is in a value.

use super::{WHAT, refused};
use crate::head::error::{Result, quoted};
use crate::head::limits::Budget;

/// Names in a value that are looked at, and paths that a relationship names.
pub const MOST_WORDS: usize = 1024;

/// A place in a text.
pub struct Cursor<'a> {
    pub text: &'a str,
    pub at: usize,
}

fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b':' | b'.' | b'-' | b'!' | b'|')
        || byte >= 128
}

impl<'a> Cursor<'a> {
    /// Returns the start of what stands in the parentheses that follow.
    pub fn inside(&mut self) -> Result<Cursor<'a>> {
        let whole = self.value()?;
        let text = whole.strip_prefix('(').unwrap_or_default();
        let text = text.strip_suffix(')').unwrap_or_default();
        Ok(Cursor { text, at: 0 })
    }

    /// Returns the next name and value in parentheses; what is no such pair is passed
    /// over. The name of what is taken out of a list is empty.
    pub fn entry(&mut self) -> Result<Option<(&'a str, &'a str)>> {
        let (mut key, mut is_removal) = ("", false);
        loop {
            match self.peek() {
                None => return Ok(None),
                Some(b'=') => {
                    self.at += 1;
                    let value = self.value()?;
                    return Ok(Some((if is_removal { "" } else { key }, value)));
                }
                Some(byte) if is_in_word(byte) => {
                    is_removal = matches!(key, "delete" | "reorder");
                    key = self.word()?;
                }
                Some(_) => {
                    self.value()?;
                }
            }
        }
    }

    /// Returns the next byte that is no space, comment or separator.
    pub fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.as_bytes().get(self.at)?;
            match byte {
                b'#' => {
                    let rest = &self.text[self.at..];
                    self.at += rest.find('\n').unwrap_or(rest.len());
                }
                _ if byte.is_ascii_whitespace() || matches!(byte, b';' | b',') => self.at += 1,
                _ => return Some(byte),
            }
        }
    }

    pub fn expect(&mut self, byte: u8) -> Result<()> {
        match self.peek() == Some(byte) {
            true => {
                self.at += 1;
                Ok(())
            }
            false if byte == b'=' => Err(refused("lacks a `=`")),
            false => Err(refused("lacks a `{`")),
        }
    }

    /// Reads a word; types of lists end in `[]`.
    pub fn word(&mut self) -> Result<&'a str> {
        self.peek();
        let rest = &self.text[self.at..];
        let end = rest.bytes().position(|byte| !is_in_word(byte));
        let mut length = end.unwrap_or(rest.len());
        if rest[length..].starts_with("[]") {
            length += 2;
        }
        if length == 0 {
            return Err(refused("has something else than a name"));
        }
        self.at += length;
        Ok(&rest[..length])
    }

    pub fn string(&mut self) -> Result<&'a str> {
        match self.peek() {
            Some(b'"' | b'\'') => {
                let value = self.value()?;
                Ok(words(value).first().copied().unwrap_or(""))
            }
            _ => Err(refused("lacks a name in quotes")),
        }
    }

    /// Reads a value: a word, a text, a path, or what stands in brackets.
    pub fn value(&mut self) -> Result<&'a str> {
        self.peek();
        let (value, _) =
            piece(&self.text[self.at..]).ok_or_else(|| refused("begins what does not end"))?;
        self.at += value.len();
        Ok(value)
    }
}

/// Returns the times and values in a value that has several.
pub fn samples(text: &str) -> impl Iterator<Item = (f64, &str)> {
    let mut rest = text.strip_prefix('{').unwrap_or_default();
    std::iter::from_fn(move || {
        let (time, values) = rest.split_once(':')?;
        let (value, after) = piece(values.trim_start())?;
        rest = after.trim_start().trim_start_matches(',');
        Some((number(time)?, value))
    })
}

/// Returns the number that a text is.
pub fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok()
}

/// Returns the value at the start of a text, and the rest.
fn piece(text: &str) -> Option<(&str, &str)> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    loop {
        let rest = &text[at..];
        let past = |start: &str, end: &str| {
            let inner = rest.strip_prefix(start)?;
            Some(start.len() + inner.find(end)? + end.len())
        };
        at += match *bytes.get(at)? {
            b'(' | b'[' | b'{' => {
                depth += 1;
                1
            }
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                1
            }
            b'"' | b'\'' => quoted_length(rest)?,
            b'@' if rest.starts_with("@@@") => past("@@@", "@@@")?,
            b'@' => past("@", "@")?,
            b'<' => past("<", ">")?,
            b'#' if depth > 0 => rest.find('\n')?,
            byte if is_in_word(byte) || byte == b'+' => {
                let is_end = |byte| !(is_in_word(byte) || byte == b'+');
                rest.bytes().position(is_end).unwrap_or(rest.len())
            }
            _ if depth > 0 => 1,
            _ => return None,
        };
        if depth == 0 {
            return Some(text.split_at(at));
        }
    }
}

/// Returns the quotation mark at the start of a text: one of a byte, or three of them.
fn mark(text: &str) -> &str {
    let first = &text[..1];
    match text.get(..3) {
        Some(three) if three.split(first).all(str::is_empty) => three,
        _ => first,
    }
}

/// Returns the length of the text in quotes at the start of another, quotes included.
fn quoted_length(text: &str) -> Option<usize> {
    let mark = mark(text);
    let mut at = mark.len();
    loop {
        let rest = text.get(at..)?;
        if rest.starts_with(mark) {
            return Some(at + mark.len());
        }
        // A character after a backslash is no end.
        let skip = if rest.starts_with('\\') { 2 } else { 1 };
        at += skip;
        while at < text.len() && !text.is_char_boundary(at) {
            at += 1;
        }
    }
}

/// Returns the numbers in a value; a blocked one has none.
pub fn numbers<T>(text: &str, budget: &Budget, convert: impl Fn(f64) -> T) -> Result<Vec<T>> {
    if text == "None" {
        return Ok(Vec::new());
    }
    let is_between = |c: char| c.is_ascii_whitespace() || matches!(c, '(' | ')' | '[' | ']' | ',');
    let words = || text.split(is_between).filter(|word| !word.is_empty());
    let count = words().count();
    budget.take(count as u64, size_of::<T>() as u64, WHAT)?;
    let mut numbers = Vec::with_capacity(count);
    for word in words() {
        let number = match word {
            "true" => 1.0,
            "false" => 0.0,
            _ => {
                let number = word.parse();
                number.map_err(|_| refused(format!("{} is no number", quoted(word))))?
            }
        };
        numbers.push(convert(number));
    }
    Ok(numbers)
}

/// Returns the texts in quotes and the paths of files in a value.
pub fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while words.len() < MOST_WORDS
        && let Some(start) = rest.find(['"', '\'', '@'])
    {
        rest = &rest[start..];
        let mark = mark(rest);
        let inner = &rest[mark.len()..];
        let Some(end) = inner.find(mark) else { break };
        words.push(&inner[..end]);
        rest = &inner[end + mark.len()..];
    }
    words
}
