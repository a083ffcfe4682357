//! The section of the stack: modifiers that shape the hair, one after the other.

use crate::viewer::app::App;
use crate::viewer::input::action::Action;
use crate::viewer::interface::edit::{combo, row, setting};
use crate::viewer::interface::rows::{LABEL_WIDTH, accent, button, button_if, column, note, share};
use mohawk::groom::{Effect, EffectKind, Mask, Modifier};
use mohawk::settings::ListItem as _;
use mohawk::style::Tool;
use three_d::egui::collapsing_header::CollapsingState;
use three_d::egui::{self, RichText, Ui};

/// The number of guides that are taken from hair.
pub(super) const USUAL_GUIDES: usize = 48;

/// A change that a click asks for, by the number of the modifier.
enum Change {
    Add(EffectKind),
    Remove(usize),
    Copy(usize),
    /// Puts one in the place of another.
    Move(usize, usize),
}

/// Shows all modifiers, first to last.
pub(super) fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let drawn = (0..Modifier::MAX).find(|i| app.draws_line_of(*i));
    let (config, _) = app.settings.edited();
    let stack = &mut config.groom.stack;
    let (mut change, count) = (None, stack.len());
    ui.horizontal(|ui| {
        let is_full = stack.len() >= Modifier::MAX;
        ui.add_enabled_ui(!is_full, |ui| {
            ui.menu_button("Add modifier", |ui| {
                for group in EffectKind::ALL.chunk_by(|a, b| a.group() == b.group()) {
                    ui.menu_button(group[0].group(), |ui| {
                        for &kind in group {
                            if button(ui, kind.name(), kind.about()) {
                                change = Some(Change::Add(kind));
                                ui.close();
                            }
                        }
                    });
                }
            });
        });
        if stack.is_empty() {
            note(ui, "shapes hair after it has grown");
        }
    });
    for (i, modifier) in stack.iter_mut().enumerate() {
        ui.push_id(i, |ui| {
            let asked = head(ui, [i, count], modifier, drawn == Some(i), actions);
            change = change.take().or(asked);
        });
    }
    if let Some(change) = change {
        apply(ui, stack, change);
    }
}

/// Adds a modifier where it belongs.
pub(super) fn add(ui: &Ui, stack: &mut Vec<Modifier>, kind: EffectKind) {
    if stack.len() < Modifier::MAX {
        apply(ui, stack, Change::Add(kind));
    }
}

/// Changes the stack, and lets modifiers stay folded or not.
fn apply(ui: &Ui, stack: &mut Vec<Modifier>, change: Change) {
    let count = stack.len();
    let mut unfolded: Vec<bool> = (0..count).map(|i| fold(ui, i).is_open()).collect();
    match change {
        Change::Add(kind) => {
            let at = kind.place_in(stack);
            stack.insert(at, Modifier::new(Effect::of(kind)));
            unfolded.insert(at, true);
        }
        Change::Remove(i) => _ = (stack.remove(i), unfolded.remove(i)),
        Change::Copy(i) if count < Modifier::MAX => {
            stack.insert(i, stack[i].clone());
            unfolded.insert(i, false);
        }
        Change::Move(from, to) if from < count && to < count => {
            let moved = (stack.remove(from), unfolded.remove(from));
            stack.insert(to, moved.0);
            unfolded.insert(to, moved.1);
        }
        _ => {}
    }
    for (i, is_open) in unfolded.into_iter().enumerate() {
        let mut fold = fold(ui, i);
        fold.set_open(is_open);
        fold.store(ui.ctx());
    }
}

/// Returns the state of the settings of a modifier: folded or not.
fn fold(ui: &Ui, i: usize) -> CollapsingState {
    let id = egui::Id::new("modifier").with(i);
    CollapsingState::load_with_default_open(ui.ctx(), id, false)
}

