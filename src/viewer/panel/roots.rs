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
    amount(
        ui,
        &mut roots.amount,
        &was.amount,
        app.subject.hair.as_ref().map(|hair| hair.whole),
    );
    let help = "Seed of the random numbers; the same seed gives the same roots on every machine";
    row(ui, "Seed", help, &mut roots.seed, &was.seed, |ui, seed| {
        let value = egui::DragValue::new(seed).range(0..=MAX_SEED);
        ui.add(value.clamp_existing_to_range(false));
    });
    let (method, was) = (&mut roots.method, &was.method);
    row(
        ui,
        "Method",
        "How roots are chosen",
        method,
        was,
        |ui, method| combo(ui, "method", method),
    );
    if let Some(spacing) = app.subject.spacing() {
        let strands = app.subject.strands();
        note(
            ui,
            &format!("{} planted, {spacing:.4} dm apart", grouped(strands)),
        );
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
        let strands = ui
            .selectable_label(!by_spacing, "by strands")
            .on_hover_text("Set the number of strands; the spacing follows");
        let spacing = ui
            .selectable_label(by_spacing, "by spacing")
            .on_hover_text("Set the spacing; the number of strands follows");
        if strands.clicked() && by_spacing {
            let planted = whole.map_or(0, |(count, _)| count);
            let planted = u32::try_from(planted).unwrap_or(MAX_STRANDS);
            *amount = Amount::Strands(planted.clamp(1, MAX_STRANDS));
        }
        if let (true, false, Some((_, planted))) = (spacing.clicked(), by_spacing, whole) {
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
        note(ui, &format!("too many to show: one in {stride} is drawn"));
    }
    let spread = findings.spread.as_ref();
    let coverage = findings.coverage.as_ref();
    let pending = match findings.problem {
        Some(_) => "unknown",
        None => "measuring…",
    };
    let facts = [
        (
            "Closest pair",
            "Of roots on the same side of the skin",
            spread.map(|spread| match spread.closest {
                Some(d) => format!("{d:.4} dm, {:.4} r", d / spacing),
                None => "there is no pair".into(),
            }),
        ),
        (
            "Relative radius ρ",
            "0 clumped, about 0.77 maximal Poisson-disk, 1 a perfect lattice",
            spread.map(|spread| match spread.relative_radius {
                Some(rho) => format!("{rho:.3}"),
                None => "–".into(),
            }),
        ),
        (
            "Largest gap R",
            "Largest distance of a point of the scalp from its nearest root",
            coverage.map(|coverage| match &coverage.gap {
                Some(gap) => format!("{:.4} dm", gap.radius),
                None => "a side without roots".into(),
            }),
        ),
        (
            "R/r",
            "Certified upper bound",
            coverage.map(|coverage| format!("≤ {:.4}", coverage.ratio_upper_bound)),
        ),
        (
            "Maximal",
            "No further root fits anywhere on the scalp",
            coverage.map(|coverage| match coverage.maximal {
                true => "proven".into(),
                false => "no: roots would fit".into(),
            }),
        ),
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
        note(ui, &format!("cannot be measured: {problem}"));
    }
}
