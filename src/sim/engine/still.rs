//! When particles count as still.

use crate::sim::blocks::{Lanes, Lanes3};
use crate::sim::lanes::{dot3, minus3};
use crate::sim::{Hair, Step};

/// So long nothing may move, a quarter second: a swing slows down at its ends.
pub(super) const STILL_STEPS: u32 = 60;
/// Steps from look to look at where particles are.
const LOOK_STEPS: u32 = 60;
/// Looks, a second, over which they must stay there.
const LOOKS: u32 = 4;
/// What "there" means, as a share of a strand's length: a tenth of a pixel of 200.
const ROOM: f32 = 5e-4;
/// Strands shorter than this have as much room as if they were this long, decimetres.
const LEAST_LENGTH: f32 = 0.01;

/// Watches particles until they are still: when none moves, by what their solver says; or when all
/// have stayed where they are for a second under a head that does, though the tip of some hair
/// trembles by hundredths of a millimetre between two folds of skin.
#[derive(Clone, Debug, Default)]
pub(in crate::sim) struct Watch {
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
    pub(super) fn saw(&mut self, hair: &Hair, settled: bool, advance: &[Step]) -> bool {
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
    pub(super) fn forget(&mut self) {
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
        let blocks = hair.state.chunks_exact(m).zip(self.places.chunks_exact(m));
        let mut blocks = blocks.zip(&hair.length);
        self.places.len() == hair.state.len()
            && blocks.all(|((state, places), length)| {
                let room = length.at_least(LEAST_LENGTH) * Lanes::all(ROOM);
                let room = room * room;
                state.iter().zip(places).all(|(particle, place)| {
                    let way = minus3(&particle.position, place);
                    let there = Lanes::all(1.0).if_at_most(dot3(&way, &way), room);
                    there == Lanes::all(1.0)
                })
            })
    }
}
