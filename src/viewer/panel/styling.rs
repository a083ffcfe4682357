//! The panel of styling: brushes, maps, history and file.

use super::layers;
use crate::numbers::grouped;
use crate::viewer::app::App;
use crate::viewer::files::StrokeRecording;
use crate::viewer::input::action::{Action, Hand, HandTool, LONGEST_STRING, RADII};
use crate::viewer::interface::edit::combo;
use crate::viewer::interface::eyedropper;
use crate::viewer::interface::rows::{
    LABEL_WIDTH, button, button_if, buttons, color, labelled, note, record_strokes, section, share,
    text_field, toggle, tool_button,
};
use crate::viewer::styling::{StylerSlot, Styling};
use mohawk::maps::MapKind;
use mohawk::style::{SelectBy, Tool};
use three_d::egui::{self, Ui};

/// Width of a tool's button, logical pixels. There are four in a row.
const TOOL_WIDTH: f32 = 64.0;

/// Named directions, as values of the direction map.
const DIRECTIONS: [(&str, [f32; 3]); 7] = [
    ("out", [0.5, 0.5, 0.5]),
    ("up", [0.5, 1.0, 0.5]),
    ("down", [0.5, 0.0, 0.5]),
    ("back", [0.5, 0.5, 0.0]),
    ("front", [0.5, 0.5, 1.0]),
    ("left", [1.0, 0.5, 0.5]),
    ("right", [0.0, 0.5, 0.5]),
];

/// Name of the direction of the brush's movement.
const ALONG: &str = "stroke";

/// Shows the panel of styling.
pub(crate) fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let (styling, file_name) = (&mut app.styling, &mut app.document.name);
    section(ui, "Brush", true, |ui| {
        tools(ui, &styling.hand, actions);
        note(ui, styling.hand.tool.about());
        ui.add_space(2.0);
        brush(ui, &mut styling.hand);
    });
    let told = app.subject.selected_text();
    section(ui, "Selection", true, |ui| {
        selection(ui, &mut styling.hand, &told, actions);
    });
    section(ui, "Paint", true, |ui| paint(ui, styling, actions));
    section(ui, "While you work", true, |ui| work(ui, styling, actions));
    section(ui, "Style", true, |ui| {
        file(ui, styling, file_name, actions)
    });
    ui.add_space(4.0);
    let help = "Left-drag on hair brushes, H + drag swings the head, the background orbits. \
                F + move: radius; Shift + F: strength; [ and ]: smaller, larger.";
    note(ui, help);
}

fn tools(ui: &mut Ui, hand: &Hand, actions: &mut Vec<Action>) {
    egui::Grid::new("tools").spacing([4.0, 4.0]).show(ui, |ui| {
        let tools = Tool::ALL.into_iter();
        let for_hair: Vec<Tool> = tools.filter(|tool| !tool.is_for_maps()).collect();
        for row in for_hair.chunks(4) {
            for &tool in row {
                tool_choice(ui, hand, HandTool::Brush(tool), actions);
            }
            ui.end_row();
        }
    });
}

fn tool_choice(ui: &mut Ui, hand: &Hand, tool: HandTool, actions: &mut Vec<Action>) {
    let size = [TOOL_WIDTH, ui.spacing().interact_size.y];
    let texts = [&*tool.label(), tool.about()];
    if tool_button(ui, size, hand.tool == tool, texts) {
        actions.push(Action::Hold(tool));
    }
}

fn brush(ui: &mut Ui, hand: &mut Hand) {
    let brush = &mut hand.brush;
    labelled(ui, LABEL_WIDTH, ["Radius", "F + move, or [ and ]"], |ui| {
        let slider = egui::Slider::new(&mut brush.radius, RADII).logarithmic(true);
        ui.add(slider.suffix(" px").fixed_decimals(0));
    });
    let help = "Share of the radius over which the effect fades out";
    for (label, help, value) in [
        ("Strength", "Shift + F + move", &mut brush.strength),
        ("Falloff", help, &mut brush.falloff),
    ] {
        labelled(ui, LABEL_WIDTH, [label, help], |ui| _ = share(ui, value));
    }
    let by_root = matches!(hand.tool, HandTool::Brush(tool) if !matches!(tool, Tool::Cut | Tool::Add | Tool::Delete));
    ui.add_enabled_ui(by_root, |ui| {
        let help = "0: the same effect along the strand; 1: less effect near the root";
        let texts = ["Root to tip", help];
        labelled(ui, LABEL_WIDTH, texts, |ui| _ = share(ui, &mut brush.tips));
    });
    let help = "Length of a string by which the pointer pulls the brush: steadier strokes";
    labelled(ui, LABEL_WIDTH, ["Stabilise", help], |ui| {
        let slider = egui::Slider::new(&mut hand.string, 0.0..=LONGEST_STRING);
        ui.add(slider.suffix(" px").fixed_decimals(0));
    });
    let brush = &mut hand.brush;
    ui.checkbox(&mut brush.mirror, "Mirror left and right")
        .on_hover_text("Apply each stroke on the other side of the head too (M)");
}

