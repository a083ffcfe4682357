//! Rows of the panel: a label, one value, a mark where it has changed and a way back.

use three_d::egui::{self, Color32, RichText, Ui};

/// The program's colour in the interface; marks changed values.
pub(super) const ACCENT: Color32 = Color32::from_rgb(255, 120, 170);

/// Width of the labels of rows, logical pixels.
pub(super) const LABEL_WIDTH: f32 = 104.0;

pub(super) fn section(ui: &mut Ui, title: &str, open: bool, add: impl FnOnce(&mut Ui)) {
    egui::CollapsingHeader::new(RichText::new(title).strong())
        .default_open(open)
        .show(ui, add);
}

/// One labelled row with a mark and a way back when the value has changed.
pub(super) fn row<T: Clone + PartialEq>(
    ui: &mut Ui,
    label: &str,
    help: &str,
    value: &mut T,
    started: &T,
    add: impl FnOnce(&mut Ui, &mut T),
) {
    ui.horizontal(|ui| {
        let changed = value != started;
        let text = RichText::new(label);
        let text = if changed { text.color(ACCENT) } else { text };
        let size = egui::vec2(LABEL_WIDTH, ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(
            size,
            egui::Layout::left_to_right(egui::Align::Center),
            |ui| {
                ui.set_min_width(size.x);
                ui.label(text).on_hover_text(help);
            },
        );
        add(ui, value);
        if changed && ui.small_button("⟲").on_hover_text("Put it back").clicked() {
            *value = started.clone();
        }
    });
}

/// A slider that shows a value outside its range as it is: looking must not change it.
pub(super) fn slider(
    ui: &mut Ui,
    value: &mut f32,
    range: std::ops::RangeInclusive<f32>,
    logarithmic: bool,
    unit: &str,
) {
    ui.add(
        egui::Slider::new(value, range)
            .clamping(egui::SliderClamping::Edits)
            .logarithmic(logarithmic)
            .custom_formatter(|value, _| short(value))
            .suffix(unit),
    );
}

/// Three significant digits, without trailing zeros.
pub(super) fn short(value: f64) -> String {
    let digits = if value == 0.0 {
        0
    } else {
        (2 - value.abs().log10().floor() as i32).clamp(0, 6) as usize
    };
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

pub(super) fn color(ui: &mut Ui, srgb: &mut [f32; 3]) {
    let mut bytes = srgb.map(|c| (c * 255.0).round() as u8);
    if ui.color_edit_button_srgb(&mut bytes).changed() {
        *srgb = bytes.map(|b| f32::from(b) / 255.0);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn values_are_short() {
        let written = [0.0, 0.0081, 0.75, 4.0, 12.34, 1234.5, 1.0 / 3.0].map(super::short);
        assert_eq!(
            written,
            ["0", "0.0081", "0.75", "4", "12.3", "1234", "0.333"]
        );
    }
}
