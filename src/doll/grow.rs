//! The settings that hair grows from, and its growth, as in the source that `docs/doll.md` names.

use super::figure::{Figure, Hairline, Palette};
use super::hair::{Curve, DollHair, MIN_LENGTH};
use crate::det_math::sin_cos;
use crate::random::Random;
use crate::settings::SettingError;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// Number of stations of a length profile, evenly spaced from the left of the figure to the right.
pub const STATIONS: usize = 9;
/// Smallest and largest number of hairs.
pub const COUNTS: [u32; 2] = [100, 5000];
/// Largest length in a profile, pixels.
pub const MAX_LENGTH: f64 = 500.0;
/// Height of the roots at the back above those of the fringe, pixels.
const BACK_RISE: f64 = 30.0;
/// Distance of the innermost roots at the back from the circle of the fringe, pixels.
const BACK_INSET: f64 = 20.0;
/// Depth of the roots at the back, pixels.
const BACK_DEPTH: f64 = 50.0;
/// Largest horizontal distance of a tip from its root, pixels.
const MAX_ASIDE: f64 = 15.0;
/// Largest random light at the back and in the fringe, of 255.
const LIGHT: [f64; 2] = [50.0, 100.0];

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

    /// Returns the largest length at each station, pixels.
    pub fn lengths(&self) -> [f64; STATIONS] {
        if let LengthProfile::Custom(lengths) = self.profile {
            return lengths;
        }
        let line = self.figure.hairline();
        std::array::from_fn(|station| {
            let side = 2.0 * station as f64 / (STATIONS - 1) as f64 - 1.0;
            length(self, &line, 0, line.origin.x + side * reach(&line), 1.0)
        })
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

/// Returns a hair by its number: those of the back come first, then those of the fringe. A hair
/// does not depend on how many there are.
pub(super) fn hair(settings: &DollSettings, number: usize) -> DollHair {
    let [back, _] = settings.layers();
    let (layer, number) = match number.checked_sub(back) {
        None => (0, number),
        Some(number) => (1, number),
    };
    let line = settings.figure.hairline();
    let stream = (2 * number + layer + 1) as u64;
    let stream = stream.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut random = Random::new(settings.seed.wrapping_add(stream));
    let mut uniform = |from: f64, to: f64| from + (to - from) * random.uniform();

    let [first, last] = line.degrees;
    let (sin, cos) = sin_cos(uniform(first, last).to_radians());
    let (up, distance) = match layer {
        0 => (
            BACK_RISE,
            line.radius - BACK_INSET + uniform(0.0, BACK_DEPTH),
        ),
        _ => (0.0, line.radius),
    };
    let (up, out) = match line.grows_out {
        true => (0.0, DVec2::new(sin, cos)),
        false => (up, DVec2::Y),
    };
    let from = line.origin - DVec2::new(0.0, up) + distance * DVec2::new(sin, cos);
    let light = uniform(0.0, LIGHT[layer]);
    let length = length(settings, &line, layer, from.x, uniform(0.0, 1.0));
    let aside = uniform(-MAX_ASIDE, MAX_ASIDE);
    let bend = uniform(0.0, length);
    let to = from + length * out + aside * -out.perp();
    let across = 0.5 + 0.5 * (from.x - line.origin.x) / reach(&line);
    DollHair {
        held: Vec::new(),
        curve: Curve {
            from,
            mid: from + bend * out,
            to,
        },
        length: from.distance(to),
        color: settings.palette.color(light, across),
    }
}

/// Returns the largest horizontal distance of roots from the middle, pixels.
fn reach(line: &Hairline) -> f64 {
    line.radius - BACK_INSET + BACK_DEPTH
}

fn length(settings: &DollSettings, line: &Hairline, layer: usize, x: f64, share: f64) -> f64 {
    let aside = x - line.origin.x;
    match &settings.profile {
        LengthProfile::Figure => {
            let wide = 2.0 * aside / line.radius;
            line.min_length[layer] + share * (line.variation + line.side_variation * wide * wide)
        }
        LengthProfile::Custom(lengths) => {
            let last = (STATIONS - 1) as f64;
            let place = (0.5 + 0.5 * aside / reach(line)).clamp(0.0, 1.0) * last;
            let station = (place as usize).min(STATIONS - 2);
            let part = place - station as f64;
            let max = lengths[station] + part * (lengths[station + 1] - lengths[station]);
            (max * (0.75 + 0.25 * share)).max(MIN_LENGTH)
        }
    }
}
