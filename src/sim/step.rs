//! Spring to anchor: one step of a block of strands, contact with the skin, and what came of it.

use super::blocks::{
    LANES, Lanes3, RestBlock, StateBlock, dot, lane3, negative_part, rotate, rows, set3, vec,
};
use super::widest::{Kernel, widest};
use super::{Pose, Propagator};
use glam::Vec3;

/// Offsets (dm) and velocities (dm/s) smaller than this become 0. Without it they decay into
/// denormal numbers under a still head, and the step takes 5 to 60 times longer.
const SNAP: f32 = 1e-15;
/// A strand counts as settled when it has no energy left to get farther from its anchor than
/// this share of its height above the skin (practically of its length): 1e-4 of a strand drawn
/// 1,000 pixels long is a tenth of a pixel. Energy and not offset and speed apart, since under
/// a still head it only falls: what has settled stays settled.
const SETTLED_SHARE: f32 = 1e-4;
/// Strands lower than this settle as if they were this high, decimetres: one of no length (the
/// lanes that fill up the last block among them) would have to stop to the last bit.
const LEAST_LIFT: f32 = 0.01;

/// What came of an advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpringReport {
    /// Every tip is at its anchor, without the energy to leave it. (The head may still be
    /// moving.)
    pub settled: bool,
    /// Strands that were not finite and have been put back to rest.
    pub reset_strands: u64,
}

impl SpringReport {
    /// The report of no strands.
    pub(super) fn nothing() -> Self {
        Self {
            settled: true,
            reset_strands: 0,
        }
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            settled: self.settled & other.settled,
            reset_strands: self.reset_strands + other.reset_strands,
        }
    }
}

/// One step for all strands: the propagator with the anchors' motion, rounded once.
///
/// An anchor in head space A moves by s = (M1 − M0) A in the step. The difference of the
/// matrices is taken in double precision: taken between f32 anchors it would be all rounding
/// noise at 240 steps a second.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpringStep {
    /// Rows of R1 − R0.
    turn: [[f32; 3]; 3],
    /// T1 − T0, decimetres.
    shift: [f32; 3],
    /// Rows of R1.
    rotation: [[f32; 3]; 3],
    uu: f32,
    uv: f32,
    us: f32,
    vu: f32,
    vv: f32,
    vs: f32,
    /// k, 1/s²
    stiffness: f32,
}

impl SpringStep {
    pub(super) fn new(propagator: &Propagator, from: &Pose, to: &Pose) -> Self {
        // Rotations that differ by less than this come from an easing that has ended; as f32
        // they could be denormal.
        let snap = |x: f32| if x.abs() < SNAP { 0.0 } else { x };
        let (r0, r1) = (from.to_dmat3(), to.to_dmat3());
        Self {
            turn: rows(&(r1 - r0)).map(|row| row.map(snap)),
            shift: vec(to.translation - from.translation).map(snap),
            rotation: rows(&r1),
            uu: propagator.uu as f32,
            uv: propagator.uv as f32,
            us: propagator.us as f32,
            vu: propagator.vu as f32,
            vv: propagator.vv as f32,
            vs: propagator.vs as f32,
            stiffness: propagator.stiffness as f32,
        }
    }
}

/// Runs all steps on each block in turn, then looks at what came of it.
pub(super) fn advance_blocks(
    state: &mut [StateBlock],
    previous: &mut [Lanes3],
    rest: &[RestBlock],
    steps: &[SpringStep],
) -> SpringReport {
    widest(Advance {
        state,
        previous,
        rest,
        steps,
    })
}

/// All steps of [`advance_blocks`].
struct Advance<'a> {
    state: &'a mut [StateBlock],
    previous: &'a mut [Lanes3],
    rest: &'a [RestBlock],
    steps: &'a [SpringStep],
}

impl Kernel for Advance<'_> {
    type Output = SpringReport;

    #[inline(always)]
    fn run(self) -> SpringReport {
        let mut report = SpringReport::nothing();
        let Some((last, earlier)) = self.steps.split_last() else {
            return report;
        };
        let blocks = self.state.iter_mut().zip(self.previous).zip(self.rest);
        for ((state, previous), rest) in blocks {
            for step in earlier {
                step_block(state, rest, step);
            }
            *previous = state.offset;
            step_block(state, rest, last);
            if !is_settled(state, rest, last.stiffness) {
                report.settled = false;
                report.reset_strands += reset_broken(state, previous);
            }
        }
        report
    }
}