fn selection(ui: &mut Ui, hand: &mut Hand, told: &str, actions: &mut Vec<Action>) {
    let command = |(name, by): (&'static str, SelectBy)| (name, by.about(), Action::Select(by));
    ui.horizontal(|ui| {
        let all = [
            ("All", SelectBy::All),
            ("None", SelectBy::None),
            ("Invert", SelectBy::Invert),
        ];
        buttons(ui, all.map(command), actions);
        ui.label("Masks");
        for (name, by) in [
            ("1", SelectBy::Mask1),
            ("2", SelectBy::Mask2),
            ("3", SelectBy::Mask3),
            ("4", SelectBy::Mask4),
        ] {
            buttons(ui, [command((name, by))], actions);
        }
    });
    ui.horizontal(|ui| {
        let edge = [
            ("Grow", SelectBy::Grow),
            ("Shrink", SelectBy::Shrink),
            ("Soften", SelectBy::Soften),
        ];
        buttons(ui, edge.map(command), actions);
        let mut by_clump = hand.brush.by == SelectBy::Clump;
        let help = "The tool Select takes whole clumps (L: the one under the pointer)";
        ui.checkbox(&mut by_clump, "By clump").on_hover_text(help);
        hand.brush.by = if by_clump {
            SelectBy::Clump
        } else {
            SelectBy::Strand
        };
    });
    note(ui, told);
}

fn paint(ui: &mut Ui, styling: &mut Styling, actions: &mut Vec<Action>) {
    let hand = &mut styling.hand;
    ui.horizontal(|ui| {
        ui.label("Map");
        combo(ui, "map", &mut hand.map);
        value(ui, hand);
    });
    note(ui, hand.map.about());
    ui.horizontal(|ui| {
        tool_choice(ui, hand, HandTool::PaintMap, actions);
        tool_choice(ui, hand, HandTool::EraseMap, actions);
        tool_choice(ui, hand, HandTool::SmoothMap, actions);
    });
    ui.horizontal(|ui| {
        let here = matches!(styling.styler, StylerSlot::Ready(_));
        if button_if(
            ui,
            here,
            "Fill",
            "Fill the whole map, or the active layer, with the value",
        ) {
            actions.push(Action::FillMap);
        }
        let mut open = styling.canvas.open;
        let switch = ui.toggle_value(&mut open, "Canvas");
        let help = "Paint on the UV layout of the model (U)";
        if switch.on_hover_text(help).clicked() {
            actions.push(Action::ToggleCanvas);
        }
    });
    layers::show(ui, styling, actions);
    note(
        ui,
        "Drop a picture on the window to use it as the map. On the canvas, scroll to zoom and \
         right-drag to move.",
    );
}

/// Shows the value that is painted.
fn value(ui: &mut Ui, hand: &mut Hand) {
    match hand.map {
        MapKind::Tint => {
            color(ui, &mut hand.color);
            eyedropper::button(ui, eyedropper::painted());
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
        _ => _ = share(ui, &mut hand.grey).on_hover_text(hand.map.about()),
    }
}

fn work(ui: &mut Ui, styling: &mut Styling, actions: &mut Vec<Action>) {
    let help = "Stop the motion and keep the hair in its rest shape (T)";
    let freeze = ("Freeze hair", help, Action::ToggleFreeze);
    toggle(ui, styling.frozen, freeze, actions);
    ui.horizontal(|ui| {
        let recorded = styling.recording.as_ref().map(StrokeRecording::len);
        let help = "Write a stroke file, which mohawk style --strokes replays";
        record_strokes(ui, recorded, help, actions);
    });
}

fn file(ui: &mut Ui, styling: &Styling, name: &mut String, actions: &mut Vec<Action>) {
    if let Some(styler) = styling.styler.ready() {
        let edits = &styler.style().edits;
        let maps: Vec<&str> = styler.style().maps.keys().map(|kind| kind.name()).collect();
        let maps = if maps.is_empty() {
            "none".to_owned()
        } else {
            maps.join(", ")
        };
        let strands = grouped(edits.curves.len());
        ui.small(format!("{strands} strands edited; maps: {maps}"));
    }
    ui.horizontal(|ui| {
        let entered = text_field(ui, name, "mohawk.mohawk", 190.0);
        let help = "Save settings, maps and edits (Ctrl+S): a file if the name ends in .mohawk, else a \
                    folder";
        if button(ui, "Save", help) || entered {
            actions.push(Action::SaveStyle);
        }
    });
}
