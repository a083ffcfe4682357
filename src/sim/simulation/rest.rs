//! Puts strands to rest, and tells whether they stay there.

use super::Simulation;
use super::engine::{Engine, force_on_tip};
use crate::sim::bundles::Bundles;
use crate::sim::{Pose, STEP_SECS, SimSettings};
use glam::DVec3;

impl Simulation {
    /// Puts all strands to rest under the current pose; time continues.
    pub fn rest(&mut self) {
        self.rest_under(self.poses[1]);
    }

    pub(super) fn rest_under(&mut self, pose: Pose) {
        self.wake();
        // Hair may be put into obstacles.
        self.has_new_obstacles = true;
        self.engine.rest_under(pose);
        self.poses = [pose; 2];
        self.strands_settled = self.stays_at_rest();
    }

    /// Returns `true` if strands stay in the rest shape: only springs that feel no force do.
    pub(super) fn stays_at_rest(&self) -> bool {
        let (pose, now) = (&self.poses[1], self.clock.time_secs());
        self.engine.stays_at_rest(&self.used, pose, now)
    }
}

impl Engine {
    /// Returns `true` if strands stay in the rest shape instead of falling.
    pub(super) fn stays_at_rest(
        &self,
        settings: &SimSettings,
        pose: &Pose,
        time_secs: f64,
    ) -> bool {
        let alone = !settings.hair.acts() && !Bundles::act(settings);
        matches!(self, Engine::Tips { .. })
            && alone
            && !self.forces_vary(settings, time_secs)
            && force_on_tip(settings, pose, time_secs) == DVec3::ZERO
    }

    /// Returns `true` if forces that strands feel change after `time_secs`.
    pub(super) fn forces_vary(&self, settings: &SimSettings, time_secs: f64) -> bool {
        let [wind, eddies, pushes] = settings.forces.vary(time_secs, STEP_SECS);
        match self {
            Engine::Tips { .. } => wind || pushes && settings.spring.weight > 0.0,
            Engine::Particles { .. } => wind || eddies || pushes,
        }
    }
}
