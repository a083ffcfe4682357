//! The engine that moves the strands: the spring, which simulates tips only, or a solver over
//! particles. It switches between them without a jump.

use super::Simulation;
use super::caught::Caught;
use super::clock::Tick;
use super::fade::Fade;
use super::rest_detector::RestDetector;
use crate::groom::Groom;
use crate::sim::bundles::Bundles;
use crate::sim::contact::Contacts;
use crate::sim::hair::Moment;
use crate::sim::hair_interaction::TipInteraction;
use crate::sim::solvers::{SpringLaw, SpringStep, build, spring_give};
use crate::sim::{
    Hair, HairInteraction, HeadCollider, Outcome, Pose, STEP_SECS, STEPS_PER_SEC, SimSettings,
    Solver, SolverKind, Spring, Step,
};
use glam::{DVec3, Vec3};
use std::fmt;
use std::ops::Range;

/// A tip is at rest if it moves by less than this share of its strand's length in a step.
const REST_SHARE: f32 = 8e-6;

/// The current method of moving strands.
pub(crate) enum Engine {
    /// Tips on springs, without particles.
    Tips {
        spring: Spring,
        /// The blend from the shape of a previous solver.
        fade: Option<Fade>,
        interaction: Box<TipInteraction>,
    },
    /// A solver over particles.
    Particles {
        hair: Hair,
        solver: Box<dyn Solver>,
        interaction: HairInteraction,
    },
}

/// The surroundings of the strands: settings, obstacles, and the simulated strands at rest.
pub(super) struct World<'a> {
    pub(super) settings: &'a SimSettings,
    pub(super) contacts: &'a Contacts,
    /// `true` if some of them have appeared since the last step.
    pub(super) has_new_obstacles: bool,
    pub(super) groom: &'a Groom,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Engine").field(&self.name()).finish()
    }
}

impl Engine {
    /// Returns strands at rest. Settings are expected to be clamped here and below.
    pub(super) fn new(groom: &Groom, settings: &SimSettings, pose: Pose) -> Self {
        match build(settings.solver) {
            None => Engine::Tips {
                spring: spring(groom, settings),
                fade: None,
                interaction: Box::default(),
            },
            Some(solver) => {
                let hair = Hair::new(groom, settings.strand_particles, &pose);
                Self::with_solver(solver, hair, settings)
            }
        }
    }

