//! The panel of the doll: tools, figure, hair and file.

use super::{DollApp, RADII};
use crate::viewer::files::StrokeRecording;
use crate::viewer::input::action::Action;
use crate::viewer::interface::color::color;
use crate::viewer::interface::help::labelled;
use crate::viewer::interface::rows::{
    ACCENT, button, buttons, color32, follow_keyboard, note, path_row, record_strokes, section,
    share, text_field, title, tool_button, undo_redo,
};
use crate::viewer::interface::told::Told;
use mohawk::doll::{
    COUNTS, ClipKind, DollSettings, DollTool, Figure, LengthProfile, MAX_LENGTH, Palette, STATIONS,
};
use three_d::egui::{self, Color32, Sense, Stroke, Ui};

/// Colours of the paints, sRGB.
const PAINTS: [u32; 10] = [
    0xe8476a, 0xff914d, 0xfacd54, 0x5cbe6e, 0x42a5dc, 0x5c5cd6, 0xb062d6, 0xf096c4, 0x3c281e,
    0xf5f0e8,
];

/// Width of labels, logical pixels.
const LABEL_WIDTH: f32 = 64.0;

/// Largest length in the editor of the profile, pixels of the page.
const CHART_LENGTH: f64 = 320.0;

/// The labels of the buttons of [`DollTool::ALL`].
const TOOL_LABELS: [&str; 5] = ["Comb", "Scissors", "Colour", "Clip", "Reset"];

impl DollApp {
    /// Shows the panel, applies its changes, and adds the requested actions.
    pub(super) fn show_panel(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        title(ui, "mohawk doll", actions, |ui, actions| {
            if self.has_head {
                let head = ("Head", "Back to the head (Esc)", Action::Doll);
                buttons(ui, [head], actions);
            }
        });
        let scroll = egui::ScrollArea::vertical().auto_shrink([false, true]);
        scroll.show(ui, |ui| {
            section(ui, "Tools", true, |ui| self.tools(ui));
            let mut settings = self.session.doll().settings.clone();
            let mut dragged = false;
            section(ui, "Doll", true, |ui| {
                figure_rows(ui, &mut settings, actions)
            });
            section(ui, "Hair", true, |ui| {
                dragged = self.hair(ui, &mut settings)
            });
            if settings != self.session.doll().settings {
                // The panel handles the input of a frame before the page does.
                self.end_stroke();
                let merge = std::mem::replace(&mut self.merging, dragged);
                if let Err(error) = self.session.set_settings(settings, merge) {
                    self.overlay.error(error.to_string());
                }
            } else {
                // A slider may change in the frame in which it is released.
                self.merging &= dragged;
            }
            section(ui, "File", true, |ui| self.file_rows(ui, actions));
            follow_keyboard(ui);
        });
    }

