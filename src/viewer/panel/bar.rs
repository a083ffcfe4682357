//! The bar at the top of the panel, with files, the search and the tabs, and the foot.

use super::saving;
use super::search::Query;
use crate::numbers::grouped;
use crate::viewer::app::App;
use crate::viewer::input::action::Action;
use crate::viewer::interface::rows::{accent, button_if, buttons, note, path_row, title};
use crate::viewer::interface::told::Told;
use crate::viewer::remembered::{Place, SCALES, Theme};
use three_d::egui::containers::menu::{MenuButton, MenuConfig};
use three_d::egui::{self, Align2, PopupCloseBehavior, RichText, Sense, Ui};

/// Width of the menu of files, logical pixels.
const FILES_WIDTH: f32 = 206.0;

/// Shows the bar.
pub(super) fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    title(ui, "mohawk", actions, |ui, actions| {
        let keeps = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        let (menu, _) = MenuButton::new("⚙")
            .config(keeps)
            .ui(ui, |ui| appearance(app, ui));
        menu.help("Light or dark, and the size of the interface");
        undo_redo(app, ui, actions);
        saving::button(app, ui, actions);
        let hide = ("»", "Hide the panel (N)", Action::TogglePanel);
        buttons(ui, [hide], actions);
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let help = "A head (glTF, VRM, FBX, OBJ, COLLADA, USD, PLY, STL), strands, a style (.mohawk) or a \
                    scene (.toml) (Ctrl+O); or drop one on the window";
        buttons(ui, [("🗁 Open…", help, Action::Open)], actions);
        let keeps = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        let (menu, _) = MenuButton::new("⏷")
            .config(keeps)
            .ui(ui, |ui| files(app, ui, actions));
        menu.help("Recent files, or type a path");
        ui.add_space(6.0);
        search(app, ui);
    });
    saving::form(app, ui, actions);
    ui.add_space(2.0);
    tabs(app, ui, actions);
    ui.add_space(2.0);
}

/// Shows the buttons that undo and redo, from right to left.
fn undo_redo(app: &App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let history = app.styling.styler.ready().map(|styler| styler.history());
    let [done, undone] = app.undo_counts();
    for (text, word, key, count, forward, action) in [
        ("↪", "Redo", "Ctrl+Shift+Z", undone, true, Action::Redo),
        ("↩", "Undo", "Ctrl+Z", done, false, Action::Undo),
    ] {
        let name = history.and_then(|history| history.next_name(forward));
        let help = match (count, name) {
            (0, _) => format!("Nothing to {} ({key})", word.to_lowercase()),
            (_, Some(name)) => format!("{word}: {name} ({key})"),
            (_, None) => format!("{word}: the preset on another model ({key})"),
        };
        if button_if(ui, count > 0, text, &help) {
            actions.push(action);
        }
    }
}

/// Returns the field of the search.
pub(crate) fn search_field() -> egui::Id {
    egui::Id::new("search")
}

/// Shows the field of the search.
fn search(app: &mut App, ui: &mut Ui) {
    let state = &mut app.panel;
    let room = if state.query.is_empty() { 0.0 } else { 22.0 };
    let field = egui::TextEdit::singleline(&mut state.query)
        .id(search_field())
        .hint_text("🔍 Search settings")
        .desired_width(ui.available_width() - room - 8.0);
    let field = ui.add(field).help(
        "A label, a key such as sim.ftl.damping, or a word of what it does (Ctrl+F or /; Esc clears)",
    );
    let escapes = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Escape));
    let clears = room > 0.0 && ui.small_button("✖").help("Clear (Esc)").clicked();
    if escapes || clears {
        state.query.clear();
    }
}

/// Shows recent files and the field for a path.
fn files(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let asked = actions.len();
    ui.set_width(FILES_WIDTH);
    let field = egui::Id::new("path to open");
    let last = ui.ctx().read_response(field);
    if last.is_none_or(|field| !field.enabled()) {
        // Before the field is shown, so that it gets what is typed in this frame. A menu is measured
        // before it is shown; its field is disabled then, and loses the keyboard.
        ui.memory_mut(|memory| memory.request_focus(field));
    }
    path_row(
        ui,
        field,
        &mut app.panel.typed_path,
        "Type a path, then Enter",
        actions,
    );
    ui.separator();
    if app.remembered.recent.is_empty() {
        note(ui, "No recent files");
    }
    for path in &app.remembered.recent {
        let name = path.file_name().unwrap_or(path.as_os_str());
        let name = egui::Button::new(name.to_string_lossy()).truncate();
        let width = ui.available_width();
        let button = ui.add(name.frame(false).min_size(egui::vec2(width, 0.0)));
        if button.help(path.display().to_string()).clicked() {
            actions.push(Action::Load(path.clone()));
        }
    }
    if actions.len() > asked {
        ui.close();
    }
}

