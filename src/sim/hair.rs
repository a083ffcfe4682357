//! Strands as polylines of particles: their rest curves, positions and velocities.
//!
//! [`order`] decides where strands lie in memory, [`drawn`] writes them between two steps.

mod drawn;
pub(super) mod order;

pub(crate) use drawn::Moment;

use super::pose::Pose;
use crate::groom::Groom;
use crate::sim::simd::{LANES, Lanes, Lanes3, get3, minus3, scaled3, set3};
use glam::{Vec3, Vec4};
use rayon::prelude::*;
use std::ops::RangeInclusive;

/// The smallest number of blocks that a thread plants at a time.
const PLANTED_BLOCKS: usize = 64;

/// Strands of equally many particles, root first, in blocks of eight.
///
/// Strands that are neighbours on the head are neighbours in memory (`hair/order.rs`): each has a
/// slot. Particle j of slot i is lane i % 8 of entry (i / 8) · m + j of `rest`, `segment` and
/// `state`. Lanes past the last strand repeat the block's first one, so that no kernel has to leave
/// them out.
#[derive(Clone, Debug)]
pub struct Hair {
    count: usize,
    particles: usize,
    /// The slot of each strand, and the strand in each slot.
    slots: Vec<u32>,
    pub(super) strands: Vec<u32>,
    /// Rest curves, head space, decimetres.
    pub(super) rest: Vec<Lanes3>,
    /// Length of the segment that ends at a particle, decimetres; 0 at the root.
    pub(super) segment: Vec<Lanes>,
    /// Length of each whole strand, decimetres.
    pub(super) length: Vec<Lanes>,
    /// Normal of the skin at each root, head space.
    pub(super) normals: Vec<Lanes3>,
    /// How far moving skin carries each root in each step, head space; empty if skin stands still.
    pub(super) carried: Vec<Lanes3>,
    /// Stiffness of each strand as a share of what the settings say; empty if all are 1.
    pub(super) stiffness: Vec<Lanes>,
    /// Particles per cubic decimetre of hair that is as dense as on the skin it grows on: as many
    /// strands pass through an area.
    pub(super) density_on_skin: f32,
    pub(super) state: Vec<ParticleBlock>,
    /// The changes of velocities by bundles before the step to come. The list is empty if there are
    /// no bundles, or if the solver does not ask for it.
    pub(super) pulled: Vec<Lanes3>,
    /// Positions before the last step of the last advance, world space.
    pub(super) previous: Vec<Lanes3>,
}

/// Position and velocity of one particle of each of eight strands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub(crate) struct ParticleBlock {
    /// World space, decimetres.
    pub(crate) position: Lanes3,
    /// World space, dm/s.
    pub(crate) velocity: Lanes3,
}

impl Hair {
    /// Allowed numbers of particles of a strand, its root included.
    pub const PARTICLES_RANGE: RangeInclusive<u32> = 2..=64;

    /// Returns all strands at rest under `pose`.
    ///
    /// Each has `particles` particles (clamped to [`PARTICLES_RANGE`](Self::PARTICLES_RANGE)),
    /// evenly spaced; rest curves of as many points are taken as they are. Strands with a
    /// coordinate that is not finite become strands of no length at the head's centre.
    pub fn new(groom: &Groom, particles: u32, pose: &Pose) -> Self {
        let range = Self::PARTICLES_RANGE;
        let particles = particles.clamp(*range.start(), *range.end()) as usize;
        let count = groom.len();
        let blocks = count.div_ceil(LANES);
        let strands = order::along_curve(&groom.roots);
        let mut slots = vec![0; count];
        for (slot, &strand) in strands.iter().enumerate() {
            slots[strand as usize] = slot as u32;
        }
        let mut hair = Self {
            count,
            particles,
            density_on_skin: 0.0,
            slots,
            strands,
            rest: vec![Lanes3::default(); blocks * particles],
            segment: vec![Lanes::ZERO; blocks * particles],
            length: vec![Lanes::ZERO; blocks],
            normals: vec![Lanes3::default(); blocks],
            carried: Vec::new(),
            stiffness: match groom.stiffness.is_empty() {
                true => Vec::new(),
                false => vec![Lanes::ONE; blocks],
            },
            state: vec![ParticleBlock::default(); blocks * particles],
            pulled: Vec::new(),
            previous: vec![Lanes3::default(); blocks * particles],
        };
        hair.plant(groom);
        let per_area = count as f32 / order::area(&groom.roots, &hair.strands);
        hair.density_on_skin = per_area / hair.mean_segment();
        hair.rest_under(pose);
        hair
    }

