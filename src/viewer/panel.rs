//! The panel of the head's window, one file per section. A row edits one value of the [`Config`],
//! marks it if it differs from the value at the start, and can reset it.

mod colliders;
mod forces;
mod hair;
mod lab;
mod motion;
mod roots;
pub(crate) mod roots_legend;
mod scene;
mod status;
mod styling;

pub(crate) use lab::LabStatus;
pub(crate) use status::PanelStatus;

use crate::numbers::grouped;
use crate::viewer::input::action::Action;
use crate::viewer::input::collider_drag::DragState;
use crate::viewer::interface::rows::{ACCENT, button, note, rows, section, text_field};
use crate::viewer::lab::Plane;
use crate::viewer::styling::Styling;
use crate::viewer::subject::roots_view::Switches;
use mohawk::config::Config;
use mohawk::look::{HairLook, Look, SkyLook};
use three_d::egui::{self, RichText, Ui};

/// The values that the panel changes.
pub(crate) struct Edited<'a> {
    pub(crate) config: &'a mut Config,
    pub(crate) drag_state: &'a mut DragState,
    pub(crate) switches: &'a mut Switches,
    pub(crate) returns_to_rest: &'a mut bool,
    pub(crate) plane: &'a mut Plane,
    pub(crate) styling: &'a mut Styling,
    /// The name to save the style under.
    pub(crate) file_name: &'a mut String,
}

/// Panel state that is not a setting.
#[derive(Default)]
pub(crate) struct Panel {
    path: String,
}

impl Panel {
    /// Shows the panel and returns the requested actions.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        edited: Edited<'_>,
        started: &Config,
        status: &PanelStatus<'_>,
    ) -> Vec<Action> {
        let Edited {
            config,
            drag_state,
            switches,
            returns_to_rest,
            plane,
            styling,
            file_name,
        } = edited;
        let mut actions = Vec::new();
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            ui.heading(RichText::new("mohawk").color(ACCENT).strong());
            modes(ui, styling.on, &mut actions);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if button(ui, "?", "Keys and drags (F1)") {
                    actions.push(Action::ToggleSheet);
                }
                let help = "Save the settings, or the style if there is one (Ctrl+S)";
                if status.unsaved && button(ui, "Save", help) {
                    actions.push(Action::Save);
                }
            });
        });
        let scroll = egui::ScrollArea::vertical().auto_shrink([false, true]);
        if styling.on {
            let scroll = scroll.id_salt("styling");
            scroll.show(ui, |ui| styling::show(ui, styling, file_name, &mut actions));
            return actions;
        }
        scroll.show(ui, |ui| {
            section(ui, "Head", true, |ui| self.head(ui, status, &mut actions));
            section(ui, "Scene", true, |ui| {
                scene::show(ui, returns_to_rest, status, &mut actions)
            });
            section(ui, "Colliders", true, |ui| {
                let (all, was) = (&mut config.sim.colliders, &started.sim.colliders);
                colliders::show(ui, all, was, drag_state, &mut actions)
            });
            if !status.headless {
                section(ui, "Roots", true, |ui| {
                    roots::show(
                        ui,
                        &mut config.roots,
                        &started.roots,
                        switches,
                        status,
                        &mut actions,
                    )
                });
                section(ui, "Hair", true, |ui| hair::show(ui, config, started));
            }
            section(ui, "Motion", true, |ui| {
                motion::show(ui, &mut config.sim, &started.sim, status, &mut actions);
            });
            section(ui, "Laboratory", false, |ui| {
                lab::show(ui, &status.lab, plane, &mut actions);
            });
            section(ui, "Look", true, |ui| {
                look(ui, config, started, &mut actions)
            });
            section(ui, "Sky", false, |ui| sky(ui, config, started));
            ui.add_space(4.0);
            ui.separator();
            ui.horizontal_wrapped(|ui| {
                let screenshot = Action::Screenshot { transparent: false };
                for (name, help, action) in [
                    ("Reset head", "Back to rest (R)", Action::Reset),
                    (
                        "2D doll",
                        "Brush the hair of a paper doll (P)",
                        Action::Doll,
                    ),
                    ("Reset camera", "Enter", Action::ResetCamera),
                    (
                        "Screenshot",
                        "F12; Ctrl+F12: transparent, without the panel",
                        screenshot,
                    ),
                ] {
                    if button(ui, name, help) {
                        actions.push(action);
                    }
                }
            });
            ui.add_space(4.0);
            let numbers = format!(
                "{:.0} fps    simulation {:.2} ms/frame",
                status.frames_per_second, status.sim_ms_per_frame
            );
            note(ui, &numbers);
            note(ui, status.renderer);
        });
        actions
    }

    fn head(&mut self, ui: &mut Ui, status: &PanelStatus<'_>, actions: &mut Vec<Action>) {
        ui.horizontal(|ui| {
            ui.label(RichText::new(status.head_name).strong());
            let about = match status.triangles {
                0 => format!("{} strands", grouped(status.strands)),
                triangles => format!("{} triangles", grouped(triangles)),
            };
            ui.label(RichText::new(about).weak());
        });
        ui.horizontal(|ui| {
            let help = "A head (.glb, .gltf), a style (.mohawk) or a scene (.toml) (Ctrl+O); or drop one \
                        on the window";
            if button(ui, "Open…", help) {
                actions.push(Action::Open);
            }
            let entered = text_field(ui, &mut self.path, "or type its path", f32::INFINITY);
            if entered && !self.path.trim().is_empty() {
                actions.push(Action::Load(self.path.trim().into()));
            }
        });
    }
}

/// Shows the switch between settings and styling.
fn modes(ui: &mut Ui, styling: bool, actions: &mut Vec<Action>) {
    let modes = [
        (false, "Settings", "Drag the head to swing it (B)"),
        (true, "Style", "Comb, cut and paint hair (B)"),
    ];
    for (mode, name, help) in modes {
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

fn look(ui: &mut Ui, config: &mut Config, started: &Config, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        for (i, name) in Look::NAMES.iter().enumerate() {
            let chosen = Look::named(name).as_ref() == Some(&config.look);
            if ui
                .selectable_label(chosen, *name)
                .on_hover_text(format!("Ctrl+{}", i + 1))
                .clicked()
            {
                actions.push(Action::Look(name));
            }
        }
    });
    let (hair, was) = (&mut config.look.hair, &started.look.hair);
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

fn sky(ui: &mut Ui, config: &mut Config, started: &Config) {
    let (sky, was) = (&mut config.look.sky, &started.look.sky);
    rows!(ui, SkyLook, sky, was; colored: top_color, bottom_color; number: contrast;
        colored: wire_color; number: wire_opacity);
}
