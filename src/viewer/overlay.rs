//! Messages, progress, the cheat sheet and the question before quitting.

use super::action::{Action, Recovery};
use crate::bindings::{BINDINGS, Bindings};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use three_d::egui::{self, Align2, Color32, RichText};

/// How long a notice stays.
const NOTICE_TIME: Duration = Duration::from_secs(7);

/// Height of what is around the list of keys, logical pixels.
const SHEET_FRAME: f32 = 96.0;

/// Messages shown at once.
const MOST_MESSAGES: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Goes away by itself.
    Notice,
    /// Stays until it is closed.
    Advice,
    /// Stays until it is closed, in red.
    Error,
}

struct Message {
    kind: Kind,
    text: String,
    since: Instant,
}

/// What floats above the scene.
pub(super) struct Overlay {
    /// What the sheet lists, what dropped files become, and what would be lost.
    words: Words,
    messages: Vec<Message>,
    pub(super) sheet: bool,
    pub(super) asks_to_quit: bool,
    /// A file that would take the place of an unsaved style.
    replaces: Option<PathBuf>,
    /// What a session that broke off has left: what it is called, and how long ago.
    pub(super) left: Option<(Option<String>, Duration)>,
    /// A file hovers over the window.
    pub(super) file_hovers: bool,
}

/// What is told differently of heads and dolls.
#[derive(Clone, Copy)]
pub(super) struct Words {
    pub(super) bindings: &'static Bindings,
    pub(super) drop: &'static str,
    /// What a file would take the place of.
    pub(super) thing: &'static str,
}

impl Words {
    const HEAD: Self = Self {
        bindings: BINDINGS,
        drop: "Drop it: a head or style is loaded, a scene played, a picture becomes a map",
        thing: "style",
    };
}

impl Default for Overlay {
    fn default() -> Self {
        Self::with(Words::HEAD)
    }
}

impl Overlay {
    pub(super) fn with(words: Words) -> Self {
        Self {
            words,
            messages: Vec::new(),
            sheet: false,
            asks_to_quit: false,
            replaces: None,
            left: None,
            file_hovers: false,
        }
    }

    /// Tells people something, and the log too.
    pub(super) fn say(&mut self, kind: Kind, text: impl Into<String>) {
        let text = text.into();
        match kind {
            Kind::Error => tracing::error!("{text}"),
            Kind::Notice | Kind::Advice => tracing::info!("{text}"),
        }
        self.messages.retain(|message| message.text != text);
        if self.messages.len() >= MOST_MESSAGES {
            // Notices go first: they would go by themselves.
            let notice = self.messages.iter().position(|m| m.kind == Kind::Notice);
            self.messages.remove(notice.unwrap_or(0));
        }
        self.messages.push(Message {
            kind,
            text,
            since: Instant::now(),
        });
    }

    /// What was said is no longer true.
    pub(super) fn unsay(&mut self, text: &str) {
        self.messages.retain(|message| message.text != text);
    }

    /// Messages about the head that was shown before are void.
    pub(super) fn clear_messages(&mut self) {
        self.messages.clear();
    }

    /// Closes the question, the sheet or the messages that stay; false: nothing was open.
    pub(super) fn close_topmost(&mut self) -> bool {
        if self.asks_to_quit {
            self.asks_to_quit = false;
        } else if self.replaces.take().is_some() || self.left.take().is_some() {
            // Closed.
        } else if self.sheet {
            self.sheet = false;
        } else {
            let shown = self.messages.len();
            self.messages.retain(|message| message.kind == Kind::Notice);
            return self.messages.len() < shown;
        }
        true
    }

    /// When the next notice goes away, if one is shown.
    pub(super) fn next_change(&self) -> Option<Instant> {
        let ends = self
            .messages
            .iter()
            .filter(|message| message.kind == Kind::Notice);
        ends.map(|message| message.since + NOTICE_TIME).min()
    }

