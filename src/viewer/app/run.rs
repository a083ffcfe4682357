//! The passing of time: head and strands move; how long frames take, and what the graphs show.

use super::App;
use crate::viewer::input::pointer::Drag;
use crate::viewer::interface::overlay::window;
use crate::viewer::lab::graphs::{self, Costs, Graphs};
use crate::viewer::playback::Playback;
use crate::viewer::subject::simulations::ms_since;
use mohawk::sim::STEP_SECS;
use std::time::Instant;
use three_d::egui::{self, Align2};

/// Real time that graphs go back, seconds: in slow motion less simulated time, so that it is slow
/// there too.
const SHOWN_SECS: f64 = 10.0;

/// A running mean over about the last half second.
#[derive(Default)]
pub(crate) struct Average(Option<f32>);

impl Average {
    pub(super) fn add(&mut self, sample: f32) {
        self.0 = Some(self.0.map_or(sample, |mean| mean + 0.1 * (sample - mean)));
    }

    pub(crate) fn get(&self) -> f32 {
        self.0.unwrap_or(0.0)
    }
}

/// Measurements of the window.
#[derive(Default)]
pub(crate) struct Statistics {
    pub(crate) graphs: Graphs,
    pub(crate) frame_secs: Average,
    pub(crate) sim_ms: Average,
    /// The time of each solver that is compared.
    pub(super) side_ms: [Average; 2],
    /// The number of reset strands that the user has been told of.
    pub(super) reported_resets: u64,
    /// The name that the graphics driver gives itself.
    pub(crate) renderer: String,
}

impl Statistics {
    /// Forgets what was measured: time begins anew.
    pub(super) fn restart(&mut self) {
        self.reported_resets = 0;
        self.graphs.clear();
    }
}

impl App {
    /// Whether the head returns to rest by itself.
    fn is_returning(&self) -> bool {
        let held = matches!(self.pointer.drag, Some(Drag::Head(_)));
        self.playback.returns_to_rest && !held && self.playback.motion.playing().is_none()
    }

    /// Whether the next picture differs without input.
    pub(crate) fn is_animating(&self) -> bool {
        let sim = self.subject.sim();
        let now = sim.time_secs();
        !self.playback.paused
            && !self.styling.frozen
            && (!(self.subject.simulations.each()).all(|drawn| drawn.sim.is_settled())
                || sim.pose() != self.playback.motion.pose(now)
                || self.playback.motion.is_moving(self.is_returning(), now))
    }

    /// Advances the simulation by a frame of `elapsed_secs`.
    pub(crate) fn advance(&mut self, elapsed_secs: f64) {
        if elapsed_secs > 0.0 {
            self.statistics.frame_secs.add(elapsed_secs as f32);
        }
        if self.playback.paused || self.styling.frozen {
            return;
        }
        self.playback.running_secs += elapsed_secs;
        self.run_simulation(elapsed_secs * self.playback.speed.share());
    }

    /// Shows the step and time of a pause, and the speed of slow motion, in a corner of the scene.
    pub(crate) fn show_badge(&self, ctx: &egui::Context, area: egui::Rect) {
        let Playback { paused, speed, .. } = self.playback;
        if !paused && !speed.is_slow() {
            return;
        }
        let steps = self.subject.sim().steps();
        let corner = egui::vec2(-16.0, 16.0);
        window(ctx, "badge", area, Align2::RIGHT_TOP, corner, |ui| {
            ui.horizontal(|ui| {
                if paused {
                    ui.strong("paused");
                    let secs = steps as f64 * STEP_SECS;
                    ui.monospace(format!("step {steps}, {secs:.3} s"));
                }
                if paused && speed.is_slow() {
                    ui.separator();
                }
                if speed.is_slow() {
                    ui.strong(format!("speed {}", speed.name()));
                }
            });
        });
    }

    pub(super) fn run_simulation(&mut self, elapsed_secs: f64) {
        if self.is_returning() {
            self.playback.motion.return_to_rest(elapsed_secs as f32);
        }
        let started = Instant::now();
        let sim = self.subject.sim();
        let (from, since) = (sim.pose(), sim.time_secs());
        let steps = f64::from(sim.steps_in(elapsed_secs).max(1));
        let motion = &self.playback.motion;
        let recording = self.lab.recording.as_mut();
        let simulations = &mut self.subject.simulations;
        if motion.playing().is_some() {
            // A scene is a function of simulated time.
            simulations.advance(elapsed_secs, &mut |time| motion.pose(time), recording);
        } else {
            // The pointer is sampled once a frame: the frame's steps interpolate its motion.
            let to = motion.pose(since);
            let pose_at = &mut |time: f64| {
                from.interpolate(&to, ((time - since) / (steps * STEP_SECS) + 1e-9).min(1.0))
            };
            simulations.advance(elapsed_secs, pose_at, recording);
        }
        self.check_recording();
        let now = self.subject.sim().time_secs();
        self.playback.motion.finish_scene(now);
        if let Some(setup) = self.playback.motion.round_over(now) {
            self.restart(setup);
        }
        let statistics = &mut self.statistics;
        statistics.sim_ms.add(ms_since(started));
        let sides = self.subject.simulations.each();
        for (average, moving) in statistics.side_ms.iter_mut().zip(sides) {
            average.add(moving.sim_ms);
        }
        let broken = self.subject.reset_strands();
        if broken > self.statistics.reported_resets {
            let text =
                format!("{broken} strands lost their place (not a number) and were put back");
            self.overlay.notice(text);
            self.statistics.reported_resets = broken;
        }
    }

    /// Takes in the frame that has just been shown, if time has gone on. `costs`: what its parts
    /// took that the window knows of.
    pub(crate) fn note_frame(&mut self, costs: Costs) {
        let sim = self.subject.sim();
        let (steps, secs) = (sim.steps(), sim.time_secs());
        // Where all is at rest, time goes on only because somebody moves the mouse.
        let goes_on = self.playback.paused || self.is_animating();
        if !goes_on || !self.statistics.graphs.wants(steps) {
            return;
        }
        let started = Instant::now();
        let (mut sides, mut sim_ms, mut strands_ms) = ([None; 2], [0.0; 2], 0.0);
        for (i, moving) in self.subject.simulations.each().enumerate() {
            sides[i] = Some(moving.sim.measures(graphs::MEASURED_STRANDS));
            sim_ms[i] = moving.sim_ms;
            strands_ms += moving.write_ms;
        }
        let costs = Costs {
            sim: sim_ms,
            strands: strands_ms,
            panel: costs.panel + ms_since(started),
            ..costs
        };
        self.statistics.graphs.add((steps, secs), sides, costs);
    }

    /// Shows the graphs in a strip at the bottom of what is left of the window; gives its height.
    pub(crate) fn show_graphs(&mut self, ui: &mut egui::Ui) -> f32 {
        if !self.statistics.graphs.shown {
            return 0.0;
        }
        let span = SHOWN_SECS * self.playback.speed.share();
        let split = self.subject.simulations.beside().is_some();
        let strip = egui::Panel::bottom("graphs")
            .exact_size(graphs::HEIGHT)
            .resizable(false);
        let shown = strip.show_inside(ui, |ui| {
            graphs::show(ui, &self.statistics.graphs, span, split)
        });
        shown.response.rect.height()
    }
}
