//! The messages above the scene: notices, which disappear, and those that stay until they are closed.

use super::rows::error_color;
use super::told::Told;
use super::window;
use three_d::egui::{self, Align2, RichText};
use web_time::{Duration, Instant};

/// Time for which a notice is shown.
const NOTICE_TIME: Duration = Duration::from_secs(7);

/// Largest number of messages.
const MAX_MESSAGES: usize = 4;

struct Message {
    text: String,
    is_error: bool,
    life: Life,
}

/// How long a message is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Life {
    /// Until it is closed.
    Stays,
    /// For [`NOTICE_TIME`] after it has been drawn: a slow machine may take seconds for that. `true`:
    /// a picture with it was made.
    Notice(bool),
    /// Until that time.
    Until(Instant),
}

impl Life {
    /// Returns the life of a message of which another picture is made.
    fn next(self, now: Instant) -> Self {
        match self {
            Life::Notice(false) => Life::Notice(true),
            Life::Notice(true) => Life::Until(now + NOTICE_TIME),
            other => other,
        }
    }
}

/// The messages that are shown, in the order in which they came.
#[derive(Default)]
pub(crate) struct Messages(Vec<Message>);

impl Messages {
    /// Logs a message and adds it.
    pub(super) fn add(&mut self, text: String, is_error: bool, life: Life) {
        match is_error {
            true => tracing::error!("{text}"),
            false => tracing::info!("{text}"),
        }
        self.remove(&text);
        if self.0.len() >= MAX_MESSAGES {
            // Notices make room first.
            let notice = self.0.iter().position(|m| m.life != Life::Stays);
            self.0.remove(notice.unwrap_or(0));
        }
        self.0.push(Message {
            text,
            is_error,
            life,
        });
    }

    /// Removes a message.
    pub(crate) fn remove(&mut self, text: &str) {
        self.0.retain(|message| message.text != text);
    }

    /// Removes all messages.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Closes those that stay. Returns whether there were any.
    pub(super) fn close(&mut self) -> bool {
        let shown = self.0.len();
        self.0.retain(|message| message.life != Life::Stays);
        self.0.len() < shown
    }

    /// Returns when the next notice disappears, or is drawn.
    pub(crate) fn next_change(&self) -> Option<Instant> {
        let change = |message: &Message| match message.life {
            Life::Stays => None,
            Life::Notice(_) => Some(Instant::now()),
            Life::Until(end) => Some(end),
        };
        self.0.iter().filter_map(change).min()
    }

    /// Removes the notices whose time is over, and lets that of others begin.
    fn age(&mut self, now: Instant) {
        for message in &mut self.0 {
            message.life = message.life.next(now);
        }
        let stays = |message: &Message| !matches!(message.life, Life::Until(end) if end <= now);
        self.0.retain(stays);
    }

    /// Shows all within `area`.
    pub(super) fn show(&mut self, ctx: &egui::Context, area: egui::Rect) {
        self.age(Instant::now());
        if self.0.is_empty() {
            return;
        }
        let mut closed = None;
        let (bottom, offset) = (Align2::CENTER_BOTTOM, egui::vec2(0.0, -16.0));
        window(ctx, "messages", area, bottom, offset, |ui| {
            ui.set_max_width((area.width() - 60.0).clamp(200.0, 640.0));
            for (i, message) in self.0.iter().enumerate() {
                ui.horizontal_top(|ui| {
                    if ui.small_button("✖").help("Close").clicked() {
                        closed = Some(i);
                    }
                    let mut text = RichText::new(&message.text);
                    // Several lines are an excerpt of a file that marks an error.
                    if message.text.contains('\n') {
                        text = text.monospace();
                    }
                    if message.is_error {
                        text = text.color(error_color(ui));
                    }
                    ui.add(egui::Label::new(text).wrap());
                });
            }
        });
        if let Some(i) = closed {
            self.0.remove(i);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_notice_begins_when_it_has_been_drawn() {
        let mut messages = Messages::default();
        messages.add("Saved the picture".to_owned(), false, Life::Notice(false));
        let made = Instant::now();
        assert!(messages.next_change().is_some());
        // The first picture with it takes as long as it would be shown.
        messages.age(made);
        let drawn = made + NOTICE_TIME;
        messages.age(drawn);
        assert_eq!(messages.next_change(), Some(drawn + NOTICE_TIME));
        messages.age(drawn + NOTICE_TIME / 2);
        assert_eq!(messages.0.len(), 1);
        messages.age(drawn + NOTICE_TIME);
        assert!(messages.0.is_empty() && messages.next_change().is_none());
    }
}
