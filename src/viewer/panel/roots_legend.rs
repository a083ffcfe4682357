//! The legend of the roots: a histogram of distances in the colours of the discs.

use crate::numbers::grouped;
use crate::roots_overlay::{HISTOGRAM_END, Spread};
use crate::viewer::app::App;
use crate::viewer::interface::overlay::window;
use crate::viewer::interface::rows::{color_strip, color32};
use mohawk::ramp::{RAMP_END, TOO_CLOSE, distance_color};
use three_d::egui::{self, Align2, Color32, FontId, Pos2, Rect, RichText, Sense, Stroke, Ui};

/// Size of the histogram with its labels, logical pixels.
const SIZE: egui::Vec2 = egui::vec2(252.0, 78.0);
/// Height of the colours and labels below the bars, logical pixels.
const FOOT: f32 = 24.0;
/// Height of the colours, logical pixels.
const STRIP_HEIGHT: f32 = 6.0;
/// Start of the histogram, in spacings, unless roots are closer.
const BEGIN: f64 = 1.0;

impl App {
    /// Shows the legend of the roots in a corner of the scene, if roots are shown.
    pub(crate) fn show_legend(&self, ctx: &egui::Context, area: Rect) {
        let Some(spacing) = self
            .subject
            .spacing()
            .filter(|_| self.roots_view.switches.roots)
        else {
            return;
        };
        let (findings, roots) = (&self.roots_view.findings, self.subject.strands());
        let corner = egui::vec2(16.0, 16.0);
        window(ctx, "legend", area, Align2::LEFT_TOP, corner, |ui| {
            ui.label(RichText::new(format!("{} roots", grouped(roots))).strong());
            ui.small(format!("distance to the nearest, r = {spacing:.4} dm"));
            match &findings.spread {
                Some(spread) => histogram(ui, spread),
                None => _ = ui.allocate_exact_size(SIZE, Sense::hover()),
            }
            let too_close = findings
                .spread
                .as_ref()
                .map_or(0, |spread| spread.too_close);
            if too_close > 0 {
                let text = format!("{} closer than r", grouped(too_close));
                ui.label(RichText::new(text).small().color(color32(TOO_CLOSE)));
            }
            ui.horizontal(|ui| {
                reticle(ui);
                ui.small(match &findings.coverage {
                    None => "largest gap: measuring…".to_owned(),
                    Some(coverage) if coverage.ratio_lower_bound.is_finite() => {
                        let (ratio, maximal) = (coverage.ratio_lower_bound, coverage.maximal);
                        let maximal = ["", ", maximal: proven"][usize::from(maximal)];
                        format!("largest gap R = {ratio:.3} r{maximal}")
                    }
                    Some(_) => "a side without roots".to_owned(),
                });
            });
        });
    }
}

fn histogram(ui: &mut Ui, spread: &Spread) {
    let (whole, _) = ui.allocate_exact_size(SIZE, Sense::hover());
    let painter = ui.painter_at(whole.expand(2.0));
    let bar_width = HISTOGRAM_END / spread.histogram.len() as f64;
    let begin = if spread.too_close > 0 { 0.0 } else { BEGIN };
    // Room for the labels under the ends.
    let inner = whole.shrink2(egui::vec2(12.0, 0.0));
    let x = |ratio: f64| {
        let share = (ratio - begin) / (HISTOGRAM_END - begin);
        inner.left() + share as f32 * inner.width()
    };
    let floor = whole.bottom() - FOOT;
    let max_count = spread.histogram.iter().copied().max().unwrap_or(0).max(1);
    for (bar, &count) in spread.histogram.iter().enumerate() {
        let [from, to] = [bar, bar + 1].map(|bar| bar as f64 * bar_width);
        if from < begin - 1e-9 || count == 0 {
            continue;
        }
        let height = (floor - whole.top()) * count as f32 / max_count as f32;
        let top_left = Pos2::new(x(from), floor - height.max(1.0));
        let bottom_right = Pos2::new(x(to) - 0.5, floor);
        let middle = color32(distance_color(0.5 * (from + to)));
        painter.rect_filled(Rect::from_two_pos(top_left, bottom_right), 0.0, middle);
    }
    // The strip of colours with its labels.
    let corners = [
        Pos2::new(x(1.0), floor + 2.0),
        Pos2::new(x(RAMP_END), floor + 2.0 + STRIP_HEIGHT),
    ];
    let color = |share: f32| distance_color(1.0 + (RAMP_END - 1.0) * f64::from(share));
    color_strip(&painter, corners.into(), color);
    for (ratio, name) in [(1.0, "r"), (1.25, "1.25 r"), (RAMP_END, "1.5 r")] {
        let at = Pos2::new(x(ratio), floor + STRIP_HEIGHT + 3.0);
        let font = FontId::proportional(10.0);
        painter.text(at, Align2::CENTER_TOP, name, font, Color32::GRAY);
    }
}

/// Draws the mark of the largest gap.
fn reticle(ui: &mut Ui) {
    let (area, _) = ui.allocate_exact_size(egui::vec2(18.0, 18.0), Sense::hover());
    let stroke = Stroke::new(1.3, Color32::WHITE);
    let center = area.center();
    let painter = ui.painter();
    painter.circle(center, 3.5, Color32::from_white_alpha(60), stroke);
    for way in [egui::vec2(1.0, 0.0), egui::vec2(0.0, 1.0)] {
        for side in [-1.0, 1.0] {
            let tick = [center + 5.5 * side * way, center + 8.5 * side * way];
            painter.line_segment(tick, stroke);
        }
    }
}
