//! Fingers on the screen, as pointer events and gestures of the frame.

use crate::viewer::input::Gesture;
use crate::viewer::input::fingers::{Fingers, Touched};
use glam::Vec2;
use three_d::FrameInputGenerator;
use web_time::Instant;
use winit::dpi::PhysicalPosition;
use winit::event::{Touch, TouchPhase, WindowEvent};

/// The touches of a window.
#[derive(Default)]
pub(crate) struct Touches {
    fingers: Fingers,
    last: Option<Touch>,
    /// Physical pixels per logical one of the interface.
    pub(super) ratio: f32,
    /// The gestures of two fingers since the last frame.
    gestures: Vec<Gesture>,
    /// The place where a finger was pressed after it had rested, logical pixels.
    pub(crate) rested: Option<Vec2>,
}

impl Touches {
    /// Follows a touch: one finger is the pointer for `input`.
    pub(super) fn follow(&mut self, touch: &Touch, input: &mut FrameInputGenerator) {
        let place = Vec2::new(touch.location.x as f32, touch.location.y as f32);
        self.last = Some(*touch);
        let at = place / self.ratio.max(0.1);
        for touched in (self.fingers).follow(touch.id, touch.phase, at, Instant::now()) {
            match touched {
                Touched::Pointer(phase, at) => self.point(phase, at, input),
                Touched::Gesture(gesture) => self.gestures.push(gesture),
            }
        }
    }

    /// Presses where a finger has rested for long enough.
    pub(super) fn rest(&mut self, input: &mut FrameInputGenerator) {
        self.rested = self.fingers.rested(Instant::now());
        if let Some(at) = self.rested {
            self.point(TouchPhase::Started, at, input);
        }
    }

    /// Returns the time at which a finger has rested for long enough.
    pub(super) fn rests_at(&self) -> Option<Instant> {
        self.fingers.rests_at()
    }

    /// Returns the gestures since the last call.
    pub(crate) fn take(&mut self) -> Vec<Gesture> {
        std::mem::take(&mut self.gestures)
    }

    fn point(&self, phase: TouchPhase, at: Vec2, input: &mut FrameInputGenerator) {
        let Some(last) = self.last else {
            return;
        };
        let at = (at * self.ratio.max(0.1)).as_dvec2();
        input.handle_winit_window_event(&WindowEvent::Touch(Touch {
            phase,
            location: PhysicalPosition::new(at.x, at.y),
            id: 0,
            ..last
        }));
        if matches!(phase, TouchPhase::Ended | TouchPhase::Cancelled) {
            // A finger that is lifted points at nothing.
            let device_id = last.device_id;
            input.handle_winit_window_event(&WindowEvent::CursorLeft { device_id });
        }
    }
}
