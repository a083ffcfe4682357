//! The coefficients of a step in single precision.

use super::propagator::Propagator;
use super::soft::SoftBlock;
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

    /// The coefficients of the softer strand in a lane, under the same force.
    #[inline(always)]
    pub(crate) fn of_lane(&self, soft: &SoftBlock, lane: usize) -> Self {
        Self {
            uu: soft.uu.0[lane],
            uv: soft.uv.0[lane],
            us: soft.us.0[lane],
            vu: soft.vu.0[lane],
            vv: soft.vv.0[lane],
            vs: soft.vs.0[lane],
            stiffness: soft.stiffness.0[lane],
            lean: self.lean * soft.give.0[lane],
            lean_offset: self.lean * soft.lean_offset.0[lane],
            lean_velocity: self.lean * soft.lean_velocity.0[lane],
        }
    }
}
