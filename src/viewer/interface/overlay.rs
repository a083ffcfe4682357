//! What floats above the scene: messages, progress, the cheat sheet and questions.

use crate::bindings::{BINDINGS, Bindings};
use crate::viewer::input::action::{Action, Recovery};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use three_d::egui::{self, Align2, Color32, RichText};

/// Time for which a notice is shown.
const NOTICE_TIME: Duration = Duration::from_secs(7);

/// Height of the frame around the list of keys, logical pixels.
const SHEET_FRAME: f32 = 96.0;

/// Largest number of messages.
const MAX_MESSAGES: usize = 4;

/// The kind of a message, which decides how it is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MessageKind {
    Notice,
    Advice,
    Error,
}

struct Message {
    kind: MessageKind,
    text: String,
    since: Instant,
}

/// Messages, progress, the cheat sheet and questions above the scene.
pub(crate) struct Overlay {
    /// Texts that differ between head and doll.
    words: Words,
    messages: Vec<Message>,
    pub(crate) sheet: bool,
    pub(crate) asks_to_quit: bool,
    /// A file that would replace unsaved work.
    replaces: Option<PathBuf>,
    /// Unsaved work of a session that crashed: its name and its age.
    pub(crate) left: Option<(Option<String>, Duration)>,
    /// Whether a file is dragged over the window.
    pub(crate) file_hovers: bool,
}

/// Texts that differ between head and doll.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    pub(crate) bindings: &'static Bindings,
    /// The effect of dropping a file.
    pub(crate) drop: &'static str,
    /// The thing that a file would replace.
    pub(crate) thing: &'static str,
}

impl Words {
    const HEAD: Self = Self {
        bindings: BINDINGS,
        drop: "Drop a head, a style or a scene to open it, or a picture to use it as a map",
        thing: "style",
    };
}

impl Default for Overlay {
    fn default() -> Self {
        Self::with(Words::HEAD)
    }
}

