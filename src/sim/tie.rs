//! The settings of ties: ribbons and elastics around strands.

use crate::settings::{Field, ListItem, SettingError};
use serde::{Deserialize, Serialize};

/// A ribbon or an elastic that holds a bundle of strands. It is not fastened to the head.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tie {
    /// The place where hair is bound, head space, decimetres, each -1,000 to 1,000.
    pub place: [f32; 3],
    /// Strands that are groomed to pass within this distance of the place are bound, decimetres,
    /// 0.001 to 100.
    #[serde(default = "Tie::default_reach")]
    pub reach: f32,
    /// Radius of the held bundle, decimetres, 0.001 to 10.
    #[serde(default = "Tie::default_radius")]
    pub radius: f32,
}

impl Tie {
    /// The coordinates of the place.
    pub const PLACE: Field =
        Field::new("sim.ties.place", &[]).within(-1_000.0, 1_000.0, "decimetres");
    /// The distance from the place.
    pub const REACH: Field = Field::new(
        "sim.ties.reach",
        &["Strands groomed to pass this near are bound."],
    )
    .within(0.001, 100.0, "decimetres");
    /// The radius of the bundle.
    pub const RADIUS: Field = Field::new("sim.ties.radius", &["Radius of the held bundle."])
        .within(0.001, 10.0, "decimetres");

    fn default_reach() -> f32 {
        0.5
    }

    fn default_radius() -> f32 {
        0.12
    }

    /// Returns a tie of the default reach and radius.
    pub fn at(place: [f32; 3]) -> Self {
        Self {
            place,
            reach: Self::default_reach(),
            radius: Self::default_radius(),
        }
    }
}

impl ListItem for Tie {
    const KEY: &'static str = "sim.ties";
    const MAX: usize = 64;

    fn validate(&self) -> Result<(), SettingError> {
        Self::PLACE.check(&self.place)?;
        Self::REACH.check(&self.reach)?;
        Self::RADIUS.check(&self.radius)
    }
}
