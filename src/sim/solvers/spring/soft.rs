//! Strands that differ in stiffness: a propagator for each.

use super::propagator::Propagator;
use crate::sim::simd::{LANES, Lanes};

/// Tips are held by at least this share of the spring's stiffness: a tip that nothing holds would
/// never come back.
const LEAST_STIFFNESS: f64 = 0.1;
/// Softest spring that a propagator is made for, 1/s².
const SOFTEST: f64 = 0.01;

/// The spring of a step: constant, 1/s², damping, 1/s, and length of the step, seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SpringLaw {
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
    pub(crate) dt_secs: f64,
}

impl SpringLaw {
    /// The spring of a strand with a share of the stiffness: slower, at the same damping ratio.
    fn softened(&self, share: f32) -> Self {
        let wanted = self.stiffness * f64::from(share).max(LEAST_STIFFNESS);
        let stiffness = wanted.max(SOFTEST).min(self.stiffness);
        Self {
            stiffness,
            damping: self.damping * (stiffness / self.stiffness).sqrt(),
            ..*self
        }
    }

    /// Returns the spring constant of a strand with a share of the stiffness, 1/s².
    pub(crate) fn stiffness_of(&self, share: f32) -> f64 {
        self.softened(share).stiffness
    }
}

/// The stiffness of strands, and their steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct SoftSteps {
    /// Shares of the spring's stiffness, in blocks; empty: 1 everywhere.
    shares: Vec<Lanes>,
    /// The spring that `steps` are for.
    law: Option<SpringLaw>,
    /// The steps of all strands; empty: that of the spring.
    steps: Vec<SoftBlock>,
}

impl SoftSteps {
    /// `of_strands`: the share of each strand; `None` if all are as stiff as the spring.
    pub(crate) fn new(of_strands: Option<impl Iterator<Item = f32>>) -> Self {
        let mut shares: Vec<Lanes> = Vec::new();
        for (strand, share) in of_strands.into_iter().flatten().enumerate() {
            if strand % LANES == 0 {
                shares.push(Lanes::ONE);
            }
            shares[strand / LANES].0[strand % LANES] = share;
        }
        Self {
            shares,
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

    /// Returns the step of each block; empty if all strands are as stiff as the spring, or before
    /// [`set_law`](Self::set_law).
    pub(crate) fn steps(&self) -> &[SoftBlock] {
        &self.steps
    }

    /// Returns the stiffness of a strand, as a share of the spring's.
    pub(crate) fn share(&self, strand: usize) -> f32 {
        let block = self.shares.get(strand / LANES);
        block.map_or(1.0, |shares| shares.0[strand % LANES])
    }
}

/// A step of eight strands: see [`Propagator`].
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct SoftBlock {
    pub(crate) uu: Lanes,
    pub(crate) uv: Lanes,
    pub(crate) us: Lanes,
    pub(crate) vu: Lanes,
    pub(crate) vv: Lanes,
    pub(crate) vs: Lanes,
    /// Stiffness, 1/s², and how many times farther a force carries than on the spring.
    pub(crate) stiffness: Lanes,
    pub(crate) give: Lanes,
    /// Offset and velocity that a step adds for each decimetre that a force moves the spring.
    pub(crate) lean_offset: Lanes,
    pub(crate) lean_velocity: Lanes,
}

impl SoftBlock {
    fn new(shares: &Lanes, law: &SpringLaw) -> Self {
        let mut block = Self::default();
        for (lane, &share) in shares.0.iter().enumerate() {
            let own = law.softened(share);
            let p = Propagator::new(own.stiffness, own.damping, own.dt_secs);
            let give = law.stiffness / own.stiffness;
            let fields = [
                (&mut block.uu, p.uu),
                (&mut block.uv, p.uv),
                (&mut block.us, p.us),
                (&mut block.vu, p.vu),
                (&mut block.vv, p.vv),
                (&mut block.vs, p.vs),
                (&mut block.stiffness, p.stiffness),
                (&mut block.give, give),
                (&mut block.lean_offset, give * (1.0 - p.uu)),
                (&mut block.lean_velocity, -give * p.vu),
            ];
            for (lanes, value) in fields {
                lanes.0[lane] = value as f32;
            }
        }
        block
    }
}
