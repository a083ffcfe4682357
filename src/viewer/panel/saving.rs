//! Saving: the button of the bar, its menu, and the form that asks for a name.

use crate::viewer::app::App;
use crate::viewer::input::action::{Action, SaveAs};
use crate::viewer::interface::rows::{accent, note};
use crate::viewer::interface::told::Told;
use crate::viewer::platform::PICTURE_HELP;
use mohawk::files::{exists, overwritten};
use mohawk::presets::Preset;
use mohawk::strands::Format;
use mohawk::style::Card;
use std::path::PathBuf;
use three_d::egui::{Button, Checkbox, Id, Key, RichText, TextEdit, Ui};

/// Width of the menu, logical pixels.
const MENU_WIDTH: f32 = 250.0;

/// Returns all ways to save: the name, the key, what it does, and the action.
fn ways() -> Vec<(&'static str, &'static str, &'static str, Action)> {
    let picture = |transparent| Action::Screenshot { transparent };
    vec![
        (
            "Save",
            "Ctrl+S",
            "The style in its file; without maps and edits the settings alone",
            Action::Save,
        ),
        (
            "Save as…",
            "Ctrl+Shift+S",
            "The style or the settings under another name",
            Action::AskToSave(SaveAs::Style),
        ),
        (
            "Save as preset…",
            "",
            "The hair that you see becomes a preset of yours, in the strip of the place Look",
            Action::AskToSave(SaveAs::Preset),
        ),
        (
            "Export hair…",
            "Ctrl+E",
            "Strands for other programs, as USD, Alembic, glTF, .hair and others, placed on the model",
            Action::AskToSave(SaveAs::Hair),
        ),
        ("Save picture", "F12", PICTURE_HELP, picture(false)),
        (
            "Save picture, transparent",
            "Ctrl+F12",
            "The same without the background",
            picture(true),
        ),
        #[cfg(target_arch = "wasm32")]
        (
            "Copy link",
            "",
            "An address at which this page shows the same preset, settings and scene",
            Action::CopyLink,
        ),
    ]
}

/// Shows the button and the menu beside it, from right to left.
pub(super) fn button(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let is_unsaved = app.is_unsaved();
    ui.spacing_mut().item_spacing.x = 2.0;
    let menu = ui.menu_button("⏷", |ui| {
        ui.set_width(MENU_WIDTH);
        for (name, key, help, action) in ways() {
            let way = ui.add(Button::new(name).shortcut_text(key));
            if way.help(help).clicked() {
                actions.push(action);
                ui.close();
            }
        }
    });
    menu.response.help("All ways to save");
    let text = match is_unsaved {
        true => RichText::new("💾 Save •").color(accent(ui)),
        false => RichText::new("💾 Save"),
    };
    let state = if is_unsaved {
        "There are unsaved changes."
    } else {
        "Nothing is unsaved."
    };
    let help = format!("{} (Ctrl+S). {state}", app.what_is_saved());
    if ui.button(text).help(help).clicked() {
        actions.push(Action::Save);
    }
}

/// Shows buttons for the ways to save a style.
pub(super) fn buttons(ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        for (name, _, help, action) in ways().into_iter().take(3) {
            if ui.button(name).help(help).clicked() {
                actions.push(action);
            }
        }
    });
}

