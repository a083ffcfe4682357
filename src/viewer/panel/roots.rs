//! The section of roots, and their legend: a histogram of distances in the colours of the discs.

use crate::numbers::grouped;
use crate::roots_overlay::{HISTOGRAM_END, Spread, drawn_stride};
use crate::viewer::app::App;
use crate::viewer::input::action::Action;
use crate::viewer::interface::edit::{combo, row, slider};
use crate::viewer::interface::rows::{LABEL_WIDTH, button_if, color_scale, color32, note};
use crate::viewer::interface::told::Told;
use crate::viewer::interface::window;
use crate::viewer::subject::roots_view::RootsView;
use mohawk::ramp::{RAMP_END, TOO_CLOSE, distance_color};
use mohawk::roots::{Amount, MAX_STRANDS, RootSettings};
use mohawk::settings::Field;
use three_d::egui::{self, Align2, Color32, Pos2, Rect, RichText, Sense, Stroke, Ui};

/// Largest seed in the panel. The widget counts in f64, which represents it exactly.
const MAX_SEED: u64 = 1 << 53;

/// Range of the slider for the number of strands.
const COUNTS: [f64; 2] = [100.0, 1e6];
/// Range of the slider for the spacing, decimetres.
const SPACINGS: [f64; 2] = [0.002, 0.5];

/// Size of the histogram with its labels, logical pixels.
const SIZE: egui::Vec2 = egui::vec2(252.0, 78.0);
/// Height of the colours and labels below the bars, logical pixels.
const FOOT: f32 = 24.0;
/// Height of the colours, logical pixels.
const STRIP_HEIGHT: f32 = 6.0;
/// Start of the histogram, in spacings, unless roots are closer.
const BEGIN: f64 = 1.0;

/// Shows the settings of roots, and their measurements if they are shown.
pub(crate) fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let view = &mut app.roots_view;
    ui.horizontal(|ui| {
        let switches = &mut view.switches;
        let help = "Discs as wide as the spacing on the skin, coloured by the distance to the \
                    nearest root, and a ring around the largest gap (D)";
        ui.checkbox(&mut switches.roots, "Show roots").help(help);
        ui.add_enabled_ui(switches.roots, |ui| {
            ui.checkbox(&mut switches.hair, "and hair");
        });
        let has_gap = (view.coverage.as_ref()).is_some_and(|found| found.gap.is_some());
        let help = "Look at the largest gap from above (Enter: back)";
        if button_if(ui, switches.roots && has_gap, "Go to gap", help) {
            actions.push(Action::FaceGap);
        }
    });
    settings(app, ui, [true; 3]);
    if let Some(spacing) = app.subject.spacing() {
        let view = &app.roots_view;
        let strands = app.subject.strands();
        let text = format!("{} planted, {spacing:.4} dm apart", grouped(strands));
        note(ui, text);
        if view.switches.roots {
            measurements(ui, view, f64::from(spacing), strands);
        }
    }
}

/// Shows those rows of amount, seed and method that are wanted.
pub(super) fn settings(
    app: &mut App,
    ui: &mut Ui,
    [with_amount, with_seed, with_method]: [bool; 3],
) {
    let styler = app.styling.styler.ready();
    let has_own = styler.is_some_and(|styler| styler.style().edits.roots.is_some());
    let (config, was) = app.settings.edited();
    let (roots, was) = (&mut config.roots, &was.roots);
    if with_amount {
        let whole = app.subject.hair.as_ref().map(|hair| hair.whole);
        amount(ui, &mut roots.amount, &was.amount, whole);
        let (asked, shown) = (&roots.amount, app.subject.strands());
        if has_own {
            let shown = grouped(shown);
            note(
                ui,
                format!("{shown} strands of a file; another number samples new roots"),
            );
        } else if let Some(text) = count_note(asked, shown).filter(|_| whole.is_some()) {
            note(ui, text);
        }
    }
    if with_seed {
        let texts = ["Seed", &help(&RootSettings::seed)];
        row(ui, texts, &mut roots.seed, &was.seed, |ui, seed| {
            let value = egui::DragValue::new(seed).range(0..=MAX_SEED);
            ui.add(
                value
                    .clamp_existing_to_range(false)
                    .update_while_editing(false),
            );
        });
    }
    if with_method {
        let (method, was) = (&mut roots.method, &was.method);
        let texts = ["Method", &help(&RootSettings::method)];
        row(ui, texts, method, was, |ui, method| {
            combo(ui, "method", method);
        });
    }
}

