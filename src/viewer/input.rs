//! Translates keys and pointer events to requests: who owns a drag (the interface, the head, a
//! brush or a collider), and what keys mean.
//!
//! `action` names what a key or a button asks for, `event_queue` holds back what the interface is not
//! ready for, `fingers` makes touches of pointer events and gestures, `key_owner` knows who gets keys
//! before the scene, `collider_drag` moves and resizes colliders, and `line_drawing` is a line that is
//! drawn on the head.

pub(crate) mod action;
pub(crate) mod collider_drag;
pub(crate) mod event_queue;
pub(crate) mod fingers;
pub(crate) mod key_owner;
pub(crate) mod line_drawing;

use crate::viewer::playback::HeadDrag;
use action::{Action, LabOverlay, NewCollider, SaveAs};
use collider_drag::{DragState, Grip};
use glam::Vec2;
use line_drawing::LineDrawing;
use mohawk::render::CameraView;
use mohawk::style::SelectBy;
use three_d::{Event, Key, Modifiers, MouseButton};

/// Owner of a drag, decided when the button goes down and kept until it goes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drag {
    /// The panel or another part of the interface.
    Interface,
    /// The head.
    Head(HeadDrag),
    /// A collider, or one of its ends.
    Collider(Grip),
    /// The brush.
    Brush,
    /// A line that is drawn on the head.
    Line,
    /// The camera: around, sideways, nearer.
    Orbit,
    Pan,
    Zoom,
}

/// The thing under the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Under {
    Interface,
    Head,
    Collider(Grip),
    Background,
}

/// Pointer and key state between frames.
#[derive(Debug, Default)]
pub(crate) struct Pointer {
    /// Logical pixels from the top left; `None` before the pointer is first seen.
    pub(crate) position: Option<Vec2>,
    /// Its position, if it is in the scene.
    pub(crate) at: Option<Vec2>,
    /// `true` if the interface saw a button down.
    pub(crate) pressed: bool,
    pub(crate) drag: Option<Drag>,
    /// The colliders that are pointed at, selected and held.
    pub(crate) colliders: DragState,
    /// A brush is in hand.
    pub(crate) brushes: bool,
    /// The line that the next drag on the head draws.
    pub(crate) line: Option<LineDrawing>,
    /// The modifiers of the last event.
    seen: Modifiers,
    /// Modifiers that were held when the window lost the keyboard, and whose release it never saw:
    /// events go on carrying them until they are pressed and released again.
    stuck: Modifiers,
    button: Option<MouseButton>,
    h_held: bool,
    pub(crate) held: HeldKeys,
}

/// The keys that are down: a held key repeats, its command does not.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeldKeys(Vec<Key>);

impl HeldKeys {
    /// Follows an event. Returns `true` for a key that was down already.
    pub(crate) fn repeats(&mut self, event: &Event) -> bool {
        match event {
            Event::KeyRelease { kind, .. } => self.0.retain(|down| down != kind),
            Event::KeyPress { kind, .. } if self.0.contains(kind) => return true,
            Event::KeyPress { kind, .. } => self.0.push(*kind),
            _ => {}
        }
        false
    }
}

/// The effect of one event of the pointer on the scene.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Gesture {
    /// A drag began.
    Began(Drag),
    /// The pointer moved by these logical pixels (y down).
    Moved(Drag, Vec2),
    /// The drag ended.
    Ended,
    /// The wheel turned; above 1: farther.
    Zoomed(f32),
    /// The wheel turned with Ctrl held over a collider; above 1: larger.
    Resized(usize, f32),
}

impl Pointer {
    /// The window lost the keyboard or the pointer's button: forget what was held.
    pub(crate) fn release_all(&mut self) {
        self.h_held = false;
        self.drag = None;
        self.button = None;
        self.held = HeldKeys::default();
        self.stuck = self.seen;
    }

    /// Returns `true` if Shift is held.
    pub(crate) fn is_shifted(&self) -> bool {
        self.seen.shift && !self.stuck.shift
    }

    /// Returns the modifiers that are really held, given those that an event carries.
    fn held(&mut self, carried: Modifiers) -> Modifiers {
        self.seen = carried;
        let held = |carried: bool, stuck: &mut bool| {
            *stuck &= carried;
            carried && !*stuck
        };
        Modifiers {
            alt: held(carried.alt, &mut self.stuck.alt),
            shift: held(carried.shift, &mut self.stuck.shift),
            ctrl: held(carried.ctrl, &mut self.stuck.ctrl),
            command: held(carried.command, &mut self.stuck.command),
        }
    }

