//! Drags, turns of the wheel and touches in the scene.

use super::App;
use crate::viewer::input::collider_drag::resized;
use crate::viewer::input::{Drag, Gesture};
use crate::viewer::styling::FROZEN;

impl App {
    /// Performs a gesture of the pointer.
    pub(crate) fn gesture(&mut self, gesture: &Gesture) {
        let height = self.view.each().y;
        let camera = &mut self.view.camera;
        match *gesture {
            Gesture::Began(drag) => self.begin_drag(drag),
            Gesture::Ended => self.end_drag(),
            Gesture::Moved(Drag::Interface, _) => {}
            Gesture::Moved(Drag::Brush, _) => self.carry_brush(),
            Gesture::Moved(Drag::Line, _) => self.carry_line(),
            Gesture::Moved(Drag::Head(_), _)
                if self.playback.paused || self.styling.frozen || self.subject.is_headless() => {}
            Gesture::Moved(Drag::Head(kind), delta) => {
                let (yaw, pixel_size) = (camera.yaw, camera.pixel_size(height));
                self.playback.motion.drag(kind, delta, yaw, pixel_size);
            }
            Gesture::Moved(Drag::Collider(_), _) => self.carry_collider(),
            Gesture::Moved(Drag::Orbit, delta) => camera.orbit(delta),
            Gesture::Moved(Drag::Pan, delta) => camera.pan(delta, height),
            Gesture::Moved(Drag::Zoom, delta) => camera.zoom((delta.y * 0.008).exp()),
            Gesture::Zoomed(factor) => camera.zoom(factor),
            Gesture::Resized(index, factor) => {
                if let Some(collider) = self.settings.config.sim.colliders.get_mut(index) {
                    collider.radius = resized(collider.radius, factor);
                    self.subject.apply(&self.settings.config);
                }
            }
        }
    }

    fn begin_drag(&mut self, drag: Drag) {
        self.view.is_used |= drag != Drag::Interface;
        self.view.held_in = self.pointer.at.map(|pointer| self.view.side(pointer));
        match drag {
            Drag::Head(_) if self.subject.is_headless() => {}
            Drag::Head(_) if self.playback.paused => {
                let text = "Time is paused: Space goes on, . makes one step";
                self.overlay.notice(text);
            }
            Drag::Head(_) if self.styling.frozen => {
                self.overlay.notice(FROZEN);
            }
            Drag::Head(_) => {
                self.remembered.head_dragged = true;
                self.leave_scene();
            }
            Drag::Collider(grip) => {
                let all = &self.settings.config.sim.colliders;
                let ray = self.pointer_ray();
                _ = ray.map(|ray| self.pointer.colliders.take(grip, all, ray));
            }
            Drag::Brush => self.begin_stroke(),
            Drag::Line => self.begin_line(),
            Drag::Interface | Drag::Orbit | Drag::Pan | Drag::Zoom => {}
        }
        if !matches!(drag, Drag::Interface | Drag::Collider(_)) {
            self.pointer.colliders.selected = None;
        }
    }

    /// Releases all that is held: the window has lost the keyboard, or shows the doll.
    pub(crate) fn let_go(&mut self) {
        self.pointer.release_all();
        self.styling.sizing = None;
        if let Some(stroke) = self.open_stroke(true) {
            stroke.lifted = true;
        }
        self.end_drag();
    }

    /// Releases what is held.
    pub(crate) fn end_drag(&mut self) {
        if let Some(stroke) = self.open_stroke(false) {
            stroke.lifted = true;
        }
        self.end_line();
        self.view.held_in = None;
        self.pointer.colliders.release();
    }
}
