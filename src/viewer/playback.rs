//! How the head moves and how fast time runs: the head's pose by hand or by scene, slow motion.

pub(crate) mod head_motion;
pub(crate) mod speed;

use head_motion::HeadMotion;
use mohawk::sim::Simulation;
use speed::Speed;

/// The motion of the head, and the passing of time.
#[derive(Default)]
pub(crate) struct Playback {
    pub(crate) motion: HeadMotion,
    /// Whether the head returns to rest when it is let go of.
    pub(crate) returns_to_rest: bool,
    pub(crate) paused: bool,
    pub(crate) speed: Speed,
    /// The sum of the frames' durations while time went on, seconds.
    pub(crate) running_secs: f64,
}

impl Playback {
    pub(crate) fn set_speed(&mut self, speed: Speed, sim: &Simulation) {
        self.speed = speed;
        tracing::info!("speed {}", speed.name());
        self.log_time(sim);
    }

    pub(crate) fn toggle_pause(&mut self, sim: &Simulation) {
        self.paused = !self.paused;
        self.log_time(sim);
    }

    /// Logs simulated time and the frames' durations, which tests compare.
    pub(crate) fn log_time(&self, sim: &Simulation) {
        let steps = sim.steps();
        let state = if self.paused { "paused" } else { "going" };
        let secs = self.running_secs;
        tracing::info!("{state} at step {steps}, after {secs:.4} s of frames");
    }
}
