//! Bundles of strands of particles.

use super::bound::Bound;
use super::lock::Locks;
use super::{Middle, Pull, Sums, WATER_STIFFNESS};
use crate::det_math::smooth_step;
use crate::sim::Hair;
use crate::sim::hair::ParticleBlock;
use crate::sim::simd::{
    LANES, Lanes, Lanes3, add_scaled3, cross3, dot3, flush, get3, minus3, over3, rotate3, set3,
    sum3,
};
use glam::Mat3;
use rayon::prelude::*;

/// Blocks of eight strands that a thread takes at least.
const FEW_BLOCKS: usize = 64;
/// The length along which the weights of a tie fall off, in segments.
const TIE_WIDTH: f32 = 3.0;
/// The share of its velocity against the root that a step leaves a strand which a tie turns.
const TURNED_LEFT: f32 = 0.95;
/// The width of a soaked lock at its tip, as a share of that at its root.
pub(super) const TIP_WIDTH: f32 = 0.12;
/// The share of a strand, from its root, from which water pulls on it in full.
const GATHERED: f32 = 0.6;
/// The lock of strands that are in none.
const ALONE: u32 = u32::MAX;

/// A tie, by blocks of eight strands.
#[derive(Clone, Debug)]
pub(super) struct TiedHair {
    blocks: Vec<TiedBlock>,
    /// The index in `blocks` of each block of the hair, or its length.
    index: Vec<u32>,
}

/// The bound strands of a block.
///
/// The bound point is q = Σ w x / Σ w over the particles of the strand, and a pull on it acts on
/// each by its weight w, as the force of a potential of q does: so a tie does no work that it does
/// not take from its own. A gain Δ of the velocity of q takes v += Δ w Σ w / Σ w² and moves a mass
/// of (Σ w)² / Σ w².
#[derive(Clone, Copy, Debug, Default)]
struct TiedBlock {
    block: usize,
    /// Length of the strand up to the tie, decimetres.
    arc: Lanes,
    /// 1 over the length along which weights fall from 1 to 0.
    per_width: Lanes,
    /// 1 / Σ w and Σ w / Σ w²; 0 for strands that are not bound.
    per_sum: Lanes,
    gain: Lanes,
    /// (Σ w)² / Σ w²; 0 for strands that are not bound, and in lanes past the last strand.
    mass: Lanes,
    /// Spots around the middle, head space.
    spot: Lanes3,
}

impl TiedBlock {
    /// Returns the weights of particles at a distance along their strands.
    #[inline(always)]
    fn weights(&self, distance: Lanes) -> Lanes {
        let off = (distance - self.arc) * self.per_width;
        (Lanes::ONE - off.max(-off)).at_least(0.0)
    }

    /// Returns positions and velocities of the bound points.
    #[inline(always)]
    fn bound(&self, particles: &[ParticleBlock], segments: &[Lanes]) -> [Lanes3; 2] {
        let (mut place, mut velocity) = (Lanes3::default(), Lanes3::default());
        let mut distance = Lanes::ZERO;
        for (particle, segment) in particles.iter().zip(segments).skip(1) {
            distance += *segment;
            let weights = self.weights(distance) * self.per_sum;
            place = add_scaled3(&place, &particle.position, weights);
            velocity = add_scaled3(&velocity, &particle.velocity, weights);
        }
        [place, velocity]
    }

    /// Gives the bound points a velocity.
    #[inline(always)]
    fn push(&self, particles: &mut [ParticleBlock], segments: &[Lanes], gained: &Lanes3) {
        let mut distance = Lanes::ZERO;
        for (particle, segment) in particles.iter_mut().zip(segments).skip(1) {
            distance += *segment;
            let weights = self.weights(distance) * self.gain;
            particle.velocity = add_scaled3(&particle.velocity, gained, weights);
        }
    }