    /// Returns the drag that a press of `button` over `under` starts.
    fn drag_for(&self, button: MouseButton, under: Under, modifiers: Modifiers) -> Drag {
        let head = match (modifiers.alt, modifiers.shift) {
            (true, _) => HeadDrag::Shift,
            (_, true) => HeadDrag::Turn,
            _ => HeadDrag::Swing,
        };
        match (button, under) {
            (_, Under::Interface) => Drag::Interface,
            (MouseButton::Middle, _) => Drag::Pan,
            (MouseButton::Right, _) => Drag::Zoom,
            (MouseButton::Left, _) if self.h_held => Drag::Head(head),
            (MouseButton::Left, Under::Head) if self.line.is_some() => Drag::Line,
            (MouseButton::Left, Under::Head) if self.brushes => Drag::Brush,
            (MouseButton::Left, Under::Head) => Drag::Head(head),
            (MouseButton::Left, Under::Collider(grip)) => Drag::Collider(grip),
            (MouseButton::Left, Under::Background) if modifiers.shift => Drag::Pan,
            (MouseButton::Left, Under::Background) => Drag::Orbit,
        }
    }

    /// Follows one event. `under` is under the place of a press or a turn of the wheel.
    pub(crate) fn follow(
        &mut self,
        event: &Event,
        to_logical: impl Fn(three_d::PhysicalPoint) -> Vec2,
        under: Under,
    ) -> Option<Gesture> {
        match event {
            Event::MousePress {
                button,
                position,
                modifiers,
                ..
            } => {
                let modifiers = self.held(*modifiers);
                self.position = Some(to_logical(*position));
                if self.drag.is_some() {
                    return None; // a second button does not take a drag over
                }
                let drag = self.drag_for(*button, under, modifiers);
                self.drag = Some(drag);
                self.button = Some(*button);
                Some(Gesture::Began(drag))
            }
            Event::MouseRelease { button, .. } if self.button == Some(*button) => {
                self.button = None;
                self.drag.take().map(|_| Gesture::Ended)
            }
            Event::MouseMotion {
                delta, position, ..
            } => {
                self.position = Some(to_logical(*position));
                let drag = self.drag?;
                Some(Gesture::Moved(drag, Vec2::new(delta.0, delta.1)))
            }
            Event::MouseWheel {
                delta,
                handled: false,
                modifiers,
                ..
            } => {
                let factor = wheel_factor(*delta);
                let ctrl = self.held(*modifiers).ctrl;
                match under {
                    Under::Interface => None,
                    Under::Collider(grip) if ctrl => Some(Gesture::Resized(grip.index, factor)),
                    _ => Some(Gesture::Zoomed(factor.recip())),
                }
            }
            Event::PinchGesture {
                delta,
                handled: false,
                ..
            } => Some(Gesture::Zoomed((-delta).exp())),
            _ => None,
        }
    }

    /// Returns the action of a key. Keys that the interface handled are marked.
    pub(crate) fn key(&mut self, event: &Event) -> Option<Action> {
        let repeated = self.held.repeats(event);
        match event {
            Event::KeyRelease { kind, .. } => {
                self.h_held &= *kind != Key::H;
                (*kind == Key::F).then_some(Action::EndSizing)
            }
            Event::ModifiersChange { modifiers } => {
                self.held(*modifiers);
                None
            }
            Event::Text(text) => action_of_sign(text),
            Event::KeyPress {
                kind,
                modifiers,
                handled,
            } => {
                let modifiers = self.held(*modifiers);
                let command = modifiers.ctrl || modifiers.command;
                self.h_held |= *kind == Key::H && !command && !handled;
                let of_lab = lab_action(*kind).filter(|_| modifiers.shift && !command);
                let action = match (*kind, command) {
                    (Key::F, false) if self.brushes => Some(Action::BeginSizing(modifiers.shift)),
                    (Key::M, false) if self.brushes => Some(Action::ToggleMirror),
                    (Key::J, false) if self.brushes => Some(Action::ToggleGuides),
                    (Key::A, false) if self.brushes && !modifiers.shift => {
                        let by = if modifiers.alt {
                            SelectBy::None
                        } else {
                            SelectBy::All
                        };
                        Some(Action::Select(by))
                    }
                    (Key::I, true) if self.brushes => Some(Action::Select(SelectBy::Invert)),
                    (Key::E, false) => Some(Action::PickColor),
                    (Key::S, true) if modifiers.shift => Some(Action::AskToSave(SaveAs::Style)),
                    (Key::E, true) => Some(Action::AskToSave(SaveAs::Hair)),
                    (Key::L, false) if self.brushes => Some(Action::Select(SelectBy::Clump)),
                    (key, _) => of_lab
                        .or_else(|| common_action(key, modifiers.shift, command))
                        .or_else(|| head_action(key, command)),
                };
                // Shift with a digit is a sign, `/` on many keyboards.
                let is_sign = modifiers.shift && matches!(action, Some(Action::View(_)));
                let action = action.filter(|_| !handled && !is_sign);
                // A held key steps on and on, but toggles, saves and quits only once.
                action.filter(|action| !repeated || *action == Action::StepOnce)
            }
            _ => None,
        }
    }
}