/// Returns how many strands are shown, in words, if that differs from the number in the row. The row
/// counts the skin that the model's paint marks, and the density map lets hair grow elsewhere, or not.
fn count_note(amount: &Amount, shown: usize) -> Option<String> {
    let differs = |&asked: &u32| (f64::from(asked) - shown as f64).abs() > 0.02 * f64::from(asked);
    let text = |on: &str| format!("{} strands on the head{on}", grouped(shown));
    match amount {
        Amount::Strands(asked) => {
            differs(asked).then(|| text(", where the density map lets hair grow"))
        }
        Amount::Spacing(_) => Some(text("")),
    }
}

/// Returns meaning, range and default of a setting.
fn help(field: &Field) -> String {
    let lines = [field.meaning(), field.range_and_default()].join("\n");
    lines.trim_end().to_owned()
}

/// Shows the number of strands or the spacing. Switching between them keeps the roots. `whole` is
/// the number of roots at full density, and their spacing.
fn amount(ui: &mut Ui, amount: &mut Amount, was: &Amount, whole: Option<(usize, f32)>) {
    ui.horizontal(|ui| {
        let by_spacing = matches!(amount, Amount::Spacing(_));
        let mut wants_spacing = by_spacing;
        ui.selectable_value(&mut wants_spacing, false, "by strands")
            .chosen(!wants_spacing)
            .help("Set the number of strands; the spacing follows");
        ui.selectable_value(&mut wants_spacing, true, "by spacing")
            .chosen(wants_spacing)
            .help("Set the spacing; the number of strands follows");
        if by_spacing && !wants_spacing {
            let planted = whole.map_or(0, |(count, _)| count);
            let planted = u32::try_from(planted).unwrap_or(MAX_STRANDS);
            *amount = Amount::Strands(planted.clamp(1, MAX_STRANDS));
        } else if let (true, false, Some((_, planted))) = (wants_spacing, by_spacing, whole) {
            *amount = Amount::Spacing(planted);
        }
    });
    let (name, field) = match amount {
        Amount::Strands(_) => ("Strands", &RootSettings::strands),
        Amount::Spacing(_) => ("Spacing", &RootSettings::spacing),
    };
    let texts = [name, &*help(field)];
    row(ui, texts, amount, was, |ui, amount| match amount {
        Amount::Strands(count) => {
            let allowed = [1.0, f64::from(MAX_STRANDS)];
            slider(ui, count, [COUNTS, allowed], true, "");
        }
        Amount::Spacing(spacing) => slider(ui, spacing, [SPACINGS, [1e-4, 10.0]], true, " dm"),
    });
}

/// Shows the measurements of the roots.
fn measurements(ui: &mut Ui, view: &RootsView, spacing: f64, strands: usize) {
    let stride = drawn_stride(strands);
    if stride > 1 {
        note(ui, format!("too many to show: one in {stride} is drawn"));
    }
    let spread = view.spread.as_ref();
    let coverage = view.coverage.as_ref();
    let pending = match view.problem {
        Some(_) => "unknown",
        None => "measuring…",
    };
    let closest = spread.map(|spread| match spread.closest {
        Some(d) => format!("{d:.4} dm, {:.4} r", d / spacing),
        None => "there is no pair".to_owned(),
    });
    let relative_radius = spread.map(|spread| match spread.relative_radius {
        Some(rho) => format!("{rho:.3}"),
        None => "–".to_owned(),
    });
    let gap = coverage.map(|coverage| match &coverage.gap {
        Some(gap) => format!("{:.4} dm", gap.radius),
        None => "none: a side has no roots".to_owned(),
    });
    let ratio = coverage.map(|coverage| format!("≤ {:.4}", coverage.ratio_upper_bound));
    let maximal = coverage.map(|coverage| {
        ["no: more roots would fit", "proven"][usize::from(coverage.maximal)].to_owned()
    });
    let [about_pair, about_radius, about_gap, about_maximal] = [
        "Of roots on the same side of the skin",
        "0 clumped, about 0.77 maximal Poisson-disk, 1 a perfect lattice",
        "Largest distance of a point of the scalp from its nearest root",
        "No further root fits anywhere on the scalp",
    ];
    let facts = [
        ("Closest pair", about_pair, closest),
        ("Relative radius ρ", about_radius, relative_radius),
        ("Largest gap R", about_gap, gap),
        ("R/r", "Certified upper bound", ratio),
        ("Maximal", about_maximal, maximal),
    ];
    egui::Grid::new("measures")
        .num_columns(2)
        .min_col_width(LABEL_WIDTH)
        .spacing([6.0, 1.0])
        .show(ui, |ui| {
            for (name, help, value) in facts {
                ui.label(RichText::new(name).small()).help(help);
                ui.label(match value {
                    Some(value) => RichText::new(value).small().strong(),
                    None => RichText::new(pending).small().weak(),
                });
                ui.end_row();
            }
        });
    if let Some(problem) = &view.problem {
        note(ui, format!("cannot be measured: {problem}"));
    }
}

