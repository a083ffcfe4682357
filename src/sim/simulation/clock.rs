//! The clock: whole fixed steps from uneven frame times, and what the head does in them.

use crate::sim::contact::Contacts;
use crate::sim::sdf::Bend;
use crate::sim::solvers::Step;
use crate::sim::{Pose, STEP_SECS, STEPS_PER_SEC, SimSettings};

/// The longest frame that is caught up with, seconds; the rest is dropped, as after a sleep of the
/// computer. These are 60 steps, which even a million strands finish before the next frame.
const MAX_ELAPSED_SECS: f64 = 0.25;

/// A frame that ends this close to a step, in steps (about 4 ns), includes the step. Frame times
/// are rounded; otherwise 60 frames per second would sometimes run 3 and then 5 steps instead of 4.
const TOLERANCE_STEPS: f64 = 1e-6;

/// Returns the number of steps to take for a frame, the first at time 0, and the place of the frame
/// between the last two of them, 0 to 1. A frame that is this close to a step shows it.
pub fn frame_place(frame: u32, fps: f64) -> (u64, f64) {
    let place = f64::from(frame) / fps / STEP_SECS;
    let steps = (place - TOLERANCE_STEPS).ceil().max(0.0) as u64;
    match (1.0 - (steps as f64 - place)).clamp(0.0, 1.0) {
        alpha if alpha > 1.0 - TOLERANCE_STEPS => (steps, 1.0),
        alpha => (steps, alpha),
    }
}

/// A step that the head takes.
pub(crate) struct Tick {
    /// The head's poses before and after it.
    pub(crate) poses: [Pose; 2],
    /// The time at its end, seconds.
    pub(crate) time_secs: f64,
    /// The motion of skin on the head, and the number of steps after this one in which it goes on
    /// as it moves now.
    pub(crate) bend: Option<Bend>,
    pub(crate) skin_left: u64,
}

impl Tick {
    /// Returns the step among obstacles.
    pub(crate) fn step(&self, settings: &SimSettings, contacts: &Contacts) -> Step {
        let ([from, to], mut contacts) = (self.poses, contacts.clone());
        contacts.bend = self.bend.clone();
        Step {
            skin_left: self.skin_left as f32,
            ..Step::new(from, to, self.time_secs, settings, &contacts)
        }
    }
}

/// Counts whole steps. The remainder of a frame waits for the next one.
///
/// Time is the integer count over 240 and does not drift; only the remainder is a running sum.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    /// The number of steps.
    pub(crate) steps: u64,
    /// The pending frame time in steps, from just below 0 to 1.
    remainder: f64,
}

impl Clock {
    /// Returns the pending time after a frame, in steps.
    pub(crate) fn with(&self, elapsed_secs: f64) -> f64 {
        if elapsed_secs.is_nan() || elapsed_secs <= 0.0 {
            return self.remainder;
        }
        self.remainder + elapsed_secs.min(MAX_ELAPSED_SECS) * STEPS_PER_SEC
    }

    /// Returns the number of steps that a frame would run.
    pub(crate) fn steps_in(&self, elapsed_secs: f64) -> u32 {
        (self.with(elapsed_secs) + TOLERANCE_STEPS).floor() as u32
    }

    /// Adds the time of a frame and returns the number of steps to run. Negative and non-finite
    /// times count as 0.
    pub(crate) fn take(&mut self, elapsed_secs: f64) -> u32 {
        let count = self.steps_in(elapsed_secs);
        self.remainder = self.with(elapsed_secs) - f64::from(count);
        count
    }

    /// Counts one step and returns the simulated time at its end, seconds.
    pub(crate) fn step(&mut self) -> f64 {
        self.steps += 1;
        self.time_secs()
    }

    /// Returns the simulated time, seconds.
    pub(crate) fn time_secs(&self) -> f64 {
        self.steps as f64 * STEP_SECS
    }

    /// Returns the position between the last two states to draw, 0 to 1.
    pub(crate) fn alpha(&self) -> f64 {
        if self.remainder < TOLERANCE_STEPS {
            0.0
        } else {
            self.remainder.min(1.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_frame_rates_run_the_same_steps() {
        for fps in [
            1, 5, 10, 15, 24, 25, 30, 48, 50, 60, 75, 90, 120, 144, 240, 1000,
        ] {
            let mut clock = Clock::default();
            let mut steps = 0;
            for frame in 1..=60 * fps {
                // Slow renderers pass a long frame in parts.
                let parts = if fps < 4 { 4 } else { 1 };
                for _ in 0..parts {
                    steps += u64::from(clock.take(1.0 / f64::from(fps * parts)));
                }
                let due = f64::from(frame) * 240.0 / f64::from(fps) + 1e-6;
                assert_eq!(steps, due.floor() as u64, "{fps} fps, frame {frame}");
            }
            assert_eq!(steps, 60 * 240);
        }
    }

    #[test]
    fn long_frames_are_cut_and_time_does_not_drift() {
        let mut clock = Clock::default();
        for (elapsed_secs, steps, alpha) in [
            (3.0, 60, 0.0),
            (f64::INFINITY, 60, 0.0),
            (-1.0, 0, 0.0),
            (f64::NAN, 0, 0.0),
            (f64::NEG_INFINITY, 0, 0.0),
            (STEP_SECS / 2.0, 0, 0.5),
            (STEP_SECS / 2.0, 1, 0.0),
        ] {
            assert_eq!((clock.take(elapsed_secs), clock.alpha()), (steps, alpha));
        }
        assert_eq!((0..240 * 3600).map(|_| clock.step()).last(), Some(3600.0));
    }
}
