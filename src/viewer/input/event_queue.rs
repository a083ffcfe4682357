//! The events of a frame: those after which the interface has to follow first wait for the next one.

use three_d::{Event, Key};

/// Events that wait for the next frame.
#[derive(Default)]
pub(crate) struct EventQueue {
    waiting: Vec<Event>,
}

impl EventQueue {
    /// Returns the events of a frame, given those that are new. The interface sees a frame's events
    /// at once, with the pointer where it is last and the keyboard with whom it was. So a frame ends
    /// with a press or a release of a button after which the pointer moves, with a key that gives
    /// the keyboard to a field, with one that ends a question, a menu or typing, and with text before
    /// Enter: a field that is shown for the first time does not see both.
    pub(crate) fn frame(&mut self, new: Vec<Event>) -> Vec<Event> {
        let mut events = std::mem::take(&mut self.waiting);
        events.extend(new);
        let last = (0..events.len()).find(|&i| ends_frame(&events[i], &events[i + 1..]));
        if let Some(last) = last {
            self.waiting = events.split_off(last + 1);
        }
        events
    }

    /// Returns `true` if no event waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

/// Returns `true` if a frame ends with an event, which others follow.
fn ends_frame(event: &Event, next: &[Event]) -> bool {
    let goes_on = |event: &Event| matches!(event, Event::MouseMotion { .. } | Event::MouseLeave);
    let enters =
        |event: &Event| matches!(event, Event::KeyPress { kind, .. } if *kind == Key::Enter);
    let is_button =
        |event: &Event| matches!(event, Event::MousePress { .. } | Event::MouseRelease { .. });
    match event {
        // A tap is one frame, or it would be no click where frames take long.
        event if is_button(event) => {
            let mut next = next.iter().take_while(|event| !is_button(event));
            next.any(goes_on)
        }
        Event::Text(sign) if sign == "/" => true,
        Event::Text(_) | Event::KeyRelease { .. } => next.first().is_some_and(enters),
        Event::KeyPress {
            kind, modifiers, ..
        } => {
            let is_command = modifiers.ctrl || modifiers.command;
            let opens = matches!(kind, Key::F | Key::E) || *kind == Key::S && modifiers.shift;
            matches!(kind, Key::Escape | Key::Enter) || is_command && opens
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use three_d::{Modifiers, MouseButton, PhysicalPoint};

    fn place(x: f32) -> PhysicalPoint {
        PhysicalPoint { x, y: 0.0 }
    }

    fn moved(x: f32) -> Event {
        Event::MouseMotion {
            button: None,
            delta: (0.0, 0.0),
            position: place(x),
            modifiers: Modifiers::default(),
            handled: false,
        }
    }

    fn button(x: f32, pressed: bool) -> Event {
        let (button, position) = (MouseButton::Left, place(x));
        let (modifiers, handled) = (Modifiers::default(), false);
        match pressed {
            true => Event::MousePress {
                button,
                position,
                modifiers,
                handled,
            },
            false => Event::MouseRelease {
                button,
                position,
                modifiers,
                handled,
            },
        }
    }

    fn key(kind: Key, ctrl: bool) -> Event {
        let modifiers = Modifiers {
            ctrl,
            ..Modifiers::default()
        };
        Event::KeyPress {
            kind,
            modifiers,
            handled: false,
        }
    }

    /// Returns the number of events in each frame, of events that come at once.
    fn frames(events: Vec<Event>) -> Vec<usize> {
        let mut queue = EventQueue::default();
        let mut counts = vec![queue.frame(events).len()];
        while !queue.is_empty() {
            counts.push(queue.frame(Vec::new()).len());
        }
        counts
    }

    #[test]
    fn a_frame_ends_with_a_button_and_with_a_key_that_moves_the_keyboard() {
        let text = |sign: &str| Event::Text(sign.to_owned());
        let click = || [button(1.0, true), button(1.0, false)];
        let [press, release] = click();
        assert_eq!(
            frames(vec![moved(0.0), press, moved(1.0), release, moved(2.0)]),
            [2, 2, 1]
        );
        assert_eq!(frames(click().into()), [2], "nothing follows");
        let leave = || Event::MouseLeave;
        assert_eq!(frames([&click()[..], &[leave()]].concat()), [2, 1], "a tap");
        assert_eq!(frames([click(), click()].concat()), [4], "a double click");
        let search = || [key(Key::F, true), key(Key::P, false), text("p")];
        assert_eq!(frames(search().into()), [1, 2]);
        assert_eq!(frames([search(), search()].concat()), [1, 3, 2]);
        assert_eq!(frames(vec![key(Key::F, false), text("f")]), [2], "a brush");
        assert_eq!(
            frames(vec![
                key(Key::X, false),
                key(Key::Escape, false),
                key(Key::S, true)
            ]),
            [2, 1],
            "a question may end"
        );
        assert_eq!(
            frames(vec![key(Key::Enter, false), key(Key::S, true)]),
            [1, 1]
        );
        assert_eq!(
            frames(vec![key(Key::Slash, false), text("/"), text("p")]),
            [2, 1]
        );
        assert_eq!(
            frames(vec![text("a"), text("b"), key(Key::Enter, false)]),
            [2, 1]
        );
        assert_eq!(frames(Vec::new()), [0]);
    }

    #[test]
    fn events_that_wait_come_first() {
        let mut queue = EventQueue::default();
        queue.frame(vec![button(1.0, false), moved(2.0)]);
        assert!(!queue.is_empty());
        let next = queue.frame(vec![button(3.0, true)]);
        assert!(matches!(
            next[..],
            [Event::MouseMotion { .. }, Event::MousePress { .. }]
        ));
        assert!(queue.is_empty());
    }
}