    /// Gives the bound points a velocity by turning the segments up to there as those of a straight
    /// strand would turn about its root, and carrying the rest along. Where no force passes from one
    /// segment to the next, a pull on some of them would bend strands against the limits of their
    /// joints, which give way for nothing, and the tie would swing them without end. For the same
    /// reason the strands lose a part of their velocity.
    ///
    /// Segments take part by the share of their torque in that of a straight strand. Where an obstacle
    /// bends the strand, some would turn the bound point away, round and round.
    #[inline(always)]
    fn turn(
        &self,
        particles: &mut [ParticleBlock],
        segments: &[Lanes],
        places: &Lanes3,
        gained: &Lanes3,
    ) {
        let ParticleBlock {
            position: root,
            velocity: carried,
        } = particles[0];
        let reach = minus3(places, &root);
        let square = dot3(&reach, &reach).at_least(1e-6);
        let spin = over3(&cross3(&reach, gained), square);
        let is_bound = self.gain.above(0.0, Lanes::ONE, Lanes::ZERO);
        // The torque of a straight strand on each length of it.
        let straight = (dot3(&spin, &spin) * square.sqrt()).at_least(1e-20);
        let lost = is_bound * Lanes::splat(TURNED_LEFT - 1.0);
        let (mut distance, mut before) = (Lanes::ZERO, root);
        let mut turned = Lanes3::default();
        for (particle, segment) in particles.iter_mut().zip(segments).skip(1) {
            let way = minus3(&particle.position, &before);
            let torque = dot3(&spin, &cross3(&way, gained));
            let share = torque / (straight * *segment).at_least(1e-20);
            let share = share.at_least(0.0).at_most(1.0);
            let share = distance.less_than(self.arc, share, Lanes::ZERO) * is_bound;
            turned = add_scaled3(&turned, &cross3(&spin, &way), share);
            let against = minus3(&particle.velocity, &carried);
            particle.velocity = add_scaled3(&particle.velocity, &against, lost);
            particle.velocity = sum3(&particle.velocity, &turned);
            distance += *segment;
            before = particle.position;
        }
    }
}

impl TiedHair {
    pub(super) fn new(bound: &[Bound], hair: &Hair) -> Self {
        let m = hair.particles();
        let of_strand = |strand: usize| bound.binary_search_by_key(&strand, |bound| bound.strand);
        let mut blocks = Vec::new();
        let mut index = Vec::new();
        for block in 0..hair.length.len() {
            let mut tied = TiedBlock {
                block,
                ..TiedBlock::default()
            };
            let mut is_bound = false;
            for lane in 0..LANES {
                let slot = block * LANES + lane;
                let Ok(found) = of_strand(hair.strand_in(slot)) else {
                    continue;
                };
                is_bound = true;
                tied.bind(
                    &bound[found],
                    lane,
                    &hair.segment[block * m..(block + 1) * m],
                );
                if slot >= hair.len() {
                    tied.mass.0[lane] = 0.0;
                }
            }
            index.push(blocks.len() as u32);
            if is_bound {
                blocks.push(tied);
            }
        }
        Self { blocks, index }
    }

    /// Pulls the bound strands together. `turns`: by turning their segments.
    pub(super) fn pull(&self, hair: &mut Hair, turn: &Mat3, pull: &Pull, turns: bool) {
        let m = hair.particles();
        let Some(middle) = self.middle(hair, turn) else {
            return;
        };
        let segments = hair.segment.par_chunks_exact(m);
        let all = hair.state.par_chunks_exact_mut(m).zip(segments);
        let all = all.enumerate().with_min_len(FEW_BLOCKS);
        all.for_each(|(block, (particles, segments))| {
            let tied = self.blocks.get(self.index[block] as usize);
            let Some(tied) = tied.filter(|tied| tied.block == block) else {
                return;
            };
            let spots = rotate3(turn, &tied.spot);
            let [places, velocities] = tied.bound(particles, segments);
            let mut gained = Lanes3::default();
            for lane in 0..LANES {
                let (place, velocity) = (get3(&places, lane), get3(&velocities, lane));
                let gain = pull.of(&middle, get3(&spots, lane), place, velocity);
                set3(&mut gained, lane, gain.map(flush));
            }
            if turns {
                tied.turn(particles, segments, &places, &gained);
            } else {
                tied.push(particles, segments, &gained);
            }
        });
    }

    fn middle(&self, hair: &Hair, turn: &Mat3) -> Option<Middle> {
        let m = hair.particles();
        let blocks = self.blocks.par_iter().with_min_len(FEW_BLOCKS);
        let sums = blocks.map(|tied| {
            let range = tied.block * m..(tied.block + 1) * m;
            let [places, velocities] = tied.bound(&hair.state[range.clone()], &hair.segment[range]);
            let places = minus3(&places, &rotate3(turn, &tied.spot));
            let mut sums = Sums::default();
            for lane in 0..LANES {
                if tied.mass.0[lane] > 0.0 {
                    let (place, velocity) = (get3(&places, lane), get3(&velocities, lane));
                    sums.add(tied.mass.0[lane], place, velocity);
                }
            }
            sums
        });
        let sums: Vec<Sums> = sums.collect();
        (sums.iter())
            .fold(Sums::default(), |all, sums| all.with(sums))
            .middle()
    }
}

