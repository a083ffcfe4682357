//! Applies the input of a frame, and shows what a drag would do by the cursor.

use super::HeadWindow;
use crate::viewer::input::pointer::{Drag, Under};
use crate::viewer::window_host::{is_over_interface, to_logical};
use glam::Vec2;
use mohawk::render::OrbitCamera;
use mohawk::sim::Collider;
use winit::window::CursorIcon;

/// The inputs of a look-up: the pointer, the view and the colliders.
pub(super) type LookUp = (Vec2, OrbitCamera, Vec<Collider>);

impl HeadWindow {
    /// Performs the gestures and actions of this frame's input.
    pub(super) fn follow_input(&mut self, input: &three_d::FrameInput, typing: bool) {
        let ctx = self.host.gui.context().clone();
        let scene = self.app.view.size;
        let over_interface = |at: Vec2| is_over_interface(&ctx, scene, at);
        self.pointer.brushes = self.app.styling.on;
        for event in &input.events {
            let app = &self.app;
            let locate = |at: Vec2| match over_interface(at) {
                true => Under::Interface,
                false => app.locate(at),
            };
            let to_logical = |at| to_logical(input, at);
            let gesture = self.pointer.follow(event, to_logical, locate);
            // A drag goes on over the panel and outside the window.
            let held = self.pointer.drag.is_some();
            let position = self.pointer.position;
            self.app.pointer.at = position.filter(|&p| held || !over_interface(p));
            self.app.pointer_moved(position);
            if let Some(gesture) = gesture {
                self.app.gesture(&gesture);
            }
            if let Some(action) = self.pointer.key(event) {
                // People who type into a field do not mean shortcuts.
                if !typing && !ctx.text_edit_focused() {
                    self.perform(action);
                }
            }
        }
        self.show_cursor(over_interface);
    }

    /// Shows what a drag would do, or does, by the cursor and by marking a collider.
    fn show_cursor(&mut self, over_interface: impl Fn(Vec2) -> bool) {
        let icon = match (self.app.pointer.drag, self.pointer.position) {
            (Some(Drag::Head(_) | Drag::Collider(_)), _) => CursorIcon::Grabbing,
            (Some(Drag::Orbit | Drag::Pan), _) => CursorIcon::Move,
            (Some(Drag::Zoom), _) => CursorIcon::NsResize,
            (Some(Drag::Interface), _) => return,
            (Some(Drag::Brush), _) => CursorIcon::Crosshair,
            (None, Some(p)) if !over_interface(p) => match self.look_under(p) {
                Under::Head if self.app.styling.on => CursorIcon::Crosshair,
                Under::Head => CursorIcon::Grab,
                Under::Collider(grip) => {
                    self.app.pointer.colliders.hovered = Some(grip.index);
                    CursorIcon::Grab
                }
                Under::Interface | Under::Background => CursorIcon::Default,
            },
            _ => CursorIcon::Default,
        };
        self.host.window.set_cursor_icon(icon);
    }

    /// Returns the thing under the pointer. A look-up takes time on large heads, so it is repeated
    /// only after the pointer, the view or a collider has moved.
    fn look_under(&mut self, at: Vec2) -> Under {
        let app = &self.app;
        let colliders = app.settings.config.sim.colliders.clone();
        let inputs = (at, app.view.camera, colliders);
        match &self.hovered {
            Some((known, under)) if *known == inputs => *under,
            _ => {
                let under = app.locate(at);
                self.hovered = Some((inputs, under));
                under
            }
        }
    }
}
