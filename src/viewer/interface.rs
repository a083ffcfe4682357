//! The overlay of the scene: messages, progress, the cheat sheet and questions. `messages` keeps the
//! messages, `rows` has parts of panels, `edit` builds a row from a setting's declaration,
//! `expression` reads what is typed into it, `help` explains, `color` edits colours, `curve` values
//! from root to tip, `eyedropper` takes colours from the picture, and `kept` is the picture of all
//! of it.

pub(crate) mod color;
pub(crate) mod curve;
pub(crate) mod edit;
mod expression;
pub(crate) mod eyedropper;
pub(crate) mod help;
pub(crate) mod kept;
mod messages;
pub(crate) mod rows;
pub(crate) mod told;

use crate::bindings::{BINDINGS, DOLL_BINDINGS};
use crate::viewer::input::action::{Action, Replacement};
use crate::viewer::paths::shown;
use messages::{Life, Messages};
use mohawk::autosave::Recoverable;
use mohawk::presets::Preset;
use three_d::egui::{self, Align2, RichText};
use web_time::Duration;

/// Height of the frame around the list of keys, logical pixels.
const SHEET_FRAME: f32 = 96.0;

/// The least width of a scene that the list of keys fits into, logical pixels.
const SHEET_WIDTH: f32 = 640.0;