    /// Returns an engine whose solver continues from particles.
    pub(super) fn with_solver(
        mut solver: Box<dyn Solver>,
        hair: Hair,
        settings: &SimSettings,
    ) -> Self {
        solver.configure(settings);
        solver.take_over(&hair);
        Engine::Particles {
            hair,
            solver,
            interaction: HairInteraction::default(),
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
            return Self::with_solver(solver, hair, settings);
        }
        let mut spring = spring(groom, settings);
        spring.take_over(&hair, poses);
        let (mut shape, mut curves) = (Vec::new(), Vec::new());
        hair.write_positions(&mut shape);
        spring.write_curves(poses, 1.0, hair.particles(), 0..spring.len(), &mut curves);
        Engine::Tips {
            spring,
            fade: Some(Fade::new(&shape, &curves, hair.particles(), poses[1])),
            interaction: Box::default(),
        }
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Engine::Tips { .. } => SolverKind::Spring.name(),
            Engine::Particles { solver, .. } => solver.name(),
        }
    }

    /// Returns the spring if it moves the strands.
    pub(super) fn spring(&self) -> Option<&Spring> {
        match self {
            Engine::Tips { spring, .. } => Some(spring),
            Engine::Particles { .. } => None,
        }
    }

    /// Runs steps.
    pub(super) fn advance(
        &mut self,
        world: &World,
        bundles: &mut Bundles,
        rest: &mut RestDetector,
        steps: &[Tick],
    ) -> Outcome {
        let (settings, contacts, groom) = (world.settings, world.contacts, world.groom);
        let is_bundled = Bundles::act(settings);
        match self {
            Engine::Tips {
                spring,
                fade,
                interaction,
            } => {
                let contacts = &contacts.of_springs();
                let law = spring_law(settings);
                let propagator = law.propagator();
                let step = |tick: &Tick| {
                    let [from, to] = &tick.poses;
                    let force = force_on_tip(settings, to, tick.time_secs);
                    SpringStep::new(&propagator, from, to, force)
                };
                let spring_steps: Vec<SpringStep> = steps.iter().map(step).collect();
                spring.soft.set_law(law);
                fade.take_if(|fade| fade.is_over_after(steps.len()));
                let outcome = match is_bundled || settings.hair.acts() {
                    false => spring.advance(&spring_steps, contacts),
                    true => Outcome::in_turn(&spring_steps, |i, step| {
                        let poses = &steps[i].poses;
                        if is_bundled {
                            bundles.pull_tips(spring, groom, settings, poses);
                        }
                        if settings.hair.acts() {
                            interaction.push(spring, groom, settings, poses.each_ref());
                        }
                        spring.advance(step, contacts)
                    }),
                };
                // A tip that is held back from its anchor keeps potential energy.
                let is_still = outcome.settled || spring.is_still(REST_SHARE);
                let is_quiet = rest.is_quiet(is_still, steps.len() as u32);
                Outcome {
                    settled: fade.is_none() && (outcome.settled || is_quiet),
                    ..outcome
                }
            }
            Engine::Particles {
                hair,
                solver,
                interaction,
            } => {
                let steps = steps.iter().map(|tick| tick.step(settings, contacts));
                let steps: Vec<Step> = steps.collect();
                let caught = world
                    .has_new_obstacles
                    .then(|| Caught::before(hair, &steps[0]));
                let takes = solver.takes_pulls();
                hair.pulled.clear();
                let mut advance = |hair: &mut Hair, steps: &[Step]| match settings.hair.acts() {
                    true => interaction.advance(hair, solver.as_mut(), settings, steps),
                    false => solver.advance(hair, steps),
                };
                let outcome = match is_bundled {
                    false => advance(hair, &steps),
                    true => Outcome::in_turn(&steps, |_, step| {
                        bundles.pull_hair(hair, groom, settings, &step[0].from, takes);
                        advance(hair, step)
                    }),
                };
                if let Some(caught) = caught {
                    caught.hold_back(hair);
                }
                Outcome {
                    settled: rest.is_at_rest(hair, outcome.settled, &steps),
                    ..outcome
                }
            }
        }
    }

    /// Replaces the rest strands. `sources` are the previous ones that they continue.
    pub(super) fn reshape(&mut self, groom: &Groom, sources: &[Option<usize>], poses: [&Pose; 2]) {
        match self {
            Engine::Tips {
                spring,
                fade,
                interaction,
            } => {
                *fade = None;
                **interaction = TipInteraction::default();
                spring.reshape(groom, sources, poses);
            }
            Engine::Particles { hair, solver, .. } => {
                hair.reshape(groom, sources, poses);
                solver.take_over(hair);
            }
        }
    }

    /// Takes the rest strands as skin carries them in the next `steps` steps, or has carried them if
    /// there are none, and leaves what hangs on them where it is.
    pub(super) fn carry(&mut self, groom: &Groom, poses: [&Pose; 2], steps: u64) {
        match self {
            Engine::Tips {
                spring,
                interaction,
                ..
            } => {
                spring.carry(groom, poses);
                interaction.forget();
            }
            Engine::Particles { hair, solver, .. } => {
                hair.carry(groom, steps);
                solver.take_over(hair);
            }
        }
    }

    pub(super) fn rest_under(&mut self, pose: Pose) {
        match self {
            Engine::Tips { spring, fade, .. } => {
                *fade = None;
                spring.reset();
            }
            Engine::Particles { hair, solver, .. } => {
                hair.rest_under(&pose);
                solver.take_over(hair);
            }
        }
    }

    pub(super) fn push(&mut self, strand: usize, velocity: Vec3) {
        match self {
            Engine::Tips { spring, .. } => spring.push(strand, velocity),
            Engine::Particles { hair, .. } if strand < hair.len() => hair.push(strand, velocity),
            Engine::Particles { .. } => {}
        }
    }
}

impl Simulation {
    /// Switches the engine to other settings during motion.
    pub(super) fn change_engine(&mut self, to: &SimSettings) {
        let keeps_solver = self.used.solver == to.solver;
        match &mut self.engine {
            Engine::Tips { spring, .. } if keeps_solver => {
                spring.grounded = is_grounded(to);
            }
            Engine::Particles { hair, solver, .. }
                if keeps_solver && hair.particles() == to.strand_particles as usize =>
            {
                solver.configure(to);
            }
            _ => {
                let hair = self.particles(to);
                self.continue_from(hair, to);
            }
        }
    }

