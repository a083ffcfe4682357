//! The exact solution of the damped spring over one step, for strands of equal and of different
//! stiffness.

use crate::det_math::{exp, expm1, sin_cos};
use crate::groom::Groom;
use crate::sim::STEP_SECS;
use crate::sim::simd::{LANES, Lanes, Lanes3, scaled3};

/// Around critical damping the sine and hyperbolic forms both divide almost 0 by almost 0. Up to
/// this |z| a short series in z is used, whose first dropped term is z⁴/40320, below
/// 3e-13. (One term less leaves 1e-9, which J of a soft spring makes visible.)
const SERIES_Z: f64 = 0.01;
/// The least share of the spring's stiffness that holds a tip: a tip that nothing holds would never
/// come back.
const LEAST_STIFFNESS: f64 = 0.1;
/// The constant of the softest spring that a propagator is made for, 1/s².
const SOFTEST: f64 = 0.01;

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
pub struct Propagator<T = f64> {
    /// Offset from offset; no unit.
    pub uu: T,
    /// Offset from velocity, s.
    pub uv: T,
    /// Offset from the anchor's displacement; no unit.
    pub us: T,
    /// Velocity from offset, 1/s.
    pub vu: T,
    /// Velocity from velocity; no unit.
    pub vv: T,
    /// Velocity from the anchor's displacement, 1/s.
    pub vs: T,
    /// The spring constant k, 1/s².
    pub stiffness: T,
}

impl Propagator {
    /// Solves the spring with constant k (1/s², from 0.01), damping c (1/s, from 0) and step
    /// `dt_secs` (above 0).
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
        let q = -expm1(-2.0 * b * dt);
        let m12 = slow * q / (2.0 * b);
        (slow * (1.0 - 0.5 * q) + alpha * m12, m12)
    }
}

/// The spring of a step: constant, 1/s², and damping, 1/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SpringLaw {
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
}

impl SpringLaw {
    /// Returns the exact solution of a step.
    pub(crate) fn propagator(&self) -> Propagator {
        Propagator::new(self.stiffness, self.damping, STEP_SECS)
    }

    /// Returns the spring of a strand with a share of the stiffness: slower, at the same damping
    /// ratio.
    fn softened(&self, share: f32) -> Self {
        let wanted = self.stiffness * f64::from(share).max(LEAST_STIFFNESS);
        let stiffness = wanted.max(SOFTEST).min(self.stiffness);
        Self {
            stiffness,
            damping: self.damping * (stiffness / self.stiffness).sqrt(),
        }
    }
}

impl Propagator<Lanes> {
    /// Returns the propagators of eight strands, in single precision.
    pub(super) fn of(strands: &[Propagator; LANES]) -> Self {
        let lanes =
            |part: fn(&Propagator) -> f64| Lanes::from_fn(|lane| part(&strands[lane]) as f32);
        Self {
            uu: lanes(|of| of.uu),
            uv: lanes(|of| of.uv),
            us: lanes(|of| of.us),
            vu: lanes(|of| of.vu),
            vv: lanes(|of| of.vv),
            vs: lanes(|of| of.vs),
            stiffness: lanes(|of| of.stiffness),
        }
    }
}

/// The propagators of eight strands, and a constant force.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coefficients {
    pub(super) propagator: Propagator<Lanes>,
    /// The offset f / k at which a constant force f balances the spring, decimetres, and what it
    /// adds to offset and velocity in a step: the tip swings about it instead of about the anchor.
    pub(super) lean: Lanes3,
    pub(super) lean_offset: Lanes3,
    pub(super) lean_velocity: Lanes3,
}

impl Coefficients {
    /// Returns these coefficients, or those of softer strands under the same force. `softened`
    /// keeps them: a copy for each block would be slow.
    #[inline(always)]
    pub(super) fn of_block<'a>(
        &'a self,
        soft: Option<&SoftBlock>,
        softened: &'a mut Option<Self>,
    ) -> &'a Self {
        match soft {
            None => self,
            Some(soft) => softened.insert(Self {
                propagator: soft.propagator,
                lean: scaled3(&self.lean, soft.give),
                lean_offset: scaled3(&self.lean, soft.lean_offset),
                lean_velocity: scaled3(&self.lean, soft.lean_velocity),
            }),
        }
    }
}

/// A step of eight strands that differ in stiffness.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct SoftBlock {
    propagator: Propagator<Lanes>,
    /// The displacement by a force, relative to that of the unsoftened spring.
    give: Lanes,
    /// Offset and velocity that a step adds for each decimetre that a force moves the spring.
    lean_offset: Lanes,
    lean_velocity: Lanes,
}

impl SoftBlock {
    fn new(shares: &Lanes, law: &SpringLaw) -> Self {
        let softened = shares.0.map(|share| law.softened(share));
        let of = softened.map(|law| law.propagator());
        let give = softened.map(|softened| law.stiffness / softened.stiffness);
        Self {
            propagator: Propagator::of(&of),
            give: Lanes(give.map(|give| give as f32)),
            lean_offset: Lanes::from_fn(|lane| (give[lane] * (1.0 - of[lane].uu)) as f32),
            lean_velocity: Lanes::from_fn(|lane| (-give[lane] * of[lane].vu) as f32),
        }
    }
}

/// The stiffness of strands, and their steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct SoftSteps {
    /// The shares of the spring's stiffness, in blocks; empty if all are 1.
    shares: Vec<Lanes>,
    /// The spring that `steps` are for.
    law: Option<SpringLaw>,
    /// The step of each block; empty if all strands are as stiff as the spring, or before
    /// [`set_law`](Self::set_law).
    pub(super) steps: Vec<SoftBlock>,
}

impl SoftSteps {
    /// Takes the shares of the strands.
    pub(super) fn new(groom: &Groom) -> Self {
        let blocks = match groom.stiffness.is_empty() {
            true => 0,
            false => groom.len().div_ceil(LANES),
        };
        let share = |block: usize| Lanes::from_fn(|lane| groom.stiffness_of(block * LANES + lane));
        Self {
            shares: (0..blocks).map(share).collect(),
            ..Self::default()
        }
    }

    /// Prepares steps of a spring.
    pub(crate) fn set_law(&mut self, law: SpringLaw) {
        if self.law != Some(law) {
            self.law = Some(law);
            let steps = (self.shares.iter()).map(|shares| SoftBlock::new(shares, &law));
            self.steps = steps.collect();
        }
    }

    /// Returns the constant of a strand's spring, 1/s².
    pub(crate) fn stiffness_of(&self, strand: usize, law: &SpringLaw) -> f64 {
        let block = self.shares.get(strand / LANES);
        let share = block.map_or(1.0, |shares| shares.0[strand % LANES]);
        law.softened(share).stiffness
    }
}
