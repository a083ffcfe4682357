//! Colours that hair grows in.

use serde::{Deserialize, Serialize};

/// Colours by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Palette {
    /// Dark brown: the source's.
    #[default]
    Brown,
    /// Nearly black.
    Black,
    /// Yellow.
    Blond,
    /// Orange.
    Ginger,
    /// Grey to white.
    Silver,
    /// Candy.
    Pink,
    /// Sea.
    Blue,
    /// All of them, from left to right.
    Rainbow,
}

impl Palette {
    /// All, as they are offered.
    pub const ALL: [Self; 8] = [
        Self::Brown,
        Self::Black,
        Self::Blond,
        Self::Ginger,
        Self::Silver,
        Self::Pink,
        Self::Blue,
        Self::Rainbow,
    ];

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Brown => "brown",
            Self::Black => "black",
            Self::Blond => "blond",
            Self::Ginger => "ginger",
            Self::Silver => "silver",
            Self::Pink => "pink",
            Self::Blue => "blue",
            Self::Rainbow => "rainbow",
        }
    }

    /// The colour of a hair, sRGB: `light` is 0 to 50 for back hair and 0 to 100 for the fringe, as
    /// the source has it; `across` is 0 at the page's left side of the figure and 1 at its right.
    pub fn color(self, light: f64, across: f64) -> [f32; 3] {
        // Red, green and blue of the darkest hair, and what one step of light adds.
        let (dark, step): ([f64; 3], [f64; 3]) = match self {
            Self::Brown => ([50.0, 30.0, 0.0], [1.0, 1.0, 1.0]),
            Self::Black => ([18.0, 16.0, 22.0], [0.5, 0.5, 0.6]),
            Self::Blond => ([186.0, 134.0, 48.0], [0.66, 0.84, 0.9]),
            Self::Ginger => ([148.0, 54.0, 10.0], [0.95, 0.9, 0.5]),
            Self::Silver => ([140.0, 144.0, 154.0], [1.0, 1.0, 1.0]),
            Self::Pink => ([198.0, 52.0, 120.0], [0.55, 1.0, 0.85]),
            Self::Blue => ([22.0, 66.0, 150.0], [0.6, 1.1, 0.95]),
            Self::Rainbow => {
                let light = 0.42 + 0.0034 * light;
                return hue(across.clamp(0.0, 1.0) * 0.8)
                    .map(|c| (light + (c - 0.5) * 0.62).clamp(0.0, 1.0) as f32);
            }
        };
        std::array::from_fn(|i| ((dark[i] + light * step[i]) / 255.0).min(1.0) as f32)
    }

    /// Skin under the hair: the darker half of the colours.
    pub fn scalp(self) -> [f32; 3] {
        match self {
            Self::Rainbow => [0.40, 0.28, 0.44],
            _ => self.color(12.0, 0.5),
        }
    }
}

/// Pure colours around the wheel: 0 is red, 1/3 green, 2/3 blue.
fn hue(place: f64) -> [f64; 3] {
    [0.0, 1.0 / 3.0, 2.0 / 3.0].map(|pure: f64| {
        let way = (place - pure).rem_euclid(1.0);
        let way = way.min(1.0 - way);
        (2.0 - 6.0 * way).clamp(0.0, 1.0)
    })
}
