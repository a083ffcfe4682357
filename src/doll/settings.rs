//! What a doll is before anybody brushes it.

use super::{Figure, Palette};
use crate::settings::SettingError;
use serde::{Deserialize, Serialize};

/// Stations of a length profile, evenly spread from the page's left of the figure to its right.
pub const STATIONS: usize = 9;
/// Fewest and most hairs.
pub const COUNTS: [u32; 2] = [100, 5000];
/// Longest hair that a profile asks for, pixels.
pub const MOST_LENGTH: f64 = 500.0;

/// How long hair is, by where it grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub enum Profile {
    /// As the figure has it: for girl and boy a random share of the square of the horizontal
    /// distance from the middle, as in the source.
    #[default]
    Figure,
    /// The longest, at each station, pixels; hair is three quarters of that, or more.
    Own([f64; STATIONS]),
}

/// A profile in a file.
#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "\"profile\" must be \"figure\" or 9 lengths")]
enum Written {
    Named(Named),
    Own([f64; STATIONS]),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Named {
    Figure,
}

impl From<Written> for Profile {
    fn from(written: Written) -> Self {
        match written {
            Written::Named(Named::Figure) => Self::Figure,
            Written::Own(lengths) => Self::Own(lengths),
        }
    }
}

impl From<Profile> for Written {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Figure => Self::Named(Named::Figure),
            Profile::Own(lengths) => Self::Own(lengths),
        }
    }
}

/// What hair grows from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DollSettings {
    /// Whose it is.
    pub figure: Figure,
    /// Its colours.
    pub palette: Palette,
    /// How many hairs, 100 to 5,000: five of six at the back, the others in the fringe.
    pub hairs: u32,
    /// How long they are.
    pub profile: Profile,
    /// Another seed, other hair.
    pub seed: u64,
}

impl Default for DollSettings {
    fn default() -> Self {
        Self {
            figure: Figure::Girl,
            palette: Palette::Brown,
            hairs: 1200,
            profile: Profile::Figure,
            seed: 1,
        }
    }
}

impl DollSettings {
    /// Hairs at the back and in the fringe.
    pub fn layers(&self) -> [usize; 2] {
        let fringe = (f64::from(self.hairs) / 6.0).round() as usize;
        [self.hairs as usize - fringe, fringe]
    }

    /// Checks every range.
    ///
    /// # Errors
    ///
    /// The first that is out of its range.
    pub fn validate(&self) -> Result<(), SettingError> {
        let [least, most] = COUNTS;
        if !(least..=most).contains(&self.hairs) {
            let range = format!("{least} to {most}");
            return Err(SettingError::new("hairs", self.hairs, range));
        }
        if let Profile::Own(lengths) = &self.profile {
            let wrong = |length: &&f64| !(0.0..=MOST_LENGTH).contains(*length);
            if let Some(length) = lengths.iter().find(wrong) {
                let range = format!("lengths of 0 to {MOST_LENGTH} (pixels)");
                return Err(SettingError::new("profile", length, range));
            }
        }
        Ok(())
    }
}
