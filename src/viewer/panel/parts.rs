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
    of_head: bool,
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

    /// Returns the part, open until somebody folds it.
    const fn open(self) -> Self {
        Self {
            is_open: true,
            ..self
        }
    }

    /// Returns the part as one that is of no use for strands without a head.
    const fn of_head(self) -> Self {
        Self {
            of_head: true,
            ..self
        }
    }
}

/// Every part, place by place from top to bottom.
pub(super) const PARTS: [Part; 20] = [
    Part::new(
        Place::Look,
        ["Colour", "Named looks, dye, melanin, brows"],
        look::color,
    )
    .open(),
    Part::new(
        Place::Look,
        ["Length and fullness", "Strands, density, length"],
        look::length,
    )
    .open()
    .of_head(),
    Part::new(
        Place::Look,
        ["Shape", "Clumps, curls, waves, frizz, stray hairs"],
        look::shape,
    )
    .of_head(),
    Part::new(
        Place::Look,
        [
            "Stack",
            "Modifiers: comb, part, fall, trim, clump, braid, curl, dye",
        ],
        stack::show,
    )
    .of_head(),
    Part::new(
        Place::Look,
        [
            "Shine and width",
            "Thickness, shading, highlights, grey hair",
        ],
        look::shine,
    ),
    Part::new(
        Place::Look,
        ["Light", "Lamps, sun, floor, neck"],
        look::light,
    ),
    Part::new(
        Place::Look,
        ["View and lens", "First view, bloom, depth of field, focus"],
        look::lens,
    ),
    Part::new(
        Place::Look,
        ["Sky", "Background colours, wire sphere"],
        look::sky,
    ),
    Part::new(
        Place::Look,
        ["Model", "Which way is up, turn, hide parts, paint, mask"],
        model::show,
    )
    .of_head(),
    Part::new(
        Place::Motion,
        ["Play", "Scenes, pause, step, restart, slow motion, speed"],
        motion::play,
    )
    .open(),
    Part::new(
        Place::Motion,
        ["Stiffness", "Solver, hold, frequency, damping"],
        motion::stiffness,
    )
    .open(),
    Part::new(
        Place::Motion,
        ["Wind and gravity", "Forces, gusts, turbulence, drag"],
        motion::forces,
    ),
    Part::new(
        Place::Motion,
        ["Colliders", "Spheres and capsules that hair meets"],
        colliders::show,
    ),
    Part::new(
        Place::Motion,
        ["Wet and tied", "Water, drying, locks, ribbons, tails"],
        bundles::show,
    ),
    Part::new(
        Place::Lab,
        ["Overlays", "Marks of the simulation over the picture"],
        lab::overlays,
    )
    .open(),
    Part::new(
        Place::Lab,
        [
            "Graphs and detail",
            "Energy, stretch, frame time, two solvers",
        ],
        lab::graphs,
    )
    .open(),
    Part::new(
        Place::Lab,
        ["Roots", "Sampling, spacing, seed, method, gaps"],
        roots::show,
    )
    .of_head(),
    Part::new(
        Place::Lab,
        ["Solver in depth", "Every parameter of the solver in use"],
        motion::solver,
    ),
    Part::new(
        Place::Lab,
        ["Contact", "Friction, hair against hair, head shape"],
        motion::contact,
    ),
    Part::new(
        Place::Lab,
        ["Guides", "Few simulated hairs that others follow"],
        motion::guides,
    ),
];

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
