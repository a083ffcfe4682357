//! Whole numbers of a glTF document: indices, codes, counts and offsets.

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use std::fmt;

/// A whole number from 0 to `MAX`, which may be written `5126.0`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Whole<const MAX: u64>(pub u64);

/// An index or a code.
pub type Index = Whole<{ u32::MAX as u64 - 1 }>;

/// A count or an offset in bytes.
pub type Size = Whole<{ u64::MAX }>;

impl<const MAX: u64> Whole<MAX> {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl<'de, const MAX: u64> Deserialize<'de> for Whole<MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_u64(Self::default())
    }
}

impl<const MAX: u64> Visitor<'_> for Whole<MAX> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a whole number that is not negative")?;
        match MAX {
            u64::MAX => Ok(()),
            max => write!(f, ", up to {max}"),
        }
    }

    fn visit_u64<E: Error>(self, value: u64) -> std::result::Result<Self, E> {
        if value > MAX {
            return Err(E::invalid_value(Unexpected::Unsigned(value), &self));
        }
        Ok(Self(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> std::result::Result<Self, E> {
        if value.fract() == 0.0 && (0.0..9.0e15).contains(&value) {
            return self.visit_u64(value as u64);
        }
        Err(E::invalid_value(Unexpected::Float(value), &self))
    }
}
