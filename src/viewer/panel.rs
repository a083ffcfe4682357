//! The panel of the head's window, one file per section.
//!
//! A row edits one setting, marks it if it differs from its value at the start, and can reset it.
//! Everything else that a click asks for is an [`Action`].

mod colliders;
mod lab;
mod motion;
mod roots;
mod roots_legend;
mod scene;
mod styling;

use crate::numbers::grouped;
use crate::viewer::app::App;
use crate::viewer::input::action::Action;
use crate::viewer::interface::rows::{
    button, buttons, choices, note, path_row, rows, section, title,
};
use mohawk::groom::GroomSettings;
use mohawk::look::{HairLook, Look, SkyLook};
use mohawk::sim::Hair;
use three_d::egui::{self, RichText, Ui};

/// The number of particles with which a turn of a curl still looks round.
const PARTICLES_PER_TURN: f32 = 8.0;

impl App {
    /// Shows the panel, applies its changes, and returns the requested actions.
    pub(crate) fn show_panel(&mut self, ui: &mut Ui) -> Vec<Action> {
        let before = self.settings.config.clone();
        self.pointer.pressed = ui.input(|input| input.pointer.any_down());
        self.styling.merging &= self.pointer.pressed;
        let unsaved = self.is_unsaved();
        let mut actions = Vec::new();
        title(ui, "mohawk", &mut actions, |ui, actions| {
            modes(ui, self.styling.on, actions);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let help = "Save the settings, or the style if there is one (Ctrl+S)";
                if unsaved && button(ui, "Save", help) {
                    actions.push(Action::Save);
                }
            });
        });
        let scroll = egui::ScrollArea::vertical().auto_shrink([false, true]);
        if self.styling.on {
            let scroll = scroll.id_salt("styling");
            scroll.show(ui, |ui| styling::show(self, ui, &mut actions));
        } else {
            scroll.show(ui, |ui| sections(self, ui, &mut actions));
        }
        if self.settings.config.look != before.look || self.settings.config.sim != before.sim {
            self.subject.apply(&self.settings.config);
        }
        self.cancel_outdated_job();
        self.follow_settings();
        actions
    }
}

/// Shows the switch between settings and styling.
fn modes(ui: &mut Ui, styling: bool, actions: &mut Vec<Action>) {
    for (mode, name, help) in [
        (false, "Settings", "Drag the head to swing it (B)"),
        (true, "Style", "Comb, cut and paint hair (B)"),
    ] {
        let text = match styling == mode {
            true => RichText::new(name).strong().underline(),
            false => RichText::new(name).weak(),
        };
        let button = ui.selectable_label(false, text).on_hover_text(help);
        if button.clicked() && styling != mode {
            actions.push(Action::ToggleBrush);
        }
    }
}

/// Shows the sections of settings.
fn sections(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    type Show = fn(&mut App, &mut Ui, &mut Vec<Action>);
    let has_head = !app.subject.is_headless();
    let all: [(&str, bool, bool, Show); 9] = [
        ("Head", true, true, head),
        ("Scene", true, true, scene::show),
        ("Colliders", true, true, colliders::show),
        ("Roots", true, has_head, roots::show),
        ("Hair", true, has_head, hair),
        ("Motion", true, true, motion::show),
        ("Laboratory", false, true, lab::show),
        ("Look", true, true, look),
        ("Sky", false, true, sky),
    ];
    for (title, is_open, is_shown, show) in all {
        if is_shown {
            section(ui, title, is_open, |ui| show(app, ui, actions));
        }
    }
    ui.add_space(4.0);
    ui.separator();
    ui.horizontal_wrapped(|ui| {
        let screenshot = Action::Screenshot { transparent: false };
        let help = "F12; Ctrl+F12: transparent, without the panel";
        let all = [
            ("Reset head", "Back to rest (R)", Action::Reset),
            (
                "2D doll",
                "Brush the hair of a paper doll (P)",
                Action::Doll,
            ),
            ("Reset camera", "Enter", Action::ResetCamera),
            ("Screenshot", help, screenshot),
        ];
        buttons(ui, all, actions);
    });
    ui.add_space(4.0);
    let frames_per_second = app.statistics.frame_secs.get().max(1e-4).recip();
    let sim_ms = app.statistics.sim_ms.get();
    note(
        ui,
        &format!("{frames_per_second:.0} fps    simulation {sim_ms:.2} ms/frame"),
    );
    note(ui, &app.statistics.renderer);
}

fn head(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(app.subject.name()).strong());
        let about = match app.subject.triangles() {
            0 => format!("{} strands", grouped(app.subject.strands())),
            triangles => format!("{} triangles", grouped(triangles)),
        };
        ui.label(RichText::new(about).weak());
    });
    ui.horizontal(|ui| {
        let help = "A head (.glb, .gltf), a style (.mohawk) or a scene (.toml) (Ctrl+O); or drop one \
                    on the window";
        buttons(ui, [("Open…", help, Action::Open)], actions);
        path_row(ui, &mut app.typed_path, "or type its path", actions);
    });
}

/// Shows how strands grow from the scalp, and how they curl.
fn hair(app: &mut App, ui: &mut Ui, _: &mut Vec<Action>) {
    let (config, was) = app.settings.edited();
    let (groom, was) = (&mut config.groom, &was.groom);
    rows!(ui, GroomSettings, groom, was; number: density, length, length_variation, clump, clump_size,
        spread_deg, curl_deg);
    if groom.curl_deg <= 0.0 {
        return;
    }
    rows!(ui, GroomSettings, groom, was; number: curl_length, curl_flat);
    let turns = groom.length / groom.curl_length;
    let wanted = (turns * PARTICLES_PER_TURN).ceil() as u32 + 1;
    if config.sim.strand_particles < wanted {
        let wanted = wanted.min(*Hair::PARTICLES_RANGE.end());
        ui.horizontal(|ui| {
            note(
                ui,
                &format!("{turns:.1} turns need about {wanted} particles"),
            );
            if ui.small_button("use them").clicked() {
                config.sim.strand_particles = wanted;
            }
        });
    }
}

fn look(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let (config, was) = app.settings.edited();
    ui.horizontal(|ui| {
        let names = Look::NAMES.iter().enumerate().map(|(i, name)| {
            let is_chosen = Look::named(name).as_ref() == Some(&config.look);
            (
                *name,
                format!("Ctrl+{}", i + 1),
                is_chosen,
                Action::Look(name),
            )
        });
        choices(ui, names, actions);
    });
    let (hair, was) = (&mut config.look.hair, &was.look.hair);
    rows!(ui, HairLook, hair, was; colored: root_color, tip_color);
    if hair.width_px > 0.0 {
        rows!(ui, HairLook, hair, was; number: width_px);
    } else {
        rows!(ui, HairLook, hair, was; number: radius, taper);
    }
    if hair.lit {
        rows!(ui, HairLook, hair, was; number: gloss);
    }
}

fn sky(app: &mut App, ui: &mut Ui, _: &mut Vec<Action>) {
    let (config, was) = app.settings.edited();
    let (sky, was) = (&mut config.look.sky, &was.look.sky);
    rows!(ui, SkyLook, sky, was; colored: top_color, bottom_color; number: contrast;
        colored: wire_color; number: wire_opacity);
}
