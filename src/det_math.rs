//! Elementary functions that give the same bits on every machine.
//!
//! The standard library's `sin` or `exp` are whatever the platform's C library computes, and
//! platforms differ in the last bit. Strands, scenes and steps must not, so these are built
//! from additions, multiplications and divisions alone, which IEEE 754 fixes to the bit.
//! All are good to a few units in the last place over the ranges given.

use std::f64::consts::{FRAC_2_PI, LN_2, PI};

/// π/2 in two parts: the first has trailing zero bits, so that `q · PIO2_HIGH` is exact for
/// quadrant numbers up to 2^20 (Cody and Waite 1980, the values of fdlibm's `e_rem_pio2.c`).
const PIO2_HIGH: f64 = 1.570_796_326_734_125_6;
const PIO2_LOW: f64 = 6.077_100_506_506_192e-11;
/// ln 2 in two parts, likewise (fdlibm's `e_exp.c`).
const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// Below this `e^x` is taken as 0; it is about 1e-304, still a normal number.
const EXP_UNDERFLOW: f64 = -700.0;

/// `(sin x, cos x)` of an angle in radians, |x| up to 1e6.
pub(crate) fn sin_cos(x: f64) -> (f64, f64) {
    let quadrant = (x * FRAC_2_PI).round();
    let r = (x - quadrant * PIO2_HIGH) - quadrant * PIO2_LOW;
    let (sin, cos) = (sin_series(r), 1.0 - one_minus_cos_series(r));
    match (quadrant as i64).rem_euclid(4) {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// `1 - cos x` without cancellation, for x from 0 to π/2 radians.
pub(crate) fn one_minus_cos(x: f64) -> f64 {
    // 1 - cos x = 2 sin²(x/2), and half the angle is inside the series' range.
    let s = sin_series(0.5 * x);
    2.0 * s * s
}

/// `e^x` for x ≤ 0.
pub(crate) fn exp(x: f64) -> f64 {
    if x < EXP_UNDERFLOW {
        return 0.0;
    }
    let k = (x / LN_2).round();
    let r = (x - k * LN2_HIGH) - k * LN2_LOW;
    // |k| ≤ 1010 here, so 2^k is a normal number and its exponent bits can be written down.
    let two_to_k = f64::from_bits(((1023 + k as i64) as u64) << 52);
    (1.0 + exp_m1_series(r)) * two_to_k
}

/// `e^x - 1` without cancellation, for x ≤ 0.
pub(crate) fn exp_m1(x: f64) -> f64 {
    if x > -0.5 {
        exp_m1_series(x)
    } else {
        exp(x) - 1.0
    }
}

/// Angle of the complex number `x + i y`, -π to π; 0 for 0. As the platform's `atan2(y, x)`.
pub(crate) fn angle(x: f64, y: f64) -> f64 {
    let largest = x.abs().max(y.abs());
    if !(largest > 0.0 && largest < f64::INFINITY) {
        return 0.0;
    }
    // z + |z| has half the angle of z. With the left half mirrored, three times that leave π/16.
    let (mut x, mut y) = (x / largest, y / largest);
    let mirrored = x < 0.0;
    x = x.abs();
    for _ in 0..3 {
        x += (x * x + y * y).sqrt();
    }
    y /= x;
    // tan(π/16) is 0.2: the first term left out is below 1e-18.
    let y2 = y * y;
    let mut sum = 0.0;
    for n in (0..=11).rev() {
        sum = 1.0 / f64::from(2 * n + 1) - sum * y2;
    }
    let whole = 8.0 * y * sum;
    if !mirrored {
        whole
    } else if y < 0.0 {
        -PI - whole
    } else {
        PI - whole
    }
}

/// Taylor series by Horner: the first term left out is below 1e-19 for |r| ≤ π/4.
fn sin_series(r: f64) -> f64 {
    let r2 = r * r;
    let mut sum = 1.0;
    for n in [16.0, 14.0, 12.0, 10.0, 8.0, 6.0, 4.0, 2.0] {
        sum = 1.0 - sum * r2 / (n * (n + 1.0));
    }
    r * sum
}

/// Taylor series by Horner, |r| ≤ π/4.
fn one_minus_cos_series(r: f64) -> f64 {
    let r2 = r * r;
    let mut sum = 1.0;
    for n in [17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0] {
        sum = 1.0 - sum * r2 / (n * (n + 1.0));
    }
    0.5 * r2 * sum
}

/// Taylor series by Horner: the first term left out is below 1e-20 for |r| ≤ 0.5.
fn exp_m1_series(r: f64) -> f64 {
    let mut sum = 1.0;
    for n in (2..=17).rev() {
        sum = 1.0 + sum * r / f64::from(n);
    }
    r * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_agree_with_the_platform_to_rounding() {
        for i in -4000..=4000 {
            let x = f64::from(i) * 0.0137;
            let (sin, cos) = sin_cos(x);
            assert!((sin - x.sin()).abs() < 4e-16, "sin {x}");
            assert!((cos - x.cos()).abs() < 4e-16, "cos {x}");
            let below = -x.abs();
            assert!(
                (exp(below) / below.exp() - 1.0).abs() < 1e-15,
                "exp {below}"
            );
            assert!((exp_m1(below) - below.exp_m1()).abs() <= 4e-16 * below.exp_m1().abs());
        }
        for degrees in 1..=90 {
            let x = f64::from(degrees).to_radians();
            let expected = 2.0 * (0.5 * x).sin().powi(2);
            assert!((one_minus_cos(x) / expected - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn angles_agree_with_the_platform_all_around() {
        for i in -4000..=4000 {
            let (sin, cos) = (f64::from(i) * 0.000_785).sin_cos();
            for size in [1.0, 1e-200, 1e200] {
                let (x, y) = (cos * size, sin * size);
                assert!((angle(x, y) - y.atan2(x)).abs() < 2e-15, "{x} {y}");
            }
        }
        assert_eq!(angle(0.0, 0.0), 0.0);
        assert_eq!(angle(1.0, 0.0), 0.0);
        assert_eq!(angle(-1.0, 0.0), PI);
        assert!((angle(0.0, -2.0) + PI / 2.0).abs() < 1e-15);
    }

    #[test]
    fn ends_of_the_ranges() {
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(-1e300), 0.0);
        assert!(exp(-699.9) > 0.0);
        assert_eq!(exp_m1(-1e300), -1.0);
        assert_eq!(exp_m1(0.0), 0.0);
    }
}
