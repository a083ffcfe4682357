//! The section of roots: their number, method and measurements.

use super::status::PanelStatus;
use crate::numbers::grouped;
use crate::roots_overlay;
use crate::viewer::input::action::Action;
use crate::viewer::interface::rows::{button_if, combo, note, row, short};
use crate::viewer::subject::roots_view::{Findings, Switches};
use mohawk::roots::{Amount, MAX_STRANDS, RootSettings};
use three_d::egui::{self, RichText, Ui};

/// Largest seed in the panel. The widget counts in f64, which represents it exactly.
const MAX_SEED: u64 = 1 << 53;

/// Range of the slider for the spacing, decimetres.
const SPACINGS: std::ops::RangeInclusive<f32> = 0.002..=0.5;

/// Shows the settings of roots, and their measurements if they are shown.
pub(crate) fn show(
    ui: &mut Ui,
    roots: &mut RootSettings,
    started: &RootSettings,
    switches: &mut Switches,
    status: &PanelStatus<'_>,
    actions: &mut Vec<Action>,
) {
    ui.horizontal(|ui| {
        ui.checkbox(&mut switches.roots, "Show roots")
            .on_hover_text(
                "Discs as wide as the spacing on the skin, coloured by the distance to the nearest \
             root, and a ring around the largest gap (D)",
            );
        ui.add_enabled_ui(switches.roots, |ui| {
            ui.checkbox(&mut switches.hair, "and hair");
        });
        let gap = status.findings.coverage.and_then(|coverage| coverage.gap);
        let enabled = switches.roots && gap.is_some();
        let help = "Look at the largest gap from above (Enter: back)";
        if button_if(ui, enabled, "Go to gap", help) {
            actions.push(Action::FaceGap);
        }
    });
    amount(ui, roots, started, status);
    let help = "Seed of the random numbers; the same seed gives the same roots on every machine";
    let (seed, was) = (&mut roots.seed, &started.seed);
    row(ui, "Seed", help, seed, was, |ui, seed| {
        let value = egui::DragValue::new(seed).range(0..=MAX_SEED);
        ui.add(value.clamp_existing_to_range(false));
    });
    let help = "How roots are chosen";
    let (method, was) = (&mut roots.method, &started.method);
    row(ui, "Method", help, method, was, |ui, method| {
        combo(ui, "method", method)
    });
    if let Some(spacing) = status.spacing {
        let planted = grouped(status.strands);
        note(ui, &format!("{planted} planted, {spacing:.4} dm apart"));
        if switches.roots {
            measurements(ui, f64::from(spacing), status);
        }
    }
}

/// Shows the number of strands or the spacing. Switching between them keeps the roots.
fn amount(ui: &mut Ui, roots: &mut RootSettings, started: &RootSettings, status: &PanelStatus<'_>) {
    ui.horizontal(|ui| {
        let by_spacing = matches!(roots.amount, Amount::Spacing(_));
        let strands = ui
            .selectable_label(!by_spacing, "by strands")
            .on_hover_text("Set the number of strands; the spacing follows");
        let spacing = ui
            .selectable_label(by_spacing, "by spacing")
            .on_hover_text("Set the spacing; the number of strands follows");
        if strands.clicked() && by_spacing {
            let planted = status.whole.map_or(0, |(count, _)| count);
            let planted = u32::try_from(planted).unwrap_or(MAX_STRANDS);
            roots.amount = Amount::Strands(planted.clamp(1, MAX_STRANDS));
        }
        if let (true, false, Some((_, planted))) = (spacing.clicked(), by_spacing, status.whole) {
            roots.amount = Amount::Spacing(planted);
        }
    });
    let (name, help) = match roots.amount {
        Amount::Strands(_) => ("Strands", "Number of strands"),
        Amount::Spacing(_) => ("Spacing", "Smallest distance between two roots"),
    };
    let (amount, was) = (&mut roots.amount, &started.amount);
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
fn measurements(ui: &mut Ui, spacing: f64, status: &PanelStatus<'_>) {
    let Findings {
        spread,
        coverage,
        problem,
    } = status.findings;
    let stride = roots_overlay::drawn_stride(status.strands);
    if stride > 1 {
        note(ui, &format!("too many to show: one in {stride} is drawn"));
    }
    egui::Grid::new("measures")
        .num_columns(2)
        .min_col_width(104.0)
        .spacing([6.0, 1.0])
        .show(ui, |ui| {
            let mut fact = |name: &str, help: &str, value: Option<String>| {
                ui.label(RichText::new(name).small()).on_hover_text(help);
                let pending = if problem.is_some() {
                    "unknown"
                } else {
                    "measuring…"
                };
                match value {
                    Some(value) => ui.label(RichText::new(value).small().strong()),
                    None => ui.label(RichText::new(pending).small().weak()),
                };
                ui.end_row();
            };
            let (spread, coverage) = (spread.as_ref(), coverage.as_ref());
            let closest = spread.map(|spread| match spread.closest {
                Some(d) => format!("{d:.4} dm, {:.4} r", d / spacing),
                None => "there is no pair".into(),
            });
            let rho = spread.map(|spread| match spread.relative_radius {
                Some(rho) => format!("{rho:.3}"),
                None => "–".into(),
            });
            let gap = coverage.map(|coverage| match &coverage.gap {
                Some(gap) => format!("{:.4} dm", gap.radius),
                None => "a side without roots".into(),
            });
            let ratio = coverage.map(|coverage| format!("≤ {:.4}", coverage.ratio_upper_bound));
            let maximal = coverage.map(|coverage| match coverage.maximal {
                true => "proven".into(),
                false => "no: roots would fit".into(),
            });
            let rho_help = "0 clumped, about 0.77 maximal Poisson-disk, 1 a perfect lattice";
            let gap_help = "Largest distance of a point of the scalp from its nearest root";
            fact(
                "Closest pair",
                "Of roots on the same side of the skin",
                closest,
            );
            fact("Relative radius ρ", rho_help, rho);
            fact("Largest gap R", gap_help, gap);
            fact("R/r", "Certified upper bound", ratio);
            fact(
                "Maximal",
                "No further root fits anywhere on the scalp",
                maximal,
            );
        });
    if let Some(problem) = problem {
        note(ui, &format!("cannot be measured: {problem}"));
    }
}