    /// Writes the rest curves of all strands into their slots.
    fn plant(&mut self, groom: &Groom) {
        for slot in 0..self.stiffness.len() * LANES {
            let stiffness = groom.stiffness_of(self.strand_in(slot));
            self.stiffness[slot / LANES].0[slot % LANES] = stiffness;
        }
        let (m, all) = (self.particles, &self.strands);
        let curves = (self.rest.par_chunks_exact_mut(m)).zip(self.segment.par_chunks_exact_mut(m));
        let roots = self.normals.par_iter_mut().zip(&mut self.length);
        let blocks = all.par_chunks(LANES).zip(curves.zip(roots));
        let blocks = blocks.with_min_len(PLANTED_BLOCKS);
        blocks.for_each(|(strands, ((rest, segments), (normals, length)))| {
            let mut points = [Vec3::ZERO; *Self::PARTICLES_RANGE.end() as usize];
            let points = &mut points[..m];
            for lane in 0..LANES {
                let strand = *strands.get(lane).unwrap_or(&strands[0]) as usize;
                groom.write_rest(strand, points);
                if !points.iter().all(|point| point.is_finite()) {
                    points.fill(Vec3::ZERO);
                }
                let mut last = points[0];
                let mut total = 0.0;
                for (j, &point) in points.iter().enumerate() {
                    let segment = point.distance(last);
                    set3(&mut rest[j], lane, point);
                    segments[j].0[lane] = segment;
                    total += segment;
                    last = point;
                }
                length.0[lane] = total;
                let normal = groom.normals.get(strand).copied().unwrap_or_default();
                set3(normals, lane, normal);
            }
        });
    }

    /// Returns the number of strands.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns `true` if there are no strands.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the sum of the velocities of all particles but roots.
    #[cfg(test)]
    pub(crate) fn momentum(&self) -> Vec3 {
        let of_strand = |i| (1..self.particles()).map(move |j| self.velocity(i, j));
        (0..self.len()).flat_map(of_strand).sum()
    }

    /// Returns the number of particles of each strand, its root included.
    pub fn particles(&self) -> usize {
        self.particles
    }

    /// Returns the rest position of particle `particle` (0: root) of a strand, head space.
    ///
    /// # Panics
    /// Like all methods that take a particle, if there is no such strand or particle.
    pub fn rest(&self, strand: usize, particle: usize) -> Vec3 {
        let (at, lane) = self.at(strand, particle);
        get3(&self.rest[at], lane)
    }

    /// Returns the length of the segment that ends at a particle, decimetres; 0 for the root.
    pub fn segment_length(&self, strand: usize, particle: usize) -> f32 {
        let (at, lane) = self.at(strand, particle);
        self.segment[at].0[lane]
    }

    /// Returns how well a strand holds its shape, 0 to 1: a share of what the settings say.
    ///
    /// # Panics
    /// If there is no such strand.
    pub fn stiffness(&self, strand: usize) -> f32 {
        let (at, lane) = self.at(strand, 0);
        let block = self.stiffness.get(at / self.particles);
        block.map_or(1.0, |stiffness| stiffness.0[lane])
    }

    /// Returns the mean length of segments, decimetres.
    fn mean_segment(&self) -> f32 {
        let strand = |slot: usize| self.length[slot / LANES].0[slot % LANES];
        let length: f32 = (0..self.count).map(strand).sum();
        length.max(f32::MIN_POSITIVE) / (self.count * (self.particles - 1)) as f32
    }

