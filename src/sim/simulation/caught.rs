//! Strands that obstacles catch when they appear among hair.

use crate::sim::Hair;
use crate::sim::contact::RootClearance;
use crate::sim::hair::ParticleBlock;
use crate::sim::pose::HeadMotion;
use crate::sim::simd::{Lanes, dot3, flushed3, scaled3};
use crate::sim::solvers::Step;
use rayon::prelude::*;

/// The depth from which a strand is caught, decimetres. What lies on an obstacle is less deep.
const DEEP: f32 = 0.01;

/// The strands that are inside of obstacles before a step. Contact moves them out in that step, and
/// solvers would take such a way for motion.
pub(super) struct Caught(Vec<CaughtBlock>);

/// Strands of a block of eight.
struct CaughtBlock {
    index: usize,
    /// 1 in the lanes that are caught.
    caught: Lanes,
    /// The speeds of all particles before the step, dm/s.
    speeds: Vec<Lanes>,
}

impl Caught {
    /// Finds the strands before a step.
    pub(super) fn before(hair: &Hair, step: &Step) -> Self {
        let contacts = step.contacts.under(&step.from);
        let head = HeadMotion::new(&step.from, &step.from);
        let m = hair.particles();
        let find = |(index, state): (usize, &[ParticleBlock])| {
            let segments = &hair.segment[index * m..(index + 1) * m];
            let normal = head.transform_vectors(&hair.normals[index]);
            let (root, skin) = (&state[0].position, RootClearance::SKIN);
            let mut clearance = contacts.clearance(skin, root, &normal, &segments[1]);
            let mut nearest = Lanes::splat(f32::MAX);
            for (particle, segment) in state.iter().zip(segments).skip(1) {
                clearance.climb(segment);
                nearest = nearest.min(contacts.distance(&particle.position, &clearance));
            }
            let caught = nearest.below(Lanes::splat(-DEEP));
            (caught != Lanes::ZERO).then(|| CaughtBlock {
                index,
                caught,
                speeds: state.iter().map(speed).collect(),
            })
        };
        let blocks = hair.state.par_chunks_exact(m).enumerate();
        Self(blocks.filter_map(find).collect())
    }

    /// Keeps the strands from being faster after the step than before it.
    pub(super) fn hold_back(&self, hair: &mut Hair) {
        let m = hair.particles();
        for block in &self.0 {
            let state = &mut hair.state[block.index * m..(block.index + 1) * m];
            for (particle, most) in state.iter_mut().zip(&block.speeds).skip(1) {
                let share = (*most / speed(particle).at_least(1e-12)).at_most(1.0);
                let share = block.caught.above(0.5, share, Lanes::ONE);
                particle.velocity = flushed3(&scaled3(&particle.velocity, share));
            }
        }
    }
}

fn speed(particle: &ParticleBlock) -> Lanes {
    dot3(&particle.velocity, &particle.velocity).sqrt()
}
