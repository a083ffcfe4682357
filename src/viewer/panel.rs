//! The panel of the head's window. Large sections have a file of their own.
//!
//! A row edits one setting, marks it if it differs from its value at the start, and can reset it.
//! Everything else that a click asks for is an [`Action`].

mod bundles;
mod colliders;
mod motion;
mod presets;
mod roots;
mod stack;
mod styling;

use crate::numbers::grouped;
use crate::viewer::app::App;
use crate::viewer::input::action::{Action, LabOverlay};
use crate::viewer::interface::rows::{
    LABEL_WIDTH, buttons, choices, column, note, path_row, rows, section, short, title, toggle,
};
use crate::viewer::lab::{Plane, missing};
use crate::viewer::playback::Speed;
use mohawk::groom::GroomSettings;
use mohawk::look::{Brows, HairLook, LensLook, LightLook, Look, Pigment, Shading, SkyLook};
use mohawk::sim::{Hair, Scene};
use three_d::egui::{self, RichText, Ui};

/// The number of particles with which a turn of a curl still looks round.
const PARTICLES_PER_TURN: f32 = 8.0;

impl App {
    /// Shows the panel, applies its changes, and adds the requested actions.
    pub(crate) fn show_panel(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let before = self.settings.config.clone();
        self.pointer.pressed = ui.input(|input| input.pointer.any_down());
        self.styling.merging &= self.pointer.pressed;
        let unsaved = self.is_unsaved();
        title(ui, "mohawk", actions, |ui, actions| {
            if unsaved {
                let help = "Save the settings, or the style if there is one (Ctrl+S)";
                buttons(ui, [("Save", help, Action::Save)], actions);
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                for (mode, name, help) in [
                    (false, "Settings", "Drag the head to swing it (B)"),
                    (true, "Style", "Comb, cut and paint hair (B)"),
                ] {
                    let text = match self.styling.on == mode {
                        true => RichText::new(name).strong().underline(),
                        false => RichText::new(name).weak(),
                    };
                    let button = ui.selectable_label(false, text).on_hover_text(help);
                    if button.clicked() && self.styling.on != mode {
                        actions.push(Action::ToggleBrush);
                    }
                }
            });
        });
        presets::show(self, ui, actions);
        let scroll = egui::ScrollArea::vertical().auto_shrink([false, true]);
        if self.styling.on {
            let scroll = scroll.id_salt("styling");
            scroll.show(ui, |ui| styling::show(self, ui, actions));
        } else {
            scroll.show(ui, |ui| sections(self, ui, actions));
        }
        if self.settings.config.look != before.look || self.settings.config.sim != before.sim {
            self.subject.apply(&self.settings.config);
        }
        self.cancel_outdated_job();
        self.follow_settings();
    }
}

/// Shows the sections of settings.
fn sections(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    section(ui, "Head", true, |ui| head(app, ui, actions));
    section(ui, "Scene", true, |ui| scene(app, ui, actions));
    section(ui, "Colliders", true, |ui| {
        colliders::show(app, ui, actions)
    });
    if !app.subject.is_headless() {
        section(ui, "Roots", true, |ui| roots::show(app, ui, actions));
        section(ui, "Hair", true, |ui| hair(app, ui));
        section(ui, "Stack", false, |ui| stack::show(app, ui));
    }
    section(ui, "Motion", true, |ui| motion::show(app, ui, actions));
    section(ui, "Wet and tied", false, |ui| {
        bundles::show(app, ui, actions)
    });
    section(ui, "Laboratory", false, |ui| laboratory(app, ui, actions));
    section(ui, "Look", true, |ui| look(app, ui, actions));
    section(ui, "Light and lens", false, |ui| light(app, ui));
    section(ui, "Sky", false, |ui| sky(app, ui));
    ui.add_space(4.0);
    ui.separator();
    ui.horizontal_wrapped(|ui| {
        let doll = "Brush the hair of a paper doll (P)";
        let picture = "F12; Ctrl+F12: transparent, without the panel";
        let screenshot = Action::Screenshot { transparent: false };
        let all = [
            ("Reset head", "Back to rest (R)", Action::Reset),
            ("2D doll", doll, Action::Doll),
            ("Reset camera", "Enter", Action::ResetCamera),
            ("Screenshot", picture, screenshot),
        ];
        buttons(ui, all, actions);
    });
    ui.add_space(4.0);
    let fps = app.statistics.frame_secs.max(1e-4).recip();
    let sim_ms = app.statistics.sim_ms;
    note(
        ui,
        format!("{fps:.0} fps    simulation {sim_ms:.2} ms/frame"),
    );
    note(ui, &app.statistics.renderer);
}

