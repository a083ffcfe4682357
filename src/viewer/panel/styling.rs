//! Brushes, maps, and what can be undone.

use super::{RichText, Ui, egui};
use crate::numbers::grouped;
use crate::viewer::action::Action;
use crate::viewer::rows::{ACCENT, LABEL_WIDTH, section};
use crate::viewer::styling::hand::{Hand, Held, RADII};
use crate::viewer::styling::{Bench, Styling};
use mohawk::maps::MapKind;
use mohawk::style::Tool;

/// Width of the buttons of tools: four in a row.
const TOOL_WIDTH: f32 = 64.0;

/// Directions by name, as the direction map has them.
const DIRECTIONS: [(&str, [f32; 3]); 7] = [
    ("out", [0.5, 0.5, 0.5]),
    ("up", [0.5, 1.0, 0.5]),
    ("down", [0.5, 0.0, 0.5]),
    ("back", [0.5, 0.5, 0.0]),
    ("front", [0.5, 0.5, 1.0]),
    ("left", [1.0, 0.5, 0.5]),
    ("right", [0.0, 0.5, 0.5]),
];

/// Into the direction map: the way that the brush goes.
const ALONG: &str = "stroke";

/// All about styling, in place of the settings.
pub(super) fn show(ui: &mut Ui, styling: &mut Styling, actions: &mut Vec<Action>) {
    section(ui, "Brush", true, |ui| {
        tools(ui, &styling.hand, actions);
        ui.label(RichText::new(styling.hand.held.about()).small().weak());
        ui.add_space(2.0);
        brush(ui, &mut styling.hand);
    });
    section(ui, "Paint", true, |ui| paint(ui, styling, actions));
    section(ui, "While you work", true, |ui| work(ui, styling, actions));
    section(ui, "Style", true, |ui| file(ui, styling, actions));
    ui.add_space(4.0);
    let help = "Left-drag on hair brushes, H + drag swings the head, the background orbits. \
                F + move: radius; Shift + F: strength; [ and ]: smaller, larger.";
    ui.label(RichText::new(help).small().weak());
}

fn tools(ui: &mut Ui, hand: &Hand, actions: &mut Vec<Action>) {
    egui::Grid::new("tools").spacing([4.0, 4.0]).show(ui, |ui| {
        for (i, tool) in Tool::ALL.into_iter().enumerate() {
            tool_button(ui, hand, Held::Brush(tool), actions);
            if i % 4 == 3 {
                ui.end_row();
            }
        }
    });
}

fn tool_button(ui: &mut Ui, hand: &Hand, held: Held, actions: &mut Vec<Action>) {
    let chosen = hand.held == held;
    let text = RichText::new(held.label());
    let text = if chosen {
        text.strong().color(ACCENT)
    } else {
        text
    };
    let button = egui::Button::selectable(chosen, text).frame_when_inactive(true);
    let size = [TOOL_WIDTH, ui.spacing().interact_size.y];
    if ui
        .add_sized(size, button)
        .on_hover_text(held.about())
        .clicked()
    {
        actions.push(Action::Hold(held));
    }
}

fn brush(ui: &mut Ui, hand: &mut Hand) {
    let brush = &mut hand.brush;
    labelled(ui, "Radius", "F + move, or [ and ]", |ui| {
        ui.add(
            egui::Slider::new(&mut brush.radius, RADII)
                .logarithmic(true)
                .suffix(" px")
                .fixed_decimals(0),
        );
    });
    labelled(ui, "Strength", "Shift + F + move", |ui| {
        share(ui, &mut brush.strength)
    });
    labelled(
        ui,
        "Falloff",
        "Share of the radius over which the effect fades out",
        |ui| {
            share(ui, &mut brush.falloff);
        },
    );
    let by_root = matches!(hand.held, Held::Brush(tool) if !matches!(tool, Tool::Cut | Tool::Add | Tool::Delete));
    ui.add_enabled_ui(by_root, |ui| {
        labelled(
            ui,
            "Root to tip",
            "0: alike all along; 1: the less, the nearer to the root",
            |ui| {
                share(ui, &mut brush.tips);
            },
        );
    });
    ui.checkbox(&mut brush.mirror, "Mirror left and right")
        .on_hover_text("The same on the other side of the head (M)");
}

