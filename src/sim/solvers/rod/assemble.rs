//! The linear system of a step: inertia, stretch, bending and twist of eight strands.

use super::super::chain::Block;
use super::Bend;
use super::banded::{Row, System};
use super::curl;
use super::wide::{
    Mat, Wide, Wide3, ZERO, ZERO3, add_outer, add_to, apply, apply_transposed, cross, direction,
    dot, double, minus, outer, plus, scaled, sum, times, transposed,
};
use crate::sim::Step;
use crate::sim::simd::blocks::{Lanes, Lanes3, ParticleBlock};
use crate::sim::simd::lanes::scaled3;
use crate::sim::simd::lanes::{all3, minus3, unit3};

/// Where a segment points that has shrunk to nothing.
pub(crate) const DOWN: [f32; 3] = [0.0, -1.0, 0.0];
/// Stiffness of segments against stretch, in units of the least mass over h²: they give by a few
/// parts in ten million, and the solution still has nine digits.
const STRETCH: f64 = 1e6;
/// Segments shorter than this bend as if they were this long, decimetres.
const LEAST_LENGTH: f64 = 1e-4;
/// Keeps frames and twist finite where a strand is folded onto itself.
pub(crate) const FOLDED: f64 = 1e-6;

/// A segment as it is.
#[derive(Clone, Copy)]
pub(crate) struct Segment {
    /// Unit direction.
    pub(crate) along: Wide3,
    /// Length.
    long: Wide,
    /// Half the rest length of the segments at the joint before it, over which bending and twist
    /// of that joint are spread.
    pub(crate) joint: Wide,
}

/// The segments of eight strands; first the clamp: the rest curve leaves the root along its first
/// segment, which the head turns.
#[inline(always)]
fn segments(block: &Block<'_>, step: &Step) -> Vec<Segment> {
    let m = block.state.len();
    let along = step.turned3(&minus3(&block.rest[1], &block.rest[0]));
    let clamp = unit3(&along, &all3(DOWN));
    let mut segments = Vec::with_capacity(m);
    segments.push(Segment {
        along: double(&clamp),
        long: Wide::all(1.0),
        joint: Wide::all(1.0),
    });
    let mut before = Wide::ZERO;
    for j in 1..m {
        let edge = minus(
            &double(&block.state[j].position),
            &double(&block.state[j - 1].position),
        );
        let (along, long) = direction(&edge, &segments[j - 1].along);
        let rest = Wide::from(&block.segment[j]).at_least(LEAST_LENGTH);
        segments.push(Segment {
            along,
            long,
            joint: (before + rest) * Wide::all(0.5),
        });
        before = rest;
    }
    segments
}

/// How an aim beside a segment's direction t turns when t does: with the turn t × δt that carries
/// t, and all that is fixed to it, it changes by δt (t · aim) − t (aim · δt). `turn` gives δt.
#[inline(always)]
fn turned_with(t: &Wide3, aim: &Wide3, turn: &Mat) -> Mat {
    let along = apply_transposed(turn, aim);
    let mut out = ZERO;
    add_to(&mut out, turn, dot(t, aim));
    add_outer(&mut out, t, &along, Wide::all(-1.0));
    out
}

/// How the twist of a joint changes by the ways of the particles at it (Bergou and others 2008,
/// section 6): by κb / (2 |e|) for that of the segment after, −κb / (2 |e|) for that before.
struct Untwist {
    after: Wide3,
    middle: Wide3,
    before: Wide3,
}

impl Untwist {
    /// Unit directions of the segments before and after; lengths of the one after and the one
    /// before.
    #[inline(always)]
    fn new(t0: &Wide3, t: &Wide3, [long, long_before]: [Wide; 2]) -> Self {
        let fold = (Wide::all(1.0) + dot(t0, t)).at_least(FOLDED);
        // κb = 2 t0 × t / (1 + t0 · t)
        let half = scaled(&cross(t0, t), Wide::all(1.0) / fold);
        let after = scaled(&half, Wide::all(1.0) / long);
        let before = scaled(&half, Wide::all(-1.0) / long_before);
        let middle = minus(&ZERO3, &plus(&after, &before));
        Self {
            after,
            middle,
            before,
        }
    }

