//! Contact: hair cannot enter the head, spheres or capsules.
//!
//! [`contacts`] gathers the obstacles, whose shapes are [`surfaces`] and [`sdf_collider`].
//! [`root_clearance`] is the allowed depth of strands near their roots. [`segment_contact`] turns
//! segments of moving hair out of obstacles, with friction; [`strand_contact`] moves and measures
//! finished strands. [`planes`] are the tangent planes at points that are too deep. [`ellipsoid`]
//! fits an ellipsoid to a head.

mod contacts;
mod ellipsoid;
mod planes;
mod root_clearance;
mod sdf_collider;
mod segment_contact;
mod strand_contact;
mod surfaces;

pub(super) use contacts::Contacts;
pub use ellipsoid::Ellipsoid;
pub(super) use planes::Planes;
pub(super) use root_clearance::RootClearance;
pub(super) use strand_contact::{LayStrands, StrandDepths};
pub use surfaces::{Collider, HeadCollider, HeadShape};
