//! The panel: tools, brush, hair, files.

use super::app::{DollApp, RADII};
use crate::numbers::grouped;
use crate::viewer::action::Action;
use crate::viewer::rows::{ACCENT, color, section};
use mohawk::doll::{
    COUNTS, ClipKind, DollSettings, DollTool, Figure, MOST_LENGTH, Palette, Profile, STATIONS,
};
use three_d::egui::{self, Color32, RichText, Sense, Stroke, Ui};

/// Colours of the box of paints, sRGB bytes.
const PAINTS: [[u8; 3]; 10] = [
    [232, 71, 106],
    [255, 145, 77],
    [250, 205, 84],
    [92, 190, 110],
    [66, 165, 220],
    [92, 92, 214],
    [176, 98, 214],
    [240, 150, 196],
    [60, 40, 30],
    [245, 240, 232],
];

/// Longest hair that the profile's editor shows, pixels of the page.
const PROFILE_MOST: f64 = 320.0;

fn tool_title(tool: DollTool) -> &'static str {
    match tool {
        DollTool::Comb => "Comb",
        DollTool::Cut => "Scissors",
        DollTool::Color => "Colour",
        DollTool::Clip => "Clip",
        DollTool::Reset => "Reset",
    }
}

fn tool_about(tool: DollTool) -> &'static str {
    match tool {
        DollTool::Comb => "Along hair straightens it, across hair bends it",
        DollTool::Cut => "Cuts hair where it comes into the circle",
        DollTool::Color => "Dyes hair; less strength, softer colour",
        DollTool::Clip => "Click: ties the hair in the circle. Click on a clip: takes it off",
        DollTool::Reset => "Makes hair as it grew",
    }
}

