//! Spring to anchor: all strands in blocks of eight, one step, contact with the skin.

use super::blocks::{
    LANES, Lanes3, RestBlock, ShapeBlock, StateBlock, dot, get3, lane3, negative_part, rotate, set3,
};
use super::{Pose, Propagator};
use crate::groom::Groom;
use glam::{DMat3, DVec3, Vec3};
use rayon::prelude::*;

/// Strands from which a step is split among threads; with fewer, waking the threads costs
/// more than they save.
pub(super) const PARALLEL_STRANDS: usize = 5_000;
/// Blocks a thread takes at a time: 1,024 strands, about 0.5 MB with everything they touch, so
/// several steps of a frame run from the cache.
pub(super) const CHUNK_BLOCKS: usize = 128;
/// Offsets (dm) and velocities (dm/s) smaller than this become 0. Without it they decay into
/// denormal numbers under a still head, and the step takes 5 to 60 times longer.
const SNAP: f32 = 1e-15;
/// A strand counts as settled when its offset is below this share of its height above the skin
/// (practically of its length), and its speed below that much a second: 1e-4 of a strand drawn
/// 1,000 pixels long is a tenth of a pixel.
const SETTLED_SHARE: f32 = 1e-4;

/// Strand tips on springs: motion under a moving head.
///
/// The lower-level face of the solver, with steps of any length; [`Simulation`] runs it at a
/// fixed step. Structure of arrays in blocks of eight (`blocks.rs`).
///
/// [`Simulation`]: super::Simulation
#[derive(Clone, Debug)]
pub struct Spring {
    count: usize,
    state: Vec<StateBlock>,
    rest: Vec<RestBlock>,
    /// Offsets before the last step of the last advance.
    pub(super) previous: Vec<Lanes3>,
    pub(super) shape: Vec<ShapeBlock>,
}

/// What came of an advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpringReport {
    /// Every tip is at its anchor and slow. (The head may still be moving.)
    pub settled: bool,
    /// Strands that were not finite and have been put back to rest.
    pub reset_strands: u64,
}

/// One step for all strands: the propagator with the anchors' motion, rounded once.
///
/// An anchor in head space A moves by s = (M1 − M0) A in the step. The difference of the
/// matrices is taken in double precision: taken between f32 anchors it would be all rounding
/// noise at 240 steps a second.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpringStep {
    /// Rows of R1 − R0.
    turn: [[f32; 3]; 3],
    /// T1 − T0, decimetres.
    shift: [f32; 3],
    /// Rows of R1.
    rotation: [[f32; 3]; 3],
    uu: f32,
    uv: f32,
    us: f32,
    vu: f32,
    vv: f32,
    vs: f32,
}

impl SpringStep {
    pub(super) fn new(propagator: &Propagator, from: &Pose, to: &Pose) -> Self {
        // Rotations that differ by less than this come from an easing that has ended; as f32
        // they could be denormal.
        let snap = |x: f32| if x.abs() < SNAP { 0.0 } else { x };
        let (r0, r1) = (from.to_dmat3(), to.to_dmat3());
        Self {
            turn: rows(&(r1 - r0)).map(|row| row.map(snap)),
            shift: vec(to.translation - from.translation).map(snap),
            rotation: rows(&r1),
            uu: propagator.uu as f32,
            uv: propagator.uv as f32,
            us: propagator.us as f32,
            vu: propagator.vu as f32,
            vv: propagator.vv as f32,
            vs: propagator.vs as f32,
        }
    }
}

impl Spring {
    /// All strands at rest. Strands with a coordinate that is not finite become strands of no
    /// length at the head's centre.
    pub fn new(groom: &Groom) -> Self {
        let count = groom.len();
        let blocks = count.div_ceil(LANES);
        let mut rest = vec![RestBlock::default(); blocks];
        let mut shape = vec![ShapeBlock::default(); blocks];
        for i in 0..count {
            let (root, length) = (groom.roots[i], groom.lengths[i]);
            let (reach, normal) = (groom.directions[i] * length, groom.normals[i]);
            if !(root.is_finite() && reach.is_finite() && normal.is_finite()) {
                continue;
            }
            let (rest, shape, lane) = (&mut rest[i / LANES], &mut shape[i / LANES], i % LANES);
            set3(&mut rest.anchor, lane, root + reach);
            set3(&mut rest.normal, lane, normal);
            rest.lift.0[lane] = reach.dot(normal);
            set3(&mut shape.root, lane, root);
            set3(&mut shape.reach, lane, reach);
            shape.length.0[lane] = length;
        }
        Self {
            count,
            state: vec![StateBlock::default(); blocks],
            rest,
            previous: vec![Lanes3::default(); blocks],
            shape,
        }
    }

