//! The exact solution of the damped spring over one step.

use crate::det_math::{exp, exp_m1, sin_cos};

/// Around critical damping the sine and hyperbolic forms both divide almost 0 by almost 0. Up to
/// this |z| a short series in z is used, whose first dropped term is z⁴/40320, below
/// 3e-13. (One term less leaves 1e-9, which J of a soft spring makes visible.)
const SERIES_Z: f64 = 0.01;

/// The solution over a step of `dt` of a damped spring p'' = k (a − p) − c p' whose anchor moves
/// linearly. Depends on (k, c, dt) only: computed once, used for all strands.
///
/// With the tip's offset from its anchor u = p − a, its velocity v = p' in world space, and
/// the displacement s of the anchor in the step:
///
/// ```text
/// u1 = uu u + uv v + us s
/// v1 = vu u + vv v + vs s
/// ```
///
/// This is exact for any `dt` (derivation: `docs/spring.md`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Propagator {
    /// Offset from offset; no unit.
    pub uu: f64,
    /// Offset from velocity, s.
    pub uv: f64,
    /// Offset from the anchor's displacement; no unit.
    pub us: f64,
    /// Velocity from offset, 1/s.
    pub vu: f64,
    /// Velocity from velocity; no unit.
    pub vv: f64,
    /// Velocity from the anchor's displacement, 1/s.
    pub vs: f64,
    /// The spring constant k, 1/s².
    pub stiffness: f64,
}

impl Propagator {
    /// For spring constant k (1/s², from 0.01), damping c (1/s, from 0) and step `dt_secs`
    /// (above 0).
    pub fn new(stiffness: f64, damping: f64, dt_secs: f64) -> Self {
        let (k, c, dt) = (stiffness, damping, dt_secs);
        let (m11, m12) = free_motion(k, c, dt);
        // J is the integral of m12 over the step: how far a unit force carries.
        let j = (1.0 - m11) / k;
        Self {
            uu: m11,
            uv: m12,
            us: -(m12 + c * j) / dt,
            vu: -k * m12,
            vv: m11 - c * m12,
            vs: k * j / dt,
            stiffness,
        }
    }
}

/// Returns the first row of exp(A dt) for A = [[0, 1], [−k, −c]]: the offset after `dt` that an
/// offset of 1 (m11) and a velocity of 1 (m12) lead to, with the anchor at rest.
///
/// With α = c/2 the characteristic roots are −α ± √(α² − k), so z = (α² − k) dt² tells the
/// three cases apart: oscillating, critical, creeping.
fn free_motion(k: f64, c: f64, dt: f64) -> (f64, f64) {
    let alpha = 0.5 * c;
    let discriminant = alpha * alpha - k;
    let z = discriminant * dt * dt;
    if z < -SERIES_Z {
        // e^(−αt) (cos wt, sin wt)
        let w = (-discriminant).sqrt();
        let (sin, cos) = sin_cos(w * dt);
        let decay = exp(-alpha * dt);
        let m12 = decay * sin / w;
        (decay * cos + alpha * m12, m12)
    } else if z <= SERIES_Z {
        // cosh √z and sinh √z / √z as series in z, good on both sides of 0.
        let decay = exp(-alpha * dt);
        let m12 = decay * dt * (1.0 + z / 6.0 * (1.0 + z / 20.0 * (1.0 + z / 42.0)));
        (
            decay * (1.0 + z / 2.0 * (1.0 + z / 12.0 * (1.0 + z / 30.0))) + alpha * m12,
            m12,
        )
    } else {
        // The slow root λ = −α + b, written without the cancellation; the fast one is λ − 2b.
        // Factoring out e^(λt) keeps sinh and cosh from overflowing.
        let b = discriminant.sqrt();
        let slow = exp(-k / (alpha + b) * dt);
        let q = -exp_m1(-2.0 * b * dt);
        let m12 = slow * q / (2.0 * b);
        (slow * (1.0 - 0.5 * q) + alpha * m12, m12)
    }
}
