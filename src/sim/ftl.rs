//! Dynamic Follow-The-Leader: inextensible strands at the cost of one pass from root to tip.
//!
//! Müller, Kim, Chentanez: Fast Simulation of Inextensible Hair and Fur (VRIPHYS 2012). What was
//! changed, and why: `docs/ftl.md`.

use super::blocks::{LANES, Lanes, Lanes3, ParticleBlock, add_scaled, lane3, put3, sub, unit_or};
use super::chain::{self, Block, Chain};
use super::contact::{Rise, slide};
use super::crowd::{Crowd, Crowding};
use super::step::{kept, snap};
use super::{FtlSettings, Hair, Outcome, Pose, STEP_SECS, SimSettings, Solver, SolverKind, Step};
use std::slice;

/// Where a segment points that has shrunk to nothing.
const DOWN: [f32; 3] = [0.0, -1.0, 0.0];

/// Follow-The-Leader.
#[derive(Clone, Debug, Default)]
pub struct Ftl {
    settings: FtlSettings,
    /// 1/s
    drag: f32,
    /// Share of its velocity against the air that a step leaves each strand.
    drag_kept: Vec<Lanes>,
    crowd: Crowd,
}

impl Solver for Ftl {
    fn name(&self) -> &str {
        SolverKind::Ftl.name()
    }

    fn configure(&mut self, settings: &SimSettings) {
        self.settings = settings.ftl.clamped();
        self.drag = settings.forces.clamped().drag;
        self.weigh();
    }

    fn take_over(&mut self, hair: &Hair, _poses: [&Pose; 2]) {
        self.drag_kept.resize(hair.length.len(), Lanes::default());
        self.weigh();
    }

    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome {
        let follow = Follow {
            kept: kept(self.settings.damping, STEP_SECS),
            correction: self.settings.correction,
            drag_kept: &self.drag_kept,
        };
        let crowding = Crowding {
            friction: self.settings.hair_friction,
            repulsion: self.settings.hair_repulsion,
            cell: self.settings.hair_cell,
        };
        if crowding.is_off() {
            return chain::advance(&follow, hair, steps);
        }
        // Strands that feel each other must take every step together.
        let mut outcome = Outcome::nothing();
        for step in steps {
            self.crowd.act(hair, &crowding, step.dt);
            let stepped = chain::advance(&follow, hair, slice::from_ref(step));
            outcome = Outcome {
                settled: stepped.settled,
                reset_strands: outcome.reset_strands + stepped.reset_strands,
            };
        }
        outcome
    }
}

impl Ftl {
    /// Gives each strand what its mass makes of the drag: e^(−b h / m).
    fn weigh(&mut self) {
        for (block, kept_of) in self.drag_kept.iter_mut().enumerate() {
            for (lane, kept_of) in kept_of.0.iter_mut().enumerate() {
                // Multiples of the golden ratio are evenly spread, however many there are.
                let strand = (block * LANES + lane) as f64;
                let share = 2.0 * (strand * 0.618_033_988_749_895).fract() - 1.0;
                let mass = 1.0 + f64::from(self.settings.mass_variation) * share;
                *kept_of = kept(self.drag, STEP_SECS / mass);
            }
        }
    }
}

/// What a step needs of the settings.
struct Follow<'a> {
    /// Share of the velocity that a step's damping leaves.
    kept: f32,
    /// s of the paper.
    correction: f32,
    /// For each strand: what drag leaves of its velocity.
    drag_kept: &'a [Lanes],
}

impl Chain for Follow<'_> {
    #[inline(always)]
    fn step(&self, block: &mut Block<'_>, step: &Step) {
        let per_second = 1.0 / step.dt;
        let drag_kept = &self.drag_kept[block.index];
        let mut parent = root(block, step);
        let mut rise = Rise::of(&parent, &step.contacts);
        for j in 1..block.state.len() {
            let mut free = Lanes3::default();
            let mut end = Lanes3::default();
            for lane in 0..LANES {
                let x = lane3(&block.state[j].position, lane);
                let v = lane3(&block.state[j].velocity, lane);
                let p = lane3(&parent, lane);
                // Predict: forces, damping, the pull to the rest shape.
                let v = v.map(|v| v * self.kept);
                let v = step.forces.act_on(x, v, step.dt, drag_kept.0[lane]);
                let rest = lane3(&block.rest[j], lane);
                let to_goal = sub(step.carry(rest), x);
                let way = v.map(|v| v * step.dt);
                let way = step.hold.pull(way, to_goal, step.way(rest));
                let at = add_scaled(x, way, 1.0);
                // Follow: p_i = p_(i-1) + l (p_i - p_(i-1)) / |...|
                let along = unit_or(sub(at, p), DOWN);
                put3(&mut free, lane, at);
                put3(
                    &mut end,
                    lane,
                    add_scaled(p, along, block.segment[j].0[lane]),
                );
            }
            let followed = end;
            rise.climb(&block.segment[j]);
            let (segment, was) = (&block.segment[j], &block.state[j]);
            slide(&parent, segment, was, &mut end, step, &rise);
            let (before, now) = block.state.split_at_mut(j);
            let (before, now) = (&mut before[j - 1], &mut now[0]);
            // v_i = (p_i - x_i) / h + s (-d_(i+1)) / h: the second part once the next is known.
            let share = if j > 1 {
                self.correction * per_second
            } else {
                0.0
            };
            for lane in 0..LANES {
                let x = lane3(&now.position, lane);
                let p = lane3(&end, lane);
                let d = sub(lane3(&followed, lane), lane3(&free, lane));
                let v = lane3(&before.velocity, lane);
                put3(&mut before.velocity, lane, add_scaled(v, d, -share));
                let v = sub(p, x).map(|way| snap(way * per_second));
                put3(&mut now.velocity, lane, v);
            }
            now.position = end;
            parent = end;
        }
    }
}

/// Moves the roots with the head and gives where they are.
#[inline(always)]
pub(super) fn root(block: &mut Block<'_>, step: &Step) -> Lanes3 {
    let ParticleBlock { position, velocity } = &mut block.state[0];
    for lane in 0..LANES {
        let rest = lane3(&block.rest[0], lane);
        put3(position, lane, step.carry(rest));
        put3(velocity, lane, step.way(rest).map(|way| way / step.dt));
    }
    *position
}
