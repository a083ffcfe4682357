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

    /// Returns `true` if an event is no command for the scene, once the interface of its frame was
    /// made. A key that ends a question, typing or a menu is no command either; it is the last one
    /// of its frame.
    pub(crate) fn takes(&self, ctx: &Context, event: &Event) -> bool {
        let escapes = matches!(event, Event::KeyPress { kind, .. } if *kind == Key::Escape);
        self.asks || self.types || ctx.text_edit_focused() || (escapes && self.has_popup)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use three_d::Modifiers;

    #[test]
    fn questions_and_fields_take_all_keys_and_a_menu_the_one_that_closes_it() {
        let press = |kind| Event::KeyPress {
            kind,
            modifiers: Modifiers::default(),
            handled: false,
        };
        let ctx = Context::default();
        for (asks, types, has_popup, expected) in [
            (false, false, false, [false, false]),
            (true, false, false, [true, true]),
            (false, true, false, [true, true]),
            (false, false, true, [false, true]),
        ] {
            let owner = KeyOwner {
                asks,
                types,
                has_popup,
            };
            let keys = [Key::X, Key::Escape];
            assert_eq!(keys.map(|key| owner.takes(&ctx, &press(key))), expected);
        }
    }
}
