//! Vectors of eight strands: structure of arrays, in the order x, y, z.
//!
//! Functions with a 3 in their names work on [`Lanes3`] and [`DLanes3`] alike. Work that goes lane
//! by lane takes vectors out as [`glam::Vec3`], whose operations round in the same order.

use super::lanes::{DLanes, LANES, Lanes};
use glam::{Mat3, Vec3};
use std::ops::{Add, Div, Mul, Sub};

/// Evaluates an expression for axis 0, 1 and 2. `[0, 1, 2].map(…)` gives the same array, but
/// compilers turn it into calls where values are large, and calls are not made for wide
/// instructions.
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

/// Eight vectors in single precision.
pub(crate) type Lanes3 = [Lanes; 3];
/// Eight vectors in double precision.
pub(crate) type DLanes3 = [DLanes; 3];

/// Squared length below which a vector has no direction.
pub(crate) const SHORT: f32 = 1e-24;

/// The arithmetic that [`Lanes`] and [`DLanes`] have in common.
pub(crate) trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
}

impl Number for Lanes {}
impl Number for DLanes {}

/// Returns the vector in one lane.
#[inline(always)]
pub(crate) fn get3(lanes: &Lanes3, lane: usize) -> Vec3 {
    Vec3::new(lanes[0].0[lane], lanes[1].0[lane], lanes[2].0[lane])
}

/// Sets the vector in one lane.
#[inline(always)]
pub(crate) fn set3(lanes: &mut Lanes3, lane: usize, v: Vec3) {
    lanes[0].0[lane] = v.x;
    lanes[1].0[lane] = v.y;
    lanes[2].0[lane] = v.z;
}

/// The same vector in every lane.
#[inline(always)]
pub(crate) fn splat3(v: Vec3) -> Lanes3 {
    [Lanes::splat(v.x), Lanes::splat(v.y), Lanes::splat(v.z)]
}

/// a + b
#[inline(always)]
pub(crate) fn sum3<T: Number>(a: &[T; 3], b: &[T; 3]) -> [T; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a − b
#[inline(always)]
pub(crate) fn minus3<T: Number>(a: &[T; 3], b: &[T; 3]) -> [T; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// v · s
#[inline(always)]
pub(crate) fn scaled3<T: Number>(v: &[T; 3], s: T) -> [T; 3] {
    [v[0] * s, v[1] * s, v[2] * s]
}

/// v / s
#[inline(always)]
pub(crate) fn over3<T: Number>(v: &[T; 3], s: T) -> [T; 3] {
    [v[0] / s, v[1] / s, v[2] / s]
}

/// a + b · s, never fused
#[inline(always)]
pub(crate) fn add_scaled3<T: Number>(a: &[T; 3], b: &[T; 3], s: T) -> [T; 3] {
    [a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s]
}

/// a · b, summed in one fixed order
#[inline(always)]
pub(crate) fn dot3<T: Number>(a: &[T; 3], b: &[T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b
#[inline(always)]
pub(crate) fn cross3<T: Number>(a: &[T; 3], b: &[T; 3]) -> [T; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// A matrix times the vector of each lane, in one loop over the lanes, which compilers make as wide
/// as they can.
#[inline(always)]
pub(crate) fn rotate3(matrix: &Mat3, v: &Lanes3) -> Lanes3 {
    let v = *v;
    let mut out = Lanes3::default();
    for lane in 0..LANES {
        set3(&mut out, lane, *matrix * get3(&v, lane));
    }
    out
}

/// `yes` in the lanes where x is above `limit`, else `no`.
#[inline(always)]
pub(crate) fn above3(x: Lanes, limit: f32, yes: &Lanes3, no: &Lanes3) -> Lanes3 {
    axes!(i => x.above(limit, yes[i], no[i]))
}

/// [`Lanes::flushed`] in every component.
#[inline(always)]
pub(crate) fn flushed3(v: &Lanes3) -> Lanes3 {
    axes!(i => v[i].flushed())
}

/// The unit vectors along v, or `otherwise` where v is [`SHORT`].
#[inline(always)]
pub(crate) fn unit3(v: &Lanes3, otherwise: &Lanes3) -> Lanes3 {
    let squared = dot3(v, v);
    let scale = Lanes::ONE / squared.sqrt();
    above3(squared, SHORT, &scaled3(v, scale), otherwise)
}

/// The unit vector along v, or `otherwise` where v is [`SHORT`]. Unlike
/// [`Vec3::normalize_or`] it keeps NaN and infinity visible to what looks for broken strands.
#[inline(always)]
pub(crate) fn unit_or(v: Vec3, otherwise: Vec3) -> Vec3 {
    let squared = v.dot(v);
    let scale = 1.0 / squared.sqrt();
    select(squared > SHORT, v * scale, otherwise)
}

/// `yes` if `choice`, else `no`: selects in every component, and no branch.
#[inline(always)]
pub(crate) fn select(choice: bool, yes: Vec3, no: Vec3) -> Vec3 {
    Vec3::new(
        if choice { yes.x } else { no.x },
        if choice { yes.y } else { no.y },
        if choice { yes.z } else { no.z },
    )
}
