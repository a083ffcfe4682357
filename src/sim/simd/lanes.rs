//! Eight numbers and eight vectors at once, in single and in double precision.
//!
//! Every operation goes over the lanes, which compiles to one instruction where registers are wide
//! enough. Nothing is fused, so all instruction sets give the same bits.
//!
//! Vectors are structures of arrays in the order x, y, z. Functions with a 3 in their names work on
//! [`Lanes3`] and [`DLanes3`] alike. Work that goes lane by lane takes vectors out as
//! [`glam::Vec3`], whose operations round in the same order.

use glam::{Mat3, Vec3};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// Strands per block: one AVX2 register of f32, two of SSE2 or NEON.
pub(crate) const LANES: usize = 8;

/// Magnitudes below this become 0. Under a still head, offsets (dm) and velocities (dm/s) would
/// otherwise decay into denormal numbers, which make a step 5 to 60 times slower.
const SMALLEST: f32 = 1e-15;

/// Returns 0 for numbers smaller than [`SMALLEST`], else `x`.
#[inline(always)]
pub(crate) fn flush(x: f32) -> f32 {
    if x.abs() < SMALLEST { 0.0 } else { x }
}

/// Clamps a number; not-a-number gives the lower bound.
#[inline(always)]
pub(crate) fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x > low { x } else { low };
    if x < high { x } else { high }
}

/// Returns min(x, 0), as one instruction and no branch.
#[inline(always)]
pub(crate) fn negative_part(x: f32) -> f32 {
    if x < 0.0 { x } else { 0.0 }
}

/// Defines eight lanes of a float type. The alignment keeps loads from straddling cache lines.
macro_rules! lanes {
    ($(#[$doc:meta])* $name:ident, $float:ty, $align:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[repr(C, align($align))]
        pub(crate) struct $name(pub(crate) [$float; LANES]);

        impl $name {
            pub(crate) const ZERO: Self = Self([0.0; LANES]);
            pub(crate) const ONE: Self = Self([1.0; LANES]);

            #[inline(always)]
            pub(crate) const fn splat(x: $float) -> Self {
                Self([x; LANES])
            }

            /// Calls `f` for each lane. Written out and not a loop: a solver has thousands of
            /// these, and compilers take minutes to unroll as many loops in one function.
            #[inline(always)]
            pub(crate) fn from_fn(f: impl Fn(usize) -> $float) -> Self {
                const { assert!(LANES == 8) };
                Self([f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)])
            }

            #[inline(always)]
            pub(crate) fn sqrt(self) -> Self {
                Self::from_fn(|lane| self.0[lane].sqrt())
            }

            /// Returns the larger of each lane and `low`; `low` for NaN.
            #[inline(always)]
            pub(crate) fn at_least(self, low: $float) -> Self {
                Self::from_fn(|lane| if self.0[lane] > low { self.0[lane] } else { low })
            }

            /// Returns the smaller of both in each lane; `self` where `other` is NaN.
            #[inline(always)]
            pub(crate) fn min(self, other: Self) -> Self {
                other.less_than(self, other, self)
            }

            /// Returns the larger of both in each lane; `self` where `other` is NaN.
            #[inline(always)]
            pub(crate) fn max(self, other: Self) -> Self {
                self.less_than(other, other, self)
            }

            /// `yes` in the lanes where `self` is below `limit`, else `no`.
            #[inline(always)]
            pub(crate) fn less_than(self, limit: Self, yes: Self, no: Self) -> Self {
                Self::from_fn(|lane| if self.0[lane] < limit.0[lane] { yes.0[lane] } else { no.0[lane] })
            }

            /// `yes` in the lanes that are above `limit`, else `no`.
            #[inline(always)]
            pub(crate) fn above(self, limit: $float, yes: Self, no: Self) -> Self {
                Self::from_fn(|lane| if self.0[lane] > limit { yes.0[lane] } else { no.0[lane] })
            }
        }

        lanes!(@operator $name, Add, add, +);
        lanes!(@operator $name, Sub, sub, -);
        lanes!(@operator $name, Mul, mul, *);
        lanes!(@operator $name, Div, div, /);

        impl Neg for $name {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                Self::from_fn(|lane| -self.0[lane])
            }
        }

        impl AddAssign for $name {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }
    };
    (@operator $name:ident, $trait:ident, $method:ident, $op:tt) => {
        impl $trait for $name {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self::from_fn(|lane| self.0[lane] $op other.0[lane])
            }
        }
    };
}

lanes!(
    /// Eight f32, one for each strand of a block.
    Lanes, f32, 32
);
lanes!(
    /// Eight f64, one for each strand of a block.
    DLanes, f64, 64
);

impl Lanes {
    /// Returns the smaller of each lane and `high`; `high` for NaN.
    #[inline(always)]
    pub(crate) fn at_most(self, high: f32) -> Self {
        Self::from_fn(|lane| {
            if self.0[lane] < high {
                self.0[lane]
            } else {
                high
            }
        })
    }

    /// Returns 0 below 0, 1 above 1, and x² (3 − 2x) in between.
    #[inline(always)]
    pub(crate) fn smooth_step(self) -> Self {
        let x = self.at_least(0.0).at_most(1.0);
        x * x * (Self::splat(3.0) - Self::splat(2.0) * x)
    }

    /// 1 in the lanes where `self` is below `other`, else 0; 0 where either is NaN.
    #[inline(always)]
    pub(crate) fn below(self, other: Self) -> Self {
        self.less_than(other, Self::ONE, Self::ZERO)
    }

    /// Returns `true` if `self` is below `other` in any lane.
    #[inline(always)]
    pub(crate) fn any_below(self, other: Self) -> bool {
        let mut any = 0;
        for lane in 0..LANES {
            any |= u32::from(self.0[lane] < other.0[lane]);
        }
        any != 0
    }

    /// Returns `true` if `self` is below `other` in every lane; false where either is NaN.
    #[inline(always)]
    pub(crate) fn all_below(self, other: Self) -> bool {
        let mut all = 1;
        for lane in 0..LANES {
            all &= u32::from(self.0[lane] < other.0[lane]);
        }
        all != 0
    }

    /// Returns `true` if `self` is at most `other` in every lane; false where either is NaN.
    #[inline(always)]
    pub(crate) fn all_at_most(self, other: Self) -> bool {
        let mut all = 1;
        for lane in 0..LANES {
            all &= u32::from(self.0[lane] <= other.0[lane]);
        }
        all != 0
    }

    /// [`flush`] in every lane.
    #[inline(always)]
    pub(crate) fn flushed(self) -> Self {
        Self::from_fn(|lane| flush(self.0[lane]))
    }
}

impl DLanes {
    /// Converts from single precision, exactly.
    #[inline(always)]
    pub(crate) fn from_single(lanes: &Lanes) -> Self {
        Self::from_fn(|lane| f64::from(lanes.0[lane]))
    }
}

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

/// Returns a vector in every lane.
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

/// Returns a matrix times the vector of each lane, in one loop over the lanes, which compilers make
/// as wide as they can.
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

/// Returns the unit vectors along v, or `otherwise` where v is [`SHORT`].
#[inline(always)]
pub(crate) fn unit3(v: &Lanes3, otherwise: &Lanes3) -> Lanes3 {
    let squared = dot3(v, v);
    let scale = Lanes::ONE / squared.sqrt();
    above3(squared, SHORT, &scaled3(v, scale), otherwise)
}

/// Returns the unit vector along v, or `otherwise` where v is [`SHORT`]. Unlike
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
