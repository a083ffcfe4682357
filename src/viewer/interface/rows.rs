//! Rows of panels, and scales of colours.
//!
//! The row of a setting has a label, the value, a mark if it was changed, and a button that resets
//! it.

use crate::numbers::grouped;
use crate::viewer::input::action::Action;
use mohawk::settings::{Choice, Field};
use three_d::egui::emath::Numeric;
use three_d::egui::{self, Align2, Color32, FontId, RichText, Ui};

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

/// Shows a button for each action, with a name and a help text.
pub(crate) fn buttons<const N: usize>(
    ui: &mut Ui,
    buttons: [(&str, &str, Action); N],
    actions: &mut Vec<Action>,
) {
    for (name, help, action) in buttons {
        if button(ui, name, help) {
            actions.push(action);
        }
    }
}

/// Shows a label for each action, with a name and a help text, highlighted if it is chosen.
pub(crate) fn choices<'a, H: Into<egui::WidgetText>>(
    ui: &mut Ui,
    choices: impl IntoIterator<Item = (&'a str, H, bool, Action)>,
    actions: &mut Vec<Action>,
) {
    for (name, help, is_chosen, action) in choices {
        let label = ui.selectable_label(is_chosen, name);
        if label.on_hover_text(help).clicked() {
            actions.push(action);
        }
    }
}

/// Shows a switch that is on or off and asks for an action.
pub(crate) fn toggle(
    ui: &mut Ui,
    mut is_on: bool,
    (name, help, action): (&str, &str, Action),
    actions: &mut Vec<Action>,
) {
    let switch = ui.checkbox(&mut is_on, name).on_hover_text(help);
    if switch.clicked() {
        actions.push(action);
    }
}

/// Shows a slider from 0 to 1.
pub(crate) fn share<T: Numeric>(ui: &mut Ui, value: &mut T) -> egui::Response {
    let range = T::from_f64(0.0)..=T::from_f64(1.0);
    ui.add(egui::Slider::new(value, range).fixed_decimals(2))
}

/// Shows the first row of a panel: its title, the button of the cheat sheet at the right, and what
/// `add` shows between them, from right to left.
pub(crate) fn title(
    ui: &mut Ui,
    text: &str,
    actions: &mut Vec<Action>,
    add: impl FnOnce(&mut Ui, &mut Vec<Action>),
) {
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        ui.heading(RichText::new(text).color(ACCENT).strong());
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let sheet = ("?", "Keys and drags (F1)", Action::ToggleSheet);
            buttons(ui, [sheet], actions);
            add(ui, actions);
        });
    });
}

/// Shows a small grey text.
pub(crate) fn note(ui: &mut Ui, text: impl Into<String>) {
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

/// Shows a text field for the path of a file, which Enter opens.
pub(crate) fn path_row(ui: &mut Ui, path: &mut String, hint: &str, actions: &mut Vec<Action>) {
    let entered = text_field(ui, path, hint, f32::INFINITY);
    if entered && !path.trim().is_empty() {
        actions.push(Action::Load(path.trim().into()));
    }
}

/// Shows the button that records strokes, or saves the `recorded` ones.
pub(crate) fn record_strokes(
    ui: &mut Ui,
    recorded: Option<usize>,
    help: &str,
    actions: &mut Vec<Action>,
) {
    let text = match recorded {
        None => "Record strokes".to_owned(),
        Some(count) => format!("Save {count} strokes"),
    };
    buttons(ui, [(&*text, help, Action::ToggleStrokes)], actions);
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
            $($($crate::viewer::interface::rows::setting(
                $ui,
                &<$Settings>::$field,
                &mut $now.$field,
                &$was.$field,
                $crate::viewer::interface::rows::$kind,
            );)+)+
        }
    };
}
pub(crate) use rows;

/// Shows the slider of a setting that is a number.
pub(crate) fn number<T: Numeric>(ui: &mut Ui, field: &Field, value: &mut T) {
    let range = (field.slider.or(field.range)).unwrap_or([0.0, 1.0]);
    let range = range.map(f64::from);
    slider(ui, value, range, field.is_logarithmic, suffix(field.unit));
}

