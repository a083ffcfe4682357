//! Dynamic Follow-The-Leader: inextensible strands at the cost of one pass from root to tip.
//!
//! Müller, Kim, Chentanez: Fast Simulation of Inextensible Hair and Fur (VRIPHYS 2012). What was
//! changed, and why: `docs/ftl.md`.

use super::super::contact::{Rise, slide};
use super::super::hair_interaction::{Crowd, Crowding, DensityGrid, Felt};
use super::super::simd::blocks::{
    LANES, Lanes, Lanes3, ParticleBlock, add_scaled, dot, lane3, put3, scaled, sub, unit_or,
};
use super::super::simd::lanes::{minus3, over3, scaled3, snapped3};
use super::super::{
    FtlSettings, Hair, Outcome, Pose, STEP_SECS, SimSettings, Solver, SolverKind, Step,
};
use super::chain::{self, Block, Chain};
use super::step::{ALIKE, BY_STRAND, FREELY, StrandHolds, held_by, kept, snap};
use std::{mem, slice};

/// Where a segment points that has shrunk to nothing.
const DOWN: [f32; 3] = [0.0, -1.0, 0.0];

/// Follow-The-Leader.
#[derive(Clone, Debug, Default)]
pub struct Ftl {
    settings: FtlSettings,
    /// 1/s
    drag: f32,
    hold: f32,
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
        self.hold = settings.hold;
        self.crowd.forget();
        self.weigh();
    }

    fn take_over(&mut self, hair: &Hair, _poses: [&Pose; 2]) {
        let slots = hair.length.len() * LANES;
        self.strands = (0..slots).map(|slot| hair.strand_in(slot) as u32).collect();
        self.crowd.forget();
        self.weigh();
    }

    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome {
        let crowding = self.crowding();
        if crowding.is_off() {
            return self.follow(hair, steps, None);
        }
        // Strands that feel each other must take every step together.
        let mut crowd = mem::take(&mut self.crowd);
        let mut outcome = Outcome::nothing();
        for step in steps {
            let felt = crowd.felt(hair, &crowding, step.dt);
            let stepped = self.follow(hair, slice::from_ref(step), felt);
            outcome = Outcome {
                settled: stepped.settled,
                reset_strands: outcome.reset_strands + stepped.reset_strands,
            };
        }
        self.crowd = crowd;
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

    /// A few steps of strands, which feel something of each other before the first.
    fn follow(&self, hair: &mut Hair, steps: &[Step], felt: Option<Felt<'_>>) -> Outcome {
        let feel = |particles: &mut [ParticleBlock]| {
            if let Some(felt) = &felt {
                felt.act(particles);
            }
        };
        let holds = StrandHolds::of(hair, self.hold, STEP_SECS);
        let follow = Follow {
            kept: kept(self.settings.damping, STEP_SECS),
            correction: self.settings.correction,
            drag_kept: &self.drag_kept,
            holds: &holds,
        };
        if !holds.is_empty() {
            return chain::advance_feeling(&Way::<BY_STRAND, false>(follow), hair, steps, feel);
        }
        let held = steps.iter().any(|step| !step.hold.is_none());
        match (held, steps.iter().all(Step::is_free)) {
            (false, true) => {
                chain::advance_feeling(&Way::<FREELY, true>(follow), hair, steps, feel)
            }
            (true, true) => chain::advance_feeling(&Way::<ALIKE, true>(follow), hair, steps, feel),
            (false, false) => {
                chain::advance_feeling(&Way::<FREELY, false>(follow), hair, steps, feel)
            }
            (true, false) => {
                chain::advance_feeling(&Way::<ALIKE, false>(follow), hair, steps, feel)
            }
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
#[derive(Clone, Copy)]
struct Follow<'a> {
    /// Share of the velocity that a step's damping leaves.
    kept: f32,
    /// s of the paper.
    correction: f32,
    /// For each strand: what drag leaves of its velocity.
    drag_kept: &'a [Lanes],
    /// For strands that are held [`BY_STRAND`].
    holds: &'a [StrandHolds],
}

/// One way through a step: how strands are `HELD` in their rest shape, and whether they are `FREE` of
/// contact and turbulence, or may meet either. Compiled one by one: what does not happen costs
/// nothing.
struct Way<'a, const HELD: u8, const FREE: bool>(Follow<'a>);

impl<const HELD: u8, const FREE: bool> Chain for Way<'_, HELD, FREE> {
    const SIDE_BY_SIDE: bool = true;
    const IN_ONE_PASS: bool = true;
    const AVX512: bool = FREE;

    #[inline(always)]
    fn step(&self, block: &mut Block<'_>, step: &Step) {
        let constants = Constants::new(&self.0, step);
        let mut climb = Climb::new(&self.0, block, step);
        for j in 1..block.state.len() {
            climb.follow::<HELD, FREE>(block, j, step, &constants);
        }
        block.spread = climb.spread;
    }

    #[inline(always)]
    fn step_two(&self, [a, b]: [&mut Block<'_>; 2], step: &Step) {
        let constants = Constants::new(&self.0, step);
        let mut at_a = Climb::new(&self.0, a, step);
        let mut at_b = Climb::new(&self.0, b, step);
        a.prefetch_roots(2);
        b.prefetch_roots(2);
        for j in 1..a.state.len() {
            a.prefetch(j, 2);
            b.prefetch(j, 2);
            at_a.follow::<HELD, FREE>(a, j, step, &constants);
            at_b.follow::<HELD, FREE>(b, j, step, &constants);
        }
        a.spread = at_a.spread;
        b.spread = at_b.spread;
    }
}

/// What is the same for all particles.
struct Constants {
    h: f32,
    per_second: f32,
    kept: f32,
    /// −s / h
    correction: f32,
    wind: [f32; 3],
    /// h g
    fall: [f32; 3],
}

impl Constants {
    #[inline(always)]
    fn new(follow: &Follow<'_>, step: &Step) -> Self {
        let per_second = 1.0 / step.dt;
        Self {
            h: step.dt,
            per_second,
            kept: follow.kept,
            correction: -follow.correction * per_second,
            wind: step.forces.wind,
            fall: scaled(step.forces.gravity, step.dt),
        }
    }
}

/// On the way from root to tip.
struct Climb {
    /// The particle before: where it is, and its velocity without the pull of the next.
    parent: Lanes3,
    parent_velocity: Lanes3,
    drag_kept: Lanes,
    holds: StrandHolds,
    /// Squared ways from each particle to where the next would go freely, all added: where those
    /// are within bounds, so is all that comes of them.
    spread: Lanes,
    rise: Rise,
}

impl Climb {
    #[inline(always)]
    fn new(follow: &Follow<'_>, block: &mut Block<'_>, step: &Step) -> Self {
        block.previous[0] = block.state[0].position;
        let parent = root(block, step);
        Self {
            parent,
            spread: Lanes::default(),
            parent_velocity: block.state[0].velocity,
            drag_kept: follow.drag_kept[block.index],
            holds: follow.holds.get(block.index).copied().unwrap_or_default(),
            rise: block.rise(step),
        }
    }

    /// Carries particle j through a step, its parent carried already.
    ///
    /// One loop over the lanes, strand by strand: compilers make vector code of such a loop as a
    /// whole, where values that live in lanes from operation to operation are torn apart.
    #[inline(always)]
    fn follow<const HELD: u8, const FREE: bool>(
        &mut self,
        block: &mut Block<'_>,
        j: usize,
        step: &Step,
        constants: &Constants,
    ) {
        let &Constants {
            h,
            per_second,
            correction,
            ..
        } = constants;
        let (was, length) = (block.state[j], &block.segment[j]);
        let mut air = Lanes3::default();
        if !FREE {
            air = step.forces.air_at3(&was.position);
        }
        let (mut followed, mut leader_velocity) = (Lanes3::default(), Lanes3::default());
        let mut velocity = Lanes3::default();
        let mut spread = Lanes::default();
        for lane in 0..LANES {
            let x = lane3(&was.position, lane);
            // Predict: forces, damping, the pull to the rest shape.
            let v = scaled(lane3(&was.velocity, lane), constants.kept);
            let air = if FREE {
                constants.wind
            } else {
                lane3(&air, lane)
            };
            let v = add_scaled(air, sub(v, air), self.drag_kept.0[lane]);
            let v = add_scaled(v, constants.fall, 1.0);
            let mut way = scaled(v, h);
            if HELD != FREELY {
                let hold = held_by::<HELD>(&step.hold, &self.holds, lane);
                way = step.held_by(&hold, way, lane3(&block.rest[j], lane), x);
            }
            let free = add_scaled(x, way, 1.0);
            // Follow: p_i = p_(i-1) + l (p_i - p_(i-1)) / |...|
            let from = lane3(&self.parent, lane);
            let to = sub(free, from);
            let along = unit_or(to, DOWN);
            spread.0[lane] = self.spread.0[lane] + dot(to, to);
            let end = add_scaled(from, along, length.0[lane]);
            put3(&mut followed, lane, end);
            // v_i = (p_i - x_i) / h + s (-d_(i+1)) / h: the second part once the next is known.
            let d = sub(end, free);
            let v = add_scaled(lane3(&self.parent_velocity, lane), d, correction);
            put3(&mut leader_velocity, lane, v);
            if FREE {
                let [u, v, w] = scaled(sub(end, x), per_second);
                put3(&mut velocity, lane, [snap(u), snap(v), snap(w)]);
            }
        }
        if !FREE {
            self.rise.climb(length);
            if !step.contacts.is_empty() {
                slide(
                    &self.parent,
                    length,
                    &was,
                    &mut followed,
                    step,
                    &mut self.rise,
                );
            }
            let moved = minus3(&followed, &was.position);
            velocity = snapped3(&scaled3(&moved, Lanes::all(per_second)));
        }
        if j > 1 {
            block.state[j - 1].velocity = leader_velocity;
        }
        block.previous[j] = was.position;
        self.spread = spread;
        block.state[j] = ParticleBlock {
            position: followed,
            velocity,
        };
        (self.parent, self.parent_velocity) = (followed, velocity);
    }
}

/// Moves the roots with the head and gives where they are.
#[inline(always)]
pub(crate) fn root(block: &mut Block<'_>, step: &Step) -> Lanes3 {
    let rest = &block.rest[0];
    let per_second = over3(&step.way3(rest), Lanes::all(step.dt));
    block.state[0] = ParticleBlock {
        position: step.carry3(rest),
        velocity: per_second,
    };
    block.state[0].position
}
