//! What is blended over a picture: discs on the skin, dots and lines, and a plane of distances.

pub mod discs;
pub mod marks;
pub mod slice;
