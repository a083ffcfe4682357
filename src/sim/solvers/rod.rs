//! Elastic rods: hair that bends, keeps its length, and is stable at any stiffness.
//!
//! Discrete elastic rods (Bergou, Wardetzky, Robinson, Audoly, Grinspun: Discrete Elastic Rods,
//! SIGGRAPH 2008) in one linearly implicit Euler step a step (Baraff and Witkin: Large Steps in
//! Cloth Simulation, SIGGRAPH 1998), solved exactly. Equations and limits: `docs/rod.md`.
//!
//! [`assemble`] makes a linear system of the energy's gradient and Hessian, [`linear`] solves it,
//! and [`joints`] has the segments as they are, rest curls and twist.

mod assemble;
mod joints;
mod linear;

use super::chain::{self, Block, Chain, DOWN};
use super::hold::Holds;
use super::solver::{Outcome, STEP_SECS, Solver, Step};
use crate::det_math::decay;
use crate::sim::hair::{Hair, ParticleBlock};
use crate::sim::pose::Pose;
use crate::sim::settings::{RodSettings, SimSettings, SolverKind};
use crate::sim::simd::{Lanes, add_scaled3, flushed3, minus3, scaled3, splat3, sum3, unit3};
use assemble::Bend;
use joints::Joints;
use linear::{System, to_single};

/// The solver of elastic rods.
#[derive(Clone, Debug, Default)]
pub struct Rod {
    settings: RodSettings,
    hold: f32,
    /// `None` where all strands are straight at rest.
    joints: Option<Joints>,
}

impl Solver for Rod {
    fn name(&self) -> &str {
        SolverKind::Rod.name()
    }

    fn configure(&mut self, settings: &SimSettings) {
        self.settings = settings.rod.clamped();
        self.hold = settings.hold;
    }

    fn take_over(&mut self, hair: &Hair, _poses: [&Pose; 2]) {
        self.joints = Joints::new(hair);
    }

    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome {
        if (self.joints.as_ref()).is_some_and(|joints| joints.turns.len() != hair.rest.len()) {
            self.joints = Joints::new(hair);
        }
        let bend = Bend {
            stiffness: hair.stiffness.clone(),
            holds: Holds::new(hair, self.hold, STEP_SECS),
            decay: decay(self.settings.damping, STEP_SECS),
            bending: f64::from(self.settings.bending),
            twisting: f64::from(self.settings.twisting),
            joints: self.joints.as_ref(),
        };
        // One variant for all: the kernel is large, and variants differ in little of it.
        chain::advance_as::<_, true, false>(&bend, hair, steps)
    }
}

impl Chain for Bend<'_> {
    const AVX512: [bool; 2] = [true; 2];

    fn holds(&self) -> &Holds {
        &self.holds
    }

    #[inline(always)]
    fn step<const HELD: bool, const FREE: bool>(&self, block: &mut Block<'_>, step: &Step) {
        let m = block.state.len();
        let mut parent = block.move_roots(step);
        let mut system = System::new(m);
        self.assemble(block, step, &mut system);
        system.solve();

        // From the root out: the directions that were solved for, lengths to rounding, nothing
        // inside the head.
        let per_second = Lanes::splat(1.0 / step.dt);
        let mut clearance = block.root_clearance(step);
        let mut solved_parent = parent;
        for j in 1..m {
            let (was, length) = (block.state[j].position, &block.segment[j]);
            let solved = sum3(&was, &to_single(&system.rows[j].right));
            let along = unit3(&minus3(&solved, &solved_parent), &splat3(DOWN));
            // NaN must stay NaN, to be found and reset: x − x is not 0.
            let lost = minus3(&solved, &solved);
            let mut end = add_scaled3(&sum3(&parent, &lost), &along, *length);
            clearance.climb(length);
            step.collide(&parent, length, &was, &mut end, &mut clearance);
            let moved = minus3(&end, &was);
            block.state[j] = ParticleBlock {
                position: end,
                velocity: flushed3(&scaled3(&moved, per_second)),
            };
            parent = end;
            solved_parent = solved;
        }
    }
}
