//! The engine that moves the strands: the spring, which simulates tips only, or a solver over
//! particles. It switches between them without a jump.

use super::fade::Fade;
use super::rest_detector::{REST_STEPS, RestDetector};
use crate::groom::Groom;
use crate::sim::contact::Contacts;
use crate::sim::hair::StrandRemap;
use crate::sim::solvers::{SpringLaw, SpringStep, build};
use crate::sim::{
    Hair, HeadCollider, Outcome, Pose, STEP_SECS, STEPS_PER_SEC, SimSettings, Solver, SolverKind,
    Spring, Step,
};
use glam::{DVec3, Vec3};
use std::fmt;

/// A tip is at rest if it moves by less than this share of its strand's length in a step.
const REST_SHARE: f32 = 8e-6;
/// The smallest value of 1 − hold; the spring would be infinitely stiff at 0.
const LEAST_GIVE: f64 = 1e-3;

/// The current method of moving strands.
pub(crate) enum Engine {
    /// Tips on springs, without particles.
    Tips {
        spring: Spring,
        /// The blend from the shape of a previous solver.
        fade: Option<Fade>,
        /// The number of steps for which the tips have been at rest.
        rest_steps: u32,
    },
    /// A solver over particles.
    Particles {
        hair: Hair,
        solver: Box<dyn Solver>,
        rest: Box<RestDetector>,
    },
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Engine").field(&self.name()).finish()
    }
}

impl Engine {
    /// Returns strands at rest. Settings are expected to be clamped here and below.
    pub(crate) fn new(groom: &Groom, settings: &SimSettings, pose: Pose) -> Self {
        match build(settings.solver) {
            None => Engine::Tips {
                spring: spring(groom, settings),
                fade: None,
                rest_steps: 0,
            },
            Some(solver) => {
                let hair = Hair::new(groom, settings.strand_particles, &pose);
                Self::with_solver(solver, hair, settings, [&pose; 2])
            }
        }
    }

    /// Returns an engine that hands particles to a solver.
    fn with_solver(
        mut solver: Box<dyn Solver>,
        hair: Hair,
        settings: &SimSettings,
        poses: [&Pose; 2],
    ) -> Self {
        solver.configure(settings);
        solver.take_over(&hair, poses);
        Engine::Particles {
            hair,
            solver,
            rest: Box::default(),
        }
    }

    /// Returns an engine with the solver of the settings that continues from particles. A spring is
    /// first drawn in their shape.
    fn from_particles(
        hair: Hair,
        groom: &Groom,
        settings: &SimSettings,
        poses: [&Pose; 2],
    ) -> Self {
        if let Some(solver) = build(settings.solver) {
            return Self::with_solver(solver, hair, settings, poses);
        }
        let mut spring = spring(groom, settings);
        spring.take_over(&hair, poses);
        let (mut shape, mut curves) = (Vec::new(), Vec::new());
        hair.write_positions(&mut shape);
        spring.write_curves(poses, 1.0, hair.particles(), 0..spring.len(), &mut curves);
        Engine::Tips {
            spring,
            fade: Some(Fade::new(&shape, &curves, hair.particles(), poses[1])),
            rest_steps: 0,
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Engine::Tips { .. } => SolverKind::Spring.name(),
            Engine::Particles { solver, .. } => solver.name(),
        }
    }

    /// Returns the spring if it moves the strands.
    pub(crate) fn spring(&self) -> Option<&Spring> {
        match self {
            Engine::Tips { spring, .. } => Some(spring),
            Engine::Particles { .. } => None,
        }
    }

    /// Runs steps. Each has the head's poses before and after it, and the time at its end, seconds.
    pub(crate) fn advance(
        &mut self,
        settings: &SimSettings,
        contacts: &Contacts,
        steps: &[([Pose; 2], f64)],
    ) -> Outcome {
        match self {
            Engine::Tips {
                spring,
                fade,
                rest_steps,
            } => {
                let law = spring_law(settings);
                let propagator = law.propagator();
                let step = |([from, to], time_secs): &([Pose; 2], f64)| {
                    SpringStep::new(&propagator, from, to, force_on_tip(settings, *time_secs))
                };
                let steps: Vec<SpringStep> = steps.iter().map(step).collect();
                spring.soft.set_law(law);
                fade.take_if(|fade| fade.is_over_after(steps.len()));
                let outcome = spring.advance(&steps, contacts);
                // A tip that is held back from its anchor keeps potential energy.
                *rest_steps = if outcome.settled || spring.is_still(REST_SHARE) {
                    rest_steps.saturating_add(steps.len() as u32)
                } else {
                    0
                };
                Outcome {
                    settled: fade.is_none() && (outcome.settled || *rest_steps >= REST_STEPS),
                    ..outcome
                }
            }
            Engine::Particles { hair, solver, rest } => {
                let step = |&([from, to], time_secs): &([Pose; 2], f64)| {
                    Step::new(from, to, time_secs, settings, contacts)
                };
                let steps: Vec<Step> = steps.iter().map(step).collect();
                let outcome = solver.advance(hair, &steps);
                Outcome {
                    settled: rest.is_at_rest(hair, outcome.settled, &steps),
                    ..outcome
                }
            }
        }
    }

