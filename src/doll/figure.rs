//! The figures, their hairlines and the natural colours of their hair.

use glam::DVec2;

/// Width and height of the page, pixels.
pub const PAGE: [u32; 2] = [800, 600];

crate::choices! {
    /// A figure.
    pub enum Figure: "figure" = Girl {
        /// A girl with a round head, a fringe and long sides.
        Girl = "girl",
        /// A boy with shorter hair.
        Boy = "boy",
        /// A lion with a mane.
        Lion = "lion",
        /// A troll whose hair stands on end.
        Troll = "troll",
    }
}

/// The curve where hair grows, and its length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hairline {
    /// Centre of the circle of the fringe, pixels.
    pub(super) origin: DVec2,
    /// The radius, pixels.
    pub(super) radius: f64,
    /// Range of angles with hair: 90 to 270 degrees are the upper half.
    pub(super) degrees: [f64; 2],
    /// `true` if hair grows away from `origin`, `false` if it grows straight down.
    pub(super) grows_out: bool,
    /// Smallest length at the back and in the fringe, pixels.
    pub(super) min_length: [f64; 2],
    /// Largest random addition to that, pixels.
    pub(super) variation: f64,
    /// Largest random addition at the sides, pixels: times (2 x / radius)², x from the centre.
    pub(super) side_variation: f64,
}

impl Figure {
    pub(super) fn hairline(self) -> Hairline {
        let source = Hairline {
            origin: DVec2::new(400.0, 240.0),
            radius: 90.0,
            degrees: [90.0, 270.0],
            grows_out: false,
            min_length: [30.0, 50.0],
            variation: 0.0,
            side_variation: 50.0,
        };
        match self {
            Self::Girl => source,
            Self::Boy => Hairline {
                min_length: [24.0, 34.0],
                side_variation: 14.0,
                ..source
            },
            Self::Lion => Hairline {
                origin: DVec2::new(400.0, 300.0),
                radius: 120.0,
                degrees: [0.0, 360.0],
                grows_out: true,
                min_length: [40.0, 30.0],
                variation: 60.0,
                side_variation: 2.0,
            },
            Self::Troll => Hairline {
                origin: DVec2::new(400.0, 370.0),
                radius: 95.0,
                grows_out: true,
                min_length: [90.0, 80.0],
                variation: 110.0,
                side_variation: 0.0,
                ..source
            },
        }
    }
}

crate::choices! {
    /// A palette: the natural colours of hair.
    pub enum Palette: "palette" = Brown {
        /// Dark brown.
        Brown = "brown",
        /// Nearly black.
        Black = "black",
        /// Yellow.
        Blond = "blond",
        /// Orange.
        Ginger = "ginger",
        /// Grey to white.
        Silver = "silver",
        /// Pink.
        Pink = "pink",
        /// Blue.
        Blue = "blue",
        /// All hues from left to right.
        Rainbow = "rainbow",
    }
}

impl Palette {
    /// Returns the colour of a hair, sRGB. `light` is 0 to 50 at the back and 0 to 100 in the
    /// fringe; `across` is 0 at the left of the figure and 1 at the right.
    pub fn color(self, light: f64, across: f64) -> [f32; 3] {
        // The darkest colour, and the change for each step of `light`; 0 to 255.
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

    /// Returns the colour of the scalp under the hair: one of the darker colours.
    pub fn scalp(self) -> [f32; 3] {
        match self {
            Self::Rainbow => [0.40, 0.28, 0.44],
            _ => self.color(12.0, 0.5),
        }
    }
}

/// Returns the pure colour of a hue: 0 is red, 1/3 green, 2/3 blue.
fn hue(hue: f64) -> [f64; 3] {
    [0.0, 1.0 / 3.0, 2.0 / 3.0].map(|pure: f64| {
        let distance = (hue - pure).rem_euclid(1.0);
        let distance = distance.min(1.0 - distance);
        (2.0 - 6.0 * distance).clamp(0.0, 1.0)
    })
}
