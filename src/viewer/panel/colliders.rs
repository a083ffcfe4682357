//! The section of colliders.

use crate::viewer::app::App;
use crate::viewer::input::action::{Action, NewCollider};
use crate::viewer::interface::edit::{coordinates, slider};
use crate::viewer::interface::rows::{LABEL_WIDTH, accent, button_if, column};
use crate::viewer::interface::told::Told;
use mohawk::settings::ListItem as _;
use mohawk::sim::Collider;
use three_d::egui::{RichText, Ui};

/// Range of the slider for radii, decimetres. Larger radii can be typed.
const RADII: [f64; 2] = [0.02, 5.0];
/// Pixels of a drag that change a coordinate by one decimetre.
const PIXELS_PER_DM: f64 = 100.0;

/// Shows the rows of all colliders.
pub(crate) fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let (config, was) = app.settings.edited();
    let (colliders, was) = (&mut config.sim.colliders, &was.sim.colliders);
    let drag_state = &mut app.pointer.colliders;
    let has_room = colliders.len() < Collider::MAX;
    ui.horizontal(|ui| {
        let help = "Beside the hair (C: under the pointer)";
        if button_if(ui, has_room, "Add sphere", help) {
            actions.push(Action::AddCollider(NewCollider::Sphere));
        }
        if button_if(ui, has_room, "Add capsule", "Beside the hair") {
            actions.push(Action::AddCollider(NewCollider::Capsule));
        }
    });
    // After a removal, numbers do not tell which collider was which.
    let was = was
        .get(..colliders.len())
        .filter(|_| was.len() == colliders.len());
    for (i, collider) in colliders.iter_mut().enumerate() {
        let rows = ui.push_id(i, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            let is_selected = drag_state.selected == Some(i);
            let kind = collider.to.map_or("Sphere", |_| "Capsule");
            let mut text = RichText::new(format!("{kind} {}", i + 1));
            let changed_from = was.map(|was| &was[i]).filter(|was| *was != collider);
            if changed_from.is_some() && !is_selected {
                text = text.color(accent(ui));
            }
            ui.horizontal(|ui| {
                let label = |ui: &mut Ui| ui.selectable_label(is_selected, text);
                if column(ui, LABEL_WIDTH, label).chosen(is_selected).clicked() {
                    drag_state.selected = Some(i);
                }
                let allowed = Collider::RADIUS.range.unwrap_or_default().map(f64::from);
                let width = ui.available_width() - 24.0;
                column(ui, width, |ui| {
                    slider(ui, &mut collider.radius, [RADII, allowed], true, " dm");
                });
                if let Some(was) = changed_from
                    && ui.small_button("⟲").help("Reset").clicked()
                {
                    *collider = *was;
                }
            });
            ui.horizontal(|ui| {
                place(ui, "at", &mut collider.from);
                let button = ui.small_button("✖").help("Remove (Delete)");
                if button.clicked() {
                    actions.push(Action::RemoveCollider(Some(i)));
                }
            });
            if let Some(to) = &mut collider.to {
                ui.horizontal(|ui| place(ui, "and", to));
            }
        });
        if rows.response.contains_pointer() {
            drag_state.hovered = Some(i);
        }
        ui.add_space(2.0);
    }
}

/// Shows the coordinates of a point.
fn place(ui: &mut Ui, name: &str, place: &mut [f32; 3]) {
    column(ui, LABEL_WIDTH, |ui| {
        ui.add_space(4.0);
        ui.label(RichText::new(name).weak())
    });
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        coordinates(ui, place, &Collider::PLACE, PIXELS_PER_DM.recip());
    });
}