/// The texts of a window: its table of keys, the effect of dropping a file, and what a file would
/// replace.
type WindowTexts = [&'static str; 3];
pub(crate) const HEAD_TEXTS: WindowTexts = [
    BINDINGS,
    "Drop a head, a style or a scene to open it, or a picture to use it as a map",
    "style",
];
pub(crate) const DOLL_TEXTS: WindowTexts = [DOLL_BINDINGS, "Drop a doll to open it", "doll"];

/// Messages, progress, the cheat sheet and questions above the scene.
#[derive(Default)]
pub(crate) struct Overlay {
    pub(crate) messages: Messages,
    pub(crate) sheet: bool,
    pub(crate) asks_to_quit: bool,
    /// What would replace unsaved work: a question asks whether it may.
    pub(crate) replaces: Option<Replacement>,
    /// A preset of the user's that would be deleted: a question asks whether it may.
    pub(crate) deletes: Option<Preset>,
    /// Unsaved work of a session that crashed.
    pub(crate) left: Option<Recoverable>,
    /// `true` if a file is dragged over the window.
    pub(crate) file_hovers: bool,
}

impl Overlay {
    /// Logs a message and shows it for some seconds.
    pub(crate) fn notice(&mut self, text: impl Into<String>) {
        self.messages.add(text.into(), false, Life::Notice(false));
    }

    /// Logs a message and shows it until it is closed.
    pub(crate) fn advice(&mut self, text: impl Into<String>) {
        self.messages.add(text.into(), false, Life::Stays);
    }

    /// Logs an error and shows it in red until it is closed.
    pub(crate) fn error(&mut self, text: impl Into<String>) {
        self.messages.add(text.into(), true, Life::Stays);
    }

    /// Closes the sheet, else the messages that stay. Returns whether anything was open.
    pub(crate) fn close_topmost(&mut self) -> bool {
        std::mem::take(&mut self.sheet) || self.messages.close()
    }

    /// Shows everything within `area` and returns the requested action.
    pub(crate) fn show(
        &mut self,
        ctx: &egui::Context,
        area: egui::Rect,
        progress: Option<(&str, f32)>,
        [bindings, drop, thing]: WindowTexts,
    ) -> Option<Action> {
        self.messages.show(ctx, area);
        if let Some((what, share)) = progress {
            let (top, offset) = (Align2::CENTER_TOP, egui::vec2(0.0, 16.0));
            window(ctx, "progress", area, top, offset, |ui| {
                ui.set_width(260.0);
                let bar = egui::ProgressBar::new(share).text(what);
                ui.add(bar.animate(share == 0.0));
            });
        }
        if self.file_hovers {
            centered(ctx, "drop", area, |ui| {
                ui.add_space(12.0);
                ui.heading(drop);
                ui.add_space(12.0);
            });
        }
        if self.sheet {
            self.show_sheet(ctx, area, bindings);
        }
        self.ask(ctx, thing)
    }

    /// Returns `true` if a question is shown.
    pub(crate) fn is_asking(&self) -> bool {
        self.asks_to_quit
            || self.replaces.is_some()
            || self.deletes.is_some()
            || self.left.is_some()
    }

    fn show_sheet(&mut self, ctx: &egui::Context, area: egui::Rect, bindings: &str) {
        // In a small window the sheet covers the panel too, and an effect is below its key.
        let is_narrow = area.width() < SHEET_WIDTH;
        let area = if is_narrow { ctx.content_rect() } else { area };
        centered(ctx, "sheet", area, |ui| {
            if is_narrow {
                ui.set_max_width(area.width() - 40.0);
            }
            ui.heading("Keys and drags");
            ui.add_space(4.0);
            let height = (area.height() - SHEET_FRAME).max(60.0);
            egui::ScrollArea::vertical()
                .max_height(height)
                // Otherwise the window is lower than the room for it.
                .min_scrolled_height(height)
                .show(ui, |ui| {
                    if is_narrow {
                        for line in bindings.lines() {
                            match line.split_once(" | ") {
                                Some((input, does)) => {
                                    ui.label(RichText::new(input).monospace());
                                    ui.indent(input, |ui| ui.label(does));
                                }
                                None => _ = ui.label(RichText::new(line).strong()),
                            }
                        }
                        return;
                    }
                    egui::Grid::new("bindings")
                        .num_columns(2)
                        .min_row_height(0.0)
                        .spacing([24.0, 2.0])
                        .show(ui, |ui| {
                            for line in bindings.lines() {
                                if let Some((input, does)) = line.split_once(" | ") {
                                    let input = RichText::new(input).monospace();
                                    ui.add(egui::Label::new(input).extend());
                                    // Otherwise a row is as wide as the title of its group.
                                    ui.add(egui::Label::new(does).extend());
                                } else {
                                    ui.label(RichText::new(line).strong());
                                }
                                ui.end_row();
                            }
                        });
                });
            ui.add_space(4.0);
            if ui.button("Close").clicked() {
                self.sheet = false;
            }
        });
    }

    /// Shows the first question, over all else, and returns the action that answers it. Enter gives
    /// the answer that has the keyboard, and Esc the last one, which changes nothing.
    fn ask(&mut self, ctx: &egui::Context, thing: &str) -> Option<Action> {
        let (mut title, mut default) = (String::new(), 0);
        let (id, text, mut answers);
        if self.asks_to_quit {
            // A doll that is left open asks after the head.
            id = if thing == "doll" { "quit-doll" } else { "quit" };
            text = format!("The {thing} has unsaved changes.");
            answers = vec![
                ("Save and quit", Some(Action::SaveAndQuit)),
                ("Quit", Some(Action::Quit)),
                ("Stay", None),
            ];
        } else if let Some(what) = &self.replaces {
            let name = what.name();
            id = "replace";
            text = format!("{name} would replace a {thing} with unsaved changes.");
            let replace = |what: Replacement, save| Some(Action::Replace { what, save });
            answers = vec![
                ("Save and open", replace(what.clone(), true)),
                ("Open", replace(what.clone(), false)),
                ("Stay", None),
            ];
        } else if let Some(preset) = &self.deletes {
            id = "delete";
            let file = preset.path().map(shown).unwrap_or_default();
            text = format!("Delete the preset {}? {file} is removed.", preset.name());
            let delete = Action::DeletePreset(preset.clone());
            (answers, default) = (vec![("Delete", Some(delete)), ("Keep", None)], 1);
        } else if let Some(left) = &self.left {
            id = "recover";
            title = format!("A {thing} was not saved when mohawk ended.");
            let file = left.source.as_deref().map(shown);
            let name = file.as_deref().unwrap_or("It has no file yet");
            let ago = age(left.saved.elapsed().unwrap_or_default());
            text = format!("{name}; last changed {ago} ago.");
            answers = vec![
                ("Open it", Some(Action::Recover { open: true })),
                ("Delete it", Some(Action::Recover { open: false })),
                ("Later", None),
            ];
        } else {
            return None;
        }
        let pressed = |key| ctx.input(|input| input.key_pressed(key));
        let last = answers.len() - 1;
        let mut chosen = pressed(egui::Key::Escape).then_some(last);
        let dialog = egui::Modal::new(egui::Id::new(id));
        dialog.show(ctx, |ui| {
            ui.set_max_width((ctx.content_rect().width() - 60.0).min(420.0));
            if !title.is_empty() {
                ui.label(RichText::new(title).strong());
            }
            ui.label(text);
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                let buttons = answers.iter().map(|(name, _)| ui.button(*name));
                let buttons: Vec<egui::Response> = buttons.collect();
                chosen = (buttons.iter().position(egui::Response::clicked)).or(chosen);
                // After Tab the interface itself gives the keyboard to another one.
                let has_focus = buttons.iter().any(egui::Response::has_focus);
                if !has_focus && !pressed(egui::Key::Tab) {
                    buttons[default].request_focus();
                }
            });
        });
        let (_, answer) = answers.swap_remove(chosen?);
        // Actions that quit or recover close their questions themselves.
        if self.asks_to_quit {
            self.asks_to_quit = answer.is_some();
        } else if self.replaces.take().is_none()
            && self.deletes.take().is_none()
            && answer.is_none()
        {
            self.left = None;
        }
        answer
    }
}

/// Formats a duration in its largest unit.
fn age(time: Duration) -> String {
    let seconds = time.as_secs();
    let (count, unit) = match seconds {
        0..60 => (seconds, "second"),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// Shows a window without a title in the middle of `area`.
fn centered(ctx: &egui::Context, id: &str, area: egui::Rect, add: impl FnOnce(&mut egui::Ui)) {
    window(ctx, id, area, Align2::CENTER_CENTER, egui::Vec2::ZERO, add);
}

/// Shows a window without a title at a side or corner of `area`.
pub(crate) fn window(
    ctx: &egui::Context,
    id: &str,
    area: egui::Rect,
    anchor: Align2,
    offset: egui::Vec2,
    add: impl FnOnce(&mut egui::Ui),
) {
    // The anchor is relative to the area of the constraint.
    egui::Window::new(id)
        .title_bar(false)
        .resizable(false)
        .collapsible(false)
        .constrain_to(area)
        .anchor(anchor, offset)
        .show(ctx, add);
}