/// One step of eight strands: integrate, push out of the skin, snap.
///
/// Every lane does the same, choices are selects, and nothing is fused, so scalar code, SSE2
/// and AVX2 all give the same bits.
#[inline(always)]
fn step_block(state: &mut StateBlock, rest: &RestBlock, step: &SpringStep) {
    for lane in 0..LANES {
        let u = lane3(&state.offset, lane);
        let v = lane3(&state.velocity, lane);

        // The way of the anchor, s = (M1 − M0) A, then the propagator.
        let turned = rotate(&step.turn, lane3(&rest.anchor, lane));
        let mut u1 = [0.0; 3];
        let mut v1 = [0.0; 3];
        for axis in 0..3 {
            let s = turned[axis] + step.shift[axis];
            u1[axis] = step.uu * u[axis] + step.uv * v[axis] + step.us * s;
            v1[axis] = step.vu * u[axis] + step.vv * v[axis] + step.vs * s;
        }

        // Contact with the root's plane: the anchor stands `lift` above it, the tip d.
        let n = rotate(&step.rotation, lane3(&rest.normal, lane));
        let d = rest.lift.0[lane] + dot(u1, n);
        let depth = negative_part(d);
        let inward = negative_part(dot(v1, n));
        let lost = if d < 0.0 { inward } else { 0.0 };
        for axis in 0..3 {
            state.offset[axis].0[lane] = snap(u1[axis] - depth * n[axis]);
            state.velocity[axis].0[lane] = snap(v1[axis] - lost * n[axis]);
        }
    }
}

/// Keeps numbers out of the denormal range.
#[inline(always)]
fn snap(x: f32) -> f32 {
    if x.abs() < SNAP { 0.0 } else { x }
}

/// Squared offset and squared speed of each strand.
#[inline(always)]
fn squares(state: &StateBlock) -> ([f32; LANES], [f32; LANES]) {
    let (mut u2, mut v2) = ([0.0; LANES], [0.0; LANES]);
    for lane in 0..LANES {
        let (u, v) = (lane3(&state.offset, lane), lane3(&state.velocity, lane));
        u2[lane] = dot(u, u);
        v2[lane] = dot(v, v);
    }
    (u2, v2)
}

/// All eight strands stay at their anchors if the head does; never true of a strand that is not
/// finite. The energy of a tip of mass 1 is (v² + k u²) / 2, that of the limit k limit² / 2.
#[inline(always)]
fn is_settled(state: &StateBlock, rest: &RestBlock, stiffness: f32) -> bool {
    let (u2, v2) = squares(state);
    let mut settled = true;
    for lane in 0..LANES {
        let limit = SETTLED_SHARE * rest.lift.0[lane].max(LEAST_LIFT);
        settled &= v2[lane] + stiffness * u2[lane] <= stiffness * (limit * limit);
    }
    settled
}