    /// Continues from particles of the simulated strands, with the same solver (possibly a custom
    /// one) or that of the new settings.
    pub(super) fn continue_from(&mut self, hair: Hair, to: &SimSettings) {
        let poses = self.poses.each_ref();
        // Strands may be in another order.
        self.bundles.forget();
        // The tips of springs alone meet obstacles.
        self.has_new_obstacles = true;
        match &mut self.engine {
            Engine::Particles {
                hair: old, solver, ..
            } if self.used.solver == to.solver => {
                *old = hair;
                solver.configure(to);
                solver.take_over(old);
            }
            _ => self.engine = Engine::from_particles(hair, self.simulated(), to, poses),
        }
    }

    /// Returns another engine that continues from here with the solver of `to`.
    pub(super) fn fork_engine(&self, to: &SimSettings) -> Engine {
        let keeps_solver = self.used.solver == to.solver;
        let hair = match &self.engine {
            Engine::Tips { spring, fade, .. } if keeps_solver => {
                return Engine::Tips {
                    spring: spring.clone(),
                    fade: fade.clone(),
                    interaction: Box::default(),
                };
            }
            Engine::Particles { hair, .. } if keeps_solver => hair.clone(),
            _ => self.particles(to),
        };
        Engine::from_particles(hair, self.simulated(), to, self.poses.each_ref())
    }

    /// Returns the simulated strands as particles with their motion.
    pub(super) fn particles(&self, settings: &SimSettings) -> Hair {
        let mut hair = Hair::new(self.simulated(), settings.strand_particles, &self.poses[1]);
        let particles = match &self.engine {
            Engine::Particles { hair: old, .. } => old.particles(),
            Engine::Tips { .. } => hair.particles(),
        };
        let (mut before, mut now) = (Vec::new(), Vec::new());
        self.write_simulated(0.0, particles, 0..hair.len(), &mut before);
        self.write_simulated(1.0, particles, 0..hair.len(), &mut now);
        hair.follow(&before, &now, particles, STEPS_PER_SEC as f32);
        if let Engine::Particles { hair: old, .. } = &self.engine {
            hair.continue_carried(old);
        }
        hair
    }

    /// Writes the particles of some simulated strands at `alpha` of the last step. A spring writes
    /// as many as requested.
    pub(super) fn write_simulated(
        &self,
        alpha: f64,
        particles: usize,
        slots: Range<usize>,
        out: &mut Vec<[f32; 4]>,
    ) {
        let poses = self.poses.each_ref();
        match &self.engine {
            Engine::Tips { spring, fade, .. } => {
                let first = slots.start;
                spring.write_curves(poses, alpha, particles, slots, out);
                if let Some(fade) = fade {
                    fade.add_to(out, first, particles, &self.pose_at(alpha));
                }
            }
            Engine::Particles { hair, .. } => {
                hair.write_drawn(&Moment::new(poses, alpha), slots, out);
            }
        }
    }
}

/// Returns tips at rest.
fn spring(groom: &Groom, settings: &SimSettings) -> Spring {
    let mut spring = Spring::new(groom);
    spring.grounded = is_grounded(settings);
    spring
}

/// Springs collide with no surface of the head but the planes at the roots.
fn is_grounded(settings: &SimSettings) -> bool {
    settings.head_collider != HeadCollider::None
}

/// Returns the force of gravity and wind on a tip of mass 1, less what holds it where it is
/// groomed.
pub(super) fn force_on_tip(settings: &SimSettings, head: &Pose, time_secs: f64) -> DVec3 {
    let forces = settings.forces.at(time_secs, STEP_SECS);
    let groomed = head.transform_vector(settings.groomed_gravity().as_dvec3());
    (forces.gravity.as_dvec3() - groomed) * f64::from(settings.spring.weight)
        + forces.wind.as_dvec3() * settings.tip_drag()
}

/// Returns the spring law with `hold`: 1 / (1 − hold) times as fast, at the same damping ratio.
pub(super) fn spring_law(settings: &SimSettings) -> SpringLaw {
    let give = spring_give(settings.hold);
    SpringLaw {
        stiffness: f64::from(settings.spring.stiffness) / (give * give),
        damping: f64::from(settings.spring.damping) / give,
    }
}
