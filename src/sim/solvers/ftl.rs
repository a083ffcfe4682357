//! Dynamic Follow-The-Leader: inextensible strands at the cost of one pass from root to tip.
//!
//! Müller, Kim, Chentanez: Fast Simulation of Inextensible Hair and Fur (VRIPHYS 2012). What was
//! changed, and why: `docs/ftl.md`.

use super::chain::{self, Block, Chain, DOWN};
use super::hold::{HoldSettings, Holds};
use super::{Outcome, STEP_SECS, Solver, Step};
use crate::det_math::decay;
use crate::sim::contact::RootClearance;
use crate::sim::hair::{Hair, ParticleBlock};
use crate::sim::settings::{FtlSettings, SimSettings, SolverKind};
use crate::sim::simd::{
    LANES, Lanes, Lanes3, dot3, flush, flushed3, get3, minus3, scaled3, select, set3, splat3, sum3,
    unit_or,
};
use glam::Vec3;

/// Below this correction the energy of strands is bounded. From it on, a strand of eleven equal
/// masses that falls with the default drag gains some 10 % of m g L / 2 at most.
const STABLE_CORRECTION: f32 = 0.85;

/// The Follow-The-Leader solver.
#[derive(Clone, Debug, Default)]
pub struct Ftl {
    settings: FtlSettings,
    /// Rate at which hair takes on the velocity of the air, 1/s.
    drag: f32,
    hold: HoldSettings,
    /// Share of the velocity that a step's damping leaves.
    decay: f32,
    /// Share of its velocity against the air that a step leaves each strand.
    drag_decay: Vec<Lanes>,
    /// Number of the strand in each slot.
    strands: Vec<u32>,
}

impl Solver for Ftl {
    fn name(&self) -> &str {
        SolverKind::Ftl.name()
    }

    fn configure(&mut self, settings: &SimSettings) {
        self.settings = settings.ftl.clamped();
        self.drag = settings.forces.clamped().drag;
        self.hold = HoldSettings::of(settings);
        self.decay = decay(self.settings.damping, STEP_SECS);
        self.weigh();
    }

    fn take_over(&mut self, hair: &Hair) {
        let slots = hair.length.len() * LANES;
        self.strands = (0..slots).map(|slot| hair.strand_in(slot) as u32).collect();
        self.weigh();
    }

    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome {
        let holds = Holds::new(hair, &self.hold, STEP_SECS);
        chain::advance(&*self, &holds, Step::is_free, hair, steps)
    }
}

impl Ftl {
    /// Computes from the mass m of each strand what drag b leaves of its velocity: e^(−b h / m).
    fn weigh(&mut self) {
        let left = |&strand: &u32| {
            // Multiples of the golden ratio are evenly spread, however many there are.
            let share = 2.0 * (f64::from(strand) * 0.618_033_988_749_895).fract() - 1.0;
            let mass = 1.0 + f64::from(self.settings.mass_variation) * share;
            decay(self.drag, STEP_SECS / mass)
        };
        let blocks = self.strands.chunks_exact(LANES);
        self.drag_decay = (blocks)
            .map(|strands| Lanes::from_fn(|lane| left(&strands[lane])))
            .collect();
    }
}

impl Chain for Ftl {
    const QUICK: bool = true;
    const AVX512: [bool; 2] = [false, true];

    #[inline(always)]
    fn step<const HELD: bool, const FREE: bool>(&self, block: &mut Block<'_>, step: &Step) {
        let constants = Constants::new(self, step);
        let mut pass = StrandPass::new(self, block, step);
        let bound = EnergyBound::before::<HELD, FREE>(&pass, block, step, &constants);
        for j in 1..block.state.len() {
            pass.follow::<HELD, FREE>(block, j, step, &constants);
        }
        block.spread = pass.spread;
        if let Some(bound) = bound {
            bound.keep(block, step);
        }
    }