/// Puts the strands that are no longer finite (or so far out that their square is not) to rest
/// under the head's present pose, and counts them.
#[inline(always)]
fn reset_broken(state: &mut StateBlock, previous: &mut Lanes3) -> u64 {
    let (u2, v2) = squares(state);
    let mut all_finite = true;
    for lane in 0..LANES {
        all_finite &= (u2[lane] + v2[lane]) < f32::INFINITY;
    }
    if all_finite {
        return 0;
    }
    let mut count = 0;
    for lane in 0..LANES {
        if !(u2[lane] + v2[lane]).is_finite() {
            set3(&mut state.offset, lane, Vec3::ZERO);
            set3(&mut state.velocity, lane, Vec3::ZERO);
            set3(previous, lane, Vec3::ZERO);
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::STEP_SECS;

    fn a_block() -> RestBlock {
        let mut rest = RestBlock::default();
        for lane in 0..LANES {
            set3(
                &mut rest.anchor,
                lane,
                Vec3::new(0.1 * lane as f32, 1.9, -0.3),
            );
            set3(&mut rest.normal, lane, Vec3::Y);
            rest.lift.0[lane] = 0.75;
        }
        rest
    }

    #[test]
    fn a_still_head_never_leaves_denormal_numbers_behind() {
        for (k, c) in [(4.0, 1.5), (0.01, 0.0), (0.01, 1000.0), (10_000.0, 50.0)] {
            let (rest, mut state) = ([a_block()], [StateBlock::default()]);
            let mut previous = [Lanes3::default()];
            for lane in 0..LANES {
                let push = Vec3::new(1e-3, 1e-9 * lane as f32, -0.2);
                set3(&mut state[0].velocity, lane, push);
            }
            let propagator = Propagator::new(k, c, STEP_SECS);
            let still = SpringStep::new(&propagator, &Pose::IDENTITY, &Pose::IDENTITY);
            for second in 0..300 {
                advance_blocks(&mut state, &mut previous, &rest, &[still; 240]);
                let numbers = (state[0].offset.iter().chain(&state[0].velocity))
                    .chain(&previous[0])
                    .flat_map(|lanes| lanes.0);
                for x in numbers {
                    assert!(x == 0.0 || x.abs() >= SNAP, "{x:e} after {second} s");
                }
            }
        }
    }

    #[test]
    fn an_easing_that_has_ended_leaves_no_denormal_numbers_in_the_matrices() {
        let propagator = Propagator::new(4.0, 1.5, STEP_SECS);
        let to = Pose::new(glam::DQuat::IDENTITY, glam::DVec3::splat(1e-40));
        let step = SpringStep::new(&propagator, &Pose::IDENTITY, &to);
        assert_eq!(step.shift, [0.0; 3]);
    }

    #[test]
    fn each_broken_strand_is_reset_and_its_neighbours_are_not() {
        let (rest, mut state) = ([a_block()], [StateBlock::default()]);
        let mut previous = [Lanes3::default()];
        for lane in 0..LANES {
            set3(&mut state[0].velocity, lane, Vec3::X);
        }
        let mut expected = state;
        set3(&mut state[0].velocity, 1, Vec3::new(0.0, f32::NAN, 0.0));
        set3(&mut state[0].offset, 4, Vec3::new(f32::INFINITY, 0.0, 0.0));
        set3(&mut state[0].offset, 6, Vec3::new(0.0, 1e25, 0.0));
        let propagator = Propagator::new(4.0, 1.5, STEP_SECS);
        let step = SpringStep::new(&propagator, &Pose::IDENTITY, &Pose::IDENTITY);
        let report = advance_blocks(&mut state, &mut previous, &rest, &[step; 3]);
        assert_eq!(report.reset_strands, 3);
        assert!(!report.settled);
        advance_blocks(&mut expected, &mut [Lanes3::default()], &rest, &[step; 3]);
        for lane in 0..LANES {
            let velocity = lane3(&state[0].velocity, lane);
            if [1, 4, 6].contains(&lane) {
                assert_eq!(velocity, [0.0; 3]);
                assert_eq!(lane3(&state[0].offset, lane), [0.0; 3]);
                assert_eq!(lane3(&previous[0], lane), [0.0; 3]);
            } else {
                assert_eq!(velocity, lane3(&expected[0].velocity, lane));
            }
        }
    }

    #[test]
    fn contact_takes_the_inward_velocity_and_no_other() {
        let (rest, mut state) = ([a_block()], [StateBlock::default()]);
        for lane in 0..LANES {
            set3(&mut state[0].offset, lane, Vec3::new(0.0, -0.8, 0.0));
            let vertical = if lane % 2 == 0 { -2.0 } else { 2.0 };
            set3(&mut state[0].velocity, lane, Vec3::new(1.0, vertical, 0.0));
        }
        let propagator = Propagator::new(0.01, 0.0, 1e-6);
        let step = SpringStep::new(&propagator, &Pose::IDENTITY, &Pose::IDENTITY);
        advance_blocks(&mut state, &mut [Lanes3::default()], &rest, &[step]);
        for lane in 0..LANES {
            let velocity = lane3(&state[0].velocity, lane);
            assert!((velocity[0] - 1.0).abs() < 1e-6);
            let kept = if lane % 2 == 0 { 0.0 } else { 2.0 };
            assert!((velocity[1] - kept).abs() < 1e-6, "{velocity:?}");
            assert!((lane3(&state[0].offset, lane)[1] + 0.75).abs() < 1e-6);
        }
    }
}
