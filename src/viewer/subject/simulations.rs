//! Strands in motion, what is drawn of them, and what that takes.

use crate::viewer::files::tip_recording::Recording;
use crate::viewer::subject::comparison::Side;
use mohawk::config::Config;
use mohawk::render::Stage;
use mohawk::sim::{Pose, SimSettings, Simulation, SolverKind};
use std::time::Instant;

/// One simulation.
pub(crate) struct Moving {
    pub(crate) sim: Simulation,
    /// Tips, or particles.
    points: Vec<[f32; 4]>,
    /// Points of each strand.
    per_strand: usize,
    /// The time of the last frame, milliseconds.
    pub(crate) sim_ms: f32,
    pub(crate) write_ms: f32,
}

impl Moving {
    pub(crate) fn new(sim: Simulation) -> Self {
        let mut moving = Self {
            sim,
            points: Vec::new(),
            per_strand: 1,
            sim_ms: 0.0,
            write_ms: 0.0,
        };
        moving.write();
        moving
    }

    fn advance(
        &mut self,
        elapsed_secs: f64,
        pose_at: &mut dyn FnMut(f64) -> Pose,
        recording: Option<&mut Recording>,
    ) {
        let started = Instant::now();
        match recording {
            None => self.sim.advance(elapsed_secs, pose_at),
            Some(recording) => {
                let record = &mut |sim: &Simulation| recording.add(sim);
                self.sim.advance_watched(elapsed_secs, pose_at, record);
            }
        }
        self.sim_ms = ms_since(started);
        self.write();
    }

    pub(crate) fn write(&mut self) {
        let started = Instant::now();
        self.sim.write_drawn(&mut self.points);
        self.per_strand = self.sim.drawn_particles();
        self.write_ms = ms_since(started);
    }

    /// Returns the points of strands that are drawn (tips or particles), and their number per
    /// strand.
    pub(crate) fn points(&self) -> (&[[f32; 4]], usize) {
        (&self.points, self.per_strand)
    }

    fn show_on(&mut self, stage: &mut Stage) {
        let started = Instant::now();
        stage.set_points(&self.points, self.per_strand);
        self.write_ms += ms_since(started);
    }
}

/// Milliseconds since then.
pub(crate) fn ms_since(then: Instant) -> f32 {
    then.elapsed().as_secs_f32() * 1e3
}

/// One simulation, or two of the same strands that are compared.
pub(crate) struct Compared {
    left: Moving,
    right: Option<Moving>,
    /// The side whose strands the stage has.
    drawn_side: Option<Side>,
}

impl Compared {
    pub(crate) fn new(sim: Simulation) -> Self {
        Self {
            left: Moving::new(sim),
            right: None,
            drawn_side: None,
        }
    }

    /// Moves the same strands with another solver on the right, from their present state; `None`:
    /// shows one side.
    pub(crate) fn set_beside(&mut self, solver: Option<SolverKind>) {
        self.drawn_side = None;
        match (solver, &mut self.right) {
            (None, right) => *right = None,
            (Some(solver), None) => self.right = Some(Moving::new(self.left.sim.fork(solver))),
            (Some(solver), Some(right)) => {
                let settings = with_solver(right.sim.settings(), solver);
                right.sim.set_settings(settings);
                right.write();
            }
        }
    }

    /// The solver on the right.
    pub(crate) fn beside(&self) -> Option<SolverKind> {
        self.right.as_ref().map(|right| right.sim.settings().solver)
    }

    /// Takes on settings; the right keeps its solver.
    pub(crate) fn apply(&mut self, config: &Config) {
        let beside = self.beside();
        self.left.sim.set_settings(config.sim.clone());
        if let Some((right, solver)) = self.right.as_mut().zip(beside) {
            right.sim.set_settings(with_solver(&config.sim, solver));
        }
        self.change(|_| {});
    }

    /// Each that there is.
    pub(crate) fn each(&self) -> impl Iterator<Item = &Moving> {
        [&self.left].into_iter().chain(&self.right)
    }

    /// The one of a side; the left one where that is alone.
    pub(crate) fn of(&self, side: Side) -> &Moving {
        match (side, &self.right) {
            (Side::Right, Some(right)) => right,
            _ => &self.left,
        }
    }

    /// Changes every simulation, and draws the result.
    pub(crate) fn change(&mut self, mut change: impl FnMut(&mut Simulation)) {
        for moving in [&mut self.left].into_iter().chain(&mut self.right) {
            change(&mut moving.sim);
            moving.write();
        }
        self.drawn_side = None;
    }

    /// Advances by a frame; every step of the left one is recorded, if anything is.
    pub(crate) fn advance(
        &mut self,
        elapsed_secs: f64,
        pose_at: &mut dyn FnMut(f64) -> Pose,
        recording: Option<&mut Recording>,
    ) {
        self.left.advance(elapsed_secs, pose_at, recording);
        if let Some(right) = &mut self.right {
            right.advance(elapsed_secs, pose_at, None);
        }
        self.drawn_side = None;
    }

    /// Gives the stage the strands of a side.
    pub(crate) fn show_on(&mut self, stage: &mut Stage, side: Side) {
        if self.drawn_side == Some(side) {
            return;
        }
        match (side, &mut self.right) {
            (Side::Right, Some(right)) => right.show_on(stage),
            _ => self.left.show_on(stage),
        }
        self.drawn_side = Some(side);
    }
}

fn with_solver(settings: &SimSettings, solver: SolverKind) -> SimSettings {
    SimSettings {
        solver,
        ..settings.clone()
    }
}
