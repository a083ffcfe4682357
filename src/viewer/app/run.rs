//! The passing of time: head and strands move.

use super::App;
use crate::viewer::input::pointer::Drag;
use crate::viewer::interface::badge;
use mohawk::sim::STEP_SECS;
use std::time::Instant;
use three_d::egui;

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

    /// Shows that time is paused or slow.
    pub(crate) fn show_badge(&self, ctx: &egui::Context, area: egui::Rect) {
        let steps = self.subject.sim().steps();
        badge::show(ctx, area, self.playback.paused, self.playback.speed, steps);
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
        if motion.playing().is_some() {
            // A scene is a function of simulated time.
            (self.subject).advance(elapsed_secs, &mut |time| motion.pose(time), recording);
        } else {
            // The pointer is sampled once a frame: the frame's steps interpolate its motion.
            let to = motion.pose(since);
            let pose_at = &mut |time: f64| {
                from.interpolate(&to, ((time - since) / (steps * STEP_SECS) + 1e-9).min(1.0))
            };
            self.subject.advance(elapsed_secs, pose_at, recording);
        }
        self.check_recording();
        let now = self.subject.sim().time_secs();
        self.playback.motion.finish_scene(now);
        if let Some(setup) = self.playback.motion.round_over(now) {
            self.restart(setup);
        }
        self.statistics
            .sim_ms
            .add(started.elapsed().as_secs_f32() * 1e3);
        for (average, moving) in self
            .statistics
            .side_ms
            .iter_mut()
            .zip(self.subject.simulations.each())
        {
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
}
