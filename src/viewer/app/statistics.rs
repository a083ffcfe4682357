//! How long frames take, and what the graphs show.

use crate::viewer::lab::graphs::Graphs;

/// A running mean over about the last half second.
#[derive(Default)]
pub(super) struct Average(Option<f32>);

impl Average {
    pub(super) fn add(&mut self, sample: f32) {
        self.0 = Some(self.0.map_or(sample, |mean| mean + 0.1 * (sample - mean)));
    }

    pub(super) fn get(&self) -> f32 {
        self.0.unwrap_or(0.0)
    }
}

/// Measurements of the window.
pub(crate) struct Statistics {
    pub(crate) graphs: Graphs,
    pub(super) frame_secs: Average,
    pub(super) sim_ms: Average,
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
