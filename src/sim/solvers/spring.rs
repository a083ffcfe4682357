//! Spring to anchor: all strands in blocks of eight.
//!
//! | file | what it holds |
//! |---|---|
//! | `propagator.rs` | the exact solution of the damped spring over a step |
//! | `blocks.rs` | the memory layout |
//! | `step.rs` | one step of a block, contact with the skin |
//! | `collide.rs` | contact with colliders |
//! | `settled.rs` | strands that have come to rest, strands that broke |
//! | `drawn.rs` | drawn tips: interpolated, above the skin, at full length |
//! | `soft.rs` | strands that differ in stiffness |
//! | `curve.rs` | whole strands: how a curve follows its tip, and taking over from other solvers |

mod blocks;
mod collide;
mod curve;
mod drawn;
mod propagator;
mod settled;
mod soft;
mod step;

pub use propagator::Propagator;
pub(crate) use soft::Law;
pub(crate) use step::SpringStep;

use super::super::contact::Contacts;
use super::super::hair::strand_remap::Kept;
use super::super::{Outcome, Pose};
use crate::groom::{Groom, RestCurves};
use crate::sim::simd::lanes::LANES;
use crate::sim::simd::vector::{Lanes3, get3, set3};
use blocks::{RestBlock, ShapeBlock, StateBlock};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use soft::Soft;
use step::{Blocks, advance_blocks};

/// Strands from which a step is split among threads; with fewer, waking the threads costs
/// more than they save.
const PARALLEL_STRANDS: usize = 5_000;
/// Blocks a thread takes at a time: 1,024 strands, about 0.5 MB with everything they touch, so
/// several steps of a frame run from the cache.
const CHUNK_BLOCKS: usize = 128;
/// Squared length above which a normal is no rounded unit vector, and is made one.
const LONGEST_NORMAL: f32 = 1.001;

