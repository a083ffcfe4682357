//! Elastic rods: hair that bends, keeps its length, and is stable at any stiffness.
//!
//! Discrete elastic rods (Bergou, Wardetzky, Robinson, Audoly, Grinspun: Discrete Elastic Rods,
//! SIGGRAPH 2008) in one linearly implicit Euler step a step (Baraff and Witkin: Large Steps in
//! Cloth Simulation, SIGGRAPH 1998), solved exactly. Equations and limits: `docs/rod.md`.
//!
//! The energy's gradient and Hessian make a linear system, which [`linear`] solves; [`joints`] has
//! the segments as they are, rest curls and twist.

mod joints;
mod linear;

use super::chain::{self, Block, Chain, DOWN, Holds};
use super::{Outcome, STEP_SECS, Solver, Step};
use crate::det_math::decay;
use crate::sim::hair::{Hair, ParticleBlock};
use crate::sim::settings::{RodSettings, SimSettings, SolverKind};
use crate::sim::simd::{
    DLanes, DLanes3, Lanes, Lanes3, add_scaled3, cross3, dispatch, dot3, flushed3, minus3, scaled3,
    splat3, sum3, unit3,
};
use joints::{FOLDED, Joints, LEAST_LENGTH, joints, segments};
use linear::{
    Matrix, Mul, Row, ZERO_MATRIX, ZERO_VECTOR, add, add_outer, add_scaled, mul_vec,
    mul_vec_transposed, outer, solve, to_double, to_single, transposed,
};

/// Stiffness of segments against stretch, in units of the least mass over h². Segments stretch by a
/// few parts in ten million, and the solution still has nine digits.
const STRETCH: f64 = 1e6;

/// The solver of elastic rods.
#[derive(Clone, Debug, Default)]
pub struct Rod {
    settings: RodSettings,
    hold: f32,
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
        self.hold = settings.hold;
        self.decay = decay(self.settings.damping, STEP_SECS);
    }

    fn take_over(&mut self, hair: &Hair) {
        self.joints = Joints::new(hair);
    }

    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome {
        if (self.joints.as_ref()).is_some_and(|joints| joints.turns.len() != hair.rest.len()) {
            self.joints = Joints::new(hair);
        }
        self.stiffness.clone_from(&hair.stiffness);
        let holds = Holds::new(hair, self.hold, STEP_SECS);
        // One variant for all: the kernel is large, and variants differ in little of it.
        chain::advance_as::<_, true, false>(&*self, &holds, hair, steps)
    }
}

impl Chain for Rod {
    const AVX512: [bool; 2] = [true; 2];

