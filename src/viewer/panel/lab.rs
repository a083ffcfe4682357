//! The section of the laboratory: overlays and the recording of a strand.

use crate::numbers::grouped;
use crate::viewer::app::App;
use crate::viewer::input::action::{Action, LabOverlay};
use crate::viewer::interface::rows::{LABEL_WIDTH, column, note, short};
use crate::viewer::lab::{Plane, missing};
use three_d::egui::{self, RichText, Ui};

/// Shows the switches of the overlays, the plane, and the recording.
pub(crate) fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    for overlay in LabOverlay::ALL {
        let is_on = app.lab.switches.is_on(overlay);
        let mut on = is_on;
        let missing = missing(overlay, &app.subject);
        ui.horizontal(|ui| {
            // An overlay that is on can always be switched off.
            let switch = egui::Checkbox::new(&mut on, overlay.name());
            let switch = ui.add_enabled(missing.is_none() || is_on, switch);
            let why = format!("Nothing to show: {}", missing.unwrap_or_default());
            let switch = switch.on_hover_text(overlay.about());
            if switch.on_disabled_hover_text(why).changed() {
                actions.push(Action::ToggleLab(overlay));
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                // The scroll bar covers this space.
                ui.add_space(14.0);
                let key = format!("Shift+{:?}", overlay.key());
                ui.label(RichText::new(key).small().weak());
            });
        });
        if overlay == LabOverlay::Field && is_on && missing.is_none() {
            let range = app.lab.plane_range(&app.subject);
            plane(ui, &mut app.lab.switches.plane, range);
        }
    }
    ui.add_space(2.0);
    record(app, ui, actions);
}

/// Shows the axis and the position of the plane.
fn plane(ui: &mut Ui, plane: &mut Plane, range: Option<[f32; 2]>) {
    ui.horizontal(|ui| {
        ui.add_space(20.0);
        let axes = [
            ("x", "Across: from the right ear to the left one"),
            ("y", "Level: from the neck to the crown"),
            ("z", "Upright: from the back of the head to the face"),
        ];
        for (axis, (name, about)) in axes.into_iter().enumerate() {
            let label = ui.selectable_label(plane.axis == axis, name);
            if label.on_hover_text(about).clicked() {
                *plane = Plane { axis, offset: 0.0 };
            }
        }
        if let Some([low, high]) = range {
            let slider = egui::Slider::new(&mut plane.offset, low..=high)
                .custom_formatter(|value, _| short((1e3 * value).round() / 1e3))
                .suffix(" dm");
            ui.add(slider).on_hover_text("Position of the plane");
        }
    });
}

/// Shows the marked strand and its recording.
fn record(app: &App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let picked = app.lab.switches.picked;
    let rows = app.lab.recording.as_ref().map(|recording| recording.rows);
    ui.horizontal(|ui| {
        let text = picked.map(|strand| format!("Strand {}", grouped(strand)));
        let text = text.unwrap_or("No strand".to_owned());
        let help = "Point at a strand and press Shift+S to mark it";
        column(ui, LABEL_WIDTH, |ui| ui.label(text).on_hover_text(help));
        let name = rows.map_or("Record tip", |_| "Stop");
        let button = ui.add_enabled(picked.is_some(), egui::Button::new(name));
        let button = button
            .on_hover_text("Write the position of its tip at each step to a CSV file (Shift+C)")
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
