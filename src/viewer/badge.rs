//! What stands in a corner of the scene while time does not go as it does outside.

use super::overlay::window;
use super::speed::Speed;
use three_d::egui::{self, Align2, Rect, RichText};

/// Shows that time stands still, and where, or how slowly it goes.
pub(super) fn show(ctx: &egui::Context, area: Rect, paused: bool, speed: Speed, steps: u64) {
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
