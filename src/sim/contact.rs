//! Contact: hair cannot enter the head, spheres or capsules.
//!
//! [`contacts`] gathers the obstacles, whose shapes are [`surfaces`] and [`sdf_collider`].
//! [`segment_contact`] turns segments of moving hair out of them, with friction; [`whole_strands`]
//! moves and measures finished strands. [`root_clearance`] is the allowed depth of strands near
//! their roots, and [`planes`] are the tangent planes at points that are too deep. [`ellipsoid`]
//! fits an ellipsoid to a head.

mod contacts;
mod ellipsoid;
mod planes;
mod root_clearance;
mod sdf_collider;
mod segment_contact;
mod surfaces;
mod whole_strands;

pub(super) use contacts::Contacts;
pub use ellipsoid::Ellipsoid;
pub(super) use root_clearance::RootClearance;
pub use surfaces::{Collider, HeadCollider, HeadShape};
pub(super) use whole_strands::{PushStrandsOut, StrandDepths};
