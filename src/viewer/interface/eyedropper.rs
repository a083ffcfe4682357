//! The eyedropper: a colour that is taken from the picture by a click.
//!
//! It is in the memory of the interface, so that every field for a colour can ask for it.

use super::color::{color, used};
use super::help::own_help;
use three_d::egui::{self, Id, Ui};

/// An eyedropper in use.
#[derive(Clone, Copy, PartialEq)]
struct Eyedropper {
    /// The field that the colour is for.
    field: Id,
    /// The colour, sRGB; `None`: nothing was clicked yet.
    taken: Option<[f32; 3]>,
}

fn place() -> Id {
    Id::new("eyedropper")
}

fn in_use(ctx: &egui::Context) -> Option<Eyedropper> {
    ctx.data(|data| data.get_temp(place()))
}

fn put(ctx: &egui::Context, eyedropper: Eyedropper) {
    ctx.data_mut(|data| data.insert_temp(place(), eyedropper));
}

/// The field of the colour that brushes paint.
pub(crate) fn painted() -> Id {
    Id::new("painted colour")
}

/// Waits for a click, for a field.
pub(crate) fn start(ctx: &egui::Context, field: Id) {
    put(ctx, Eyedropper { field, taken: None });
}

/// Returns the field that waits for a click.
pub(crate) fn waiting(ctx: &egui::Context) -> Option<Id> {
    let eyedropper = in_use(ctx).filter(|eyedropper| eyedropper.taken.is_none());
    eyedropper.map(|eyedropper| eyedropper.field)
}

/// Gives the field that waits its colour, sRGB.
pub(crate) fn give(ctx: &egui::Context, color: [f32; 3]) {
    if let Some(field) = waiting(ctx) {
        let taken = Some(color);
        put(ctx, Eyedropper { field, taken });
    }
}

/// Waits no longer. Returns whether it did.
pub(crate) fn cancel(ctx: &egui::Context) -> bool {
    let waits = waiting(ctx).is_some();
    if waits {
        ctx.data_mut(|data| data.remove::<Eyedropper>(place()));
    }
    waits
}

/// Takes the colour that a field was given, once.
pub(crate) fn taken(ctx: &egui::Context, field: Id) -> Option<[f32; 3]> {
    let eyedropper = in_use(ctx).filter(|eyedropper| eyedropper.field == field);
    let color = eyedropper?.taken?;
    ctx.data_mut(|data| data.remove::<Eyedropper>(place()));
    used(ctx, color);
    Some(color)
}

/// Shows the button of a colour, and an eyedropper for it.
pub(crate) fn scene_color(ui: &mut Ui, srgb: &mut [f32; 3]) {
    let field = color(ui, srgb).id;
    button(ui, field);
    if let Some(taken) = taken(ui.ctx(), field) {
        *srgb = taken;
    }
}

/// Shows the button of a field.
pub(crate) fn button(ui: &mut Ui, field: Id) {
    let waits = waiting(ui.ctx()) == Some(field);
    let button = ui.selectable_label(waits, "💧");
    let help = "Take the colour from the picture by a click (Esc: take none)";
    if own_help(button, help).clicked() {
        match waits {
            true => _ = cancel(ui.ctx()),
            false => start(ui.ctx(), field),
        }
    }
}
