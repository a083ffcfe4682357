use super::*;
use crate::viewer::input::collider_drag::Part;

const NONE: Modifiers = Modifiers {
    alt: false,
    ctrl: false,
    shift: false,
    command: false,
};
const SHIFT: Modifiers = Modifiers {
    shift: true,
    ..NONE
};
const ALT: Modifiers = Modifiers { alt: true, ..NONE };
const GRIP: Grip = Grip {
    index: 1,
    part: Part::To,
};

fn press(button: MouseButton, modifiers: Modifiers) -> Event {
    Event::MousePress {
        button,
        position: three_d::PhysicalPoint { x: 5.0, y: 5.0 },
        modifiers,
        handled: false,
    }
}

fn motion(button: Option<MouseButton>) -> Event {
    Event::MouseMotion {
        button,
        delta: (3.0, -2.0),
        position: three_d::PhysicalPoint { x: 8.0, y: 7.0 },
        modifiers: NONE,
        handled: false,
    }
}

fn key_press(kind: Key, modifiers: Modifiers) -> Event {
    Event::KeyPress {
        kind,
        modifiers,
        handled: false,
    }
}

fn at(p: three_d::PhysicalPoint) -> Vec2 {
    Vec2::new(p.x, p.y)
}

#[test]
fn the_owner_of_a_drag_is_decided_at_the_press_and_kept() {
    use MouseButton::{Left, Middle, Right};
    for (button, modifiers, under, expected) in [
        (Left, NONE, Under::Head, Drag::Head(HeadDrag::Swing)),
        (Left, SHIFT, Under::Head, Drag::Head(HeadDrag::Turn)),
        (Left, ALT, Under::Head, Drag::Head(HeadDrag::Shift)),
        (Left, NONE, Under::Collider(GRIP), Drag::Collider(GRIP)),
        (Left, SHIFT, Under::Collider(GRIP), Drag::Collider(GRIP)),
        (Middle, NONE, Under::Collider(GRIP), Drag::Pan),
        (Left, NONE, Under::Background, Drag::Orbit),
        (Left, SHIFT, Under::Background, Drag::Pan),
        (Middle, NONE, Under::Head, Drag::Pan),
        (Right, NONE, Under::Background, Drag::Zoom),
        (Left, NONE, Under::Interface, Drag::Interface),
    ] {
        let mut pointer = Pointer::default();
        let began = pointer.follow(&press(button, modifiers), at, under);
        assert_eq!(began, Some(Gesture::Began(expected)));
        // Leaving the window makes the toolkit forget the button; the drag goes on.
        let moved = pointer.follow(&motion(None), at, Under::Interface);
        assert_eq!(moved, Some(Gesture::Moved(expected, Vec2::new(3.0, -2.0))));
    }
}

#[test]
fn a_line_that_is_asked_for_is_drawn_before_a_brush_and_on_the_head_alone() {
    let mut pointer = Pointer {
        line: Some(line_drawing::LineDrawing::of(0)),
        brushes: true,
        ..Pointer::default()
    };
    let press = press(MouseButton::Left, NONE);
    for (under, expected) in [(Under::Head, Drag::Line), (Under::Background, Drag::Orbit)] {
        pointer.drag = None;
        let began = pointer.follow(&press, at, under);
        assert_eq!(began, Some(Gesture::Began(expected)));
    }
}

#[test]
fn holding_h_swings_from_anywhere() {
    let mut pointer = Pointer::default();
    assert_eq!(pointer.key(&key_press(Key::H, NONE)), None);
    let press = press(MouseButton::Left, NONE);
    for under in [Under::Background, Under::Collider(GRIP)] {
        pointer.drag = None;
        let swing = Gesture::Began(Drag::Head(HeadDrag::Swing));
        assert_eq!(pointer.follow(&press, at, under), Some(swing));
    }
    pointer.release_all();
    let began = pointer.follow(&press, at, Under::Background);
    let orbit = Some(Gesture::Began(Drag::Orbit));
    assert_eq!(began, orbit, "a lost keyboard lets go of H");
}

#[test]
fn the_wheel_zooms_and_with_ctrl_over_a_collider_resizes_it() {
    let wheel = |ctrl| Event::MouseWheel {
        delta: (0.0, 24.0),
        position: three_d::PhysicalPoint { x: 5.0, y: 5.0 },
        modifiers: Modifiers { ctrl, ..NONE },
        handled: false,
    };
    let mut pointer = Pointer::default();
    let mut turned = |ctrl, under| pointer.follow(&wheel(ctrl), at, under);
    let resized = turned(true, Under::Collider(GRIP));
    assert!(matches!(resized, Some(Gesture::Resized(1, factor)) if factor > 1.0));
    for (ctrl, under) in [(true, Under::Head), (false, Under::Collider(GRIP))] {
        let zoomed = turned(ctrl, under);
        assert!(matches!(zoomed, Some(Gesture::Zoomed(factor)) if factor < 1.0));
    }
    assert_eq!(turned(true, Under::Interface), None);
}

#[test]
fn modifiers_released_while_another_window_had_the_keyboard_do_not_stick() {
    let mut pointer = Pointer::default();
    assert!(pointer.held(ALT).alt);
    pointer.release_all();
    assert!(!pointer.held(ALT).alt, "carried on, but not held");
    assert!(!pointer.held(NONE).alt);
    assert!(pointer.held(ALT).alt, "pressed again");
    // Those that are pressed after the window got the keyboard back count at once.
    pointer.release_all();
    pointer.key(&Event::ModifiersChange { modifiers: SHIFT });
    let particles = Action::ToggleLab(LabOverlay::Particles);
    let press = key_press(Key::P, SHIFT);
    assert_eq!(pointer.key(&press), Some(particles));
}

#[test]
fn shift_and_a_letter_are_the_laboratory_and_no_other_command() {
    let pressed = |kind, shift| {
        let modifiers = Modifiers { shift, ..NONE };
        Pointer::default().key(&key_press(kind, modifiers))
    };
    assert_eq!(pressed(Key::R, false), Some(Action::Reset));
    let rest = Action::ToggleLab(LabOverlay::RestCurves);
    assert_eq!(pressed(Key::R, true), Some(rest));
    assert_eq!(pressed(Key::S, true), Some(Action::PickStrand));
    assert_eq!(pressed(Key::F12, true), pressed(Key::F12, false));
    for (i, overlay) in LabOverlay::ALL.into_iter().enumerate() {
        assert_eq!(overlay as usize, i);
        let toggled = Some(Action::ToggleLab(overlay));
        assert_eq!(pressed(overlay.key(), true), toggled, "a key of its own");
    }
}

#[test]
fn a_held_key_commands_once() {
    let mut pointer = Pointer::default();
    for expected in [Some(Action::Escape), None, None] {
        assert_eq!(pointer.key(&key_press(Key::Escape, NONE)), expected);
    }
    for _ in 0..3 {
        let step = pointer.key(&key_press(Key::Period, NONE));
        assert_eq!(step, Some(Action::StepOnce), "steps repeat");
    }
}

#[test]
fn the_search_opens_with_a_brush_in_hand_too() {
    let mut pointer = Pointer {
        brushes: true,
        ..Pointer::default()
    };
    let ctrl = Modifiers { ctrl: true, ..NONE };
    let search = Some(Action::Search);
    assert_eq!(pointer.key(&Event::Text("/".to_owned())), search);
    assert_eq!(pointer.key(&key_press(Key::F, ctrl)), search);
}
