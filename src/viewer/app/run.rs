//! The passing of time: head and strands move, background tasks go on, and what is measured of that.

use super::App;
use crate::viewer::background::TaskProgress;
use crate::viewer::input::Drag;
use crate::viewer::interface::window;
use crate::viewer::lab::graphs::{self, Costs, Sample};
use crate::viewer::playback::{Playback, Speed};
use crate::viewer::statistics::reset_text;
use crate::viewer::subject::simulations::ms_since;
use mohawk::sim::{STEP_SECS, Simulation};
use three_d::egui::{self, Align2};
use web_time::Instant;

/// The least width of a scene that the whole of the first hint fits into, logical pixels.
const HINT_WIDTH: f32 = 440.0;

impl App {
    /// Returns `true` if the head returns to rest by itself.
    fn is_returning(&self) -> bool {
        let held = matches!(self.pointer.drag, Some(Drag::Head(_)));
        self.playback.returns_to_rest && !held && self.playback.motion.playing().is_none()
    }

    /// Returns `true` if the next picture differs without input.
    pub(crate) fn is_animating(&self) -> bool {
        let sim = self.subject.sim();
        let now = sim.time_secs();
        !self.playback.paused
            && !self.styling.frozen
            && (!(self.subject.simulations.each()).all(|drawn| drawn.sim.is_settled())
                || sim.pose() != self.playback.motion.pose(now)
                || self.playback.motion.is_moving(self.is_returning(), now))
    }

    /// Returns when the picture changes next without input or motion.
    pub(crate) fn next_change(&self) -> Option<Instant> {
        let tasks = self.tasks().map(|task| task.shows_at);
        let overlay = self.overlay.messages.next_change();
        let (autosave, draft) = (self.autosave_due(), self.draft_ends());
        let others = [overlay, self.snapshot_due, autosave, draft];
        tasks.chain(others.into_iter().flatten()).min()
    }

    /// Returns the progress of the background tasks that matter to the user.
    pub(crate) fn tasks(&self) -> impl Iterator<Item = TaskProgress> {
        let (head, style) = (&self.loading.head, &self.loading.style);
        let planting = self.bald.task.progress();
        let planting = planting.filter(|_| self.awaits_bald_skin());
        let skin = self.skin.progress();
        let [ahead, measuring] = self.presets.preparing();
        let saving = self.presets.saving.progress();
        let (head, style) = (head.progress(), style.progress());
        let picture = self.view.picture.map(|picture| TaskProgress {
            name: "Saving the picture",
            share: self.subject.refined_share(),
            since: picture.since,
            shows_at: picture.since,
        });
        let tasks = [
            picture, head, style, saving, skin, planting, ahead, measuring,
        ];
        // The progress of a preset that was chosen is shown at once.
        let awaits_preset = self.awaits_preset();
        tasks.into_iter().flatten().map(move |task| TaskProgress {
            shows_at: match awaits_preset {
                true => task.since,
                false => task.shows_at,
            },
            ..task
        })
    }

    /// Advances the simulation by a frame of `elapsed_secs`. Hair at rest stays as it is to the bit,
    /// so that its picture goes on getting better, and so does hair whose picture is to be saved.
    pub(crate) fn advance(&mut self, elapsed_secs: f64) {
        if elapsed_secs > 0.0 {
            self.statistics.note_frame(elapsed_secs as f32);
        }
        if !self.is_animating() || self.view.picture.is_some() {
            return;
        }
        self.playback.running_secs += elapsed_secs;
        self.run_simulation(elapsed_secs * self.playback.speed.share());
    }

    /// Shows that hair is frozen, the step and time of a pause, and the speed of slow motion, in a
    /// corner of the scene.
    pub(crate) fn show_badge(&self, ctx: &egui::Context, area: egui::Rect) {
        let Playback { paused, speed, .. } = self.playback;
        let (is_slow, is_frozen) = (speed != Speed::default(), self.styling.frozen);
        if !paused && !is_slow && !is_frozen {
            return;
        }
        let steps = self.subject.sim().steps();
        let corner = egui::vec2(-16.0, 16.0);
        window(ctx, "badge", area, Align2::RIGHT_TOP, corner, |ui| {
            ui.horizontal(|ui| {
                if is_frozen {
                    ui.strong("hair is frozen (T)");
                }
                if is_frozen && (paused || is_slow) {
                    ui.separator();
                }
                if paused {
                    ui.strong("paused");
                    let secs = steps as f64 * STEP_SECS;
                    ui.monospace(format!("step {steps}, {secs:.3} s"));
                }
                if paused && is_slow {
                    ui.separator();
                }
                if is_slow {
                    ui.strong(format!("speed {}", speed.name()));
                }
            });
        });
    }

    /// Shows what is saved on pictures in motion, in a corner of the scene.
    pub(crate) fn show_reduced(&self, ctx: &egui::Context, area: egui::Rect) {
        let drawn = self.subject.stage.drawn_share();
        let reduced = self.statistics.detail.reduced(drawn);
        if let Some(reduced) = reduced.filter(|_| self.is_animating()) {
            let corner = egui::pos2(area.left() + 12.0, area.bottom() - 12.0);
            let text = egui::RichText::new(reduced).small();
            let text = text.color(egui::Color32::from_white_alpha(110));
            egui::Area::new(egui::Id::new("reduced"))
                .fixed_pos(corner)
                .pivot(Align2::LEFT_BOTTOM)
                .interactable(false)
                .show(ctx, |ui| {
                    // Beside the panel of a phone there is little room.
                    ui.set_max_width(area.width() - 24.0);
                    ui.add(egui::Label::new(text).wrap().selectable(false))
                });
        }
    }