/// Strand tips on springs: motion under a moving head.
///
/// The lower-level face of the solver, with steps of any length; [`Simulation`] runs it at a
/// fixed step. Structure of arrays in blocks of eight (`blocks.rs`).
///
/// [`Simulation`]: super::super::Simulation
#[derive(Clone, Debug)]
pub struct Spring {
    count: usize,
    state: Vec<StateBlock>,
    rest: Vec<RestBlock>,
    /// Surface normals, head space, no longer than 1; zero: nothing keeps the strand above its root.
    normals: Vec<Lanes3>,
    /// Do strands stay above the planes at their roots?
    grounded: bool,
    /// Offsets before the last step of the last advance.
    previous: Vec<Lanes3>,
    shape: Vec<ShapeBlock>,
    /// Rest curves of strands that are not straight.
    curves: Option<RestCurves>,
    soft: Soft,
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
            let (root, length) = (groom.roots[i], groom.chord(i));
            let (reach, normal) = (groom.reach(i), at_most_1(groom.normals[i]));
            if !(root.is_finite() && reach.is_finite() && normal.is_finite()) {
                continue;
            }
            let (rest, shape, lane) = (&mut rest[i / LANES], &mut shape[i / LANES], i % LANES);
            set3(&mut rest.anchor, lane, root + reach);
            rest.lift.0[lane] = reach.dot(normal).max(0.0);
            set3(&mut shape.root, lane, root);
            set3(&mut shape.reach, lane, reach);
            shape.length.0[lane] = length;
        }
        let shares = (!groom.stiffness.is_empty())
            .then(|| (0..count).map(|strand| groom.stiffness_of(strand)));
        Self {
            count,
            state: vec![StateBlock::default(); blocks],
            rest,
            normals: normals(groom),
            grounded: true,
            previous: vec![Lanes3::default(); blocks],
            shape,
            curves: groom.curves.clone(),
            soft: Soft::new(shares),
        }
    }

    /// Are all strands straight at rest, so that their tips say everything?
    pub(crate) fn is_straight(&self) -> bool {
        self.curves.is_none()
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
    /// and every anchor moves linearly. Poses are expected finite with unit rotations. All strands
    /// go by this propagator, also where the groom has some less stiff than others.
    pub fn step(&mut self, propagator: &Propagator, from: &Pose, to: &Pose) -> Outcome {
        let step = SpringStep::new(propagator, from, to, DVec3::ZERO);
        self.advance(&[step], &Contacts::default())
    }

    /// Makes ready for steps of this spring, in which strands differ as they do in stiffness.
    pub(crate) fn follow(&mut self, law: Law) {
        self.soft.follow(law);
    }

    /// The constant of a strand's spring, 1/s².
    pub(crate) fn stiffness_of(&self, strand: usize, law: &Law) -> f64 {
        law.stiffness_of(self.soft.share(strand))
    }

    /// Several steps at once: each thread takes its strands through all of them while they are
    /// in its cache. The same bits as one step at a time, on any number of threads.
    pub(crate) fn advance(&mut self, steps: &[SpringStep], colliders: &Contacts) -> Outcome {
        let run = |first: usize, state: &mut [StateBlock], previous: &mut [Lanes3]| {
            let range = first..first + state.len();
            let blocks = Blocks {
                state,
                previous,
                rest: &self.rest[range.clone()],
                normals: &self.normals[range.clone()],
                shape: &self.shape[range.clone()],
                soft: self.soft.steps().get(range).unwrap_or_default(),
            };
            advance_blocks(blocks, steps, colliders)
        };
        if self.count < PARALLEL_STRANDS {
            return run(0, &mut self.state, &mut self.previous);
        }
        let state = self.state.par_chunks_mut(CHUNK_BLOCKS);
        (state
            .zip(self.previous.par_chunks_mut(CHUNK_BLOCKS))
            .enumerate())
        .map(|(chunk, (state, previous))| run(chunk * CHUNK_BLOCKS, state, previous))
        .reduce(Outcome::nothing, Outcome::and)
    }

    /// Did no tip move against its anchor in the last step, by more than `share` of its strand?
    pub(crate) fn is_still(&self, share: f32) -> bool {
        let blocks = self.state.iter().zip(&self.previous).zip(&self.shape);
        blocks.into_iter().all(|((state, previous), shape)| {
            (0..LANES).all(|lane| {
                let way = get3(&state.offset, lane) - get3(previous, lane);
                way.length() <= share * shape.length.0[lane]
            })
        })
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

    /// Says whether strands stay above the planes at their roots; `groom`: those strands.
    pub(crate) fn set_grounded(&mut self, grounded: bool, groom: &Groom) {
        if grounded != self.grounded {
            self.grounded = grounded;
            self.normals = if grounded {
                normals(groom)
            } else {
                vec![Lanes3::default(); self.normals.len()]
            };
        }
    }

    /// How far a strand's tip is from its anchor, decimetres, and its velocity, dm/s; world space.
    pub(crate) fn motion_of(&self, strand: usize) -> (Vec3, Vec3) {
        let (state, lane) = (&self.state[strand / LANES], strand % LANES);
        (get3(&state.offset, lane), get3(&state.velocity, lane))
    }

    /// Puts every strand to rest.
    pub fn reset(&mut self) {
        self.state.fill(StateBlock::default());
        self.previous.fill(Lanes3::default());
    }

    /// Takes on the rest strands of `groom`; what is kept keeps its motion: every tip its direction
    /// from the root and its speed, and its distance is scaled with the strand's length. `poses` are
    /// the head's before and after the last step. Gives whether any is kept.
    pub(crate) fn reshape(&mut self, groom: &Groom, kept: &Kept, poses: [&Pose; 2]) -> bool {
        let mut new = Spring::new(groom);
        new.set_grounded(self.grounded, groom);
        let rotations = poses.map(|pose| pose.to_dmat3().as_mat3());
        let mut any = false;
        for i in 0..new.count {
            let Some(source) = kept.source(i, self.count) else {
                continue;
            };
            any = true;
            let (block, lane) = (i / LANES, i % LANES);
            let (old_block, old_lane) = (source / LANES, source % LANES);
            let (old_shape, new_shape) = (&self.shape[old_block], &new.shape[block]);
            let old_length = old_shape.length.0[old_lane];
            let scale = new_shape.length.0[lane] / old_length;
            let scale = if old_length > 0.0 { scale } else { 0.0 };
            // From the root the tip is at R e + u; scale that, take off the new R e.
            let gap = get3(&old_shape.reach, old_lane) * scale - get3(&new_shape.reach, lane);
            let (old, state) = (&self.state[old_block], &mut new.state[block]);
            let offsets = [
                (&self.previous[old_block], &mut new.previous[block]),
                (&old.offset, &mut state.offset),
            ];
            for ((old, offset), rotation) in offsets.into_iter().zip(&rotations) {
                set3(offset, lane, get3(old, old_lane) * scale + *rotation * gap);
            }
            set3(&mut state.velocity, lane, get3(&old.velocity, old_lane));
        }
        *self = new;
        any
    }
}

/// The normals of all strands that stay above the planes at their roots.
fn normals(groom: &Groom) -> Vec<Lanes3> {
    let mut normals = vec![Lanes3::default(); groom.len().div_ceil(LANES)];
    for i in 0..groom.len() {
        let (reach, normal) = (groom.reach(i), at_most_1(groom.normals[i]));
        let finite = groom.roots[i].is_finite() && reach.is_finite() && normal.is_finite();
        // What rests below its root's plane cannot be kept above it.
        if finite && reach.dot(normal) >= 0.0 {
            set3(&mut normals[i / LANES], i % LANES, normal);
        }
    }
    normals
}

fn at_most_1(normal: Vec3) -> Vec3 {
    if normal.length_squared() > LONGEST_NORMAL {
        normal.normalize()
    } else {
        normal
    }
}