    /// Returns the position of a particle, world space.
    pub fn position(&self, strand: usize, particle: usize) -> Vec3 {
        let (at, lane) = self.at(strand, particle);
        get3(&self.state[at].position, lane)
    }

    /// Returns the velocity of a particle, world space, dm/s.
    pub fn velocity(&self, strand: usize, particle: usize) -> Vec3 {
        let (at, lane) = self.at(strand, particle);
        get3(&self.state[at].velocity, lane)
    }

    /// Sets position and velocity of a particle: world space, dm and dm/s.
    pub fn set(&mut self, strand: usize, particle: usize, position: Vec3, velocity: Vec3) {
        let (at, lane) = self.at(strand, particle);
        set3(&mut self.state[at].position, lane, position);
        set3(&mut self.state[at].velocity, lane, velocity);
    }

    /// Adds to the velocity of a strand's tip.
    pub(super) fn push(&mut self, strand: usize, push: Vec3) {
        let tip = self.particles - 1;
        let velocity = self.velocity(strand, tip) + push;
        self.set(strand, tip, self.position(strand, tip), velocity);
    }

    /// Keeps the positions as those before the last step, from which drawing interpolates. A custom
    /// solver calls it before the last step of an advance.
    pub fn keep_previous(&mut self) {
        for (previous, state) in self.previous.iter_mut().zip(&self.state) {
            *previous = state.position;
        }
    }

    /// Puts every strand to rest under a pose.
    pub fn rest_under(&mut self, pose: &Pose) {
        let (rotation, translation) = (pose.to_dmat3(), pose.translation);
        for (at, rest) in self.rest.iter().enumerate() {
            for lane in 0..LANES {
                let point = rotation * get3(rest, lane).as_dvec3() + translation;
                set3(&mut self.state[at].position, lane, point.as_vec3());
            }
            self.state[at].velocity = Lanes3::default();
            self.previous[at] = self.state[at].position;
        }
    }

    /// Takes on the rest curves of `groom`. Strands that continue one before, their `source`, keep
    /// its motion: every segment its direction and each particle its velocity.
    pub(super) fn reshape(&mut self, groom: &Groom, sources: &[Option<usize>], poses: [&Pose; 2]) {
        let mut new = Hair::new(groom, self.particles as u32, poses[1]);
        for slot in 0..new.length.len() * LANES {
            if let Some(source) = sources[new.strand_in(slot)] {
                new.bend_like(self, source, slot, poses);
            }
        }
        *self = new;
    }

    /// Takes the rest strands as skin carries them in the next `steps` steps, or has carried them if
    /// there are none, and leaves all particles where they are.
    pub(super) fn carry(&mut self, groom: &Groom, steps: u64) {
        let roots = |hair: &Self| -> Vec<Lanes3> {
            hair.rest.iter().step_by(hair.particles).copied().collect()
        };
        let before = roots(self);
        self.plant(groom);
        self.carried.clear();
        if steps > 0 {
            let ways = before.iter().zip(roots(self));
            let ways = ways.map(|(before, now)| minus3(&now, before));
            let share = Lanes::splat(1.0 / steps as f32);
            self.carried.extend(ways.map(|way| scaled3(&way, share)));
        }
    }

    /// Lets skin go on to carry the same strands as it carries `old`.
    pub(super) fn continue_carried(&mut self, old: &Hair) {
        if self.strands == old.strands {
            self.carried.clone_from(&old.carried);
        }
    }