/// Shows the form, if it is open.
pub(super) fn form(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let Some(form) = &mut app.panel.saving else {
        return;
    };
    let (document, listed) = (&app.document, &app.presets.listed);
    let open = app.subject.head.iter().flat_map(|head| &head.files);
    let open: Vec<&PathBuf> = open
        .chain(&app.loading.source)
        .chain(&document.path)
        .collect();
    let path_of = |what: SaveAs, name: &str| match what {
        SaveAs::Hair if !name.is_empty() && !name.contains('.') => {
            Some(format!("{name}.usdc").into())
        }
        _ => document.path_of(name),
    };
    // Why a name cannot be used, and whether something has it.
    let judge = |what: SaveAs, name: &str| -> (Option<String>, bool) {
        if what == SaveAs::Preset {
            let problem = Preset::check_name(name).err();
            // Files that cannot be read are not listed.
            let has_file = |folder: PathBuf| exists(&folder.join(format!("{name}.mohawk")));
            let is_known = listed.iter().any(|listed| listed.preset.name() == name)
                || Preset::folder().is_some_and(has_file);
            return (problem.map(|problem| problem.to_string()), is_known);
        }
        let unknown = || format!("End the name in {}", Format::names());
        match path_of(what, name) {
            None => (Some("Type a name".to_owned()), false),
            Some(path) => {
                let is_hair = what == SaveAs::Hair;
                let problem = match overwritten(&path, open.iter().copied()) {
                    _ if is_hair && Format::of_path(&path).is_none() => Some(unknown()),
                    Some(_) if is_hair => Some("This file is open: take another name".to_owned()),
                    _ => None,
                };
                (problem, exists(&path))
            }
        }
    };
    let (mut saves, mut closes) = (false, false);
    let mut typed = |ui: &mut Ui, edit: TextEdit<'_>| {
        let typed = ui.add(edit);
        let ends = |key| typed.lost_focus() && ui.input(|input| input.key_pressed(key));
        saves |= ends(Key::Enter);
        closes |= ends(Key::Escape);
        typed
    };
    let (title, hint, kind) = match form.what {
        SaveAs::Preset => ("Save as preset", "Name of your preset", "preset"),
        SaveAs::Style => ("Save as", "hair.mohawk", "style"),
        SaveAs::Hair => ("Export hair", "hair.usdc", "file of strands"),
    };
    ui.label(RichText::new(title).strong());
    let (mut clicked, mut cancelled, mut problem) = (false, false, None);
    ui.horizontal(|ui| {
        let buttons = 132.0;
        let width = (ui.available_width() - buttons).max(60.0);
        let (edit, id) = (
            TextEdit::singleline(&mut form.name),
            Id::new("name to save"),
        );
        let is_first = !std::mem::replace(&mut form.was_shown, true);
        if is_first {
            // Before the field is shown, so that it gets what is typed in this frame.
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        let field = typed(ui, edit.id(id).hint_text(hint).desired_width(width));
        if form.name.trim().is_empty() && ui.input(|input| input.key_pressed(Key::Enter)) {
            // Keys must not become shortcuts while there is no name.
            field.request_focus();
        }
        if is_first {
            // Window tests read this.
            tracing::info!("type a name to save a {kind}");
        }
        // A name that was typed in the frame of its Enter counts.
        let (why, is_known) = judge(form.what, form.name.trim());
        let label = if is_known { "Replace" } else { "Save" };
        let button = ui.add_enabled(why.is_none(), Button::new(label));
        clicked = button
            .on_disabled_hover_text(why.as_deref().unwrap_or_default())
            .clicked();
        cancelled = ui.button("Cancel").clicked();
        problem = why;
    });
    match form.what {
        SaveAs::Preset => {
            let edit = TextEdit::singleline(&mut form.about);
            let edit = edit.hint_text("A line about it, if you like");
            let edit = edit.char_limit(Card::MAX_ABOUT);
            typed(ui, edit.desired_width(f32::INFINITY));
        }
        SaveAs::Style => note(
            ui,
            "With .mohawk: the style in one file; with .toml: the settings",
        ),
        SaveAs::Hair => {
            let (hair, all) = (&mut form.hair, Format::names());
            ui.horizontal(|ui| {
                ui.checkbox(&mut hair.at_rest, "At rest")
                    .help("Without: as it hangs now, on the head in its first pose");
                let has_guides = app.settings.config.sim.guides.share < 1.0;
                ui.add_enabled(has_guides, Checkbox::new(&mut hair.guides, "Guides alone"))
                    .help("Only the strands that others follow")
                    .on_disabled_hover_text("All strands are simulated, none follows guides");
            });
            note(
                ui,
                format!("The extension sets the format, .usdc if there is none. Formats: {all}"),
            );
        }
    }
    if (saves || clicked) && problem.is_none() {
        let (name, about) = (form.name.trim().to_owned(), form.about.clone());
        let path = path_of(form.what, &name);
        actions.push(match form.what {
            SaveAs::Preset => Action::SavePreset { name, about },
            SaveAs::Style => Action::SaveAs(path),
            SaveAs::Hair => Action::ExportHair(path.unwrap_or_default(), form.hair),
        });
    }
    if cancelled {
        app.close_save_form();
    } else if closes {
        app.panel.saving = None;
    }
}
