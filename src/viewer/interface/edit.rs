//! Rows of settings: a label that explains itself, the value, a mark if it was changed, and a button
//! that resets it.

use super::color::code_of;
use super::expression::{evaluate, parser};
use super::eyedropper::scene_color;
use super::help::{explain, own_help};
use super::rows::{LABEL_WIDTH, accent, column, short};
use super::told::{Told, tell};
use crate::numbers::grouped;
use mohawk::settings::{AnyChoice, Editor, Field};
use three_d::egui::emath::Numeric;
use three_d::egui::{self, RichText, Ui};

/// The width of the box of a number, logical pixels: of `0.0081 dm` and `1000 /s²`.
const VALUE_WIDTH: f32 = 64.0;
/// The room for the button that resets, logical pixels. It is always left, so that nothing moves.
const RESET_WIDTH: f32 = 20.0;

/// Shows the rows of several settings: `rows!(ui, Settings, now, was; a, b)`.
macro_rules! rows {
    ($ui:expr, $Settings:ty, $now:expr, $was:expr; $($field:ident),+) => {
        {
            $($crate::viewer::interface::edit::setting(
                $ui,
                &<$Settings>::$field,
                mohawk::settings::Value::editor(&mut $now.$field, &$was.$field),
            );)+
        }
    };
}
pub(crate) use rows;

/// Shows the row of a setting.
pub(crate) fn setting(ui: &mut Ui, field: &Field, mut editor: Editor<'_>) {
    let is_changed = editor.is_changed();
    let texts = [&*field.name(), &*field.meaning()];
    let resets = framed(ui, texts, is_changed, about(field), |ui| {
        edit(ui, field, &mut editor);
    });
    if resets {
        editor.reset();
    }
}

/// Shows a row with a label and a meaning, with a mark and a reset button if the value was changed.
pub(crate) fn row<T: Clone + PartialEq>(
    ui: &mut Ui,
    texts: [&str; 2],
    value: &mut T,
    started: &T,
    add: impl FnOnce(&mut Ui, &mut T),
) {
    let about = |ui: &mut Ui| _ = ui.label(texts[1]);
    if framed(ui, texts, value != started, about, |ui| {
        add(ui, value);
    }) {
        *value = started.clone();
    }
}

/// Shows a label, what `add` shows, and a reset button if the value was changed. Returns whether it
/// was clicked. Screen readers get the label and its meaning.
fn framed(
    ui: &mut Ui,
    [label, meaning]: [&str; 2],
    is_changed: bool,
    about: impl FnOnce(&mut Ui),
    add: impl FnOnce(&mut Ui),
) -> bool {
    let row = ui.horizontal(|ui| {
        let text = RichText::new(label);
        let text = match is_changed {
            true => text.color(accent(ui)),
            false => text,
        };
        let label = egui::Label::new(text).truncate();
        let label = label.show_tooltip_when_elided(false);
        let label = column(ui, LABEL_WIDTH, |ui| ui.add(label));
        tell(&label, |node| node.set_description(meaning));
        let gap = ui.spacing().item_spacing.x;
        column(ui, ui.available_width() - RESET_WIDTH - gap, |ui| {
            ui.spacing_mut().combo_width = ui.available_width();
            add(ui);
        });
        let help = "Reset to the value at the start";
        let size = [RESET_WIDTH, ui.spacing().interact_size.y];
        let button = egui::Button::new("⟲").small();
        is_changed && own_help(ui.add_sized(size, button), help).clicked()
    });
    explain(ui, &row.response, about);
    row.inner
}

/// Returns what shows the meaning, range, default and key of a setting.
fn about(field: &Field) -> impl FnOnce(&mut Ui) {
    move |ui| {
        ui.strong(field.name());
        ui.label(field.meaning());
        let facts = facts(field);
        if !facts.is_empty() {
            ui.label(RichText::new(facts).weak());
        }
        ui.label(RichText::new(field.key).monospace().small().weak());
    }
}

/// Returns range, unit and default of a setting in words.
fn facts(field: &Field) -> String {
    let default = (field.default)();
    let channels = default
        .split(", ")
        .map_while(|channel| channel.parse().ok());
    if let (true, &[r, g, b]) = (is_color(field), &channels.collect::<Vec<f32>>()[..]) {
        return format!("A colour, by default {}", code_of([r, g, b]));
    }
    let words = match field.unit {
        "dm/s" => "decimetres per second",
        "dm/s^2" => "decimetres per second squared",
        "dm^4/s^2" => "dm⁴ per second squared",
        "1/s" => "per second",
        "1/s^2" => "per second squared",
        unit => unit,
    };
    match field.unit {
        "" => field.range_and_default(),
        unit => field.range_and_default().replacen(unit, words, 1),
    }
}

