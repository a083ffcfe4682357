//! How long frames take, and what the graphs show.

use super::App;
use crate::viewer::lab::graphs::{self, Costs, Graphs};
use crate::viewer::subject::simulations::ms_since;
use std::time::Instant;
use three_d::egui;

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
    pub(super) fn new(renderer: String) -> Self {
        Self {
            graphs: Graphs::default(),
            frame_secs: Average::default(),
            sim_ms: Average::default(),
            side_ms: Default::default(),
            reported_resets: 0,
            renderer,
        }
    }

    /// Forgets what was measured: time begins anew.
    pub(super) fn restart(&mut self) {
        self.reported_resets = 0;
        self.graphs.clear();
    }
}

impl App {
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
        let (mut sides, mut sim_ms) = ([None; 2], [0.0; 2]);
        for (i, moving) in self.subject.simulations.each().enumerate() {
            sides[i] = Some(Graphs::measures(&moving.sim));
            sim_ms[i] = moving.sim_ms;
        }
        let costs = Costs {
            sim: sim_ms,
            strands: self
                .subject
                .simulations
                .each()
                .map(|drawn| drawn.write_ms)
                .sum(),
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
