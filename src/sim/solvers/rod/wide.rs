//! Numbers, vectors and matrices of eight strands at once, in double precision.
//!
//! Every operation goes over the lanes, which compiles to whatever vector instructions there are;
//! nothing is fused.

use crate::sim::simd::blocks::{LANES, Lanes, Lanes3, axes};
use crate::sim::simd::dispatch::{Kernel, widest};
use std::f64::consts::TAU;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A number of eight strands.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Wide(pub(crate) [f64; LANES]);

/// A vector of eight strands.
pub(crate) type Wide3 = [Wide; 3];
/// A matrix of eight strands, by rows.
pub(crate) type Mat = [Wide3; 3];

impl Wide {
    pub(crate) const ZERO: Wide = Wide([0.0; LANES]);

    #[inline(always)]
    pub(crate) fn all(x: f64) -> Self {
        Wide([x; LANES])
    }

    #[inline(always)]
    pub(crate) fn from(lanes: &Lanes) -> Self {
        self::map(|lane| f64::from(lanes.0[lane]))
    }

    #[inline(always)]
    pub(crate) fn sqrt(self) -> Self {
        self::map(|lane| self.0[lane].sqrt())
    }

    /// The larger one; `other` where this is not a number.
    #[inline(always)]
    pub(crate) fn at_least(self, other: f64) -> Self {
        self::map(|lane| {
            if self.0[lane] > other {
                self.0[lane]
            } else {
                other
            }
        })
    }

    #[inline(always)]
    pub(crate) fn min(self, other: Self) -> Self {
        self::map(|lane| {
            if other.0[lane] < self.0[lane] {
                other.0[lane]
            } else {
                self.0[lane]
            }
        })
    }

    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        self::map(|lane| {
            if other.0[lane] > self.0[lane] {
                other.0[lane]
            } else {
                self.0[lane]
            }
        })
    }

    /// `yes` where this is above `limit`, else `no`.
    #[inline(always)]
    pub(crate) fn above(self, limit: f64, yes: Self, no: Self) -> Self {
        self::map(|lane| {
            if self.0[lane] > limit {
                yes.0[lane]
            } else {
                no.0[lane]
            }
        })
    }
}

/// Written out, as `each` of `lanes.rs`.
#[inline(always)]
fn map(f: impl Fn(usize) -> f64) -> Wide {
    const { assert!(LANES == 8) };
    Wide([f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)])
}

macro_rules! operator {
    ($name:ident, $method:ident, $op:tt) => {
        impl $name for Wide {
            type Output = Wide;
            #[inline(always)]
            fn $method(self, other: Wide) -> Wide {
                map(|lane| self.0[lane] $op other.0[lane])
            }
        }
    };
}
operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);
operator!(Div, div, /);

impl Neg for Wide {
    type Output = Wide;
    #[inline(always)]
    fn neg(self) -> Wide {
        map(|lane| -self.0[lane])
    }
}

impl AddAssign for Wide {
    #[inline(always)]
    fn add_assign(&mut self, other: Wide) {
        *self = *self + other;
    }
}

impl SubAssign for Wide {
    #[inline(always)]
    fn sub_assign(&mut self, other: Wide) {
        *self = *self - other;
    }
}

pub(crate) const ZERO3: Wide3 = [Wide::ZERO; 3];
pub(crate) const ZERO: Mat = [ZERO3; 3];

/// Rounded to single precision.
#[inline(always)]
pub(crate) fn single(v: &Wide3) -> Lanes3 {
    let mut out = Lanes3::default();
    for axis in 0..3 {
        for lane in 0..LANES {
            out[axis].0[lane] = v[axis].0[lane] as f32;
        }
    }
    out
}

#[inline(always)]
pub(crate) fn double(v: &Lanes3) -> Wide3 {
    [Wide::from(&v[0]), Wide::from(&v[1]), Wide::from(&v[2])]
}

