//! The memory layout: structure of arrays in blocks of eight strands.

use glam::{DMat3, DVec3, Vec3};

/// Strands per block: one AVX2 register of f32, two of SSE2 or NEON.
pub(super) const LANES: usize = 8;

/// Eight f32, one per strand of a block. Aligned so that a load never straddles cache lines.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Lanes(pub(super) [f32; LANES]);

/// Eight vectors as x, y and z lanes.
pub(super) type Lanes3 = [Lanes; 3];

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

/// Motion of eight strands.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct StateBlock {
    /// Tip minus anchor, world space, decimetres. Small and zero at rest, so single precision
    /// resolves it far better than a position.
    pub(super) offset: Lanes3,
    /// Tip velocity, world space, dm/s.
    pub(super) velocity: Lanes3,
}

/// What a step always needs to know of eight strands at rest, head space.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct RestBlock {
    /// Rest tips: root + direction · length.
    pub(super) anchor: Lanes3,
    /// Height of the anchor above its root's plane, decimetres.
    pub(super) lift: Lanes,
}

/// What drawing needs besides, head space.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct ShapeBlock {
    /// Strand roots.
    pub(super) root: Lanes3,
    /// Rest tip minus root: direction · length.
    pub(super) reach: Lanes3,
    /// Strand lengths, decimetres.
    pub(super) length: Lanes,
}

/// The vector in one lane.
pub(super) fn get3(lanes: &Lanes3, lane: usize) -> Vec3 {
    Vec3::from_array([0, 1, 2].map(|axis: usize| lanes[axis].0[lane]))
}

/// Sets the vector in one lane.
pub(super) fn set3(lanes: &mut Lanes3, lane: usize, value: Vec3) {
    for axis in 0..3 {
        lanes[axis].0[lane] = value[axis];
    }
}

/// Rows of a matrix · the vector in a lane, summed in one fixed order so that every
/// instruction set gives the same bits.
#[inline(always)]
pub(super) fn rotate(rows: &[[f32; 3]; 3], v: [f32; 3]) -> [f32; 3] {
    rows.map(|row| dot(row, v))
}

/// Dot product in one fixed order.
#[inline(always)]
pub(super) fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector in one lane, as an array.
#[inline(always)]
pub(super) fn lane3(lanes: &Lanes3, lane: usize) -> [f32; 3] {
    [lanes[0].0[lane], lanes[1].0[lane], lanes[2].0[lane]]
}

/// min(x, 0), as one instruction and no branch.
#[inline(always)]
pub(super) fn negative_part(x: f32) -> f32 {
    if x < 0.0 { x } else { 0.0 }
}

/// Rows of a matrix in single precision.
pub(super) fn rows(matrix: &DMat3) -> [[f32; 3]; 3] {
    [0, 1, 2].map(|i| vec(matrix.row(i)))
}

/// A vector in single precision.
pub(super) fn vec(v: DVec3) -> [f32; 3] {
    v.as_vec3().to_array()
}
