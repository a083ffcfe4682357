//! The settings that hair grows from.

use super::figure::{Figure, Palette};
use crate::settings::SettingError;
use serde::{Deserialize, Serialize};

/// Number of stations of a length profile, evenly spaced from the left of the figure to the right.
pub const STATIONS: usize = 9;
/// Smallest and largest number of hairs.
pub const COUNTS: [u32; 2] = [100, 5000];
/// Largest length in a profile, pixels.
pub const MAX_LENGTH: f64 = 500.0;

/// The length of hair, depending on where it grows. In a file it is `"figure"` or the lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(
    rename_all = "lowercase",
    expecting = "\"profile\" must be \"figure\" or 9 lengths"
)]
pub enum LengthProfile {
    /// The lengths of the figure.
    #[default]
    Figure,
    /// The largest length at each station, pixels. Hair has ¾ of it or more.
    #[serde(untagged)]
    Custom([f64; STATIONS]),
}

/// The settings of a doll.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DollSettings {
    /// The figure.
    pub figure: Figure,
    /// The colours.
    pub palette: Palette,
    /// Number of hairs, 100 to 5,000: five of six at the back, the others in the fringe.
    pub hairs: u32,
    /// The lengths.
    pub profile: LengthProfile,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl Default for DollSettings {
    fn default() -> Self {
        Self {
            figure: Figure::Girl,
            palette: Palette::Brown,
            hairs: 1200,
            profile: LengthProfile::Figure,
            seed: 1,
        }
    }
}

impl DollSettings {
    /// Returns the number of hairs at the back and in the fringe.
    pub fn layers(&self) -> [usize; 2] {
        let fringe = (f64::from(self.hairs) / 6.0).round() as usize;
        [self.hairs as usize - fringe, fringe]
    }

    /// Checks every range.
    ///
    /// # Errors
    ///
    /// [`SettingError`] of the first setting that is out of its range.
    pub fn validate(&self) -> Result<(), SettingError> {
        let [min, max] = COUNTS;
        if !(min..=max).contains(&self.hairs) {
            let range = format!("{min} to {max}");
            return Err(SettingError::new("hairs", self.hairs, range));
        }
        if let LengthProfile::Custom(lengths) = &self.profile {
            let wrong = |length: &&f64| !(0.0..=MAX_LENGTH).contains(*length);
            if let Some(length) = lengths.iter().find(wrong) {
                let range = format!("lengths of 0 to {MAX_LENGTH} (pixels)");
                return Err(SettingError::new("profile", length, range));
            }
        }
        Ok(())
    }
}
