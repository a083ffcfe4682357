//! DragOwner and keys.

use super::app::{DollApp, DragOwner};
use crate::viewer::input::action::Action;
use crate::viewer::input::pointer::BRUSH_STEP;
use crate::viewer::window_host::WindowHost;
use glam::Vec2;
use mohawk::doll::DollTool;
use three_d::{Event, Key, MouseButton};

/// The effect of a key.
#[derive(Debug, PartialEq)]
enum KeyEffect {
    Action(Action),
    Tool(DollTool),
}

impl DollApp {
    /// Handles the pointer and the keys of this frame. `page` is the size of the part of the window
    /// that shows the page, logical pixels.
    pub(super) fn follow_input(
        &mut self,
        host: &mut WindowHost,
        input: &three_d::FrameInput,
        typing: bool,
        page: Vec2,
    ) {
        let scale = input.device_pixel_ratio;
        let height = input.viewport.height as f32;
        let to_logical =
            |p: &three_d::PhysicalPoint| Vec2::new(p.x / scale, (height - p.y) / scale);
        let ctx = host.gui.context().clone();
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
                } if self.drag == DragOwner::Nothing => {
                    let at = to_logical(position);
                    last = Some(at);
                    match over_page(at) {
                        true if *button == MouseButton::Left && !self.overlay.is_asking() => {
                            self.begin_stroke(at);
                        }
                        true => {}
                        false => self.drag = DragOwner::Panel,
                    }
                    host.dirty = true;
                }
                Event::MouseRelease { button, .. } => {
                    match self.drag {
                        DragOwner::Brush if *button == MouseButton::Left => self.end_stroke(),
                        DragOwner::Panel => self.drag = DragOwner::Nothing,
                        _ => {}
                    }
                    host.dirty = true;
                }
                Event::MouseMotion { position, .. } => {
                    let at = to_logical(position);
                    last = Some(at);
                    if self.drag == DragOwner::Brush || over_page(at) {
                        self.point(at);
                        // The circle of this frame was drawn at the previous position.
                        host.dirty = true;
                    } else if self.pointer.take().is_some() {
                        self.update_face();
                        host.dirty = true;
                    }
                }
                Event::MouseWheel {
                    delta,
                    handled: false,
                    position,
                    ..
                } if over_page(to_logical(position)) => {
                    let factor = (delta.1 / 24.0 * 0.12).exp();
                    self.perform(host, Action::ResizeBrush(factor));
                }
                _ => {
                    // Keys typed into a text field are not shortcuts.
                    let effect = key_effect(event).filter(|_| !typing && !ctx.text_edit_focused());
                    match effect {
                        Some(KeyEffect::Action(action)) => self.perform(host, action),
                        Some(KeyEffect::Tool(tool)) => self.hold(host, tool),
                        None => {}
                    }
                }
            }
        }
        let at = last.or(self.pointer.map(|_| Vec2::ZERO));
        if let Some(at) = at {
            self.show_cursor(host, last.is_none() || over_page(at));
        }
    }

    /// Chooses a tool.
    fn hold(&mut self, host: &mut WindowHost, tool: DollTool) {
        self.end_stroke();
        self.brush.tool = tool;
        host.dirty = true;
    }
}

/// Returns the effect of a key that the interface did not handle.
fn key_effect(event: &Event) -> Option<KeyEffect> {
    if let Event::Text(text) = event {
        return Some(KeyEffect::Action(match text.as_str() {
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
        return Some(KeyEffect::Tool(DollTool::ALL[number]));
    }
    Some(KeyEffect::Action(match (kind, command, modifiers.shift) {
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
    fn keys_do_what_the_cheat_sheet_says() {
        let press = |kind, ctrl, shift| {
            let modifiers = Modifiers {
                ctrl,
                shift,
                command: ctrl,
                alt: false,
            };
            key_effect(&Event::KeyPress {
                kind,
                modifiers,
                handled: false,
            })
        };
        let tool = |tool| Some(KeyEffect::Tool(tool));
        let action = |action| Some(KeyEffect::Action(action));
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
