//! Elementary functions that give the same bits on every machine.
//!
//! The standard library's `sin` or `exp` are those of the platform's C library, and platforms
//! differ in the last bit. These are those of `libm`, which is built from additions,
//! multiplications, divisions and square roots alone: IEEE 754 fixes them to the bit.

use glam::DQuat;
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

/// Returns 0 at 0 and below, 1 from 1 on, and x² (3 − 2x) in between.
pub(crate) fn smooth_step(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// Returns the angle of the complex number `x + i y`, -π to π; 0 for 0.
pub(crate) fn angle(x: f64, y: f64) -> f64 {
    libm::atan2(y, x)
}

/// Spherical interpolation along the shortest arc, by halving the arc.
///
/// The midpoint of two unit quaternions is exactly their normalised sum, and after 16 halvings
/// the arc left is at most 2.4e-5 radians, where interpolating straight is off by less than
/// 1e-15. Square roots and divisions only, so every platform gets the same bits, which the
/// textbook form with its arc cosine and sines does not promise.
pub(crate) fn slerp(from: DQuat, to: DQuat, mut t: f64) -> DQuat {
    const HALVINGS: usize = 16;
    let (mut low, mut high) = (from, if from.dot(to) < 0.0 { -to } else { to });
    for _ in 0..HALVINGS {
        // The dot product is at least 0, so the sum is at least √2 long.
        let middle = (low + high).normalize();
        t *= 2.0;
        if t < 1.0 {
            high = middle;
        } else {
            low = middle;
            t -= 1.0;
        }
    }
    (low * (1.0 - t) + high * t).normalize()
}

/// Returns the weights of the values and of the slopes at both ends, at share f between them.
pub(crate) fn hermite(f: f64) -> [f64; 4] {
    let (f2, f3) = (f * f, f * f * f);
    let h1 = 3.0 * f2 - 2.0 * f3;
    [1.0 - h1, h1, f3 - 2.0 * f2 + f, f3 - f2]
}