    /// Switches to other settings during motion.
    pub(crate) fn change(
        &mut self,
        groom: &Groom,
        from: &SimSettings,
        to: &SimSettings,
        poses: [&Pose; 2],
    ) {
        let keeps_solver = from.solver == to.solver;
        match self {
            Engine::Tips { spring, .. } if keeps_solver => {
                spring.set_grounded(is_grounded(to), groom);
            }
            Engine::Particles { hair, solver, .. }
                if keeps_solver && hair.particles() == to.strand_particles as usize =>
            {
                solver.configure(to);
            }
            _ => {
                let hair = self.particles(groom, to, poses);
                self.continue_from(hair, groom, keeps_solver, to, poses);
            }
        }
    }

    /// Continues from particles, with the same solver (possibly a custom one) or that of the
    /// settings. `groom` holds the strands of `hair`.
    pub(crate) fn continue_from(
        &mut self,
        hair: Hair,
        groom: &Groom,
        keeps_solver: bool,
        settings: &SimSettings,
        poses: [&Pose; 2],
    ) {
        match self {
            Engine::Particles {
                hair: old,
                solver,
                rest,
            } if keeps_solver => {
                (*old, *rest) = (hair, Box::default());
                solver.configure(settings);
                solver.take_over(old, poses);
            }
            _ => *self = Self::from_particles(hair, groom, settings, poses),
        }
    }

    /// Hands the strands to `solver`.
    pub(crate) fn set_solver(
        &mut self,
        solver: Box<dyn Solver>,
        groom: &Groom,
        settings: &SimSettings,
        poses: [&Pose; 2],
    ) {
        let hair = self.particles(groom, settings, poses);
        *self = Self::with_solver(solver, hair, settings, poses);
    }

    /// Returns another engine that continues from here with the solver of `to`.
    pub(crate) fn fork(
        &self,
        groom: &Groom,
        from: &SimSettings,
        to: &SimSettings,
        poses: [&Pose; 2],
    ) -> Self {
        let keeps_solver = from.solver == to.solver;
        let hair = match self {
            Engine::Tips {
                spring,
                fade,
                rest_steps,
            } if keeps_solver => {
                return Engine::Tips {
                    spring: spring.clone(),
                    fade: fade.clone(),
                    rest_steps: *rest_steps,
                };
            }
            Engine::Particles { hair, .. } if keeps_solver => hair.clone(),
            _ => self.particles(groom, to, poses),
        };
        Self::from_particles(hair, groom, to, poses)
    }

    /// Returns the drawn strands as particles with their motion.
    fn particles(&self, groom: &Groom, settings: &SimSettings, poses: [&Pose; 2]) -> Hair {
        let mut hair = Hair::new(groom, settings.strand_particles, poses[1]);
        let (mut before, mut now) = (Vec::new(), Vec::new());
        let particles = match self {
            Engine::Particles { hair: old, .. } => old.particles(),
            Engine::Tips { .. } => hair.particles(),
        };
        self.write_particles(poses, 0.0, particles, &mut before);
        self.write_particles(poses, 1.0, particles, &mut now);
        hair.follow(&before, &now, particles, STEPS_PER_SEC as f32);
        hair
    }

    /// Writes particles at `alpha` of the last step. A spring writes as many as requested.
    pub(crate) fn write_particles(
        &self,
        poses: [&Pose; 2],
        alpha: f64,
        particles: usize,
        out: &mut Vec<[f32; 4]>,
    ) {
        match self {
            Engine::Tips { spring, fade, .. } => {
                spring.write_curves(poses, alpha, particles, 0..spring.len(), out);
                if let Some(fade) = fade {
                    fade.add_to(out, 0, particles, &poses[0].interpolate(poses[1], alpha));
                }
            }
            Engine::Particles { hair, .. } if alpha >= 1.0 => hair.write_positions(out),
            Engine::Particles { hair, .. } => {
                hair.write_drawn(&poses[0].interpolate(poses[1], alpha), alpha, out)
            }
        }
    }

