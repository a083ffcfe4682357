//! When particles count as still.

use crate::sim::simd::lanes::{LANES, Lanes};
use crate::sim::simd::vector::Lanes3;
use crate::sim::simd::vector::{dot3, minus3};
use crate::sim::{Hair, Step};

/// So long nothing may move, a quarter second: a swing slows down at its ends.
pub(crate) const STILL_STEPS: u32 = 60;
/// Steps from look to look at where particles are.
const LOOK_STEPS: u32 = 60;
/// Looks, a second, over which they must stay there.
const LOOKS: u32 = 4;
/// What "there" means, as a share of a strand's length: a tenth of a pixel of 200.
const ROOM: f32 = 5e-4;
/// One particle in so many may leave its room, and one in so many the next, decimetres: repulsion
/// between hairs has a direction but hardly a size, so that tips where hair is thinnest chatter, most
/// of them by less than a millimetre.
const FEW: [(usize, f32); 2] = [(100, 0.01), (10_000, 0.1)];
/// Strands shorter than this have as much room as if they were this long, decimetres.
const LEAST_LENGTH: f32 = 0.01;

/// Watches particles until they are still: when none moves, by what their solver says; or when all
/// have stayed where they are for a second under a head that does, though the tip of some hair
/// trembles by hundredths of a millimetre between two folds of skin, or those of a few by more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    /// For so long the solver has seen nothing move.
    still_steps: u32,
    /// Since the last look.
    steps: u32,
    /// Looks that found all where it was.
    looks: u32,
    /// Where particles were when they were first looked at; empty: not yet.
    places: Vec<Lanes3>,
}

impl Watch {
    /// Takes note of an advance by some steps, at the end of which the solver says whether its
    /// particles are still. Gives whether they are.
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

    /// Begins anew.
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
