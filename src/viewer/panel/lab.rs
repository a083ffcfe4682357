//! The section of the laboratory: overlays and the recording of a strand.

use crate::numbers::grouped;
use crate::viewer::input::action::Action;
use crate::viewer::input::lab_overlay::LabOverlay;
use crate::viewer::interface::rows::{LABEL_WIDTH, column, note, short};
use crate::viewer::lab::Plane;
use three_d::egui::{self, RichText, Ui};

/// The values that the section shows besides the plane.
pub(crate) struct LabStatus {
    /// Whether each overlay is on.
    pub(crate) on: [bool; LabOverlay::ALL.len()],
    /// The reasons why overlays have nothing to show.
    pub(crate) missing: [Option<&'static str>; LabOverlay::ALL.len()],
    /// Range of the plane along its axis, if there is a field.
    pub(crate) plane_range: Option<[f32; 2]>,
    /// The marked strand.
    pub(crate) picked: Option<usize>,
    /// Number of recorded rows, during a recording.
    pub(crate) rows: Option<usize>,
}

/// Shows the switches of the overlays, the plane, and the recording.
pub(crate) fn show(ui: &mut Ui, status: &LabStatus, plane: &mut Plane, actions: &mut Vec<Action>) {
    for (i, overlay) in LabOverlay::ALL.into_iter().enumerate() {
        let (mut on, missing) = (status.on[i], status.missing[i]);
        ui.horizontal(|ui| {
            // An overlay that is on can always be switched off.
            ui.add_enabled_ui(missing.is_none() || on, |ui| {
                let switch = ui.checkbox(&mut on, overlay.name());
                let switch = switch.on_hover_text(overlay.about());
                if let Some(why) = missing {
                    switch.on_disabled_hover_text(format!("Nothing to show: {why}"));
                }
            });
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                // The scroll bar covers this space.
                ui.add_space(14.0);
                let key = format!("Shift+{:?}", overlay.key());
                ui.label(RichText::new(key).small().weak());
            });
        });
        if on != status.on[i] {
            actions.push(Action::ToggleLab(overlay));
        }
        if overlay == LabOverlay::Field && status.on[i] && missing.is_none() {
            plane_rows(ui, plane, status.plane_range);
        }
    }
    ui.add_space(2.0);
    record(ui, status, actions);
}

/// Shows the axis and the position of the plane.
fn plane_rows(ui: &mut Ui, plane: &mut Plane, range: Option<[f32; 2]>) {
    ui.horizontal(|ui| {
        ui.add_space(20.0);
        for (axis, (name, about)) in [
            ("x", "Across: from the right ear to the left one"),
            ("y", "Level: from the neck to the crown"),
            ("z", "Upright: from the back of the head to the face"),
        ]
        .into_iter()
        .enumerate()
        {
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
fn record(ui: &mut Ui, status: &LabStatus, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        column(ui, LABEL_WIDTH, |ui| {
            let text = match status.picked {
                Some(strand) => format!("Strand {}", grouped(strand)),
                None => "No strand".to_owned(),
            };
            ui.label(text)
                .on_hover_text("Point at a strand and press Shift+S to mark it");
        });
        let name = if status.rows.is_some() {
            "Stop"
        } else {
            "Record tip"
        };
        let button = ui.add_enabled(status.picked.is_some(), egui::Button::new(name));
        let button = button
            .on_hover_text("Write the position of its tip at each step to a CSV file (Shift+C)")
            .on_disabled_hover_text("Point at a strand and press Shift+S to mark it first");
        if button.clicked() {
            actions.push(Action::ToggleRecording);
        }
        if let Some(rows) = status.rows {
            let text = format!("{:.1} s, {} rows", rows as f64 / 240.0, grouped(rows));
            note(ui, &text);
        }
    });
}
