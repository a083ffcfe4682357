//! Touches: one finger is the pointer, two move the camera and go nearer, and one that rests takes
//! the brush.

use super::{Drag, Gesture};
use glam::Vec2;
use web_time::{Duration, Instant};
use winit::event::TouchPhase;

/// The way that a finger may move before it drags, logical pixels.
const SLOP: f32 = 8.0;
/// The time after which a finger that rests takes the brush.
const REST: Duration = Duration::from_millis(450);

/// The effect of a touch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Touched {
    /// The pointer is pressed, moved or released here, logical pixels.
    Pointer(TouchPhase, Vec2),
    /// Two fingers do this.
    Gesture(Gesture),
}

/// The fingers on the screen.
#[derive(Default)]
pub(crate) struct Fingers {
    /// Their numbers and places, logical pixels, in the order in which they came.
    down: Vec<(u64, Vec2)>,
    /// The place and time of a first finger that has not moved yet: a second one may follow.
    waits: Option<(Vec2, Instant)>,
    /// `true` from the second finger on until all are lifted.
    are_two: bool,
}

impl Fingers {
    /// Follows a touch.
    pub(crate) fn follow(
        &mut self,
        finger: u64,
        phase: TouchPhase,
        at: Vec2,
        now: Instant,
    ) -> Vec<Touched> {
        match phase {
            TouchPhase::Started => self.begin(finger, at, now),
            TouchPhase::Moved => self.carry(finger, at),
            TouchPhase::Ended | TouchPhase::Cancelled => self.end(finger, phase, at),
        }
    }

    fn begin(&mut self, finger: u64, at: Vec2, now: Instant) -> Vec<Touched> {
        self.down.push((finger, at));
        if self.down.len() == 1 {
            self.waits = Some((at, now));
        } else if !std::mem::replace(&mut self.are_two, true) && self.waits.take().is_none() {
            // The drag of the first one ends.
            return vec![Touched::Pointer(TouchPhase::Cancelled, self.down[0].1)];
        }
        Vec::new()
    }

    fn carry(&mut self, finger: u64, at: Vec2) -> Vec<Touched> {
        let before = self.pair();
        let Some((_, place)) = self.down.iter_mut().find(|(own, _)| *own == finger) else {
            return Vec::new();
        };
        *place = at;
        match (self.are_two, self.waits) {
            (true, _) => before
                .zip(self.pair())
                .map_or_else(Vec::new, |(before, now)| {
                    let moves = Gesture::Moved(Drag::Pan, now.0 - before.0);
                    let scales = Gesture::Zoomed(before.1 / now.1);
                    [moves, scales].map(Touched::Gesture).into()
                }),
            (false, Some((start, _))) if start.distance(at) <= SLOP => Vec::new(),
            (false, start) => {
                let pressed = self.press(start);
                pressed
                    .chain([Touched::Pointer(TouchPhase::Moved, at)])
                    .collect()
            }
        }
    }

    fn end(&mut self, finger: u64, phase: TouchPhase, at: Vec2) -> Vec<Touched> {
        let count = self.down.len();
        self.down.retain(|(own, _)| *own != finger);
        let was_two = self.are_two;
        self.are_two &= !self.down.is_empty();
        if was_two || self.down.len() == count {
            return Vec::new();
        }
        let waits = self.waits;
        let pressed = self.press(waits);
        pressed.chain([Touched::Pointer(phase, at)]).collect()
    }

    /// Returns the press that has waited.
    fn press(&mut self, waits: Option<(Vec2, Instant)>) -> impl Iterator<Item = Touched> + use<> {
        self.waits = None;
        let pressed = waits.map(|(at, _)| Touched::Pointer(TouchPhase::Started, at));
        pressed.into_iter()
    }

    /// Returns the middle of the first two fingers and their distance.
    fn pair(&self) -> Option<(Vec2, f32)> {
        let [(_, a), (_, b), ..] = self.down[..] else {
            return None;
        };
        Some((a.midpoint(b), a.distance(b).max(1.0)))
    }