    #[inline(always)]
    fn step_two<const HELD: bool, const FREE: bool>(
        &self,
        [a, b]: [&mut Block<'_>; 2],
        step: &Step,
    ) {
        if self.settings.correction < STABLE_CORRECTION {
            self.step::<HELD, FREE>(a, step);
            self.step::<HELD, FREE>(b, step);
            return;
        }
        let constants = Constants::new(self, step);
        let mut at_a = StrandPass::new(self, a, step);
        let mut at_b = StrandPass::new(self, b, step);
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

/// The constants of a step.
struct Constants {
    h: f32,
    per_second: f32,
    decay: f32,
    /// −s / h
    correction: f32,
    /// `true` if the energy of strands is bounded.
    is_bounded: bool,
    wind: Vec3,
    /// h g
    fall: Vec3,
}

impl Constants {
    #[inline(always)]
    fn new(ftl: &Ftl, step: &Step) -> Self {
        let per_second = 1.0 / step.dt_secs;
        Self {
            h: step.dt_secs,
            per_second,
            decay: ftl.decay,
            correction: -ftl.settings.correction * per_second,
            is_bounded: ftl.settings.correction < STABLE_CORRECTION,
            wind: step.forces.wind,
            fall: step.forces.gravity * step.dt_secs,
        }
    }
}

/// A bound on the energy of eight strands in a step.
///
/// With a correction far below 1, the method is a chain whose masses fall off by s from particle to
/// particle, and its tip cracks like a whip: counted with equal masses, the strand gains energy
/// without end. In the frame of the root, following only keeps lengths and does no work, so the
/// kinetic energy after it is at most that of the predicted motion and the work of the forces along
/// the way by which following moved each particle. Faster strands are slowed down to that.
struct EnergyBound {
    /// Twice the kinetic energy of the predicted motion, for particles of mass 1.
    predicted: Lanes,
    /// The predicted positions.
    free: Vec<Lanes3>,
    /// Gravity and the inertial force in the frame of the root.
    force: Lanes3,
}

impl EnergyBound {
    /// Predicts a step. Returns `None` if the correction needs no bound.
    #[inline(always)]
    fn before<const HELD: bool, const FREE: bool>(
        pass: &StrandPass,
        block: &Block<'_>,
        step: &Step,
        constants: &Constants,
    ) -> Option<Self> {
        if !constants.is_bounded {
            return None;
        }
        let root = block.state[0].velocity;
        let per_second = Lanes::splat(constants.per_second);
        let gained = scaled3(&minus3(&root, &pass.root_before), per_second);
        let mut bound = Self {
            predicted: Lanes::ZERO,
            free: block
                .state
                .iter()
                .map(|particle| particle.position)
                .collect(),
            force: minus3(&splat3(step.forces.gravity), &gained),
        };
        for (j, was) in block.state.iter().enumerate().skip(1) {
            let air = match FREE {
                true => splat3(constants.wind),
                false => step.forces.air_at3(&was.position),
            };
            let mut way = Lanes3::default();
            for lane in 0..LANES {
                let (x, air) = (get3(&was.position, lane), get3(&air, lane));
                let free = pass.free_way::<HELD>(block, (j, lane), (x, was), air, step, constants);
                set3(&mut way, lane, free);
                set3(&mut bound.free[j], lane, x + free);
            }
            let v = minus3(&scaled3(&way, per_second), &root);
            bound.predicted += dot3(&v, &v);
        }
        Some(bound)
    }

    /// Slows down the strands that gained energy.
    #[inline(always)]
    fn keep(&self, block: &mut Block<'_>, step: &Step) {
        let root = block.state[0].velocity;
        let per_second = Lanes::splat(1.0 / step.dt_secs);
        let (mut most, mut felt, mut moved) = (self.predicted, Lanes::ZERO, Lanes::ZERO);
        for j in 1..block.state.len() {
            let ParticleBlock { position, velocity } = &block.state[j];
            let followed = minus3(position, &self.free[j]);
            most += Lanes::splat(2.0) * dot3(&self.force, &followed);
            let v = minus3(velocity, &root);
            felt += dot3(&v, &v);
            let way = scaled3(&minus3(position, &block.previous[j]), per_second);
            let v = minus3(&way, &root);
            moved += dot3(&v, &v);
        }
        // The velocities contain corrections, so both they and the motion count.
        let kinetic = felt.max(moved).at_least(f32::MIN_POSITIVE);
        let left = (most.at_least(0.0) / kinetic).at_most(1.0).sqrt();
        for particle in &mut block.state[1..] {
            let v = minus3(&particle.velocity, &root);
            particle.velocity = sum3(&root, &scaled3(&v, left));
        }
    }
}

/// The state of a pass from root to tip.
struct StrandPass {
    /// The particle before: its position, and its velocity without the pull of the next.
    parent: Lanes3,
    parent_velocity: Lanes3,
    drag_decay: Lanes,
    /// Velocity of the root before the step.
    root_before: Lanes3,
    /// Velocity of the root times the share that damping takes.
    carried: Lanes3,
    /// The sum of squared ways from each particle to where the next would move freely: while this
    /// is within bounds, so is all that results from them.
    spread: Lanes,
    /// The ways of skin: [`Block::skin_ways`].
    skin: [Lanes3; 2],
    clearance: RootClearance,
}

impl StrandPass {
    #[inline(always)]
    fn new(ftl: &Ftl, block: &mut Block<'_>, step: &Step) -> Self {
        block.previous[0] = block.state[0].position;
        let root_before = block.state[0].velocity;
        let parent = block.move_roots(step);
        let root_velocity = block.state[0].velocity;
        Self {
            parent,
            spread: Lanes::ZERO,
            parent_velocity: root_velocity,
            root_before,
            carried: scaled3(&root_velocity, Lanes::splat(1.0 - ftl.decay)),
            drag_decay: ftl.drag_decay[block.index],
            skin: block.skin_ways(step),
            clearance: block.root_clearance(step),
        }
    }

    /// Predicts the way of a particle in a step: forces, damping, the pull to the rest shape.
    /// Damping is relative to the root, so a head that moves evenly changes nothing.
    #[inline(always)]
    fn free_way<const HELD: bool>(
        &self,
        block: &Block<'_>,
        (j, lane): (usize, usize),
        (x, was): (Vec3, &ParticleBlock),
        air: Vec3,
        step: &Step,
        constants: &Constants,
    ) -> Vec3 {
        let v = get3(&was.velocity, lane) * constants.decay + get3(&self.carried, lane);
        let v = air + (v - air) * self.drag_decay.0[lane] + constants.fall;
        let way = v * constants.h;
        if !HELD {
            return way;
        }
        let rest = get3(&block.rest[j], lane);
        let goal = rest + get3(&block.hold.lift, lane);
        let [left, back] = self.skin.each_ref().map(|way| get3(way, lane));
        let to_goal = step.motion.transform_point(goal) - left - x;
        let of_goal = step.motion.displacement(rest) - back;
        block.hold.pull(lane, way, to_goal, of_goal)
    }

    /// Moves particle j through a step, after its parent.
    ///
    /// One loop over the lanes, strand by strand: compilers turn such a loop into vector code as a
    /// whole, but tear values apart that live in lanes from operation to operation.
    #[inline(always)]
    fn follow<const HELD: bool, const FREE: bool>(
        &mut self,
        block: &mut Block<'_>,
        j: usize,
        step: &Step,
        constants: &Constants,
    ) {
        let (was, length) = (block.state[j], &block.segment[j]);
        let mut air = Lanes3::default();
        if !FREE {
            air = step.forces.air_at3(&was.position);
        }
        let (mut followed, mut leader_velocity) = (Lanes3::default(), Lanes3::default());
        let mut velocity = Lanes3::default();
        let mut spread = Lanes::ZERO;
        for lane in 0..LANES {
            let x = get3(&was.position, lane);
            let air = select(FREE, constants.wind, get3(&air, lane));
            let free = x + self.free_way::<HELD>(block, (j, lane), (x, &was), air, step, constants);
            // Follow: p_i = p_(i-1) + l (p_i - p_(i-1)) / |...|
            let from = get3(&self.parent, lane);
            let to = free - from;
            let along = unit_or(to, DOWN);
            spread.0[lane] = self.spread.0[lane] + to.dot(to);
            let end = from + along * length.0[lane];
            set3(&mut followed, lane, end);
            // v_i = (p_i - x_i) / h + s (-d_(i+1)) / h: the second part once the next is known.
            let d = end - free;
            let v = get3(&self.parent_velocity, lane) + d * constants.correction;
            set3(&mut leader_velocity, lane, v);
            if FREE {
                let v = (end - x) * constants.per_second;
                set3(&mut velocity, lane, v.map(flush));
            }
        }
        if !FREE {
            self.clearance.climb(length);
            let (parent, clearance) = (&self.parent, &mut self.clearance);
            let (contacts, was) = (&step.contacts, &was.position);
            contacts.collide(&step.motion, parent, length, was, &mut followed, clearance);
            let moved = minus3(&followed, was);
            velocity = flushed3(&scaled3(&moved, Lanes::splat(constants.per_second)));
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
