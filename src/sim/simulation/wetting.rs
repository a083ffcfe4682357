//! Wets and dries hair, and says what ties hold.

use super::Simulation;
use crate::sim::wet::Water;

impl Simulation {
    /// Returns how wet hair is now: 0 is dry, 1 soaked.
    pub fn wetness(&self) -> f32 {
        self.water.wetness(&self.used.wet, self.clock.steps)
    }

    /// Wets hair as the settings say. It dries again from now on.
    pub fn wet_again(&mut self) {
        self.water = Water::new(&self.settings.wet.clamped(), self.clock.steps);
        self.take_on_wetness();
        self.wake();
    }

    /// Returns the number of simulated strands that each tie holds.
    pub fn tied_strands(&self) -> Vec<usize> {
        self.bundles.tied(self.simulated(), &self.used)
    }

    /// Returns `true` if hair is wet and dries.
    pub(super) fn is_drying(&self) -> bool {
        self.used.wet.drying_secs > 0.0 && self.used.wet.wetness > 0.0
    }

    /// Gives hair its present wetness if it is time to. Returns the number of steps until it is
    /// again.
    pub(super) fn dry(&mut self) -> u64 {
        if !self.is_drying() {
            return u64::MAX;
        }
        let left = self.water.steps_left(&self.used.wet, self.clock.steps);
        if left == Water::STEPS {
            self.take_on_wetness();
        }
        left
    }

    fn take_on_wetness(&mut self) {
        let wetness = self.wetness();
        if wetness != self.used.wet.wetness {
            let to = self.settings.clamped().soaked(wetness);
            self.change_engine(&to);
            self.used = to;
        }
    }
}