    /// Draws everything within `area`; returns what people asked for.
    pub(super) fn show(
        &mut self,
        ctx: &egui::Context,
        area: egui::Rect,
        progress: Option<(&str, f32)>,
    ) -> Vec<Action> {
        self.messages
            .retain(|m| m.kind != Kind::Notice || m.since.elapsed() < NOTICE_TIME);
        self.show_messages(ctx, area);
        if let Some((what, share)) = progress {
            show_progress(ctx, area, what, share);
        }
        if self.file_hovers {
            let text = RichText::new(self.words.drop).heading();
            window(
                ctx,
                "drop",
                area,
                Align2::CENTER_CENTER,
                egui::Vec2::ZERO,
                |ui| {
                    ui.add_space(12.0);
                    ui.label(text);
                    ui.add_space(12.0);
                },
            );
        }
        if self.sheet {
            self.show_sheet(ctx, area);
        }
        if self.asks_to_quit {
            self.ask_to_quit(ctx, area)
        } else if let Some(path) = self.replaces.clone() {
            self.ask_to_replace(ctx, area, path)
        } else if let Some((name, ago)) = &self.left {
            ask_to_recover(ctx, area, (self.words.thing, name.as_deref()), *ago)
        } else {
            Vec::new()
        }
    }

    /// Asks whether a file may take the place of an unsaved style.
    pub(super) fn asks_to_replace(&mut self, path: &Path) {
        self.replaces = Some(path.to_owned());
    }

    /// Is a question waiting for its answer?
    pub(super) fn is_asking(&self) -> bool {
        self.asks_to_quit || self.replaces.is_some() || self.left.is_some()
    }

    fn show_messages(&mut self, ctx: &egui::Context, area: egui::Rect) {
        if self.messages.is_empty() {
            return;
        }
        let mut closed = None;
        window(
            ctx,
            "messages",
            area,
            Align2::CENTER_BOTTOM,
            egui::vec2(0.0, -16.0),
            |ui| {
                ui.set_max_width((area.width() - 60.0).clamp(200.0, 640.0));
                for (i, message) in self.messages.iter().enumerate() {
                    ui.horizontal_top(|ui| {
                        if ui.small_button("✖").on_hover_text("Close").clicked() {
                            closed = Some(i);
                        }
                        let text = RichText::new(&message.text);
                        // Lines of a file, with a mark under what is wrong.
                        let text = if message.text.contains('\n') {
                            text.monospace()
                        } else {
                            text
                        };
                        let text = match message.kind {
                            Kind::Error => text.color(Color32::from_rgb(255, 130, 120)),
                            _ => text,
                        };
                        ui.add(egui::Label::new(text).wrap());
                    });
                }
            },
        );
        if let Some(i) = closed {
            self.messages.remove(i);
        }
    }

    fn show_sheet(&mut self, ctx: &egui::Context, area: egui::Rect) {
        window(
            ctx,
            "sheet",
            area,
            Align2::CENTER_CENTER,
            egui::Vec2::ZERO,
            |ui| {
                ui.heading("Keys and drags");
                ui.add_space(4.0);
                let most = (area.height() - SHEET_FRAME).max(60.0);
                egui::ScrollArea::vertical()
                    .max_height(most)
                    // The window would else be lower than there is room for.
                    .min_scrolled_height(most)
                    .show(ui, |ui| list_bindings(ui, self.words.bindings));
                ui.add_space(4.0);
                if ui.button("Close").clicked() {
                    self.sheet = false;
                }
            },
        );
    }

    fn ask_to_quit(&mut self, ctx: &egui::Context, area: egui::Rect) -> Vec<Action> {
        let mut actions = Vec::new();
        window(
            ctx,
            "quit",
            area,
            Align2::CENTER_CENTER,
            egui::Vec2::ZERO,
            |ui| {
                ui.label("There are unsaved changes.");
                ui.add_space(6.0);
                ui.horizontal(|ui| {
                    if ui.button("Save and quit").clicked() {
                        actions.push(Action::SaveAndQuit);
                    }
                    if ui.button("Quit").clicked() {
                        actions.push(Action::Quit);
                    }
                    if ui.button("Stay").clicked() {
                        self.asks_to_quit = false;
                    }
                });
            },
        );
        actions
    }

