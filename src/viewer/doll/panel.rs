//! The panel of the doll: tools, figure, hair and file.

use super::app::{DollApp, RADII};
use crate::viewer::files::stroke_recording::StrokeRecording;
use crate::viewer::input::action::Action;
use crate::viewer::interface::rows::{
    ACCENT, button, buttons, color, labelled, note, path_row, record_strokes, section, text_field,
    title, tool_button, undo_redo,
};
use mohawk::doll::{
    COUNTS, ClipKind, DollSettings, DollTool, Figure, LengthProfile, MAX_LENGTH, Palette, STATIONS,
};
use three_d::egui::{self, Color32, Sense, Stroke, Ui};

/// Colours of the paints, sRGB.
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

/// Width of labels, logical pixels.
const LABEL_WIDTH: f32 = 64.0;

/// Largest length in the editor of the profile, pixels of the page.
const CHART_LENGTH: f64 = 320.0;

fn tool_title(tool: DollTool) -> &'static str {
    match tool {
        DollTool::Comb => "Comb",
        DollTool::Cut => "Scissors",
        DollTool::Color => "Colour",
        DollTool::Clip => "Clip",
        DollTool::Reset => "Reset",
    }
}

impl DollApp {
    /// Shows the panel and returns the requested actions.
    pub(super) fn show_panel(&mut self, ui: &mut Ui) -> Vec<Action> {
        let mut actions = Vec::new();
        title(ui, "mohawk doll", &mut actions, |ui, actions| {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if self.has_head && button(ui, "Head", "Back to the head (Esc)") {
                    actions.push(Action::Doll);
                }
            });
        });
        let scroll = egui::ScrollArea::vertical().auto_shrink([false, true]);
        scroll.show(ui, |ui| {
            section(ui, "Tools", true, |ui| self.tools(ui));
            section(ui, "Doll", true, |ui| self.figure_rows(ui, &mut actions));
            section(ui, "Hair", true, |ui| self.hair(ui));
            section(ui, "File", true, |ui| self.file_rows(ui, &mut actions));
        });
        actions
    }

    fn tools(&mut self, ui: &mut Ui) {
        egui::Grid::new("tools").spacing([4.0, 4.0]).show(ui, |ui| {
            for (number, tool) in (1..).zip(DollTool::ALL) {
                let help = format!("{} ({number})", tool.about());
                let texts = [tool_title(tool), &help];
                if tool_button(ui, [80.0, 28.0], self.brush.tool == tool, texts) {
                    self.brush.tool = tool;
                }
                if number % 3 == 0 {
                    ui.end_row();
                }
            }
        });
        note(ui, self.brush.tool.about());
        let brush = &mut self.brush;
        labelled(ui, LABEL_WIDTH, ["Size", "Wheel, or [ and ]"], |ui| {
            let slider = egui::Slider::new(&mut brush.radius, RADII).logarithmic(true);
            ui.add(slider.fixed_decimals(0).suffix(" px"));
        });
        let graded = !matches!(brush.tool, DollTool::Cut | DollTool::Clip);
        ui.add_enabled_ui(graded, |ui| {
            labelled(ui, LABEL_WIDTH, ["Strength", "0: no effect"], |ui| {
                ui.add(egui::Slider::new(&mut brush.strength, 0.0..=1.0).fixed_decimals(2));
            });
        });
        ui.add_space(2.0);
        // Choosing a colour also chooses the tool that uses it.
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

    fn figure_rows(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
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
            if button(ui, "New hair", "Another seed; edits by hand are lost") {
                let seed = old.seed % (1 << 32) + 1;
                self.set(DollSettings { seed, ..old }, false);
            }
            if button(ui, "Reset all", "Restore all hair as it grew (R)") {
                actions.push(Action::Reset);
            }
        });
    }

    fn hair(&mut self, ui: &mut Ui) {
        let old = self.session.doll().settings.clone();
        let mut settings = old.clone();
        let [least, most] = COUNTS;
        let mut dragged = false;
        labelled(ui, LABEL_WIDTH, ["Hairs", "Number of hairs"], |ui| {
            let slider = egui::Slider::new(&mut settings.hairs, least..=most).logarithmic(true);
            dragged = ui.add(slider).dragged();
        });
        let mut own = settings.profile != LengthProfile::Figure;
        ui.checkbox(&mut own, "Custom lengths")
            .on_hover_text("Drag in the chart to set the lengths from left to right");
        match (own, settings.profile) {
            (true, LengthProfile::Figure) => {
                settings.profile = LengthProfile::Custom(self.session.profile())
            }
            (false, LengthProfile::Custom(_)) => settings.profile = LengthProfile::Figure,
            _ => {}
        }
        if let LengthProfile::Custom(lengths) = &mut settings.profile {
            dragged |= chart(ui, lengths);
        }
        if settings != old {
            self.set(settings, dragged);
        }
    }

    fn file_rows(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        ui.horizontal(|ui| {
            let history = self.session.history();
            undo_redo(ui, [history.len(), history.undone()], actions);
        });
        ui.horizontal(|ui| {
            let entered = text_field(ui, &mut self.document.name, "mohawk.doll", 150.0);
            if button(ui, "Save", "Ctrl+S") || entered {
                actions.push(Action::SaveStyle);
            }
            if button(ui, "Open…", "Ctrl+O; or drop a doll") {
                actions.push(Action::Open);
            }
        });
        ui.horizontal(|ui| {
            path_row(ui, &mut self.path, "or type the path of a doll", actions);
        });
        ui.horizontal(|ui| {
            let help = "The page without the panel, as PNG (P)";
            let picture = Action::Screenshot { transparent: false };
            buttons(ui, [("Save picture", help, picture)], actions);
            let recorded = self.recording.as_ref().map(StrokeRecording::len);
            let help = "Write a stroke file, which mohawk doll --strokes replays (Ctrl+R)";
            record_strokes(ui, recorded, help, actions);
        });
    }
}

/// Shows a round sample of a colour.
fn swatch(ui: &mut Ui, [r, g, b]: [u8; 3], chosen: bool) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(egui::vec2(22.0, 22.0), Sense::click());
    let painter = ui.painter();
    painter.circle_filled(rect.center(), 9.0, Color32::from_rgb(r, g, b));
    mark(ui, rect, chosen || response.hovered(), chosen);
    response
}

/// Shows the sample of the rainbow palette.
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

/// Shows the chart of a length profile, which the pointer edits. Returns whether it is dragged.
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
        lengths[station] = (share * CHART_LENGTH).round().min(MAX_LENGTH);
    }
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 4.0, Color32::from_black_alpha(60));
    for (station, length) in lengths.iter().enumerate() {
        let left = rect.left() + step * station as f32;
        let high = rect.height() * ((length / CHART_LENGTH).min(1.0)) as f32;
        let corner = egui::pos2(left + 2.0, rect.top());
        let bar = egui::Rect::from_min_size(corner, egui::vec2(step - 4.0, high.max(2.0)));
        painter.rect_filled(bar, 2.0, ACCENT.gamma_multiply(0.75));
    }
    response.dragged()
}
