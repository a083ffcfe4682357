//! The tips of all strands on their springs.

use super::blocks::{RestBlock, ShapeBlock, StateBlock};
use super::propagator::Propagator;
use super::soft::{SoftSteps, SpringLaw};
use super::step::{Blocks, SpringStep, advance_blocks};
use crate::groom::{Groom, RestCurves};
use crate::sim::contact::Contacts;
use crate::sim::hair::strand_remap::StrandRemap;
use crate::sim::pose::Pose;
use crate::sim::simd::{LANES, Lanes3, get3, set3};
use crate::sim::solvers::outcome::Outcome;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// Strands from which a step is split among threads. With fewer, waking the threads costs more
/// than they save.
pub(super) const PARALLEL_STRANDS: usize = 5_000;
/// Blocks that a thread takes at a time: 1,024 strands, about 0.5 MB with all that belongs to them,
/// so several steps of a frame run from the cache.
pub(super) const CHUNK_BLOCKS: usize = 128;
/// Squared length above which a normal is no rounded unit vector, and is normalised.
const MAX_NORMAL_SQUARED: f32 = 1.001;

/// Strand tips on springs: motion under a moving head.
///
/// The lower-level interface of the solver, with steps of any length; [`Simulation`] runs it at a
/// fixed step. Structure of arrays in blocks of eight (`blocks.rs`).
///
/// [`Simulation`]: crate::Simulation
#[derive(Clone, Debug)]
pub struct Spring {
    pub(super) count: usize,
    pub(super) state: Vec<StateBlock>,
    pub(super) rest: Vec<RestBlock>,
    /// Surface normals, head space, no longer than 1; zero: nothing keeps the strand above its
    /// root.
    pub(super) normals: Vec<Lanes3>,
    /// Whether strands stay above the planes at their roots.
    pub(super) grounded: bool,
    /// Offsets before the last step of the last advance.
    pub(super) previous: Vec<Lanes3>,
    pub(super) shape: Vec<ShapeBlock>,
    /// Rest curves of strands that are not straight.
    pub(super) curves: Option<RestCurves>,
    pub(super) soft: SoftSteps,
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
            let (reach, normal) = (groom.reach(i), unit_at_most(groom.normals[i]));
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
            soft: SoftSteps::new(shares),
        }
    }

    /// Whether all strands are straight at rest, so that their tips determine them.
    pub(crate) fn is_straight(&self) -> bool {
        self.curves.is_none()
    }

    /// Returns the number of strands.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no strands.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Takes one step of the propagator's length, in which the head moves from one pose to the
    /// other and every anchor moves linearly. Poses must be finite with unit rotations. All strands
    /// use this propagator, also where the groom has some less stiff than others.
    pub fn step(&mut self, propagator: &Propagator, from: &Pose, to: &Pose) -> Outcome {
        let step = SpringStep::new(propagator, from, to, DVec3::ZERO);
        self.advance(&[step], &Contacts::default())
    }

    /// Prepares steps of this spring for strands that differ in stiffness.
    pub(crate) fn set_law(&mut self, law: SpringLaw) {
        self.soft.set_law(law);
    }

    /// Returns the constant of a strand's spring, 1/s².
    pub(crate) fn stiffness_of(&self, strand: usize, law: &SpringLaw) -> f64 {
        law.stiffness_of(self.soft.share(strand))
    }

    /// Takes several steps: each thread takes its strands through all of them while they are in its
    /// cache. Gives the same bits as one step at a time, on any number of threads.
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

    /// Whether no tip moved against its anchor in the last step by more than `share` of its strand.
    pub(crate) fn is_still(&self, share: f32) -> bool {
        let blocks = self.state.iter().zip(&self.previous).zip(&self.shape);
        blocks.into_iter().all(|((state, previous), shape)| {
            (0..LANES).all(|lane| {
                let way = get3(&state.offset, lane) - get3(previous, lane);
                way.length() <= share * shape.length.0[lane]
            })
        })
    }

    /// Writes simulated tips under the pose of the last step, world space: `out[i] = [x, y, z, 0]`.
    /// They are at any distance from their roots, unlike drawn tips.
    pub fn write_tips(&self, pose: &Pose, out: &mut Vec<[f32; 4]>) {
        out.clear();
        out.extend((0..self.count).map(|i| {
            let anchor = get3(&self.rest[i / LANES].anchor, i % LANES).as_dvec3();
            let offset = get3(&self.state[i / LANES].offset, i % LANES);
            (pose.transform_point(anchor).as_vec3() + offset)
                .extend(0.0)
                .to_array()
        }));
    }

    /// Adds to the velocity of a strand's tip, world space, dm/s, if there is such a strand.
    pub fn push(&mut self, strand: usize, velocity: Vec3) {
        if strand < self.count {
            let (state, lane) = (&mut self.state[strand / LANES], strand % LANES);
            let velocity = get3(&state.velocity, lane) + velocity;
            set3(&mut state.velocity, lane, velocity);
        }
    }

    /// Sets whether strands stay above the planes at their roots. `groom` has the same strands.
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

    /// Returns the offset of a strand's tip from its anchor, decimetres, and its velocity, dm/s;
    /// world space.
    pub(crate) fn motion_of(&self, strand: usize) -> (Vec3, Vec3) {
        let (state, lane) = (&self.state[strand / LANES], strand % LANES);
        (get3(&state.offset, lane), get3(&state.velocity, lane))
    }

    /// Puts every strand to rest.
    pub fn reset(&mut self) {
        self.state.fill(StateBlock::default());
        self.previous.fill(Lanes3::default());
    }

    /// Takes on the rest strands of `groom`. Tips of strands that continue one before keep their
    /// direction from the root and their velocity; their distance is scaled with the strand's
    /// length. `poses` are the head's before and after the last step. Returns whether any strand
    /// continues.
    pub(crate) fn reshape(
        &mut self,
        groom: &Groom,
        remap: &StrandRemap,
        poses: [&Pose; 2],
    ) -> bool {
        let mut new = Spring::new(groom);
        new.set_grounded(self.grounded, groom);
        let rotations = poses.map(|pose| pose.to_dmat3().as_mat3());
        let mut any = false;
        for i in 0..new.count {
            let Some(source) = remap.source(i, self.count) else {
                continue;
            };
            any = true;
            let (block, lane) = (i / LANES, i % LANES);
            let (old_block, old_lane) = (source / LANES, source % LANES);
            let (old_shape, new_shape) = (&self.shape[old_block], &new.shape[block]);
            let old_length = old_shape.length.0[old_lane];
            let scale = new_shape.length.0[lane] / old_length;
            let scale = if old_length > 0.0 { scale } else { 0.0 };
            // From the root the tip is at R e + u: scale that and subtract the new R e.
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

/// Returns the normals of all strands that stay above the planes at their roots.
fn normals(groom: &Groom) -> Vec<Lanes3> {
    let mut normals = vec![Lanes3::default(); groom.len().div_ceil(LANES)];
    for i in 0..groom.len() {
        let (reach, normal) = (groom.reach(i), unit_at_most(groom.normals[i]));
        let finite = groom.roots[i].is_finite() && reach.is_finite() && normal.is_finite();
        // A strand that rests below its root's plane cannot be kept above it.
        if finite && reach.dot(normal) >= 0.0 {
            set3(&mut normals[i / LANES], i % LANES, normal);
        }
    }
    normals
}

/// Shortens vectors to length 1 where they are longer than rounded unit vectors.
fn unit_at_most(normal: Vec3) -> Vec3 {
    if normal.length_squared() > MAX_NORMAL_SQUARED {
        normal.normalize()
    } else {
        normal
    }
}