/// Shows the choice of colours and of the size of the interface.
fn appearance(app: &mut App, ui: &mut Ui) {
    ui.label(RichText::new("Colours").weak());
    ui.horizontal(|ui| {
        for (theme, name) in [(Theme::Dark, "🌙 Dark"), (Theme::Light, "☀ Light")] {
            ui.selectable_value(&mut app.remembered.theme, theme, name)
                .chosen(app.remembered.theme == theme);
        }
    });
    ui.label(RichText::new("Size of the interface").weak());
    ui.horizontal(|ui| {
        for scale in SCALES {
            let name = format!("{:.0} %", 100.0 * scale);
            ui.selectable_value(&mut app.remembered.scale, scale, name)
                .chosen(app.remembered.scale == scale);
        }
    });
}

/// Shows the tabs of the places.
fn tabs(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let places = Place::ALL.map(|place| (Some(place), place.name(), place.about()));
    let style = (None, "style", "Comb, cut and paint hair (B)");
    let all = places.into_iter().chain([style]);
    let searches = Query::new(&app.panel.query).is_some();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let width = ui.available_width() / (Place::ALL.len() + 1) as f32;
        for (place, name, help) in all {
            let is_here = match place {
                Some(place) => !app.styling.on && app.remembered.place == place,
                None => app.styling.on,
            };
            // Results of a search are in all places.
            let is_chosen = is_here && !searches;
            if tab(ui, width, name, is_chosen).help(help).clicked() {
                app.panel.query.clear();
                if app.styling.on != place.is_none() {
                    actions.push(Action::ToggleBrush);
                }
                app.remembered.place = place.unwrap_or(app.remembered.place);
            }
        }
    });
}

/// Shows a tab, underlined if it is chosen.
fn tab(ui: &mut Ui, width: f32, name: &str, is_chosen: bool) -> egui::Response {
    let (area, response) = ui.allocate_exact_size(egui::vec2(width, 26.0), Sense::click());
    let name = name[..1].to_uppercase() + &name[1..];
    response.widget_info(|| {
        let kind = egui::WidgetType::SelectableLabel;
        egui::WidgetInfo::selected(kind, true, is_chosen, &name)
    });
    let visuals = ui.visuals();
    let color = match is_chosen {
        true => visuals.strong_text_color(),
        false if response.hovered() || response.has_focus() => visuals.text_color(),
        false => visuals.weak_text_color(),
    };
    let (line, thickness) = match is_chosen {
        true => (accent(ui), 2.0),
        false => (visuals.widgets.noninteractive.bg_stroke.color, 1.0),
    };
    let font = egui::TextStyle::Button.resolve(ui.style());
    let painter = ui.painter();
    painter.text(area.center(), Align2::CENTER_CENTER, name, font, color);
    let y = area.bottom() - 1.0;
    painter.hline(area.x_range(), y, egui::Stroke::new(thickness, line));
    response
}

/// Shows the foot: what puts things back, and what is drawn how fast.
pub(super) fn foot(app: &App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let frame = egui::Frame::new().inner_margin(egui::Margin::symmetric(0, 4));
    let foot = egui::Panel::bottom("foot").resizable(false).frame(frame);
    foot.show_inside(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let doll = "Brush the hair of a paper doll (P)";
            let picture = "The scene without the panel (F12; Ctrl+F12: without the background)";
            let screenshot = Action::Screenshot { transparent: false };
            let all = [
                ("⟲ Head", "The head back to rest (R)", Action::Reset),
                (
                    "⟲ Camera",
                    "The camera back to its start (Enter)",
                    Action::ResetCamera,
                ),
                ("📷 Save picture", picture, screenshot),
                ("2D doll", doll, Action::Doll),
            ];
            buttons(ui, all, actions);
        });
        let (count, what) = match app.subject.triangles() {
            0 if app.subject.strands() == 1 => (1, "strand"),
            0 => (app.subject.strands(), "strands"),
            triangles => (triangles, "triangles"),
        };
        let fps = app.statistics.frame_secs.max(1e-4).recip();
        let sim_ms = app.statistics.sim_ms;
        let text = format!(
            "{}, {} {what}    {fps:.0} fps    {sim_ms:.1} ms",
            app.subject.name(),
            grouped(count)
        );
        let help = format!(
            "Pictures a second, and simulation in each; drawn by {}",
            app.statistics.renderer
        );
        let text = RichText::new(text).small().weak();
        ui.add(egui::Label::new(text).truncate()).help(help);
    });
}
