//! The section of what draws strands together: water and ties.

use crate::numbers::plural;
use crate::viewer::app::App;
use crate::viewer::input::action::Action;
use crate::viewer::interface::edit::{coordinates, rows, slider};
use crate::viewer::interface::rows::{LABEL_WIDTH, button_if, buttons, column, note, wrapped};
use crate::viewer::interface::told::Told;
use mohawk::settings::{Field, ListItem as _};
use mohawk::sim::{Tie, WetSettings};
use three_d::egui::Ui;

/// A new tie: behind the head, for a tail.
const NEW_TIE: Tie = Tie {
    place: [0.0, 0.4, -1.3],
    reach: 1.2,
    radius: 0.12,
};
/// Ranges of the sliders, decimetres.
const REACHES: [f64; 2] = [0.05, 3.0];
const RADII: [f64; 2] = [0.02, 0.5];

/// Shows how wet hair is, and all ties.
pub(super) fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let wetness = app.subject.sim().wetness();
    let held = app.subject.sim().tied_strands();
    let (config, was) = app.settings.edited();
    let (wet, was) = (&mut config.sim.wet, &was.sim.wet);
    rows!(ui, WetSettings, wet, was; wetness, drying_secs, lock_size);
    ui.horizontal(|ui| {
        column(ui, LABEL_WIDTH, |ui| ui.label("Now"));
        ui.label(format!("{:.0} %", 100.0 * wetness));
        if wetness < wet.wetness {
            let help = "Wet the hair again; it dries from now on";
            buttons(ui, [("Wet again", help, Action::WetAgain)], actions);
        }
    });
    ties(ui, &mut config.sim.ties, &held);
}

/// Shows the rows of all ties. `held` are the numbers of strands in them.
fn ties(ui: &mut Ui, ties: &mut Vec<Tie>, held: &[usize]) {
    let help =
        "A ribbon that holds the hair groomed to pass within its reach. It moves with the hair";
    if button_if(ui, ties.len() < Tie::MAX, "Add tie", help) {
        ties.push(NEW_TIE);
    }
    let mut removed = None;
    for (i, tie) in ties.iter_mut().enumerate() {
        ui.push_id(i, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.horizontal(|ui| {
                column(ui, LABEL_WIDTH, |ui| ui.label(format!("Tie {}", i + 1)));
                ui.spacing_mut().item_spacing.x = 2.0;
                coordinates(ui, &mut tie.place, &Tie::PLACE, 0.01);
                if ui.small_button("✖").help("Remove").clicked() {
                    removed = Some(i);
                }
            });
            let sizes = [
                ("reach", &Tie::REACH, &mut tie.reach, REACHES),
                ("radius", &Tie::RADIUS, &mut tie.radius, RADII),
            ];
            for (name, field, value, range) in sizes {
                size(ui, name, field, value, range);
            }
            match held.get(i) {
                Some(0) => wrapped(
                    ui,
                    "holds no strand: none is groomed to pass there and long enough",
                ),
                Some(&count) => note(ui, format!("holds {}", plural(count, "strand"))),
                None => {}
            }
        });
    }
    if let Some(removed) = removed {
        ties.remove(removed);
    }
}

/// Shows the slider of a distance.
fn size(ui: &mut Ui, name: &str, field: &Field, value: &mut f32, range: [f64; 2]) {
    ui.horizontal(|ui| {
        column(ui, LABEL_WIDTH, |ui| {
            ui.label(name).help(field.meaning_with_range())
        });
        slider(
            ui,
            value,
            [range, field.range.unwrap_or_default().map(f64::from)],
            true,
            " dm",
        );
    });
}
