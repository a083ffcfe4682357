//! The linear system of a step: inertia, stretch, bending and twist of eight strands.

use super::joints::{FOLDED, Joints, LEAST_LENGTH, joints, segments};
use super::linear::{
    Matrix, Row, System, ZERO_MATRIX, ZERO_VECTOR, add, add_outer, add_scaled, mul, mul_vec,
    mul_vec_transposed, outer, to_double, transposed,
};
use crate::sim::hair::ParticleBlock;
use crate::sim::simd::{DLanes, DLanes3, Lanes, Lanes3, cross3, dot3, minus3, scaled3, sum3};
use crate::sim::solvers::chain::Block;
use crate::sim::solvers::hold::Holds;
use crate::sim::solvers::solver::Step;

/// Stiffness of segments against stretch, in units of the least mass over h². Segments stretch by a
/// few parts in ten million, and the solution still has nine digits.
const STRETCH: f64 = 1e6;

/// The settings as a step needs them.
pub(crate) struct Bend<'a> {
    /// Share of the velocity that a step's damping leaves.
    pub(crate) decay: f32,
    /// B and C over the mass per length, dm⁴/s².
    pub(crate) bending: f64,
    pub(crate) twisting: f64,
    pub(crate) joints: Option<&'a Joints>,
    /// Shares of both for each strand; empty where all are stiff.
    pub(crate) stiffness: Vec<Lanes>,
    pub(crate) holds: Holds,
}

/// Returns how an aim that is fixed to a segment's direction t changes when t does: with the turn
/// t × δt that carries t it changes by δt (t · aim) − t (aim · δt). `turn` gives δt.
#[inline(always)]
fn turned_with(t: &DLanes3, aim: &DLanes3, turn: &Matrix) -> Matrix {
    let along = mul_vec_transposed(turn, aim);
    let mut out = ZERO_MATRIX;
    add_scaled(&mut out, turn, dot3(t, aim));
    add_outer(&mut out, t, &along, DLanes::splat(-1.0));
    out
}

/// The derivatives of the twist of a joint by the positions of the particles at it (Bergou and
/// others 2008, section 6): κb / (2 |e|) by the end of the segment after, −κb / (2 |e|) by that of
/// the segment before.
struct Untwist {
    after: DLanes3,
    middle: DLanes3,
    before: DLanes3,
}

impl Untwist {
    /// Takes the unit directions of the segments before and after, and the lengths of the segments
    /// after and before.
    #[inline(always)]
    fn new(t0: &DLanes3, t: &DLanes3, [long, long_before]: [DLanes; 2]) -> Self {
        let fold = (DLanes::ONE + dot3(t0, t)).at_least(FOLDED);
        // κb = 2 t0 × t / (1 + t0 · t)
        let half = scaled3(&cross3(t0, t), DLanes::ONE / fold);
        let after = scaled3(&half, DLanes::ONE / long);
        let before = scaled3(&half, DLanes::splat(-1.0) / long_before);
        let middle = minus3(&ZERO_VECTOR, &sum3(&after, &before));
        Self {
            after,
            middle,
            before,
        }
    }

    /// Adds the forces and stiffnesses of joint j, of twisting stiffness γ, at its particles.
    #[inline(always)]
    fn add_to(&self, rows: &mut [Row], j: usize, gamma: DLanes, pull: DLanes) {
        let after = &self.after;
        add_outer(&mut rows[j].own, after, after, gamma);
        rows[j].right = minus3(&rows[j].right, &scaled3(after, pull));
        if j == 1 {
            return; // The root does not move, nor does the clamp turn.
        }
        let middle = &self.middle;
        add_outer(&mut rows[j].one, after, middle, gamma);
        add_outer(&mut rows[j - 1].own, middle, middle, gamma);
        rows[j - 1].right = minus3(&rows[j - 1].right, &scaled3(middle, pull));
        if j > 2 {
            let before = &self.before;
            add_outer(&mut rows[j].two, after, before, gamma);
            add_outer(&mut rows[j - 1].one, middle, before, gamma);
            add_outer(&mut rows[j - 2].own, before, before, gamma);
            rows[j - 2].right = minus3(&rows[j - 2].right, &scaled3(before, pull));
        }
    }
}

impl Bend<'_> {
    /// Assembles the equations for the displacements of the particles in the step, times h²: (M +
    /// h² H) way = M free − h² g. Gradient g and Gauss-Newton Hessian H of the energy are taken at
    /// the present positions, with the root moved already.
    #[inline(always)]
    pub(crate) fn assemble(&self, block: &Block<'_>, step: &Step, system: &mut System) {
        let m = block.state.len();
        let rows = &mut system.rows;
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

        // A segment bears what hangs at it: m (free way) of all that follows.
        let mut hanging = vec![ZERO_VECTOR; m];
        let mut sum_of_ways = ZERO_VECTOR;
        for j in (1..m).rev() {
            sum_of_ways = sum3(&sum_of_ways, &rows[j].right);
            hanging[j] = sum_of_ways;
        }

        let segments = segments(block, step);
        let own = (self.stiffness.get(block.index)).map_or(DLanes::ONE, DLanes::from_single);
        let stiffnesses = [self.bending, self.twisting].map(|all| DLanes::splat(all) * own);
        let bent = (self.joints).map(|rest| joints(rest, block, step, &segments, stiffnesses));
        let square_dt = f64::from(step.dt) * f64::from(step.dt);
        let bending = DLanes::splat(square_dt * self.bending) * own;
        let twisting = DLanes::splat(square_dt * self.twisting) * own;
        // Derivative of t by the way of its end: (1 − t tᵀ) / |e|; the clamp does not turn.
        let mut turn_before: Matrix = ZERO_MATRIX;
        for j in 1..m {
            let (t, t0, safe) = (
                &segments[j].along,
                &segments[j - 1].along,
                segments[j].length.at_least(LEAST_LENGTH),
            );

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
            let (aa, ac) = (mul(&a, &a), mul(&a, &c));
            let cc = mul(&transposed(&c), &c);
            let (ga, gc) = (
                scaled3(&mul_vec(&a, &bend), beta),
                scaled3(&mul_vec_transposed(&c, &bend), beta),
            );

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
                let reach = [safe, segments[j - 1].length.at_least(LEAST_LENGTH)];
                let untwist = Untwist::new(t0, t, reach);
                let pull = bent[j].moment * DLanes::splat(square_dt);
                untwist.add_to(rows, j, gamma, pull);
            }
            turn_before = a;
        }
    }

    /// Returns how far particle j would move in the step if there were no segments.
    #[inline(always)]
    fn free_way(&self, block: &Block<'_>, step: &Step, j: usize) -> Lanes3 {
        let ParticleBlock { position, velocity } = &block.state[j];
        let v = scaled3(velocity, Lanes::splat(self.decay));
        let v = step.forces.act3(position, &v, step.dt);
        let free = scaled3(&v, Lanes::splat(step.dt));
        if !self.holds.pull() {
            return free;
        }
        let rest = &block.rest[j];
        let to_goal = minus3(&step.motion.transform_points(rest), position);
        let of_goal = step.motion.displacements(rest);
        (self.holds.of_block(block.index)).pull3(&free, &to_goal, &of_goal)
    }
}
