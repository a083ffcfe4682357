//! Spring to anchor: each tip on a damped spring to where it stands at rest.
//!
//! [`propagator`] solves the spring exactly, [`step`] moves blocks of eight strands by it, and
//! [`drawn`] makes of tips what is drawn.

mod drawn;
mod propagator;
mod step;

pub use propagator::Propagator;
pub(crate) use propagator::SpringLaw;
pub(crate) use step::SpringStep;

use super::Outcome;
use crate::groom::{Groom, RestCurves};
use crate::sim::contact::Contacts;
use crate::sim::hair::Hair;
use crate::sim::pose::Pose;
use crate::sim::simd::{LANES, Lanes3, dispatch, get3, set3};
use glam::{DVec3, Vec3};
use propagator::SoftSteps;
use rayon::prelude::*;
use step::{Advance, RestBlock, ShapeBlock, StateBlock};

/// Strands from which a step is split among threads. With fewer, waking the threads costs more
/// than they save.
const PARALLEL_STRANDS: usize = 5_000;
/// Blocks that a thread takes at a time: 1,024 strands, about 0.5 MB with all that belongs to them,
/// so several steps of a frame run from the cache.
const CHUNK_BLOCKS: usize = 128;
/// Shorter strands come to rest as if they were this long, decimetres.
const LEAST_LENGTH: f32 = 0.01;
/// Squared length above which a normal is no rounded unit vector, and is normalised.
const MAX_NORMAL_SQUARED: f32 = 1.001;

/// Strand tips on springs: motion under a moving head.
///
/// The lower-level interface of the solver, with steps of any length; [`Simulation`] runs it at a
/// fixed step. Structure of arrays in blocks of eight (`step.rs`).
///
/// [`Simulation`]: crate::Simulation
#[derive(Clone, Debug)]
pub struct Spring {
    count: usize,
    state: Vec<StateBlock>,
    rest: Vec<RestBlock>,
    /// Surface normals, head space, no longer than 1; zero: nothing keeps the strand above its
    /// root.
    normals: Vec<Lanes3>,
    /// `true` if strands stay above the planes at their roots.
    pub(crate) grounded: bool,
    /// Offsets before the last step of the last advance.
    previous: Vec<Lanes3>,
    shape: Vec<ShapeBlock>,
    /// The rest curves; `None` if all strands are straight, so that their tips determine them.
    pub(crate) curves: Option<RestCurves>,
    /// The steps of strands that differ in stiffness.
    pub(crate) soft: SoftSteps,
}

impl Spring {
    /// Returns all strands at rest. Strands with a coordinate that is not finite become strands of
    /// no length at the head's centre.
    pub fn new(groom: &Groom) -> Self {
        let count = groom.len();
        let blocks = count.div_ceil(LANES);
        let mut rest = vec![RestBlock::default(); blocks];
        let mut shape = vec![ShapeBlock::default(); blocks];
        let mut normals = vec![Lanes3::default(); blocks];
        for i in 0..count {
            let (root, reach, mut normal) = (groom.roots[i], groom.reach(i), groom.normals[i]);
            if normal.length_squared() > MAX_NORMAL_SQUARED {
                normal = normal.normalize();
            }
            if ![root, reach, normal].iter().all(|v| v.is_finite()) {
                continue;
            }
            let (rest, shape, lane) = (&mut rest[i / LANES], &mut shape[i / LANES], i % LANES);
            set3(&mut rest.anchor, lane, root + reach);
            rest.lift.0[lane] = reach.dot(normal).max(0.0);
            set3(&mut shape.root, lane, root);
            set3(&mut shape.reach, lane, reach);
            shape.length.0[lane] = groom.chord(i);
            // A strand that rests below its root's plane cannot be kept above it.
            if reach.dot(normal) >= 0.0 {
                set3(&mut normals[i / LANES], lane, normal);
            }
        }
        Self {
            count,
            state: vec![StateBlock::default(); blocks],
            rest,
            normals,
            grounded: true,
            previous: vec![Lanes3::default(); blocks],
            shape,
            curves: groom.curves.clone(),
            soft: SoftSteps::new(groom),
        }
    }

    /// Returns the number of strands.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns `true` if there are no strands.
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

    /// Takes several steps: each thread takes its strands through all of them while they are in its
    /// cache. Gives the same bits as one step at a time, on any number of threads.
    pub(crate) fn advance(&mut self, steps: &[SpringStep], colliders: &Contacts) -> Outcome {
        if self.soft.steps.is_empty() {
            self.advance_as::<false>(steps, colliders)
        } else {
            self.advance_as::<true>(steps, colliders)
        }
    }

