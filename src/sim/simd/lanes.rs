//! Arithmetic of eight strands at once, in single precision.
//!
//! Every operation goes over the lanes, which compiles to one instruction where registers are wide
//! enough and never fuses. Kernels that are written in these, and not lane by lane, are what
//! compilers turn into vector code.

use super::blocks::{LANES, Lanes, Lanes3, axes, dot, lane3, put3};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

impl Lanes {
    #[inline(always)]
    pub(crate) fn all(x: f32) -> Self {
        Lanes([x; LANES])
    }

    #[inline(always)]
    pub(crate) fn map(self, f: impl Fn(f32) -> f32) -> Self {
        each(|lane| f(self.0[lane]))
    }

    #[inline(always)]
    pub(crate) fn sqrt(self) -> Self {
        self.map(f32::sqrt)
    }

    /// The larger one; `other` where this is not a number.
    #[inline(always)]
    pub(crate) fn at_least(self, other: f32) -> Self {
        self.map(|x| if x > other { x } else { other })
    }

    /// The smaller one; `other` where this is not a number.
    #[inline(always)]
    pub(crate) fn at_most(self, other: f32) -> Self {
        self.map(|x| if x < other { x } else { other })
    }

    /// `yes` where this is above `limit`, else `no`.
    #[inline(always)]
    pub(crate) fn above(self, limit: f32, yes: Self, no: Self) -> Self {
        each(|lane| {
            if self.0[lane] > limit {
                yes.0[lane]
            } else {
                no.0[lane]
            }
        })
    }

    /// 1 where this is below another number, else 0; 0 where either is not a number.
    #[inline(always)]
    pub(crate) fn below(self, other: Self) -> Self {
        each(|lane| {
            if self.0[lane] < other.0[lane] {
                1.0
            } else {
                0.0
            }
        })
    }

    /// The smaller one of each lane; this where the other is not a number.
    #[inline(always)]
    pub(crate) fn lesser(self, other: Self) -> Self {
        each(|lane| {
            if other.0[lane] < self.0[lane] {
                other.0[lane]
            } else {
                self.0[lane]
            }
        })
    }

    /// The larger one of each lane; this where the other is not a number.
    #[inline(always)]
    pub(crate) fn greater(self, other: Self) -> Self {
        each(|lane| {
            if other.0[lane] > self.0[lane] {
                other.0[lane]
            } else {
                self.0[lane]
            }
        })
    }

    /// This where x is at most `limit`, 0 where it is more or no number.
    #[inline(always)]
    pub(crate) fn if_at_most(self, x: Self, limit: Self) -> Self {
        each(|lane| {
            if x.0[lane] <= limit.0[lane] {
                self.0[lane]
            } else {
                0.0
            }
        })
    }

    /// Keeps numbers out of the denormal range.
    #[inline(always)]
    pub(crate) fn snapped(self) -> Self {
        self.map(super::super::solvers::step::snap)
    }
}

/// Written out, not as a loop: a solver has thousands of these, and compilers take minutes to
/// unroll as many loops in one function.
#[inline(always)]
fn each(f: impl Fn(usize) -> f32) -> Lanes {
    const { assert!(LANES == 8) };
    Lanes([f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)])
}

macro_rules! operator {
    ($name:ident, $method:ident, $op:tt) => {
        impl $name for Lanes {
            type Output = Lanes;
            #[inline(always)]
            fn $method(self, other: Lanes) -> Lanes {
                each(|lane| self.0[lane] $op other.0[lane])
            }
        }
    };
}
operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);
operator!(Div, div, /);

impl Neg for Lanes {
    type Output = Lanes;
    #[inline(always)]
    fn neg(self) -> Lanes {
        self.map(|x| -x)
    }
}

impl AddAssign for Lanes {
    #[inline(always)]
    fn add_assign(&mut self, other: Lanes) {
        *self = *self + other;
    }
}

/// The same vector in every lane.
#[inline(always)]
pub(crate) fn all3(v: [f32; 3]) -> Lanes3 {
    axes!(i => Lanes::all(v[i]))
}

/// a + b
#[inline(always)]
pub(crate) fn sum3(a: &Lanes3, b: &Lanes3) -> Lanes3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a − b
#[inline(always)]
pub(crate) fn minus3(a: &Lanes3, b: &Lanes3) -> Lanes3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// v / s
#[inline(always)]
pub(crate) fn over3(v: &Lanes3, s: Lanes) -> Lanes3 {
    [v[0] / s, v[1] / s, v[2] / s]
}

/// Keeps numbers out of the denormal range.
#[inline(always)]
pub(crate) fn snapped3(v: &Lanes3) -> Lanes3 {
    [v[0].snapped(), v[1].snapped(), v[2].snapped()]
}

/// v · s
#[inline(always)]
pub(crate) fn scaled3(v: &Lanes3, s: Lanes) -> Lanes3 {
    [v[0] * s, v[1] * s, v[2] * s]
}

/// a + b · s, never fused
#[inline(always)]
pub(crate) fn plus3(a: &Lanes3, b: &Lanes3, s: Lanes) -> Lanes3 {
    [a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s]
}

/// Dot products, summed in one fixed order.
#[inline(always)]
pub(crate) fn dot3(a: &Lanes3, b: &Lanes3) -> Lanes {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Rows of one matrix · the vector of each lane.
///
/// One loop over the lanes, which compilers make as wide as they can.
#[inline(always)]
pub(crate) fn rotate3(rows: &[[f32; 3]; 3], v: &Lanes3) -> Lanes3 {
    let v = *v;
    let mut out = Lanes3::default();
    for lane in 0..LANES {
        let at = lane3(&v, lane);
        put3(&mut out, lane, axes!(i => dot(rows[i], at)));
    }
    out
}

/// `yes` where x is above `limit`, else `no`.
#[inline(always)]
pub(crate) fn above3(x: Lanes, limit: f32, yes: &Lanes3, no: &Lanes3) -> Lanes3 {
    axes!(i => x.above(limit, yes[i], no[i]))
}

/// The unit vectors along v, or `otherwise` where v is too short to have a direction.
#[inline(always)]
pub(crate) fn unit3(v: &Lanes3, otherwise: &Lanes3) -> Lanes3 {
    let squared = dot3(v, v);
    let scale = Lanes::all(1.0) / squared.sqrt();
    above3(squared, SHORT, &scaled3(v, scale), otherwise)
}

/// Squared length below which a vector has no direction.
pub(crate) const SHORT: f32 = 1e-24;
