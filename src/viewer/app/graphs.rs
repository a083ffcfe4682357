//! Graphs: when a frame is taken in, and where they are shown.

use super::App;
use crate::viewer::lab::graphs::{self, Costs, Graphs};
use crate::viewer::subject::simulations::ms_since;
use std::time::Instant;
use three_d::egui;

/// Real time that graphs go back, seconds: in slow motion less simulated time, so that it is slow
/// there too.
const SHOWN_SECS: f64 = 10.0;

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
        for (i, moving) in self.subject.moving().each().enumerate() {
            sides[i] = Some(Graphs::measures(&moving.sim));
            sim_ms[i] = moving.sim_ms;
        }
        let costs = Costs {
            sim: sim_ms,
            strands: self.subject.write_ms(),
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
        let split = self.subject.beside().is_some();
        let strip = egui::Panel::bottom("graphs")
            .exact_size(graphs::HEIGHT)
            .resizable(false);
        let shown = strip.show_inside(ui, |ui| {
            graphs::show(ui, &self.statistics.graphs, span, split)
        });
        shown.response.rect.height()
    }
}