impl Overlay {
    pub(crate) fn with(words: Words) -> Self {
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

    /// Logs a message and shows it for [`NOTICE_TIME`].
    pub(crate) fn notice(&mut self, text: impl Into<String>) {
        self.say(MessageKind::Notice, text.into());
    }

    /// Logs a message and shows it until it is closed.
    pub(crate) fn advice(&mut self, text: impl Into<String>) {
        self.say(MessageKind::Advice, text.into());
    }

    /// Logs an error and shows it in red until it is closed.
    pub(crate) fn error(&mut self, text: impl Into<String>) {
        self.say(MessageKind::Error, text.into());
    }

    fn say(&mut self, kind: MessageKind, text: String) {
        match kind {
            MessageKind::Error => tracing::error!("{text}"),
            MessageKind::Notice | MessageKind::Advice => tracing::info!("{text}"),
        }
        self.messages.retain(|message| message.text != text);
        if self.messages.len() >= MAX_MESSAGES {
            // Notices make room first.
            let notice = self
                .messages
                .iter()
                .position(|m| m.kind == MessageKind::Notice);
            self.messages.remove(notice.unwrap_or(0));
        }
        self.messages.push(Message {
            kind,
            text,
            since: Instant::now(),
        });
    }

    /// Removes a message.
    pub(crate) fn unsay(&mut self, text: &str) {
        self.messages.retain(|message| message.text != text);
    }

    /// Removes all messages.
    pub(crate) fn clear_messages(&mut self) {
        self.messages.clear();
    }

    /// Closes the question, else the sheet, else the messages that stay. Returns whether anything
    /// was open.
    pub(crate) fn close_topmost(&mut self) -> bool {
        if self.asks_to_quit {
            self.asks_to_quit = false;
        } else if self.replaces.take().is_some() || self.left.take().is_some() {
            // Closed.
        } else if self.sheet {
            self.sheet = false;
        } else {
            let shown = self.messages.len();
            self.messages
                .retain(|message| message.kind == MessageKind::Notice);
            return self.messages.len() < shown;
        }
        true
    }

    /// Returns when the next notice disappears.
    pub(crate) fn next_change(&self) -> Option<Instant> {
        let ends = self
            .messages
            .iter()
            .filter(|message| message.kind == MessageKind::Notice);
        ends.map(|message| message.since + NOTICE_TIME).min()
    }

    /// Shows everything within `area` and returns the requested actions.
    pub(crate) fn show(
        &mut self,
        ctx: &egui::Context,
        area: egui::Rect,
        progress: Option<(&str, f32)>,
    ) -> Vec<Action> {
        self.messages
            .retain(|m| m.kind != MessageKind::Notice || m.since.elapsed() < NOTICE_TIME);
        self.show_messages(ctx, area);
        if let Some((what, share)) = progress {
            show_progress(ctx, area, what, share);
        }
        if self.file_hovers {
            let text = RichText::new(self.words.drop).heading();
            centered(ctx, "drop", area, |ui| {
                ui.add_space(12.0);
                ui.label(text);
                ui.add_space(12.0);
            });
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

    /// Asks whether a file may replace unsaved work.
    pub(crate) fn asks_to_replace(&mut self, path: &Path) {
        self.replaces = Some(path.to_owned());
    }

    /// Whether a question is shown.
    pub(crate) fn is_asking(&self) -> bool {
        self.asks_to_quit || self.replaces.is_some() || self.left.is_some()
    }

    fn show_messages(&mut self, ctx: &egui::Context, area: egui::Rect) {
        if self.messages.is_empty() {
            return;
        }
        let mut closed = None;
        let (bottom, offset) = (Align2::CENTER_BOTTOM, egui::vec2(0.0, -16.0));
        window(ctx, "messages", area, bottom, offset, |ui| {
            ui.set_max_width((area.width() - 60.0).clamp(200.0, 640.0));
            for (i, message) in self.messages.iter().enumerate() {
                ui.horizontal_top(|ui| {
                    if ui.small_button("✖").on_hover_text("Close").clicked() {
                        closed = Some(i);
                    }
                    let mut text = RichText::new(&message.text);
                    // Several lines are an excerpt of a file that marks an error.
                    if message.text.contains('\n') {
                        text = text.monospace();
                    }
                    if message.kind == MessageKind::Error {
                        text = text.color(Color32::from_rgb(255, 130, 120));
                    }
                    ui.add(egui::Label::new(text).wrap());
                });
            }
        });
        if let Some(i) = closed {
            self.messages.remove(i);
        }
    }

    fn show_sheet(&mut self, ctx: &egui::Context, area: egui::Rect) {
        centered(ctx, "sheet", area, |ui| {
            ui.heading("Keys and drags");
            ui.add_space(4.0);
            let height = (area.height() - SHEET_FRAME).max(60.0);
            egui::ScrollArea::vertical()
                .max_height(height)
                // Otherwise the window is lower than the room for it.
                .min_scrolled_height(height)
                .show(ui, |ui| list_bindings(ui, self.words.bindings));
            ui.add_space(4.0);
            if ui.button("Close").clicked() {
                self.sheet = false;
            }
        });
    }

    fn ask_to_quit(&mut self, ctx: &egui::Context, area: egui::Rect) -> Vec<Action> {
        let text = ["", "There are unsaved changes."];
        let answers = [
            ("Save and quit", Some(Action::SaveAndQuit)),
            ("Quit", Some(Action::Quit)),
            ("Stay", None),
        ];
        let answer = ask(ctx, area, "quit", text, answers);
        self.asks_to_quit &= !matches!(answer, Some(None));
        answer.flatten().into_iter().collect()
    }

    fn ask_to_replace(
        &mut self,
        ctx: &egui::Context,
        area: egui::Rect,
        path: PathBuf,
    ) -> Vec<Action> {
        let name = path.file_name().unwrap_or(path.as_os_str());
        let (name, thing) = (name.to_string_lossy(), self.words.thing);
        let text = format!("{name} would replace a {thing} with unsaved changes.");
        let replace = |save| {
            let path = path.clone();
            Some(Action::Replace { path, save })
        };
        let answers = [
            ("Save and open", replace(true)),
            ("Open", replace(false)),
            ("Stay", None),
        ];
        let answer = ask(ctx, area, "replace", ["", &text], answers);
        if answer.is_some() {
            self.replaces = None;
        }
        answer.flatten().into_iter().collect()
    }
}

fn ask_to_recover(
    ctx: &egui::Context,
    area: egui::Rect,
    (thing, name): (&str, Option<&str>),
    ago: Duration,
) -> Vec<Action> {
    let title = format!("A {thing} was not saved when mohawk ended.");
    let name = name.unwrap_or("It has no file yet");
    let text = format!("{name}; last changed {} ago.", age(ago));
    let answers = [
        ("Open it", Recovery::Open),
        ("Delete it", Recovery::Delete),
        ("Later", Recovery::Later),
    ];
    let answer = ask(ctx, area, "recover", [&title, &text], answers);
    answer.map(Action::Recover).into_iter().collect()
}

/// Shows a question (title and text) and returns its answer.
fn ask<T, const N: usize>(
    ctx: &egui::Context,
    area: egui::Rect,
    id: &str,
    [title, text]: [&str; 2],
    answers: [(&str, T); N],
) -> Option<T> {
    let mut chosen = None;
    centered(ctx, id, area, |ui| {
        if !title.is_empty() {
            ui.label(RichText::new(title).strong());
        }
        ui.label(text);
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            for (name, answer) in answers {
                if ui.button(name).clicked() {
                    chosen = Some(answer);
                }
            }
        });
    });
    chosen
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

/// Shows all keys and drags.
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
                    // Otherwise a row is as wide as the title of its group.
                    ui.add(egui::Label::new(*what).extend());
                    ui.end_row();
                }
            }
        });
}

fn show_progress(ctx: &egui::Context, area: egui::Rect, what: &str, share: f32) {
    let (top, offset) = (Align2::CENTER_TOP, egui::vec2(0.0, 16.0));
    window(ctx, "progress", area, top, offset, |ui| {
        ui.set_width(260.0);
        let bar = egui::ProgressBar::new(share).text(what);
        ui.add(bar.animate(share == 0.0));
    });
}
