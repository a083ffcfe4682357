//! Elastic rods: hair that bends, keeps its length, and is stable at any stiffness.
//!
//! Discrete elastic rods (Bergou, Wardetzky, Robinson, Audoly, Grinspun: Discrete Elastic Rods,
//! SIGGRAPH 2008) in implicit Euler steps. Each is solved by one step of Newton's method from where
//! strands would go by inertia, and by more of them if energy would rise. Equations and limits:
//! `docs/rod.md`.
//!
//! [`strand`] has the strands of a step, [`joints`] bending, rest curls and twist, [`energy`] the energy
//! of a shape, [`system`] the equations of a step of Newton's method, which [`linear`] solves.
//! [`after_contact`] takes the energy that contact adds.

mod after_contact;
mod energy;
mod joints;
mod linear;
mod strand;
mod system;

use super::chain::{self, Block, Chain, DOWN};
use super::hold::{HoldSettings, Holds};
use super::{Outcome, STEP_SECS, Solver, Step, TakesPulls};
use crate::det_math::decay;
use crate::sim::hair::{Hair, ParticleBlock};
use crate::sim::settings::{RodSettings, SimSettings, SolverKind};
use crate::sim::simd::{
    DLanes, DLanes3, LANES, Lanes, Lanes3, add_scaled3, axes, cross3, dot3, flushed3, minus3,
    scaled3, splat3, sum3, unit3,
};
use after_contact::take_excess;
use glam::Vec3;
use joints::{Joints, joints};
use linear::{Row, ZERO_VECTOR, direction, solve, to_double, to_single};
use strand::{Curled, Particle, Shape, Stiffness, Strands};
use system::assemble;

/// Segments shorter than this bend as if they were this long, decimetres.
const LEAST_LENGTH: f64 = 1e-4;
/// Steps of Newton's method, at most, and further tries at a displacement that does not raise the
/// energy, each with half of the last.
const SOLVES: usize = 2;
const HALVINGS: usize = 8;

/// The largest g L³ / B of rods that stand upright by themselves (Greenhill 1881).
const STANDING: f32 = 7.84;

/// The solver of elastic rods.
#[derive(Clone, Debug, Default)]
pub struct Rod {
    settings: RodSettings,
    hold: HoldSettings,
    /// Share of the velocity that a step's damping leaves.
    decay: f32,
    /// `None` where all strands are straight at rest.
    joints: Option<Joints>,
    /// Shares of bending and twisting for each strand; empty where all are stiff.
    stiffness: Vec<Lanes>,
}

impl Solver for Rod {
    fn name(&self) -> &str {
        SolverKind::Rod.name()
    }

    fn configure(&mut self, settings: &SimSettings) {
        self.settings = settings.rod.clamped();
        self.hold = HoldSettings::of(settings);
        self.decay = decay(self.settings.damping, STEP_SECS);
    }

    fn take_over(&mut self, hair: &Hair) {
        self.joints = Joints::new(hair);
    }

    fn takes_pulls(&self) -> TakesPulls {
        TakesPulls::Forces
    }

    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome {
        if (self.joints.as_ref()).is_some_and(|joints| joints.turns.len() != hair.rest.len()) {
            self.take_over(hair);
        }
        self.stiffness.clone_from(&hair.stiffness);
        let holds = Holds::new(hair, &self.hold, STEP_SECS);
        // One variant for all: the kernel is large, and variants differ in little of it.
        chain::advance_as::<_, true, false>(&*self, &holds, hair, steps)
    }
}

impl Chain for Rod {
    const AVX512: [bool; 2] = [true; 2];

    #[inline(always)]
    fn step<const HELD: bool, const FREE: bool>(&self, block: &mut Block<'_>, step: &Step) {
        let root = block.state[0];
        let mut parent = block.move_roots(step);
        let (strands, from, coasted) = self.strands(block, step, &root);
        let allowed = strands.allowed(&from, f64::from(step.dt_secs));
        let mut shape = solved(&strands, allowed, coasted);

        // Exact rest lengths, and nothing inside the head.
        let per_second = Lanes::splat(1.0 / step.dt_secs);
        let mut clearance = block.root_clearance(step);
        let mut touched = Lanes::ZERO;
        for j in 1..block.state.len() {
            let (was, length) = (block.state[j].position, &block.segment[j]);
            let along = to_single(&shape.along[j]);
            let free = add_scaled3(&parent, &along, *length);
            let mut end = free;
            clearance.climb(length);
            let (contacts, motion) = (&step.contacts, &step.motion);
            contacts.collide(motion, &parent, length, &was, &mut end, &mut clearance);
            let out = minus3(&end, &free);
            touched += dot3(&out, &out);
            let moved = minus3(&end, &was);
            block.state[j] = ParticleBlock {
                position: end,
                velocity: flushed3(&scaled3(&moved, per_second)),
            };
            parent = end;
        }
        // A head that stands still does no work.
        if touched != Lanes::ZERO && step.from == step.to {
            take_excess(block, step, &strands, &mut shape, allowed, &touched);
        }
    }
}