#[inline(always)]
pub(crate) fn dot(a: &Wide3, b: &Wide3) -> Wide {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(crate) fn plus(a: &Wide3, b: &Wide3) -> Wide3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(crate) fn minus(a: &Wide3, b: &Wide3) -> Wide3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(crate) fn scaled(v: &Wide3, s: Wide) -> Wide3 {
    [v[0] * s, v[1] * s, v[2] * s]
}

/// a × b
#[inline(always)]
pub(crate) fn cross(a: &Wide3, b: &Wide3) -> Wide3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Sine and cosine, to 1e-9 for angles up to a million: in plain operations, so that every
/// instruction set gives the same bits.
#[inline(always)]
pub(crate) fn sin_cos(x: Wide) -> (Wide, Wide) {
    // Adding and taking off 3 · 2^51 rounds to whole numbers.
    let (magic, turn) = (Wide::all(6_755_399_441_055_744.0), Wide::all(TAU));
    let turns = (x * Wide::all(1.0 / TAU) + magic) - magic;
    // Taylor's series of half the angle, then the angle's doubling.
    let half = (x - turns * turn) * Wide::all(0.5);
    let square = half * half;
    let series = |last: u32, first: u32| {
        let mut sum = Wide::all(1.0);
        for n in (first..=last).rev().step_by(2) {
            sum = Wide::all(1.0) - square * sum * Wide::all(1.0 / f64::from(n * (n + 1)));
        }
        sum
    };
    let (sin, cos) = (half * series(14, 2), series(15, 1));
    let two = Wide::all(2.0);
    (two * sin * cos, Wide::all(1.0) - two * sin * sin)
}

/// Unit vector and length; `otherwise` where there is no direction.
#[inline(always)]
pub(crate) fn direction(v: &Wide3, otherwise: &Wide3) -> (Wide3, Wide) {
    let long = dot(v, v).sqrt();
    let scale = Wide::all(1.0) / long.at_least(1e-12);
    let unit = scaled(v, scale);
    (axes!(i => long.above(1e-12, unit[i], otherwise[i])), long)
}

/// m v
#[inline(always)]
pub(crate) fn apply(m: &Mat, v: &Wide3) -> Wide3 {
    [dot(&m[0], v), dot(&m[1], v), dot(&m[2], v)]
}

/// mᵀ v
#[inline(always)]
pub(crate) fn apply_transposed(m: &Mat, v: &Wide3) -> Wide3 {
    axes!(c => m[0][c] * v[0] + m[1][c] * v[1] + m[2][c] * v[2])
}

/// a b
#[inline(always)]
pub(crate) fn times(a: &Mat, b: &Mat) -> Mat {
    widest(Times(a, b))
}

/// m − a bᵀ
#[inline(always)]
pub(crate) fn less_transposed(m: &Mat, a: &Mat, b: &Mat) -> Mat {
    widest(LessTransposed(m, a, b))
}

// Kernels of their own, though they are called from kernels: inlined into the solver in all places
// they make it as long as compilers take minutes for.
struct Times<'a>(&'a Mat, &'a Mat);
struct LessTransposed<'a>(&'a Mat, &'a Mat, &'a Mat);

impl Kernel for Times<'_> {
    type Output = Mat;

    #[inline(always)]
    fn run(self) -> Mat {
        let Times(a, b) = self;
        axes!(r => axes!(c => a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c]))
    }
}

impl Kernel for LessTransposed<'_> {
    type Output = Mat;

    #[inline(always)]
    fn run(self) -> Mat {
        let LessTransposed(m, a, b) = self;
        axes!(r => axes!(c => m[r][c] - dot(&a[r], &b[c])))
    }
}

/// m += s a
#[inline(always)]
pub(crate) fn add_to(m: &mut Mat, a: &Mat, s: Wide) {
    for r in 0..3 {
        for c in 0..3 {
            m[r][c] += a[r][c] * s;
        }
    }
}

#[inline(always)]
pub(crate) fn sum(a: &Mat, b: &Mat) -> Mat {
    axes!(r => plus(&a[r], &b[r]))
}

#[inline(always)]
pub(crate) fn transposed(m: &Mat) -> Mat {
    axes!(r => axes!(c => m[c][r]))
}

/// a t tᵀ + b
#[inline(always)]
pub(crate) fn outer(t: &Wide3, a: Wide, b: Wide) -> Mat {
    let mut m = axes!(r => scaled(t, t[r] * a));
    for (i, row) in m.iter_mut().enumerate() {
        row[i] += b;
    }
    m
}

/// m += s a bᵀ
#[inline(always)]
pub(crate) fn add_outer(m: &mut Mat, a: &Wide3, b: &Wide3, s: Wide) {
    for r in 0..3 {
        let row = a[r] * s;
        for c in 0..3 {
            m[r][c] += row * b[c];
        }
    }
}

/// Inverse of a symmetric matrix, by its cofactors.
#[inline(always)]
pub(crate) fn inverse(m: &Mat) -> Mat {
    let [[a, b, c], [_, d, e], [_, _, f]] = *m;
    let (x, y, z) = (d * f - e * e, c * e - b * f, b * e - c * d);
    let scale = Wide::all(1.0) / (a * x + b * y + c * z);
    let (u, v, w) = (a * f - c * c, b * c - a * e, a * d - b * b);
    let rows = [[x, y, z], [y, u, v], [z, v, w]];
    axes!(r => scaled(&rows[r], scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_and_cosine_are_right() {
        for i in -4000..4000 {
            let x = f64::from(i) * 0.0173;
            let (sin, cos) = sin_cos(Wide::all(x));
            assert!((sin.0[0] - x.sin()).abs() < 1e-9, "{x}");
            assert!((cos.0[3] - x.cos()).abs() < 1e-9, "{x}");
        }
    }
}
