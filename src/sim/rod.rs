//! Elastic rods: hair that bends, keeps its length, and is stable at any stiffness.
//!
//! Discrete elastic rods (Bergou, Wardetzky, Robinson, Audoly, Grinspun: Discrete Elastic Rods,
//! SIGGRAPH 2008) in one linearly implicit Euler step a step (Baraff and Witkin: Large Steps in
//! Cloth Simulation, SIGGRAPH 1998), solved exactly. Equations and limits: `docs/rod.md`.
//!
//! | file | what it holds |
//! |---|---|
//! | `banded.rs` | the linear system of a strand |
//! | `wide.rs` | numbers, vectors and matrices of eight strands |

mod banded;
mod wide;

use super::blocks::{LANES, Lanes3, add_scaled, lane3, put3, sub, unit_or};
use super::chain::{self, Block, Chain};
use super::contact::{Rise, slide};
use super::ftl::root;
use super::step::{kept, snap};
use super::{Hair, Outcome, RodSettings, STEP_SECS, SimSettings, Solver, SolverKind, Step};
use banded::System;
use wide::{
    Mat, Wide, ZERO, ZERO3, add_to, apply, direction, dot, double, minus, outer, plus, scaled, sum,
    times, transposed,
};

/// Where a segment points that has shrunk to nothing.
const DOWN: [f32; 3] = [0.0, -1.0, 0.0];
/// Stiffness of segments against stretch, in units of the least mass over h²: they give by a few
/// parts in ten million, and the solution still has nine digits.
const STRETCH: f64 = 1e6;
/// Segments shorter than this bend as if they were this long, decimetres.
const LEAST_LENGTH: f64 = 1e-4;

/// Elastic rods, straight at rest.
#[derive(Clone, Debug, Default)]
pub struct Rod {
    settings: RodSettings,
}

impl Solver for Rod {
    fn name(&self) -> &str {
        SolverKind::Rod.name()
    }

    fn configure(&mut self, settings: &SimSettings) {
        self.settings = settings.rod.clamped();
    }

    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome {
        let bend = Bend {
            kept: kept(self.settings.damping, STEP_SECS),
            bending: f64::from(self.settings.bending),
        };
        chain::advance(&bend, hair, steps)
    }
}

/// What a step needs of the settings.
struct Bend {
    /// Share of the velocity that a step's damping leaves.
    kept: f32,
    /// B over the mass per length, dm⁴/s².
    bending: f64,
}

impl Chain for Bend {
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

impl Bend {
    /// The equations for the ways of the particles in the step, times h²:
    /// (M + h² H) way = M free − h² g, with the energy's gradient g and Gauss-Newton Hessian H
    /// where the particles are, the root moved already.
    #[inline(always)]
    fn assemble(&self, block: &Block<'_>, step: &Step, system: &mut System) {
        let m = block.state.len();
        let rows = &mut system.rows;
        let length = |j: usize| Wide::from(&block.segment[j]).at_least(LEAST_LENGTH);

        // Inertia: half of each neighbouring segment.
        let mut least_mass = Wide::all(f64::MAX);
        for (j, row) in rows.iter_mut().enumerate().skip(1) {
            let after = if j + 1 < m { length(j + 1) } else { Wide::ZERO };
            let mass = (length(j) + after) * Wide::all(0.5);
            least_mass = least_mass.min(mass);
            let free = scaled(&double(&self.free_way(block, step, j)), mass);
            row.own = outer(&free, Wide::ZERO, mass);
            row.right = free;
        }
        let stiffness = least_mass * Wide::all(STRETCH);

        // What hangs at a segment pulls at it: m (free way) of all that follows.
        let mut hanging = vec![ZERO3; m];
        let mut sum_of_ways = ZERO3;
        for j in (1..m).rev() {
            sum_of_ways = plus(&sum_of_ways, &rows[j].right);
            hanging[j] = sum_of_ways;
        }

        // The rest curve leaves the root along its first segment, which the head turns.
        let mut clamp = Lanes3::default();
        for lane in 0..LANES {
            let along = sub(lane3(&block.rest[1], lane), lane3(&block.rest[0], lane));
            put3(&mut clamp, lane, unit_or(step.turned(along), DOWN));
        }
        let mut t0 = double(&clamp);
        // Derivative of t0 by the way of its end: (1 − t tᵀ) / |e|; the clamp does not turn.
        let mut c: Mat = ZERO;
        let bending = step.dt_secs() as f64 * step.dt_secs() as f64 * self.bending;
        for j in 1..m {
            let edge = minus(
                &double(&block.state[j].position),
                &double(&block.state[j - 1].position),
            );
            let (t, long) = direction(&edge, &t0);
            let safe = long.at_least(LEAST_LENGTH);

            // Stretch: k/2 (|e| − l)² along the segment. Across it a segment under tension T
            // resists turning by T / |e|; one under pressure would help, and is left out.
            let pull = scaled(&t, stiffness * (long - length(j)));
            let tension = dot(&hanging[j], &t).at_least(0.0) / safe;
            let along = outer(&t, stiffness - tension, tension);

            // Bending: β/2 |t_j − t_(j−1)|² = β (1 − cos φ), β = B over half the length of both
            // segments; of the clamp there is none. By the way of particle j the difference
            // changes by a, of j − 1 by −(a + c), of j − 2 by c.
            let before = if j > 1 { length(j - 1) } else { Wide::ZERO };
            let beta = Wide::all(2.0 * bending) / (before + length(j));
            let one = Wide::all(1.0);
            let a = outer(&t, -one / safe, one / safe);
            let bent = minus(&t, &t0);
            let (aa, ac, cc) = (times(&a, &a), times(&a, &c), times(&c, &c));
            let (ga, gc) = (
                scaled(&apply(&a, &bent), beta),
                scaled(&apply(&c, &bent), beta),
            );

            add_to(&mut rows[j].own, &along, one);
            add_to(&mut rows[j].own, &aa, beta);
            rows[j].right = minus(&minus(&rows[j].right, &pull), &ga);
            if j > 1 {
                add_to(&mut rows[j].one, &along, -one);
                add_to(&mut rows[j].one, &sum(&aa, &ac), -beta);
                let last = &mut rows[j - 1];
                add_to(&mut last.own, &along, one);
                add_to(&mut last.own, &sum(&aa, &cc), beta);
                add_to(&mut last.own, &sum(&ac, &transposed(&ac)), beta);
                last.right = plus(&plus(&last.right, &pull), &plus(&ga, &gc));
            }
            if j > 2 {
                add_to(&mut rows[j].two, &ac, beta);
                add_to(&mut rows[j - 1].one, &sum(&ac, &cc), -beta);
                add_to(&mut rows[j - 2].own, &cc, beta);
                rows[j - 2].right = minus(&rows[j - 2].right, &gc);
            }
            (t0, c) = (t, a);
        }
    }

    /// How far particles would go in the step if there were no segments.
    #[inline(always)]
    fn free_way(&self, block: &Block<'_>, step: &Step, j: usize) -> Lanes3 {
        let mut ways = Lanes3::default();
        for lane in 0..LANES {
            let x = lane3(&block.state[j].position, lane);
            let v = lane3(&block.state[j].velocity, lane);
            let v = step.forces.act(x, v.map(|v| v * self.kept), step.dt);
            let rest = lane3(&block.rest[j], lane);
            let to_goal = sub(step.carry(rest), x);
            let free = v.map(|v| v * step.dt);
            put3(
                &mut ways,
                lane,
                step.hold.pull(free, to_goal, step.way(rest)),
            );
        }
        ways
    }
}
