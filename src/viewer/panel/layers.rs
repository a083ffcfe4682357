//! The list of layers of the map that is painted, top layer first.

use crate::viewer::input::action::{Action, Hand};
use crate::viewer::interface::rows::{button_if, percent};
use crate::viewer::interface::told::Told;
use crate::viewer::styling::layers::LayerList;
use crate::viewer::styling::{StylerSlot, Styling};
use mohawk::maps::{LayerEdit, LayerSettings, LayeredMap};
use three_d::egui::{self, Button, RichText, Ui};

/// Shows the buttons for the active layer, and the list.
pub(super) fn show(ui: &mut Ui, styling: &mut Styling, actions: &mut Vec<Action>) {
    styling.follow_layers();
    let is_here = !matches!(styling.styler, StylerSlot::Empty);
    let (hand, list) = (&mut styling.hand, &mut styling.layers);
    let mut edits = Vec::new();
    let shown = ui.vertical(|ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            buttons(ui, hand.layer(), list, is_here, &mut edits);
        });
        for number in (0..list.rows.len()).rev() {
            let row = |ui: &mut Ui| row(ui, hand, list, number, &mut edits);
            ui.push_id(number, |ui| ui.horizontal(row));
        }
        if !list.rows.is_empty() {
            ui.horizontal(|ui| base(ui, hand));
        }
    });
    let area = shown.response.rect;
    if list.area.replace(area) != Some(area) {
        // Window tests read this.
        let (at, size) = (area.min, area.size());
        tracing::debug!(
            "layers at {:.0}, {:.0}, {:.0} x {:.0}",
            at.x,
            at.y,
            size.x,
            size.y
        );
    }
    let edits = edits.into_iter();
    actions.extend(edits.map(|(name, edit)| Action::EditLayer(name, edit)));
}

fn buttons(
    ui: &mut Ui,
    active: Option<&str>,
    list: &LayerList,
    is_here: bool,
    edits: &mut Vec<(String, LayerEdit)>,
) {
    let has_room = list.rows.len() < LayeredMap::MAX_LAYERS;
    let help = "Lay an empty layer over the map, to be painted by itself";
    if button_if(ui, is_here && has_room, "Add layer", help) {
        edits.push((list.free_name(), LayerEdit::Add));
    }
    let Some(name) = active else { return };
    let is_at = |row: Option<&LayerSettings>| row.is_some_and(|row| row.name == name);
    let (is_top, is_lowest) = (is_at(list.rows.last()), is_at(list.rows.first()));
    let merge = "Make one layer of the active one and the one below";
    for (text, help, is_possible, edit) in [
        ("✖", "Delete the active layer", true, LayerEdit::Delete),
        ("⏶", "Move it up", !is_top, LayerEdit::Raise),
        ("⏷", "Move it down", !is_lowest, LayerEdit::Lower),
        ("Merge down", merge, true, LayerEdit::MergeDown),
    ] {
        if button_if(ui, is_possible, text, help) {
            edits.push((name.to_owned(), edit));
        }
    }
}

/// Width of the switch and of the opacity, logical pixels.
const SWITCH: f32 = 22.0;
const OPACITY: f32 = 48.0;

/// Shows a layer: its switch, name and opacity.
fn row(
    ui: &mut Ui,
    hand: &mut Hand,
    list: &mut LayerList,
    number: usize,
    edits: &mut Vec<(String, LayerEdit)>,
) {
    let before = list.rows[number].clone();
    let layer = &mut list.rows[number];
    let size = egui::vec2(SWITCH, ui.spacing().interact_size.y);
    let eye = RichText::new(if layer.on { "👁" } else { "–" });
    let switch = ui.add_sized(size, Button::new(eye).frame(false));
    if switch.help("Show or hide the layer").clicked() {
        layer.on ^= true;
    }
    let width = ui.available_width() - OPACITY - ui.spacing().item_spacing.x;
    match list.renamed.take_if(|(of, _)| *of == before.name) {
        Some((of, typed)) => list.renamed = rename(ui, width, layer, of, typed),
        None => {
            let help = "Paint on this layer. Double-click to rename it";
            let name = choice(ui, width, hand.layer() == Some(&before.name), &before.name);
            if name.clone().help(help).clicked() {
                hand.layers.insert(list.of, before.name.clone());
            }
            if name.double_clicked() {
                list.renamed = Some((before.name.clone(), before.name.clone()));
            }
        }
    }
    let help = "Opacity: how much of the layer is seen. Drag it, or type a number";
    percent(ui, OPACITY, &mut layer.opacity).help(help);
    if *layer != before {
        edits.push((before.name, LayerEdit::Set(layer.clone())));
    }
}

/// Shows the field for the name of a layer. Returns its text while somebody types.
fn rename(
    ui: &mut Ui,
    width: f32,
    layer: &mut LayerSettings,
    of: String,
    mut typed: String,
) -> Option<(String, String)> {
    let field = egui::TextEdit::singleline(&mut typed).char_limit(LayerSettings::MAX_NAME);
    let field = ui.add(field.desired_width(width - 8.0));
    if !field.lost_focus() {
        field.request_focus();
        return Some((of, typed));
    }
    let is_dropped = ui.input(|input| input.key_pressed(egui::Key::Escape));
    if !is_dropped && !typed.trim().is_empty() {
        typed.trim().clone_into(&mut layer.name);
    }
    None
}

/// Shows the row of the base, which has neither a switch nor an opacity.
fn base(ui: &mut Ui, hand: &mut Hand) {
    ui.add_space(SWITCH + ui.spacing().item_spacing.x);
    let width = ui.available_width() - OPACITY - ui.spacing().item_spacing.x;
    let help = "Paint on the map below all layers";
    if choice(ui, width, hand.layer().is_none(), "Base")
        .help(help)
        .clicked()
    {
        hand.layers.remove(&hand.map);
    }
}

/// Shows a name that can be chosen, as wide as its column.
fn choice(ui: &mut Ui, width: f32, is_chosen: bool, name: &str) -> egui::Response {
    let text = match is_chosen {
        true => RichText::new(name).strong(),
        false => RichText::new(name),
    };
    let size = egui::vec2(width.max(24.0), ui.spacing().interact_size.y);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let column = ui.allocate_ui_with_layout(size, layout.with_main_align(egui::Align::Min), |ui| {
        let button = Button::selectable(is_chosen, text).truncate();
        ui.add(button.min_size(size))
    });
    column.inner
}
