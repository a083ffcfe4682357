//! Moves the skin under the strands.

use super::engine::Engine;
use super::{Simulation, simulated};
use crate::groom::Groom;
use crate::sim::STEP_SECS;
use crate::sim::skin::{SKIN_STEPS, SkinMotion, skin_secs};
use glam::Vec3;

impl Simulation {
    /// Lets skin carry the strands, and meet hair where it is, at simulated time as the time of its
    /// animation. The strands are to be those of the simulation; other strands end the motion. `None`
    /// puts the skin back where it was.
    pub fn set_skin(&mut self, skin: Option<SkinMotion>) {
        let before = self.skin.take();
        if let Some(at_rest) = before
            .as_ref()
            .and_then(SkinMotion::strands_at_rest)
            .cloned()
        {
            self.carry_strands(at_rest, 0);
        }
        self.skin = skin;
        self.put_skin(self.clock.steps);
    }

    /// Moves the skin if it is time to. Returns the number of steps until it is to move again.
    pub(super) fn carry(&mut self) -> u64 {
        let steps = self.clock.steps;
        if self.skin.is_some() && steps.is_multiple_of(SKIN_STEPS) {
            self.stop_skin();
        }
        if let Some(skin) = &mut self.skin
            && steps.is_multiple_of(SKIN_STEPS)
        {
            let secs = skin_secs(steps + 1);
            let carried = skin.strands_at(secs);
            let field = self.contacts.field();
            if field.is_some_and(|field| skin.bend(field, secs)) {
                self.wake();
            }
            if let Some(groom) = carried {
                self.carry_strands(groom, SKIN_STEPS);
            }
        }
        SKIN_STEPS - steps % SKIN_STEPS
    }

    /// Puts the skin where it is once so many steps have begun.
    pub(super) fn put_skin(&mut self, steps: u64) {
        self.stop_skin();
        let skin = self.skin.as_mut();
        if let Some(groom) = skin.and_then(|skin| skin.strands_at(skin_secs(steps))) {
            self.carry_strands(groom, 0);
        }
        self.put_bent(steps);
    }

    /// Puts the skin that hair collides with where it is once so many steps have begun.
    pub(super) fn put_bent(&mut self, steps: u64) {
        if let (Some(skin), Some(field)) = (&mut self.skin, self.contacts.field()) {
            skin.put_bent(field, skin_secs(steps));
        }
        self.bend_skin();
    }

    /// Lets hair meet the skin where it is after the last step.
    pub(super) fn bend_skin(&mut self) {
        let skin = self.skin.as_ref();
        self.contacts.bend = skin.and_then(|skin| skin.bend_at(self.clock.steps));
    }

    /// Returns the time of its animation at which skin carries the strands that are drawn, seconds.
    /// Springs go from one place of the skin to the next at once, and all others evenly.
    pub fn skin_secs(&self) -> f64 {
        match self.engine {
            Engine::Tips { .. } => skin_secs(self.clock.steps),
            Engine::Particles { .. } => {
                let drawn = self.clock.steps as f64 - 1.0 + self.clock.alpha();
                drawn.max(0.0) * STEP_SECS
            }
        }
    }

    /// Returns the root of a strand on skin that has not moved, head space.
    pub fn root_at_rest(&self, strand: usize) -> Option<Vec3> {
        self.groom_on_loaded_head().roots.get(strand).copied()
    }

    /// Returns the time of its animation to which skin has carried the strands, seconds; `None`: to none.
    /// Strands that hardly move are left where they are.
    pub fn carried_secs(&self) -> Option<f64> {
        self.skin.as_ref().and_then(|skin| skin.carried_secs)
    }

    /// Lets strands know that skin stands still from now on.
    fn stop_skin(&mut self) {
        if let Engine::Particles { hair, .. } = &mut self.engine {
            hair.carried.clear();
        }
    }

    /// Takes the strands as skin carries them in the next steps, or at once. What hangs on them stays
    /// where it is.
    fn carry_strands(&mut self, groom: Groom, steps: u64) {
        let guides = self.guides.as_ref().map(|guides| guides.carried(&groom));
        let poses = self.poses.each_ref();
        let strands = simulated(&groom, &guides);
        self.engine.carry(strands, poses, steps);
        self.bundles.carry(strands);
        (self.groom, self.guides) = (groom.into(), guides);
        self.wake();
    }
}
