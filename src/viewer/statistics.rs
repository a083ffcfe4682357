//! Measurements of the window.

use super::detail::MotionDetail;
use super::lab::graphs::Graphs;
use crate::numbers::plural;

/// Measurements of the window.
#[derive(Default)]
pub(crate) struct Statistics {
    pub(crate) graphs: Graphs,
    pub(crate) detail: MotionDetail,
    /// The mean time of a frame.
    pub(crate) frame_secs: f32,
    /// The mean time of simulating a frame.
    pub(crate) sim_ms: f32,
    /// Milliseconds of each solver that is compared.
    pub(super) side_ms: [f32; 2],
    /// The number of reset strands that the user has been told of.
    pub(super) reported_resets: u64,
    /// The name that the graphics driver gives itself.
    pub(crate) renderer: String,
}

/// Tells how many strands were reset.
pub(crate) fn reset_text(strands: u64) -> String {
    format!(
        "Reset {} that became unstable",
        plural(strands as usize, "strand")
    )
}

impl Statistics {
    /// Takes in the time from one frame to the next.
    pub(crate) fn note_frame(&mut self, secs: f32) {
        average(&mut self.frame_secs, secs);
    }

    /// Takes in the time of simulating a frame: of all, and of each solver that is compared.
    pub(crate) fn note_simulation(&mut self, ms: f32, sides: impl Iterator<Item = f32>) {
        average(&mut self.sim_ms, ms);
        for (mean, ms) in self.side_ms.iter_mut().zip(sides) {
            average(mean, ms);
        }
    }
}

/// Adds a sample to a running mean over about the last half second; 0 is that of no samples.
fn average(mean: &mut f32, sample: f32) {
    let share = if *mean > 0.0 { 0.1 } else { 1.0 };
    *mean += share * (sample - *mean);
}
