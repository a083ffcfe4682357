//! The panel of the head's window: a bar, a search, and the places *Look*, *Motion*, *Lab* and
//! *Style*, each made of the [`parts`]. Parts have files of their own, and `search` finds rows of all.
//!
//! A row edits one setting, marks it if it differs from its value at the start, and can reset it.
//! Everything else that a click asks for is an [`Action`].

mod axes;
mod bar;
mod bundles;
mod colliders;
mod lab;
mod layers;
mod look;
mod model;
mod motion;
mod parts;
mod presets;
mod roots;
mod saving;
mod search;
mod stack;
mod styling;

use crate::viewer::app::App;
use crate::viewer::input::action::Action;
use crate::viewer::interface::rows::follow_keyboard;
use crate::viewer::interface::told::Told;
pub(crate) use bar::search_field;
use parts::show_place;
use search::Query;
use three_d::egui::{self, Ui};

impl App {
    /// Offers the panel in a corner of the scene while it is hidden.
    pub(crate) fn offer_panel(
        &self,
        ctx: &egui::Context,
        area: egui::Rect,
        actions: &mut Vec<Action>,
    ) {
        if self.panel.shown || self.panel.is_withheld {
            return;
        }
        let corner = egui::Area::new(egui::Id::new("offer")).pivot(egui::Align2::RIGHT_BOTTOM);
        let at = area.right_bottom() - egui::vec2(12.0, 12.0);
        corner.fixed_pos(at).show(ctx, |ui| {
            let button = egui::Button::new(egui::RichText::new("☰").size(20.0));
            let button = ui.add_sized([40.0, 36.0], button);
            if button.help("Show the panel (N)").clicked() {
                actions.push(Action::TogglePanel);
            }
        });
    }

    /// Shows the panel, applies its changes, and adds the requested actions.
    pub(crate) fn show_panel(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let before = self.settings.config.clone();
        self.panel.shows_model = false;
        bar::show(self, ui, actions);
        bar::foot(self, ui, actions);
        let query = Query::new(&self.panel.query);
        let place = match (&query, self.styling.on) {
            (Some(_), _) => "search",
            (None, true) => "style",
            (None, false) => self.remembered.place.name(),
        };
        let scroll = egui::ScrollArea::vertical().auto_shrink([false, true]);
        scroll.id_salt(place).show(ui, |ui| {
            // The scroll bar covers this space.
            ui.set_max_width(ui.available_width() - 10.0);
            match query {
                Some(query) => search::show(self, ui, &query, actions),
                None if self.styling.on => styling::show(self, ui, actions),
                None => show_place(self, ui, actions),
            }
            ui.add_space(8.0);
            follow_keyboard(ui);
        });
        self.view.is_used |= self.settings.config != before;
        self.settings_changed(&before);
    }
}
