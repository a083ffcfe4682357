//! Rows of the panel: a label, a value, a mark if it was changed and a button that resets it.

use crate::numbers::grouped;
use crate::viewer::input::action::Action;
use mohawk::settings::{Choice, Field};
use three_d::egui::{self, Color32, RichText, Ui};

/// The accent colour of the interface. It marks changed values.
pub(crate) const ACCENT: Color32 = Color32::from_rgb(255, 120, 170);

/// The width of the labels of rows, logical pixels.
pub(crate) const LABEL_WIDTH: f32 = 104.0;

/// Shows a section that can be folded.
pub(crate) fn section(ui: &mut Ui, title: &str, open: bool, add: impl FnOnce(&mut Ui)) {
    egui::CollapsingHeader::new(RichText::new(title).strong())
        .default_open(open)
        .show(ui, add);
}

/// Shows a button and returns whether it was clicked.
pub(crate) fn button(ui: &mut Ui, text: &str, help: &str) -> bool {
    ui.button(text).on_hover_text(help).clicked()
}

/// Shows a button that can be disabled, and returns whether it was clicked.
pub(crate) fn button_if(ui: &mut Ui, is_enabled: bool, text: &str, help: &str) -> bool {
    let button = ui.add_enabled(is_enabled, egui::Button::new(text));
    button.on_hover_text(help).clicked()
}

/// Shows a small grey text.
pub(crate) fn note(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).small().weak());
}

/// Shows `add` in a column of a fixed width, so that what follows is aligned.
pub(crate) fn column<T>(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui) -> T) -> T {
    let size = egui::vec2(width, ui.spacing().interact_size.y);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let column = ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_width(size.x);
        add(ui)
    });
    column.inner
}

/// Shows a row with a label.
pub(crate) fn labelled(
    ui: &mut Ui,
    width: f32,
    [label, help]: [&str; 2],
    add: impl FnOnce(&mut Ui),
) {
    ui.horizontal(|ui| {
        column(ui, width, |ui| ui.label(label).on_hover_text(help));
        add(ui);
    });
}

/// Shows a text field and returns whether Enter was pressed in it.
pub(crate) fn text_field(ui: &mut Ui, text: &mut String, hint: &str, width: f32) -> bool {
    let field = egui::TextEdit::singleline(text).hint_text(hint);
    let response = ui.add(field.desired_width(width));
    response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter))
}

/// Shows the buttons for undo and redo with the number of steps of each.
pub(crate) fn undo_redo(ui: &mut Ui, [done, undone]: [usize; 2], actions: &mut Vec<Action>) {
    for (name, key, count, action) in [
        ("Undo", "Ctrl+Z", done, Action::Undo),
        ("Redo", "Ctrl+Shift+Z", undone, Action::Redo),
    ] {
        if button_if(ui, count > 0, &format!("{name} ({})", grouped(count)), key) {
            actions.push(action);
        }
    }
}

/// Shows a button that is highlighted while it is chosen, and returns whether it was clicked.
pub(crate) fn tool_button(
    ui: &mut Ui,
    size: [f32; 2],
    is_chosen: bool,
    [name, help]: [&str; 2],
) -> bool {
    let text = match is_chosen {
        true => RichText::new(name).strong().color(ACCENT),
        false => RichText::new(name),
    };
    let button = egui::Button::selectable(is_chosen, text).frame_when_inactive(true);
    ui.add_sized(size, button).on_hover_text(help).clicked()
}

/// Shows a labelled row, with a mark and a reset button if the value was changed.
pub(crate) fn row<T: Clone + PartialEq>(
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
        column(ui, LABEL_WIDTH, |ui| ui.label(text).on_hover_text(help));
        add(ui, value);
        if changed && ui.small_button("⟲").on_hover_text("Reset").clicked() {
            *value = started.clone();
        }
    });
}

/// Shows the rows of several settings: `rows!(ui, Settings, now, was; number: a, b; switch: c)`.
macro_rules! rows {
    ($ui:expr, $Settings:ty, $now:expr, $was:expr; $($kind:ident: $($field:ident),+);+) => {
        {
            $($($crate::viewer::interface::rows::$kind(
                $ui,
                &<$Settings>::$field,
                &mut $now.$field,
                &$was.$field,
            );)+)+
        }
    };
}
pub(crate) use rows;

/// Shows the row of a setting that is a number.
pub(crate) fn number(ui: &mut Ui, field: &Field, value: &mut f32, started: &f32) {
    setting(ui, field, value, started, |ui, value| {
        let [low, high] = (field.slider.or(field.range)).unwrap_or([0.0, 1.0]);
        slider(
            ui,
            value,
            low..=high,
            field.is_logarithmic,
            suffix(field.unit),
        );
    });
}

/// Shows the row of a setting that is a vector.
pub(crate) fn vector(ui: &mut Ui, field: &Field, value: &mut [f32; 3], started: &[f32; 3]) {
    setting(ui, field, value, started, |ui, value| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for component in value {
            let component = egui::DragValue::new(component).range(field.range());
            ui.add(component.speed(0.5).max_decimals(1));
        }
    });
}

/// Shows the row of a setting that is a colour.
pub(crate) fn colored(ui: &mut Ui, field: &Field, value: &mut [f32; 3], started: &[f32; 3]) {
    setting(ui, field, value, started, color);
}

/// Shows the row of a switch.
pub(crate) fn switch(ui: &mut Ui, field: &Field, value: &mut bool, started: &bool) {
    setting(ui, field, value, started, |ui, value| {
        ui.checkbox(value, "");
    });
}

/// Shows the row of a choice.
pub(crate) fn choice<T: Choice>(ui: &mut Ui, field: &Field, value: &mut T, started: &T) {
    setting(ui, field, value, started, |ui, value| {
        combo(ui, field.key, value);
    });
}

/// Shows a list of all choices.
pub(crate) fn combo<T: Choice>(ui: &mut Ui, id: &str, value: &mut T) {
    egui::ComboBox::from_id_salt(id)
        .selected_text(value.name())
        .show_ui(ui, |ui| {
            for &choice in T::all() {
                ui.selectable_value(value, choice, choice.name())
                    .on_hover_text(choice.about());
            }
        });
}

/// Shows a row with the label and the meaning of a setting.
pub(crate) fn setting<T: Clone + PartialEq>(
    ui: &mut Ui,
    field: &Field,
    value: &mut T,
    started: &T,
    add: impl FnOnce(&mut Ui, &mut T),
) {
    row(
        ui,
        field.label,
        &field.meaning_with_range(),
        value,
        started,
        add,
    );
}

/// Returns a unit as it follows the number of a slider.
fn suffix(unit: &str) -> &'static str {
    match unit {
        "decimetres" => " dm",
        "degrees" => "°",
        "pixels" => " px",
        "seconds" => " s",
        "dm/s" => " dm/s",
        "1/s" => " /s",
        "1/s^2" => " /s²",
        _ => "",
    }
}

/// Shows a slider. A value outside its range is shown as it is and stays until it is edited.
pub(crate) fn slider(
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

/// Formats a number with three significant digits and without trailing zeros.
pub(crate) fn short(value: f64) -> String {
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

/// Shows a button that opens a colour picker.
pub(crate) fn color(ui: &mut Ui, srgb: &mut [f32; 3]) {
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
