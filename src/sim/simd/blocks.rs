//! The memory layout: structure of arrays in blocks of eight strands.

use glam::{DMat3, DVec3, Vec3};

/// An array of what an expression gives for axis 0, 1 and 2. `[0, 1, 2].map(…)` is the same, but
/// compilers make calls of it where values are large, and calls are made for no wide instructions.
macro_rules! axes {
    ($axis:ident => $value:expr) => {
        [
            {
                let $axis = 0_usize;
                $value
            },
            {
                let $axis = 1_usize;
                $value
            },
            {
                let $axis = 2_usize;
                $value
            },
        ]
    };
}
pub(crate) use axes;

/// Strands per block: one AVX2 register of f32, two of SSE2 or NEON.
pub(crate) const LANES: usize = 8;

/// Eight f32, one per strand of a block. Aligned so that a load never straddles cache lines.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct Lanes(pub(crate) [f32; LANES]);

/// Eight vectors as x, y and z lanes.
pub(crate) type Lanes3 = [Lanes; 3];

/// Position and velocity of one particle of each of eight strands, or whatever a solver keeps of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct ParticleBlock {
    /// World space, decimetres.
    pub(crate) position: Lanes3,
    /// World space, dm/s.
    pub(crate) velocity: Lanes3,
}

/// The vector in one lane.
pub(crate) fn get3(lanes: &Lanes3, lane: usize) -> Vec3 {
    Vec3::from_array([0, 1, 2].map(|axis: usize| lanes[axis].0[lane]))
}

/// Sets the vector in one lane.
pub(crate) fn set3(lanes: &mut Lanes3, lane: usize, value: Vec3) {
    for axis in 0..3 {
        lanes[axis].0[lane] = value[axis];
    }
}

/// Rows of a matrix · the vector in a lane, summed in one fixed order so that every
/// instruction set gives the same bits.
#[inline(always)]
pub(crate) fn rotate(rows: &[[f32; 3]; 3], v: [f32; 3]) -> [f32; 3] {
    axes!(i => dot(rows[i], v))
}

/// Dot product in one fixed order.
#[inline(always)]
pub(crate) fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector in one lane, as an array.
#[inline(always)]
pub(crate) fn lane3(lanes: &Lanes3, lane: usize) -> [f32; 3] {
    [lanes[0].0[lane], lanes[1].0[lane], lanes[2].0[lane]]
}

/// min(x, 0), as one instruction and no branch.
#[inline(always)]
pub(crate) fn negative_part(x: f32) -> f32 {
    if x < 0.0 { x } else { 0.0 }
}

/// a + b · s, never fused.
#[inline(always)]
pub(crate) fn add_scaled(a: [f32; 3], b: [f32; 3], s: f32) -> [f32; 3] {
    [a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s]
}

/// a − b.
#[inline(always)]
pub(crate) fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// a × b
#[inline(always)]
pub(crate) fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// v · s
#[inline(always)]
pub(crate) fn scaled(v: [f32; 3], s: f32) -> [f32; 3] {
    [v[0] * s, v[1] * s, v[2] * s]
}

/// `yes` where `choice`, else `no`: a select in every lane.
#[inline(always)]
pub(crate) fn select(choice: bool, yes: [f32; 3], no: [f32; 3]) -> [f32; 3] {
    [
        if choice { yes[0] } else { no[0] },
        if choice { yes[1] } else { no[1] },
        if choice { yes[2] } else { no[2] },
    ]
}

/// The unit vector along v, or `otherwise` where v is too short to have a direction.
#[inline(always)]
pub(crate) fn unit_or(v: [f32; 3], otherwise: [f32; 3]) -> [f32; 3] {
    let squared = dot(v, v);
    let long = squared > 1e-24;
    let scale = 1.0 / squared.sqrt();
    select(long, [v[0] * scale, v[1] * scale, v[2] * scale], otherwise)
}

/// Puts a vector into one lane.
#[inline(always)]
pub(crate) fn put3(lanes: &mut Lanes3, lane: usize, v: [f32; 3]) {
    lanes[0].0[lane] = v[0];
    lanes[1].0[lane] = v[1];
    lanes[2].0[lane] = v[2];
}

/// Rows of a matrix in single precision.
pub(crate) fn rows(matrix: &DMat3) -> [[f32; 3]; 3] {
    [0, 1, 2].map(|i| vec(matrix.row(i)))
}

/// A vector in single precision.
pub(crate) fn vec(v: DVec3) -> [f32; 3] {
    v.as_vec3().to_array()
}
