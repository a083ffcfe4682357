//! Collects the steps of an advance and runs them at once.

use super::Engine;
use super::still::STILL_STEPS;
use crate::sim::contact::Contacts;
use crate::sim::solvers::{SpringLaw, SpringStep, Step};
use crate::sim::{Outcome, Pose, Propagator, STEP_SECS, SimSettings};
use glam::DVec3;

/// A tip is still if it moves by less than this share of its strand's length in a step.
const STILL_SHARE: f32 = 8e-6;
/// The smallest value of 1 − hold; the spring would be infinitely stiff at 0.
const LEAST_GIVE: f64 = 1e-3;

/// The steps of one advance.
pub(crate) struct Plan<'a> {
    engine: &'a mut Engine,
    settings: &'a SimSettings,
    contacts: &'a Contacts,
    law: SpringLaw,
    propagator: Propagator,
    tips: Vec<SpringStep>,
    particles: Vec<Step>,
}

impl Plan<'_> {
    /// Adds a step that ends at `time_secs`.
    pub(crate) fn add(&mut self, from: Pose, to: Pose, time_secs: f64) {
        match self.engine {
            Engine::Tips { .. } => {
                let force = force_on_tip(self.settings, time_secs);
                let step = SpringStep::new(&self.propagator, &from, &to, force);
                self.tips.push(step);
            }
            Engine::Particles { .. } => {
                let step = Step::new(from, to, time_secs, self.settings, self.contacts);
                self.particles.push(step);
            }
        }
    }

    pub(crate) fn run(self) -> Outcome {
        match self.engine {
            Engine::Tips {
                spring,
                fade,
                still_steps,
                ..
            } => {
                spring.soft.set_law(self.law);
                fade.take_if(|fade| fade.is_over_after(self.tips.len()));
                let outcome = spring.advance(&self.tips, &self.contacts.of_colliders());
                // A tip that is held back from its anchor keeps potential energy.
                let still = outcome.settled || spring.is_still(STILL_SHARE);
                *still_steps = if still {
                    still_steps.saturating_add(self.tips.len() as u32)
                } else {
                    0
                };
                Outcome {
                    settled: fade.is_none() && (outcome.settled || *still_steps >= STILL_STEPS),
                    ..outcome
                }
            }
            Engine::Particles {
                hair,
                solver,
                watch,
            } => {
                let outcome = solver.advance(hair, &self.particles);
                Outcome {
                    settled: watch.saw(hair, outcome.settled, &self.particles),
                    ..outcome
                }
            }
        }
    }
}

/// Returns the force of gravity and wind on a tip of mass 1. The damping is the drag of the air.
pub(crate) fn force_on_tip(settings: &SimSettings, time_secs: f64) -> DVec3 {
    let forces = settings.forces.at(time_secs, STEP_SECS);
    let spring = &settings.spring;
    forces.gravity.as_dvec3() * f64::from(spring.weight)
        + forces.wind.as_dvec3() * f64::from(spring.damping)
}

/// Returns the spring law with `hold`: 1 / (1 − hold) times as fast, at the same damping ratio.
pub(crate) fn spring_law(settings: &SimSettings) -> SpringLaw {
    let give = (1.0 - f64::from(settings.hold)).max(LEAST_GIVE);
    let (k, c) = (
        f64::from(settings.spring.stiffness),
        f64::from(settings.spring.damping),
    );
    SpringLaw {
        stiffness: k / (give * give),
        damping: c / give,
        dt_secs: STEP_SECS,
    }
}

impl Engine {
    /// Begins an advance.
    pub(crate) fn plan<'a>(
        &'a mut self,
        settings: &'a SimSettings,
        contacts: &'a Contacts,
    ) -> Plan<'a> {
        let law = spring_law(settings);
        Plan {
            engine: self,
            propagator: law.propagator(),
            law,
            settings,
            contacts,
            tips: Vec::new(),
            particles: Vec::new(),
        }
    }
}
