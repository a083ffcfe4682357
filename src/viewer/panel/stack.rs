//! The section of the stack: modifiers that shape the hair, one after the other.

use crate::viewer::app::App;
use crate::viewer::input::action::Action;
use crate::viewer::interface::curve::curve;
use crate::viewer::interface::edit::{combo, entered, row, setting};
use crate::viewer::interface::rows::{accent, button, button_if, note, set_section, share};
use crate::viewer::interface::told::Told;
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
    let drawn = app.pointer.line.as_ref().map(|line| line.modifier);
    let (config, start) = app.settings.edited();
    let (stack, start) = (&mut config.groom.stack, &start.groom.stack);
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
    // After another was removed or moved, numbers do not tell which modifier was which.
    let kinds = |stack: &[Modifier]| -> Vec<EffectKind> {
        stack
            .iter()
            .map(|modifier| modifier.effect.kind())
            .collect()
    };
    let start = Some(start).filter(|start| kinds(start) == kinds(stack));
    for (i, modifier) in stack.iter_mut().enumerate() {
        ui.push_id(i, |ui| {
            let kind = modifier.effect.kind();
            let was = start.map(|start| &start[i]);
            let usual = Modifier::new(Effect::of(kind));
            let was = was.unwrap_or(&usual);
            let asked = head(ui, [i, count], (modifier, was), drawn == Some(i), actions);
            change = change.take().or(asked);
        });
    }
    if let Some(change) = change {
        apply(ui, stack, change);
        // It is that of a number.
        app.pointer.line = None;
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
    let ctx = ui.ctx();
    let mut unfolded: Vec<bool> = (0..count).map(|i| fold(ctx, i).is_open()).collect();
    match change {
        Change::Add(kind) => {
            let at = kind.place_in(stack);
            stack.insert(at, Modifier::new(Effect::of(kind)));
            unfolded.insert(at, true);
            scroll_to(ctx, at);
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
        set_open(ctx, i, is_open);
    }
}

/// Returns the state of the settings of a modifier: folded or not.
fn fold(ctx: &egui::Context, i: usize) -> CollapsingState {
    let id = egui::Id::new("modifier").with(i);
    CollapsingState::load_with_default_open(ctx, id, false)
}

/// Unfolds or folds a modifier.
fn set_open(ctx: &egui::Context, i: usize, is_open: bool) {
    let mut fold = fold(ctx, i);
    fold.set_open(is_open);
    fold.store(ctx);
}

/// Opens the section, unfolds modifiers and scrolls to the first of them.
pub(super) fn reveal(ctx: &egui::Context, modifiers: &[usize]) {
    set_section(ctx, "Stack", true);
    for &i in modifiers {
        set_open(ctx, i, true);
    }
    if let Some(&first) = modifiers.first() {
        scroll_to(ctx, first);
    }
}

/// Names the number of the modifier that is scrolled to.
fn sought() -> egui::Id {
    egui::Id::new("sought modifier")
}

/// Scrolls to a modifier in the next frames.
fn scroll_to(ctx: &egui::Context, i: usize) {
    ctx.data_mut(|data| data.insert_temp(sought(), i));
    ctx.request_repaint();
}

/// Scrolls to a modifier that fills `area`, if it is the one that is sought, until it is unfolded.
fn follow_search(ui: &Ui, i: usize, area: egui::Rect) {
    let ctx = ui.ctx();
    if ctx.data(|data| data.get_temp(sought())) != Some(i) {
        return;
    }
    // If it is too high, its beginning is shown.
    let is_high = area.height() > ui.clip_rect().height();
    ui.scroll_to_rect(area, is_high.then_some(egui::Align::TOP));
    match fold(ctx, i).openness(ctx) < 1.0 {
        true => ctx.request_repaint(),
        false => ctx.data_mut(|data| data.remove::<usize>(sought())),
    }
}

/// Shows the line of a modifier, which can be dragged to another place, and its settings if it is
/// unfolded, with marks where they differ from `was`. `is_drawn`: its line is being drawn on the
/// head.
fn head(
    ui: &mut Ui,
    [i, count]: [usize; 2],
    (modifier, was): (&mut Modifier, &Modifier),
    is_drawn: bool,
    actions: &mut Vec<Action>,
) -> Option<Change> {
    let mut change = None;
    let header = fold(ui.ctx(), i).show_header(ui, |ui| {
        let help = "Whether it acts";
        ui.checkbox(&mut modifier.on, "").help(help);
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
        let response = dragged.response.help(about);
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
                if button.help(help).clicked() {
                    change = Some(asked);
                }
            }
        });
    });
    let (_, header, settings) = header.body(|ui| {
        match &modifier.effect {
            Effect::Part(_) => {
                let help = "Draw the line with the mouse, in place of this one";
                let button = egui::Button::new("Draw on the head").selected(is_drawn);
                if ui.add(button).help(help).clicked() {
                    actions.push(Action::DrawLine(i));
                }
            }
            Effect::Follow(follow) => guides(ui, i, follow.guides.is_empty(), actions),
            _ => {}
        }
        body(ui, modifier, was);
    });
    let settings = settings.map_or(egui::Rect::NOTHING, |shown| shown.response.rect);
    follow_search(ui, i, header.response.rect.union(settings));
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

