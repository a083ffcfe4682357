//! The section of roots: their number, method and measurements.

use crate::numbers::grouped;
use crate::roots_overlay;
use crate::viewer::app::App;
use crate::viewer::input::action::Action;
use crate::viewer::interface::rows::{LABEL_WIDTH, button_if, combo, note, row, short};
use crate::viewer::subject::roots_view::{Findings, RootsView};
use mohawk::roots::{Amount, MAX_STRANDS};
use three_d::egui::{self, RichText, Ui};

/// Largest seed in the panel. The widget counts in f64, which represents it exactly.
const MAX_SEED: u64 = 1 << 53;

/// Range of the slider for the spacing, decimetres.
const SPACINGS: std::ops::RangeInclusive<f32> = 0.002..=0.5;

/// Shows the settings of roots, and their measurements if they are shown.
pub(crate) fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let RootsView {
        switches, findings, ..
    } = &mut app.roots_view;
    ui.horizontal(|ui| {
        let help = "Discs as wide as the spacing on the skin, coloured by the distance to the \
                    nearest root, and a ring around the largest gap (D)";
        ui.checkbox(&mut switches.roots, "Show roots")
            .on_hover_text(help);
        ui.add_enabled_ui(switches.roots, |ui| {
            ui.checkbox(&mut switches.hair, "and hair");
        });
        let has_gap = (findings.coverage.as_ref()).is_some_and(|found| found.gap.is_some());
        let help = "Look at the largest gap from above (Enter: back)";
        if button_if(ui, switches.roots && has_gap, "Go to gap", help) {
            actions.push(Action::FaceGap);
        }
    });
    let (config, was) = app.settings.edited();
    let (roots, was) = (&mut config.roots, &was.roots);
    let whole = app.subject.hair.as_ref().map(|hair| hair.whole);
    amount(ui, &mut roots.amount, &was.amount, whole);
    let help = "Seed of the random numbers; the same seed gives the same roots on every machine";
    row(ui, "Seed", help, &mut roots.seed, &was.seed, |ui, seed| {
        let value = egui::DragValue::new(seed).range(0..=MAX_SEED);
        ui.add(value.clamp_existing_to_range(false));
    });
    let (method, was) = (&mut roots.method, &was.method);
    let help = "How roots are chosen";
    row(ui, "Method", help, method, was, |ui, method| {
        combo(ui, "method", method);
    });
    if let Some(spacing) = app.subject.spacing() {
        let strands = app.subject.strands();
        let text = format!("{} planted, {spacing:.4} dm apart", grouped(strands));
        note(ui, text);
        if switches.roots {
            measurements(ui, findings, f64::from(spacing), strands);
        }
    }
}

/// Shows the number of strands or the spacing. Switching between them keeps the roots. `whole` is
/// the number of roots at full density, and their spacing.
fn amount(ui: &mut Ui, amount: &mut Amount, was: &Amount, whole: Option<(usize, f32)>) {
    ui.horizontal(|ui| {
        let by_spacing = matches!(amount, Amount::Spacing(_));
        let mut wants_spacing = by_spacing;
        ui.selectable_value(&mut wants_spacing, false, "by strands")
            .on_hover_text("Set the number of strands; the spacing follows");
        ui.selectable_value(&mut wants_spacing, true, "by spacing")
            .on_hover_text("Set the spacing; the number of strands follows");
        if by_spacing && !wants_spacing {
            let planted = whole.map_or(0, |(count, _)| count);
            let planted = u32::try_from(planted).unwrap_or(MAX_STRANDS);
            *amount = Amount::Strands(planted.clamp(1, MAX_STRANDS));
        } else if let (true, false, Some((_, planted))) = (wants_spacing, by_spacing, whole) {
            *amount = Amount::Spacing(planted);
        }
    });
    let (name, help) = match amount {
        Amount::Strands(_) => ("Strands", "Number of strands"),
        Amount::Spacing(_) => ("Spacing", "Smallest distance between two roots"),
    };
    row(ui, name, help, amount, was, |ui, amount| {
        let slider = match amount {
            Amount::Strands(count) => egui::Slider::new(count, 100..=1_000_000)
                .custom_formatter(|count, _| grouped(count as usize)),
            Amount::Spacing(spacing) => egui::Slider::new(spacing, SPACINGS)
                .custom_formatter(|dm, _| short(dm))
                .suffix(" dm"),
        };
        let slider = slider.clamping(egui::SliderClamping::Edits);
        ui.add(slider.logarithmic(true));
    });
}

/// Shows the measurements of the roots.
fn measurements(ui: &mut Ui, findings: &Findings, spacing: f64, strands: usize) {
    let stride = roots_overlay::drawn_stride(strands);
    if stride > 1 {
        note(ui, format!("too many to show: one in {stride} is drawn"));
    }
    let spread = findings.spread.as_ref();
    let coverage = findings.coverage.as_ref();
    let pending = match findings.problem {
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
        None => "a side without roots".to_owned(),
    });
    let ratio = coverage.map(|coverage| format!("≤ {:.4}", coverage.ratio_upper_bound));
    let maximal = coverage.map(|coverage| {
        ["no: roots would fit", "proven"][usize::from(coverage.maximal)].to_owned()
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
                ui.label(RichText::new(name).small()).on_hover_text(help);
                ui.label(match value {
                    Some(value) => RichText::new(value).small().strong(),
                    None => RichText::new(pending).small().weak(),
                });
                ui.end_row();
            }
        });
    if let Some(problem) = &findings.problem {
        note(ui, format!("cannot be measured: {problem}"));
    }
}