    fn advance_as<const SOFT: bool>(&mut self, steps: &[SpringStep], on: &Contacts) -> Outcome {
        let run = |first: usize, state: &mut [StateBlock], previous: &mut [Lanes3]| {
            let range = first..first + state.len();
            dispatch(Advance::<SOFT> {
                state,
                previous,
                rest: &self.rest[range.clone()],
                normals: &self.normals[range.clone()],
                grounded: self.grounded,
                shape: &self.shape[range.clone()],
                is_straight: self.curves.is_none(),
                soft: self.soft.steps.get(range).unwrap_or_default(),
                steps,
                colliders: on,
            })
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

    /// Returns `true` if no tip moved against its anchor in the last step by more than `share` of
    /// its strand. Strands of no length, and the lanes past the last one, count as short ones.
    pub(crate) fn is_still(&self, share: f32) -> bool {
        let mut blocks = self.state.iter().zip(&self.previous).zip(&self.shape);
        blocks.all(|((state, previous), shape)| {
            (0..LANES).all(|lane| {
                let way = get3(&state.offset, lane) - get3(previous, lane);
                way.length() <= share * shape.length.0[lane].max(LEAST_LENGTH)
            })
        })
    }

    /// Writes simulated tips under the pose of the last step, world space: `out[i] = [x, y, z, 0]`.
    /// They are at any distance from their roots, unlike drawn tips.
    pub fn write_tips(&self, pose: &Pose, out: &mut Vec<[f32; 4]>) {
        out.clear();
        out.extend((0..self.count).map(|i| {
            let anchor = get3(&self.rest[i / LANES].anchor, i % LANES).as_dvec3();
            let (offset, _) = self.motion_of(i);
            let tip = pose.transform_point(anchor).as_vec3() + offset;
            tip.extend(0.0).to_array()
        }));
    }

    /// Returns the two ends of a strand's spring, its anchor and its simulated tip, and its root:
    /// interpolated by `alpha` between two poses.
    pub(crate) fn ends(&self, poses: [&Pose; 2], alpha: f64, strand: usize) -> [Vec3; 3] {
        let (block, lane) = (strand / LANES, strand % LANES);
        let drawn = poses[0].interpolate(poses[1], alpha);
        let place = |at| drawn.transform_point(get3(at, lane).as_dvec3()).as_vec3();
        let anchor = place(&self.rest[block].anchor);
        let before = get3(&self.previous[block], lane);
        let offset = before.lerp(get3(&self.state[block].offset, lane), alpha as f32);
        [anchor, anchor + offset, place(&self.shape[block].root)]
    }

    /// Adds to the velocity of a strand's tip, world space, dm/s, if there is such a strand.
    pub fn push(&mut self, strand: usize, velocity: Vec3) {
        if strand < self.count {
            let velocity = self.motion_of(strand).1 + velocity;
            let state = &mut self.state[strand / LANES];
            set3(&mut state.velocity, strand % LANES, velocity);
        }
    }

    /// Returns the offset of a strand's tip from its anchor, decimetres, and its velocity, dm/s;
    /// world space.
    pub(crate) fn motion_of(&self, strand: usize) -> (Vec3, Vec3) {
        let (state, lane) = (&self.state[strand / LANES], strand % LANES);
        (get3(&state.offset, lane), get3(&state.velocity, lane))
    }

    /// Sets a strand's motion: offsets of its tip from its anchor before the last step and now, and
    /// its velocity.
    fn set_motion(&mut self, strand: usize, [before, now]: [Vec3; 2], velocity: Vec3) {
        let (block, lane) = (strand / LANES, strand % LANES);
        set3(&mut self.previous[block], lane, before);
        set3(&mut self.state[block].offset, lane, now);
        set3(&mut self.state[block].velocity, lane, velocity);
    }

    /// Puts every strand to rest.
    pub fn reset(&mut self) {
        self.state.fill(StateBlock::default());
        self.previous.fill(Lanes3::default());
    }

    /// Takes over tips and their velocities from particles. `poses` are the head's before and after
    /// the last step.
    pub(crate) fn take_over(&mut self, hair: &Hair, poses: [&Pose; 2]) {
        let tip = hair.particles() - 1;
        for strand in 0..self.len().min(hair.len()) {
            let anchor = get3(&self.rest[strand / LANES].anchor, strand % LANES).as_dvec3();
            let offset = |pose: &Pose, tip: Vec3| tip - pose.transform_point(anchor).as_vec3();
            let before = offset(poses[0], hair.previous(strand, tip));
            let now = offset(poses[1], hair.position(strand, tip));
            self.set_motion(strand, [before, now], hair.velocity(strand, tip));
        }
    }

    /// Takes the rest strands as skin has carried them, and leaves tips where they are. `poses` are the
    /// head's before and after the last step.
    pub(crate) fn carry(&mut self, groom: &Groom, poses: [&Pose; 2]) {
        let mut new = Spring::new(groom);
        new.grounded = self.grounded;
        new.soft = std::mem::take(&mut self.soft);
        let rotations = poses.map(|pose| pose.to_dmat3().as_mat3());
        for strand in 0..self.count.min(new.count) {
            let (block, lane) = (strand / LANES, strand % LANES);
            let anchor = |spring: &Spring| get3(&spring.rest[block].anchor, lane);
            let gap = anchor(self) - anchor(&new);
            let (offset, velocity) = self.motion_of(strand);
            let before = get3(&self.previous[block], lane) + rotations[0] * gap;
            new.set_motion(strand, [before, offset + rotations[1] * gap], velocity);
        }
        *self = new;
    }

    /// Takes on the rest strands of `groom`. Tips of strands that continue one before, their
    /// `source`, keep their direction from the root and their velocity; their distance is scaled
    /// with the strand's length. `poses` are the head's before and after the last step.
    pub(crate) fn reshape(&mut self, groom: &Groom, sources: &[Option<usize>], poses: [&Pose; 2]) {
        let mut new = Spring::new(groom);
        new.grounded = self.grounded;
        let rotations = poses.map(|pose| pose.to_dmat3().as_mat3());
        for (i, source) in sources.iter().enumerate() {
            let Some(source) = *source else {
                continue;
            };
            let shape = |spring: &Spring, strand: usize| {
                let (shape, lane) = (&spring.shape[strand / LANES], strand % LANES);
                (get3(&shape.reach, lane), shape.length.0[lane])
            };
            let ((old_reach, old_length), (reach, length)) = (shape(self, source), shape(&new, i));
            let scale = length / old_length;
            let scale = if old_length > 0.0 { scale } else { 0.0 };
            // From the root the tip is at R e + u: scale that and subtract the new R e.
            let gap = old_reach * scale - reach;
            let (offset, velocity) = self.motion_of(source);
            let before = get3(&self.previous[source / LANES], source % LANES);
            let offsets = [
                before * scale + rotations[0] * gap,
                offset * scale + rotations[1] * gap,
            ];
            new.set_motion(i, offsets, velocity);
        }
        *self = new;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::solvers::STEP_SECS;

    /// Returns eight strands that stand upright.
    fn upright() -> Spring {
        let roots = (0..LANES).map(|i| Vec3::X * 0.1 * i as f32).collect();
        Spring::new(&Groom::parallel(roots, Vec3::Y, 0.75))
    }

    /// Returns a step under a still head.
    fn still(k: f64, c: f64, dt: f64) -> SpringStep {
        let propagator = Propagator::new(k, c, dt);
        SpringStep::new(&propagator, &Pose::IDENTITY, &Pose::IDENTITY, DVec3::ZERO)
    }

    #[test]
    fn a_still_head_leaves_no_denormal_numbers() {
        for (k, c) in [(4.0, 1.5), (0.01, 0.0), (0.01, 1000.0), (10_000.0, 50.0)] {
            let mut spring = upright();
            for i in 0..LANES {
                spring.push(i, Vec3::new(1e-3, 1e-9 * i as f32, -0.2));
            }
            let second = vec![still(k, c, STEP_SECS); 240];
            for secs in 0..300 {
                spring.advance(&second, &Contacts::default());
                let state = [spring.state[0].offset, spring.state[0].velocity];
                for x in state.into_iter().flatten().flat_map(|lanes| lanes.0) {
                    assert!(x == 0.0 || x.abs() >= 1e-15, "{x:e} after {secs} s");
                }
            }
        }
    }

    #[test]
    fn contact_takes_the_inward_velocity_and_no_other() {
        for (vertical, left) in [(-2.0, 0.0), (2.0, 2.0)] {
            let mut spring = upright();
            for i in 0..LANES {
                let deep = Vec3::new(0.0, -0.8, 0.0);
                spring.set_motion(i, [deep; 2], Vec3::new(1.0, vertical, 0.0));
            }
            spring.advance(&[still(0.01, 0.0, 1e-6)], &Contacts::default());
            for i in 0..LANES {
                let (offset, velocity) = spring.motion_of(i);
                let expected = Vec3::new(1.0, left, 0.0);
                assert!(velocity.distance(expected) < 2e-6, "{velocity}");
                assert!((offset.y + 0.75).abs() < 1e-6);
            }
        }
    }
}