/// The factor by which a key makes the brush larger.
const BRUSH_STEP: f32 = 1.15;

/// Returns the factor of a turn of the wheel.
pub(crate) fn wheel_factor(delta: (f32, f32)) -> f32 {
    (delta.1 / 24.0 * 0.12).exp()
}

/// Returns the action of a sign, wherever the keyboard has it.
pub(crate) fn action_of_sign(sign: &str) -> Option<Action> {
    match sign {
        "?" => Some(Action::ToggleSheet),
        "/" => Some(Action::Search),
        "[" => Some(Action::ResizeBrush(1.0 / BRUSH_STEP)),
        "]" => Some(Action::ResizeBrush(BRUSH_STEP)),
        _ => None,
    }
}

/// Returns the action that a key has for the head and for the doll.
pub(crate) fn common_action(key: Key, shift: bool, command: bool) -> Option<Action> {
    Some(match (key, command) {
        (Key::Z, true) if !shift => Action::Undo,
        (Key::Z | Key::Y, true) => Action::Redo,
        (Key::O, true) => Action::Open,
        (Key::Q, true) => Action::Close,
        (Key::S, true) => Action::Save,
        (Key::R, true) => Action::ToggleStrokes,
        (Key::R, false) => Action::Reset,
        (Key::F12, transparent) => Action::Screenshot { transparent },
        (Key::N, false) => Action::TogglePanel,
        (Key::F1, _) => Action::ToggleSheet,
        (Key::Escape, _) => Action::Escape,
        _ => return None,
    })
}

/// Returns the action of a key with Shift: an overlay of the laboratory.
fn lab_action(key: Key) -> Option<Action> {
    match key {
        Key::S => Some(Action::PickStrand),
        Key::C => Some(Action::ToggleRecording),
        _ => {
            let mut all = LabOverlay::ALL.into_iter();
            all.find(|overlay| overlay.key() == key)
                .map(Action::ToggleLab)
        }
    }
}

/// Returns the number of the preset that Ctrl with a digit chooses.
fn preset_of(key: Key) -> Option<usize> {
    use Key::{Num1, Num2, Num3, Num4, Num5, Num6, Num7, Num8, Num9};
    let digits = [Num1, Num2, Num3, Num4, Num5, Num6, Num7, Num8, Num9];
    digits.iter().position(|digit| *digit == key)
}

/// Returns the action that a key has for the head alone.
fn head_action(key: Key, command: bool) -> Option<Action> {
    Some(match (key, command) {
        (key, true) if preset_of(key).is_some() => return preset_of(key).map(Action::Preset),
        (Key::Num1, false) => Action::View(CameraView::Front),
        (Key::Num3, false) => Action::View(CameraView::Side),
        (Key::Num7, false) => Action::View(CameraView::Top),
        (Key::Enter, _) => Action::ResetCamera,
        (Key::D, false) => Action::ToggleRoots,
        (Key::S, false) => Action::NextSolver,
        (Key::F, true) => Action::Search,
        (Key::B, false) => Action::ToggleBrush,
        (Key::T, false) => Action::ToggleFreeze,
        (Key::U, false) => Action::ToggleCanvas,
        (Key::P, false) => Action::Doll,
        (Key::G, false) => Action::ToggleGraphs,
        (Key::V, false) => Action::ToggleSplit,
        (Key::C, false) => Action::AddCollider(NewCollider::AtPointer),
        (Key::Delete, _) => Action::RemoveCollider(None),
        (Key::Space, _) => Action::TogglePause,
        (Key::Period, _) => Action::StepOnce,
        (Key::Home, _) => Action::Restart,
        (Key::Minus, false) => Action::Slower,
        (Key::Plus | Key::Equals, false) => Action::Faster,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
