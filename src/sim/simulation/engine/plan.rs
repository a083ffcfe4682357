//! The steps of an advance: gathered for whatever moves the strands, then run at once.

use super::Engine;
use super::still::STILL_STEPS;
use crate::sim::contact::Contacts;
use crate::sim::solvers::spring::{SpringLaw, SpringStep};
use crate::sim::solvers::step::Step;
use crate::sim::{Outcome, Pose, Propagator, STEP_SECS, SimSettings};
use glam::DVec3;

/// A spring's tip is still if it moves by less than this share of its strand in a step: as slow as
/// particles that count as still.
const STILL_SHARE: f32 = 8e-6;
/// The spring's share of `hold` is kept this far below 1, where it would be infinitely stiff.
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
                spring.set_law(self.law);
                fade.take_if(|fade| fade.is_over_after(self.tips.len()));
                let outcome = spring.advance(&self.tips, &self.contacts.of_colliders());
                // A tip that something holds back from where it would rest keeps its energy.
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

/// What gravity and wind do to a tip of mass 1: its damping is the drag of the air.
pub(crate) fn force_on_tip(settings: &SimSettings, time_secs: f64) -> DVec3 {
    let forces = settings.forces.at(time_secs, STEP_SECS);
    let spring = &settings.spring;
    forces.gravity.as_dvec3() * f64::from(spring.weight)
        + forces.wind.as_dvec3() * f64::from(spring.damping)
}

/// The spring in a fixed step, as its hold makes it: faster by 1 / (1 − hold), at the same damping
/// ratio.
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
    /// An advance to be filled with steps.
    pub(crate) fn plan<'a>(
        &'a mut self,
        settings: &'a SimSettings,
        contacts: &'a Contacts,
    ) -> Plan<'a> {
        let law = spring_law(settings);
        Plan {
            engine: self,
            propagator: Propagator::new(law.stiffness, law.damping, law.dt_secs),
            law,
            settings,
            contacts,
            tips: Vec::new(),
            particles: Vec::new(),
        }
    }
}
