//! The actions of the laboratory: overlays, the marked strand, and the recording of its tip.

use super::App;
use crate::numbers::grouped;
use crate::viewer::files::tip_recording::{MAX_ROWS, TipRecording};
use crate::viewer::input::action::LabOverlay;
use crate::viewer::lab::{legend, missing};
use crate::viewer::paths::{free_name, shown};
use three_d::egui;

/// Height of the legend of roots with a gap under it, logical pixels.
const ROOTS_LEGEND: f32 = 168.0;

impl App {
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
}
