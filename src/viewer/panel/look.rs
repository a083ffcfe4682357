//! The parts of the place *Look*: hair as it is drawn, its length and shape, light, lens and sky.

use super::{roots, stack};
use crate::viewer::app::App;
use crate::viewer::input::action::{Action, HandTool};
use crate::viewer::interface::color::swatches;
use crate::viewer::interface::edit::{row, rows};
use crate::viewer::interface::help::labelled;
use crate::viewer::interface::rows::{LABEL_WIDTH, choices, note};
use crate::viewer::interface::told::Told;
use mohawk::groom::GroomSettings;
use mohawk::look::{Brows, HairLook, LensLook, LightLook, Look, Pigment, Shading, SkyLook};
use mohawk::maps::MapKind;
use mohawk::sim::Hair;
use three_d::egui::{Button, RichText, Ui};

/// The number of particles with which a turn of a curl still looks round.
const PARTICLES_PER_TURN: f32 = 8.0;

/// Natural colours of hair: eumelanin and pheomelanin.
const NATURAL: [(&str, [f32; 2]); 10] = [
    ("Black", [3.0, 0.2]),
    ("Darkest brown", [1.4, 0.2]),
    ("Dark brown", [0.8, 0.15]),
    ("Brown", [0.5, 0.1]),
    ("Light brown", [0.28, 0.1]),
    ("Auburn", [0.35, 0.6]),
    ("Red", [0.06, 0.4]),
    ("Dark blond", [0.14, 0.1]),
    ("Blond", [0.06, 0.06]),
    ("Platinum", [0.012, 0.012]),
];

/// Shows the named looks and the colours of hair.
pub(super) fn color(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let (config, was) = app.settings.edited();
    ui.horizontal(|ui| {
        let names = Look::NAMES.iter().map(|name| {
            let is_chosen = Look::named(name).as_ref() == Some(&config.look);
            (
                *name,
                "Replaces all of the look: colour, width, light and sky (Ctrl+Z undoes)",
                is_chosen,
                Action::Look(name),
            )
        });
        choices(ui, names, actions);
    });
    let (hair, was) = (&mut config.look.hair, &was.look.hair);
    rows!(ui, HairLook, hair, was; pigment);
    match hair.pigment {
        Pigment::Dye => rows!(ui, HairLook, hair, was; root_color, tip_color),
        Pigment::Melanin => {
            natural(ui, hair);
            rows!(ui, HairLook, hair, was; eumelanin, pheomelanin);
        }
    }
    rows!(ui, HairLook, hair, was; brows);
    if hair.brows == Brows::Dye {
        rows!(ui, HairLook, hair, was; brow_color);
    }
}

/// Shows swatches that set the melanin of hair.
fn natural(ui: &mut Ui, hair: &mut HairLook) {
    let with = |[eumelanin, pheomelanin]: [f32; 2]| HairLook {
        eumelanin,
        pheomelanin,
        ..hair.clone()
    };
    let colors = NATURAL.map(|(name, melanin)| (name.to_owned(), with(melanin).colors()[0]));
    let mut clicked = None;
    let texts = ["Natural", "Colours of hair that nobody dyed"];
    labelled(ui, LABEL_WIDTH, texts, |ui| {
        clicked = swatches(ui, colors.into_iter());
    });
    if let Some(i) = clicked {
        [hair.eumelanin, hair.pheomelanin] = NATURAL[i].1;
    }
}

