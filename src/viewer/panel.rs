//! The panel of the head's window: a bar, a search, and the places *Look*, *Motion*, *Lab* and
//! *Style*, each made of [`Part`]s. Parts have files of their own, and `search` finds rows of all.
//!
//! A row edits one setting, marks it if it differs from its value at the start, and can reset it.
//! Everything else that a click asks for is an [`Action`].

mod axes;
mod bar;
mod bundles;
mod colliders;
mod lab;
mod layers;
mod look;
mod model;
mod motion;
mod presets;
mod roots;
mod saving;
mod search;
mod stack;
mod styling;

use crate::viewer::app::App;
use crate::viewer::input::action::Action;
use crate::viewer::interface::rows::{follow_keyboard, section};
pub(crate) use bar::search_field;
pub(super) use layers::LayerList;
pub(crate) use saving::SaveForm;
use search::Query;
use three_d::egui::{self, Ui};

mohawk::choices! {
    /// A place of the panel. *Style* is another one, which comes with a brush.
    pub enum Place: "place" = Look {
        /// Colour, length, light and background.
        Look = "look",
        /// Scenes, stiffness, wind, and what hair meets.
        Motion = "motion",
        /// Roots, solvers in depth, overlays and graphs.
        Lab = "lab",
    }
}

/// What the panel shows besides the settings.
pub(crate) struct PanelState {
    pub(crate) shown: bool,
    /// `true` if a button offers the panel while it is hidden.
    pub(crate) is_offered: bool,
    /// What is searched for.
    pub(crate) query: String,
    /// The path of a file to open, as typed.
    typed_path: String,
    /// The form that asks for a name to save under, while it is open.
    pub(crate) saving: Option<SaveForm>,
    /// `true` while the part *Model* is open.
    shows_model: bool,
    /// `true` if the head is to be read in another way.
    pub(crate) model_changed: bool,
}

impl Default for PanelState {
    fn default() -> Self {
        Self {
            shown: true,
            is_offered: true,
            query: String::new(),
            typed_path: String::new(),
            saving: None,
            shows_model: false,
            model_changed: false,
        }
    }
}

/// A part of a place, which can be folded.
struct Part {
    place: Place,
    title: &'static str,
    /// What it holds, for the search.
    about: &'static str,
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

    /// The same, open until somebody folds it.
    const fn open(self) -> Self {
        Self {
            is_open: true,
            ..self
        }
    }

    /// The same, of no use for strands without a head.
    const fn of_head(self) -> Self {
        Self {
            of_head: true,
            ..self
        }
    }
}

/// Every part, place by place from top to bottom.
const PARTS: [Part; 20] = [
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

impl PanelState {
    /// Returns `true` while the axes of the file are shown.
    pub(crate) fn shows_axes(&self) -> bool {
        self.shown && self.shows_model
    }
}

impl App {
    /// Offers the panel in a corner of the scene while it is hidden.
    pub(crate) fn offer_panel(
        &self,
        ctx: &egui::Context,
        area: egui::Rect,
        actions: &mut Vec<Action>,
    ) {
        if self.panel.shown || !self.panel.is_offered {
            return;
        }
        let corner = egui::Area::new(egui::Id::new("offer")).pivot(egui::Align2::RIGHT_BOTTOM);
        let at = area.right_bottom() - egui::vec2(12.0, 12.0);
        corner.fixed_pos(at).show(ctx, |ui| {
            let button = egui::Button::new(egui::RichText::new("☰").size(20.0));
            let button = ui.add_sized([40.0, 36.0], button);
            if button.on_hover_text("Show the panel (N)").clicked() {
                actions.push(Action::TogglePanel);
            }
        });
    }

    /// Shows the panel, applies its changes, and adds the requested actions.
    pub(crate) fn show_panel(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let before = self.settings.config.clone();
        self.pointer.pressed = ui.input(|input| input.pointer.any_down());
        self.panel.shows_model = false;
        self.styling.merging &= self.pointer.pressed;
        bar::show(self, ui, actions);
        bar::foot(self, ui, actions);
        let query = Query::new(&self.panel.query);
        let place = match (&query, self.styling.on) {
            (Some(_), _) => "search",
            (None, true) => "style",
            (None, false) => self.remembered.place.name(),
        };
        let scroll = egui::ScrollArea::vertical().auto_shrink([false, true]);
        scroll.id_salt(place).show(ui, |ui| {
            // The scroll bar covers this space.
            ui.set_max_width(ui.available_width() - 10.0);
            match query {
                Some(query) => search::show(self, ui, &query, actions),
                None if self.styling.on => styling::show(self, ui, actions),
                None => show_place(self, ui, actions),
            }
            ui.add_space(8.0);
            follow_keyboard(ui);
        });
        self.view.is_used |= self.settings.config != before;
        self.settings_changed(&before);
    }
}

/// Shows the parts of the place.
fn show_place(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
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