impl TiedBlock {
    /// Binds the strand in a lane.
    fn bind(&mut self, bound: &Bound, lane: usize, segments: &[Lanes]) {
        let width = TIE_WIDTH * segments[bound.particle].0[lane];
        self.arc.0[lane] = bound.arc.max(1e-6);
        self.per_width.0[lane] = 1.0 / width.max(1e-6);
        set3(&mut self.spot, lane, bound.spot);
        let (mut distance, mut sum, mut squares) = (Lanes::ZERO, 0.0, 0.0);
        for segment in &segments[1..] {
            distance += *segment;
            let weight = self.weights(distance).0[lane];
            sum += weight;
            squares += weight * weight;
        }
        if sum > 0.0 {
            self.per_sum.0[lane] = 1.0 / sum;
            self.gain.0[lane] = sum / squares;
            self.mass.0[lane] = sum * sum / squares;
        }
    }
}

/// Wet locks of all strands.
#[derive(Clone, Debug)]
pub(super) struct LockedHair {
    /// The slots of each lock, ascending.
    locks: Vec<Vec<u32>>,
    /// The lock of each slot.
    of_slot: Vec<u32>,
    /// Spots of strands in each block at their roots, head space.
    spots: Vec<Lanes3>,
}

impl LockedHair {
    pub(super) fn new(locks: &Locks, hair: &Hair) -> Self {
        let slots = hair.length.len() * LANES;
        let mut of_strand = vec![ALONE; hair.len()];
        for (lock, strands) in locks.strands.iter().enumerate() {
            for &strand in strands {
                of_strand[strand] = lock as u32;
            }
        }
        let mut held = Self {
            locks: vec![Vec::new(); locks.strands.len()],
            of_slot: vec![ALONE; slots],
            spots: vec![Lanes3::default(); hair.length.len()],
        };
        for slot in 0..slots {
            let strand = hair.strand_in(slot);
            let lock = of_strand[strand];
            held.of_slot[slot] = lock;
            set3(
                &mut held.spots[slot / LANES],
                slot % LANES,
                locks.spots[strand],
            );
            if lock != ALONE && slot < hair.len() {
                held.locks[lock as usize].push(slot as u32);
            }
        }
        held
    }

    /// Pulls the particles of each lock together, the more the farther they are from their roots.
    pub(super) fn pull(&self, hair: &mut Hair, turn: &Mat3, wetness: f32) {
        let m = hair.particles();
        let middles = self.middles(hair);
        let stiffness = WATER_STIFFNESS * f64::from(wetness);
        let levels: Vec<(Pull, f32)> = (0..m)
            .map(|j| {
                let share = smooth_step(j as f32 / (m - 1) as f32 / GATHERED);
                let width = 1.0 - (1.0 - TIP_WIDTH) * share;
                (Pull::new(stiffness * f64::from(share)), width)
            })
            .collect();
        let all = hair.state.par_chunks_exact_mut(m).enumerate();
        all.with_min_len(FEW_BLOCKS).for_each(|(block, particles)| {
            let spots = rotate3(turn, &self.spots[block]);
            let locks = &self.of_slot[block * LANES..(block + 1) * LANES];
            for (j, particle) in particles.iter_mut().enumerate().skip(1) {
                let (pull, width) = levels[j];
                for (lane, &lock) in locks.iter().enumerate() {
                    if lock == ALONE {
                        continue;
                    }
                    let middle = &middles[lock as usize * m + j];
                    // A strand that is not finite must not break its lock before it is reset.
                    if !middle.is_finite() {
                        continue;
                    }
                    let place = get3(&particle.position, lane);
                    let velocity = get3(&particle.velocity, lane);
                    let gain = pull.of(middle, get3(&spots, lane) * width, place, velocity);
                    set3(&mut particle.velocity, lane, (velocity + gain).map(flush));
                }
            }
        });
    }

    /// Returns the mean particles of each lock.
    fn middles(&self, hair: &Hair) -> Vec<Middle> {
        let m = hair.particles();
        let mut middles = vec![Middle::default(); self.locks.len() * m];
        let each = middles.par_chunks_exact_mut(m).zip(&self.locks);
        each.with_min_len(FEW_BLOCKS / 8)
            .for_each(|(middles, slots)| {
                for &slot in slots {
                    let (first, lane) = (slot as usize / LANES * m, slot as usize % LANES);
                    for (middle, particle) in middles.iter_mut().zip(&hair.state[first..]) {
                        middle.place += get3(&particle.position, lane);
                        middle.velocity += get3(&particle.velocity, lane);
                    }
                }
                let share = 1.0 / slots.len() as f32;
                for middle in middles {
                    middle.place *= share;
                    middle.velocity *= share;
                }
            });
        middles
    }
}
