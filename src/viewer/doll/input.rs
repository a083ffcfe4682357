//! What drags and keys ask for.

use super::app::{DollApp, Drags};
use crate::viewer::action::Action;
use crate::viewer::desk::Desk;
use crate::viewer::pointer::BRUSH_STEP;
use glam::Vec2;
use mohawk::doll::DollTool;
use three_d::{Event, Key, MouseButton};

/// What a key asks for.
#[derive(Debug, PartialEq)]
enum Asked {
    Action(Action),
    Tool(DollTool),
}

impl DollApp {
    /// Does what the pointer and the keys of this frame ask for; `page`: the part of the window that
    /// shows the page, logical pixels.
    pub(super) fn follow_input(
        &mut self,
        desk: &mut Desk,
        input: &three_d::FrameInput,
        typing: bool,
        page: Vec2,
    ) {
        let scale = input.device_pixel_ratio;
        let height = input.viewport.height as f32;
        let to_logical =
            |p: &three_d::PhysicalPoint| Vec2::new(p.x / scale, (height - p.y) / scale);
        let ctx = desk.gui.context().clone();
        let over_page = |p: Vec2| {
            let layer = ctx.layer_id_at(three_d::egui::pos2(p.x, p.y));
            let covered = layer.is_some_and(|l| l.order != three_d::egui::Order::Background);
            p.x < page.x && p.y < page.y && !covered
        };
        let mut last = None;
        for event in &input.events {
            match event {
                Event::MousePress {
                    button, position, ..
                } if self.drags == Drags::Nothing => {
                    let at = to_logical(position);
                    last = Some(at);
                    match over_page(at) {
                        true if *button == MouseButton::Left && !self.overlay.is_asking() => {
                            self.begin_stroke(at);
                        }
                        true => {}
                        false => self.drags = Drags::Panel,
                    }
                    desk.dirty = true;
                }
                Event::MouseRelease { button, .. } => {
                    match self.drags {
                        Drags::Brush if *button == MouseButton::Left => self.end_stroke(),
                        Drags::Panel => self.drags = Drags::Nothing,
                        _ => {}
                    }
                    desk.dirty = true;
                }
                Event::MouseMotion { position, .. } => {
                    let at = to_logical(position);
                    last = Some(at);
                    if self.drags == Drags::Brush || over_page(at) {
                        self.point(at);
                        // The circle of this frame was where the pointer was before.
                        desk.dirty = true;
                    } else if self.pointer.take().is_some() {
                        self.look();
                        desk.dirty = true;
                    }
                }
                Event::MouseWheel {
                    delta,
                    handled: false,
                    position,
                    ..
                } if over_page(to_logical(position)) => {
                    let factor = (delta.1 / 24.0 * 0.12).exp();
                    self.perform(desk, Action::ResizeBrush(factor));
                }
                _ => {
                    // People who type into a field do not mean shortcuts.
                    let asked = asked(event).filter(|_| !typing && !ctx.text_edit_focused());
                    match asked {
                        Some(Asked::Action(action)) => self.perform(desk, action),
                        Some(Asked::Tool(tool)) => self.hold(desk, tool),
                        None => {}
                    }
                }
            }
        }
        let at = last.or(self.pointer.map(|_| Vec2::ZERO));
        if let Some(at) = at {
            self.show_cursor(desk, last.is_none() || over_page(at));
        }
    }

    /// Takes a tool in hand.
    fn hold(&mut self, desk: &mut Desk, tool: DollTool) {
        self.end_stroke();
        self.brush.tool = tool;
        desk.dirty = true;
    }
}

/// What a key asks for; keys that the interface took ask for nothing.
fn asked(event: &Event) -> Option<Asked> {
    if let Event::Text(text) = event {
        return Some(Asked::Action(match text.as_str() {
            "?" => Action::ToggleSheet,
            "[" => Action::ResizeBrush(1.0 / BRUSH_STEP),
            "]" => Action::ResizeBrush(BRUSH_STEP),
            _ => return None,
        }));
    }
    let Event::KeyPress {
        kind,
        modifiers,
        handled: false,
    } = event
    else {
        return None;
    };
    let command = modifiers.ctrl || modifiers.command;
    let tools = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5];
    if let (Some(number), false) = (tools.iter().position(|key| key == kind), command) {
        return Some(Asked::Tool(DollTool::ALL[number]));
    }
    Some(Asked::Action(match (kind, command, modifiers.shift) {
        (Key::Z, true, false) => Action::Undo,
        (Key::Z, true, true) | (Key::Y, true, _) => Action::Redo,
        (Key::O, true, _) => Action::Open,
        (Key::S, true, _) => Action::Save,
        (Key::R, true, _) => Action::ToggleStrokes,
        (Key::R, false, _) => Action::Reset,
        (Key::P, false, _) | (Key::F12, ..) => Action::Screenshot { transparent: false },
        (Key::Tab, ..) => Action::TogglePanel,
        (Key::F1, ..) => Action::ToggleSheet,
        (Key::Escape, ..) => Action::Escape,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use three_d::Modifiers;

    #[test]
    fn keys_ask_for_what_the_sheet_says() {
        let press = |kind, ctrl, shift| {
            let modifiers = Modifiers {
                ctrl,
                shift,
                command: ctrl,
                alt: false,
            };
            asked(&Event::KeyPress {
                kind,
                modifiers,
                handled: false,
            })
        };
        let tool = |tool| Some(Asked::Tool(tool));
        let action = |action| Some(Asked::Action(action));
        assert_eq!(press(Key::Num1, false, false), tool(DollTool::Comb));
        assert_eq!(press(Key::Num5, false, false), tool(DollTool::Reset));
        assert_eq!(press(Key::Num1, true, false), None);
        assert_eq!(press(Key::Z, true, false), action(Action::Undo));
        assert_eq!(press(Key::Z, true, true), action(Action::Redo));
        assert_eq!(press(Key::Z, false, false), None);
        assert_eq!(press(Key::R, true, false), action(Action::ToggleStrokes));
        assert_eq!(press(Key::R, false, false), action(Action::Reset));
    }
}
