//! The section of colliders.

use crate::viewer::app::App;
use crate::viewer::input::action::{Action, NewCollider};
use crate::viewer::interface::rows::{ACCENT, LABEL_WIDTH, button_if, column, short};
use mohawk::settings::ListItem as _;
use mohawk::sim::Collider;
use three_d::egui::{self, RichText, Ui};

/// Range of the slider for radii, decimetres. Larger radii can be typed.
const RADII: std::ops::RangeInclusive<f32> = 0.02..=5.0;
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
    for (i, collider) in colliders.iter_mut().enumerate() {
        let rows = ui.push_id(i, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            let is_selected = drag_state.selected == Some(i);
            let kind = collider.to.map_or("Sphere", |_| "Capsule");
            let mut text = RichText::new(format!("{kind} {}", i + 1));
            let changed_from = was.get(i).filter(|was| *was != collider);
            if changed_from.is_some() && !is_selected {
                text = text.color(ACCENT);
            }
            ui.horizontal(|ui| {
                let label = |ui: &mut Ui| ui.selectable_label(is_selected, text).clicked();
                if column(ui, LABEL_WIDTH, label) {
                    drag_state.selected = Some(i);
                }
                let slider = egui::Slider::new(&mut collider.radius, RADII)
                    .clamping(egui::SliderClamping::Never)
                    .logarithmic(true)
                    .custom_formatter(|value, _| short(value));
                ui.add(slider).on_hover_text("Radius, decimetres");
                // Typed values may be outside the slider, but not outside the range.
                let (min, max) = Collider::RADIUS.range().into_inner();
                collider.radius = collider.radius.clamp(min, max);
                if let Some(was) = changed_from
                    && ui.small_button("⟲").on_hover_text("Reset").clicked()
                {
                    *collider = *was;
                }
            });
            ui.horizontal(|ui| {
                place(ui, "at", &mut collider.from);
                let button = ui.small_button("✖").on_hover_text("Remove (Delete)");
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
        ui.spacing_mut().item_spacing.x = 2.0;
        for x in place {
            let value = egui::DragValue::new(x).range(Collider::PLACE.range());
            ui.add(value.speed(1.0 / PIXELS_PER_DM).fixed_decimals(2))
                .on_hover_text("x, y, z, decimetres");
        }
    });
}