    /// Bends the strand in a slot, at rest so far, like a strand of `old`.
    fn bend_like(&mut self, old: &Hair, source: usize, slot: usize, poses: [&Pose; 2]) {
        let (old_first, lane) = old.at(source, 0);
        let root = get3(&self.rest[slot / LANES * self.particles], slot % LANES).as_dvec3();
        let roots = poses.map(|pose| pose.transform_point(root).as_vec3());
        let along = |a: &Lanes3, b: &Lanes3| get3(b, lane) - get3(a, lane);
        self.lay(slot, roots, |j, _| {
            let (a, b) = (old_first + j - 1, old_first + j);
            [
                along(&old.previous[a], &old.previous[b]),
                along(&old.state[a].position, &old.state[b].position),
            ]
        });
        for j in 0..self.particles {
            let velocity = get3(&old.state[old_first + j].velocity, lane);
            let at = slot / LANES * self.particles + j;
            set3(&mut self.state[at].velocity, slot % LANES, velocity);
        }
    }

    /// Takes on the shape and motion of strands that have `particles` points each, before the last
    /// step and now, world space: points at the same share of the way from the root, segments at
    /// their own lengths.
    pub(super) fn follow(
        &mut self,
        before: &[[f32; 4]],
        now: &[[f32; 4]],
        particles: usize,
        steps_per_sec: f32,
    ) {
        let scale = (particles - 1) as f32 / (self.particles - 1) as f32;
        for slot in 0..self.length.len() * LANES {
            let strand = self.strand_in(slot);
            let point = |points: &[[f32; 4]], j: usize| {
                let points = &points[strand * particles..(strand + 1) * particles];
                let place = j as f32 * scale;
                let first = (place as usize).min(particles - 2);
                let [a, b] = [first, first + 1].map(|i| Vec4::from(points[i]).truncate());
                a.lerp(b, place - first as f32)
            };
            let both = |j: usize| [point(before, j), point(now, j)];
            self.lay(slot, both(0), |j, ends| {
                let [a, b] = both(j);
                [a - ends[0], b - ends[1]]
            });
            for j in 0..self.particles {
                let (at, lane) = (slot / LANES * self.particles + j, slot % LANES);
                let (a, b) = (&self.previous[at], &self.state[at].position);
                let velocity = (get3(b, lane) - get3(a, lane)) * steps_per_sec;
                set3(&mut self.state[at].velocity, lane, velocity);
            }
        }
    }

    /// Lays the strand in a slot from its root, before the last step and now: each segment in the
    /// direction that `along` returns for its particle and where the segments before it end.
    fn lay(
        &mut self,
        slot: usize,
        roots: [Vec3; 2],
        along: impl Fn(usize, [Vec3; 2]) -> [Vec3; 2],
    ) {
        let (first, lane) = (slot / LANES * self.particles, slot % LANES);
        let mut ends = roots;
        for j in 0..self.particles {
            let at = first + j;
            if j > 0 {
                let directions = along(j, ends);
                for (end, direction) in ends.iter_mut().zip(directions) {
                    *end += direction.normalize_or_zero() * self.segment[at].0[lane];
                }
            }
            set3(&mut self.previous[at], lane, ends[0]);
            set3(&mut self.state[at].position, lane, ends[1]);
        }
    }

    /// Returns the position of a particle before the last step, world space.
    pub(super) fn previous(&self, strand: usize, particle: usize) -> Vec3 {
        let (at, lane) = self.at(strand, particle);
        get3(&self.previous[at], lane)
    }

    /// Writes the positions of all particles after the last step, strand after strand, root first:
    /// `[x, y, z, 0]`, world space.
    pub fn write_positions(&self, out: &mut Vec<[f32; 4]>) {
        self.write_drawn(&Moment::After, 0..self.count, out);
    }

    /// Returns entry and lane of a particle.
    fn at(&self, strand: usize, particle: usize) -> (usize, usize) {
        assert!(strand < self.count && particle < self.particles);
        let slot = self.slots[strand] as usize;
        (slot / LANES * self.particles + particle, slot % LANES)
    }

    /// Returns the strand in a slot; past the last one, that in the first lane of the block.
    pub(super) fn strand_in(&self, slot: usize) -> usize {
        let first = slot / LANES * LANES;
        self.strands[if slot < self.count { slot } else { first }] as usize
    }
}