impl Rod {
    /// Returns what moves the strands in the step, their shape before it, and that which they would
    /// have after it if every segment went on as it has moved. Their roots have moved already, and
    /// were `root`.
    #[inline(always)]
    fn strands(
        &self,
        block: &Block<'_>,
        step: &Step,
        root: &ParticleBlock,
    ) -> (Strands<'_>, Shape, Shape) {
        let m = block.state.len();
        let dt = f64::from(step.dt_secs);
        let unheld = DLanes::from_single(&block.hold.free);
        let own = (self.stiffness.get(block.index)).map_or(DLanes::ONE, DLanes::from_single);
        let own = own * unheld * DLanes::splat(dt * dt);
        let stiffness = Stiffness {
            bending: own * DLanes::splat(f64::from(self.settings.bending)),
            twisting: own * DLanes::splat(f64::from(self.settings.twisting)),
        };
        // The rest curve leaves the root along its first segment, which the head turns.
        let along = minus3(&block.rest[1], &block.rest[0]);
        let clamp = unit3(&step.motion.transform_vectors(&along), &splat3(DOWN));
        let mut from = Shape::new(&clamp, m);
        let mut coasted = Shape::new(&clamp, m);

        let carried = self.carried(block, step);
        let mut particles = vec![Particle::NONE; m];
        let mut last = (root.position, root.velocity);
        let mut before = DLanes::ZERO;
        let half = DLanes::splat(0.5);
        for j in 1..m {
            let ParticleBlock { position, velocity } = block.state[j];
            let length = DLanes::from_single(&block.segment[j]).at_least(LEAST_LENGTH);
            let edge = minus3(&to_double(&position), &to_double(&last.0));
            let along = direction(&edge, &from.along[j - 1]);
            from.turn(j, &along, length);
            let turn = minus3(&to_double(&velocity), &to_double(&last.1));
            let on = add_scaled3(&scaled3(&along, length), &turn, DLanes::splat(dt));
            coasted.turn(j, &direction(&on, &along), length);
            last = (position, velocity);

            let (inertia, free) = self.ways(block, step, j, &root.position, &carried);
            particles[j] = Particle {
                length,
                joint: (before + length) * half,
                // Half of each neighbouring segment.
                mass: length * half,
                from: from.at[j],
                inertia: scaled3(&to_double(&inertia), unheld),
                free: to_double(&free),
            };
            particles[j - 1].mass += length * half;
            before = length;
        }
        let curled = self.joints.as_ref().map(|joints| Curled {
            turns: &joints.turns[block.index * m..][..m],
            axis: step.motion.transform_vectors(&joints.axes[block.index]),
        });
        let strands = Strands {
            particles,
            stiffness,
            unheld,
            curled,
        };
        (strands, from, coasted)
    }

    /// Returns the gravity that strands carry where they are groomed, and that the head turns with
    /// them: all of it in hair that would stand upright by itself, of heavier hair the part that
    /// would. Of hair that is held, the pull carries the rest.
    #[inline(always)]
    fn carried(&self, block: &Block<'_>, step: &Step) -> Lanes3 {
        if self.hold.gravity == Vec3::ZERO {
            return Lanes3::default();
        }
        let own = (self.stiffness.get(block.index)).map_or(Lanes::ONE, |own| *own);
        let borne = own * Lanes::splat(STANDING * self.settings.bending);
        let length = *block.length;
        let gravity = self.hold.gravity.dot(self.hold.gravity).sqrt();
        let weight = length * length * length * Lanes::splat(gravity);
        let share = (borne / weight.at_least(1e-12)).at_most(1.0);
        let share = share.min(block.hold.unborne);
        let gravity = step.motion.rotation * self.hold.gravity;
        scaled3(&splat3(gravity), share)
    }

