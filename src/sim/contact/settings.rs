//! What of a head hair collides with.

use crate::settings::SettingError;
use crate::sim::{Ellipsoid, Field};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// What of the head hair collides with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HeadCollider {
    /// Nothing: hair goes through the head.
    None,
    /// The plane at each strand's root, as the spring does it.
    Plane,
    /// An ellipsoid fitted to the skull.
    Ellipsoid,
    /// The skin itself, by its distance field; the ellipsoid where there is no such field.
    #[default]
    Field,
}

impl HeadCollider {
    /// Every one.
    pub const ALL: [HeadCollider; 4] = [
        HeadCollider::None,
        HeadCollider::Plane,
        HeadCollider::Ellipsoid,
        HeadCollider::Field,
    ];

    /// Name as on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            HeadCollider::None => "none",
            HeadCollider::Plane => "plane",
            HeadCollider::Ellipsoid => "ellipsoid",
            HeadCollider::Field => "field",
        }
    }

    /// What it does, in a line.
    pub fn about(self) -> &'static str {
        match self {
            HeadCollider::None => "hair goes through the head",
            HeadCollider::Plane => "each strand stays above the plane at its root",
            HeadCollider::Ellipsoid => "an ellipsoid fitted to the skull",
            HeadCollider::Field => "the skin itself: forehead, ears, neck",
        }
    }

    /// Of the shapes of a head those that are used, and whether the plane at the root is.
    pub(super) fn of(self, head: &HeadShape) -> (HeadShape, bool) {
        let shape = match self {
            HeadCollider::None | HeadCollider::Plane => HeadShape::default(),
            HeadCollider::Ellipsoid => HeadShape::from(head.ellipsoid),
            HeadCollider::Field => head.clone(),
        };
        (shape, self == HeadCollider::Plane)
    }
}

impl fmt::Display for HeadCollider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for HeadCollider {
    type Err = SettingError;

    fn from_str(name: &str) -> Result<Self, SettingError> {
        (HeadCollider::ALL.into_iter())
            .find(|collider| collider.name() == name)
            .ok_or_else(|| {
                let names = HeadCollider::ALL.map(HeadCollider::name).join(", ");
                SettingError::new("collider", name, format!("one of {names}"))
            })
    }
}

/// The shapes of a head that hair can collide with, head space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeadShape {
    /// See [`Ellipsoid::of_head`].
    pub ellipsoid: Option<Ellipsoid>,
    /// See [`Field::bake`].
    pub field: Option<Arc<Field>>,
}

impl From<Option<Ellipsoid>> for HeadShape {
    fn from(ellipsoid: Option<Ellipsoid>) -> Self {
        Self {
            ellipsoid,
            field: None,
        }
    }
}
