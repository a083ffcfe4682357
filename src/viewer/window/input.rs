//! Pointer and keys of a frame, put to work; the cursor that says what a drag would do.

use super::Shown;
use crate::viewer::pointer::{Drag, Under};
use glam::Vec2;
use three_d::egui;
use winit::window::CursorIcon;

impl Shown {
    /// Does what the pointer and the keys of this frame ask for.
    pub(super) fn follow_input(&mut self, input: &three_d::FrameInput, scene: Vec2, typing: bool) {
        let scale = input.device_pixel_ratio;
        let height = input.viewport.height as f32;
        let to_logical = |p: three_d::PhysicalPoint| Vec2::new(p.x / scale, (height - p.y) / scale);
        let ctx = self.gui.context().clone();
        let over_interface = |p: Vec2| {
            let layer = ctx.layer_id_at(egui::pos2(p.x, p.y));
            p.x >= scene.x || layer.is_some_and(|layer| layer.order != egui::Order::Background)
        };
        for event in &input.events {
            let app = &self.app;
            let locate = |p: Vec2| {
                if over_interface(p) {
                    Under::Interface
                } else {
                    app.subject.locate(&app.camera, p, scene)
                }
            };
            if let Some(gesture) = self.pointer.follow(event, to_logical, locate) {
                self.app.gesture(&gesture, scene.y);
            }
            if let Some(action) = self.pointer.key(event) {
                // People who type into a field do not mean shortcuts.
                if !typing && !ctx.text_edit_focused() {
                    self.perform(action);
                }
            }
        }
        self.show_cursor(scene, over_interface);
    }

    fn show_cursor(&mut self, scene: Vec2, over_interface: impl Fn(Vec2) -> bool) {
        let icon = match (self.app.dragging, self.pointer.position) {
            (Some(Drag::Head(_)), _) => CursorIcon::Grabbing,
            (Some(Drag::Orbit | Drag::Pan), _) => CursorIcon::Move,
            (Some(Drag::Zoom), _) => CursorIcon::NsResize,
            (Some(Drag::Interface), _) => return,
            (None, Some(p)) if !over_interface(p) => {
                // Looking costs time on large heads; a pointer that rests needs no new look.
                let known = self.hovered.filter(|(at, _)| *at == p);
                let locate = || self.app.subject.locate(&self.app.camera, p, scene);
                let under = known.map_or_else(locate, |(_, under)| under);
                self.hovered = Some((p, under));
                match under {
                    Under::Head => CursorIcon::Grab,
                    _ => CursorIcon::Default,
                }
            }
            _ => CursorIcon::Default,
        };
        self.window.set_cursor_icon(icon);
    }
}

/// The interface would take Tab for a step to its next widget, and with a widget in focus
/// every other key too.
pub(super) fn hide_tab(events: &mut [three_d::Event], hidden: bool) {
    for event in events {
        if let three_d::Event::KeyPress {
            kind: three_d::Key::Tab,
            handled,
            ..
        } = event
        {
            *handled = hidden;
        }
    }
}
