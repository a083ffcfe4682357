//! Contact: hair cannot enter the head, spheres or capsules.
//!
//! [`contacts`] gathers the obstacles, each of which implements [`surface`]. [`segment_contact`]
//! turns segments of moving hair out of them, with friction; [`whole_strands`] moves and measures
//! finished strands. [`root_clearance`] says how deep strands may be near their roots, and
//! [`planes`] where points that are too deep belong.

mod capsule;
pub(crate) mod collider;
mod contacts;
pub(crate) mod ellipsoid;
mod ellipsoid_collider;
mod planes;
mod root_clearance;
mod root_plane;
mod sdf_collider;
mod segment_contact;
mod settings;
mod surface;
mod whole_strands;

pub(super) use contacts::Contacts;
pub(super) use root_clearance::RootClearance;
pub(super) use segment_contact::collide_segments;
pub use settings::{HeadCollider, HeadShape};
pub(super) use whole_strands::{PushStrandsOut, StrandDepths};
