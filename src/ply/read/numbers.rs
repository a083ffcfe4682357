//! The numbers after the header, in any encoding.

use super::header::{Element, Encoding, PropertyType, Scalar};

/// Reads one number after the other.
pub struct NumberReader<'a> {
    encoding: Encoding,
    rest: &'a [u8],
}

impl<'a> NumberReader<'a> {
    pub fn new(encoding: Encoding, rest: &'a [u8]) -> Self {
        NumberReader { encoding, rest }
    }

    /// Returns the largest number of rows of an element that the rest can hold.
    pub fn max_rows(&self, element: &Element) -> u64 {
        let min_bytes = |scalar: &Scalar| match self.encoding {
            // A digit and a separator.
            Encoding::Ascii => 2,
            Encoding::Little | Encoding::Big => scalar.size,
        };
        let row: usize = (element.properties.iter())
            .map(|property| match property.kind {
                PropertyType::Scalar(scalar) => min_bytes(scalar),
                PropertyType::List { length, .. } => min_bytes(length),
            })
            .sum();
        // The last number needs no separator.
        (self.rest.len() as u64 + 1)
            .checked_div(row as u64)
            .unwrap_or(u64::MAX)
    }

    /// Returns the next number.
    ///
    /// # Errors
    ///
    /// The text that is no number; `None` at the end of the file.
    pub fn number(&mut self, scalar: &Scalar) -> Result<f64, Option<String>> {
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
            let start = &word[..word.len().min(40)];
            Some(format!("{:?}", String::from_utf8_lossy(start)))
        }))
    }

    fn binary(&mut self, scalar: &Scalar, is_big: bool) -> Option<Result<f64, Option<String>>> {
        let (bytes, rest) = self.rest.split_at_checked(scalar.size)?;
        self.rest = rest;
        let mut little = [0; 8];
        little[..bytes.len()].copy_from_slice(bytes);
        if is_big {
            little[..bytes.len()].reverse();
        }
        Some(Ok((scalar.from_le)(little)))
    }
}