    /// Writes the particles of one strand after the last step, or `before` it.
    pub(crate) fn write_strand(
        &self,
        poses: [&Pose; 2],
        before: bool,
        strand: usize,
        out: &mut [[f32; 4]],
    ) {
        match self {
            Engine::Tips { spring, fade, .. } => {
                let alpha = if before { 0.0 } else { 1.0 };
                let mut curve = Vec::new();
                spring.write_curves(poses, alpha, out.len(), strand..strand + 1, &mut curve);
                if let Some(fade) = fade {
                    fade.add_to(&mut curve, strand, out.len(), poses[usize::from(!before)]);
                }
                out.copy_from_slice(&curve);
            }
            Engine::Particles { hair, .. } => {
                for (j, point) in out.iter_mut().enumerate().take(hair.particles()) {
                    let at = if before {
                        hair.previous(strand, j)
                    } else {
                        hair.position(strand, j)
                    };
                    *point = at.extend(0.0).to_array();
                }
            }
        }
    }

    /// Replaces the rest strands. Returns whether any of them continues a previous one.
    pub(crate) fn reshape(
        &mut self,
        groom: &Groom,
        remap: &StrandRemap,
        poses: [&Pose; 2],
    ) -> bool {
        match self {
            Engine::Tips { spring, fade, .. } => {
                *fade = None;
                spring.reshape(groom, remap, poses)
            }
            Engine::Particles { hair, solver, rest } => {
                let continues = hair.reshape(groom, remap, poses);
                solver.take_over(hair, poses);
                rest.restart();
                continues
            }
        }
    }

    pub(crate) fn rest_under(&mut self, pose: Pose) {
        match self {
            Engine::Tips { spring, fade, .. } => {
                *fade = None;
                spring.reset();
            }
            Engine::Particles { hair, solver, rest } => {
                hair.rest_under(&pose);
                solver.take_over(hair, [&pose, &pose]);
                rest.restart();
            }
        }
    }

    /// Returns `true` if strands stay in the rest shape instead of falling.
    pub(crate) fn stays_at_rest(&self, settings: &SimSettings) -> bool {
        matches!(self, Engine::Tips { .. }) && force_on_tip(settings, 0.0) == DVec3::ZERO
    }

    /// Marks the particles as moving, because their motion is about to change.
    pub(crate) fn wake(&mut self) {
        if let Engine::Particles { rest, .. } = self {
            rest.restart();
        }
    }

    pub(crate) fn push(&mut self, strand: usize, velocity: Vec3) {
        match self {
            Engine::Tips { spring, .. } => spring.push(strand, velocity),
            Engine::Particles { hair, .. } if strand < hair.len() => hair.push(strand, velocity),
            Engine::Particles { .. } => {}
        }
    }
}

/// Returns tips at rest.
fn spring(groom: &Groom, settings: &SimSettings) -> Spring {
    let mut spring = Spring::new(groom);
    spring.set_grounded(is_grounded(settings), groom);
    spring
}

/// Springs collide with no surface of the head but the planes at the roots.
fn is_grounded(settings: &SimSettings) -> bool {
    settings.head_collider != HeadCollider::None
}

/// Returns the force of gravity and wind on a tip of mass 1. The damping is the drag of the air.
fn force_on_tip(settings: &SimSettings, time_secs: f64) -> DVec3 {
    let forces = settings.forces.at(time_secs, STEP_SECS);
    let spring = &settings.spring;
    forces.gravity.as_dvec3() * f64::from(spring.weight)
        + forces.wind.as_dvec3() * f64::from(spring.damping)
}

/// Returns the spring law with `hold`: 1 / (1 − hold) times as fast, at the same damping ratio.
pub(crate) fn spring_law(settings: &SimSettings) -> SpringLaw {
    let give = (1.0 - f64::from(settings.hold)).max(LEAST_GIVE);
    SpringLaw {
        stiffness: f64::from(settings.spring.stiffness) / (give * give),
        damping: f64::from(settings.spring.damping) / give,
        dt_secs: STEP_SECS,
    }
}
