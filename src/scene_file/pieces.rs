//! Parsing of a scene file in pieces.
//!
//! A parser of TOML takes some 80 bytes of memory for each byte of the text. A file may have very
//! many `[[strands]]` and `[[poses]]`, so these are parsed a few at a time.

use super::{Key, SceneFile, Strand};
use crate::told::parser_text;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::ops::Range;

/// The bytes of `[[strands]]` and `[[poses]]` that are parsed at a time.
const PIECE: usize = 256 << 10;
/// The largest size of all else together, and of one strand, bytes.
const MAX_REST: usize = 1 << 20;

/// Some `[[strands]]` and `[[poses]]`.
#[derive(Deserialize)]
struct Piece {
    #[serde(default)]
    strands: Vec<Strand>,
    #[serde(default)]
    poses: Vec<Key>,
}

/// Reads the text of a scene file. The error tells the line.
pub(super) fn parse(text: &str) -> Result<SceneFile, String> {
    let sections = Sections::of(text);
    // The text before the first header is left over.
    let mut rest = Vec::from_iter(std::iter::once(0..sections.start));
    let mut rest_bytes = sections.start;
    let (mut strands, mut poses) = (Vec::new(), Vec::new());
    let mut take = |piece: &mut Range<usize>| {
        if piece.start < piece.end {
            let read: Piece = read(text, std::slice::from_ref(piece))?;
            strands.extend(read.strands);
            poses.extend(read.poses);
        }
        *piece = piece.end..piece.end;
        Ok::<_, String>(())
    };
    let mut piece = rest_bytes..rest_bytes;
    for section in sections {
        let is_listed = is_listed(&text[section.clone()]);
        if is_listed && section.len() <= MAX_REST {
            piece.end = section.end;
            if piece.len() >= PIECE {
                take(&mut piece)?;
            }
            continue;
        }
        take(&mut piece)?;
        piece = section.end..section.end;
        rest_bytes += section.len();
        rest.push(section);
    }
    take(&mut piece)?;
    if rest_bytes > MAX_REST {
        let told = "there are more than 1 MiB beside [[strands]] and [[poses]], or in one of them: \
            write each strand and each pose with its own header";
        return Err(told.to_owned());
    }
    let mut file: SceneFile = read(text, &rest)?;
    file.strands.extend(strands);
    file.poses.extend(poses);
    Ok(file)
}

/// Reads some parts of a text as one. Errors tell the lines of the whole text.
fn read<T: DeserializeOwned>(text: &str, parts: &[Range<usize>]) -> Result<T, String> {
    let joined: String = parts.iter().map(|part| &text[part.clone()]).collect();
    toml::from_str(&joined).map_err(|_: toml::de::Error| {
        let (mut padded, mut at) = (String::new(), 0);
        for part in parts {
            let between = text[at..part.start].matches('\n');
            padded.extend(between.chain([&text[part.clone()]]));
            at = part.end;
        }
        let error = toml::from_str::<T>(&padded).err();
        error.map_or_else(String::new, parser_text)
    })
}

/// Returns `true` for the header of a strand or a pose.
fn is_listed(section: &str) -> bool {
    let name = section.trim_start().strip_prefix("[[");
    let name = name.and_then(|name| name.split_once("]]"));
    name.is_some_and(|(name, _)| ["strands", "poses"].contains(&name.trim()))
}

/// The sections of a text: each begins at the line of a header, and ends before the next.
struct Sections<'a> {
    text: &'a [u8],
    /// The start of the next section.
    start: usize,
}

impl<'a> Sections<'a> {
    fn of(text: &'a str) -> Self {
        let mut sections = Self {
            text: text.as_bytes(),
            start: 0,
        };
        sections.start = sections.header_after(0, false);
        sections
    }

    /// Returns the start of the line of the next header, or the end. `skips_one`: the header at the
    /// start does not count.
    ///
    /// A header is a bracket that begins a line, outside of lists and texts. In a text that is no
    /// TOML it may be elsewhere; then the parser refuses the section.
    fn header_after(&self, start: usize, skips_one: bool) -> usize {
        let (text, mut skips_one) = (self.text, skips_one);
        let (mut at, mut line, mut depth) = (start, Some(start), 0_usize);
        while let Some(&byte) = text.get(at) {
            match (byte, line) {
                (b'[', Some(line)) if depth == 0 && !skips_one => return line,
                (b'[' | b'{', _) => (depth, skips_one) = (depth + 1, false),
                (b']' | b'}', _) => depth = depth.saturating_sub(1),
                _ => {}
            }
            (at, line) = match byte {
                b' ' | b'\t' | b'\r' => (at + 1, line),
                b'\n' => (at + 1, Some(at + 1)),
                b'#' => {
                    let end = text[at..].iter().position(|&byte| byte == b'\n');
                    (end.map_or(text.len(), |end| at + end), line)
                }
                b'"' | b'\'' => (after_string(text, at), None),
                _ => (at + 1, None),
            };
        }
        text.len()
    }
}

impl Iterator for Sections<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.start;
        (start < self.text.len()).then(|| {
            self.start = self.header_after(start, true);
            start..self.start
        })
    }
}

/// Returns the place after the text in quotes that begins at `at`.
fn after_string(text: &[u8], mut at: usize) -> usize {
    let quote = text[at];
    let triple = [quote; 3];
    let is_long = text[at..].starts_with(&triple);
    at += if is_long { 3 } else { 1 };
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' if quote == b'"' => at += 2,
            b'\n' if !is_long => return at,
            _ if byte != quote => at += 1,
            _ if !is_long => return at + 1,
            _ if text[at..].starts_with(&triple) => return at + 3,
            _ => at += 1,
        }
    }
    text.len()
}