/// Shows the settings of a modifier, with marks where they differ from `was`.
fn body(ui: &mut Ui, modifier: &mut Modifier, was: &Modifier) {
    let texts = ["Name", "Your own name for it"];
    let usual = Modifier::new(Effect::of(modifier.effect.kind()));
    row(ui, texts, &mut modifier.name, &was.name, |ui, name| {
        if let Some(typed) = entered(ui, name, usual.title()) {
            *name = typed.chars().take(64).collect();
        }
    });
    let texts = ["Amount", &Modifier::AMOUNT.meaning_with_range()];
    row(
        ui,
        texts,
        &mut modifier.amount,
        &was.amount,
        |ui, amount| {
            share(ui, amount);
        },
    );
    let texts = [
        "Where",
        "Where it acts: paint the masks with the brush of Style",
    ];
    row(ui, texts, &mut modifier.mask, &was.mask, |ui, mask| {
        combo(ui, "mask", mask)
    });
    if modifier.mask != Mask::Everywhere {
        let texts = ["Inverted", "Act where the mask is dark"];
        row(
            ui,
            texts,
            &mut modifier.invert,
            &was.invert,
            |ui, invert| _ = ui.checkbox(invert, ""),
        );
    }
    // Cuts have one length a strand.
    if modifier.has_ramp() {
        let texts = ["Amount ramp", &Modifier::RAMP.meaning_with_range()];
        row(ui, texts, &mut modifier.ramp, &was.ramp, |ui, ramp| {
            curve(ui, ramp, Modifier::MOST_IN_RAMP)
        });
    }
    (modifier.effect).visit(&was.effect, &mut |_, field, editor| {
        setting(ui, field, editor)
    });
    let texts = ["Seed", "The seed of its random values"];
    row(ui, texts, &mut modifier.seed, &was.seed, |ui, seed| {
        ui.add(egui::DragValue::new(seed).update_while_editing(false));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Size of a panel in which few modifiers are seen at once, logical pixels.
    const PANEL: egui::Vec2 = egui::vec2(300.0, 220.0);

    /// Shows a stack for some frames. Returns the tops of the modifiers, and the end of the last.
    fn tops(ctx: &egui::Context, stack: &mut [Modifier], frames: std::ops::Range<u32>) -> Vec<f32> {
        let (count, mut tops) = (stack.len(), Vec::new());
        for frame in frames {
            let input = egui::RawInput {
                screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, PANEL)),
                time: Some(f64::from(frame) / 60.0),
                ..egui::RawInput::default()
            };
            tops.clear();
            _ = ctx.run_ui(input, |ui| {
                let scroll = egui::ScrollArea::vertical().auto_shrink([false, false]);
                scroll.show(ui, |ui| {
                    for (i, modifier) in stack.iter_mut().enumerate() {
                        tops.push(ui.cursor().top());
                        ui.push_id(i, |ui| {
                            let was = modifier.clone();
                            head(ui, [i, count], (modifier, &was), false, &mut Vec::new())
                        });
                    }
                    tops.push(ui.cursor().top());
                });
            });
        }
        tops
    }

    #[test]
    fn a_modifier_that_limits_the_length_is_unfolded_and_scrolled_to() {
        let ctx = egui::Context::default();
        let trim = Modifier::new(Effect::of(EffectKind::Trim));
        let mut stack = vec![trim; 24];
        let before = tops(&ctx, &mut stack, 0..10);
        assert!(before[16] > PANEL.y, "{before:?}");
        reveal(&ctx, &[16, 19]);
        let after = tops(&ctx, &mut stack, 10..130);
        let is_open = |i| fold(&ctx, i).is_open();
        assert!(is_open(16) && is_open(19) && !is_open(15) && !is_open(17));
        assert!((-1.0..40.0).contains(&after[16]), "{after:?}");
        // The user may scroll on from there.
        assert_eq!(ctx.data(|data| data.get_temp::<usize>(sought())), None);
    }

    #[test]
    fn a_new_modifier_is_unfolded_and_scrolled_to() {
        let ctx = egui::Context::default();
        let mut stack = vec![Modifier::new(Effect::of(EffectKind::Frizz)); 24];
        tops(&ctx, &mut stack, 0..10);
        _ = ctx.run_ui(egui::RawInput::default(), |ui| {
            add(ui, &mut stack, EffectKind::Dye);
        });
        let dye = |modifier: &Modifier| modifier.effect.kind() == EffectKind::Dye;
        let at = stack.iter().position(dye).unwrap();
        let after = tops(&ctx, &mut stack, 10..130);
        assert!(fold(&ctx, at).is_open());
        let (top, end) = (after[at], after[at + 1]);
        assert!(end > top + 60.0, "{top} to {end}");
        let fits = end - top < PANEL.y;
        assert!((-1.0..PANEL.y - 60.0).contains(&top), "{top}");
        assert!(!fits || end < PANEL.y + 10.0, "{top} to {end}");
    }

    #[test]
    fn rows_of_a_modifier_have_different_names() {
        for kind in EffectKind::ALL {
            let (mut now, was) = (Effect::of(kind), Effect::of(kind));
            let own = ["Name", "Amount", "Where", "Amount ramp", "Seed"];
            let mut names: Vec<String> = own.map(str::to_owned).to_vec();
            now.visit(&was, &mut |_, field, _| {
                assert!(!names.contains(&field.name()), "{kind}: {}", field.name());
                names.push(field.name());
            });
        }
    }
}
