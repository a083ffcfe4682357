//! Styles that are saved once their hair has grown.

use super::App;
use crate::viewer::input::action::Action;
use crate::viewer::styling::{AwaitedSave, StylerSlot};
use std::path::PathBuf;

/// The message where a style cannot be saved yet.
const STILL_GROWING: &str = "The style is saved when its hair has grown";

impl App {
    /// Lets a style be saved when its hair has grown. Returns `false`, as it is not saved yet.
    pub(super) fn save_later(&mut self, path: Option<PathBuf>) -> bool {
        self.styling.saves = Some(AwaitedSave { path, then: None });
        self.overlay.notice(STILL_GROWING);
        false
    }

    /// Saves the style in its file, and performs an action once that is done.
    pub(super) fn save_then(&mut self, action: Action) {
        if self.save(None) {
            self.perform(action);
        } else if let Some(awaited) = &mut self.styling.saves {
            awaited.then = Some(action);
        }
    }

    /// Saves a style whose hair has grown, if that was asked for.
    pub(super) fn save_grown(&mut self) {
        let is_ready = matches!(self.styling.styler, StylerSlot::Ready(_));
        if !is_ready || self.styling.is_behind() {
            return;
        }
        let Some(AwaitedSave { path, then }) = self.styling.saves.take() else {
            return;
        };
        let is_named = path.is_some();
        // *Stay* takes the wish to quit back.
        let asks_to_quit = self.overlay.asks_to_quit;
        if self.save(path) {
            if is_named {
                self.panel.saving = None;
            }
            let then = then.filter(|then| asks_to_quit || !matches!(then, Action::Quit));
            then.into_iter().for_each(|action| self.perform(action));
        }
    }

    /// Closes the form for a name, and does not save under it later. Returns whether it was open.
    pub(crate) fn close_save_form(&mut self) -> bool {
        let is_open = self.panel.saving.take().is_some();
        if is_open {
            self.styling.saves.take_if(|awaited| awaited.path.is_some());
        }
        is_open
    }
}
