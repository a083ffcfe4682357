//! The facts that widgets tell of themselves, where the pointer rests and to screen readers.

use three_d::egui;
use three_d::egui::accesskit::{Node, Toggled};

/// The facts that a widget tells, also to screen readers.
pub(crate) trait Told {
    /// Explains the widget. A sign without letters takes the text as its name.
    fn help(self, text: impl Into<egui::WidgetText>) -> Self;
    /// Tells screen readers whether the widget is chosen.
    fn chosen(self, is_chosen: bool) -> Self;
}

impl Told for egui::Response {
    fn help(self, text: impl Into<egui::WidgetText>) -> Self {
        let text = text.into();
        tell(&self, |node| {
            let is_word = |name: &str| name.contains(char::is_alphanumeric);
            match node.label().is_some_and(|name| !is_word(name)) {
                true => node.set_label(text.text()),
                false => node.set_description(text.text()),
            }
        });
        self.on_hover_text(text)
    }

    fn chosen(self, is_chosen: bool) -> Self {
        tell(&self, |node| node.set_toggled(Toggled::from(is_chosen)));
        self
    }
}

/// Tells screen readers more of a widget.
pub(crate) fn tell(widget: &egui::Response, write: impl FnOnce(&mut Node)) {
    widget.ctx.accesskit_node_builder(widget.id, write);
}
