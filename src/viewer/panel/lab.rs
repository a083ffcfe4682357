//! The parts of the place *Lab* about what the simulation does: overlays, graphs, a second solver.

use crate::numbers::grouped;
use crate::viewer::app::App;
use crate::viewer::input::action::{Action, LabOverlay};
use crate::viewer::interface::edit::{row, slider};
use crate::viewer::interface::rows::{LABEL_WIDTH, column, note, toggle};
use crate::viewer::interface::told::Told;
use crate::viewer::lab::{Plane, missing};
use mohawk::sim::SolverKind;
use three_d::egui::{self, RichText, Ui};

/// Shows the switches of the overlays, the plane, and the recording.
pub(super) fn overlays(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    for which in LabOverlay::ALL {
        overlay(app, ui, which, actions);
    }
    ui.add_space(2.0);
    record_tip(app, ui, actions);
}

/// Shows the switch of an overlay, and the plane where it has one.
pub(super) fn overlay(app: &mut App, ui: &mut Ui, overlay: LabOverlay, actions: &mut Vec<Action>) {
    let is_on = app.lab.switches.is_on(overlay);
    let mut on = is_on;
    let missing = missing(overlay, &app.subject);
    ui.horizontal(|ui| {
        // An overlay that is on can always be switched off.
        let switch = egui::Checkbox::new(&mut on, overlay.name());
        let switch = ui.add_enabled(missing.is_none() || is_on, switch);
        let why = format!("Nothing to show: {}", missing.unwrap_or_default());
        let switch = switch.help(overlay.about());
        if switch.on_disabled_hover_text(why).changed() {
            actions.push(Action::ToggleLab(overlay));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let key = format!("Shift+{:?}", overlay.key());
            ui.label(RichText::new(key).small().weak());
        });
    });
    if overlay == LabOverlay::Field && is_on && missing.is_none() {
        let range = app.lab.plane_range(&app.subject);
        lab_plane(ui, &mut app.lab.switches.plane, range);
    }
}

/// Shows the graphs, the second solver, and what is drawn in motion.
pub(super) fn graphs(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let help = "Energy, stretch, depth and frame time (G)";
    let graphs = ("Graphs", help, Action::ToggleGraphs);
    toggle(ui, app.statistics.graphs.shown, graphs, actions);
    let help = "Draw all strands at full resolution in motion too, however slow that is. Otherwise \
                a corner says what is reduced for thirty pictures a second";
    let full = ("Full detail in motion", help, Action::ToggleFullDetail);
    toggle(ui, app.statistics.detail.pinned, full, actions);
    beside(ui, app.subject.simulations.beside(), actions);
}

/// Shows the row of the solver in the second view.
fn beside(ui: &mut Ui, now: Option<SolverKind>, actions: &mut Vec<Action>) {
    let help = "A second view with another solver and the same motion (V)";
    let mut chosen = now;
    row(ui, ["Beside it", help], &mut chosen, &None, |ui, chosen| {
        egui::ComboBox::from_id_salt("beside")
            .selected_text(chosen.map_or("none", SolverKind::name))
            .show_ui(ui, |ui| {
                ui.selectable_value(chosen, None, "none")
                    .chosen(chosen.is_none());
                for kind in SolverKind::ALL {
                    ui.selectable_value(chosen, Some(kind), kind.name())
                        .chosen(*chosen == Some(kind))
                        .help(kind.about());
                }
            });
    });
    if chosen != now {
        actions.push(Action::Beside(chosen));
    }
}

/// Shows the axis and the position of the plane.
fn lab_plane(ui: &mut Ui, plane: &mut Plane, range: Option<[f32; 2]>) {
    ui.horizontal(|ui| {
        ui.add_space(20.0);
        let axes = [
            ("x", "Across: from the right ear to the left one"),
            ("y", "Level: from the neck to the crown"),
            ("z", "Upright: from the back of the head to the face"),
        ];
        for (axis, (name, about)) in axes.into_iter().enumerate() {
            let is_chosen = plane.axis == axis;
            let label = ui.selectable_label(is_chosen, name).chosen(is_chosen);
            if label.help(about).clicked() {
                *plane = Plane { axis, offset: 0.0 };
            }
        }
        if let Some([low, high]) = range {
            let range = [f64::from(low), f64::from(high)];
            slider(ui, &mut plane.offset, [range, range], false, " dm");
        }
    });
}

/// Shows the marked strand and its recording.
fn record_tip(app: &App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let picked = app.lab.switches.picked;
    let rows = app.lab.recording.as_ref().map(|recording| recording.rows);
    ui.horizontal(|ui| {
        let text = picked.map(|strand| format!("Strand {}", grouped(strand)));
        let text = text.unwrap_or("No strand".to_owned());
        let help = "Point at a strand and press Shift+S to mark it";
        column(ui, LABEL_WIDTH, |ui| ui.label(text).help(help));
        let name = rows.map_or("Record tip", |_| "Stop");
        let is_possible = picked.is_some() || rows.is_some();
        let button = ui.add_enabled(is_possible, egui::Button::new(name));
        let button = button
            .help("Write the position of its tip at each step to a CSV file (Shift+C)")
            .on_disabled_hover_text("Point at a strand and press Shift+S to mark it first");
        if button.clicked() {
            actions.push(Action::ToggleRecording);
        }
        if let Some(rows) = rows {
            let secs = rows as f64 / 240.0;
            note(ui, format!("{secs:.1} s, {} rows", grouped(rows)));
        }
    });
}