/// Shows a slider. A value outside the range is shown as it is and stays until it is edited.
pub(crate) fn slider<T: Numeric>(
    ui: &mut Ui,
    value: &mut T,
    range: [f64; 2],
    is_logarithmic: bool,
    suffix: &str,
) {
    let [low, high] = range.map(T::from_f64);
    let slider = egui::Slider::new(value, low..=high)
        .clamping(egui::SliderClamping::Edits)
        .logarithmic(is_logarithmic)
        .custom_formatter(|value, _| short(value))
        .suffix(suffix);
    ui.add(slider);
}

/// Shows the components of a setting that is a vector.
pub(crate) fn vector(ui: &mut Ui, field: &Field, value: &mut [f32; 3]) {
    ui.spacing_mut().item_spacing.x = 2.0;
    for component in value {
        let component = egui::DragValue::new(component).range(field.range());
        ui.add(component.speed(0.5).max_decimals(1));
    }
}

/// Shows the coordinates of a setting that is a place or a direction on the head.
pub(crate) fn place(ui: &mut Ui, field: &Field, value: &mut [f32; 3]) {
    ui.spacing_mut().item_spacing.x = 2.0;
    for coordinate in value {
        let coordinate = egui::DragValue::new(coordinate).range(field.range());
        ui.add(coordinate.speed(0.01).max_decimals(2));
    }
}

/// Shows the button of a setting that is a colour.
pub(crate) fn colored(ui: &mut Ui, _: &Field, value: &mut [f32; 3]) {
    color(ui, value);
}

/// Shows a switch.
pub(crate) fn switch(ui: &mut Ui, _: &Field, value: &mut bool) {
    ui.checkbox(value, "");
}

/// Shows the list of a choice.
pub(crate) fn choice<T: Choice>(ui: &mut Ui, field: &Field, value: &mut T) {
    combo(ui, field.key, value);
}

/// Shows a list of all choices.
pub(crate) fn combo<T: Choice>(ui: &mut Ui, id: &str, value: &mut T) {
    egui::ComboBox::from_id_salt(id)
        .selected_text(value.to_string())
        .show_ui(ui, |ui| {
            for &(choice, name, about) in T::TABLE {
                ui.selectable_value(value, choice, name)
                    .on_hover_text(about);
            }
        });
}

/// Shows a row with the label and the meaning of a setting.
pub(crate) fn setting<T: Clone + PartialEq>(
    ui: &mut Ui,
    field: &Field,
    value: &mut T,
    started: &T,
    add: impl FnOnce(&mut Ui, &Field, &mut T),
) {
    let help = field.meaning_with_range();
    row(ui, field.label, &help, value, started, |ui, value| {
        add(ui, field, value);
    });
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

/// Formats a number with three significant digits and without trailing zeros.
pub(crate) fn short(value: f64) -> String {
    let digits = match value {
        0.0 => 0,
        _ => (2 - value.abs().log10().floor() as i32).clamp(0, 6) as usize,
    };
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// Converts an sRGB colour, 0 to 1.
pub(crate) fn color32(srgb: [f32; 3]) -> Color32 {
    let [r, g, b] = srgb.map(|channel| (255.0 * channel).round() as u8);
    Color32::from_rgb(r, g, b)
}

/// Draws a strip of colours, sRGB, given at shares from 0 (left) to 1 (right), and texts under its
/// start, middle and end.
pub(crate) fn color_scale(
    painter: &egui::Painter,
    area: egui::Rect,
    color: impl Fn(f32) -> [f32; 3],
    labels: [(&str, Align2); 3],
    text_color: Color32,
) {
    const STEPS: u32 = 32;
    let mut strip = egui::Mesh::default();
    for step in 0..=STEPS {
        let share = step as f32 / STEPS as f32;
        let x = egui::lerp(area.x_range(), share);
        for y in [area.top(), area.bottom()] {
            strip.colored_vertex(egui::pos2(x, y), color32(color(share)));
        }
        if step > 0 {
            let last = 2 * step;
            strip.add_triangle(last - 2, last - 1, last);
            strip.add_triangle(last - 1, last, last + 1);
        }
    }
    painter.add(strip);
    for (share, (label, align)) in [0.0, 0.5, 1.0].into_iter().zip(labels) {
        let at = egui::pos2(egui::lerp(area.x_range(), share), area.bottom() + 1.0);
        painter.text(at, align, label, FontId::proportional(10.0), text_color);
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
        assert_eq!(written.join(" "), "0 0.0081 0.75 4 12.3 1234 0.333");
    }
}