impl App {
    /// Shows the legend of the roots in a corner of the scene, if roots are shown.
    pub(crate) fn show_legend(&self, ctx: &egui::Context, area: Rect) {
        let spacing = self.subject.spacing();
        let Some(spacing) = spacing.filter(|_| self.roots_view.switches.roots) else {
            return;
        };
        let (view, roots) = (&self.roots_view, self.subject.strands());
        let corner = egui::vec2(16.0, 16.0);
        window(ctx, "legend", area, Align2::LEFT_TOP, corner, |ui| {
            ui.label(RichText::new(format!("{} roots", grouped(roots))).strong());
            ui.small(format!("distance to the nearest, r = {spacing:.4} dm"));
            match &view.spread {
                Some(spread) => histogram(ui, spread),
                None => _ = ui.allocate_exact_size(SIZE, Sense::hover()),
            }
            let spread = view.spread.as_ref();
            let too_close = spread.map_or(0, |spread| spread.too_close);
            if too_close > 0 {
                let text = format!("{} closer than r", grouped(too_close));
                ui.label(RichText::new(text).small().color(color32(TOO_CLOSE)));
            }
            ui.horizontal(|ui| {
                reticle(ui);
                ui.small(match &view.coverage {
                    None => "largest gap: measuring…".to_owned(),
                    Some(coverage) if coverage.ratio_lower_bound.is_finite() => {
                        let (ratio, maximal) = (coverage.ratio_lower_bound, coverage.maximal);
                        let maximal = ["", ", maximal: proven"][usize::from(maximal)];
                        format!("largest gap R = {ratio:.3} r{maximal}")
                    }
                    Some(_) => "none: a side has no roots".to_owned(),
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
    let corners = [
        Pos2::new(x(1.0), floor + 2.0),
        Pos2::new(x(RAMP_END), floor + 2.0 + STRIP_HEIGHT),
    ];
    let color = |share: f32| distance_color(1.0 + (RAMP_END - 1.0) * f64::from(share));
    let labels = ["r", "1.25 r", "1.5 r"].map(|text| (text, Align2::CENTER_TOP));
    color_scale(&painter, corners.into(), color, labels, Color32::GRAY);
}

/// Draws the mark of the largest gap.
fn reticle(ui: &mut Ui) {
    let (area, _) = ui.allocate_exact_size(egui::vec2(18.0, 18.0), Sense::hover());
    let color = ui.visuals().strong_text_color();
    let stroke = Stroke::new(1.3, color);
    let center = area.center();
    let painter = ui.painter();
    painter.circle(center, 3.5, color.gamma_multiply(0.25), stroke);
    for way in [egui::vec2(1.0, 0.0), egui::vec2(0.0, 1.0)] {
        for side in [-1.0, 1.0] {
            let tick = [center + 5.5 * side * way, center + 8.5 * side * way];
            painter.line_segment(tick, stroke);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strands_beyond_the_paint_of_the_model_are_told() {
        let note = |amount, shown| count_note(&amount, shown);
        assert_eq!(note(Amount::Strands(2400), 2411), None);
        let told = note(Amount::Strands(2400), 24_236).unwrap();
        assert!(told.starts_with("24,236 strands"), "{told}");
        let told = note(Amount::Spacing(0.05), 9).unwrap();
        assert_eq!(told, "9 strands on the head");
    }
}
