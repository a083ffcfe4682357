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

use super::blocks::{LANES, Lanes3, add_scaled, lane3, put3, sub, unit_or};
use super::chain::{self, Block, Chain};
use super::contact::{Rise, slide};
use super::ftl::root;
use super::step::{kept, snap};
use super::{Hair, Outcome, Pose, RodSettings, STEP_SECS, SimSettings, Solver, SolverKind, Step};
use assemble::DOWN;
use banded::System;
use curl::Joints;

/// Elastic rods.
#[derive(Clone, Debug, Default)]
pub struct Rod {
    settings: RodSettings,
    /// `None` for strands that are straight at rest.
    joints: Option<Joints>,
}

impl Solver for Rod {
    fn name(&self) -> &str {
        SolverKind::Rod.name()
    }

    fn configure(&mut self, settings: &SimSettings) {
        self.settings = settings.rod.clamped();
    }

    fn take_over(&mut self, hair: &Hair, _poses: [&Pose; 2]) {
        self.joints = Joints::of(hair);
    }

    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome {
        if (self.joints.as_ref()).is_some_and(|joints| joints.particles() != hair.rest.len()) {
            self.joints = Joints::of(hair);
        }
        let bend = Bend {
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
}

impl Chain for Bend<'_> {
    #[inline(always)]
    fn step(&self, block: &mut Block<'_>, step: &Step) {
        let m = block.state.len();
        let mut parent = root(block, step);
        let mut system = System::new(m);
        self.assemble(block, step, &mut system);
        system.solve();

        // From the root out: the directions that were solved for, lengths to rounding, nothing
        // inside the head.
        let per_second = 1.0 / step.dt;
        let mut rise = Rise::of(&parent, &step.contacts);
        let mut solved_parent = parent;
        for j in 1..m {
            let was = block.state[j];
            let (mut end, mut solved) = (Lanes3::default(), Lanes3::default());
            let solution = &system.rows[j].right;
            for lane in 0..LANES {
                let way = [0, 1, 2].map(|axis| solution[axis].0[lane] as f32);
                let at = add_scaled(lane3(&was.position, lane), way, 1.0);
                let along = unit_or(sub(at, lane3(&solved_parent, lane)), DOWN);
                // What is not a number must stay so, to be found and reset: at − at is not 0.
                let parent = add_scaled(lane3(&parent, lane), sub(at, at), 1.0);
                let length = block.segment[j].0[lane];
                put3(&mut solved, lane, at);
                put3(&mut end, lane, add_scaled(parent, along, length));
            }
            rise.climb(&block.segment[j]);
            slide(&parent, &block.segment[j], &was, &mut end, step, &rise);
            let now = &mut block.state[j];
            for lane in 0..LANES {
                let way = sub(lane3(&end, lane), lane3(&was.position, lane));
                put3(
                    &mut now.velocity,
                    lane,
                    way.map(|way| snap(way * per_second)),
                );
            }
            now.position = end;
            parent = end;
            solved_parent = solved;
        }
    }
}
