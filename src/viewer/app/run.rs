//! The passing of time: head and strands move, background tasks go on, and what is measured, marked
//! and recorded of that.

use super::App;
use crate::numbers::grouped;
use crate::viewer::background::TaskProgress;
use crate::viewer::files::tip_recording::{MAX_ROWS, TipRecording};
use crate::viewer::input::Drag;
use crate::viewer::input::action::LabOverlay;
use crate::viewer::interface::window;
use crate::viewer::lab::graphs::{self, Costs, Sample};
use crate::viewer::lab::{legend, missing};
use crate::viewer::paths::{free_name, shown};
use crate::viewer::playback::{Playback, Speed};
use crate::viewer::statistics::reset_text;
use crate::viewer::subject::simulations::ms_since;
use mohawk::sim::{STEP_SECS, Simulation};
use three_d::egui::{self, Align2};
use web_time::Instant;

/// The least width of a scene that the whole of the first hint fits into, logical pixels.
const HINT_WIDTH: f32 = 440.0;

/// Height of the legend of roots with a gap under it, logical pixels.
const ROOTS_LEGEND: f32 = 168.0;

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
        let overlay = self.overlay.next_change();
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

    /// Shows the legend of the marks.
    pub(crate) fn show_lab_legend(&self, ctx: &egui::Context, area: egui::Rect) {
        let roots = self.roots_view.switches.roots && self.subject.spacing().is_some();
        let below = if roots { ROOTS_LEGEND } else { 0.0 };
        legend::show(ctx, area, below, &self.lab);
    }

    /// Switches an overlay, or says why it has nothing to show.
    pub(super) fn toggle_lab(&mut self, overlay: LabOverlay) {
        let on = !self.lab.switches.is_on(overlay);
        if let (true, Some(why)) = (on, missing(overlay, &self.subject)) {
            return self.overlay.notice(format!("{}: {why}", overlay.name()));
        }
        self.lab.switches.set(overlay, on);
    }

    /// Marks the strand under the pointer, or none.
    pub(super) fn pick_strand(&mut self) {
        if self.lab.recording.is_some() {
            let text = "A strand is being recorded: Shift+C ends that";
            return self.overlay.notice(text);
        }
        let Some(pointer) = self.pointer.at else {
            return;
        };
        let found = self.pick(pointer).strand();
        let before = std::mem::replace(&mut self.lab.switches.picked, found);
        if before.is_none() && found.is_none() {
            self.overlay.notice("Point at a strand to mark it");
        }
    }

    /// Begins to record the tip of the strand that is marked, else of the one under the pointer; or
    /// ends that.
    pub(super) fn toggle_recording(&mut self) {
        if self.lab.recording.is_some() {
            return self.end_recording("");
        }
        if self.lab.switches.picked.is_none() {
            self.pick_strand();
        }
        let Some(strand) = self.lab.switches.picked else {
            return;
        };
        let path = free_name("mohawk", "csv");
        let place = shown(&path);
        match TipRecording::start(path, strand) {
            Ok(recording) => {
                self.lab.recording = Some(recording);
                self.overlay
                    .notice(format!("Recording the tip of strand {strand} to {place}"));
            }
            Err(why) => self
                .overlay
                .error(format!("Cannot record to {place}: {why}")),
        }
    }

    /// Ends a recording that can go no further.
    pub(super) fn check_recording(&mut self) {
        let Some(recording) = &mut self.lab.recording else {
            return;
        };
        if let Some(why) = recording.problem.take() {
            let place = shown(&recording.path);
            self.lab.recording = None;
            let text = format!("Cannot go on recording to {place}: {why}");
            return self.overlay.error(text);
        }
        let root = self.subject.sim().root_at_rest(recording.strand);
        if root.is_none() || recording.root.is_some() && recording.root != root {
            self.end_recording("The strand is gone. ");
        } else if recording.rows >= MAX_ROWS {
            self.end_recording("Ten minutes are over. ");
        }
    }

    /// Writes what has been recorded, and says where it is.
    pub(crate) fn end_recording(&mut self, why: &str) {
        let Some(recording) = self.lab.recording.take() else {
            return;
        };
        let (place, rows) = (shown(&recording.path), grouped(recording.rows));
        match recording.save() {
            Ok(()) => self.overlay.notice(format!(
                "{why}Saved {place}: {rows} rows, one every 1/240 s"
            )),
            Err(error) => self.overlay.error(format!("Cannot save {place}: {error}")),
        }
    }

    /// Turns the camera to the largest gap, from straight above, if it is known.
    pub(super) fn face_gap(&mut self) {
        /// The height of the picture, in spacings.
        const SPACINGS: f32 = 24.0;
        let ring = self.roots_view.ring.zip(self.subject.spacing());
        if let Some((ring, spacing)) = ring {
            let pose = self.subject.sim().drawn_pose().to_mat4();
            let center = pose.transform_point3(ring.center);
            let normal = pose.transform_vector3(ring.normal);
            self.view.camera.face(center, normal, SPACINGS * spacing);
        }
    }
}
