//! The settings of sampling: the number or the spacing of roots, method and seed.

use super::SampleError;
use crate::choices;
use crate::settings::{Field, Section};
use serde::{Deserialize, Serialize};

/// The largest number of strands.
pub const MAX_STRANDS: u32 = 2_000_000;

choices! {
    /// A method of choosing roots. `docs/roots.md` has the formulas and what each achieves.
    pub enum Method: "method" = Progressive {
        /// Maximal Poisson-disk in an order whose every prefix is even; painted density selects a
        /// prefix.
        Progressive = "progressive",
        /// Maximal Poisson-disk at a single spacing.
        Maximal = "maximal",
        /// Maximal Poisson-disk, packed as closely as darts can.
        Tight = "tight",
        /// Maximal Poisson-disk with a spacing that follows the painted density.
        Variable = "variable",
        /// Area-weighted dart throwing, which stops before the set is maximal.
        Darts = "darts",
        /// Area-weighted random points.
        Uniform = "uniform",
        /// Sample elimination of random points (Yuksel 2015).
        Elimination = "elimination",
        /// Darts at uniformly chosen triangles, as in the original program.
        Reference = "reference",
    }
}

/// The density of maximal sets: N = PACKING · area / spacing² on a closed surface.
pub(crate) const PACKING: f64 = 0.7010;

/// The amount of roots: a number or a spacing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// About this many strands, 1 to [`MAX_STRANDS`]; the spacing follows from the scalp's area.
    Strands(u32),
    /// The smallest distance of two roots, decimetres.
    Spacing(f32),
}

/// The settings of roots. A settings file has `strands = N` or `spacing = R`, `seed` and `method`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Keys", into = "Keys")]
pub struct RootSettings {
    /// The amount.
    pub amount: Amount,
    /// The seed: the same seed gives the same roots on every machine.
    pub seed: u64,
    /// The sampling method.
    pub method: Method,
}

impl Default for RootSettings {
    fn default() -> Self {
        Self {
            amount: Amount::Strands(6000),
            seed: 1,
            method: Method::default(),
        }
    }
}

#[allow(non_upper_case_globals)]
impl RootSettings {
    /// The declaration of the setting `strands`.
    pub const strands: Field = Field::new(
        "roots.strands",
        &["Approximate number of strands on painted skin, instead of spacing"],
    )
    .within(1.0, MAX_STRANDS as f32, "");
    /// The declaration of the setting `spacing`.
    pub const spacing: Field = Field::new(
        "roots.spacing",
        &["Smallest distance between roots, in decimetres, instead of strands"],
    );
    /// The declaration of the setting `seed`.
    pub const seed: Field = Field::new(
        "roots.seed",
        &["Seed of all random numbers: the same seed gives the same hair on every machine"],
    );
    /// The declaration of the setting `method`.
    pub const method: Field = Field::new(
        "roots.method",
        &[
            "Sampling method: progressive, maximal, tight, variable, darts, uniform, elimination or reference",
        ],
    );
    /// The section of the settings file.
    pub const SECTION: Section = Section {
        key: "roots",
        docs: &["Where strands grow."],
        fields: &[&Self::strands, &Self::spacing, &Self::seed, &Self::method],
    };
}

/// The settings as written in a file.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "roots")]
struct Keys {
    #[serde(skip_serializing_if = "Option::is_none")]
    strands: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spacing: Option<f32>,
    seed: Option<u64>,
    method: Option<Method>,
}

impl TryFrom<Keys> for RootSettings {
    type Error = String;

    fn try_from(keys: Keys) -> Result<Self, String> {
        let default = Self::default();
        let amount = match (keys.strands, keys.spacing) {
            (Some(_), Some(_)) => return Err("give strands or spacing, not both".into()),
            (None, None) => default.amount,
            (Some(strands), None) => Amount::Strands(strands),
            (None, Some(spacing)) => Amount::Spacing(spacing),
        };
        amount.check().map_err(|error| error.to_string())?;
        Ok(Self {
            amount,
            seed: keys.seed.unwrap_or(default.seed),
            method: keys.method.unwrap_or(default.method),
        })
    }
}

impl From<RootSettings> for Keys {
    fn from(settings: RootSettings) -> Self {
        let (strands, spacing) = match settings.amount {
            Amount::Strands(strands) => (Some(strands), None),
            Amount::Spacing(spacing) => (None, Some(spacing)),
        };
        Self {
            strands,
            spacing,
            seed: Some(settings.seed),
            method: Some(settings.method),
        }
    }
}

impl Amount {
    /// Checks the number by itself, independent of the scalp.
    ///
    /// # Errors
    ///
    /// [`SampleError::Strands`] or [`SampleError::Spacing`].
    pub fn check(&self) -> Result<(), SampleError> {
        match *self {
            Amount::Strands(strands) if !(1..=MAX_STRANDS).contains(&strands) => {
                Err(SampleError::Strands { strands })
            }
            Amount::Spacing(spacing) if !(spacing.is_finite() && spacing > 0.0) => {
                Err(SampleError::Spacing { spacing })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_written_and_read_back_the_same() {
        let amounts = [1, MAX_STRANDS].map(Amount::Strands);
        for amount in amounts.into_iter().chain([Amount::Spacing(0.0123)]) {
            for seed in [0, 1, i64::MAX as u64, u64::MAX] {
                let method = Method::Tight;
                let settings = RootSettings {
                    amount,
                    seed,
                    method,
                };
                let written = toml::to_string(&settings).expect("written");
                let read: RootSettings = toml::from_str(&written).expect(&written);
                assert_eq!(read, settings, "{written}");
            }
        }
        let written = toml::to_string(&RootSettings::default()).expect("written");
        let plain = "strands = 6000\nseed = 1\nmethod = \"progressive\"\n";
        assert_eq!(written, plain);
    }

    #[test]
    fn absent_keys_have_their_defaults_and_wrong_ones_are_named() {
        let read = toml::from_str::<RootSettings>;
        assert_eq!(read("").expect("read"), RootSettings::default());
        let spaced = read("spacing = 0.5").expect("read");
        assert_eq!((spaced.amount, spaced.seed), (Amount::Spacing(0.5), 1));
        let both = "strands = 5\nspacing = 0.1";
        for (text, message) in [
            (both, "give strands or spacing, not both"),
            ("strand = 5", "unknown field `strand`"),
            ("strands = 0", "strands must be 1 to 2000000, not 0"),
            ("spacing = -1.0", "spacing must be a finite length above 0"),
            ("spacing = nan", "spacing must be a finite length above 0"),
            ("seed = -1", "seed"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.to_string().contains(message), "{text}: {error}");
        }
    }
}
