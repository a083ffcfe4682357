//! The obstacles of hair: shapes of the head, spheres and capsules.

use super::ellipsoid::Ellipsoid;
use crate::choices;
use crate::settings::{Field, ListItem, SettingError};
use crate::sim::Sdf;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

choices! {
    /// The shape of the head that hair collides with.
    pub enum HeadCollider: "collider" = Field {
        /// Hair passes through the head.
        None = "none",
        /// Each strand stays above the plane at its root, as in the spring method.
        Plane = "plane",
        /// An ellipsoid fitted to the skull.
        Ellipsoid = "ellipsoid",
        /// The skin itself, by its distance field: forehead, ears, neck.
        Field = "field",
    }
}

/// The shapes of a head, head space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeadShape {
    /// The fitted ellipsoid, from [`Ellipsoid::of_head`].
    pub ellipsoid: Option<Ellipsoid>,
    /// The distance field, from [`Sdf::bake`].
    pub field: Option<Arc<Sdf>>,
}

impl From<Option<Ellipsoid>> for HeadShape {
    fn from(ellipsoid: Option<Ellipsoid>) -> Self {
        Self {
            ellipsoid,
            field: None,
        }
    }
}

/// A sphere, or a capsule: all points within `radius` of a line segment. It is fixed in world
/// space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collider {
    /// The centre of the sphere or one end of the capsule, decimetres, each -1,000 to 1,000.
    pub from: [f32; 3],
    /// The other end of a capsule; `None` for a sphere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<[f32; 3]>,
    /// Radius, decimetres, 0.001 to 100.
    pub radius: f32,
}

impl Collider {
    /// The coordinates of an end.
    pub const PLACE: Field = Field::new(Self::KEY, &[]).within(-1_000.0, 1_000.0, "decimetres");
    /// The radius.
    pub const RADIUS: Field =
        Field::new("sim.colliders.radius", &[]).within(0.001, 100.0, "decimetres");
}

impl ListItem for Collider {
    const KEY: &'static str = "sim.colliders";
    const MAX: usize = 64;

    fn validate(&self) -> Result<(), SettingError> {
        Self::PLACE.check(&self.from)?;
        self.to.map_or(Ok(()), |to| Self::PLACE.check(&to))?;
        Self::RADIUS.check(&self.radius)
    }
}
