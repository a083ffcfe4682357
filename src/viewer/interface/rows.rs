//! Buttons, labels and other parts of panels, and scales of colours. `edit` has the rows of
//! settings.

use super::expression::{evaluate, parser};
use super::told::Told;
use crate::numbers::{grouped, plural};
use crate::viewer::input::action::Action;
use std::collections::BTreeMap;
use three_d::egui::emath::Numeric;
use three_d::egui::{self, Align2, Color32, FontId, RichText, Sense, Ui};

/// The accent colour on the picture and on dark ground.
pub(crate) const ACCENT: Color32 = Color32::from_rgb(255, 120, 170);
/// The accent colour on light ground, with the contrast of text.
const LIGHT_ACCENT: Color32 = Color32::from_rgb(190, 20, 95);

/// The accent colour of the interface. It marks changed values.
pub(crate) fn accent(ui: &Ui) -> Color32 {
    match ui.visuals().dark_mode {
        true => ACCENT,
        false => LIGHT_ACCENT,
    }
}

/// The colour of errors.
pub(crate) fn error_color(ui: &Ui) -> Color32 {
    match ui.visuals().dark_mode {
        true => Color32::from_rgb(255, 130, 120),
        false => Color32::from_rgb(176, 20, 20),
    }
}

/// The width of the labels of rows, logical pixels.
pub(crate) const LABEL_WIDTH: f32 = 104.0;

/// Whether sections are open, by their titles, where somebody has clicked on them.
pub(crate) type Sections = BTreeMap<String, bool>;

/// Returns what the interface knows of sections.
fn sections_id() -> egui::Id {
    egui::Id::new("sections")
}

/// Gives the interface the sections that somebody has opened or folded.
pub(crate) fn set_sections(ctx: &egui::Context, sections: &Sections) {
    ctx.data_mut(|data| data.insert_temp(sections_id(), sections.clone()));
}

/// Returns the sections that somebody has opened or folded.
pub(crate) fn sections(ctx: &egui::Context) -> Sections {
    ctx.data_mut(|data| data.get_temp(sections_id()).unwrap_or_default())
}

/// Opens or folds a section.
pub(crate) fn set_section(ctx: &egui::Context, title: &str, is_open: bool) {
    let mut all = sections(ctx);
    all.insert(title.to_owned(), is_open);
    set_sections(ctx, &all);
}

/// Shows a section that can be folded.
pub(crate) fn section(ui: &mut Ui, title: &str, open: bool, add: impl FnOnce(&mut Ui)) {
    let is_open = sections(ui.ctx()).get(title).copied().unwrap_or(open);
    ui.add_space(2.0);
    if header(ui, title, is_open) {
        set_section(ui.ctx(), title, !is_open);
    }
    if is_open {
        ui.push_id(title, add);
        ui.add_space(2.0);
    }
}

/// Shows the header of a section, as wide as the panel, and returns whether it was clicked.
fn header(ui: &mut Ui, title: &str, is_open: bool) -> bool {
    let size = egui::vec2(ui.available_width(), 22.0);
    let (area, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| {
        let kind = egui::WidgetType::CollapsingHeader;
        egui::WidgetInfo::selected(kind, true, is_open, title)
    });
    let (visuals, painter) = (ui.visuals(), ui.painter());
    let ground = match response.hovered() || response.has_focus() {
        true => visuals.widgets.hovered.weak_bg_fill,
        false => visuals.widgets.inactive.weak_bg_fill.gamma_multiply(0.4),
    };
    painter.rect_filled(area, 3.0, ground);
    let color = visuals.strong_text_color();
    let middle = egui::pos2(area.left() + 10.0, area.center().y);
    let corners = [[-3.0, -2.0], [3.0, -2.0], [0.0, 2.5]];
    let corners = corners.map(|[x, y]| match is_open {
        true => middle + egui::vec2(x, y),
        false => middle + egui::vec2(y, x),
    });
    let triangle = egui::Shape::convex_polygon(corners.to_vec(), color, egui::Stroke::NONE);
    painter.add(triangle);
    let font = egui::TextStyle::Button.resolve(ui.style());
    let at = egui::pos2(area.left() + 20.0, area.center().y);
    painter.text(at, Align2::LEFT_CENTER, title, font, color);
    response.clicked()
}

/// Shows a button and returns whether it was clicked.
pub(crate) fn button(ui: &mut Ui, text: &str, help: &str) -> bool {
    ui.button(text).help(help).clicked()
}

