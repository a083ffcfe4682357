//! The state of the panel of the head's window, besides the settings.

use crate::viewer::input::action::{ExportedHair, SaveAs};

/// The contents of the panel besides the settings.
#[derive(Default)]
pub(crate) struct PanelState {
    pub(crate) shown: bool,
    /// `true` if no button offers the panel while it is hidden.
    pub(crate) is_withheld: bool,
    /// The words of the search.
    pub(crate) query: String,
    /// The path of a file to open, as typed.
    pub(crate) typed_path: String,
    /// The form that asks for a name to save under, while it is open.
    pub(crate) saving: Option<SaveForm>,
    /// `true` while the part *Model* is open.
    pub(crate) shows_model: bool,
    /// `true` if the head is to be read in another way.
    pub(crate) model_changed: bool,
}

impl PanelState {
    /// Returns `true` while the axes of the file are shown.
    pub(crate) fn shows_axes(&self) -> bool {
        self.shown && self.shows_model
    }
}

/// A form that asks for a name.
pub(crate) struct SaveForm {
    pub(crate) what: SaveAs,
    pub(crate) name: String,
    pub(crate) hair: ExportedHair,
    /// A line about a preset.
    pub(crate) about: String,
    /// `false` before the first frame, in which the name takes the keyboard.
    pub(crate) was_shown: bool,
}
