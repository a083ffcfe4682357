//! Time that passes: head, strands, and how long they take.

use super::App;
use crate::viewer::input::pointer::Drag;
use crate::viewer::interface::badge;
use crate::viewer::interface::overlay::MessageKind;
use crate::viewer::playback::speed::Speed;
use mohawk::sim::STEP_SECS;
use std::time::Instant;
use three_d::egui;

/// A running mean that follows the last half second or so.
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

impl App {
    /// The head is let go of and on its way back by itself.
    fn is_returning(&self) -> bool {
        let held = matches!(self.dragging, Some(Drag::Head(_)));
        self.returns_to_rest && !held && self.motion.playing().is_none()
    }

    /// Will the next picture differ although no event comes?
    pub(crate) fn is_animating(&self) -> bool {
        let sim = self.subject.sim();
        let now = sim.time_secs();
        !self.paused
            && !self.styling.frozen
            && (!self.subject.is_settled()
                || sim.pose() != self.motion.pose(now)
                || self.motion.is_moving(self.is_returning(), now))
    }

    /// Advances the simulation by a frame of `elapsed_secs`.
    pub(crate) fn advance(&mut self, elapsed_secs: f64) {
        if elapsed_secs > 0.0 {
            self.frame_secs.add(elapsed_secs as f32);
        }
        if self.paused || self.styling.frozen {
            return;
        }
        self.going_secs += elapsed_secs;
        self.run_simulation(elapsed_secs * self.speed.share());
    }

    pub(super) fn set_speed(&mut self, speed: Speed) {
        self.speed = speed;
        tracing::info!("speed {}", speed.name());
        self.log_time();
    }

    /// What tests go by: simulated time against that of the frames in which it went on.
    pub(super) fn log_time(&self) {
        let steps = self.subject.sim().steps();
        let state = if self.paused { "paused" } else { "going" };
        let frames = self.going_secs;
        tracing::info!("{state} at step {steps}, after {frames:.4} s of frames");
    }

    /// Shows that time does not go as it does outside.
    pub(crate) fn show_badge(&self, ctx: &egui::Context, area: egui::Rect) {
        let steps = self.subject.sim().steps();
        badge::show(ctx, area, self.paused, self.speed, steps);
    }

    pub(super) fn run_simulation(&mut self, elapsed_secs: f64) {
        if self.is_returning() {
            self.motion.return_to_rest(elapsed_secs as f32);
        }
        let started = Instant::now();
        let sim = self.subject.sim();
        let (from, since) = (sim.pose(), sim.time_secs());
        let steps = f64::from(sim.steps_in(elapsed_secs).max(1));
        let motion = &self.motion;
        let recording = self.lab.recording.as_mut();
        if motion.playing().is_some() {
            // A scene is a function of simulated time.
            (self.subject).advance(elapsed_secs, &mut |time| motion.pose(time), recording);
        } else {
            // The hand is sampled once a frame; the frame's steps share its way out evenly.
            let to = motion.pose(since);
            let pose_at = &mut |time: f64| {
                from.interpolate(&to, ((time - since) / (steps * STEP_SECS) + 1e-9).min(1.0))
            };
            self.subject.advance(elapsed_secs, pose_at, recording);
        }
        self.check_recording();
        let now = self.subject.sim().time_secs();
        self.motion.finish_scene(now);
        if let Some(staging) = self.motion.round_over(now) {
            self.restart(staging);
        }
        self.sim_ms.add(started.elapsed().as_secs_f32() * 1e3);
        for (average, moving) in self.side_ms.iter_mut().zip(self.subject.moving().each()) {
            average.add(moving.sim_ms);
        }
        let broken = self.subject.reset_strands();
        if broken > self.told_broken {
            let text =
                format!("{broken} strands lost their place (not a number) and were put back");
            self.overlay.say(MessageKind::Notice, text);
            self.told_broken = broken;
        }
    }
}
