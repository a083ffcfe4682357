//! Eight numbers at once, in single and in double precision.
//!
//! Every operation goes over the lanes, which compiles to one instruction where registers are wide
//! enough. Nothing is fused, so all instruction sets give the same bits.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Strands per block: one AVX2 register of f32, two of SSE2 or NEON.
pub(crate) const LANES: usize = 8;

/// Magnitudes below this become 0. Under a still head, offsets (dm) and velocities (dm/s) would
/// otherwise decay into denormal numbers, which make a step 5 to 60 times slower.
pub(crate) const SMALLEST: f32 = 1e-15;

/// Returns 0 for numbers smaller than [`SMALLEST`], else `x`.
#[inline(always)]
pub(crate) fn flush(x: f32) -> f32 {
    if x.abs() < SMALLEST { 0.0 } else { x }
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

            /// The larger of each lane and `low`; `low` for NaN.
            #[inline(always)]
            pub(crate) fn at_least(self, low: $float) -> Self {
                Self::from_fn(|lane| if self.0[lane] > low { self.0[lane] } else { low })
            }

            /// The smaller of both in each lane; `self` where `other` is NaN.
            #[inline(always)]
            pub(crate) fn min(self, other: Self) -> Self {
                other.less_than(self, other, self)
            }

            /// The larger of both in each lane; `self` where `other` is NaN.
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

        impl SubAssign for $name {
            #[inline(always)]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
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
    /// The smaller of each lane and `high`; `high` for NaN.
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

    /// 1 in the lanes where `self` is below `other`, else 0; 0 where either is NaN.
    #[inline(always)]
    pub(crate) fn below(self, other: Self) -> Self {
        self.less_than(other, Self::ONE, Self::ZERO)
    }

    /// Whether `self` is below `other` in any lane.
    #[inline(always)]
    pub(crate) fn any_below(self, other: Self) -> bool {
        let mut any = 0;
        for lane in 0..LANES {
            any |= u32::from(self.0[lane] < other.0[lane]);
        }
        any != 0
    }

    /// Whether `self` is below `other` in every lane; false where either is NaN.
    #[inline(always)]
    pub(crate) fn all_below(self, other: Self) -> bool {
        let mut all = 1;
        for lane in 0..LANES {
            all &= u32::from(self.0[lane] < other.0[lane]);
        }
        all != 0
    }

    /// Whether `self` is at most `other` in every lane; false where either is NaN.
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
