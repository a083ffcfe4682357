//! The engine that moves the strands: the spring, which simulates tips only, or a solver over
//! particles. It switches between them without a jump.

mod plan;
mod readings;
mod still;

use super::super::hair::StrandRemap;
use super::super::solvers::build;
use super::super::{
    Hair, HeadCollider, Pose, STEPS_PER_SEC, SimSettings, Solver, SolverKind, Spring,
};
use super::fade::Fade;
use crate::groom::Groom;
use glam::{DVec3, Vec3};
use plan::force_on_tip;
pub(crate) use plan::spring_law;
use std::fmt;
use still::Watch;

/// The current method of moving strands.
pub(crate) enum Engine {
    /// Tips on springs, without particles.
    Tips {
        spring: Box<Spring>,
        /// The rest of the shape of a previous solver.
        fade: Option<Fade>,
        /// The number of points of a strand whose curve its tip does not determine.
        particles: usize,
        still_steps: u32,
    },
    /// A solver over particles.
    Particles {
        hair: Hair,
        solver: Box<dyn Solver>,
        watch: Box<Watch>,
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
                particles: settings.strand_particles as usize,
                still_steps: 0,
            },
            Some(mut solver) => {
                let hair = Hair::new(groom, settings.strand_particles, &pose);
                solver.configure(settings);
                solver.take_over(&hair, [&pose, &pose]);
                Engine::Particles {
                    hair,
                    solver,
                    watch: Box::default(),
                }
            }
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Engine::Tips { .. } => SolverKind::Spring.name(),
            Engine::Particles { solver, .. } => solver.name(),
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
        let same_solver = from.solver == to.solver;
        match self {
            Engine::Tips {
                particles, spring, ..
            } if same_solver => {
                *particles = to.strand_particles as usize;
                spring.set_grounded(is_grounded(to), groom);
            }
            Engine::Particles { hair, solver, .. }
                if same_solver && hair.particles() == to.strand_particles as usize =>
            {
                solver.configure(to);
            }
            _ => {
                let hair = self.particles(groom, to, poses);
                self.go_on(hair, groom, same_solver, to, poses);
            }
        }
    }

    /// Continues from particles, with the same solver (possibly a custom one) or that of the
    /// settings. `groom` holds the strands of `hair`.
    pub(crate) fn go_on(
        &mut self,
        hair: Hair,
        groom: &Groom,
        same_solver: bool,
        settings: &SimSettings,
        poses: [&Pose; 2],
    ) {
        if let Engine::Particles {
            hair: old,
            solver,
            watch,
        } = self
            && same_solver
        {
            (*old, *watch) = (hair, Box::default());
            solver.configure(settings);
            solver.take_over(old, poses);
            return;
        }
        match build(settings.solver) {
            None => *self = Self::spring_from(&hair, groom, settings, poses),
            Some(solver) => self.install(solver, hair, settings, poses),
        }
    }

    /// Hands the strands to `solver`.
    pub(crate) fn use_solver(
        &mut self,
        solver: Box<dyn Solver>,
        groom: &Groom,
        settings: &SimSettings,
        poses: [&Pose; 2],
    ) {
        let hair = self.particles(groom, settings, poses);
        self.install(solver, hair, settings, poses);
    }

    /// Returns another engine that continues from here with the solver of `to`.
    pub(crate) fn fork(
        &self,
        groom: &Groom,
        from: &SimSettings,
        to: &SimSettings,
        poses: [&Pose; 2],
    ) -> Self {
        let same_solver = from.solver == to.solver;
        let hair = match self {
            Engine::Tips {
                spring,
                fade,
                particles,
                still_steps,
            } if same_solver => {
                return Engine::Tips {
                    spring: spring.clone(),
                    fade: fade.clone(),
                    particles: *particles,
                    still_steps: *still_steps,
                };
            }
            Engine::Particles { hair, .. } if same_solver => hair.clone(),
            _ => self.particles(groom, to, poses),
        };
        match build(to.solver) {
            None => Self::spring_from(&hair, groom, to, poses),
            Some(mut solver) => {
                solver.configure(to);
                solver.take_over(&hair, poses);
                Engine::Particles {
                    hair,
                    solver,
                    watch: Box::default(),
                }
            }
        }
    }

    fn install(
        &mut self,
        mut solver: Box<dyn Solver>,
        hair: Hair,
        settings: &SimSettings,
        poses: [&Pose; 2],
    ) {
        solver.configure(settings);
        solver.take_over(&hair, poses);
        *self = Engine::Particles {
            hair,
            solver,
            watch: Box::default(),
        };
    }

    /// Returns the drawn strands as particles with their motion.
    fn particles(&self, groom: &Groom, settings: &SimSettings, poses: [&Pose; 2]) -> Hair {
        let mut hair = Hair::new(groom, settings.strand_particles, poses[1]);
        let (mut before, mut now) = (Vec::new(), Vec::new());
        let particles = match self {
            Engine::Particles { hair, .. } => hair.particles(),
            Engine::Tips { .. } => hair.particles(),
        };
        self.write_particles(poses, 0.0, particles, &mut before);
        self.write_particles(poses, 1.0, particles, &mut now);
        hair.follow(&before, &now, particles, STEPS_PER_SEC as f32);
        hair
    }

    /// Returns a spring that starts from particles and is first drawn in their shape.
    fn spring_from(hair: &Hair, groom: &Groom, settings: &SimSettings, poses: [&Pose; 2]) -> Self {
        let mut spring = spring(groom, settings);
        spring.take_over(hair, poses);
        let (mut shape, mut own) = (Vec::new(), Vec::new());
        hair.write_positions(&mut shape);
        spring.write_curves(poses, 1.0, hair.particles(), 0..spring.len(), &mut own);
        let fade = Fade::new(&shape, &own, hair.particles(), poses[1]);
        Engine::Tips {
            spring,
            fade: Some(fade),
            particles: hair.particles(),
            still_steps: 0,
        }
    }

    pub(crate) fn drawn_particles(&self) -> usize {
        match self {
            Engine::Tips {
                fade: Some(fade), ..
            } => fade.particles(),
            Engine::Tips { spring, .. } if spring.curves.is_none() => 1,
            Engine::Tips { particles, .. } => *particles,
            Engine::Particles { hair, .. } => hair.particles(),
        }
    }

    /// Writes [`drawn_particles`](Self::drawn_particles) points per strand.
    pub(crate) fn write_drawn(&self, poses: [&Pose; 2], alpha: f64, out: &mut Vec<[f32; 4]>) {
        match self {
            Engine::Tips {
                spring, fade: None, ..
            } if spring.curves.is_none() => {
                spring.write_drawn_tips(poses[0], poses[1], alpha, out);
            }
            _ => self.write_particles(poses, alpha, self.drawn_particles(), out),
        }
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
                if let Some(fade) = fade
                    && fade.particles() == particles
                {
                    fade.add_to(out, &poses[0].interpolate(poses[1], alpha));
                }
            }
            Engine::Particles { hair, .. } if alpha >= 1.0 => hair.write_positions(out),
            Engine::Particles { hair, .. } => {
                hair.write_drawn(&poses[0].interpolate(poses[1], alpha), alpha, out)
            }
        }
    }

    pub(crate) fn write_tips(&self, poses: [&Pose; 2], alpha: f64, out: &mut Vec<[f32; 4]>) {
        match self {
            Engine::Tips { spring, .. } => spring.write_drawn_tips(poses[0], poses[1], alpha, out),
            Engine::Particles { hair, .. } => {
                let mut all = Vec::new();
                self.write_particles(poses, alpha, hair.particles(), &mut all);
                out.clear();
                out.extend(all.chunks_exact(hair.particles()).map(|s| s[s.len() - 1]));
            }
        }
    }

    pub(crate) fn write_simulated_tips(&self, pose: &Pose, out: &mut Vec<[f32; 4]>) {
        match self {
            Engine::Tips { spring, .. } => spring.write_tips(pose, out),
            Engine::Particles { .. } => self.write_tips([pose, pose], 1.0, out),
        }
    }

    /// Replaces the rest strands. Returns whether any of them continues a previous one.
    pub(crate) fn reshape(&mut self, groom: &Groom, kept: &StrandRemap, poses: [&Pose; 2]) -> bool {
        match self {
            Engine::Tips { spring, fade, .. } => {
                *fade = None;
                spring.reshape(groom, kept, poses)
            }
            Engine::Particles {
                hair,
                solver,
                watch,
            } => {
                let kept = hair.reshape(groom, kept, poses);
                solver.take_over(hair, poses);
                watch.forget();
                kept
            }
        }
    }

    pub(crate) fn rest_under(&mut self, pose: Pose) {
        match self {
            Engine::Tips { spring, fade, .. } => {
                *fade = None;
                spring.reset();
            }
            Engine::Particles {
                hair,
                solver,
                watch,
            } => {
                hair.rest_under(&pose);
                solver.take_over(hair, [&pose, &pose]);
                watch.forget();
            }
        }
    }

    /// Whether strands stay in the rest shape instead of falling.
    pub(crate) fn rests_where_it_stands(&self, settings: &SimSettings) -> bool {
        matches!(self, Engine::Tips { .. }) && force_on_tip(settings, 0.0) == DVec3::ZERO
    }

    /// Forgets that particles were at rest, because their motion is about to change.
    pub(crate) fn stir(&mut self) {
        if let Engine::Particles { watch, .. } = self {
            watch.forget();
        }
    }

    pub(crate) fn push(&mut self, strand: usize, velocity: Vec3) {
        match self {
            Engine::Tips { spring, .. } => spring.push(strand, velocity),
            Engine::Particles { hair, .. } if strand < hair.len() => hair.push(strand, velocity),
            Engine::Particles { .. } => {}
        }
    }

    pub(crate) fn max_stretch(&self) -> f64 {
        match self {
            // Curves keep their lengths by construction.
            Engine::Tips { .. } => 0.0,
            Engine::Particles { hair, .. } => hair.max_stretch(),
        }
    }
}

/// Returns tips at rest.
fn spring(groom: &Groom, settings: &SimSettings) -> Box<Spring> {
    let mut spring = Box::new(Spring::new(groom));
    spring.set_grounded(is_grounded(settings), groom);
    spring
}

/// Springs collide with no surface of the head but the planes at the roots.
fn is_grounded(settings: &SimSettings) -> bool {
    settings.head_collider != HeadCollider::None
}
