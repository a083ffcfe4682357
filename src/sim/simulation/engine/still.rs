//! Detects that particles are at rest.

use crate::sim::simd::{LANES, Lanes, Lanes3, dot3, minus3};
use crate::sim::{Hair, Step};

/// The number of steps without motion, a quarter second; a swing slows down at its ends.
pub(crate) const STILL_STEPS: u32 = 60;
/// The number of steps between two checks of positions.
const LOOK_STEPS: u32 = 60;
/// The number of checks, a second in all, in which positions must not change.
const LOOKS: u32 = 4;
/// The allowed change of position, as a share of the strand's length: a tenth of a pixel of 200.
const ROOM: f32 = 5e-4;
/// The exceptions: one in so many particles may move by so many decimetres. Repulsion has a
/// direction but hardly a size, so tips in sparse hair chatter, most of them by less than a
/// millimetre.
const FEW: [(usize, f32); 2] = [(100, 0.01), (10_000, 0.1)];
/// Shorter strands are allowed the change of this length, decimetres.
const LEAST_LENGTH: f32 = 0.01;

/// Watches particles until they are at rest: when their solver reports no motion, or when all have
/// stayed in place for a second under a still head. Tips that tremble between two folds of skin
/// count as in place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    /// The number of steps for which the solver reported no motion.
    still_steps: u32,
    /// The number of steps since the last check.
    steps: u32,
    /// The number of checks that found no change.
    looks: u32,
    /// The reference positions; empty before the first check.
    places: Vec<Lanes3>,
}

impl Watch {
    /// Records an advance, after which the solver reports whether its particles are `settled`.
    /// Returns whether they are at rest.
    pub(crate) fn saw(&mut self, hair: &Hair, settled: bool, advance: &[Step]) -> bool {
        let steps = advance.len() as u32;
        self.still_steps = if settled {
            self.still_steps.saturating_add(steps)
        } else {
            0
        };
        if advance.iter().any(|step| step.from() != step.to()) {
            self.forget_places();
        } else {
            self.steps = self.steps.saturating_add(steps);
            if self.steps >= LOOK_STEPS {
                self.look(hair);
            }
        }
        self.still_steps >= STILL_STEPS || self.looks >= LOOKS
    }

    /// Restarts the detection.
    pub(crate) fn forget(&mut self) {
        self.still_steps = 0;
        self.forget_places();
    }

    fn forget_places(&mut self) {
        (self.steps, self.looks) = (0, 0);
        self.places.clear();
    }

    fn look(&mut self, hair: &Hair) {
        self.steps = 0;
        if self.are_there(hair) {
            self.looks = self.looks.saturating_add(1);
            return;
        }
        self.looks = 0;
        self.places.clear();
        self.places
            .extend(hair.state.iter().map(|particle| particle.position));
    }

    fn are_there(&self, hair: &Hair) -> bool {
        let m = hair.particles();
        if self.places.len() != hair.state.len() {
            return false;
        }
        let blocks = hair.state.chunks_exact(m).zip(self.places.chunks_exact(m));
        let mut may_leave = FEW.map(|(of, _)| hair.state.len() * LANES / of);
        for ((state, places), length) in blocks.zip(&hair.length) {
            let room = length.at_least(LEAST_LENGTH) * Lanes::splat(ROOM);
            let room = room * room;
            for (particle, place) in state.iter().zip(places) {
                let way = minus3(&particle.position, place);
                let way = dot3(&way, &way);
                if way.all_at_most(room) {
                    continue;
                }
                for lane in 0..LANES {
                    let mut room = room.0[lane];
                    for (left, (_, next)) in may_leave.iter_mut().zip(FEW) {
                        if way.0[lane] <= room {
                            break;
                        }
                        let Some(fewer) = left.checked_sub(1) else {
                            return false;
                        };
                        *left = fewer;
                        room = (next * next).max(room);
                    }
                    if way.0[lane] > room || way.0[lane].is_nan() {
                        return false;
                    }
                }
            }
        }
        true
    }
}
