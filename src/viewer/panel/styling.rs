//! The panel of styling: brushes, maps, history and file.

use super::{layers, saving};
use crate::numbers::grouped;
use crate::viewer::app::App;
use crate::viewer::files::StrokeRecording;
use crate::viewer::input::action::{Action, Hand, HandTool, LONGEST_STRING, RADII};
use crate::viewer::interface::color::color;
use crate::viewer::interface::edit::combo;
use crate::viewer::interface::eyedropper;
use crate::viewer::interface::help::{labelled, steady_note};
use crate::viewer::interface::rows::{
    LABEL_WIDTH, button, button_if, buttons, note, record_strokes, section, share, toggle,
    tool_button,
};
use crate::viewer::interface::told::Told;
use crate::viewer::styling::{StylerSlot, Styling};
use mohawk::maps::MapKind;
use mohawk::style::{FillSide, SelectBy, Styler, Tool};
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

/// The sides that can be filled. Left and right are the head's own.
const SIDES: [(&str, FillSide); 4] = [
    ("Fill left half", FillSide::Left),
    ("Fill right half", FillSide::Right),
    ("Fill left of the parting", FillSide::PartingLeft),
    ("Fill right of the parting", FillSide::PartingRight),
];

/// Name of the direction of the brush's movement.
const ALONG: &str = "stroke";

/// Shows the panel of styling.
pub(crate) fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let styling = &mut app.styling;
    section(ui, "Brush", true, |ui| {
        tools(ui, &styling.hand, actions);
        let all = Tool::ALL.map(Tool::about).into_iter();
        let all = all.chain([HandTool::PaintMap, HandTool::SmoothMap].map(HandTool::about));
        steady_note(ui, styling.hand.tool.about(), all);
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
        file(ui, styling, actions);
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
    let help =
        "Radius of the circle, 4 to 300 pixels, by default 40. F + move of the mouse, or [ and ]";
    labelled(ui, LABEL_WIDTH, ["Radius", help], |ui| {
        let slider = egui::Slider::new(&mut brush.radius, RADII).logarithmic(true);
        let slider = slider.clamping(egui::SliderClamping::Edits);
        ui.add(slider.suffix(" px").fixed_decimals(0));
    });
    let strength = "How much the brush does, 0 (nothing) to 1, by default 0.5. Each tool keeps its own. \
                    Shift + F + move of the mouse";
    let falloff = "Share of the radius over which the effect fades out to the edge, 0 (a sharp edge) to \
                   1, by default 0.5";
    for (label, help, value) in [
        ("Strength", strength, &mut brush.strength),
        ("Falloff", falloff, &mut brush.falloff),
    ] {
        labelled(ui, LABEL_WIDTH, [label, help], |ui| _ = share(ui, value));
    }
    let by_root = matches!(hand.tool, HandTool::Brush(tool) if !matches!(tool, Tool::Cut | Tool::Add | Tool::Delete));
    ui.add_enabled_ui(by_root, |ui| {
        let help = "Where along the strand the brush acts, by default 0: the same everywhere; 1: less \
                    near the root";
        let texts = ["Root to tip", help];
        labelled(ui, LABEL_WIDTH, texts, |ui| _ = share(ui, &mut brush.tips));
    });
    let help = "Length of a string by which the pointer pulls the brush, 0 to 100 pixels, by default 0: a \
                longer one makes strokes steadier";
    labelled(ui, LABEL_WIDTH, ["Stabilise", help], |ui| {
        let slider = egui::Slider::new(&mut hand.string, 0.0..=LONGEST_STRING);
        let slider = slider.clamping(egui::SliderClamping::Edits);
        ui.add(slider.suffix(" px").fixed_decimals(0));
    });
    let brush = &mut hand.brush;
    ui.checkbox(&mut brush.mirror, "Mirror left and right")
        .help("Apply each stroke on the other side of the head too (M)");
    let help = "Brush the guides of the stack's modifier follow: hair around them follows (J)";
    ui.checkbox(&mut brush.guides, "Brush guides, not hair")
        .help(help);
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
        ui.checkbox(&mut by_clump, "By clump").help(help);
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
    steady_note(ui, hand.map.about(), MapKind::ALL.map(MapKind::about));
    ui.horizontal(|ui| {
        tool_choice(ui, hand, HandTool::PaintMap, actions);
        tool_choice(ui, hand, HandTool::EraseMap, actions);
        tool_choice(ui, hand, HandTool::SmoothMap, actions);
    });
    ui.horizontal(|ui| {
        let here = matches!(styling.styler, StylerSlot::Ready(_));
        let help = "Fill the whole map, or the active layer, with the value";
        if button_if(ui, here, "Fill", help) {
            actions.push(Action::FillMap(None));
        }
        ui.add_enabled_ui(here, |ui| {
            let menu = ui.menu_button("⏷", |ui| {
                for (name, side) in SIDES {
                    if button(ui, name, side.about()) {
                        actions.push(Action::FillMap(Some(side)));
                        ui.close();
                    }
                }
            });
            menu.response.help("Fill one side with the value");
        });
        let mut open = styling.canvas.open;
        let switch = ui.toggle_value(&mut open, "Canvas");
        let help = "Paint on the UV layout of the model (U)";
        if switch.help(help).clicked() {
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
                    ui.selectable_value(&mut hand.direction, None, ALONG)
                        .chosen(hand.direction.is_none());
                    for (name, value) in DIRECTIONS {
                        ui.selectable_value(&mut hand.direction, Some(value), name)
                            .chosen(hand.direction == Some(value));
                    }
                });
        }
        _ => _ = share(ui, &mut hand.grey).help(hand.map.about()),
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

fn file(ui: &mut Ui, styling: &Styling, actions: &mut Vec<Action>) {
    if let Some(styler) = styling.styler.ready() {
        let edits = &styler.style().edits;
        let maps: Vec<&str> = styler.style().maps.keys().map(|kind| kind.name()).collect();
        let maps = if maps.is_empty() {
            "none".to_owned()
        } else {
            maps.join(", ")
        };
        let text = match edits.curves.len() {
            0 => format!("maps: {maps}"),
            1 => format!("1 strand has a shape of its own; maps: {maps}"),
            count => format!(
                "{} strands have shapes of their own; maps: {maps}",
                grouped(count)
            ),
        };
        let help = "Brushes have shaped strands, or moved them out of the skin";
        ui.small(text).help(help);
    }
    saving::buttons(ui, actions);
    let is_edited = |styler: &Styler| !styler.style().edits.curves.is_empty();
    let has_edits = styling.styler.ready().is_some_and(is_edited);
    let help = "Replace what brushes did to strands by guides, which hair follows at any length and \
                density (a modifier at the end of the stack)";
    if button_if(ui, has_edits, "Bake strokes into guides", help) {
        actions.push(Action::TakeGuides(None, mohawk::settings::MOST_ELEMENTS));
    }
}
