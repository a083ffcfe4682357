//! The strip of presets: a small picture and a name for each, and a form that saves one's own.

use crate::viewer::app::App;
use crate::viewer::input::action::Action;
use crate::viewer::interface::rows::ACCENT;
use crate::viewer::presets::{Form, Listed};
use mohawk::presets::Preset;
use mohawk::style::Card;
use three_d::egui::{self, Align2, Color32, FontId, Sense, StrokeKind, Ui};

/// Side of a picture and height of a name, logical pixels.
const SIDE: f32 = 64.0;
const NAME: f32 = 16.0;
/// The number of presets that have a key.
const KEYS: usize = 9;

/// Shows the strip, unless a scene has taken the place of the head.
pub(super) fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    for warning in std::mem::take(&mut app.presets.warnings) {
        app.overlay.notice(warning);
    }
    if app.subject.is_headless() {
        return;
    }
    if let Some(styler) = app.styling.styler.ready() {
        app.presets.follow(styler.history().state());
    }
    let chosen = app.presets.chosen();
    let chosen = chosen.map(|(name, changed)| (name.to_owned(), changed));
    let awaited = app.presets.queued.as_ref();
    let awaited = awaited.or(app.presets.asked.as_ref().map(|(preset, _)| preset));
    let awaited = awaited.map(|preset| preset.name().to_owned());
    let scroll = egui::ScrollArea::horizontal().id_salt("presets");
    scroll.show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            for (i, listed) in app.presets.listed.iter_mut().enumerate() {
                let name = listed.preset.name();
                let is_awaited = awaited.as_ref().is_some_and(|awaited| awaited == name);
                let own = chosen.as_ref().filter(|(chosen, _)| chosen == name);
                let (is_chosen, changed) = match &awaited {
                    Some(_) => (is_awaited, false),
                    None => (own.is_some(), own.is_some_and(|(_, changed)| *changed)),
                };
                if tile(ui, i, listed, is_chosen, changed).clicked() {
                    actions.push(Action::Preset(i));
                }
            }
            if save_tile(ui).clicked() {
                app.presets.form = match app.presets.form {
                    None => Some(Form::default()),
                    Some(_) => None,
                };
            }
        });
        ui.add_space(8.0); // The scroll bar covers this space.
    });
    if app.presets.form.is_some() {
        form(app, ui, actions);
    }
}

/// Shows a preset.
fn tile(
    ui: &mut Ui,
    number: usize,
    listed: &mut Listed,
    is_chosen: bool,
    changed: bool,
) -> egui::Response {
    let name = listed.preset.name().to_owned();
    let (area, response) = ui.allocate_exact_size(egui::vec2(SIDE, SIDE + NAME), Sense::click());
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::WidgetType::Button, true, is_chosen, &name)
    });
    let picture = egui::Rect::from_min_size(area.min, egui::Vec2::splat(SIDE));
    if ui.is_rect_visible(area) {
        let painter = ui.painter();
        let lit = if response.hovered() { 58 } else { 44 };
        painter.rect_filled(picture, 4.0, Color32::from_gray(lit));
        if listed.texture.is_none()
            && let Some(image) = listed.card.picture()
        {
            let size = [image.width(), image.height()].map(|side| side as usize);
            let image = egui::ColorImage::from_rgba_unmultiplied(size, image.as_raw());
            let options =
                egui::TextureOptions::LINEAR.with_mipmap_mode(Some(egui::TextureFilter::Linear));
            listed.texture = Some(ui.ctx().load_texture(&name, image, options));
        }
        if let Some(texture) = &listed.texture {
            egui::Image::new(texture).paint_at(ui, picture.shrink(1.0));
        }
        let painter = ui.painter();
        let line = match (is_chosen, response.has_focus()) {
            (true, _) => Some((2.0, ACCENT)),
            (false, true) => Some((1.0, Color32::WHITE)),
            (false, false) => None,
        };
        if let Some(line) = line {
            painter.rect_stroke(picture, 4.0, line, StrokeKind::Inside);
        }
        let color = match is_chosen {
            true => ui.visuals().strong_text_color(),
            false => ui.visuals().text_color(),
        };
        let mark = if changed { "• " } else { "" };
        let text = egui::RichText::new(format!("{mark}{name}"))
            .small()
            .color(color);
        let below = egui::Rect::from_min_max(picture.left_bottom(), area.max);
        let label = egui::Label::new(text)
            .truncate()
            .selectable(false)
            .sense(Sense::hover());
        ui.put(below, label);
    }
    response.on_hover_ui(|ui| {
        ui.strong(&name);
        if !listed.card.about.is_empty() {
            ui.label(&listed.card.about);
        }
        if changed {
            ui.label("Changed since it was chosen: a click brings it back.");
        }
        if number < KEYS {
            ui.weak(format!("Ctrl+{}", number + 1));
        }
    })
}

/// Shows the tile that opens the form.
fn save_tile(ui: &mut Ui) -> egui::Response {
    let (area, response) = ui.allocate_exact_size(egui::vec2(SIDE, SIDE + NAME), Sense::click());
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::WidgetType::Button, true, "Save as preset…")
    });
    let picture = egui::Rect::from_min_size(area.min, egui::Vec2::splat(SIDE));
    let color = match response.hovered() || response.has_focus() {
        true => ui.visuals().strong_text_color(),
        false => ui.visuals().weak_text_color(),
    };
    let painter = ui.painter();
    painter.rect_stroke(picture, 4.0, (1.0, color), StrokeKind::Inside);
    let plus = FontId::proportional(26.0);
    painter.text(picture.center(), Align2::CENTER_CENTER, "+", plus, color);
    let below = egui::pos2(picture.center().x, area.max.y - NAME / 2.0);
    let font = egui::TextStyle::Small.resolve(ui.style());
    painter.text(below, Align2::CENTER_CENTER, "save yours", font, color);
    response.on_hover_text("Save as preset…: what you see becomes a preset of your own")
}

/// Shows the form that saves a preset.
fn form(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let Some(form) = &mut app.presets.form else {
        return;
    };
    let (mut saves, mut closes) = (false, false);
    let name = form.name.trim();
    let checked = Preset::check_name(name);
    let is_known = (app.presets.listed.iter()).any(|listed| listed.preset.name() == name);
    ui.horizontal(|ui| {
        let buttons = 132.0;
        let width = (ui.available_width() - buttons).max(60.0);
        let edit = egui::TextEdit::singleline(&mut form.name).hint_text("Name of your preset");
        let typed = ui.add(edit.desired_width(width));
        if form.name.is_empty()
            && form.about.is_empty()
            && ui.memory(|memory| memory.focused().is_none())
        {
            typed.request_focus();
        }
        saves |= typed.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let label = if is_known { "Replace" } else { "Save" };
        let button = ui.add_enabled(checked.is_ok(), egui::Button::new(label));
        let why = checked.as_ref().err().map(ToString::to_string);
        saves |= button
            .on_disabled_hover_text(why.unwrap_or_default())
            .clicked();
        closes = ui.button("Cancel").clicked();
    });
    let edit =
        egui::TextEdit::singleline(&mut form.about).hint_text("A line about it, if you like");
    ui.add(
        edit.char_limit(Card::MAX_ABOUT)
            .desired_width(f32::INFINITY),
    );
    if saves && checked.is_ok() {
        let (name, about) = (form.name.clone(), form.about.clone());
        actions.push(Action::SavePreset { name, about });
    }
    if closes {
        app.presets.form = None;
    }
}
