//! The section of roots: their number, method and measurements.

use super::status::PanelStatus;
use crate::numbers::grouped;
use crate::viewer::action::Action;
use crate::viewer::roots_overlay;
use crate::viewer::roots_view::{Findings, Switches};
use crate::viewer::rows::{button_if, note, row, short};
use mohawk::roots::{Amount, MAX_STRANDS, Method, RootSettings};
use three_d::egui::{self, RichText, Ui};

/// Largest seed in the panel. The widget counts in f64, which represents it exactly.
const MAX_SEED: u64 = 1 << 53;

/// Range of the slider for the spacing, decimetres.
const SPACINGS: std::ops::RangeInclusive<f32> = 0.002..=0.5;

/// Shows the settings of roots, and their measurements if they are shown.
pub(super) fn show(
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
    row(
        ui,
        "Seed",
        "Seed of the random numbers; the same seed gives the same roots on every machine",
        &mut roots.seed,
        &started.seed,
        |ui, seed| {
            ui.add(
                egui::DragValue::new(seed)
                    .range(0..=MAX_SEED)
                    .clamp_existing_to_range(false),
            );
        },
    );
    row(
        ui,
        "Method",
        "How roots are chosen",
        &mut roots.method,
        &started.method,
        |ui, method| {
            egui::ComboBox::from_id_salt("method")
                .selected_text(method.name())
                .show_ui(ui, |ui| {
                    for offered in Method::ALL {
                        ui.selectable_value(method, offered, offered.name())
                            .on_hover_text(offered.about());
                    }
                })
                .response
                .on_hover_text(method.about());
        },
    );
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
    row(
        ui,
        name,
        help,
        &mut roots.amount,
        &started.amount,
        |ui, amount| match amount {
            Amount::Strands(count) => {
                ui.add(
                    egui::Slider::new(count, 100..=1_000_000)
                        .clamping(egui::SliderClamping::Edits)
                        .logarithmic(true)
                        .custom_formatter(|n, _| grouped(n as usize)),
                );
            }
            Amount::Spacing(spacing) => {
                ui.add(
                    egui::Slider::new(spacing, SPACINGS)
                        .clamping(egui::SliderClamping::Edits)
                        .logarithmic(true)
                        .custom_formatter(|dm, _| short(dm))
                        .suffix(" dm"),
                );
            }
        },
    );
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
            let closest = spread.as_ref().map(|spread| match spread.closest {
                Some(d) => format!("{d:.4} dm, {:.4} r", d / spacing),
                None => "there is no pair".into(),
            });
            fact(
                "Closest pair",
                "Of roots on the same side of the skin",
                closest,
            );
            fact(
                "Relative radius ρ",
                "0 clumped, about 0.77 maximal Poisson-disk, 1 a perfect lattice",
                spread.as_ref().map(|spread| match spread.relative_radius {
                    Some(rho) => format!("{rho:.3}"),
                    None => "–".into(),
                }),
            );
            fact(
                "Largest gap R",
                "Largest distance of a point of the scalp from its nearest root",
                coverage.as_ref().map(|coverage| match &coverage.gap {
                    Some(gap) => format!("{:.4} dm", gap.radius),
                    None => "a side without roots".into(),
                }),
            );
            fact(
                "R/r",
                "Certified upper bound",
                coverage
                    .as_ref()
                    .map(|coverage| format!("≤ {:.4}", coverage.ratio_upper_bound)),
            );
            fact(
                "Maximal",
                "No further root fits anywhere on the scalp",
                coverage.as_ref().map(|coverage| match coverage.maximal {
                    true => "proven".into(),
                    false => "no: roots would fit".into(),
                }),
            );
        });
    if let Some(problem) = problem {
        note(ui, &format!("cannot be measured: {problem}"));
    }
}
