//! The section of colliders.

use crate::viewer::input::action::{Action, NewCollider};
use crate::viewer::input::collider_drag::DragState;
use crate::viewer::interface::rows::{ACCENT, LABEL_WIDTH, button_if, column, short};
use mohawk::settings::ListItem as _;
use mohawk::sim::Collider;
use three_d::egui::{self, RichText, Ui};

/// Range of the slider for radii, decimetres. Larger radii can be typed.
const RADII: std::ops::RangeInclusive<f32> = 0.02..=5.0;
/// Pixels of a drag that change a coordinate by one decimetre.
const PIXELS_PER_DM: f64 = 100.0;

/// Shows the rows of all colliders.
pub(crate) fn show(
    ui: &mut Ui,
    colliders: &mut [Collider],
    was: &[Collider],
    drag_state: &mut DragState,
    actions: &mut Vec<Action>,
) {
    ui.horizontal(|ui| {
        let room = colliders.len() < Collider::MAX;
        for (name, which, help) in [
            (
                "Add sphere",
                NewCollider::Sphere,
                "Beside the hair (C: under the pointer)",
            ),
            ("Add capsule", NewCollider::Capsule, "Beside the hair"),
        ] {
            if button_if(ui, room, name, help) {
                actions.push(Action::AddCollider(which));
            }
        }
    });
    for (i, collider) in colliders.iter_mut().enumerate() {
        let rows = ui.push_id(i, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            if size(ui, i, collider, was.get(i), drag_state.selected == Some(i)) {
                drag_state.selected = Some(i);
            }
            place(ui, "at", &mut collider.from, |ui| {
                let button = ui.small_button("✖").on_hover_text("Remove (Delete)");
                if button.clicked() {
                    actions.push(Action::RemoveCollider(Some(i)));
                }
            });
            if let Some(to) = &mut collider.to {
                place(ui, "and", to, |_| ());
            }
        });
        if rows.response.contains_pointer() {
            drag_state.hovered = Some(i);
        }
        ui.add_space(2.0);
    }
}

/// Shows the name, the radius and the reset button. Returns whether the collider was selected.
fn size(
    ui: &mut Ui,
    index: usize,
    collider: &mut Collider,
    was: Option<&Collider>,
    selected: bool,
) -> bool {
    let kind = if collider.to.is_some() {
        "Capsule"
    } else {
        "Sphere"
    };
    let text = RichText::new(format!("{kind} {}", index + 1));
    let back = was.filter(|was| *was != collider);
    let text = if back.is_some() && !selected {
        text.color(ACCENT)
    } else {
        text
    };
    let row = ui.horizontal(|ui| {
        let label = |ui: &mut Ui| ui.selectable_label(selected, text).clicked();
        let chosen = column(ui, LABEL_WIDTH, label);
        let (min, max) = Collider::RADIUS.range().into_inner();
        let radius = &mut collider.radius;
        ui.add(
            egui::Slider::new(radius, RADII)
                .clamping(egui::SliderClamping::Never)
                .logarithmic(true)
                .custom_formatter(|value, _| short(value)),
        )
        .on_hover_text("Radius, decimetres");
        // Typed values may be outside the slider, but not outside the range.
        *radius = radius.clamp(min, max);
        if let Some(was) = back
            && ui.small_button("⟲").on_hover_text("Reset").clicked()
        {
            *collider = *was;
        }
        chosen
    });
    row.inner
}

/// Shows the coordinates of a point.
fn place(ui: &mut Ui, name: &str, place: &mut [f32; 3], beside: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
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
        beside(ui);
    });
}
