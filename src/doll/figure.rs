//! The figures: who they are, and where their hair grows.

use glam::DVec2;
use serde::{Deserialize, Serialize};

/// Width and height of the page that figures are drawn on, pixels.
pub const PAGE: [u32; 2] = [800, 600];

/// Who has the hair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Figure {
    /// With a round head, a fringe and long sides, as the source has it.
    #[default]
    Girl,
    /// The same layout.
    Boy,
    /// With a mane around the face.
    Lion,
    /// With hair that stands on end.
    Troll,
}

/// Which way hair grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Growth {
    /// Straight down.
    Down,
    /// Away from the middle.
    Out,
}

/// Where hair grows, and how long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hairline {
    /// The middle of the circle of the fringe, pixels.
    pub(super) origin: DVec2,
    /// Its radius, pixels.
    pub(super) radius: f64,
    /// Angles at which it has hair: 90 to 270 degrees are its upper half.
    pub(super) degrees: [f64; 2],
    pub(super) growth: Growth,
    /// Shortest hair: at the back, in the fringe; pixels.
    pub(super) shortest: [f64; 2],
    /// By how much hair can be longer than that, whatever its place.
    pub(super) varies: f64,
    /// By how much, times the square of twice the horizontal distance by the radius.
    pub(super) widens: f64,
}

impl Figure {
    /// All, as they are offered.
    pub const ALL: [Self; 4] = [Self::Girl, Self::Boy, Self::Lion, Self::Troll];

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Girl => "girl",
            Self::Boy => "boy",
            Self::Lion => "lion",
            Self::Troll => "troll",
        }
    }

    pub(super) fn hairline(self) -> Hairline {
        let of_source = Hairline {
            origin: DVec2::new(400.0, 240.0),
            radius: 90.0,
            degrees: [90.0, 270.0],
            growth: Growth::Down,
            shortest: [30.0, 50.0],
            varies: 0.0,
            widens: 50.0,
        };
        match self {
            Self::Girl => of_source,
            Self::Boy => Hairline {
                shortest: [24.0, 34.0],
                widens: 14.0,
                ..of_source
            },
            Self::Lion => Hairline {
                origin: DVec2::new(400.0, 300.0),
                radius: 120.0,
                degrees: [0.0, 360.0],
                growth: Growth::Out,
                shortest: [40.0, 30.0],
                varies: 60.0,
                widens: 2.0,
            },
            Self::Troll => Hairline {
                origin: DVec2::new(400.0, 370.0),
                radius: 95.0,
                growth: Growth::Out,
                shortest: [90.0, 80.0],
                varies: 110.0,
                widens: 0.0,
                ..of_source
            },
        }
    }
}
