//! The part *Model*: how the file of the head is read, where that does not go by itself.

use crate::viewer::app::App;
use crate::viewer::input::action::Action;
use crate::viewer::interface::edit::{row, rows};
use crate::viewer::interface::rows::note;
use mohawk::head::HeadSettings;
use three_d::egui::{self, Id, TextEdit, Ui};

/// Shows which way is up in the file, what is left out of it, and what is its scalp. The head is read
/// again once a value has been set.
pub(super) fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    app.panel.shows_model = true;
    let (config, was) = app.settings.edited();
    let (head, was) = (&mut config.head, &was.head);
    let before = head.clone();
    rows!(ui, HeadSettings, head, was; up, turn_deg);
    let help = HeadSettings::hide.meaning();
    row(ui, "Hide", &help, &mut head.hide, &was.hide, |ui, words| {
        if let Some(typed) = entered(ui, &words.join(", "), "hair, hat") {
            let typed = typed.split(',').map(|word| word.trim().to_owned());
            *words = typed.filter(|word| !word.is_empty()).collect();
        }
    });
    rows!(ui, HeadSettings, head, was; paint);
    let help = HeadSettings::mask.meaning();
    row(ui, "Mask", &help, &mut head.mask, &was.mask, |ui, name| {
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

/// Shows a field with a text, and returns what was typed there once the typing has ended.
fn entered(ui: &mut Ui, text: &str, hint: &str) -> Option<String> {
    let id: Id = ui.next_auto_id().with("typed");
    let mut typed = ui
        .data(|data| data.get_temp(id))
        .unwrap_or_else(|| text.to_owned());
    let field = TextEdit::singleline(&mut typed).hint_text(hint);
    let field = ui.add(field.desired_width(f32::INFINITY));
    if field.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, typed));
        return None;
    }
    ui.data_mut(|data| data.remove::<String>(id));
    let is_left = field.lost_focus() && !ui.input(|input| input.key_pressed(egui::Key::Escape));
    (is_left && typed != text).then_some(typed)
}