fn paint(ui: &mut Ui, styling: &mut Styling, actions: &mut Vec<Action>) {
    let hand = &mut styling.hand;
    ui.horizontal(|ui| {
        ui.label("Map");
        egui::ComboBox::from_id_salt("map")
            .selected_text(hand.map.name())
            .width(96.0)
            .show_ui(ui, |ui| {
                for kind in MapKind::ALL {
                    ui.selectable_value(&mut hand.map, kind, kind.name())
                        .on_hover_text(kind.about());
                }
            });
        value(ui, hand);
    });
    ui.label(RichText::new(hand.map.about()).small().weak());
    ui.horizontal(|ui| {
        tool_button(ui, hand, Held::Paint, actions);
        tool_button(ui, hand, Held::Even, actions);
        let here = matches!(styling.bench, Bench::Here(_));
        if ui
            .add_enabled(here, egui::Button::new("Fill"))
            .on_hover_text("All of the map becomes the value")
            .clicked()
        {
            actions.push(Action::FillMap);
        }
        let mut open = styling.canvas.open;
        if ui
            .toggle_value(&mut open, "Canvas")
            .on_hover_text("The model's UV layout, to be painted on as well (U)")
            .clicked()
        {
            actions.push(Action::ToggleCanvas);
        }
    });
    ui.label(
        RichText::new(
            "A picture dropped on the window becomes the map. On the canvas, scroll to zoom and \
             right-drag to move.",
        )
        .small()
        .weak(),
    );
}

/// What is painted.
fn value(ui: &mut Ui, hand: &mut Hand) {
    match hand.map {
        MapKind::Tint => {
            let mut bytes = hand.color.map(|c| (c * 255.0).round() as u8);
            if ui.color_edit_button_srgb(&mut bytes).changed() {
                hand.color = bytes.map(|b| f32::from(b) / 255.0);
            }
        }
        MapKind::Direction => {
            let is_chosen = |(_, value): &&(&str, [f32; 3])| Some(*value) == hand.direction;
            let named = DIRECTIONS.iter().find(is_chosen);
            egui::ComboBox::from_id_salt("direction")
                .selected_text(named.map_or(ALONG, |(name, _)| name))
                .width(72.0)
                .show_ui(ui, |ui| {
                    ui.selectable_value(&mut hand.direction, None, ALONG);
                    for (name, value) in DIRECTIONS {
                        ui.selectable_value(&mut hand.direction, Some(value), name);
                    }
                });
        }
        _ => {
            ui.add(egui::Slider::new(&mut hand.grey, 0.0..=1.0).fixed_decimals(2))
                .on_hover_text(hand.map.about());
        }
    }
}

fn work(ui: &mut Ui, styling: &mut Styling, actions: &mut Vec<Action>) {
    let mut frozen = styling.frozen;
    if ui
        .checkbox(&mut frozen, "Freeze hair")
        .on_hover_text("Hair stands still as it is at rest, for quiet work (T)")
        .clicked()
    {
        actions.push(Action::ToggleFreeze);
    }
    ui.horizontal(|ui| {
        let history = styling.bench.here().map(|styler| styler.history());
        let done = history.map_or(0, |history| history.len());
        let undone = history.map_or(0, |history| history.undone());
        let button = |ui: &mut Ui, text: &str, key: &str, count: usize| {
            let button = egui::Button::new(format!("{text} ({})", grouped(count)));
            ui.add_enabled(count > 0, button)
                .on_hover_text(key)
                .clicked()
        };
        if button(ui, "Undo", "Ctrl+Z", done) {
            actions.push(Action::Undo);
        }
        if button(ui, "Redo", "Ctrl+Shift+Z", undone) {
            actions.push(Action::Redo);
        }
    });
    ui.horizontal(|ui| {
        let text = match &styling.recording {
            None => "Record strokes".to_owned(),
            Some(recording) => format!("Save {} strokes", recording.len()),
        };
        if ui
            .button(text)
            .on_hover_text("To a stroke file, which mohawk style --strokes does again")
            .clicked()
        {
            actions.push(Action::ToggleStrokes);
        }
    });
}

fn file(ui: &mut Ui, styling: &mut Styling, actions: &mut Vec<Action>) {
    if let Some(styler) = styling.bench.here() {
        let edits = &styler.style().edits;
        let maps: Vec<&str> = styler.style().maps.keys().map(|kind| kind.name()).collect();
        let maps = if maps.is_empty() {
            "none".to_owned()
        } else {
            maps.join(", ")
        };
        let strands = grouped(edits.curves.len());
        let text = format!("{strands} strands edited; maps: {maps}");
        ui.label(RichText::new(text).small());
    }
    ui.horizontal(|ui| {
        let field = egui::TextEdit::singleline(&mut styling.name)
            .hint_text("mohawk.mohawk")
            .desired_width(190.0);
        let response = ui.add(field);
        let entered =
            response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let save = ui
            .button("Save")
            .on_hover_text("One file with settings, maps and edits (Ctrl+S); a folder, if it is called otherwise than .mohawk");
        if entered || save.clicked() {
            actions.push(Action::SaveStyle);
        }
    });
}

fn share(ui: &mut Ui, value: &mut f32) {
    ui.add(egui::Slider::new(value, 0.0..=1.0).fixed_decimals(2));
}

fn labelled(ui: &mut Ui, label: &str, help: &str, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        let size = egui::vec2(LABEL_WIDTH, ui.spacing().interact_size.y);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_width(size.x);
            ui.label(label).on_hover_text(help);
        });
        add(ui);
    });
}
