//! The settings panel. Every row edits one value of the [`Config`], shows whether it
//! differs from the value the program started with, and can put it back.

mod colliders;
mod forces;
mod hair;
mod lab;
mod motion;
mod roots;
mod scene;
mod styling;

pub(super) use lab::LabStatus;

use super::action::Action;
use super::colliders::Hands;
use super::lab::Plane;
use super::roots_view::{Findings, Switches};
use super::rows::{ACCENT, colored, number, section};
use super::speed::Speed;
use super::styling::Styling;
use crate::numbers::grouped;
use mohawk::config::Config;
use mohawk::look::{HairLook, Look, SkyLook};
use mohawk::sim::{Scene, SolverKind};
use std::path::Path;
use three_d::egui::{self, RichText, Ui};

/// Largest seed that the panel offers: what a widget counts in holds it exactly.
const MAX_SEED: u64 = 1 << 53;

/// What the panel shows besides the settings.
pub(super) struct Status<'a> {
    pub(super) head_name: &'a str,
    pub(super) triangles: usize,
    /// Strands of a scene are shown in place of a head.
    pub(super) headless: bool,
    pub(super) strands: usize,
    pub(super) spacing: Option<f32>,
    /// Roots at full density, and their spacing.
    pub(super) whole: Option<(usize, f32)>,
    pub(super) findings: &'a Findings,
    pub(super) frames_per_second: f32,
    pub(super) sim_ms_per_frame: f32,
    pub(super) renderer: &'a str,
    pub(super) paused: bool,
    pub(super) speed: Speed,
    /// They are shown.
    pub(super) graphs: bool,
    /// The solver in the view beside.
    pub(super) beside: Option<SolverKind>,
    /// The named scene that is played.
    pub(super) scene: Option<Scene>,
    /// None is played.
    pub(super) by_hand: bool,
    /// The scene file that was opened last, and whether it is played.
    pub(super) file: Option<&'a Path>,
    pub(super) plays_file: bool,
    /// Strands that were not finite and have been put to rest.
    pub(super) reset_strands: u64,
    pub(super) unsaved: bool,
    pub(super) lab: LabStatus,
}

/// What people can change in the panel.
pub(super) struct Edited<'a> {
    pub(super) config: &'a mut Config,
    pub(super) hands: &'a mut Hands,
    pub(super) switches: &'a mut Switches,
    pub(super) returns_to_rest: &'a mut bool,
    pub(super) plane: &'a mut Plane,
    pub(super) styling: &'a mut Styling,
}

/// Panel state that is not a setting.
#[derive(Default)]
pub(super) struct Panel {
    path: String,
}

