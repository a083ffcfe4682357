//! Strands that differ in stiffness: a propagator for each.

use super::Propagator;
use crate::sim::simd::lanes::{LANES, Lanes};

/// Tips are held by at least this share of the spring's stiffness: a tip that nothing held would
/// never come back.
const LEAST_STIFFNESS: f64 = 0.1;
/// Softest spring that a propagator is made for, 1/s².
const SOFTEST: f64 = 0.01;

/// A spring: constant, 1/s², damping, 1/s, and how long a step of it takes, seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Law {
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
    pub(crate) dt_secs: f64,
}

impl Law {
    /// That of a strand which is stiff by a share of it: slower, at the same damping ratio.
    fn softened(&self, share: f32) -> Self {
        let wanted = self.stiffness * f64::from(share).max(LEAST_STIFFNESS);
        let stiffness = wanted.max(SOFTEST).min(self.stiffness);
        Self {
            stiffness,
            damping: self.damping * (stiffness / self.stiffness).sqrt(),
            ..*self
        }
    }

    /// The constant of such a strand, 1/s².
    pub(crate) fn stiffness_of(&self, share: f32) -> f64 {
        self.softened(share).stiffness
    }
}

/// How stiff strands are, and what comes of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Soft {
    /// Shares of the spring's stiffness, in blocks; empty: 1 everywhere.
    shares: Vec<Lanes>,
    /// For this spring...
    law: Option<Law>,
    /// ...the steps of all strands; empty: that of the spring.
    steps: Vec<SoftBlock>,
}

impl Soft {
    /// `share` of each strand; none where all are as stiff as the spring.
    pub(crate) fn new(shares: Option<impl Iterator<Item = f32>>) -> Self {
        let Some(of_strands) = shares else {
            return Self::default();
        };
        let mut shares: Vec<Lanes> = Vec::new();
        for (strand, share) in of_strands.enumerate() {
            if strand % LANES == 0 {
                shares.push(Lanes::splat(1.0));
            }
            if let Some(block) = shares.last_mut() {
                block.0[strand % LANES] = share;
            }
        }
        Self {
            shares,
            ..Self::default()
        }
    }

    /// Makes ready for steps of a spring.
    pub(crate) fn follow(&mut self, law: Law) {
        if self.shares.is_empty() || self.law == Some(law) {
            return;
        }
        self.law = Some(law);
        self.steps.clear();
        self.steps
            .extend(self.shares.iter().map(|shares| SoftBlock::of(shares, &law)));
    }

    /// For each block how it steps; nothing where all strands are as stiff as the spring, or where
    /// none was [followed](Self::follow) yet.
    pub(crate) fn steps(&self) -> &[SoftBlock] {
        &self.steps
    }

    /// How stiff a strand is, as a share of the spring.
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
    /// Stiffness, 1/s², and how many times farther than on the spring a force carries.
    pub(crate) stiffness: Lanes,
    pub(crate) give: Lanes,
    /// What is added to offset and velocity for each decimetre that a force carries the spring.
    pub(crate) lean_offset: Lanes,
    pub(crate) lean_velocity: Lanes,
}

impl SoftBlock {
    fn of(shares: &Lanes, law: &Law) -> Self {
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