fn is_color(field: &Field) -> bool {
    field.key.ends_with("color")
}

/// Shows the value of a setting.
fn edit(ui: &mut Ui, field: &Field, editor: &mut Editor<'_>) {
    match editor {
        Editor::Number(value, _) => number(ui, field, *value),
        Editor::Count(value, _) => number(ui, field, *value),
        Editor::Switch(value, _) => _ = ui.checkbox(value, ""),
        Editor::Vector(value, _) if is_color(field) => scene_color(ui, value),
        Editor::Vector(value, _) => vector(ui, field, value),
        Editor::Points(points, _) => self::points(ui, field, points),
        Editor::Stops(stops, _) => self::stops(ui, stops),
        Editor::Curves(curves, _) => self::curves(ui, curves),
        Editor::Choice(value, _) => combo(ui, field.key, *value),
    }
}

/// Shows the slider and the box of a setting that is a number.
fn number<T: Numeric>(ui: &mut Ui, field: &Field, value: &mut T) {
    let suffix = suffix(field.unit);
    match field.slider.or(field.range) {
        None => {
            let value =
                egui::DragValue::new(value).custom_parser(move |text| evaluate(text, suffix));
            ui.add(value.clamp_existing_to_range(false).suffix(suffix));
        }
        Some(shown) => {
            let allowed = field.range.unwrap_or(shown).map(f64::from);
            let shown = shown.map(f64::from);
            slider(ui, value, [shown, allowed], field.is_logarithmic, suffix);
        }
    }
}

/// Shows a slider over a range, and a box in which a wider one is allowed. A value outside is shown
/// as it is and stays until it is edited.
pub(crate) fn slider<T: Numeric>(
    ui: &mut Ui,
    value: &mut T,
    [shown, allowed]: [[f64; 2]; 2],
    is_logarithmic: bool,
    suffix: &str,
) {
    let now = value.to_f64();
    let [low, high] = shown.map(T::from_f64);
    let gap = ui.spacing().item_spacing.x;
    ui.spacing_mut().slider_width = (ui.available_width() - VALUE_WIDTH - gap).max(24.0);
    let slider = egui::Slider::new(value, low..=high)
        .clamping(egui::SliderClamping::Edits)
        .logarithmic(is_logarithmic)
        .show_value(false);
    ui.add(slider);
    let [min, max] = allowed.map(T::from_f64);
    let step = match is_logarithmic {
        true => 0.01 * now.abs().max(1e-3 * (shown[1] - shown[0])),
        false => 0.005 * (shown[1] - shown[0]),
    };
    let text = |value: f64| match T::INTEGRAL {
        true => grouped(value.max(0.0) as usize),
        false => short(value),
    };
    let value = egui::DragValue::new(value)
        .range(min..=max)
        .clamp_existing_to_range(false)
        .speed(step)
        .custom_formatter(move |value, _| text(value))
        .custom_parser(parser(now, text, move |typed| evaluate(typed, suffix)))
        .update_while_editing(false)
        .suffix(suffix);
    boxed(ui, VALUE_WIDTH, value);
}

/// Shows a field with a text, and returns what was typed there once the typing has ended.
pub(crate) fn entered(ui: &mut Ui, text: &str, hint: &str) -> Option<String> {
    let id: egui::Id = ui.next_auto_id().with("typed");
    let mut typed = ui
        .data(|data| data.get_temp(id))
        .unwrap_or_else(|| text.to_owned());
    let field = egui::TextEdit::singleline(&mut typed).hint_text(hint);
    let field = ui.add(field.desired_width(f32::INFINITY));
    if field.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, typed));
        return None;
    }
    ui.data_mut(|data| data.remove::<String>(id));
    let is_left = field.lost_focus() && !ui.input(|input| input.key_pressed(egui::Key::Escape));
    (is_left && typed != text).then_some(typed)
}

/// Shows a number in a box of a fixed width.
fn boxed(ui: &mut Ui, width: f32, value: egui::DragValue<'_>) -> egui::Response {
    ui.spacing_mut().interact_size.x = width;
    let size = [width, ui.spacing().interact_size.y];
    ui.add_sized(size, value)
}

/// Shows the components of a setting that is a vector, and its unit.
fn vector(ui: &mut Ui, field: &Field, value: &mut [f32; 3]) {
    ui.spacing_mut().item_spacing.x = 3.0;
    let is_place = matches!(field.unit, "" | "decimetres");
    coordinates(ui, value, field, if is_place { 0.01 } else { 0.5 });
    ui.label(RichText::new(suffix(field.unit)).small().weak());
}

