//! Hair against hair of springs, which move tips only.

use super::HairInteraction;
use crate::groom::Groom;
use crate::sim::pose::HeadMotion;
use crate::sim::simd::{LANES, Lanes3, get3, set3};
use crate::sim::{DensityGrid, Hair, Pose, STEP_SECS, SimSettings, Spring};
use glam::{Vec3, Vec4};
use rayon::prelude::*;

/// Points of a strand that feel other hair, and its root.
const POINTS: usize = 7;
/// Blocks of strands that a thread takes at a time.
const BLOCKS: usize = 64;

/// The points of all strands of a spring on the grid of hair against hair.
///
/// The point at share u of a strand moves by u² times as much as its tip, so the tip takes on the
/// velocity that brings its points nearest to those that they would have by themselves.
#[derive(Clone, Debug, Default)]
pub(crate) struct TipInteraction {
    interaction: HairInteraction,
    /// The points of the strands; `None` before they are first needed.
    hair: Option<Hair>,
    /// Their velocities before other hair changes them.
    before: Vec<Lanes3>,
    curves: Vec<[f32; 4]>,
}

impl TipInteraction {
    /// Forgets the strands at rest, because they have changed.
    pub(crate) fn forget(&mut self) {
        self.hair = None;
    }

    /// Changes the velocities of tips before a step in which the head moves from one pose to
    /// another. `groom` has the strands of the spring.
    pub(crate) fn push(
        &mut self,
        spring: &mut Spring,
        groom: &Groom,
        settings: &SimSettings,
        [from, to]: [&Pose; 2],
    ) {
        let hair = (self.hair).get_or_insert_with(|| Hair::new(groom, POINTS as u32, from));
        spring.write_curves([from; 2], 1.0, POINTS, 0..spring.len(), &mut self.curves);
        let (curves, motion) = (&self.curves, HeadMotion::new(from, to));
        let per_second = (1.0 / STEP_SECS) as f32;
        let Hair {
            rest,
            state,
            strands,
            ..
        } = hair;
        let blocks = state.par_chunks_exact_mut(POINTS).enumerate();
        blocks.with_min_len(BLOCKS).for_each(|(block, state)| {
            for lane in 0..LANES {
                let slot = block * LANES + lane;
                let strand = *strands.get(slot).unwrap_or(&strands[block * LANES]) as usize;
                let (_, of_tip) = spring.motion_of(strand);
                for (j, particle) in state.iter_mut().enumerate() {
                    let point = curves[strand * POINTS + j];
                    let rest = get3(&rest[block * POINTS + j], lane);
                    let carried = motion.displacement(rest) * per_second;
                    set3(&mut particle.position, lane, Vec4::from(point).truncate());
                    set3(&mut particle.velocity, lane, carried.lerp(of_tip, give(j)));
                }
            }
        });
        self.before.clear();
        self.before
            .extend(hair.state.iter().map(|particle| particle.velocity));
        let dt = STEP_SECS as f32;
        if let Some(forces) = (self.interaction).forces(hair, &settings.hair, settings.friction, dt)
        {
            forces.apply(hair);
        }
        let all: f32 = (1..POINTS).map(|j| give(j) * give(j)).sum();
        for (slot, &strand) in hair.strands.iter().enumerate() {
            let (first, lane) = (slot / LANES * POINTS, slot % LANES);
            let gain = |j: usize| {
                let before = get3(&self.before[first + j], lane);
                (get3(&hair.state[first + j].velocity, lane) - before) * give(j)
            };
            spring.push(strand as usize, (1..POINTS).map(gain).sum::<Vec3>() / all);
        }
    }

    /// Returns the density at the last step.
    pub(crate) fn density(&self) -> DensityGrid {
        self.interaction.density()
    }
}

/// Returns the share of its tip's motion by which a point of a strand moves.
fn give(point: usize) -> f32 {
    let share = point as f32 / (POINTS - 1) as f32;
    share * share
}
