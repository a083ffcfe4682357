//! The memory layout of the spring: three streams through a step, two more for drawing.

use crate::sim::simd::{Lanes, Lanes3};

// Strand i is lane i % 8 of block i / 8, in every one of these arrays:
//
//   state    | ux8 uy8 uz8 vx8 vy8 vz8 |  192 bytes, read and written by every step
//   rest     | ax8 ay8 az8 l8 |  128 bytes, read by every step
//   normal   | nx8 ny8 nz8 |  96 bytes, read by a step where tips may touch the skin, and by drawing
//   previous | ux8 uy8 uz8 |  96 bytes, written by a frame's last step, read by drawing
//   shape    | rx8 ry8 rz8 ex8 ey8 ez8 l8 |  224 bytes, read by drawing
//
// Three streams through a step keep more of the memory busy than one of larger blocks would, and
// they differ in stride: streams whose distance stays nearly a multiple of a page hinder each
// other.
//
// Lanes past the last strand are all zero and stay so: a strand of no length at the head's
// centre is at rest under every pose.

/// The motion of eight strands.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct StateBlock {
    /// Tip minus anchor, world space, decimetres. Small and zero at rest, so single precision
    /// resolves it far better than a position.
    pub(crate) offset: Lanes3,
    /// Tip velocity, world space, dm/s.
    pub(crate) velocity: Lanes3,
}

/// The data of eight strands at rest that every step needs, head space.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct RestBlock {
    /// Rest tips.
    pub(crate) anchor: Lanes3,
    /// Height of the anchor above its root's plane, decimetres.
    pub(crate) lift: Lanes,
}

/// The data of eight strands at rest that drawing needs besides, head space.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct ShapeBlock {
    /// Strand roots.
    pub(crate) root: Lanes3,
    /// Rest tip minus root.
    pub(crate) reach: Lanes3,
    /// Length of `reach`, decimetres: that of the strand if it is straight.
    pub(crate) length: Lanes,
}