impl Panel {
    /// Shows the panel; returns what people asked for.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        edited: Edited<'_>,
        started: &Config,
        status: &Status<'_>,
    ) -> Vec<Action> {
        let Edited {
            config,
            hands,
            switches,
            returns_to_rest,
            plane,
            styling,
        } = edited;
        let mut actions = Vec::new();
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            ui.heading(RichText::new("mohawk").color(ACCENT).strong());
            modes(ui, styling.on, &mut actions);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if ui
                    .button("?")
                    .on_hover_text("Keys and drags (F1)")
                    .clicked()
                {
                    actions.push(Action::ToggleSheet);
                }
                if status.unsaved
                    && ui
                        .button("Save")
                        .on_hover_text("Save the settings, or the style if there is one (Ctrl+S)")
                        .clicked()
                {
                    actions.push(Action::Save);
                }
            });
        });
        let scroll = egui::ScrollArea::vertical().auto_shrink([false, true]);
        if styling.on {
            let scroll = scroll.id_salt("styling");
            scroll.show(ui, |ui| styling::show(ui, styling, &mut actions));
            return actions;
        }
        scroll.show(ui, |ui| {
            section(ui, "Head", true, |ui| self.head(ui, status, &mut actions));
            section(ui, "Scene", true, |ui| {
                scene::show(ui, returns_to_rest, status, &mut actions)
            });
            section(ui, "Colliders", true, |ui| {
                let (all, was) = (&mut config.sim.colliders, &started.sim.colliders);
                colliders::show(ui, all, was, hands, &mut actions)
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
                if ui
                    .button("Reset head")
                    .on_hover_text("Back to rest (R)")
                    .clicked()
                {
                    actions.push(Action::Reset);
                }
                if ui
                    .button("2D doll")
                    .on_hover_text("Brush a paper doll's hair; the head waits here (P)")
                    .clicked()
                {
                    actions.push(Action::Doll);
                }
                if ui.button("Reset camera").on_hover_text("Enter").clicked() {
                    actions.push(Action::ResetCamera);
                }
                if ui
                    .button("Screenshot")
                    .on_hover_text("F12; Ctrl+F12: transparent, without the panel")
                    .clicked()
                {
                    actions.push(Action::Screenshot { transparent: false });
                }
            });
            ui.add_space(4.0);
            let numbers = format!(
                "{:.0} fps    simulation {:.2} ms/frame",
                status.frames_per_second, status.sim_ms_per_frame
            );
            ui.label(RichText::new(numbers).small().weak());
            ui.label(RichText::new(status.renderer).small().weak());
        });
        actions
    }

    fn head(&mut self, ui: &mut Ui, status: &Status<'_>, actions: &mut Vec<Action>) {
        ui.horizontal(|ui| {
            ui.label(RichText::new(status.head_name).strong());
            let about = match status.triangles {
                0 => format!("{} strands", grouped(status.strands)),
                triangles => format!("{} triangles", grouped(triangles)),
            };
            ui.label(RichText::new(about).weak());
        });
        ui.horizontal(|ui| {
            if ui
                .button("Open…")
                .on_hover_text(
                    "A head (.glb, .gltf), a style (.mohawk) or a scene (.toml) (Ctrl+O); or drop one on \
                     the window",
                )
                .clicked()
            {
                actions.push(Action::Open);
            }
            let field = egui::TextEdit::singleline(&mut self.path)
                .hint_text("or type its path")
                .desired_width(f32::INFINITY);
            let response = ui.add(field);
            let entered =
                response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            if entered && !self.path.trim().is_empty() {
                actions.push(Action::Load(self.path.trim().into()));
            }
        });
    }
}

/// Settings, or brushes.
fn modes(ui: &mut Ui, styling: bool, actions: &mut Vec<Action>) {
    let modes = [
        (false, "Settings", "The head is swung by dragging it (B)"),
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
    type H = HairLook;
    let (hair, was) = (&mut config.look.hair, &started.look.hair);
    colored(ui, &H::root_color, &mut hair.root_color, &was.root_color);
    colored(ui, &H::tip_color, &mut hair.tip_color, &was.tip_color);
    if hair.width_px > 0.0 {
        number(ui, &H::width_px, &mut hair.width_px, &was.width_px);
    } else {
        number(ui, &H::radius, &mut hair.radius, &was.radius);
        number(ui, &H::taper, &mut hair.taper, &was.taper);
    }
    if hair.lit {
        number(ui, &H::gloss, &mut hair.gloss, &was.gloss);
    }
}

fn sky(ui: &mut Ui, config: &mut Config, started: &Config) {
    type S = SkyLook;
    let (sky, was) = (&mut config.look.sky, &started.look.sky);
    colored(ui, &S::top_color, &mut sky.top_color, &was.top_color);
    colored(
        ui,
        &S::bottom_color,
        &mut sky.bottom_color,
        &was.bottom_color,
    );
    number(ui, &S::contrast, &mut sky.contrast, &was.contrast);
    colored(ui, &S::wire_color, &mut sky.wire_color, &was.wire_color);
    number(
        ui,
        &S::wire_opacity,
        &mut sky.wire_opacity,
        &was.wire_opacity,
    );
}
