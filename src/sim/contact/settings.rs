//! The shape of a head that hair collides with.

use crate::choices;
use crate::sim::{Ellipsoid, Sdf};
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

impl HeadCollider {
    /// Returns the shapes that are used, and whether the planes at the roots are.
    pub(super) fn of(self, head: &HeadShape) -> (HeadShape, bool) {
        let shape = match self {
            HeadCollider::None | HeadCollider::Plane => HeadShape::default(),
            HeadCollider::Ellipsoid => HeadShape::from(head.ellipsoid),
            HeadCollider::Field => head.clone(),
        };
        (shape, self == HeadCollider::Plane)
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
