//! Elementary functions that give the same bits on every machine.
//!
//! The standard library's `sin` or `exp` are those of the platform's C library, and platforms
//! differ in the last bit. These are those of `libm`, which is built from additions,
//! multiplications, divisions and square roots alone: IEEE 754 fixes them to the bit.

pub(crate) use libm::{exp, expm1, sincos as sin_cos};

/// Returns `1 - cos x` without cancellation, x in radians.
pub(crate) fn one_minus_cos(x: f64) -> f64 {
    let s = libm::sin(0.5 * x);
    2.0 * s * s
}

/// Returns the share of a quantity that is left after `secs` of decay at a rate, 1/s.
pub(crate) fn decay(rate: f32, secs: f64) -> f32 {
    exp(-f64::from(rate) * secs) as f32
}

/// Returns the angle of the complex number `x + i y`, -π to π; 0 for 0.
pub(crate) fn angle(x: f64, y: f64) -> f64 {
    libm::atan2(y, x)
}