    /// Number of strands.
    pub fn len(&self) -> usize {
        self.count
    }

    /// No strands at all.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// One step of the propagator's length, in which the head goes from one pose to the other
    /// and every anchor moves linearly. Poses are expected finite with unit rotations.
    pub fn step(&mut self, propagator: &Propagator, from: &Pose, to: &Pose) -> SpringReport {
        self.advance(&[SpringStep::new(propagator, from, to)])
    }

    /// Several steps at once: each thread takes its strands through all of them while they are
    /// in its cache. The same bits as one step at a time, on any number of threads.
    pub(super) fn advance(&mut self, steps: &[SpringStep]) -> SpringReport {
        if self.count < PARALLEL_STRANDS {
            return advance_blocks(&mut self.state, &mut self.previous, &self.rest, steps);
        }
        let chunks = self
            .state
            .par_chunks_mut(CHUNK_BLOCKS)
            .zip(self.previous.par_chunks_mut(CHUNK_BLOCKS))
            .zip(self.rest.par_chunks(CHUNK_BLOCKS));
        chunks
            .map(|((state, previous), rest)| advance_blocks(state, previous, rest, steps))
            .reduce(SpringReport::nothing, SpringReport::and)
    }

    /// Simulated tips under the pose of the last step, world space: `out[i] = [x, y, z, 0]`.
    /// Not what is drawn: they are at any distance from their roots.
    pub fn write_tips(&self, pose: &Pose, out: &mut Vec<[f32; 4]>) {
        out.clear();
        out.extend((0..self.count).map(|i| {
            let anchor = get3(&self.rest[i / LANES].anchor, i % LANES).as_dvec3();
            let offset = get3(&self.state[i / LANES].offset, i % LANES);
            let tip = pose.transform_point(anchor).as_vec3() + offset;
            [tip.x, tip.y, tip.z, 0.0]
        }));
    }

    /// Adds to the velocity of a strand's tip, world space, dm/s. Out of range: nothing.
    pub fn push(&mut self, strand: usize, velocity: Vec3) {
        if strand < self.count {
            let lanes = &mut self.state[strand / LANES].velocity;
            set3(
                lanes,
                strand % LANES,
                get3(lanes, strand % LANES) + velocity,
            );
        }
    }

    /// Puts every strand to rest.
    pub fn reset(&mut self) {
        self.state.fill(StateBlock::default());
        self.previous.fill(Lanes3::default());
    }

    /// Takes on the rest strands of `groom`, keeping the motion when it has as many strands:
    /// every tip keeps its direction from the root and its speed, and its distance is scaled
    /// with the strand's length. Otherwise all are put to rest. `poses` are the head's before
    /// and after the last step. Gives whether the motion was kept.
    pub(super) fn reshape(&mut self, groom: &Groom, poses: [&Pose; 2]) -> bool {
        let new = Spring::new(groom);
        if new.count != self.count {
            *self = new;
            return false;
        }
        let rotations = poses.map(|pose| pose.to_dmat3().as_mat3());
        for i in 0..self.count {
            let (block, lane) = (i / LANES, i % LANES);
            let (old_shape, new_shape) = (&self.shape[block], &new.shape[block]);
            let old_length = old_shape.length.0[lane];
            let scale = new_shape.length.0[lane] / old_length;
            let scale = if old_length > 0.0 { scale } else { 0.0 };
            // From the root the tip is at R e + u; scale that, take off the new R e.
            let gap = get3(&old_shape.reach, lane) * scale - get3(&new_shape.reach, lane);
            let offsets = [&mut self.previous[block], &mut self.state[block].offset];
            for (offset, rotation) in offsets.into_iter().zip(&rotations) {
                let kept = get3(offset, lane) * scale + *rotation * gap;
                set3(offset, lane, kept);
            }
        }
        self.rest = new.rest;
        self.shape = new.shape;
        true
    }

    /// Surface normals of a block, head space.
    pub(super) fn normals(&self, block: usize) -> &Lanes3 {
        &self.rest[block].normal
    }

    /// Offsets after the last step.
    pub(super) fn offsets(&self, block: usize) -> &Lanes3 {
        &self.state[block].offset
    }
}

impl SpringReport {
    /// The report of no strands.
    fn nothing() -> Self {
        Self {
            settled: true,
            reset_strands: 0,
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            settled: self.settled & other.settled,
            reset_strands: self.reset_strands + other.reset_strands,
        }
    }
}