    fn ask_to_replace(
        &mut self,
        ctx: &egui::Context,
        area: egui::Rect,
        path: PathBuf,
    ) -> Vec<Action> {
        let mut actions = Vec::new();
        let centre = Align2::CENTER_CENTER;
        window(ctx, "replace", area, centre, egui::Vec2::ZERO, |ui| {
            let name = path
                .file_name()
                .unwrap_or(path.as_os_str())
                .to_string_lossy();
            let thing = self.words.thing;
            ui.label(format!(
                "{name} would take the place of a {thing} with unsaved changes."
            ));
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                if ui.button("Save and open").clicked() {
                    actions.push(Action::Replace {
                        path: path.clone(),
                        save: true,
                    });
                }
                if ui.button("Open").clicked() {
                    actions.push(Action::Replace {
                        path: path.clone(),
                        save: false,
                    });
                }
                if ui.button("Stay").clicked() {
                    self.replaces = None;
                }
            });
        });
        if !actions.is_empty() {
            self.replaces = None;
        }
        actions
    }
}

fn ask_to_recover(
    ctx: &egui::Context,
    area: egui::Rect,
    (thing, name): (&str, Option<&str>),
    ago: Duration,
) -> Vec<Action> {
    let mut actions = Vec::new();
    let centre = Align2::CENTER_CENTER;
    window(ctx, "recover", area, centre, egui::Vec2::ZERO, |ui| {
        ui.label(RichText::new(format!("A {thing} was not saved when mohawk ended.")).strong());
        let name = name.unwrap_or("It was never saved under a name");
        ui.label(format!("{name}; last changed {} ago.", told(ago)));
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            for (text, what) in [
                ("Open it", Recovery::Open),
                ("Delete it", Recovery::Delete),
                ("Later", Recovery::Later),
            ] {
                if ui.button(text).clicked() {
                    actions.push(Action::Recover(what));
                }
            }
        });
    });
    actions
}

/// A time as people say it.
fn told(time: Duration) -> String {
    let seconds = time.as_secs();
    let (count, unit) = match seconds {
        0..60 => (seconds, "second"),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

pub(super) fn window(
    ctx: &egui::Context,
    id: &str,
    area: egui::Rect,
    anchor: Align2,
    offset: egui::Vec2,
    add: impl FnOnce(&mut egui::Ui),
) {
    // Anchors are relative to the area it is constrained to.
    egui::Window::new(id)
        .title_bar(false)
        .resizable(false)
        .collapsible(false)
        .constrain_to(area)
        .anchor(anchor, offset)
        .show(ctx, add);
}

/// All keys and drags.
fn list_bindings(ui: &mut egui::Ui, bindings: &Bindings) {
    egui::Grid::new("bindings")
        .num_columns(2)
        .min_row_height(0.0)
        .spacing([24.0, 2.0])
        .show(ui, |ui| {
            for (group, bindings) in bindings {
                ui.label(RichText::new(*group).strong());
                ui.end_row();
                for (input, what) in *bindings {
                    ui.add(egui::Label::new(RichText::new(*input).monospace()).extend());
                    // Without this a row is as wide as its group's title.
                    ui.add(egui::Label::new(*what).extend());
                    ui.end_row();
                }
            }
        });
}

fn show_progress(ctx: &egui::Context, area: egui::Rect, what: &str, share: f32) {
    window(
        ctx,
        "progress",
        area,
        Align2::CENTER_TOP,
        egui::vec2(0.0, 16.0),
        |ui| {
            ui.set_width(260.0);
            let bar = egui::ProgressBar::new(share)
                .text(what)
                .animate(share == 0.0);
            ui.add(bar);
        },
    );
}
