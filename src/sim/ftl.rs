//! Dynamic Follow-The-Leader: inextensible strands at the cost of one pass from root to tip.
//!
//! Müller, Kim, Chentanez: Fast Simulation of Inextensible Hair and Fur (VRIPHYS 2012). What was
//! changed, and why: `docs/ftl.md`.

use super::blocks::{LANES, Lanes, Lanes3, ParticleBlock};
use super::chain::{self, Block, Chain};
use super::contact::{Rise, slide};
use super::crowd::{Crowd, Crowding, DensityGrid};
use super::lanes::{all3, minus3, over3, plus3, scaled3, snapped3, sum3, unit3};
use super::step::kept;
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
    /// Which strand that is.
    strands: Vec<u32>,
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
        let slots = hair.length.len() * LANES;
        self.strands = (0..slots).map(|slot| hair.strand_in(slot) as u32).collect();
        self.weigh();
    }

    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome {
        let follow = Follow {
            kept: kept(self.settings.damping, STEP_SECS),
            correction: self.settings.correction,
            drag_kept: &self.drag_kept,
        };
        let crowding = self.crowding();
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

    fn density(&self) -> Option<DensityGrid> {
        (!self.crowding().is_off()).then(|| self.crowd.density())
    }
}

impl Ftl {
    fn crowding(&self) -> Crowding {
        Crowding {
            friction: self.settings.hair_friction,
            repulsion: self.settings.hair_repulsion,
            cell: self.settings.hair_cell,
        }
    }

    /// Gives each strand what its mass makes of the drag: e^(−b h / m).
    fn weigh(&mut self) {
        let share = |&strand: &u32| {
            // Multiples of the golden ratio are evenly spread, however many there are.
            let share = 2.0 * (f64::from(strand) * 0.618_033_988_749_895).fract() - 1.0;
            let mass = 1.0 + f64::from(self.settings.mass_variation) * share;
            kept(self.drag, STEP_SECS / mass)
        };
        let blocks = self.strands.chunks_exact(LANES);
        self.drag_kept = (blocks)
            .map(|strands| Lanes(std::array::from_fn(|lane| share(&strands[lane]))))
            .collect();
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
    const SIDE_BY_SIDE: bool = true;

    #[inline(always)]
    fn step(&self, block: &mut Block<'_>, step: &Step) {
        let mut climb = Climb::new(block, step);
        for j in 1..block.state.len() {
            self.follow(&mut climb, block, j, step);
        }
    }

    #[inline(always)]
    fn step_two(&self, [a, b]: [&mut Block<'_>; 2], step: &Step) {
        let (mut at_a, mut at_b) = (Climb::new(a, step), Climb::new(b, step));
        for j in 1..a.state.len() {
            self.follow(&mut at_a, a, j, step);
            self.follow(&mut at_b, b, j, step);
        }
    }
}

/// On the way from root to tip.
struct Climb {
    /// The particle before: where it is, and its velocity without the pull of the next.
    parent: Lanes3,
    parent_velocity: Lanes3,
    rise: Rise,
}

impl Climb {
    #[inline(always)]
    fn new(block: &mut Block<'_>, step: &Step) -> Self {
        let parent = root(block, step);
        Self {
            parent,
            parent_velocity: block.state[0].velocity,
            rise: block.rise(step),
        }
    }
}

impl Follow<'_> {
    /// Carries particle j through a step, its parent carried already.
    #[inline(always)]
    fn follow(&self, climb: &mut Climb, block: &mut Block<'_>, j: usize, step: &Step) {
        let per_second = Lanes::all(1.0 / step.dt);
        let (dt, kept) = (Lanes::all(step.dt), Lanes::all(self.kept));
        let correction = Lanes::all(self.correction * (1.0 / step.dt));
        let drag_kept = self.drag_kept[block.index];
        let parent = climb.parent;
        let was = block.state[j];
        // Predict: forces, damping, the pull to the rest shape.
        let v = scaled3(&was.velocity, kept);
        let v = step.forces.act3(&was.position, &v, step.dt, drag_kept);
        let way = step.held3(scaled3(&v, dt), &block.rest[j], &was.position);
        let free = sum3(&was.position, &way);
        // Follow: p_i = p_(i-1) + l (p_i - p_(i-1)) / |...|
        let along = unit3(&minus3(&free, &parent), &all3(DOWN));
        let followed = plus3(&parent, &along, block.segment[j]);
        let mut end = followed;
        climb.rise.climb(&block.segment[j]);
        slide(&parent, &block.segment[j], &was, &mut end, step, &climb.rise);
        // v_i = (p_i - x_i) / h + s (-d_(i+1)) / h: the second part once the next is known.
        if j > 1 {
            let d = minus3(&followed, &free);
            block.state[j - 1].velocity = plus3(&climb.parent_velocity, &d, -correction);
        }
        let moved = minus3(&end, &was.position);
        climb.parent_velocity = snapped3(&scaled3(&moved, per_second));
        block.state[j] = ParticleBlock {
            position: end,
            velocity: climb.parent_velocity,
        };
        climb.parent = end;
    }
}

/// Moves the roots with the head and gives where they are.
#[inline(always)]
pub(super) fn root(block: &mut Block<'_>, step: &Step) -> Lanes3 {
    let rest = &block.rest[0];
    let per_second = over3(&step.way3(rest), Lanes::all(step.dt));
    block.state[0] = ParticleBlock {
        position: step.carry3(rest),
        velocity: per_second,
    };
    block.state[0].position
}
