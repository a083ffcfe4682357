//! The strip of presets: a small picture and a name for each.

use crate::viewer::app::App;
use crate::viewer::input::action::{Action, SaveAs};
use crate::viewer::interface::rows::accent;
use crate::viewer::interface::told::Told;
use crate::viewer::presets::Listed;
use three_d::egui::{self, Align2, Color32, FontId, Sense, StrokeKind, Ui};

/// Side of a picture, and height of a name, logical pixels.
const SIDE: f32 = 72.0;
const NAME: f32 = 16.0;
/// Gap between pictures, logical pixels.
const GAP: f32 = 4.0;
/// Height of the scroll bar, and width of the button that saves, logical pixels.
const BAR: f32 = 8.0;
const PLUS: f32 = 24.0;
/// Side of the cross that deletes an own preset, logical pixels.
const CROSS: f32 = 16.0;
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
    let awaited = awaited.or(app.presets.asked.as_ref().map(|asked| &asked.preset));
    let awaited = awaited.map(|preset| preset.name().to_owned());
    let marked = awaited
        .clone()
        .or(chosen.as_ref().map(|(name, _)| name.clone()));
    // A preset that was chosen by key may be out of sight.
    let comes_up = marked != app.presets.marked;
    let (presets, mut unfolds) = (&mut app.presets, false);
    ui.horizontal_top(|ui| {
        // The wheel scrolls sideways.
        ui.style_mut().always_scroll_the_only_direction = true;
        let width = ui.available_width() - PLUS - ui.spacing().item_spacing.x;
        let mut tiles = |ui: &mut Ui, numbers: &[usize], all: &mut [Listed]| {
            ui.spacing_mut().item_spacing.x = GAP;
            for &i in numbers {
                let Some(listed) = all.get_mut(i) else {
                    continue;
                };
                let is_own = listed.preset.path().is_some();
                let is_marked = marked.as_deref() == Some(listed.preset.name());
                let changed = awaited.is_none() && chosen.as_ref().is_some_and(|of| of.1);
                let tile = tile(ui, i, listed, is_marked, is_marked && changed);
                if is_marked && comes_up {
                    tile.scroll_to_me(None);
                }
                if is_own && is_cross_clicked(ui, &tile) {
                    actions.push(Action::AskToDelete(i));
                } else if tile.clicked() {
                    actions.push(Action::Preset(i));
                }
            }
        };
        let order = order(&presets.listed);
        if presets.all_shown {
            ui.vertical(|ui| {
                ui.set_width(width.max(SIDE));
                let per_row = (((width + GAP) / (SIDE + GAP)) as usize).max(1);
                for row in order.chunks(per_row) {
                    ui.horizontal_top(|ui| tiles(ui, row, &mut presets.listed));
                }
            });
        } else {
            let scroll = egui::ScrollArea::horizontal()
                .id_salt("presets")
                .max_width(width.max(SIDE));
            scroll.show(ui, |ui| {
                ui.set_height(SIDE + NAME + BAR);
                ui.horizontal_top(|ui| tiles(ui, &order, &mut presets.listed));
            });
        }
        ui.vertical(|ui| {
            let help = "Save as preset…: the hair that you see becomes a preset of yours";
            if side_button(ui, "+", ["Save as preset…", help]).clicked() {
                actions.push(Action::AskToSave(SaveAs::Preset));
            }
            let (text, help) = match presets.all_shown {
                true => ("⏶", "Show a strip of presets"),
                false => ("⏷", "Show all presets"),
            };
            unfolds = side_button(ui, text, [help, help]).clicked();
            presets.all_shown ^= unfolds;
        });
    });
    // The strip that comes then begins with its first preset.
    app.presets.marked = marked.filter(|_| !unfolds);
    let strip = ui.min_rect();
    app.presets.is_near |= ui.rect_contains_pointer(strip);
}

/// Returns the numbers of presets in the order in which they are shown: the user's own first, as they
/// would be out of sight behind the others. Their keys stay the same.
fn order(listed: &[Listed]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..listed.len()).collect();
    order.sort_by_key(|&i| listed[i].preset.path().is_none());
    order
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
            (true, _) => Some((2.0, accent(ui))),
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

/// Shows a cross on the tile under the pointer. Returns `true` if it is clicked, or if Delete is
/// pressed on the tile.
fn is_cross_clicked(ui: &mut Ui, tile: &egui::Response) -> bool {
    let corner = egui::Vec2::splat(CROSS);
    let area = egui::Rect::from_min_size(tile.rect.min + egui::vec2(SIDE - CROSS, 0.0), corner);
    let deleted = tile.has_focus() && ui.input(|input| input.key_pressed(egui::Key::Delete));
    if !ui.rect_contains_pointer(tile.rect) {
        return deleted;
    }
    let cross = ui.interact(area, tile.id.with("cross"), Sense::click());
    let painter = ui.painter();
    painter.rect_filled(area, 4.0, Color32::from_black_alpha(160));
    let color = Color32::from_gray(if cross.hovered() { 255 } else { 180 });
    let font = FontId::proportional(12.0);
    painter.text(area.center(), Align2::CENTER_CENTER, "✖", font, color);
    deleted || cross.help("Delete this preset…").clicked()
}

/// Shows a button beside the strip, half as high.
fn side_button(ui: &mut Ui, text: &str, [name, help]: [&str; 2]) -> egui::Response {
    let height = 0.5 * (SIDE - ui.spacing().item_spacing.y);
    let (area, response) = ui.allocate_exact_size(egui::vec2(PLUS, height), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, name));
    let color = match response.hovered() || response.has_focus() {
        true => ui.visuals().strong_text_color(),
        false => ui.visuals().weak_text_color(),
    };
    let painter = ui.painter();
    painter.rect_stroke(area, 4.0, (1.0, color), StrokeKind::Inside);
    let font = FontId::proportional(16.0);
    painter.text(area.center(), Align2::CENTER_CENTER, text, font, color);
    response.help(help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mohawk::presets::Preset;
    use mohawk::style::Saved;

    #[test]
    fn presets_of_ones_own_come_first_and_numbers_stay() {
        let folder = tempfile::tempdir().unwrap();
        let own = Preset::save("mine", &Saved::default(), folder.path()).unwrap();
        let all = Preset::shipped().take(2).chain([own]);
        let listed = all.map(|preset| Listed {
            card: preset.card().unwrap(),
            preset,
            texture: None,
        });
        assert_eq!(order(&listed.collect::<Vec<_>>()), [2, 0, 1]);
    }
}
