//! Strands as polylines of particles: where they rest, where they are, how fast they move.

mod order;
pub(crate) mod strand_remap;

use self::strand_remap::Kept;
use super::Pose;
use crate::groom::Groom;
use crate::sim::simd::lanes::{LANES, Lanes};
use crate::sim::simd::vector::{Lanes3, get3, set3};
use glam::Vec3;
use order::Order;

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
    order: Order,
    /// Rest curves, head space, decimetres.
    pub(super) rest: Vec<Lanes3>,
    /// Length of the segment that ends at a particle, decimetres; 0 at the root.
    pub(super) segment: Vec<Lanes>,
    /// Length of each whole strand, decimetres.
    pub(super) length: Vec<Lanes>,
    /// Of the skin at each root, head space.
    pub(super) normals: Vec<Lanes3>,
    /// How well each strand holds its shape, as a share of what settings say; empty: all of it.
    pub(super) stiffness: Vec<Lanes>,
    pub(super) state: Vec<ParticleBlock>,
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
    /// Fewest and most particles of a strand, its root included.
    pub const PARTICLES_RANGE: std::ops::RangeInclusive<u32> = 2..=64;

    /// All strands at rest under `pose`, each with `particles` particles (brought into
    /// [`PARTICLES_RANGE`](Self::PARTICLES_RANGE)), evenly spaced (of rest curves that have as many
    /// points, those). Strands with a coordinate that
    /// is not finite become strands of no length at the head's centre.
    pub fn new(groom: &Groom, particles: u32, pose: &Pose) -> Self {
        let range = Self::PARTICLES_RANGE;
        let particles = particles.clamp(*range.start(), *range.end()) as usize;
        let count = groom.len();
        let blocks = count.div_ceil(LANES);
        let mut hair = Self {
            count,
            particles,
            order: Order::of(&groom.roots),
            rest: vec![Lanes3::default(); blocks * particles],
            segment: vec![Lanes::default(); blocks * particles],
            length: vec![Lanes::default(); blocks],
            normals: vec![Lanes3::default(); blocks],
            stiffness: match groom.stiffness.is_empty() {
                true => Vec::new(),
                false => vec![Lanes::splat(1.0); blocks],
            },
            state: vec![ParticleBlock::default(); blocks * particles],
            previous: vec![Lanes3::default(); blocks * particles],
        };
        for slot in 0..blocks * LANES {
            let (block, lane) = (slot / LANES, slot % LANES);
            let strand = hair.strand_in(slot);
            hair.plant(groom, strand, block, lane);
        }
        hair.rest_under(pose);
        hair
    }

    /// Writes a strand's rest curve into a lane.
    fn plant(&mut self, groom: &Groom, strand: usize, block: usize, lane: usize) {
        let mut points = [Vec3::ZERO; *Self::PARTICLES_RANGE.end() as usize];
        let points = &mut points[..self.particles];
        groom.write_rest(strand, points);
        if !points.iter().all(|point| point.is_finite()) {
            points.fill(Vec3::ZERO);
        }
        let mut last = points[0];
        let mut total = 0.0;
        for (j, &point) in points.iter().enumerate() {
            let at = block * self.particles + j;
            let segment = point.distance(last);
            set3(&mut self.rest[at], lane, point);
            self.segment[at].0[lane] = segment;
            total += segment;
            last = point;
        }
        self.length[block].0[lane] = total;
        if let Some(stiffness) = self.stiffness.get_mut(block) {
            stiffness.0[lane] = groom.stiffness_of(strand);
        }
        let normal = groom.normals.get(strand).copied().unwrap_or_default();
        set3(&mut self.normals[block], lane, normal);
    }

    /// Number of strands.
    pub fn len(&self) -> usize {
        self.count
    }

    /// No strands at all.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Particles of each strand, its root included.
    pub fn particles(&self) -> usize {
        self.particles
    }

    /// Particle `particle` (0: root) of a strand at rest, head space.
    ///
    /// # Panics
    /// Like all that name a particle, if there is no such strand or particle.
    pub fn rest(&self, strand: usize, particle: usize) -> Vec3 {
        let (at, lane) = self.at(strand, particle);
        get3(&self.rest[at], lane)
    }

    /// Length of the segment that ends at a particle, decimetres; 0 for the root.
    pub fn segment_length(&self, strand: usize, particle: usize) -> f32 {
        let (at, lane) = self.at(strand, particle);
        self.segment[at].0[lane]
    }

    /// How well a strand holds its shape, 0 to 1: a share of what the settings say, whatever that is
    /// for a solver.
    ///
    /// # Panics
    /// If there is no such strand.
    pub fn stiffness(&self, strand: usize) -> f32 {
        let (at, lane) = self.at(strand, 0);
        let block = self.stiffness.get(at / self.particles);
        block.map_or(1.0, |stiffness| stiffness.0[lane])
    }

    /// Where a particle is, world space.
    pub fn position(&self, strand: usize, particle: usize) -> Vec3 {
        let (at, lane) = self.at(strand, particle);
        get3(&self.state[at].position, lane)
    }

    /// How fast a particle moves, world space, dm/s.
    pub fn velocity(&self, strand: usize, particle: usize) -> Vec3 {
        let (at, lane) = self.at(strand, particle);
        get3(&self.state[at].velocity, lane)
    }

    /// Moves a particle: world space, dm and dm/s.
    pub fn set(&mut self, strand: usize, particle: usize, position: Vec3, velocity: Vec3) {
        let (at, lane) = self.at(strand, particle);
        set3(&mut self.state[at].position, lane, position);
        set3(&mut self.state[at].velocity, lane, velocity);
    }

    /// Adds to the velocity of a strand's tip.
    pub(super) fn push(&mut self, strand: usize, velocity: Vec3) {
        let tip = self.particles - 1;
        let kept = self.velocity(strand, tip);
        self.set(strand, tip, self.position(strand, tip), kept + velocity);
    }

    /// Keeps what is now as the state before a step. A solver of one's own calls it before the
    /// last step of an advance; drawing interpolates from there.
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

    /// Takes on the rest curves of `groom`; what is kept keeps its motion: every segment its direction
    /// and each particle its velocity. Gives whether any is.
    pub(super) fn reshape(&mut self, groom: &Groom, kept: &Kept, poses: [&Pose; 2]) -> bool {
        let mut new = Hair::new(groom, self.particles as u32, poses[1]);
        let mut any = false;
        for slot in 0..new.length.len() * LANES {
            if let Some(source) = kept.source(new.strand_in(slot), self.count) {
                new.bend_like(self, source, slot, poses);
                any = true;
            }
        }
        *self = new;
        any
    }

    /// Bends the strand in a slot, at rest so far, as a strand of `old` is.
    fn bend_like(&mut self, old: &Hair, source: usize, slot: usize, poses: [&Pose; 2]) {
        let (first, lane) = (slot / LANES * self.particles, slot % LANES);
        let (old_first, old_lane) = old.at(source, 0);
        let root = get3(&self.rest[first], lane).as_dvec3();
        let mut before = poses[0].transform_point(root).as_vec3();
        let mut now = poses[1].transform_point(root).as_vec3();
        set3(&mut self.previous[first], lane, before);
        set3(&mut self.state[first].position, lane, now);
        for j in 1..self.particles {
            let (at, from) = (first + j, old_first + j);
            let length = self.segment[at].0[lane];
            let along = |a: &Lanes3, b: &Lanes3| {
                (get3(b, old_lane) - get3(a, old_lane)).normalize_or_zero() * length
            };
            before += along(&old.previous[from - 1], &old.previous[from]);
            now += along(&old.state[from - 1].position, &old.state[from].position);
            set3(&mut self.previous[at], lane, before);
            set3(&mut self.state[at].position, lane, now);
            let velocity = get3(&old.state[from].velocity, old_lane);
            set3(&mut self.state[at].velocity, lane, velocity);
        }
    }

    /// Takes on the shape and motion of strands that have `particles` points each, `before` the
    /// last step and `now`, world space: points at the same share of the way from the root, segments
    /// at their lengths.
    pub(super) fn follow(
        &mut self,
        before: &[[f32; 4]],
        now: &[[f32; 4]],
        particles: usize,
        steps_per_sec: f32,
    ) {
        let last = (self.particles - 1) as f32;
        let scale = (particles - 1) as f32 / last;
        let point = |points: &[[f32; 4]], strand: usize, j: usize| {
            let points = &points[strand * particles..(strand + 1) * particles];
            let vec = |p: &[f32; 4]| Vec3::new(p[0], p[1], p[2]);
            let place = j as f32 * scale;
            let first = (place as usize).min(particles - 2);
            vec(&points[first]).lerp(vec(&points[first + 1]), place - first as f32)
        };
        for slot in 0..self.length.len() * LANES {
            let (block, lane) = (slot / LANES, slot % LANES);
            let strand = self.strand_in(slot);
            let (mut a, mut b) = (point(before, strand, 0), point(now, strand, 0));
            for j in 0..self.particles {
                let at = block * self.particles + j;
                if j > 0 {
                    let length = self.segment[at].0[lane];
                    let along = |points, end: Vec3| {
                        (point(points, strand, j) - end).normalize_or_zero() * length
                    };
                    (a, b) = (a + along(before, a), b + along(now, b));
                }
                set3(&mut self.previous[at], lane, a);
                set3(&mut self.state[at].position, lane, b);
                set3(&mut self.state[at].velocity, lane, (b - a) * steps_per_sec);
            }
        }
    }

    /// Where a particle was before the last step, world space.
    pub(super) fn previous(&self, strand: usize, particle: usize) -> Vec3 {
        let (at, lane) = self.at(strand, particle);
        get3(&self.previous[at], lane)
    }

    /// Positions of all particles after the last step, strand after strand, root first:
    /// `[x, y, z, 0]`, world space.
    pub fn write_positions(&self, out: &mut Vec<[f32; 4]>) {
        out.clear();
        out.reserve(self.count * self.particles);
        for strand in 0..self.count {
            out.extend((0..self.particles).map(|j| {
                let [x, y, z] = self.position(strand, j).to_array();
                [x, y, z, 0.0]
            }));
        }
    }

    /// As [`write_positions`](Self::write_positions), at share `alpha` of the way from the state
    /// before the last step, every strand carried to its root under the drawn pose.
    pub(super) fn write_drawn(&self, drawn: &Pose, alpha: f64, out: &mut Vec<[f32; 4]>) {
        let alpha = alpha as f32;
        out.clear();
        out.reserve(self.count * self.particles);
        for strand in 0..self.count {
            let (first, lane) = self.at(strand, 0);
            let between = |at: usize| {
                let (a, b) = (&self.previous[at], &self.state[at].position);
                get3(a, lane).lerp(get3(b, lane), alpha)
            };
            let root = drawn.transform_point(get3(&self.rest[first], lane).as_dvec3());
            let carried = root.as_vec3() - between(first);
            out.extend((first..first + self.particles).map(|at| {
                let [x, y, z] = (between(at) + carried).to_array();
                [x, y, z, 0.0]
            }));
        }
    }

    /// The largest stretch of a segment: |length / rest length − 1|.
    pub fn max_stretch(&self) -> f64 {
        let mut worst = 0.0_f64;
        for strand in 0..self.count {
            for j in 1..self.particles {
                let rest = f64::from(self.segment_length(strand, j));
                let (a, b) = (self.position(strand, j - 1), self.position(strand, j));
                if rest > 0.0 {
                    let length = a.as_dvec3().distance(b.as_dvec3());
                    worst = worst.max((length / rest - 1.0).abs());
                }
            }
        }
        worst
    }

    /// Entry and lane of a particle.
    fn at(&self, strand: usize, particle: usize) -> (usize, usize) {
        assert!(strand < self.count && particle < self.particles);
        let slot = self.order.slot(strand);
        (slot / LANES * self.particles + particle, slot % LANES)
    }

    /// The strand in a slot; past the last one, that in the first lane of the block.
    pub(super) fn strand_in(&self, slot: usize) -> usize {
        let slot = if slot < self.count {
            slot
        } else {
            slot / LANES * LANES
        };
        self.order.strands()[slot] as usize
    }
}