    #[inline(always)]
    fn step<const HELD: bool, const FREE: bool>(&self, block: &mut Block<'_>, step: &Step) {
        let m = block.state.len();
        let mut parent = block.move_roots(step);
        let mut rows = vec![Row::ZERO; m];
        self.assemble(block, step, &mut rows);
        solve(&mut rows);

        // Positions follow from the root on: solved directions, exact rest lengths, and nothing
        // inside the head.
        let per_second = Lanes::splat(1.0 / step.dt_secs);
        let mut clearance = block.root_clearance(step);
        let mut solved_parent = parent;
        for (j, row) in rows.iter().enumerate().skip(1) {
            let (was, length) = (block.state[j].position, &block.segment[j]);
            let solved = sum3(&was, &to_single(&row.right));
            let along = unit3(&minus3(&solved, &solved_parent), &splat3(DOWN));
            // NaN must stay NaN, to be found and reset: x − x is not 0.
            let lost = minus3(&solved, &solved);
            let mut end = add_scaled3(&sum3(&parent, &lost), &along, *length);
            clearance.climb(length);
            let (contacts, motion) = (&step.contacts, &step.motion);
            contacts.collide(motion, &parent, length, &was, &mut end, &mut clearance);
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

impl Rod {
    /// Assembles the equations for the displacements d of the particles in the step, times h²:
    /// (M + h² H) d = M free − h² g. Gradient g and Gauss-Newton Hessian H of the energy are taken
    /// at the present positions, with the root moved already.
    #[inline(always)]
    fn assemble(&self, block: &Block<'_>, step: &Step, rows: &mut [Row]) {
        let m = block.state.len();
        let length = |j: usize| DLanes::from_single(&block.segment[j]).at_least(LEAST_LENGTH);

        // Inertia: half of each neighbouring segment.
        let mut least_mass = DLanes::splat(f64::MAX);
        for (j, row) in rows.iter_mut().enumerate().skip(1) {
            let after = if j + 1 < m {
                length(j + 1)
            } else {
                DLanes::ZERO
            };
            let mass = (length(j) + after) * DLanes::splat(0.5);
            least_mass = least_mass.min(mass);
            let free = scaled3(&to_double(&self.free_way(block, step, j)), mass);
            row.own = outer(&free, DLanes::ZERO, mass);
            row.right = free;
        }
        let stiffness = least_mass * DLanes::splat(STRETCH);

        // A segment carries all particles after it: the sum of m (free displacement).
        let mut hanging = vec![ZERO_VECTOR; m];
        let mut sum = ZERO_VECTOR;
        for j in (1..m).rev() {
            sum = sum3(&sum, &rows[j].right);
            hanging[j] = sum;
        }

        let segments = segments(block, step);
        let own = (self.stiffness.get(block.index)).map_or(DLanes::ONE, DLanes::from_single);
        // B and C over the mass per length, dm⁴/s².
        let both = [self.settings.bending, self.settings.twisting].map(f64::from);
        let stiffnesses = both.map(|all| DLanes::splat(all) * own);
        let rest = self.joints.as_ref();
        let bent = rest.map(|rest| joints(rest, block, step, &segments, stiffnesses));
        let square_dt = f64::from(step.dt_secs) * f64::from(step.dt_secs);
        let [bending, twisting] = both.map(|all| DLanes::splat(square_dt * all) * own);
        // The derivative of t by the displacement of its end: (1 − t tᵀ) / |e|; the clamp does not
        // turn.
        let mut turn_before: Matrix = ZERO_MATRIX;
        for j in 1..m {
            let (t, t0) = (&segments[j].along, &segments[j - 1].along);
            let safe = segments[j].length.at_least(LEAST_LENGTH);

            // Stretch: k/2 (|e| − l)² along the segment. Across it a segment under tension T
            // resists turning by T / |e|; one under pressure would help, and is left out.
            let pull = scaled3(t, stiffness * (segments[j].length - length(j)));
            let tension = dot3(&hanging[j], t).at_least(0.0) / safe;
            let along = outer(t, stiffness - tension, tension);

            // Bending: β/2 |t_j − aim|² = β (1 − cos φ), β = B over half the length of both
            // segments; the clamp has none. The aim is t_(j−1) for strands that are straight at
            // rest; it turns as t_(j−1) does. The derivative of the difference by particle j is a,
            // by j − 1 it is −(a + c), by j − 2 it is c.
            let beta = bending / segments[j].joint;
            let one = DLanes::ONE;
            let a = outer(t, -one / safe, one / safe);
            let (bend, c) = match &bent {
                None => (minus3(t, t0), turn_before),
                Some(bent) => {
                    let aim = &bent[j].aim;
                    (minus3(t, aim), turned_with(t0, aim, &turn_before))
                }
            };
            let (aa, ac) = (dispatch(Mul(&a, &a)), dispatch(Mul(&a, &c)));
            let cc = dispatch(Mul(&transposed(&c), &c));
            let ga = scaled3(&mul_vec(&a, &bend), beta);
            let gc = scaled3(&mul_vec_transposed(&c, &bend), beta);

            add_scaled(&mut rows[j].own, &along, one);
            add_scaled(&mut rows[j].own, &aa, beta);
            rows[j].right = minus3(&minus3(&rows[j].right, &pull), &ga);
            if j > 1 {
                add_scaled(&mut rows[j].one, &along, -one);
                add_scaled(&mut rows[j].one, &add(&aa, &ac), -beta);
                let last = &mut rows[j - 1];
                add_scaled(&mut last.own, &along, one);
                add_scaled(&mut last.own, &add(&aa, &cc), beta);
                add_scaled(&mut last.own, &add(&ac, &transposed(&ac)), beta);
                last.right = sum3(&sum3(&last.right, &pull), &sum3(&ga, &gc));
            }
            if j > 2 {
                add_scaled(&mut rows[j].two, &ac, beta);
                add_scaled(&mut rows[j - 1].one, &add(&ac, &cc), -beta);
                add_scaled(&mut rows[j - 2].own, &cc, beta);
                rows[j - 2].right = minus3(&rows[j - 2].right, &gc);
            }
            if let Some(bent) = &bent {
                let gamma = twisting / segments[j].joint;
                let lengths = [segments[j - 1].length.at_least(LEAST_LENGTH), safe];
                let pull = bent[j].moment * DLanes::splat(square_dt);
                add_twist(rows, j, [t0, t], lengths, gamma, pull);
            }
            turn_before = a;
        }
    }

    /// Returns how far particle j would move in the step if there were no segments.
    #[inline(always)]
    fn free_way(&self, block: &Block<'_>, step: &Step, j: usize) -> Lanes3 {
        let ParticleBlock { position, velocity } = &block.state[j];
        let v = scaled3(velocity, Lanes::splat(self.decay));
        // Drag, v' = b (air − v), acts on the old velocity, so that hair at rest feels its full
        // weight.
        let air = step.forces.air_at3(position);
        let slowed = scaled3(&minus3(&v, &air), Lanes::splat(step.forces.drag_decay));
        let fall = splat3(step.forces.gravity * step.dt_secs);
        let v = sum3(&sum3(&air, &slowed), &fall);
        let free = scaled3(&v, Lanes::splat(step.dt_secs));
        if self.hold <= 0.0 {
            return free;
        }
        let rest = &block.rest[j];
        let to_goal = minus3(&step.motion.transform_points(rest), position);
        let of_goal = step.motion.displacements(rest);
        block.hold.pull3(&free, &to_goal, &of_goal)
    }
}

/// Returns the derivative of an aim that turns with a segment's direction t: the rotation t × δt
/// changes it by δt (t · aim) − t (aim · δt). `turn` gives δt.
#[inline(always)]
fn turned_with(t: &DLanes3, aim: &DLanes3, turn: &Matrix) -> Matrix {
    let along = mul_vec_transposed(turn, aim);
    let mut out = ZERO_MATRIX;
    add_scaled(&mut out, turn, dot3(t, aim));
    add_outer(&mut out, t, &along, DLanes::splat(-1.0));
    out
}

/// Adds the forces and stiffnesses of the twist of joint j, of twisting stiffness γ, at its
/// particles. Takes the unit directions and the lengths of the segments before and after.
///
/// The derivatives of the twist by the positions of the particles (Bergou and others 2008, section
/// 6) are κb / (2 |e|) by the end of the segment after, −κb / (2 |e|) by that of the segment
/// before.
#[inline(always)]
fn add_twist(
    rows: &mut [Row],
    j: usize,
    [t0, t]: [&DLanes3; 2],
    [long_before, long]: [DLanes; 2],
    gamma: DLanes,
    pull: DLanes,
) {
    let fold = (DLanes::ONE + dot3(t0, t)).at_least(FOLDED);
    // κb = 2 t0 × t / (1 + t0 · t)
    let half = scaled3(&cross3(t0, t), DLanes::ONE / fold);
    let after = &scaled3(&half, DLanes::ONE / long);
    add_outer(&mut rows[j].own, after, after, gamma);
    rows[j].right = minus3(&rows[j].right, &scaled3(after, pull));
    if j == 1 {
        return; // The root does not move, nor does the clamp turn.
    }
    let before = &scaled3(&half, DLanes::splat(-1.0) / long_before);
    let middle = &minus3(&ZERO_VECTOR, &sum3(after, before));
    add_outer(&mut rows[j].one, after, middle, gamma);
    add_outer(&mut rows[j - 1].own, middle, middle, gamma);
    rows[j - 1].right = minus3(&rows[j - 1].right, &scaled3(middle, pull));
    if j > 2 {
        add_outer(&mut rows[j].two, after, before, gamma);
        add_outer(&mut rows[j - 1].one, middle, before, gamma);
        add_outer(&mut rows[j - 2].own, before, before, gamma);
        rows[j - 2].right = minus3(&rows[j - 2].right, &scaled3(before, pull));
    }
}
