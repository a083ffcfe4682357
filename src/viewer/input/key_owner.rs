//! The owner of the keys of a frame: a question, a field for text or a menu comes before the scene.

use three_d::egui::{Context, Popup};
use three_d::{Event, Key};

/// The owner of the keyboard before the interface of a frame was made.
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

    /// Returns `true` if an event is no command for the scene. The events of a frame come in order,
    /// after its interface was made.
    pub(crate) fn takes(&mut self, ctx: &Context, event: &Event) -> bool {
        let presses = |key| matches!(event, Event::KeyPress { kind, .. } if *kind == key);
        let escapes = presses(Key::Escape);
        // The key that ends typing is no command either, and Esc closes nothing else with a menu.
        let is_taken =
            self.asks || self.types || ctx.text_edit_focused() || (escapes && self.has_popup);
        // Keys that follow in the same frame may be commands.
        self.has_popup &= !escapes;
        self.types &= !(escapes || presses(Key::Enter));
        is_taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use three_d::Modifiers;

    #[test]
    fn a_key_in_the_frame_that_ends_typing_is_a_command() {
        let press = |kind| Event::KeyPress {
            kind,
            modifiers: Modifiers::default(),
            handled: false,
        };
        let ctx = Context::default();
        for (asks, types, has_popup, keys, expected) in [
            (
                false,
                true,
                false,
                [Key::X, Key::Escape, Key::X],
                [true, true, false],
            ),
            (
                false,
                true,
                false,
                [Key::X, Key::Enter, Key::Escape],
                [true, true, false],
            ),
            (
                false,
                false,
                true,
                [Key::X, Key::Escape, Key::Escape],
                [false, true, false],
            ),
            (
                true,
                false,
                false,
                [Key::X, Key::Escape, Key::X],
                [true, true, true],
            ),
        ] {
            let mut owner = KeyOwner {
                asks,
                types,
                has_popup,
            };
            assert_eq!(keys.map(|key| owner.takes(&ctx, &press(key))), expected);
        }
    }
}