fn head(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(app.subject.name()).strong());
        let (count, what) = match app.subject.triangles() {
            0 => (app.subject.strands(), "strands"),
            triangles => (triangles, "triangles"),
        };
        let about = format!("{} {what}", grouped(count));
        ui.label(RichText::new(about).weak());
    });
    ui.horizontal(|ui| {
        let help = "A head (.glb, .gltf), a style (.mohawk) or a scene (.toml) (Ctrl+O); or drop one \
                    on the window";
        buttons(ui, [("Open…", help, Action::Open)], actions);
        path_row(ui, &mut app.typed_path, "or type its path", actions);
    });
}

/// Shows the scenes, the buttons for time, and the speed.
fn scene(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let playing = app.playback.motion.playing();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let by_hand = "Stop the scene; drag the head yourself";
        let by_hand = ("by hand", by_hand, playing.is_none(), Action::StopScene);
        choices(ui, [by_hand], actions);
        let named = playing.and_then(|setup| setup.scene());
        let scenes = Scene::ALL.map(|scene| {
            let is_chosen = named == Some(scene);
            (scene.name(), scene.about(), is_chosen, Action::Play(scene))
        });
        choices(ui, scenes, actions);
        let opened = app.scenes.opened.as_ref();
        if let Some(file) = opened.and_then(|setup| setup.file.as_ref()) {
            let name = file.file_name().unwrap_or(file.as_os_str());
            let name = name.to_string_lossy();
            let is_chosen = playing.is_some_and(|setup| setup.file.is_some());
            let path = file.display().to_string();
            choices(ui, [(&*name, path, is_chosen, Action::PlayFile)], actions);
        }
    });
    let returns_to_rest = &mut app.playback.returns_to_rest;
    ui.checkbox(returns_to_rest, "Head returns to rest when let go");
    ui.horizontal(|ui| {
        let name = ["Pause", "Continue"][usize::from(app.playback.paused)];
        let restart = "Restart the scene, or put the hair at rest without one (Home)";
        let all = [
            (name, "Space", Action::TogglePause),
            ("Step", "1/240 s, then pause ( . )", Action::StepOnce),
            ("Restart", restart, Action::Restart),
        ];
        buttons(ui, all, actions);
    });
    let help = "Energy, stretch, depth and frame time (G)";
    let graphs = ("Graphs", help, Action::ToggleGraphs);
    toggle(ui, app.statistics.graphs.shown, graphs, actions);
    let help = "Draw all strands at full resolution in motion too, however slow that is. Otherwise \
                a corner says what is reduced for thirty pictures a second";
    let full = ("Full detail in motion", help, Action::ToggleFullDetail);
    toggle(ui, app.statistics.detail.pinned, full, actions);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let help = "Slow motion ( -  + )";
        ui.label("Speed").on_hover_text(help);
        let now = app.playback.speed;
        let choice = |speed: Speed| (speed.name(), help, speed == now, Action::Speed(speed));
        choices(ui, Speed::all().map(choice), actions);
    });
}

/// Shows how strands grow from the scalp, and how they curl.
fn hair(app: &mut App, ui: &mut Ui) {
    let (config, was) = app.settings.edited();
    let (groom, was) = (&mut config.groom, &was.groom);
    rows!(ui, GroomSettings, groom, was; number: density, length, length_variation, clump, clump_size,
        spread_deg, stray, frizz, curl_deg);
    if groom.curl_deg <= 0.0 {
        return;
    }
    rows!(ui, GroomSettings, groom, was; number: curl_length, curl_flat);
    let turns = groom.length / groom.curl_length;
    let wanted = (turns * PARTICLES_PER_TURN).ceil() as u32 + 1;
    if config.sim.strand_particles < wanted {
        let wanted = wanted.min(*Hair::PARTICLES_RANGE.end());
        ui.horizontal(|ui| {
            let text = format!("{turns:.1} turns need about {wanted} particles");
            note(ui, text);
            if ui.small_button("use them").clicked() {
                config.sim.strand_particles = wanted;
            }
        });
    }
}

fn look(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let (config, was) = app.settings.edited();
    ui.horizontal(|ui| {
        let names = Look::NAMES.iter().map(|name| {
            let is_chosen = Look::named(name).as_ref() == Some(&config.look);
            (*name, "", is_chosen, Action::Look(name))
        });
        choices(ui, names, actions);
    });
    let (hair, was) = (&mut config.look.hair, &was.look.hair);
    rows!(ui, HairLook, hair, was; choice: pigment);
    match hair.pigment {
        Pigment::Dye => rows!(ui, HairLook, hair, was; colored: root_color, tip_color),
        Pigment::Melanin => rows!(ui, HairLook, hair, was; number: eumelanin, pheomelanin),
    }
    if hair.width_px > 0.0 {
        rows!(ui, HairLook, hair, was; number: width_px);
    } else {
        rows!(ui, HairLook, hair, was; number: radius, taper);
    }
    if hair.lit {
        rows!(ui, HairLook, hair, was; choice: shading; number: gloss);
        if hair.shading == Shading::Marschner {
            rows!(ui, HairLook, hair, was; number: roughness, variation, grey);
        }
    }
    rows!(ui, HairLook, hair, was; choice: brows);
    if hair.brows == Brows::Dye {
        rows!(ui, HairLook, hair, was; colored: brow_color);
    }
}

