//! The simulated strands of both views, and what is drawn of them.

use crate::ribbons;
use crate::viewer::interface::rows::ACCENT;
use glam::Vec3;
use mohawk::Config;
use mohawk::render::{Marks, Stage, Tints};
use mohawk::sim::{Pose, SimSettings, Simulation, SolverKind};
use mohawk::style::Strands;
use rayon::prelude::*;
use three_d::egui::Color32;
use web_time::Instant;

/// Hair counts as at rest if none of it is farther from its rest shape, decimetres: about a pixel.
const AT_REST: f32 = 0.005;

/// One of two views; the left one is there alone where nothing is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Side {
    /// Moved by the solver of the settings.
    #[default]
    Left,
    /// Moved by the one that it is compared with.
    Right,
}

impl Side {
    /// Returns its colour in graphs and labels.
    pub(crate) fn color(self) -> Color32 {
        match self {
            Self::Left => ACCENT,
            Self::Right => Color32::from_rgb(95, 205, 255),
        }
    }
}

/// A simulation and what is drawn of it.
pub(crate) struct DrawnSimulation {
    pub(crate) sim: Simulation,
    /// The drawn points, world space: tips, or particles.
    pub(crate) points: Vec<[f32; 4]>,
    /// The marks of the laboratory, and the colours of the strands in place of those of the look.
    marks: (Marks, Option<Tints>),
    /// `true` if the stage has not shown these points and marks yet.
    is_new: bool,
    /// The time that simulating the last frame took, milliseconds.
    pub(crate) sim_ms: f32,
    /// The time that writing its points took, milliseconds.
    pub(crate) write_ms: f32,
}

impl DrawnSimulation {
    fn new(sim: Simulation) -> Self {
        let mut drawn = Self {
            sim,
            points: Vec::new(),
            marks: Default::default(),
            is_new: true,
            sim_ms: 0.0,
            write_ms: 0.0,
        };
        drawn.write_points();
        drawn
    }

    fn write_points(&mut self) {
        let started = Instant::now();
        self.sim.write_drawn(&mut self.points);
        self.write_ms = ms_since(started);
    }

    /// Returns the drawn points of strands, relative to the root of each, head space. `None`: they
    /// are at rest, or the simulation moves other strands.
    pub(crate) fn shape(&self, strands: &Strands) -> Option<Vec<Vec3>> {
        if self.sim.strand_count() != strands.len() || strands.is_empty() {
            return None;
        }
        let mut particles = Vec::new();
        self.sim.write_shape(&mut particles);
        let of_strand = particles.len() / strands.len();
        let per = strands.per_strand();
        if of_strand < 2 || per < 2 {
            return None;
        }
        let head_from_world = self.sim.drawn_pose().to_mat4().inverse();
        let mut points = vec![Vec3::ZERO; strands.len() * per];
        let away = (points.par_chunks_exact_mut(per).enumerate()).map(|(strand, points)| {
            let particles = &particles[strand * of_strand..][..of_strand];
            let at = |i: usize| {
                let [x, y, z, _] = particles[i];
                head_from_world.transform_point3(Vec3::new(x, y, z))
            };
            let root = at(0);
            let mut away = 0.0_f32;
            for (i, (point, rest)) in points.iter_mut().zip(strands.strand(strand)).enumerate() {
                let place = i as f32 / (per - 1) as f32 * (of_strand - 1) as f32;
                let before = (place as usize).min(of_strand - 2);
                *point = at(before).lerp(at(before + 1), place - before as f32) - root;
                away = away.max(point.distance_squared(*rest));
            }
            away
        });
        let away = away.reduce(|| 0.0, f32::max);
        (away > AT_REST * AT_REST).then_some(points)
    }
}

/// Returns the time since then, milliseconds.
pub(crate) fn ms_since(then: Instant) -> f32 {
    then.elapsed().as_secs_f32() * 1e3
}

/// One simulation, or two of the same strands that are compared.
pub(crate) struct Simulations {
    /// The left one, and the right one if there is one.
    sides: Vec<DrawnSimulation>,
    /// The side whose strands the stage has.
    drawn_side: Option<Side>,
    /// A number that changes with the strands, their motion and their settings.
    pub(crate) revision: u64,
}

impl Simulations {
    pub(crate) fn new(sim: Simulation) -> Self {
        Self {
            sides: vec![DrawnSimulation::new(sim)],
            drawn_side: None,
            revision: 0,
        }
    }