/// Shows the number of strands and their length.
pub(super) fn length(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    roots::settings(app, ui, [true, false, false]);
    let (config, was) = app.settings.edited();
    let (groom, was) = (&mut config.groom, &was.groom);
    rows!(ui, GroomSettings, groom, was; density, length);
    let shortens = |&i: &usize| groom.stack[i].shortens(groom.length);
    let cutting: Vec<usize> = (0..groom.stack.len()).filter(shortens).collect();
    let title = |&i: &usize| format!("{} {}", i + 1, groom.stack[i].title());
    let cuts = cutting.iter().map(title);
    let styler = app.styling.styler.ready();
    let has_map = styler.is_some_and(|styler| styler.style().maps.contains_key(&MapKind::Length));
    let cuts: Vec<String> = cuts
        .chain(has_map.then(|| "the length map".to_owned()))
        .collect();
    if !cuts.is_empty() {
        let text = RichText::new(format!("limited by {}", cuts.join(", "))).small();
        let help = match cutting.is_empty() {
            false => "Hair does not become longer than this lets it: a click shows it in the stack",
            true => "Hair does not become longer than this lets it: a click lets you paint it",
        };
        ui.horizontal(|ui| {
            ui.add_space(LABEL_WIDTH + ui.spacing().item_spacing.x);
            if ui.link(text).help(help).clicked() {
                if cutting.is_empty() {
                    app.styling.hand.map = MapKind::Length;
                    actions.push(Action::Hold(HandTool::PaintMap));
                } else {
                    stack::reveal(ui.ctx(), &cutting);
                }
            }
        });
    }
    rows!(ui, GroomSettings, groom, was; length_variation);
}

/// Shows how strands clump and curl.
pub(super) fn shape(app: &mut App, ui: &mut Ui, _: &mut Vec<Action>) {
    let (config, was) = app.settings.edited();
    let (groom, was) = (&mut config.groom, &was.groom);
    rows!(ui, GroomSettings, groom, was; clump, clump_size, spread_deg, stray, frizz, curl_deg);
    if groom.curl_deg <= 0.0 {
        return;
    }
    rows!(ui, GroomSettings, groom, was; curl_length, curl_flat);
    let turns = groom.length / groom.curl_length;
    let wanted = (turns * PARTICLES_PER_TURN).ceil() as u32 + 1;
    let wanted = wanted.min(*Hair::PARTICLES_RANGE.end());
    if config.sim.strand_particles < wanted {
        ui.horizontal(|ui| {
            let text = format!("{turns:.1} turns need about {wanted} particles");
            note(ui, text);
            if ui.small_button("use them").clicked() {
                config.sim.strand_particles = wanted;
            }
        });
    }
}

/// Shows how wide strands are and how they shine.
pub(super) fn shine(app: &mut App, ui: &mut Ui, _: &mut Vec<Action>) {
    let (config, was) = app.settings.edited();
    let (hair, was) = (&mut config.look.hair, &was.look.hair);
    if hair.width_px > 0.0 {
        rows!(ui, HairLook, hair, was; width_px);
    } else {
        rows!(ui, HairLook, hair, was; radius, taper);
    }
    if hair.lit {
        rows!(ui, HairLook, hair, was; shading, gloss);
        if hair.shading == Shading::Marschner {
            rows!(ui, HairLook, hair, was; roughness, variation, grey);
        }
    }
}

/// Shows the lights.
pub(super) fn light(app: &mut App, ui: &mut Ui, _: &mut Vec<Action>) {
    let (config, was) = app.settings.edited();
    let (light, was) = (&mut config.look.light, &was.look.light);
    rows!(ui, LightLook, light, was; lights, strength, turn_deg, floor);
    if !light.floor {
        rows!(ui, LightLook, light, was; fade);
    }
}

/// Shows the view that pictures begin with, and the effects of the lens.
pub(super) fn lens(app: &mut App, ui: &mut Ui, _: &mut Vec<Action>) {
    let now = app.view.settings();
    let (config, was) = app.settings.edited();
    let help = "The view that the window and pictures begin with";
    let texts = ["First view", help];
    row(ui, texts, &mut config.view, &was.view, |ui, view| {
        let take = ui.add_enabled(*view != now, Button::new("Take this one"));
        if take.clicked() {
            *view = now;
        }
    });
    let (lens, was) = (&mut config.look.lens, &was.look.lens);
    rows!(ui, LensLook, lens, was; bloom, aperture);
    if lens.aperture > 0.0 {
        rows!(ui, LensLook, lens, was; focus);
    }
}

/// Shows the background.
pub(super) fn sky(app: &mut App, ui: &mut Ui, _: &mut Vec<Action>) {
    let (config, was) = app.settings.edited();
    let (sky, was) = (&mut config.look.sky, &was.look.sky);
    rows!(ui, SkyLook, sky, was; top_color, bottom_color, contrast, wire_color, wire_opacity);
}