    /// Returns the displacements of particle j against that of the root if there were no segments:
    /// by inertia alone, and in all. `carried` is the gravity that the strand carries at rest.
    #[inline(always)]
    fn ways(
        &self,
        block: &Block<'_>,
        step: &Step,
        j: usize,
        root: &Lanes3,
        carried: &Lanes3,
    ) -> (Lanes3, Lanes3) {
        let ParticleBlock { position, velocity } = &block.state[j];
        let dt = Lanes::splat(step.dt_secs);
        let of_root = &block.state[0].velocity;
        // Damping is against the head, as if that went on to the particle.
        let from_root = minus3(position, root);
        let of_head = sum3(of_root, &cross3(&splat3(step.spin), &from_root));
        let against_head = minus3(velocity, &of_head);
        let v = add_scaled3(&of_head, &against_head, Lanes::splat(self.decay));
        // Drag, v' = b (air − v), acts on the old velocity, so that hair at rest feels its full
        // weight.
        let air = step.forces.air_at3(position);
        let slowed = scaled3(&minus3(&v, &air), Lanes::splat(step.forces.drag_decay));
        let mut inertia = scaled3(&minus3(&sum3(&air, &slowed), of_root), dt);
        let square_dt = step.dt_secs * step.dt_secs;
        let fall = minus3(&splat3(step.forces.gravity), carried);
        let free = add_scaled3(&inertia, &fall, Lanes::splat(square_dt));
        // Pulls are forces, which work as far as the strand follows them.
        if let Some(pulled) = block.pulled.get(j) {
            let left = self.decay * step.forces.drag_decay * step.dt_secs;
            inertia = add_scaled3(&inertia, pulled, Lanes::splat(-left));
        }
        if self.hold.share <= 0.0 {
            return (inertia, free);
        }
        let goal = sum3(&block.rest[j], &block.hold.lift);
        let [left, back] = block.skin_ways(step);
        let end = minus3(&step.motion.transform_points(&goal), &left);
        let way = minus3(&step.motion.displacements(&block.rest[j]), &back);
        let goal = minus3(&end, &block.state[0].position);
        let of_goal = minus3(&way, &scaled3(of_root, dt));
        let to_goal = minus3(&goal, &from_root);
        (inertia, block.hold.pull3(&free, &to_goal, &of_goal))
    }
}

/// Returns the shape of strands after a step, whose energy is at most as allowed: implicit Euler
/// with segments that keep their lengths, solved by Newton's method from the shape that they coast
/// to.
///
/// Turns that are large for one linear step are already in that shape, and what forces add in a
/// step is little. Where the energy would rise all the same, strands take a second step of Newton's
/// method, and then half of the way until it does not.
#[inline(always)]
fn solved(strands: &Strands<'_>, allowed: DLanes, coasted: Shape) -> Shape {
    let particles = &strands.particles;
    let m = particles.len();
    let mut shape = coasted;
    let mut next = shape.clone();
    let mut rows = vec![Row::ZERO; m];
    // Above 0 for strands that are not done.
    let mut excess = DLanes::ONE;
    for round in 0..SOLVES + HALVINGS {
        if round < SOLVES {
            let bent = strands.curled.as_ref().map(|_| joints(strands, &shape).0);
            assemble(strands, &shape, bent.as_deref(), &mut rows);
            solve(&mut rows);
        } else {
            for j in 1..m {
                let back = minus3(&particles[j].from, &shape.at[j]);
                rows[j].rhs = scaled3(&back, DLanes::splat(0.5));
            }
        }
        let mut parent = ZERO_VECTOR;
        for j in 1..m {
            let end = sum3(&shape.at[j], &rows[j].rhs);
            let along = direction(&minus3(&end, &parent), &shape.along[j]);
            // Strands that are done stay. NaN must stay NaN: x − x is not 0.
            let lost = minus3(&rows[j].rhs, &rows[j].rhs);
            let along = sum3(&along, &lost);
            let along: DLanes3 = axes!(i => excess.above(0.0, along[i], shape.along[j][i]));
            next.turn(j, &along, particles[j].length);
            parent = end;
        }
        std::mem::swap(&mut shape, &mut next);
        excess = strands.energy(&shape) - allowed;
        if !(0..LANES).any(|lane| excess.0[lane] > 0.0) {
            break;
        }
    }
    shape
}
