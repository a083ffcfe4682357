//! The legend of the overlays: what marks and colours mean.

use super::Lab;
use super::scale::Ramp;
use crate::numbers::grouped;
use crate::viewer::interface::overlay::window;
use crate::viewer::interface::rows::{color_scale, color32, short};
use three_d::egui::{self, Align2, Color32, Pos2, Rect, RichText, Sense, Stroke, Ui, Vec2};

/// The width of the legend, logical pixels.
const WIDTH: f32 = 218.0;
/// The height of a colour scale, and of the numbers under it.
const STRIP: [f32; 2] = [7.0, 13.0];
/// The room for the numbers under the ends of a scale.
const INSET: f32 = 10.0;

/// The mark that stands for an overlay in the legend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Swatch {
    Dot([f32; 3]),
    Line([f32; 3]),
    Arrow([f32; 3]),
    /// A line that starts at a dot.
    Spring([f32; 3]),
    Colors([[f32; 3]; 4]),
    /// The overlay has nothing to show.
    Nothing,
}

/// The legend of one overlay.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    swatch: Swatch,
    pub(super) text: String,
    /// The number of strands that are left out.
    note: Option<String>,
    /// The colour scale with the texts under its start, middle and end.
    scale: Option<(Ramp, [String; 3])>,
}

impl Entry {
    pub(super) fn new(swatch: Swatch, text: impl Into<String>) -> Self {
        Self {
            swatch,
            text: text.into(),
            note: None,
            scale: None,
        }
    }

    /// Returns the entry of an overlay that has nothing to show.
    pub(super) fn nothing(why: &str) -> Self {
        Self::new(Swatch::Nothing, format!("nothing to show: {why}"))
    }

    /// Adds a note that one strand in `stride` is drawn.
    pub(super) fn thinned(self, stride: usize) -> Self {
        let note = || format!("one strand in {} is shown", grouped(stride));
        let note = (stride > 1).then(note);
        Self { note, ..self }
    }

    pub(super) fn scaled(self, ramp: Ramp, labels: [String; 3]) -> Self {
        let scale = Some((ramp, labels));
        Self { scale, ..self }
    }

    /// Adds a scale from 0 to `end`.
    pub(super) fn scaled_to(self, ramp: Ramp, end: f32, unit: &str) -> Self {
        let end = format!("{} {unit}", short(end.into()));
        self.scaled(ramp, ["0".to_owned(), String::new(), end])
    }
}

/// Shows the legend in the top left corner of the scene, `below` logical pixels from the top.
pub(crate) fn show(ctx: &egui::Context, area: egui::Rect, below: f32, lab: &Lab) {
    let (entries, picked) = (&lab.legend, lab.switches.picked);
    if entries.is_empty() && picked.is_none() {
        return;
    }
    let corner = egui::vec2(16.0, 16.0 + below);
    window(ctx, "lab-legend", area, Align2::LEFT_TOP, corner, |ui| {
        ui.set_min_width(WIDTH);
        ui.set_max_width(WIDTH);
        ui.spacing_mut().item_spacing.y = 2.0;
        if let Some(strand) = picked {
            let rows = lab.recording.as_ref().map(|recording| recording.rows);
            show_picked(ui, strand, rows);
        }
        for (i, (overlay, entry)) in entries.iter().enumerate() {
            if i > 0 || picked.is_some() {
                ui.add_space(5.0);
            }
            show_entry(ui, overlay.name(), entry);
        }
    });
}

/// Shows the marked strand. `rows`: the number of recorded rows while its tip is recorded.
fn show_picked(ui: &mut Ui, strand: usize, rows: Option<usize>) {
    let (color, text) = match rows {
        Some(rows) => {
            let seconds = rows as f64 / 240.0;
            let text = format!("recording its tip: {seconds:.1} s (Shift+C stops)");
            ([1.0, 0.28, 0.22], text)
        }
        None => ([0.40, 0.95, 1.0], "Shift+C records its tip".to_owned()),
    };
    ui.horizontal(|ui| {
        draw_swatch(ui, Swatch::Dot(color));
        ui.label(RichText::new(format!("Strand {strand}")).strong());
    });
    ui.small(text);
}

fn show_entry(ui: &mut Ui, name: &str, entry: &Entry) {
    ui.horizontal(|ui| {
        draw_swatch(ui, entry.swatch);
        ui.label(RichText::new(name).strong());
    });
    ui.small(&entry.text);
    if let Some((ramp, labels)) = &entry.scale {
        draw_scale(ui, *ramp, labels);
    }
    if let Some(note) = &entry.note {
        ui.label(RichText::new(note).small().weak());
    }
}

fn draw_swatch(ui: &mut Ui, swatch: Swatch) {
    let (area, _) = ui.allocate_exact_size(egui::vec2(18.0, 14.0), Sense::hover());
    let painter = ui.painter();
    let center = area.center();
    let ends = [
        area.left_bottom() + egui::vec2(1.0, -3.0),
        area.right_top() + egui::vec2(-1.0, 3.0),
    ];
    match swatch {
        Swatch::Dot(color) => _ = painter.circle_filled(center, 4.0, color32(color)),
        Swatch::Line(color) => _ = painter.line_segment(ends, Stroke::new(2.0, color32(color))),
        Swatch::Arrow(color) => {
            painter.arrow(ends[0], ends[1] - ends[0], Stroke::new(1.6, color32(color)));
        }
        Swatch::Spring(color) => {
            painter.line_segment(ends, Stroke::new(1.6, color32(color)));
            painter.circle_filled(ends[0], 3.0, color32(color));
        }
        Swatch::Colors(colors) => {
            for (i, color) in colors.into_iter().enumerate() {
                let x = area.left() + 2.0 + 4.6 * i as f32;
                let ends = [area.top() + 1.0, area.bottom() - 1.0].map(|y| Pos2::new(x, y));
                painter.line_segment(ends, Stroke::new(3.0, color32(color)));
            }
        }
        Swatch::Nothing => {
            painter.circle_stroke(center, 4.0, Stroke::new(1.4, Color32::GRAY));
        }
    }
}

/// Draws a strip of colours with numbers under it.
fn draw_scale(ui: &mut Ui, ramp: Ramp, labels: &[String; 3]) {
    let [colors, numbers] = STRIP;
    let size = egui::vec2(WIDTH, colors + numbers);
    let (area, _) = ui.allocate_exact_size(size, Sense::hover());
    let strip = Rect::from_min_size(area.min, egui::vec2(WIDTH, colors));
    let painter = ui.painter_at(area.expand2(Vec2::new(8.0, 0.0)));
    let color = |share| ramp.color(ramp.begin() + share * (1.0 - ramp.begin()));
    let aligns = [Align2::LEFT_TOP, Align2::CENTER_TOP, Align2::RIGHT_TOP];
    let labels = [0, 1, 2].map(|i| (&*labels[i], aligns[i]));
    let strip = strip.shrink2(egui::vec2(INSET, 0.0));
    color_scale(&painter, strip, color, labels, ui.visuals().text_color());
}
