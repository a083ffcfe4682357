//! Elastic rods: hair that bends, keeps its length, and is stable at any stiffness.
//!
//! Discrete elastic rods (Bergou, Wardetzky, Robinson, Audoly, Grinspun: Discrete Elastic Rods,
//! SIGGRAPH 2008) in one linearly implicit Euler step a step (Baraff and Witkin: Large Steps in
//! Cloth Simulation, SIGGRAPH 1998), solved exactly. Equations and limits: `docs/rod.md`.
//!
//! | file | what it holds |
//! |---|---|
//! | `assemble.rs` | the energy's gradient and Hessian, as that system |
//! | `banded.rs` | the linear system of a strand |
//! | `curl.rs` | rest curls, and how far strands are twisted |
//! | `wide.rs` | numbers, vectors and matrices of eight strands |

mod assemble;
mod banded;
mod curl;
mod wide;

use super::super::contact::slide;
use super::super::simd::blocks::{Lanes, ParticleBlock};
use super::super::simd::lanes::{all3, minus3, plus3, scaled3, snapped3, sum3, unit3};
use super::super::{
    Hair, Outcome, Pose, RodSettings, STEP_SECS, SimSettings, Solver, SolverKind, Step,
};
use super::chain::{self, Block, Chain};
use super::ftl::root;
use super::step::{StrandHolds, kept};
use assemble::DOWN;
use banded::System;
use curl::Joints;
use wide::single;

/// Elastic rods.
#[derive(Clone, Debug, Default)]
pub struct Rod {
    settings: RodSettings,
    hold: f32,
    /// `None` for strands that are straight at rest.
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
        self.joints = Joints::of(hair);
    }

    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome {
        if (self.joints.as_ref()).is_some_and(|joints| joints.particles() != hair.rest.len()) {
            self.joints = Joints::of(hair);
        }
        let stiffness = hair.stiffness.clone();
        let bend = Bend {
            stiffness: &stiffness,
            holds: &StrandHolds::of(hair, self.hold, STEP_SECS),
            kept: kept(self.settings.damping, STEP_SECS),
            bending: f64::from(self.settings.bending),
            twisting: f64::from(self.settings.twisting),
            joints: self.joints.as_ref(),
        };
        chain::advance(&bend, hair, steps)
    }
}

/// What a step needs of the settings.
struct Bend<'a> {
    /// Share of the velocity that a step's damping leaves.
    kept: f32,
    /// B and C over the mass per length, dm⁴/s².
    bending: f64,
    twisting: f64,
    joints: Option<&'a Joints>,
    /// Shares of both, and what holds strands, where that differs from strand to strand.
    stiffness: &'a [Lanes],
    holds: &'a [StrandHolds],
}

impl Chain for Bend<'_> {
    const AVX512: bool = true;

    #[inline(always)]
    fn step(&self, block: &mut Block<'_>, step: &Step) {
        let m = block.state.len();
        let mut parent = root(block, step);
        let mut system = System::new(m);
        self.assemble(block, step, &mut system);
        system.solve();

        // From the root out: the directions that were solved for, lengths to rounding, nothing
        // inside the head.
        let per_second = Lanes::all(1.0 / step.dt);
        let mut rise = block.rise(step);
        let mut solved_parent = parent;
        for j in 1..m {
            let was = block.state[j];
            let way = single(&system.rows[j].right);
            let solved = sum3(&was.position, &way);
            let along = unit3(&minus3(&solved, &solved_parent), &all3(DOWN));
            // What is not a number must stay so, to be found and reset: x − x is not 0.
            let lost = minus3(&solved, &solved);
            let mut end = plus3(&sum3(&parent, &lost), &along, block.segment[j]);
            rise.climb(&block.segment[j]);
            slide(&parent, &block.segment[j], &was, &mut end, step, &mut rise);
            let moved = minus3(&end, &was.position);
            block.state[j] = ParticleBlock {
                position: end,
                velocity: snapped3(&scaled3(&moved, per_second)),
            };
            parent = end;
            solved_parent = solved;
        }
    }
}
