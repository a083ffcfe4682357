//! The extent and the largest speed of hair.

use crate::sim::simd::{Lanes, Lanes3, axes, splat3};
use glam::Vec3;

/// The box around particles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Extent {
    /// Lowest and highest corner, world space, decimetres.
    pub(crate) low: [f32; 3],
    pub(crate) high: [f32; 3],
    /// The largest component of a velocity, dm/s.
    pub(crate) fastest: f32,
}

/// An [`Extent`] per lane, while it is found.
pub(crate) struct Bounds {
    low: Lanes3,
    high: Lanes3,
    /// The largest absolute components of velocities.
    fastest: Lanes,
    /// 0, or not-a-number if a position is not finite.
    not_finite: Lanes,
}

impl Bounds {
    /// Returns empty bounds.
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            low: splat3(Vec3::MAX),
            high: splat3(Vec3::MIN),
            fastest: Lanes::splat(0.0),
            not_finite: Lanes::splat(0.0),
        }
    }

    /// Includes the particle of one lane.
    #[inline(always)]
    pub(crate) fn add(&mut self, lane: usize, position: Vec3, velocity: Vec3) {
        let (position, velocity) = (position.to_array(), velocity.to_array());
        for axis in 0..3 {
            let (x, v) = (position[axis], velocity[axis].abs());
            let (low, high) = (&mut self.low[axis].0[lane], &mut self.high[axis].0[lane]);
            *low = if x < *low { x } else { *low };
            *high = if x > *high { x } else { *high };
            let fastest = &mut self.fastest.0[lane];
            *fastest = if v > *fastest { v } else { *fastest };
        }
        self.not_finite.0[lane] += (position[0] + position[1] + position[2]) * 0.0;
    }

    /// Returns the bounds of both.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            low: axes!(i => self.low[i].min(other.low[i])),
            high: axes!(i => self.high[i].max(other.high[i])),
            fastest: self.fastest.max(other.fastest),
            not_finite: self.not_finite + other.not_finite,
        }
    }

    /// Returns the extent of all lanes; `None` if a particle is not finite.
    pub(crate) fn extent(&self) -> Option<Extent> {
        (self.not_finite == Lanes::splat(0.0)).then(|| Extent {
            low: axes!(i => self.low[i].0.into_iter().fold(f32::MAX, f32::min)),
            high: axes!(i => self.high[i].0.into_iter().fold(f32::MIN, f32::max)),
            fastest: self.fastest.0.into_iter().fold(0.0, f32::max),
        })
    }
}
