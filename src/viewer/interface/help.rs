//! Texts that explain the interface: help where the pointer rests, and notes that keep their room.

use three_d::egui::{self, Sense, Ui};

/// The largest width of help, logical pixels.
const HELP_WIDTH: f32 = 300.0;

/// Explains what was shown as soon as the pointer rests on any part of it that has no
/// [help of its own](own_help).
pub(crate) fn explain(ui: &Ui, shown: &egui::Response, add: impl FnOnce(&mut Ui)) {
    let has_own = ui.data(|data| data.get_temp(own_help_id()));
    // On top of the controls: under them the pointer would not be noticed.
    let area = ui.interact(shown.rect, shown.id.with("help"), Sense::hover());
    if has_own != Some(ui.ctx().cumulative_pass_nr()) {
        area.on_hover_ui(|ui| {
            ui.set_max_width(HELP_WIDTH);
            add(ui);
        });
    }
}

/// Explains a part of what [`explain`] is about.
pub(crate) fn own_help(part: egui::Response, help: impl Into<egui::WidgetText>) -> egui::Response {
    if part.hovered() {
        let pass = part.ctx.cumulative_pass_nr();
        (part.ctx).data_mut(|data| data.insert_temp(own_help_id(), pass));
    }
    part.on_hover_text(help)
}

/// Returns the place of the number of the last pass in which the pointer was on a part with help of
/// its own.
fn own_help_id() -> egui::Id {
    egui::Id::new("own help")
}
