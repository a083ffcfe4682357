//! Reads the state of the simulation that is not drawn: time, pose, springs, guide hairs, air,
//! densities.

use super::Simulation;
use super::engine::Engine;
use crate::groom::Groom;
use crate::sim::skin::SkinMotion;
use crate::sim::{DensityGrid, Pose, STEP_SECS, Spring};
use glam::Vec3;

/// The spring of a strand, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringEnds {
    /// The index of the strand.
    pub strand: usize,
    /// The root.
    pub root: Vec3,
    /// The anchor: the rest position of the tip.
    pub anchor: Vec3,
    /// The simulated tip, at any distance from the root.
    pub tip: Vec3,
    /// The distance from the root to the anchor, decimetres.
    pub chord: f32,
}

/// The guide hair that a strand is, or follows most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basis {
    /// The index among the guide hairs.
    pub slot: usize,
    /// `true` if the strand is that guide hair.
    pub is_own: bool,
}

impl Simulation {
    /// Returns the strands at rest.
    pub fn groom(&self) -> &Groom {
        &self.groom
    }

    /// Returns the strands at rest on the head as it was loaded.
    pub fn groom_on_loaded_head(&self) -> &Groom {
        let carried = self.skin.as_ref().and_then(SkinMotion::strands_at_rest);
        carried.unwrap_or(&self.groom)
    }

    /// Returns the simulated time, seconds.
    pub fn time_secs(&self) -> f64 {
        self.clock.time_secs()
    }

    /// Returns the number of steps of [`STEP_SECS`].
    pub fn steps(&self) -> u64 {
        self.clock.steps
    }

    /// Returns the head pose after the last step.
    pub fn pose(&self) -> Pose {
        self.poses[1]
    }

    /// Returns the number of strands.
    pub fn strand_count(&self) -> usize {
        self.groom.len()
    }

    /// Returns `true` if all strands are at rest: the head did not move in the last step, and no
    /// strand has the energy to leave its place (with `spring`, to get farther from its anchor than
    /// 1e-4 of its length). The caller may then stop advancing until the head moves. New settings
    /// or strands make it false until they have been found at rest again.
    pub fn is_settled(&self) -> bool {
        self.strands_settled && self.poses[0] == self.poses[1]
    }

    /// Returns the number of strands that were reset because their state was not finite.
    pub fn reset_strands(&self) -> u64 {
        self.reset_strands
    }

    /// Returns the number of guide hairs, or `None` if every strand is simulated.
    pub fn basis_count(&self) -> Option<usize> {
        self.guides.as_ref().map(|guides| guides.numbers.len())
    }

    /// Returns the guide hair of a strand, or `None` if every strand is simulated or there is no
    /// such strand.
    pub fn basis_of(&self, strand: usize) -> Option<Basis> {
        let guides = self.guides.as_ref()?;
        Some(Basis {
            slot: guides.slot_of(strand)?,
            is_own: guides.is_basis(strand),
        })
    }

    /// Returns the spring of a strand, or of its guide hair, at `alpha` of the last step; `None`
    /// without springs.
    pub fn spring_of(&self, strand: usize, alpha: f64) -> Option<SpringEnds> {
        let spring = self.engine.spring()?;
        let slot = self.slot_of(strand)?;
        (slot < spring.len()).then(|| self.spring_ends(spring, slot, alpha))
    }

    fn spring_ends(&self, spring: &Spring, slot: usize, alpha: f64) -> SpringEnds {
        let [anchor, tip, root] = spring.ends(self.poses.each_ref(), alpha, slot);
        let guides = self.guides.as_ref();
        let strand = guides.map_or(slot, |guides| guides.numbers[slot] as usize);
        SpringEnds {
            strand,
            root,
            anchor,
            tip,
            chord: self.groom.chord(strand),
        }
    }

    /// Returns the springs of all simulated strands as drawn, or `None` without springs.
    pub fn springs(&self) -> Option<impl ExactSizeIterator<Item = SpringEnds>> {
        let spring = self.engine.spring()?;
        let alpha = self.clock.alpha();
        Some((0..spring.len()).map(move |slot| self.spring_ends(spring, slot, alpha)))
    }

    /// Returns the velocity of the air at the last step, dm/s, as a function of the place; world
    /// space. Eddies are left out for `spring`, which ignores them.
    pub fn air(&self) -> impl Fn(Vec3) -> Vec3 {
        let mut forces = self.used.forces.at(self.clock.time_secs(), STEP_SECS);
        if self.engine.spring().is_some() {
            forces.turbulence.strength = 0.0;
        }
        move |point| forces.air_at(point)
    }

    /// Returns the density of hair, if there is hair-hair interaction.
    pub fn density(&self) -> Option<DensityGrid> {
        let density = || match &self.engine {
            Engine::Tips { interaction, .. } => interaction.density(),
            Engine::Particles { interaction, .. } => interaction.density(),
        };
        self.used.hair.acts().then(density)
    }

    /// Writes the particles of one strand after the last step, or `before` it, root first, world
    /// space: `[x, y, z, 0]`, decimetres. Writes nothing if there is no such strand.
    pub fn write_strand(&self, strand: usize, before: bool, out: &mut Vec<[f32; 4]>) {
        out.clear();
        if strand >= self.groom.len() {
            return;
        }
        let (each, alpha) = (self.strand_particles(), f64::from(!before));
        let Some(guides) = &self.guides else {
            return self.write_simulated(alpha, each, strand..strand + 1, out);
        };
        let mut basis = vec![[0.0; 4]; guides.numbers.len() * each];
        for slot in guides.slots_of(strand) {
            self.write_simulated(alpha, each, slot..slot + 1, out);
            basis[slot * each..(slot + 1) * each].copy_from_slice(out);
        }
        let (pose, contacts) = (
            &self.poses[usize::from(!before)],
            self.contacts_of_followers(),
        );
        let frame = guides.frame(&self.groom, &basis, each, pose, &contacts);
        frame.write(strand, out);
    }
}