/// Runs all steps on each block in turn, then looks at what came of it.
fn advance_blocks(
    state: &mut [StateBlock],
    previous: &mut [Lanes3],
    rest: &[RestBlock],
    steps: &[SpringStep],
) -> SpringReport {
    let mut report = SpringReport::nothing();
    let Some((last, earlier)) = steps.split_last() else {
        return report;
    };
    for ((state, previous), rest) in state.iter_mut().zip(previous).zip(rest) {
        for step in earlier {
            step_block(state, rest, step);
        }
        *previous = state.offset;
        step_block(state, rest, last);
        if !is_settled(state, rest) {
            report.settled = false;
            report.reset_strands += reset_broken(state, previous);
        }
    }
    report
}

/// One step of eight strands: integrate, push out of the skin, snap.
///
/// Every lane does the same, choices are selects, and nothing is fused, so scalar code, SSE2
/// and AVX2 all give the same bits.
#[inline(always)]
fn step_block(state: &mut StateBlock, rest: &RestBlock, step: &SpringStep) {
    for lane in 0..LANES {
        let u = lane3(&state.offset, lane);
        let v = lane3(&state.velocity, lane);

        // The way of the anchor, s = (M1 − M0) A, then the propagator.
        let turned = rotate(&step.turn, lane3(&rest.anchor, lane));
        let mut u1 = [0.0; 3];
        let mut v1 = [0.0; 3];
        for axis in 0..3 {
            let s = turned[axis] + step.shift[axis];
            u1[axis] = step.uu * u[axis] + step.uv * v[axis] + step.us * s;
            v1[axis] = step.vu * u[axis] + step.vv * v[axis] + step.vs * s;
        }

        // Contact with the root's plane: the anchor stands `lift` above it, the tip d.
        let n = rotate(&step.rotation, lane3(&rest.normal, lane));
        let d = rest.lift.0[lane] + dot(u1, n);
        let depth = negative_part(d);
        let inward = negative_part(dot(v1, n));
        let lost = if d < 0.0 { inward } else { 0.0 };
        for axis in 0..3 {
            state.offset[axis].0[lane] = snap(u1[axis] - depth * n[axis]);
            state.velocity[axis].0[lane] = snap(v1[axis] - lost * n[axis]);
        }
    }
}

/// Keeps numbers out of the denormal range.
#[inline(always)]
fn snap(x: f32) -> f32 {
    if x.abs() < SNAP { 0.0 } else { x }
}

/// Squared offset and squared speed of each strand.
#[inline(always)]
fn squares(state: &StateBlock) -> ([f32; LANES], [f32; LANES]) {
    let (mut u2, mut v2) = ([0.0; LANES], [0.0; LANES]);
    for lane in 0..LANES {
        let (u, v) = (lane3(&state.offset, lane), lane3(&state.velocity, lane));
        u2[lane] = dot(u, u);
        v2[lane] = dot(v, v);
    }
    (u2, v2)
}

/// All eight strands are at their anchors and slow; never true of a strand that is not finite.
#[inline(always)]
fn is_settled(state: &StateBlock, rest: &RestBlock) -> bool {
    let (u2, v2) = squares(state);
    let mut settled = true;
    for lane in 0..LANES {
        let small = SETTLED_SHARE * rest.lift.0[lane];
        let limit = small * small;
        settled &= (u2[lane] <= limit) & (v2[lane] <= limit);
    }
    settled
}

/// Puts the strands that are no longer finite (or so far out that their square is not) to rest
/// under the head's present pose, and counts them.
#[inline(always)]
fn reset_broken(state: &mut StateBlock, previous: &mut Lanes3) -> u64 {
    let (u2, v2) = squares(state);
    let mut all_finite = true;
    for lane in 0..LANES {
        all_finite &= (u2[lane] + v2[lane]) < f32::INFINITY;
    }
    if all_finite {
        return 0;
    }
    let mut count = 0;
    for lane in 0..LANES {
        if !(u2[lane] + v2[lane]).is_finite() {
            set3(&mut state.offset, lane, Vec3::ZERO);
            set3(&mut state.velocity, lane, Vec3::ZERO);
            set3(previous, lane, Vec3::ZERO);
            count += 1;
        }
    }
    count
}

/// Rows of a matrix in single precision.
pub(super) fn rows(matrix: &DMat3) -> [[f32; 3]; 3] {
    [0, 1, 2].map(|i| vec(matrix.row(i)))
}

/// A vector in single precision.
pub(super) fn vec(v: DVec3) -> [f32; 3] {
    v.as_vec3().to_array()
}
