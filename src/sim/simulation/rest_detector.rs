//! Detects that strands are at rest.

use crate::sim::simd::{LANES, Lanes, Lanes3, dot3, minus3};
use crate::sim::{Hair, Step};

/// The number of steps without motion, a quarter second; a swing slows down at its ends.
const REST_STEPS: u32 = 60;
/// The number of steps between two checks of positions.
const CHECK_STEPS: u32 = 60;
/// The number of checks, a second in all, in which positions must not change.
const CHECKS: u32 = 4;
/// The allowed change of position, as a share of the strand's length: a tenth of a pixel of 200.
const ROOM: f32 = 5e-4;
/// The exceptions: one in this many particles may move by this distance, decimetres, so that a few
/// tips that tremble do not keep all hair awake.
const FEW: [(usize, f32); 2] = [(100, 0.01), (10_000, 0.1)];
/// Shorter strands are allowed the change of this length, decimetres.
const LEAST_LENGTH: f32 = 0.01;

/// Detects that strands are at rest: when their solver reports no motion, or when all particles
/// have stayed in place for a second under a still head. Tips that tremble between two folds of
/// skin count as in place.
#[derive(Clone, Debug, Default)]
pub(crate) struct RestDetector {
    /// The number of steps for which the solver reported no motion.
    quiet_steps: u32,
    /// The number of steps since the last check.
    steps: u32,
    /// The number of checks that found no change.
    checks: u32,
    /// The reference positions; empty before the first check.
    places: Vec<Lanes3>,
}

impl RestDetector {
    /// Records an advance, after which the solver reports whether its particles are `settled`.
    /// Returns whether they are at rest.
    pub(crate) fn is_at_rest(&mut self, hair: &Hair, settled: bool, advance: &[Step]) -> bool {
        let steps = advance.len() as u32;
        let is_quiet = self.is_quiet(settled, steps);
        if advance.iter().any(|step| step.from != step.to) {
            (self.steps, self.checks) = (0, 0);
            self.places.clear();
        } else {
            self.steps = self.steps.saturating_add(steps);
        }
        if self.steps >= CHECK_STEPS {
            self.steps = 0;
            if self.are_in_place(hair) {
                self.checks = self.checks.saturating_add(1);
            } else {
                self.checks = 0;
                self.places.clear();
                (self.places).extend(hair.state.iter().map(|particle| particle.position));
            }
        }
        is_quiet || self.checks >= CHECKS
    }

    /// Records steps in which nothing moved if they were `quiet`. Returns whether there were enough
    /// of them.
    pub(crate) fn is_quiet(&mut self, quiet: bool, steps: u32) -> bool {
        let before = if quiet { self.quiet_steps } else { 0 };
        self.quiet_steps = before.saturating_add(u32::from(quiet) * steps);
        self.quiet_steps >= REST_STEPS
    }

    /// Returns `true` if all particles are at the reference positions, but for few exceptions.
    fn are_in_place(&self, hair: &Hair) -> bool {
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