/// Shows a button that can be disabled, and returns whether it was clicked.
pub(crate) fn button_if(ui: &mut Ui, is_enabled: bool, text: &str, help: &str) -> bool {
    let button = ui.add_enabled(is_enabled, egui::Button::new(text));
    let button = button.help(help).on_disabled_hover_text(help);
    button.clicked()
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
        let label = ui.selectable_label(is_chosen, name).chosen(is_chosen);
        if label.help(help).clicked() {
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
    let switch = ui.checkbox(&mut is_on, name).help(help);
    if switch.clicked() {
        actions.push(action);
    }
}

/// Shows a slider from 0 to 1.
pub(crate) fn share<T: Numeric>(ui: &mut Ui, value: &mut T) -> egui::Response {
    let range = T::from_f64(0.0)..=T::from_f64(1.0);
    let now = value.to_f64();
    let slider = egui::Slider::new(value, range)
        .clamping(egui::SliderClamping::Edits)
        .fixed_decimals(2)
        .custom_parser(parser(
            now,
            |share| format!("{share:.2}"),
            |typed| evaluate(typed, ""),
        ))
        .update_while_editing(false);
    ui.add(slider)
}

/// Shows a share as a percentage in a box of a fixed width, which is dragged or typed into.
pub(crate) fn percent(ui: &mut Ui, width: f32, share: &mut f32) -> egui::Response {
    let now = f64::from(*share);
    let text = |share: f64| format!("{:.0} %", share * 100.0);
    let read = |typed: &str| Some(evaluate(typed.trim_end_matches(['%', ' ']), "")? / 100.0);
    let value = egui::DragValue::new(share)
        .range(0.0..=1.0)
        .speed(0.005)
        .custom_formatter(move |share, _| text(share))
        .custom_parser(parser(now, text, read))
        .update_while_editing(false);
    ui.add_sized([width, ui.spacing().interact_size.y], value)
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
        ui.heading(RichText::new(text).color(accent(ui)).strong());
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let sheet = ("?", "Keys and drags (F1)", Action::ToggleSheet);
            buttons(ui, [sheet], actions);
            add(ui, actions);
        });
    });
}

/// Shows a small grey text in as many lines as it takes.
pub(crate) fn wrapped(ui: &mut Ui, text: impl Into<String>) {
    let text = RichText::new(text).small().weak();
    ui.add(egui::Label::new(text).wrap());
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

/// Shows a text field and returns whether Enter was pressed in it.
pub(crate) fn text_field(ui: &mut Ui, text: &mut String, hint: &str, width: f32) -> bool {
    let field = egui::TextEdit::singleline(text).hint_text(hint);
    let response = ui.add(field.desired_width(width));
    response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter))
}

/// Shows a text field for the path of a file, which Enter opens.
pub(crate) fn path_row(
    ui: &mut Ui,
    id: egui::Id,
    path: &mut String,
    hint: &str,
    actions: &mut Vec<Action>,
) {
    let edit = egui::TextEdit::singleline(path).id(id).hint_text(hint);
    let response = ui.add(edit.desired_width(f32::INFINITY));
    let entered = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    if entered && !path.trim().is_empty() {
        actions.push(Action::Load(std::mem::take(path).trim().into()));
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
        Some(count) => format!("Save {}", plural(count, "stroke")),
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
        true => RichText::new(name).strong(),
        false => RichText::new(name),
    };
    let button = egui::Button::selectable(is_chosen, text).frame_when_inactive(true);
    let button = ui.add_sized(size, button).chosen(is_chosen);
    button.help(help).clicked()
}

/// Formats a number with three significant digits and without trailing zeros.
pub(crate) fn short(value: f64) -> String {
    let exponent = match value {
        0.0 => 0,
        _ => value.abs().log10().floor() as i32,
    };
    if exponent >= 5 {
        let scaled = short(value / 10f64.powi(exponent));
        return format!("{scaled}e{exponent}");
    }
    let digits = (2 - exponent).clamp(0, 6) as usize;
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

/// Scrolls to the widget that the keyboard has stepped to.
pub(crate) fn follow_keyboard(ui: &Ui) {
    let focused = ui.memory(|memory| memory.focused());
    let response = focused.and_then(|id| ui.ctx().read_response(id));
    if let Some(response) = response.filter(egui::Response::gained_focus)
        && !ui.clip_rect().contains_rect(response.rect)
    {
        ui.scroll_to_rect(response.rect, Some(egui::Align::Center));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn values_are_short() {
        let values = [
            0.0,
            0.0081,
            0.75,
            4.0,
            12.34,
            1234.5,
            1.0 / 3.0,
            -2.5e6,
            1e7,
        ];
        let written = values.map(super::short).join(" ");
        assert_eq!(written, "0 0.0081 0.75 4 12.3 1234 0.333 -2.5e6 1e7");
    }
}