impl DollApp {
    /// Shows the panel; gives what people asked for.
    pub(super) fn show_panel(&mut self, ui: &mut Ui) -> Vec<Action> {
        let mut actions = Vec::new();
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            ui.heading(RichText::new("mohawk doll").color(ACCENT).strong());
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let help = ui.button("?").on_hover_text("Keys and drags (F1)");
                if help.clicked() {
                    actions.push(Action::ToggleSheet);
                }
                if self.has_head
                    && ui
                        .button("Head")
                        .on_hover_text("Back to the head (Esc)")
                        .clicked()
                {
                    actions.push(Action::Doll);
                }
            });
        });
        let scroll = egui::ScrollArea::vertical().auto_shrink([false, true]);
        scroll.show(ui, |ui| {
            section(ui, "Tools", true, |ui| self.tools(ui));
            section(ui, "Doll", true, |ui| self.doll(ui, &mut actions));
            section(ui, "Hair", true, |ui| self.hair(ui));
            section(ui, "Keep", true, |ui| self.keep(ui, &mut actions));
        });
        actions
    }

    fn tools(&mut self, ui: &mut Ui) {
        egui::Grid::new("tools").spacing([4.0, 4.0]).show(ui, |ui| {
            for (number, tool) in (1..).zip(DollTool::ALL) {
                let chosen = self.brush.tool == tool;
                let text = RichText::new(tool_title(tool));
                let text = if chosen {
                    text.strong().color(ACCENT)
                } else {
                    text
                };
                let button = egui::Button::selectable(chosen, text).frame_when_inactive(true);
                let button = ui.add_sized([80.0, 28.0], button);
                if button
                    .on_hover_text(format!("{} ({number})", tool_about(tool)))
                    .clicked()
                {
                    self.brush.tool = tool;
                }
                if number % 3 == 0 {
                    ui.end_row();
                }
            }
        });
        ui.label(RichText::new(tool_about(self.brush.tool)).small().weak());
        let brush = &mut self.brush;
        labelled(ui, "Size", |ui| {
            let slider = egui::Slider::new(&mut brush.radius, RADII).logarithmic(true);
            ui.add(slider.fixed_decimals(0).suffix(" px"))
                .on_hover_text("Wheel, or [ and ]");
        });
        let graded = !matches!(brush.tool, DollTool::Cut | DollTool::Clip);
        ui.add_enabled_ui(graded, |ui| {
            labelled(ui, "Strength", |ui| {
                ui.add(egui::Slider::new(&mut brush.strength, 0.0..=1.0).fixed_decimals(2));
            });
        });
        ui.add_space(2.0);
        // Whoever takes a colour wants to use it.
        let mut taken = false;
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for paint in PAINTS {
                let srgb = paint.map(|c| f32::from(c) / 255.0);
                if swatch(ui, paint, brush.color == srgb).clicked() {
                    brush.color = srgb;
                    taken = true;
                }
            }
            let before = brush.color;
            color(ui, &mut brush.color);
            taken |= brush.color != before;
        });
        if taken && brush.tool != DollTool::Clip {
            brush.tool = DollTool::Color;
        }
        ui.horizontal_wrapped(|ui| {
            for kind in ClipKind::ALL {
                let chosen = brush.clip == kind && brush.tool == DollTool::Clip;
                if ui.selectable_label(chosen, kind.name()).clicked() {
                    (brush.clip, brush.tool) = (kind, DollTool::Clip);
                }
            }
        });
    }

    fn doll(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let old = self.session.doll().settings.clone();
        let mut settings = old.clone();
        ui.horizontal_wrapped(|ui| {
            for figure in Figure::ALL {
                ui.selectable_value(&mut settings.figure, figure, figure.name());
            }
        });
        ui.horizontal_wrapped(|ui| {
            for palette in Palette::ALL {
                let middle = palette.color(40.0, 0.5).map(|c| (c * 255.0) as u8);
                let chosen = settings.palette == palette;
                let response = match palette {
                    Palette::Rainbow => rainbow(ui, chosen),
                    _ => swatch(ui, middle, chosen),
                };
                if response.on_hover_text(palette.name()).clicked() {
                    settings.palette = palette;
                }
            }
        });
        if settings != old {
            self.set(settings, false);
        }
        ui.horizontal(|ui| {
            let new = ui
                .button("New hair")
                .on_hover_text("Another seed: what was done by hand goes");
            if new.clicked() {
                let seed = old.seed % (1 << 32) + 1;
                self.set(DollSettings { seed, ..old }, false);
            }
            let reset = ui
                .button("Reset all")
                .on_hover_text("All hair as it grew (R)");
            if reset.clicked() {
                actions.push(Action::Reset);
            }
        });
    }

    fn hair(&mut self, ui: &mut Ui) {
        let old = self.session.doll().settings.clone();
        let mut settings = old.clone();
        let [least, most] = COUNTS;
        let mut dragged = false;
        labelled(ui, "Hairs", |ui| {
            let slider = egui::Slider::new(&mut settings.hairs, least..=most).logarithmic(true);
            dragged = ui.add(slider).dragged();
        });
        let mut own = settings.profile != Profile::Figure;
        ui.checkbox(&mut own, "Lengths of my own")
            .on_hover_text("Drag in the chart: how long hair is, from the left side to the right");
        match (own, settings.profile) {
            (true, Profile::Figure) => settings.profile = Profile::Own(self.session.profile()),
            (false, Profile::Own(_)) => settings.profile = Profile::Figure,
            _ => {}
        }
        if let Profile::Own(lengths) = &mut settings.profile {
            dragged |= chart(ui, lengths);
        }
        if settings != old {
            self.set(settings, dragged);
        }
    }

    fn keep(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        ui.horizontal(|ui| {
            let history = self.session.history();
            let button = |ui: &mut Ui, text: &str, key: &str, count: usize| {
                let button = egui::Button::new(format!("{text} ({})", grouped(count)));
                let button = ui.add_enabled(count > 0, button);
                button.on_hover_text(key).clicked()
            };
            if button(ui, "Undo", "Ctrl+Z", history.len()) {
                actions.push(Action::Undo);
            }
            if button(ui, "Redo", "Ctrl+Shift+Z", history.undone()) {
                actions.push(Action::Redo);
            }
        });
        ui.horizontal(|ui| {
            let field = egui::TextEdit::singleline(&mut self.name)
                .hint_text("mohawk.doll")
                .desired_width(150.0);
            let response = ui.add(field);
            let entered =
                response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            if entered || ui.button("Save").on_hover_text("Ctrl+S").clicked() {
                actions.push(Action::SaveStyle);
            }
            if ui
                .button("Open…")
                .on_hover_text("Ctrl+O; or drop a doll")
                .clicked()
            {
                actions.push(Action::Open);
            }
        });
        ui.horizontal(|ui| {
            let field = egui::TextEdit::singleline(&mut self.path)
                .hint_text("or type the path of a doll")
                .desired_width(f32::INFINITY);
            let response = ui.add(field);
            let entered =
                response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            if entered && !self.path.trim().is_empty() {
                actions.push(Action::Load(self.path.trim().into()));
            }
        });
        ui.horizontal(|ui| {
            let picture = ui.button("Save picture");
            if picture
                .on_hover_text("The page without the panel, as PNG (P)")
                .clicked()
            {
                actions.push(Action::Screenshot { transparent: false });
            }
            let text = match &self.recording {
                None => "Record strokes".to_owned(),
                Some(recording) => format!("Save {} strokes", recording.len()),
            };
            let help = "To a stroke file, which mohawk doll --strokes does again (Ctrl+R)";
            if ui.button(text).on_hover_text(help).clicked() {
                actions.push(Action::ToggleStrokes);
            }
        });
    }
}

