//! The coefficients of a step in single precision.

use super::propagator::Propagator;
use super::soft::SoftBlock;
use crate::sim::simd::{Lanes, Lanes3, scaled3, splat3};
use glam::{DVec3, Vec3};

/// The [`Propagator`] in single precision, and a constant force.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coefficients {
    pub(crate) uu: f32,
    pub(crate) uv: f32,
    pub(crate) us: f32,
    pub(crate) vu: f32,
    pub(crate) vv: f32,
    pub(crate) vs: f32,
    /// k, 1/s²
    pub(crate) stiffness: f32,
    /// Offset f / k at which a constant force f balances the spring, decimetres, and what it adds
    /// to offset and velocity in a step: the tip swings about it instead of about the anchor.
    pub(crate) lean: Vec3,
    pub(crate) lean_offset: Vec3,
    pub(crate) lean_velocity: Vec3,
}

/// The [`Coefficients`] of eight strands.
pub(crate) struct LaneCoefficients {
    pub(crate) uu: Lanes,
    pub(crate) uv: Lanes,
    pub(crate) us: Lanes,
    pub(crate) vu: Lanes,
    pub(crate) vv: Lanes,
    pub(crate) vs: Lanes,
    pub(crate) stiffness: Lanes,
    pub(crate) lean: Lanes3,
    pub(crate) lean_offset: Lanes3,
    pub(crate) lean_velocity: Lanes3,
}

impl Coefficients {
    /// `force`: a constant acceleration in the step, world space, dm/s².
    pub(crate) fn new(propagator: &Propagator, force: DVec3) -> Self {
        let lean = force / propagator.stiffness;
        Self {
            uu: propagator.uu as f32,
            uv: propagator.uv as f32,
            us: propagator.us as f32,
            vu: propagator.vu as f32,
            vv: propagator.vv as f32,
            vs: propagator.vs as f32,
            stiffness: propagator.stiffness as f32,
            lean: lean.as_vec3(),
            lean_offset: (lean * (1.0 - propagator.uu)).as_vec3(),
            lean_velocity: (-lean * propagator.vu).as_vec3(),
        }
    }

    /// The coefficients of each lane, under the same force: its own where strands differ (`SOFT`).
    #[inline(always)]
    pub(crate) fn lanes<const SOFT: bool>(&self, soft: &SoftBlock) -> LaneCoefficients {
        let lean = splat3(self.lean);
        match SOFT {
            true => LaneCoefficients {
                uu: soft.uu,
                uv: soft.uv,
                us: soft.us,
                vu: soft.vu,
                vv: soft.vv,
                vs: soft.vs,
                stiffness: soft.stiffness,
                lean: scaled3(&lean, soft.give),
                lean_offset: scaled3(&lean, soft.lean_offset),
                lean_velocity: scaled3(&lean, soft.lean_velocity),
            },
            false => LaneCoefficients {
                uu: Lanes::splat(self.uu),
                uv: Lanes::splat(self.uv),
                us: Lanes::splat(self.us),
                vu: Lanes::splat(self.vu),
                vv: Lanes::splat(self.vv),
                vs: Lanes::splat(self.vs),
                stiffness: Lanes::splat(self.stiffness),
                lean,
                lean_offset: splat3(self.lean_offset),
                lean_velocity: splat3(self.lean_velocity),
            },
        }
    }
}