/// Shows the line of a modifier, which can be dragged to another place, and its settings if it is
/// unfolded. `is_drawn`: its line is being drawn on the head.
fn head(
    ui: &mut Ui,
    [i, count]: [usize; 2],
    modifier: &mut Modifier,
    is_drawn: bool,
    actions: &mut Vec<Action>,
) -> Option<Change> {
    let mut change = None;
    let header = fold(ui, i).show_header(ui, |ui| {
        let help = "Whether it acts";
        ui.checkbox(&mut modifier.on, "").on_hover_text(help);
        let title = RichText::new(format!("{}  {}", i + 1, modifier.title()));
        let title = if modifier.on {
            title.strong()
        } else {
            title.weak()
        };
        let about = format!(
            "{} Drag it to another place in the stack",
            modifier.effect.kind().about()
        );
        let dragged = ui.dnd_drag_source(egui::Id::new(("modifier", i)), i, |ui| ui.label(title));
        let response = dragged.response.on_hover_text(about);
        if response.dnd_hover_payload::<usize>().is_some() {
            let line = response.rect.expand2(egui::vec2(40.0, 2.0));
            let stroke = egui::Stroke::new(2.0, accent(ui));
            ui.painter().hline(line.x_range(), line.top(), stroke);
        }
        if let Some(from) = response.dnd_release_payload::<usize>() {
            change = Some(Change::Move(*from, i));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            // The scroll bar covers this space.
            ui.add_space(14.0);
            for (text, help, is_possible, asked) in [
                ("✖", "Remove", true, Change::Remove(i)),
                ("🗐", "Copy", count < Modifier::MAX, Change::Copy(i)),
                ("⏷", "Later", i + 1 < count, Change::Move(i, i + 1)),
                ("⏶", "Earlier", i > 0, Change::Move(i, i.saturating_sub(1))),
            ] {
                let button = ui.add_enabled(is_possible, egui::Button::new(text).small());
                if button.on_hover_text(help).clicked() {
                    change = Some(asked);
                }
            }
        });
    });
    header.body(|ui| {
        match &modifier.effect {
            Effect::Part(_) => {
                let help = "Draw the line with the mouse, in place of this one";
                let button = egui::Button::new("Draw on the head").selected(is_drawn);
                if ui.add(button).on_hover_text(help).clicked() {
                    actions.push(Action::DrawLine(i));
                }
            }
            Effect::Follow(follow) => guides(ui, i, follow.guides.is_empty(), actions),
            _ => {}
        }
        body(ui, modifier);
    });
    change
}

/// Shows how guides are made.
fn guides(ui: &mut Ui, modifier: usize, is_empty: bool, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        let from_hair = Action::TakeGuides(Some(modifier), USUAL_GUIDES);
        let help = "Take evenly spread strands as guides, in place of those that there are. They have \
                    the shape that the modifiers before this one give them";
        let draw = "Draw guides on the head with the mouse: each begins on the skin";
        let comb = "Change guides with brushes";
        for (label, help, is_possible, action) in [
            ("Draw", draw, true, Action::HoldForGuides(Tool::Draw)),
            ("Comb", comb, !is_empty, Action::HoldForGuides(Tool::Comb)),
            ("From hair", help, true, from_hair),
        ] {
            if button_if(ui, is_possible, label, help) {
                actions.push(action);
            }
        }
    });
}

/// Shows the settings of a modifier.
fn body(ui: &mut Ui, modifier: &mut Modifier) {
    let was = Modifier::new(Effect::of(modifier.effect.kind()));
    row(
        ui,
        "Name",
        "Your own name for it",
        &mut modifier.name,
        &was.name,
        |ui, name| {
            let field = egui::TextEdit::singleline(name)
                .hint_text(was.title())
                .char_limit(64);
            ui.add(field.desired_width(120.0));
        },
    );
    let help = Modifier::AMOUNT.meaning_with_range();
    row(
        ui,
        "Amount",
        &help,
        &mut modifier.amount,
        &was.amount,
        |ui, amount| {
            share(ui, amount);
        },
    );
    ui.horizontal(|ui| {
        let help = "Where it acts: paint the masks with the brush of Style";
        column(ui, LABEL_WIDTH, |ui| ui.label("Where").on_hover_text(help));
        combo(ui, "mask", &mut modifier.mask);
        if modifier.mask != Mask::Everywhere {
            let help = "Act where the mask is dark";
            ui.checkbox(&mut modifier.invert, "inverted")
                .on_hover_text(help);
        }
    });
    let help = Modifier::RAMP.meaning_with_range();
    row(
        ui,
        "Ramp",
        &help,
        &mut modifier.ramp,
        &was.ramp,
        |ui, ramp| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for value in ramp {
                let value = egui::DragValue::new(value).range(0.0..=1.0);
                ui.add(value.speed(0.01).max_decimals(2));
            }
        },
    );
    (modifier.effect).visit(&was.effect, &mut |_, field, editor| {
        setting(ui, field, editor)
    });
    row(
        ui,
        "Seed",
        "The seed of its random values",
        &mut modifier.seed,
        &was.seed,
        |ui, seed| {
            ui.add(egui::DragValue::new(seed));
        },
    );
}