/// Shows three numbers in boxes. `step` is what a pixel of a drag changes.
pub(crate) fn coordinates(ui: &mut Ui, place: &mut [f32; 3], field: &Field, step: f64) {
    const WIDTH: f32 = 42.0;
    const UNIT: f32 = 18.0;
    let gaps = 3.0 * ui.spacing().item_spacing.x;
    let width = ((ui.available_width() - UNIT - gaps) / 3.0).clamp(24.0, WIDTH);
    let axes = ["x, to the left of the head", "y, up", "z, forward"];
    for (axis, coordinate) in axes.into_iter().zip(place) {
        let now = f64::from(*coordinate);
        let value = egui::DragValue::new(coordinate)
            .range(field.range())
            .speed(step)
            .custom_formatter(|value, _| short(value))
            .custom_parser(parser(now, short, |typed| {
                evaluate(typed, suffix(field.unit))
            }))
            .update_while_editing(false);
        let unit = field.unit.replace("^2", "²");
        own_help(boxed(ui, width, value), format!("{axis}; {unit}"));
    }
}

/// Shows the places of a line, one a row, with buttons that remove one and add one.
fn points(ui: &mut Ui, field: &Field, points: &mut Vec<[f32; 3]>) {
    let next = points.last().copied().unwrap_or_default();
    list(ui, points, next, |ui, place| {
        coordinates(ui, place, field, 0.01)
    });
}

/// Shows the stops of a colour ramp, one a row, with buttons that remove one and add one.
fn stops(ui: &mut Ui, stops: &mut Vec<[f32; 4]>) {
    let next = match stops.last() {
        None => [0.0, 1.0, 1.0, 1.0],
        Some(&[_, r, g, b]) => [1.0, r, g, b],
    };
    list(ui, stops, next, |ui, [place, r, g, b]| {
        let value = egui::DragValue::new(place).range(0.0..=1.0).speed(0.01);
        let value = boxed(ui, 42.0, value.max_decimals(2));
        own_help(value, "Place, 0 at the root, 1 at the tip");
        let mut srgb = [*r, *g, *b];
        scene_color(ui, &mut srgb);
        [*r, *g, *b] = srgb;
    });
}

/// Shows the number of curves, and a button that removes all.
fn curves(ui: &mut Ui, curves: &mut Vec<Vec<[f32; 3]>>) {
    ui.label(grouped(curves.len()));
    let button = egui::Button::new("Remove all").small();
    if ui.add_enabled(!curves.is_empty(), button).clicked() {
        curves.clear();
    }
}

/// Shows the elements of a list, one a row, with buttons that remove one and add `next`.
fn list<T>(ui: &mut Ui, list: &mut Vec<T>, next: T, mut add: impl FnMut(&mut Ui, &mut T)) {
    ui.vertical(|ui| {
        let mut removed = None;
        for (i, element) in list.iter_mut().enumerate() {
            ui.push_id(i, |ui| {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 2.0;
                    add(ui, element);
                    ui.spacing_mut().button_padding.x = 2.0;
                    if own_help(ui.small_button("✖"), "Remove").clicked() {
                        removed = Some(i);
                    }
                })
            });
        }
        if let Some(i) = removed {
            list.remove(i);
        }
        let has_room = list.len() < mohawk::settings::MOST_ELEMENTS;
        let button = egui::Button::new("Add").small();
        if ui.add_enabled(has_room, button).clicked() {
            list.push(next);
        }
    });
}

/// The height up to which lists do not scroll, logical pixels.
const HIGHEST_LIST: f32 = 320.0;

/// Shows the list of a choice.
pub(crate) fn combo(ui: &mut Ui, id: &str, value: &mut dyn AnyChoice) {
    let (now, all) = (value.position(), value.all());
    egui::ComboBox::from_id_salt(id)
        .selected_text(all.get(now).map_or("", |row| row.0))
        .height(HIGHEST_LIST)
        .show_ui(ui, |ui| {
            for (i, (name, about)) in all.into_iter().enumerate() {
                let label = ui.selectable_label(i == now, name).chosen(i == now);
                if label.help(about).clicked() {
                    value.choose(i);
                }
            }
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
        "dm/s^2" => " dm/s²",
        "1/s" => " /s",
        "1/s^2" => " /s²",
        "dm^4/s^2" => " dm⁴/s²",
        _ => "",
    }
}
