//! Texts that explain the interface: help where the pointer rests, and notes that keep their room.

use super::rows::{column, note};
use super::told::{Told, tell};
use three_d::egui::{self, Color32, Sense, Ui};

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
    part.help(help)
}

/// Shows a row with a label. The help is about all of the row.
pub(crate) fn labelled(
    ui: &mut Ui,
    width: f32,
    [label, help]: [&str; 2],
    add: impl FnOnce(&mut Ui),
) {
    let row = ui.horizontal(|ui| {
        let label = column(ui, width, |ui| ui.label(label));
        tell(&label, |node| node.set_description(help));
        add(ui);
    });
    explain(ui, &row.response, |ui| _ = ui.label(help));
}

/// Returns the place of the number of the last pass in which the pointer was on a part with help of
/// its own.
fn own_help_id() -> egui::Id {
    egui::Id::new("own help")
}

/// Shows a small grey text in the room that the longest of several takes, so that what follows stays
/// where it is.
pub(crate) fn steady_note<'a>(ui: &mut Ui, text: &str, all: impl IntoIterator<Item = &'a str>) {
    let font = egui::TextStyle::Small.resolve(ui.style());
    let width = ui.available_width();
    let height = |text: &str| {
        let text = text.to_owned();
        let color = Color32::PLACEHOLDER;
        let laid_out = ui.fonts_mut(|fonts| fonts.layout(text, font.clone(), color, width));
        laid_out.size().y
    };
    let height = all.into_iter().map(height).fold(0.0, f32::max);
    let top = ui.cursor().top();
    note(ui, text);
    ui.add_space((top + height + ui.spacing().item_spacing.y - ui.cursor().top()).max(0.0));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_a_note_stays_where_it_is() {
        let all = [
            "short",
            "one that is so long that it takes two lines or more in a narrow panel",
        ];
        let ctx = egui::Context::default();
        let below = all.map(|text| {
            let mut top = 0.0;
            _ = ctx.run_ui(egui::RawInput::default(), |ui| {
                ui.set_max_width(200.0);
                steady_note(ui, text, all);
                top = ui.cursor().top();
            });
            top
        });
        assert_eq!(below[0], below[1]);
    }
}
