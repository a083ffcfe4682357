//! The figures and their hairlines.

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

/// The direction of growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Growth {
    /// Straight down.
    Down,
    /// Away from the middle of the hairline.
    Out,
}

/// The curve where hair grows, and its length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hairline {
    /// Centre of the circle of the fringe, pixels.
    pub(super) origin: DVec2,
    /// Its radius, pixels.
    pub(super) radius: f64,
    /// Range of angles with hair: 90 to 270 degrees are the upper half.
    pub(super) degrees: [f64; 2],
    pub(super) growth: Growth,
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
            growth: Growth::Down,
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
                growth: Growth::Out,
                min_length: [40.0, 30.0],
                variation: 60.0,
                side_variation: 2.0,
            },
            Self::Troll => Hairline {
                origin: DVec2::new(400.0, 370.0),
                radius: 95.0,
                growth: Growth::Out,
                min_length: [90.0, 80.0],
                variation: 110.0,
                side_variation: 0.0,
                ..source
            },
        }
    }
}