fn labelled(ui: &mut Ui, label: &str, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        let size = egui::vec2(64.0, ui.spacing().interact_size.y);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_width(size.x);
            ui.label(label);
        });
        add(ui);
    });
}

/// A round sample of a colour.
fn swatch(ui: &mut Ui, [r, g, b]: [u8; 3], chosen: bool) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(egui::vec2(22.0, 22.0), Sense::click());
    let painter = ui.painter();
    painter.circle_filled(rect.center(), 9.0, Color32::from_rgb(r, g, b));
    mark(ui, rect, chosen || response.hovered(), chosen);
    response
}

fn rainbow(ui: &mut Ui, chosen: bool) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(egui::vec2(22.0, 22.0), Sense::click());
    for i in 0..7 {
        let x = i as f32 / 6.0;
        let [r, g, b] = Palette::Rainbow
            .color(60.0, f64::from(x))
            .map(|c| (c * 255.0) as u8);
        let half = (81.0 - (18.0 * x - 9.0).powi(2)).max(12.0).sqrt();
        let at = rect.center() + egui::vec2(15.0 * x - 7.5, 0.0);
        let bar = egui::Rect::from_center_size(at, egui::vec2(2.6, 2.0 * half));
        ui.painter()
            .rect_filled(bar, 0.0, Color32::from_rgb(r, g, b));
    }
    mark(ui, rect, chosen || response.hovered(), chosen);
    response
}

fn mark(ui: &Ui, rect: egui::Rect, shown: bool, chosen: bool) {
    if shown {
        let color = if chosen { ACCENT } else { Color32::GRAY };
        ui.painter()
            .circle_stroke(rect.center(), 10.5, Stroke::new(2.0, color));
    }
}

/// Lengths that are drawn with the pointer, hanging from the upper edge; is it being dragged?
fn chart(ui: &mut Ui, lengths: &mut [f64; STATIONS]) -> bool {
    let size = egui::vec2(ui.available_width().min(260.0), 90.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let step = rect.width() / STATIONS as f32;
    if let (true, Some(at)) = (
        response.is_pointer_button_down_on() || response.dragged(),
        response.interact_pointer_pos(),
    ) {
        let station = ((at.x - rect.left()) / step).clamp(0.0, STATIONS as f32 - 1.0) as usize;
        let share = f64::from(((at.y - rect.top()) / rect.height()).clamp(0.0, 1.0));
        lengths[station] = (share * PROFILE_MOST).round().min(MOST_LENGTH);
    }
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 4.0, Color32::from_black_alpha(60));
    for (station, length) in lengths.iter().enumerate() {
        let left = rect.left() + step * station as f32;
        let high = rect.height() * ((length / PROFILE_MOST).min(1.0)) as f32;
        let corner = egui::pos2(left + 2.0, rect.top());
        let bar = egui::Rect::from_min_size(corner, egui::vec2(step - 4.0, high.max(2.0)));
        painter.rect_filled(bar, 2.0, ACCENT.gamma_multiply(0.75));
    }
    response.dragged()
}
