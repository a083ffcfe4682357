//! The parts of the places *Look*, *Motion* and *Lab*, from top to bottom.

use super::{bundles, colliders, lab, look, model, motion, presets, roots, stack};
use crate::viewer::app::App;
use crate::viewer::input::action::Action;
use crate::viewer::interface::rows::section;
use crate::viewer::remembered::Place;
use three_d::egui::Ui;

/// A part of a place, which can be folded.
pub(super) struct Part {
    pub(super) place: Place,
    pub(super) title: &'static str,
    /// Its content, which the search looks through.
    pub(super) about: &'static str,
    /// `true` if it is open until somebody folds it.
    is_open: bool,
    /// `true` if it is of no use for strands without a head.
    pub(super) of_head: bool,
    show: fn(&mut App, &mut Ui, &mut Vec<Action>),
}

impl Part {
    const fn new(
        place: Place,
        [title, about]: [&'static str; 2],
        show: fn(&mut App, &mut Ui, &mut Vec<Action>),
    ) -> Self {
        Self {
            place,
            title,
            about,
            is_open: false,
            of_head: false,
            show,
        }
    }
}

/// Lists the parts: title, content and function, then the fields that are `true`.
macro_rules! parts {
    ($($place:ident { $($title:literal: $about:literal => $show:path $(, $flag:ident)*;)* })*) => {
        &[$($(Part {
            $($flag: true,)*
            ..Part::new(Place::$place, [$title, $about], $show)
        }),*),*]
    };
}

/// Every part, place by place from top to bottom.
pub(super) const PARTS: &[Part] = parts! {
    Look {
        "Colour": "Named looks, dye, melanin, brows" => look::color, is_open;
        "Length and fullness": "Strands, density, length" => look::length, is_open, of_head;
        "Shape": "Clumps, curls, waves, frizz, stray hairs" => look::shape, of_head;
        "Stack": "Modifiers: comb, part, fall, trim, clump, braid, curl, dye" => stack::show, of_head;
        "Shine and width": "Thickness, shading, highlights, grey hair" => look::shine;
        "Light": "Lamps, sun, floor, neck" => look::light;
        "View and lens": "First view, bloom, depth of field, focus" => look::lens;
        "Sky": "Background colours, wire sphere" => look::sky;
        "Model": "Which way is up, turn, hide parts, paint, mask" => model::show, of_head;
    }
    Motion {
        "Play": "Scenes, pause, step, restart, slow motion, speed" => motion::play, is_open;
        "Stiffness": "Solver, hold, frequency, damping" => motion::stiffness, is_open;
        "Wind and gravity": "Forces, gusts, turbulence, drag" => motion::forces;
        "Colliders": "Spheres and capsules that hair meets" => colliders::show;
        "Wet and tied": "Water, drying, locks, ribbons, tails" => bundles::show;
    }
    Lab {
        "Overlays": "Marks of the simulation over the picture" => lab::overlays, is_open;
        "Graphs and detail": "Energy, stretch, frame time, two solvers" => lab::graphs, is_open;
        "Roots": "Sampling, spacing, seed, method, gaps" => roots::show, of_head;
        "Solver in depth": "Every parameter of the solver in use" => motion::solver;
        "Contact": "Friction, hair against hair, head shape" => motion::contact;
        "Guides": "Few simulated hairs that others follow" => motion::guides;
    }
};

/// Shows the parts of the place.
pub(super) fn show_place(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let place = app.remembered.place;
    if place == Place::Look {
        presets::show(app, ui, actions);
    }
    for part in PARTS.iter().filter(|part| part.place == place) {
        if !(part.of_head && app.subject.is_headless()) {
            section(ui, part.title, part.is_open, |ui| {
                (part.show)(app, ui, actions);
            });
        }
    }
}