    /// Notes that other strands are to be drawn.
    fn note_change(&mut self) {
        self.draw_anew();
        self.revision += 1;
    }

    fn draw_anew(&mut self) {
        self.drawn_side = None;
        self.sides.iter_mut().for_each(|drawn| drawn.is_new = true);
    }

    /// Moves the same strands with another solver on the right, from their present state; `None`:
    /// shows one side.
    pub(crate) fn set_beside(&mut self, solver: Option<SolverKind>) {
        self.note_change();
        match (solver, &mut self.sides[..]) {
            (None, _) => self.sides.truncate(1),
            (Some(solver), [left]) => {
                let right = DrawnSimulation::new(left.sim.fork(solver));
                self.sides.push(right);
            }
            (Some(solver), sides) => {
                let right = &mut sides[1];
                let settings = with_solver(right.sim.settings(), solver);
                right.sim.set_settings(settings);
                right.write_points();
            }
        }
    }

    /// Returns the solver on the right.
    pub(crate) fn beside(&self) -> Option<SolverKind> {
        let right = self.sides.get(1);
        right.map(|right| right.sim.settings().solver)
    }

    /// Applies settings. The right side keeps its solver.
    pub(crate) fn apply(&mut self, config: &Config) {
        let mut solvers = [Some(config.sim.solver), self.beside()].into_iter();
        self.change(|sim| {
            let solver = solvers.next().flatten().unwrap_or_default();
            sim.set_settings(with_solver(&config.sim, solver));
        });
    }

    /// Returns all simulations, the left one first.
    pub(crate) fn each(&self) -> impl Iterator<Item = &DrawnSimulation> {
        self.sides.iter()
    }

    /// Returns the simulation of a side; the left one if it is alone.
    pub(crate) fn of(&self, side: Side) -> &DrawnSimulation {
        self.sides.get(side as usize).unwrap_or(&self.sides[0])
    }

    /// Changes every simulation and what is drawn of it.
    pub(crate) fn change(&mut self, mut change: impl FnMut(&mut Simulation)) {
        for drawn in &mut self.sides {
            change(&mut drawn.sim);
            drawn.write_points();
        }
        self.note_change();
    }

    /// Sets the marks over a side, which must be there, and the colours of its strands.
    pub(crate) fn set_marks(&mut self, side: Side, marks: &Marks, tints: Option<&Tints>) {
        self.sides[side as usize].marks = (marks.clone(), tints.cloned());
        self.draw_anew();
    }

    /// Removes all marks and colours, as for other strands.
    pub(crate) fn clear_marks(&mut self) {
        for drawn in &mut self.sides {
            drawn.marks = Default::default();
        }
        self.draw_anew();
    }

    /// Advances by a frame; see [`Simulation::advance`]. `watch` is called after every step of the
    /// left side.
    pub(crate) fn advance(
        &mut self,
        elapsed_secs: f64,
        pose_at: &mut dyn FnMut(f64) -> Pose,
        mut watch: Option<&mut dyn FnMut(&Simulation)>,
    ) {
        for drawn in &mut self.sides {
            let started = Instant::now();
            match watch.take() {
                None => drawn.sim.advance(elapsed_secs, pose_at),
                Some(watch) => drawn.sim.advance_watched(elapsed_secs, pose_at, watch),
            }
            drawn.sim_ms = ms_since(started);
            drawn.write_points();
        }
        self.note_change();
    }

    /// Gives the stage the strands of a side, which must be there.
    pub(crate) fn show_on(&mut self, stage: &mut Stage, side: Side) {
        if self.drawn_side.replace(side) == Some(side) {
            return;
        }
        let drawn = &mut self.sides[side as usize];
        let started = Instant::now();
        let is_new = std::mem::take(&mut drawn.is_new);
        let points = (&drawn.points[..], drawn.sim.drawn_particles());
        let (tints, rings) = (
            drawn.marks.1.as_ref(),
            ribbons::rings(&drawn.sim, &drawn.points),
        );
        stage.show_view(side as usize, is_new, points, tints, &rings);
        drawn.write_ms += ms_since(started);
        stage.set_marks(&drawn.marks.0);
        stage.set_wetness(drawn.sim.wetness());
    }
}

fn with_solver(settings: &SimSettings, solver: SolverKind) -> SimSettings {
    SimSettings {
        solver,
        ..settings.clone()
    }
}