    /// Adds what joint j, of twisting stiffness γ, pulls at its particles by its moment.
    #[inline(always)]
    fn add_to(&self, rows: &mut [Row], j: usize, gamma: Wide, pull: Wide) {
        let after = &self.after;
        add_outer(&mut rows[j].own, after, after, gamma);
        rows[j].right = minus(&rows[j].right, &scaled(after, pull));
        if j == 1 {
            return; // The root does not move, nor does the clamp turn.
        }
        let middle = &self.middle;
        add_outer(&mut rows[j].one, after, middle, gamma);
        add_outer(&mut rows[j - 1].own, middle, middle, gamma);
        rows[j - 1].right = minus(&rows[j - 1].right, &scaled(middle, pull));
        if j > 2 {
            let before = &self.before;
            add_outer(&mut rows[j].two, after, before, gamma);
            add_outer(&mut rows[j - 1].one, middle, before, gamma);
            add_outer(&mut rows[j - 2].own, before, before, gamma);
            rows[j - 2].right = minus(&rows[j - 2].right, &scaled(before, pull));
        }
    }
}

impl Bend<'_> {
    /// The equations for the ways of the particles in the step, times h²:
    /// (M + h² H) way = M free − h² g, with the energy's gradient g and Gauss-Newton Hessian H
    /// where the particles are, the root moved already.
    #[inline(always)]
    pub(crate) fn assemble(&self, block: &Block<'_>, step: &Step, system: &mut System) {
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

        let segments = segments(block, step);
        let own = (self.stiffness.get(block.index)).map_or(Wide::all(1.0), Wide::from);
        let stiffnesses = [self.bending, self.twisting].map(|all| Wide::all(all) * own);
        let bent = self
            .joints
            .map(|joints| curl::joints(joints, block, step, &segments, stiffnesses));
        let square_dt = step.dt_secs() as f64 * step.dt_secs() as f64;
        let bending = Wide::all(square_dt * self.bending) * own;
        let twisting = Wide::all(square_dt * self.twisting) * own;
        // Derivative of t by the way of its end: (1 − t tᵀ) / |e|; the clamp does not turn.
        let mut turn_before: Mat = ZERO;
        for j in 1..m {
            let (t, t0, safe) = (
                &segments[j].along,
                &segments[j - 1].along,
                segments[j].long.at_least(LEAST_LENGTH),
            );

            // Stretch: k/2 (|e| − l)² along the segment. Across it a segment under tension T
            // resists turning by T / |e|; one under pressure would help, and is left out.
            let pull = scaled(t, stiffness * (segments[j].long - length(j)));
            let tension = dot(&hanging[j], t).at_least(0.0) / safe;
            let along = outer(t, stiffness - tension, tension);

            // Bending: β/2 |t_j − aim|² = β (1 − cos φ), β = B over half the length of both
            // segments; of the clamp there is none. The aim is t_(j−1) for strands that are
            // straight at rest; it turns as t_(j−1) does. By the way of particle j the difference
            // changes by a, of j − 1 by −(a + c), of j − 2 by c.
            let beta = bending / segments[j].joint;
            let one = Wide::all(1.0);
            let a = outer(t, -one / safe, one / safe);
            let (bend, c) = match &bent {
                None => (minus(t, t0), turn_before),
                Some(bent) => {
                    let aim = &bent[j].aim;
                    (minus(t, aim), turned_with(t0, aim, &turn_before))
                }
            };
            let (aa, ac) = (times(&a, &a), times(&a, &c));
            let cc = times(&transposed(&c), &c);
            let (ga, gc) = (
                scaled(&apply(&a, &bend), beta),
                scaled(&apply_transposed(&c, &bend), beta),
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
            if let Some(bent) = &bent {
                let gamma = twisting / segments[j].joint;
                let reach = [safe, segments[j - 1].long.at_least(LEAST_LENGTH)];
                let untwist = Untwist::new(t0, t, reach);
                let pull = bent[j].moment * Wide::all(square_dt);
                untwist.add_to(rows, j, gamma, pull);
            }
            turn_before = a;
        }
    }

    /// How far particles would go in the step if there were no segments.
    #[inline(always)]
    fn free_way(&self, block: &Block<'_>, step: &Step, j: usize) -> Lanes3 {
        let ParticleBlock { position, velocity } = &block.state[j];
        let drag_kept = Lanes::all(step.forces.drag_kept);
        let v = scaled3(velocity, Lanes::all(self.kept));
        let v = step.forces.act3(position, &v, step.dt, drag_kept);
        let free = scaled3(&v, Lanes::all(step.dt));
        match self.holds.get(block.index) {
            Some(own) => step.held3_by(own, &free, &block.rest[j], position),
            None => step.held3(free, &block.rest[j], position),
        }
    }
}
