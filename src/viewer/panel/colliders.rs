//! Spheres and capsules that hair cannot enter: a few rows for each.

use crate::viewer::action::{Action, NewCollider};
use crate::viewer::colliders::Hands;
use crate::viewer::rows::{ACCENT, LABEL_WIDTH, short};
use mohawk::settings::ListItem as _;
use mohawk::sim::Collider;
use three_d::egui::{self, RichText, Ui};

/// Radii that the slider offers, decimetres; more can be typed.
const RADII: std::ops::RangeInclusive<f32> = 0.02..=5.0;
/// Pixels of a drag on a coordinate that move it by one decimetre.
const PIXELS_PER_DM: f64 = 100.0;

pub(super) fn show(
    ui: &mut Ui,
    colliders: &mut [Collider],
    was: &[Collider],
    hands: &mut Hands,
    actions: &mut Vec<Action>,
) {
    ui.horizontal(|ui| {
        let room = colliders.len() < Collider::MAX;
        for (name, which, help) in [
            (
                "Add sphere",
                NewCollider::Sphere,
                "Beside the hair; C puts one under the pointer",
            ),
            ("Add capsule", NewCollider::Capsule, "Beside the hair"),
        ] {
            let button = ui.add_enabled(room, egui::Button::new(name));
            if button.on_hover_text(help).clicked() {
                actions.push(Action::AddCollider(which));
            }
        }
    });
    for (i, collider) in colliders.iter_mut().enumerate() {
        let rows = ui.push_id(i, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            if size(ui, i, collider, was.get(i), hands.selected == Some(i)) {
                hands.selected = Some(i);
            }
            place(ui, "at", &mut collider.from, |ui| {
                let button = ui.small_button("✖").on_hover_text("Take it away (Delete)");
                if button.clicked() {
                    actions.push(Action::RemoveCollider(Some(i)));
                }
            });
            if let Some(to) = &mut collider.to {
                place(ui, "and", to, |_| ());
            }
        });
        if rows.response.contains_pointer() {
            hands.hovered = Some(i);
        }
        ui.add_space(2.0);
    }
}

/// What it is, its radius, and a way back to how it was; true: it is chosen.
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
        let chosen = labelled(ui, label);
        let (least, most) = Collider::RADIUS.range().into_inner();
        let radius = &mut collider.radius;
        ui.add(
            egui::Slider::new(radius, RADII)
                .clamping(egui::SliderClamping::Never)
                .logarithmic(true)
                .custom_formatter(|value, _| short(value)),
        )
        .on_hover_text("Radius, decimetres");
        // What is typed may be outside the slider, but not outside the range.
        *radius = radius.clamp(least, most);
        if let Some(was) = back
            && ui.small_button("⟲").on_hover_text("Put it back").clicked()
        {
            *collider = *was;
        }
        chosen
    });
    row.inner
}

fn place(ui: &mut Ui, name: &str, place: &mut [f32; 3], beside: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        labelled(ui, |ui| {
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

/// The first column: as wide as in other rows of the panel.
fn labelled<T>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> T) -> T {
    let size = egui::vec2(LABEL_WIDTH, ui.spacing().interact_size.y);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let column = ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_width(size.x);
        add(ui)
    });
    column.inner
}