    fn tools(&mut self, ui: &mut Ui) {
        egui::Grid::new("tools").spacing([4.0, 4.0]).show(ui, |ui| {
            for ((number, tool), label) in (1..).zip(DollTool::ALL).zip(TOOL_LABELS) {
                let help = format!("{} ({number})", tool.about());
                let texts = [label, &help];
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
            let slider = slider.clamping(egui::SliderClamping::Edits);
            ui.add(slider.fixed_decimals(0).suffix(" px"));
        });
        let graded = !matches!(brush.tool, DollTool::Cut | DollTool::Clip);
        ui.add_enabled_ui(graded, |ui| {
            labelled(ui, LABEL_WIDTH, ["Strength", "0: no effect"], |ui| {
                share(ui, &mut brush.strength);
            });
        });
        ui.add_space(2.0);
        // Choosing a colour also chooses the tool that uses it.
        let mut taken = false;
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for paint in PAINTS {
                let srgb = [16, 8, 0].map(|shift| ((paint >> shift) & 0xff) as f32 / 255.0);
                if swatch(ui, &[srgb], brush.color == srgb).clicked() {
                    brush.color = srgb;
                    taken = true;
                }
            }
            let before = brush.color;
            _ = color(ui, &mut brush.color);
            taken |= brush.color != before;
        });
        if taken && brush.tool != DollTool::Clip {
            brush.tool = DollTool::Color;
        }
        ui.horizontal_wrapped(|ui| {
            for kind in ClipKind::ALL {
                let chosen = brush.clip == kind && brush.tool == DollTool::Clip;
                let label = ui.selectable_label(chosen, kind.name());
                if label.chosen(chosen).clicked() {
                    (brush.clip, brush.tool) = (kind, DollTool::Clip);
                }
            }
        });
    }

    /// Shows the rows of the hair. Returns whether one is dragged.
    fn hair(&self, ui: &mut Ui, settings: &mut DollSettings) -> bool {
        let [least, most] = COUNTS;
        let mut dragged = false;
        labelled(ui, LABEL_WIDTH, ["Hairs", "Number of hairs"], |ui| {
            let slider = egui::Slider::new(&mut settings.hairs, least..=most).logarithmic(true);
            // The first digits of a number would drop combed hair.
            dragged = ui.add(slider.update_while_editing(false)).dragged();
        });
        let mut own = settings.profile != LengthProfile::Figure;
        let switch = ui.checkbox(&mut own, "Custom lengths");
        let help = "Drag in the chart to set the lengths from left to right";
        if switch.help(help).changed() {
            settings.profile = match own {
                true => LengthProfile::Custom(settings.lengths()),
                false => LengthProfile::Figure,
            };
        }
        if let LengthProfile::Custom(lengths) = &mut settings.profile {
            dragged |= chart(ui, lengths);
        }
        dragged
    }

    fn file_rows(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        ui.horizontal(|ui| {
            let history = self.session.history();
            undo_redo(ui, [history.len(), history.undone()], actions);
        });
        ui.horizontal(|ui| {
            let entered = text_field(ui, &mut self.document.name, "mohawk.doll", 150.0);
            if button(ui, "Save", "Ctrl+S") || entered {
                actions.push(Action::SaveAs(self.document.path_of(&self.document.name)));
            }
            let open = ("Open…", "Ctrl+O; or drop a doll", Action::Open);
            buttons(ui, [open], actions);
        });
        ui.horizontal(|ui| {
            path_row(
                ui,
                egui::Id::new("path of a doll"),
                &mut self.path,
                "or type the path of a doll",
                actions,
            );
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

fn figure_rows(ui: &mut Ui, settings: &mut DollSettings, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        for figure in Figure::ALL {
            ui.selectable_value(&mut settings.figure, figure, figure.name())
                .chosen(settings.figure == figure);
        }
    });
    ui.horizontal_wrapped(|ui| {
        for palette in Palette::ALL {
            let rainbow = [0, 1, 2, 3, 4, 5, 6].map(|i| palette.color(60.0, f64::from(i) / 6.0));
            let samples = match palette {
                Palette::Rainbow => &rainbow[..],
                _ => &[palette.color(40.0, 0.5)],
            };
            let swatch = swatch(ui, samples, settings.palette == palette);
            if swatch.help(palette.name()).clicked() {
                settings.palette = palette;
            }
        }
    });
    ui.horizontal(|ui| {
        if button(ui, "New hair", "Another seed; edits by hand are lost") {
            settings.seed = settings.seed % (1 << 32) + 1;
        }
        let help = "Restore all hair as it grew (R)";
        buttons(ui, [("Reset all", help, Action::Reset)], actions);
    });
}

/// Shows a round sample of one colour, or of several from left to right, sRGB.
fn swatch(ui: &mut Ui, colors: &[[f32; 3]], chosen: bool) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(egui::vec2(22.0, 22.0), Sense::click());
    let (painter, center) = (ui.painter(), rect.center());
    if let [color] = colors {
        painter.circle_filled(center, 9.0, color32(*color));
    } else {
        for (i, color) in colors.iter().enumerate() {
            let x = i as f32 / (colors.len() - 1) as f32;
            let half = (81.0 - (18.0 * x - 9.0).powi(2)).max(12.0).sqrt();
            let at = center + egui::vec2(15.0 * x - 7.5, 0.0);
            let bar = egui::Rect::from_center_size(at, egui::vec2(2.6, 2.0 * half));
            painter.rect_filled(bar, 0.0, color32(*color));
        }
    }
    if chosen || response.hovered() {
        let color = if chosen { ACCENT } else { Color32::GRAY };
        painter.circle_stroke(center, 10.5, Stroke::new(2.0, color));
    }
    response
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
