//! Who gets the keys of a frame: a question, a field for text or a menu comes before the scene.

use three_d::egui::{Context, Popup};
use three_d::{Event, Key};

/// Who had the keyboard before the interface of a frame was made.
pub(crate) struct KeyOwner {
    asks: bool,
    types: bool,
    has_popup: bool,
}

impl KeyOwner {
    /// Looks at the interface before that of a frame is made. `asks`: a question is shown.
    pub(crate) fn new(ctx: &Context, asks: bool) -> Self {
        Self {
            asks,
            types: ctx.text_edit_focused(),
            has_popup: Popup::is_any_open(ctx),
        }
    }

    /// Returns `true` if an event is no command for the scene, after the interface was made.
    pub(crate) fn takes(&self, ctx: &Context, event: &Event) -> bool {
        let is_escape = matches!(event, Event::KeyPress { kind, .. } if *kind == Key::Escape);
        // The key that ends typing is no command either, and Esc closes nothing else with a menu.
        self.asks || self.types || ctx.text_edit_focused() || (is_escape && self.has_popup)
    }
}
