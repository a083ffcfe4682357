//! How the head moves and how fast time runs: the head's pose by hand or by scene, slow motion.

pub(crate) mod head_motion;

use head_motion::HeadMotion;
use mohawk::sim::Simulation;

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

/// The speeds as shares of real time, and their names.
const SHARES: [(f64, &str); 5] = [
    (1.0, "1"),
    (0.5, "1/2"),
    (0.25, "1/4"),
    (0.1, "1/10"),
    (1.0 / 30.0, "1/30"),
];

/// One of a few speeds. The first is real time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Speed(usize);

impl Speed {
    /// Returns every speed, the fastest first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..SHARES.len()).map(Self)
    }

    /// Returns the simulated seconds per second.
    pub(crate) fn share(self) -> f64 {
        SHARES[self.0].0
    }

    /// Returns the name.
    pub(crate) fn name(self) -> &'static str {
        SHARES[self.0].1
    }

    /// Whether it is slower than real time.
    pub(crate) fn is_slow(self) -> bool {
        self != Self::default()
    }

    /// Returns the next slower speed, or the slowest.
    pub(crate) fn slower(self) -> Self {
        Self((self.0 + 1).min(SHARES.len() - 1))
    }

    /// Returns the next faster speed, or the fastest.
    pub(crate) fn faster(self) -> Self {
        Self(self.0.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_fall_and_stop_at_their_ends() {
        let all: Vec<_> = Speed::all().collect();
        assert_eq!(all[0], Speed::default());
        assert_eq!((all[0].share(), all[0].faster()), (1.0, all[0]));
        for pair in all.windows(2) {
            assert!(pair[0].share() > pair[1].share() && pair[1].is_slow());
            assert_eq!((pair[0].slower(), pair[1].faster()), (pair[1], pair[0]));
        }
        let slowest = all[all.len() - 1];
        assert_eq!(slowest.slower(), slowest);
    }
}
