//! What pulls at hair, and which hair is simulated.

use crate::viewer::rows::{row, slider};
use mohawk::sim::{ForceSettings, GuideBlend, GuideChoice, GuideSettings, SolverKind};
use three_d::egui::{self, Ui};

pub(super) fn guides(ui: &mut Ui, guides: &mut GuideSettings, was: &GuideSettings) {
    row(
        ui,
        "Simulated",
        "Share of strands that are simulated; the others follow them",
        &mut guides.share,
        &was.share,
        |ui, v| slider(ui, v, 0.01..=1.0, true, ""),
    );
    row(
        ui,
        "Chosen",
        "Spread evenly, or at random as published",
        &mut guides.choice,
        &was.choice,
        |ui, v| {
            ui.selectable_value(v, GuideChoice::Even, "evenly");
            ui.selectable_value(v, GuideChoice::Random, "at random");
        },
    );
    row(
        ui,
        "Follow",
        "The nearest one as published, or a blend of the three nearest",
        &mut guides.blend,
        &was.blend,
        |ui, v| {
            ui.selectable_value(v, GuideBlend::Nearest, "nearest");
            ui.selectable_value(v, GuideBlend::Three, "three");
        },
    );
    row(
        ui,
        "Clumpiness",
        "How far hair is drawn to the hair that it follows",
        &mut guides.clump,
        &was.clump,
        |ui, v| slider(ui, v, 0.0..=1.0, false, ""),
    );
}

pub(super) fn forces(
    ui: &mut Ui,
    forces: &mut ForceSettings,
    was: &ForceSettings,
    solver: SolverKind,
) {
    row(
        ui,
        "Gravity",
        "x, y, z, dm/s²",
        &mut forces.gravity,
        &was.gravity,
        |ui, v| vector(ui, v, ForceSettings::GRAVITY_RANGE),
    );
    row(
        ui,
        "Wind",
        "Velocity of the air x, y, z, dm/s; the face looks along z",
        &mut forces.wind,
        &was.wind,
        |ui, v| vector(ui, v, ForceSettings::WIND_RANGE),
    );
    row(
        ui,
        "Gusts",
        "Share by which the wind swells and calms",
        &mut forces.gust,
        &was.gust,
        |ui, v| slider(ui, v, 0.0..=1.0, false, ""),
    );
    row(
        ui,
        "Every",
        "Time from one gust to the next",
        &mut forces.gust_secs,
        &was.gust_secs,
        |ui, v| slider(ui, v, 0.2..=20.0, true, " s"),
    );
    if solver != SolverKind::Spring {
        row(
            ui,
            "Turbulence",
            "Largest velocity of eddies in the air",
            &mut forces.turbulence,
            &was.turbulence,
            |ui, v| slider(ui, v, 0.0..=200.0, true, " dm/s"),
        );
        row(
            ui,
            "Eddy size",
            "Hair within one moves together",
            &mut forces.turbulence_scale,
            &was.turbulence_scale,
            |ui, v| slider(ui, v, 0.1..=10.0, true, " dm"),
        );
        row(
            ui,
            "Drag",
            "1/s: how fast hair takes on the velocity of the air",
            &mut forces.drag,
            &was.drag,
            |ui, v| slider(ui, v, 0.0..=40.0, true, " /s"),
        );
    }
}

fn vector(ui: &mut Ui, v: &mut [f32; 3], range: std::ops::RangeInclusive<f32>) {
    ui.spacing_mut().item_spacing.x = 2.0;
    for x in v {
        let value = egui::DragValue::new(x).range(range.clone());
        ui.add(value.speed(0.5).max_decimals(1));
    }
}
