//! Numbers one after the other, however they are written.

use super::header::{Element, Encoding, Kind, Scalar};

/// The bytes after the header that were not read yet.
pub(super) struct Source<'a> {
    encoding: Encoding,
    rest: &'a [u8],
}

impl<'a> Source<'a> {
    pub(super) fn new(encoding: Encoding, rest: &'a [u8]) -> Self {
        Source { encoding, rest }
    }

    /// How many rows of an element the rest can hold at the very most.
    pub(super) fn most_rows(&self, element: &Element) -> u64 {
        let least = |scalar: Scalar| match self.encoding {
            // A digit and what parts it from the next.
            Encoding::Ascii => 2,
            Encoding::Little | Encoding::Big => scalar.bytes(),
        };
        let row: usize = (element.properties.iter())
            .map(|property| match property.kind {
                Kind::Scalar(scalar) => least(scalar),
                Kind::List { length, .. } => least(length),
            })
            .sum();
        // The last digit may end the file.
        (self.rest.len() as u64 + 1)
            .checked_div(row as u64)
            .unwrap_or(u64::MAX)
    }

    /// The next number; `Err`: what stands there instead, `None` for the end.
    pub(super) fn number(&mut self, scalar: Scalar) -> Result<f64, Option<String>> {
        match self.encoding {
            Encoding::Ascii => self.word(),
            Encoding::Little => self.binary(scalar, false),
            Encoding::Big => self.binary(scalar, true),
        }
        .ok_or(None)?
    }

    fn word(&mut self) -> Option<Result<f64, Option<String>>> {
        let start = self.rest.iter().position(|b| !b.is_ascii_whitespace())?;
        let rest = &self.rest[start..];
        let end = rest.iter().position(u8::is_ascii_whitespace);
        let (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
        self.rest = rest;
        let number = std::str::from_utf8(word).ok().and_then(|w| w.parse().ok());
        Some(number.ok_or_else(|| {
            // Of whatever it is, as much as a message can hold.
            let shown = &word[..word.len().min(40)];
            Some(format!("{:?}", String::from_utf8_lossy(shown)))
        }))
    }

    fn binary(&mut self, scalar: Scalar, big: bool) -> Option<Result<f64, Option<String>>> {
        let (bytes, rest) = self.rest.split_at_checked(scalar.bytes())?;
        self.rest = rest;
        let mut little = [0; 8];
        little[..bytes.len()].copy_from_slice(bytes);
        if big {
            little[..bytes.len()].reverse();
        }
        let [a, b, c, d, ..] = little;
        Some(Ok(match scalar {
            Scalar::I8 => i8::from_le_bytes([a]).into(),
            Scalar::U8 => a.into(),
            Scalar::I16 => i16::from_le_bytes([a, b]).into(),
            Scalar::U16 => u16::from_le_bytes([a, b]).into(),
            Scalar::I32 => i32::from_le_bytes([a, b, c, d]).into(),
            Scalar::U32 => u32::from_le_bytes([a, b, c, d]).into(),
            Scalar::F32 => f32::from_le_bytes([a, b, c, d]).into(),
            Scalar::F64 => f64::from_le_bytes(little),
        }))
    }
}
