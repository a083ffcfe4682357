//! What every settings struct shares: ranges and the error that names a key out of its range.

use std::fmt::Display;
use std::ops::RangeInclusive;

/// A setting whose value cannot be used.
///
/// Reads `groom.length = -1: expected 0.01 to 10 (decimetres)`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key} = {value}: expected {expected}")]
pub struct SettingError {
    /// Full key as written in the groom file, for example `sim.spring.damping`.
    pub key: String,
    /// The offending value as a person would type it.
    pub value: String,
    /// What is allowed: a range with its unit, or a list of names.
    pub expected: String,
}

impl SettingError {
    /// An error from anything that can be shown.
    pub fn new(key: impl Display, value: impl Display, expected: impl Display) -> Self {
        Self {
            key: key.to_string(),
            value: value.to_string(),
            expected: expected.to_string(),
        }
    }
}

/// `Ok` when `value` lies in `range`; not-a-number lies in no range.
///
/// `unit` is shown in brackets after the range; empty for pure numbers.
pub fn check_range(
    key: &str,
    value: f32,
    range: RangeInclusive<f32>,
    unit: &str,
) -> Result<(), SettingError> {
    if range.contains(&value) {
        return Ok(());
    }
    let (min, max) = (range.start(), range.end());
    let expected = if unit.is_empty() {
        format!("{min} to {max}")
    } else {
        format!("{min} to {max} ({unit})")
    };
    Err(SettingError::new(key, value, expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_names_key_value_range_and_unit() {
        let error = check_range("groom.length", -1.0, 0.01..=10.0, "decimetres").unwrap_err();
        assert_eq!(
            error.to_string(),
            "groom.length = -1: expected 0.01 to 10 (decimetres)"
        );
        let error = check_range("groom.length_variation", f32::NAN, 0.0..=1.0, "").unwrap_err();
        assert_eq!(
            error.to_string(),
            "groom.length_variation = NaN: expected 0 to 1"
        );
    }

    #[test]
    fn infinities_are_out_of_every_range() {
        for value in [f32::INFINITY, f32::NEG_INFINITY] {
            assert!(check_range("k", value, 0.0..=f32::MAX, "").is_err());
        }
    }
}
