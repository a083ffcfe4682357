//! Drags and keys.

use super::app::{DollApp, DragOwner};
use crate::viewer::input::action::Action;
use crate::viewer::input::pointer::BRUSH_STEP;
use crate::viewer::window_host::WindowHost;
use glam::Vec2;
use mohawk::doll::DollTool;
use three_d::{Event, Key, MouseButton};
use winit::window::CursorIcon;

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
                    // The circle of this frame was drawn at the previous position.
                    host.dirty |= self.pointer.take().is_some();
                    if self.drag == DragOwner::Brush || over_page(at) {
                        self.point(at);
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
                    let action = key_action(event).filter(|_| !typing && !ctx.text_edit_focused());
                    if let Some(action) = action {
                        self.perform(host, action);
                    }
                }
            }
        }
        // The cursor shows what a drag would do.
        let over_page = match last {
            Some(at) => over_page(at),
            None if self.pointer.is_some() => true,
            None => return,
        };
        let icon = match (self.drag, over_page) {
            (DragOwner::Panel, _) => return,
            (DragOwner::Brush, _) | (DragOwner::Nothing, true) => CursorIcon::Crosshair,
            (DragOwner::Nothing, false) => CursorIcon::Default,
        };
        host.window.set_cursor_icon(icon);
    }
}

/// Returns the action of a key that the interface did not handle.
fn key_action(event: &Event) -> Option<Action> {
    if let Event::Text(text) = event {
        return match text.as_str() {
            "?" => Some(Action::ToggleSheet),
            "[" => Some(Action::ResizeBrush(1.0 / BRUSH_STEP)),
            "]" => Some(Action::ResizeBrush(BRUSH_STEP)),
            _ => None,
        };
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
    Some(match (kind, command, modifiers.shift) {
        (Key::Num1, false, _) => Action::DollTool(DollTool::Comb),
        (Key::Num2, false, _) => Action::DollTool(DollTool::Cut),
        (Key::Num3, false, _) => Action::DollTool(DollTool::Color),
        (Key::Num4, false, _) => Action::DollTool(DollTool::Clip),
        (Key::Num5, false, _) => Action::DollTool(DollTool::Reset),
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
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use three_d::Modifiers;

    #[test]
    fn keys_do_what_the_cheat_sheet_says() {
        let tool = |tool| Some(Action::DollTool(tool));
        for (kind, ctrl, shift, action) in [
            (Key::Num1, false, false, tool(DollTool::Comb)),
            (Key::Num5, false, false, tool(DollTool::Reset)),
            (Key::Num1, true, false, None),
            (Key::Z, true, false, Some(Action::Undo)),
            (Key::Z, true, true, Some(Action::Redo)),
            (Key::Z, false, false, None),
            (Key::R, true, false, Some(Action::ToggleStrokes)),
            (Key::R, false, false, Some(Action::Reset)),
        ] {
            let modifiers = Modifiers {
                ctrl,
                shift,
                command: ctrl,
                alt: false,
            };
            let handled = false;
            let event = Event::KeyPress {
                kind,
                modifiers,
                handled,
            };
            assert_eq!(key_action(&event), action, "{kind:?}");
        }
    }
}
