//! The badge in a corner of the scene while time is paused or slowed down.

use crate::viewer::interface::overlay::window;
use crate::viewer::playback::Speed;
use three_d::egui::{self, Align2, Rect, RichText};

/// Shows the step and time of a pause, and the speed of slow motion.
pub(crate) fn show(ctx: &egui::Context, area: Rect, paused: bool, speed: Speed, steps: u64) {
    if !paused && !speed.is_slow() {
        return;
    }
    let corner = egui::vec2(-16.0, 16.0);
    window(ctx, "badge", area, Align2::RIGHT_TOP, corner, |ui| {
        ui.horizontal(|ui| {
            if paused {
                ui.label(RichText::new("paused").strong());
                let secs = steps as f64 * mohawk::sim::STEP_SECS;
                let at = RichText::new(format!("step {steps}, {secs:.3} s"));
                ui.label(at.monospace());
            }
            if paused && speed.is_slow() {
                ui.separator();
            }
            if speed.is_slow() {
                ui.label(RichText::new(format!("speed {}", speed.name())).strong());
            }
        });
    });
}
