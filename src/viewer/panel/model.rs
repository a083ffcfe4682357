//! The part *Model*: how the file of the head is read, where that does not go by itself.

use crate::viewer::app::App;
use crate::viewer::input::action::Action;
use crate::viewer::interface::edit::{entered, row, rows};
use crate::viewer::interface::rows::note;
use mohawk::head::HeadSettings;
use three_d::egui::Ui;

/// Shows which way is up in the file, what is left out of it, and what is its scalp. The head is read
/// again once a value has been set.
pub(super) fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    app.panel.shows_model = true;
    let (config, was) = app.settings.edited();
    let (head, was) = (&mut config.head, &was.head);
    let before = head.clone();
    rows!(ui, HeadSettings, head, was; up, turn_deg);
    let texts = ["Hide", &HeadSettings::hide.meaning()];
    row(ui, texts, &mut head.hide, &was.hide, |ui, words| {
        if let Some(typed) = entered(ui, &words.join(", "), "hair, hat") {
            let typed = typed.split(',').map(|word| word.trim().to_owned());
            *words = typed.filter(|word| !word.is_empty()).collect();
        }
    });
    rows!(ui, HeadSettings, head, was; paint);
    let texts = ["Mask", &HeadSettings::mask.meaning()];
    row(ui, texts, &mut head.mask, &was.mask, |ui, name| {
        if let Some(typed) = entered(ui, name, "a material, node or picture") {
            *name = typed.trim().to_owned();
        }
    });
    let problem = head.validate().err();
    app.panel.model_changed |= *head != before;
    match problem {
        Some(problem) => note(ui, problem.to_string()),
        None if app.panel.model_changed && !app.pointer.pressed => actions.push(Action::ReadModel),
        None => {}
    }
}
