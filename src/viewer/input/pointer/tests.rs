use super::*;
use crate::viewer::input::collider_drag::Part;

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
        modifiers: Modifiers::default(),
        handled: false,
    }
}

fn key_press(kind: Key) -> Event {
    Event::KeyPress {
        kind,
        modifiers: Modifiers::default(),
        handled: false,
    }
}

fn at(p: three_d::PhysicalPoint) -> Vec2 {
    Vec2::new(p.x, p.y)
}

#[test]
fn the_owner_of_a_drag_is_decided_at_the_press_and_kept() {
    let none = Modifiers::default();
    let shift = Modifiers {
        shift: true,
        ..none
    };
    let alt = Modifiers { alt: true, ..none };
    use MouseButton::{Left, Middle, Right};
    let grip = Grip {
        index: 2,
        part: Part::To,
    };
    for (button, modifiers, under, expected) in [
        (Left, none, Under::Head, Drag::Head(HeadDrag::Swing)),
        (Left, shift, Under::Head, Drag::Head(HeadDrag::Turn)),
        (Left, alt, Under::Head, Drag::Head(HeadDrag::Shift)),
        (Left, none, Under::Collider(grip), Drag::Collider(grip)),
        (Left, shift, Under::Collider(grip), Drag::Collider(grip)),
        (Middle, none, Under::Collider(grip), Drag::Pan),
        (Left, none, Under::Background, Drag::Orbit),
        (Left, shift, Under::Background, Drag::Pan),
        (Middle, none, Under::Head, Drag::Pan),
        (Right, none, Under::Background, Drag::Zoom),
        (Left, none, Under::Interface, Drag::Interface),
    ] {
        let mut pointer = Pointer::default();
        let began = pointer.follow(&press(button, modifiers), at, |_| under);
        assert_eq!(began, Some(Gesture::Began(expected)));
        // Leaving the window makes the toolkit forget the button; the drag goes on.
        let moved = pointer.follow(&motion(None), at, |_| Under::Interface);
        assert_eq!(moved, Some(Gesture::Moved(expected, Vec2::new(3.0, -2.0))));
    }
}

#[test]
fn holding_h_swings_from_anywhere() {
    let mut pointer = Pointer::default();
    assert_eq!(pointer.key(&key_press(Key::H)), None);
    let began = pointer.follow(&press(MouseButton::Left, Modifiers::default()), at, |_| {
        Under::Background
    });
    assert_eq!(began, Some(Gesture::Began(Drag::Head(HeadDrag::Swing))));
    pointer.drag = None;
    let collider = Under::Collider(Grip {
        index: 0,
        part: Part::Whole,
    });
    let press_left = press(MouseButton::Left, Modifiers::default());
    let began = pointer.follow(&press_left, at, |_| collider);
    assert_eq!(began, Some(Gesture::Began(Drag::Head(HeadDrag::Swing))));
    pointer.release_all();
    let began = pointer.follow(&press(MouseButton::Left, Modifiers::default()), at, |_| {
        Under::Background
    });
    let lets_go = "a lost keyboard lets go of H";
    assert_eq!(began, Some(Gesture::Began(Drag::Orbit)), "{lets_go}");
}

#[test]
fn the_wheel_zooms_and_with_ctrl_over_a_collider_resizes_it() {
    let grip = Grip {
        index: 1,
        part: Part::Whole,
    };
    let wheel = |ctrl| Event::MouseWheel {
        delta: (0.0, 24.0),
        position: three_d::PhysicalPoint { x: 5.0, y: 5.0 },
        modifiers: Modifiers {
            ctrl,
            ..Modifiers::default()
        },
        handled: false,
    };
    let mut pointer = Pointer::default();
    let mut turned = |ctrl, under| pointer.follow(&wheel(ctrl), at, |_| under);
    let resized = turned(true, Under::Collider(grip));
    assert!(matches!(resized, Some(Gesture::Resized(1, factor)) if factor > 1.0));
    for (ctrl, under) in [(true, Under::Head), (false, Under::Collider(grip))] {
        let zoomed = turned(ctrl, under);
        assert!(matches!(zoomed, Some(Gesture::Zoomed(factor)) if factor < 1.0));
    }
    assert_eq!(turned(true, Under::Interface), None);
}

#[test]
fn a_modifier_released_while_another_window_had_the_keyboard_does_not_stick() {
    let alt = Modifiers {
        alt: true,
        ..Modifiers::default()
    };
    let none = Modifiers::default();
    let mut stuck = StuckModifiers::default();
    assert!(stuck.without(alt).alt);
    stuck.lose_keyboard();
    assert!(!stuck.without(alt).alt, "carried on, but not held");
    assert!(!stuck.without(none).alt);
    assert!(stuck.without(alt).alt, "pressed again");
}

#[test]
fn a_modifier_pressed_after_the_window_got_the_keyboard_back_counts_at_once() {
    let shift = Modifiers {
        shift: true,
        ..Modifiers::default()
    };
    let mut pointer = Pointer::default();
    pointer.release_all();
    pointer.key(&Event::ModifiersChange { modifiers: shift });
    let press = Event::KeyPress {
        kind: Key::P,
        modifiers: shift,
        handled: false,
    };
    let particles = Action::ToggleLab(LabOverlay::Particles);
    assert_eq!(pointer.key(&press), Some(particles));
}

#[test]
fn shift_and_a_letter_are_the_laboratory_and_no_other_command() {
    let press = |kind, shift| Event::KeyPress {
        kind,
        modifiers: Modifiers {
            shift,
            ..Modifiers::default()
        },
        handled: false,
    };
    let pressed = |kind, shift| Pointer::default().key(&press(kind, shift));
    assert_eq!(pressed(Key::R, false), Some(Action::Reset));
    let rest = Action::ToggleLab(LabOverlay::RestCurves);
    assert_eq!(pressed(Key::R, true), Some(rest));
    assert_eq!(pressed(Key::S, true), Some(Action::PickStrand));
    assert_eq!(pressed(Key::F12, true), pressed(Key::F12, false));
    for (i, overlay) in LabOverlay::ALL.into_iter().enumerate() {
        assert_eq!(overlay as usize, i);
        let toggled = pressed(overlay.key(), true);
        assert_eq!(
            toggled,
            Some(Action::ToggleLab(overlay)),
            "a key of its own"
        );
    }
}

#[test]
fn a_held_key_commands_once() {
    let mut pointer = Pointer::default();
    for expected in [Some(Action::Escape), None, None] {
        assert_eq!(pointer.key(&key_press(Key::Escape)), expected);
    }
    for _ in 0..3 {
        let step = pointer.key(&key_press(Key::Period));
        assert_eq!(step, Some(Action::StepOnce), "steps repeat");
    }
}