    /// Returns what to do next on the head: draw a line that is asked for; or what a newcomer does
    /// first, until the picture or a setting is used.
    fn hint(&self, width: f32) -> Option<&'static str> {
        if self.pointer.line.is_some() {
            return Some("Draw the line on the head with the mouse (Esc cancels)");
        }
        let is_known = self.remembered.head_dragged || self.view.is_used || self.styling.on;
        let is_head = self.subject.head.is_some() && !self.subject.is_headless();
        (is_head && !is_known).then_some(match width > HINT_WIDTH {
            true => "👆  Drag the head. Drag beside it to look around",
            false => "👆  Drag the head",
        })
    }

    /// Shows what to do next on the head.
    pub(crate) fn show_hint(&self, ctx: &egui::Context, area: egui::Rect) {
        let Some(text) = self.hint(area.width()) else {
            return;
        };
        let at = egui::pos2(area.center().x, egui::lerp(area.y_range(), 0.84));
        egui::Area::new(egui::Id::new("hint"))
            .fixed_pos(at)
            .pivot(Align2::CENTER_CENTER)
            .interactable(false)
            .show(ctx, |ui| {
                let frame = egui::Frame::new()
                    .fill(egui::Color32::from_black_alpha(170))
                    .corner_radius(18)
                    .inner_margin(egui::Margin::symmetric(16, 8));
                frame.show(ui, |ui| {
                    // Beside the panel of a phone there is little room.
                    let size = if area.width() > HINT_WIDTH {
                        17.0
                    } else {
                        14.0
                    };
                    let text = egui::RichText::new(text).size(size).strong();
                    let text = text.color(egui::Color32::WHITE);
                    ui.add(egui::Label::new(text).extend().selectable(false));
                });
            });
    }

    pub(super) fn run_simulation(&mut self, elapsed_secs: f64) {
        if self.is_returning() {
            self.playback.motion.return_to_rest(elapsed_secs as f32);
        }
        let started = Instant::now();
        let sim = self.subject.sim();
        let motion = &self.playback.motion;
        // The pointer is sampled once a frame.
        let mut carried = sim.poses_to(elapsed_secs, motion.pose(sim.time_secs()));
        let (mut recording, mut watch) = (self.lab.recording.as_mut(), self.watch.as_mut());
        let is_watched = recording.is_some() || watch.is_some();
        let mut watch_all = |sim: &Simulation| {
            (recording.iter_mut()).for_each(|recording| recording.add(sim));
            watch.iter_mut().for_each(|watch| watch(sim));
        };
        let watch = is_watched.then_some(&mut watch_all as &mut dyn FnMut(&Simulation));
        let simulations = &mut self.subject.simulations;
        if motion.playing().is_some() {
            // A scene is a function of simulated time.
            simulations.advance(elapsed_secs, &mut |time| motion.pose(time), watch);
        } else {
            simulations.advance(elapsed_secs, &mut carried, watch);
        }
        self.check_recording();
        self.carry_view();
        let now = self.subject.sim().time_secs();
        if let Some(setup) = self.playback.motion.end_round(now) {
            self.restart(setup);
        }
        let sides = self.subject.simulations.each().map(|moving| moving.sim_ms);
        self.statistics.note_simulation(ms_since(started), sides);
        let broken = self.subject.reset_strands();
        if broken > self.statistics.reported_resets {
            self.overlay.notice(reset_text(broken));
            self.statistics.reported_resets = broken;
        }
    }

    /// Takes in the frame that has just been shown, if time has gone on. `costs`: what its parts
    /// took that the window knows of.
    pub(crate) fn note_frame(&mut self, mut costs: Costs) {
        let steps = self.subject.sim().steps();
        // At rest, frames are drawn only for input. Graphs leave them out.
        let goes_on = self.playback.paused || self.is_animating();
        if !goes_on || !self.statistics.graphs.wants(steps) {
            return;
        }
        let started = Instant::now();
        let mut sides = [None; 2];
        for (i, moving) in self.subject.simulations.each().enumerate() {
            sides[i] = Some(moving.sim.measures(graphs::MEASURED_STRANDS));
            costs.sim[i] = moving.sim_ms;
            costs.strands += moving.write_ms;
        }
        costs.panel += ms_since(started);
        let sample = Sample {
            steps,
            sides,
            costs,
        };
        self.statistics.graphs.add(sample);
    }

    /// Shows the graphs in a strip at the bottom of what is left of the window; gives its height.
    pub(crate) fn show_graphs(&mut self, ui: &mut egui::Ui) -> f32 {
        if !self.statistics.graphs.shown {
            return 0.0;
        }
        // In slow motion the graphs span less simulated time, so that they are slow too.
        let span = graphs::HISTORY_SECS * self.playback.speed.share();
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