fn light(app: &mut App, ui: &mut Ui) {
    let (config, was) = app.settings.edited();
    let (light, was) = (&mut config.look.light, &was.look.light);
    rows!(ui, LightLook, light, was; choice: lights; number: strength, turn_deg; switch: floor);
    if !light.floor {
        rows!(ui, LightLook, light, was; number: fade);
    }
    let (config, was) = app.settings.edited();
    let (lens, was) = (&mut config.look.lens, &was.look.lens);
    rows!(ui, LensLook, lens, was; number: bloom, aperture);
    if lens.aperture > 0.0 {
        rows!(ui, LensLook, lens, was; number: focus);
    }
}

fn sky(app: &mut App, ui: &mut Ui) {
    let (config, was) = app.settings.edited();
    let (sky, was) = (&mut config.look.sky, &was.look.sky);
    rows!(ui, SkyLook, sky, was; colored: top_color, bottom_color; number: contrast;
        colored: wire_color; number: wire_opacity);
}

/// Shows the switches of the overlays, the plane, and the recording.
fn laboratory(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    for overlay in LabOverlay::ALL {
        let is_on = app.lab.switches.is_on(overlay);
        let mut on = is_on;
        let missing = missing(overlay, &app.subject);
        ui.horizontal(|ui| {
            // An overlay that is on can always be switched off.
            let switch = egui::Checkbox::new(&mut on, overlay.name());
            let switch = ui.add_enabled(missing.is_none() || is_on, switch);
            let why = format!("Nothing to show: {}", missing.unwrap_or_default());
            let switch = switch.on_hover_text(overlay.about());
            if switch.on_disabled_hover_text(why).changed() {
                actions.push(Action::ToggleLab(overlay));
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                // The scroll bar covers this space.
                ui.add_space(14.0);
                let key = format!("Shift+{:?}", overlay.key());
                ui.label(RichText::new(key).small().weak());
            });
        });
        if overlay == LabOverlay::Field && is_on && missing.is_none() {
            let range = app.lab.plane_range(&app.subject);
            lab_plane(ui, &mut app.lab.switches.plane, range);
        }
    }
    ui.add_space(2.0);
    record_tip(app, ui, actions);
}

/// Shows the axis and the position of the plane.
fn lab_plane(ui: &mut Ui, plane: &mut Plane, range: Option<[f32; 2]>) {
    ui.horizontal(|ui| {
        ui.add_space(20.0);
        let axes = [
            ("x", "Across: from the right ear to the left one"),
            ("y", "Level: from the neck to the crown"),
            ("z", "Upright: from the back of the head to the face"),
        ];
        for (axis, (name, about)) in axes.into_iter().enumerate() {
            let label = ui.selectable_label(plane.axis == axis, name);
            if label.on_hover_text(about).clicked() {
                *plane = Plane { axis, offset: 0.0 };
            }
        }
        if let Some([low, high]) = range {
            let slider = egui::Slider::new(&mut plane.offset, low..=high)
                .custom_formatter(|value, _| short((1e3 * value).round() / 1e3))
                .suffix(" dm");
            ui.add(slider).on_hover_text("Position of the plane");
        }
    });
}

/// Shows the marked strand and its recording.
fn record_tip(app: &App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let picked = app.lab.switches.picked;
    let rows = app.lab.recording.as_ref().map(|recording| recording.rows);
    ui.horizontal(|ui| {
        let text = picked.map(|strand| format!("Strand {}", grouped(strand)));
        let text = text.unwrap_or("No strand".to_owned());
        let help = "Point at a strand and press Shift+S to mark it";
        column(ui, LABEL_WIDTH, |ui| ui.label(text).on_hover_text(help));
        let name = rows.map_or("Record tip", |_| "Stop");
        let button = ui.add_enabled(picked.is_some(), egui::Button::new(name));
        let button = button
            .on_hover_text("Write the position of its tip at each step to a CSV file (Shift+C)")
            .on_disabled_hover_text("Point at a strand and press Shift+S to mark it first");
        if button.clicked() {
            actions.push(Action::ToggleRecording);
        }
        if let Some(rows) = rows {
            let secs = rows as f64 / 240.0;
            note(ui, format!("{secs:.1} s, {} rows", grouped(rows)));
        }
    });
}