    /// Returns the time at which a finger that waits has rested for long enough.
    pub(crate) fn rests_at(&self) -> Option<Instant> {
        self.waits.map(|(_, since)| since + REST)
    }

    /// Returns the place of a finger that has rested for long enough, once: it is pressed there.
    pub(crate) fn rested(&mut self, now: Instant) -> Option<Vec2> {
        let rested = self.rests_at().is_some_and(|at| at <= now);
        self.waits.take_if(|_| rested).map(|(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use TouchPhase::{Cancelled, Ended, Moved, Started};

    const A: Vec2 = Vec2::new(100.0, 100.0);

    fn pointer(phase: TouchPhase, at: Vec2) -> Touched {
        Touched::Pointer(phase, at)
    }

    #[test]
    fn one_finger_is_the_pointer_once_it_has_moved_or_is_lifted() {
        let (mut fingers, now) = (Fingers::default(), Instant::now());
        let [near, far] = [A + Vec2::X * 5.0, A + Vec2::X * 20.0];
        assert!(fingers.follow(7, Started, A, now).is_empty());
        assert!(fingers.follow(7, Moved, near, now).is_empty());
        assert_eq!(
            fingers.follow(7, Moved, far, now),
            [pointer(Started, A), pointer(Moved, far)]
        );
        assert_eq!(fingers.follow(7, Moved, near, now), [pointer(Moved, near)]);
        assert_eq!(fingers.follow(7, Ended, near, now), [pointer(Ended, near)]);
        // A tap.
        assert!(fingers.follow(8, Started, A, now).is_empty());
        assert_eq!(
            fingers.follow(8, Ended, A, now),
            [pointer(Started, A), pointer(Ended, A)]
        );
    }

    #[test]
    fn two_fingers_pan_and_pinch_and_leave_nothing_behind() {
        let (mut fingers, now) = (Fingers::default(), Instant::now());
        let b = A + Vec2::X * 100.0;
        fingers.follow(1, Started, A, now);
        assert!(fingers.follow(2, Started, b, now).is_empty());
        let moved = fingers.follow(2, Moved, b + Vec2::X * 100.0, now);
        let pan = Gesture::Moved(Drag::Pan, Vec2::X * 50.0);
        assert_eq!(
            moved,
            [
                Touched::Gesture(pan),
                Touched::Gesture(Gesture::Zoomed(0.5))
            ]
        );
        assert!(fingers.follow(1, Ended, A, now).is_empty());
        assert!(
            fingers.follow(2, Moved, A, now).is_empty(),
            "the last one waits"
        );
        assert!(fingers.follow(2, Ended, A, now).is_empty());
        assert!(fingers.follow(3, Started, A, now).is_empty());
        assert_eq!(fingers.follow(3, Ended, A, now).len(), 2, "a tap again");
    }

    #[test]
    fn a_second_finger_ends_the_drag_of_the_first() {
        let (mut fingers, now) = (Fingers::default(), Instant::now());
        let far = A + Vec2::Y * 30.0;
        fingers.follow(1, Started, A, now);
        fingers.follow(1, Moved, far, now);
        let ended = fingers.follow(2, Started, A, now);
        assert_eq!(ended, [pointer(Cancelled, far)]);
        // A finger that nobody has seen come.
        assert!(fingers.follow(9, Moved, A, now).is_empty());
        assert!(fingers.follow(9, Ended, A, now).is_empty());
    }

    #[test]
    fn a_finger_that_rests_is_told_once() {
        let (mut fingers, now) = (Fingers::default(), Instant::now());
        fingers.follow(1, Started, A, now);
        assert_eq!(fingers.rested(now), None);
        let later = fingers.rests_at().unwrap();
        assert_eq!(fingers.rested(later), Some(A));
        assert_eq!((fingers.rested(later), fingers.rests_at()), (None, None));
        assert_eq!(fingers.follow(1, Ended, A, now), [pointer(Ended, A)]);
    }
}
