//! The pointer and the keys over the scene: gestures, actions and the cursor.

use super::HeadWindow;
use crate::viewer::input::action::Action;
use crate::viewer::input::key_owner::KeyOwner;
use crate::viewer::input::{Drag, Gesture, Under};
use crate::viewer::interface::eyedropper;
use crate::viewer::window_host::interface::{is_over_interface, to_logical};
use glam::Vec2;
use three_d::{FrameInput, MouseButton};
use winit::window::CursorIcon;

impl HeadWindow {
    /// Performs the gestures and actions of this frame's input.
    pub(super) fn follow_input(&mut self, input: &FrameInput, keys: &KeyOwner) {
        let ctx = self.host.gui.context().clone();
        let scene = self.app.view.size;
        let over_interface = |at: Vec2| is_over_interface(&ctx, scene, at);
        for gesture in self.host.touches.take() {
            self.app.gesture(&gesture);
        }
        if let Some(at) = self.host.touches.rested.filter(|&at| !over_interface(at)) {
            self.lend_brush(at);
        }
        self.app.pointer.brushes = self.app.styling.on;
        let to_logical = |at| to_logical(input, at);
        for event in &input.events {
            let place = match event {
                three_d::Event::MousePress { position, .. }
                | three_d::Event::MouseWheel { position, .. } => Some(to_logical(*position)),
                _ => None,
            };
            let place = place.filter(|&at| !over_interface(at));
            if let three_d::Event::MousePress {
                button: MouseButton::Left,
                position,
                ..
            } = event
                && place.is_some()
                && eyedropper::waiting(&ctx).is_some()
            {
                self.picked = Some(*position);
                continue;
            }
            let under = place.map_or(Under::Interface, |at| match event {
                // Only with Ctrl does the wheel ask for the head, and a look-up takes time.
                three_d::Event::MouseWheel { modifiers, .. } if !modifiers.ctrl => {
                    Under::Background
                }
                _ => self.app.locate(at),
            });
            let pointer = &mut self.app.pointer;
            let gesture = pointer.follow(event, to_logical, under);
            // A drag goes on over the panel and outside the window.
            let held = pointer.drag.is_some();
            pointer.at = (pointer.position).filter(|&at| held || !over_interface(at));
            self.app.pointer_moved();
            if let Some(gesture) = gesture {
                self.acted |= matches!(gesture, Gesture::Began(_) | Gesture::Ended);
                self.app.gesture(&gesture);
                if gesture == Gesture::Ended && std::mem::take(&mut self.brush_is_lent) {
                    self.app.perform(Action::ToggleBrush);
                }
            }
            let is_taken = keys.takes(&ctx, event);
            let action = self.app.pointer.key(event);
            // A key that is let go ends what it began, whoever has the keyboard by then.
            let ends = action == Some(Action::EndSizing);
            if let Some(action) = action.filter(|_| ends || !is_taken) {
                self.perform(action);
            }
        }
        self.show_cursor(over_interface);
    }

    /// Takes the brush in hand until the finger that rests on the head is lifted.
    fn lend_brush(&mut self, at: Vec2) {
        if !self.app.styling.on && self.app.locate(at) == Under::Head {
            (self.app.styling.on, self.brush_is_lent) = (true, true);
            self.acted = true;
        }
    }

    /// Shows what a drag would do, or does, by the cursor and by marking a collider.
    fn show_cursor(&mut self, over_interface: impl Fn(Vec2) -> bool) {
        let waits = eyedropper::waiting(self.host.gui.context()).is_some();
        let icon = match (self.app.pointer.drag, self.app.pointer.position) {
            _ if waits => CursorIcon::Crosshair,
            (Some(Drag::Head(_) | Drag::Collider(_)), _) => CursorIcon::Grabbing,
            (Some(Drag::Orbit | Drag::Pan), _) => CursorIcon::Move,
            (Some(Drag::Zoom), _) => CursorIcon::NsResize,
            (Some(Drag::Interface), _) => return,
            (Some(Drag::Brush | Drag::Line), _) => CursorIcon::Crosshair,
            (None, Some(p)) if !over_interface(p) => match self.look_under(p) {
                Under::Head if self.app.styling.on || self.app.pointer.line.is_some() => {
                    CursorIcon::Crosshair
                }
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
        let colliders = &self.app.settings.config.sim.colliders;
        let now = (at, self.app.view.camera, colliders);
        match &self.hovered {
            Some((at, camera, all, under)) if (*at, *camera, all) == now => *under,
            _ => {
                let under = self.app.locate(at);
                self.hovered = Some((at, now.1, colliders.clone(), under));
                under
            }
        }
    }
}
