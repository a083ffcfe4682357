//! One step of a block of strands: the propagator, contact with the skin and with colliders, rest.

use super::propagator::{Coefficients, Propagator, SoftBlock};
use crate::groom::chord_share;
use crate::sim::contact::{Contacts, RootClearance};
use crate::sim::pose::{HeadMotion, Pose};
use crate::sim::simd::{
    Kernel, LANES, Lanes, Lanes3, Transpose, above3, add_scaled3, axes, dispatch, dot3, flushed3,
    minus3, scaled3, set3, splat3, sum3, unit3,
};
use crate::sim::solvers::Outcome;
use glam::{DVec3, Vec3};

/// A tip nearer to its anchor than this share of the anchor's height above the skin cannot be
/// below the skin, however the direction between them and the normal are rounded.
const CLEAR_SHARE_SQUARED: f32 = 0.99 * 0.99;
/// The number of places along a drawn curve that are kept out of colliders, and the first of them,
/// as `t` of [`strand_curve_point`](crate::groom::strand_curve_point). Nearer to its root, a tip
/// cannot move it far. They are so close that what is between them enters a collider of 0.2 dm by
/// less than 0.02 dm in strands of 1.5 dm.
const PLACES: usize = 13;
const FIRST_PLACE: f32 = 0.4;
/// The most that the way out of a collider is lengthened where it points along a strand.
const MOST_TURN: f32 = 4.0;
/// A strand counts as settled when it has no energy left to get farther from its anchor than
/// this share of its height above the skin (practically of its length): 1e-4 of a strand drawn
/// 1,000 pixels long is a tenth of a pixel. Energy and not offset and speed apart, since under
/// a still head it only falls: what has settled stays settled.
const SETTLED_SHARE: f32 = 1e-4;
/// Strands lower than this settle as if they were this high, decimetres: one of no length (the
/// lanes that fill up the last block among them) would have to stop to the last bit.
const LEAST_LIFT: f32 = 0.01;

// Strand i is lane i % 8 of block i / 8, in every one of these arrays:
//
//   state    | ux8 uy8 uz8 vx8 vy8 vz8 |  192 bytes, read and written by every step
//   rest     | ax8 ay8 az8 l8 |  128 bytes, read by every step
//   normal   | nx8 ny8 nz8 |  96 bytes, read by a step where tips may touch the skin, and by drawing
//   previous | ux8 uy8 uz8 |  96 bytes, written by a frame's last step, read by drawing
//   shape    | rx8 ry8 rz8 ex8 ey8 ez8 l8 |  224 bytes, read by drawing
//
// Three streams through a step keep more of the memory busy than one of larger blocks would, and
// they differ in stride: streams whose distance stays nearly a multiple of a page hinder each
// other.
//
// Lanes past the last strand are strands of no length at the head's centre. Forces on tips move
// them too.

/// The motion of eight strands.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct StateBlock {
    /// Tip minus anchor, world space, decimetres. Small and zero at rest, so single precision
    /// resolves it far better than a position.
    pub(super) offset: Lanes3,
    /// Tip velocity, world space, dm/s.
    pub(super) velocity: Lanes3,
}

/// The data of eight strands at rest that every step needs, head space.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct RestBlock {
    /// Rest tips.
    pub(super) anchor: Lanes3,
    /// Height of the anchor above its root's plane, decimetres.
    pub(super) lift: Lanes,
}

/// The data of eight strands at rest that drawing needs besides, head space.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct ShapeBlock {
    /// Strand roots.
    pub(super) root: Lanes3,
    /// Rest tip minus root.
    pub(super) reach: Lanes3,
    /// Length of `reach`, decimetres: that of the strand if it is straight.
    pub(super) length: Lanes,
}

/// One step of all strands: the motion of the anchors and the propagator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpringStep {
    motion: HeadMotion,
    coefficients: Coefficients,
}

impl SpringStep {
    /// Returns the step from one pose to another. `force` is a constant acceleration in the step,
    /// world space, dm/s².
    pub(crate) fn new(propagator: &Propagator, from: &Pose, to: &Pose, force: DVec3) -> Self {
        let lean = force / propagator.stiffness;
        Self {
            motion: HeadMotion::new(from, to),
            coefficients: Coefficients {
                propagator: Propagator::of(&[*propagator; LANES]),
                lean: splat3(lean.as_vec3()),
                lean_offset: splat3((lean * (1.0 - propagator.uu)).as_vec3()),
                lean_velocity: splat3((-lean * propagator.vu).as_vec3()),
            },
        }
    }
}

/// Runs all steps on each block in turn, then looks at the outcome. For strands that differ in
/// stiffness (`SOFT`) or do not.
pub(super) struct Advance<'a, const SOFT: bool> {
    pub(super) state: &'a mut [StateBlock],
    pub(super) previous: &'a mut [Lanes3],
    pub(super) rest: &'a [RestBlock],
    pub(super) normals: &'a [Lanes3],
    pub(super) grounded: bool,
    pub(super) shape: &'a [ShapeBlock],
    pub(super) is_straight: bool,
    /// The steps of each block if `SOFT`.
    pub(super) soft: &'a [SoftBlock],
    pub(super) steps: &'a [SpringStep],
    pub(super) colliders: &'a Contacts,
}

impl<const SOFT: bool> Kernel<Outcome> for Advance<'_, SOFT> {
    #[inline(always)]
    fn run(self, _: impl Transpose) -> Outcome {
        let mut outcome = Outcome::nothing();
        let (colliders, soft, grounded) = (self.colliders, self.soft, self.grounded);
        let Some(last) = self.steps.last() else {
            return outcome;
        };
        let collides = !colliders.is_empty();
        let fixed = self.rest.iter().zip(self.normals).zip(self.shape);
        let blocks = self.state.iter_mut().zip(self.previous).zip(fixed);
        for (index, ((state, previous), ((rest, normal), shape))) in blocks.enumerate() {
            let soft = if SOFT { Some(&soft[index]) } else { None };
            let normal = if grounded { Some(normal) } else { None };
            // No closures: they would be compiled without the wide instructions.
            for (nth, step) in self.steps.iter().enumerate() {
                if nth + 1 == self.steps.len() {
                    *previous = state.offset;
                }
                let mut softened = None;
                let own = step.coefficients.of_block(soft, &mut softened);
                step_block(state, rest, normal, &step.motion, own);
                if collides {
                    dispatch(PushOut {
                        state,
                        shape,
                        is_straight: self.is_straight,
                        motion: &step.motion,
                        colliders,
                    });
                }
            }
            let mut softened = None;
            let own = last.coefficients.of_block(soft, &mut softened);
            if !is_settled(state, rest, own) {
                outcome.settled = false;
                outcome.reset_strands += reset_broken(state, previous);
            }
        }
        outcome
    }
}

/// Moves eight strands through one step: integrates, pushes out of the skin, flushes denormal
/// numbers.
///
/// Every lane does the same, choices are selects, and nothing is fused, so all instruction sets
/// give the same bits.
#[inline(always)]
fn step_block(
    state: &mut StateBlock,
    rest: &RestBlock,
    normal: Option<&Lanes3>,
    motion: &HeadMotion,
    coefficients: &Coefficients,
) {
    let (u, v) = (&state.offset, &state.velocity);
    // The displacement of the anchor, then the propagator.
    let s = motion.displacements(&rest.anchor);
    let (of, with) = (&coefficients.propagator, coefficients);
    let mut moved = StateBlock {
        offset: axes!(i => u[i] * of.uu + v[i] * of.uv + s[i] * of.us + with.lean_offset[i]),
        velocity: axes!(i => u[i] * of.vu + v[i] * of.vv + s[i] * of.vs + with.lean_velocity[i]),
    };
    let lift = rest.lift.at_least(0.0);
    let clear = Lanes::splat(CLEAR_SHARE_SQUARED) * (lift * lift);
    // Most blocks are clear of the skin most of the time, and need not even load their normals.
    if let Some(normal) = normal
        && !dot3(&moved.offset, &moved.offset).all_below(clear)
    {
        leave_skin(&mut moved, &rest.lift, normal, motion);
    }
    state.offset = flushed3(&moved.offset);
    state.velocity = flushed3(&moved.velocity);
}

/// Moves tips above the planes at their roots: the anchor stands `lift` above the plane, the tip d.
/// Changes nothing of a strand whose d is not below 0.
#[inline(always)]
fn leave_skin(moved: &mut StateBlock, lift: &Lanes, normal: &Lanes3, motion: &HeadMotion) {
    let n = motion.transform_vectors(normal);
    let d = *lift + dot3(&moved.offset, &n);
    let inward = dot3(&moved.velocity, &n).at_most(0.0);
    let lost = d.less_than(Lanes::ZERO, inward, Lanes::ZERO);
    let depth = d.at_most(0.0);
    moved.offset = axes!(i => moved.offset[i] - n[i] * depth);
    moved.velocity = axes!(i => moved.velocity[i] - n[i] * lost);
}

/// Turns the tips of eight strands about their roots until their drawn curves are outside of all
/// colliders, and removes the inward part of their velocity, with Coulomb friction.
///
/// With the direction d of the strand at rest, that of its tip e and the chord c of its curve, the
/// curve is root + c t (1 − t) d + c t² e: a point moves by c t² times what e does, and the tip by
/// its distance from the root times that. A kernel apart from the step, which most strands take
/// without colliders.
struct PushOut<'a> {
    state: &'a mut StateBlock,
    shape: &'a ShapeBlock,
    is_straight: bool,
    motion: &'a HeadMotion,
    colliders: &'a Contacts,
}

impl Kernel for PushOut<'_> {
    #[inline(always)]
    fn run(self, _: impl Transpose) {
        let (state, colliders) = (self.state, self.colliders);
        let root = self.motion.transform_points(&self.shape.root);
        let clearance = RootClearance::none();
        // No point is farther from its root than the strand is long.
        let length = self.shape.length;
        let reaches = length.less_than(
            colliders.distance(&root, &clearance),
            Lanes::ZERO,
            Lanes::ONE,
        );
        if reaches == Lanes::ZERO {
            return;
        }
        let reach = self.motion.transform_vectors(&self.shape.reach);
        let up = splat3(Vec3::Y);
        let direction = unit3(&reach, &up);
        let mut offset = state.offset;
        let mut touched = Lanes::ZERO;
        for place in 0..PLACES {
            let t = FIRST_PLACE + (1.0 - FIRST_PLACE) * (place as f32 / (PLACES - 1) as f32);
            let to_tip = sum3(&reach, &offset);
            let distance = dot3(&to_tip, &to_tip).sqrt();
            let along = unit3(&to_tip, &direction);
            let chord = match self.is_straight {
                true => {
                    let apart = minus3(&along, &direction);
                    let turned = Lanes::splat(0.5) * dot3(&apart, &apart);
                    length * Lanes::from_fn(|lane| chord_share(turned.0[lane]))
                }
                false => length,
            };
            let point = add_scaled3(&root, &direction, chord * Lanes::splat(t * (1.0 - t)));
            let point = add_scaled3(&point, &along, chord * Lanes::splat(t * t));
            let mut out = point;
            let planes = colliders.push_out(&mut out, &clearance);
            if planes.is_none() {
                continue;
            }
            // Only the part of the way out across the tip's direction turns the strand. It has to
            // be longer for that, within bounds.
            let way = minus3(&out, &point);
            let across = add_scaled3(&way, &along, -dot3(&way, &along));
            let [whole, part] = [dot3(&way, &way), dot3(&across, &across)];
            let longer = (whole / part.at_least(1e-24)).at_most(MOST_TURN);
            let lever = distance / (chord * Lanes::splat(t * t)).at_least(1e-12);
            // On the sphere: a lever that made the spring longer would get longer with each push.
            let turned = unit3(&add_scaled3(&to_tip, &across, longer * lever), &along);
            let moved = minus3(&scaled3(&turned, distance), &reach);
            offset = planes.where_touched(&moved, &offset);
            touched = touched.max(planes.touched);
        }
        let pushed = minus3(&offset, &state.offset);
        let normal = unit3(&pushed, &up);
        let v = &state.velocity;
        let along = dot3(v, &normal);
        let inward = along.at_most(0.0);
        let slip = add_scaled3(v, &normal, -along);
        // Coulomb friction: the push out of the surface also slows the sliding.
        let stopped = Lanes::splat(-colliders.friction) * inward;
        let speed = dot3(&slip, &slip).sqrt();
        let share = (stopped / speed.at_least(1e-12)).at_most(1.0);
        let left = add_scaled3(&add_scaled3(v, &normal, -inward), &slip, -share);
        state.velocity = above3(touched, 0.5, &left, v);
        state.offset = offset;
    }
}

/// Returns `true` if all eight strands stay at their anchors while the head is still; `false` for
/// strands that are not finite. The energy of a tip of mass 1 is (v² + k u²) / 2, that of the limit
/// k limit² / 2.
#[inline(always)]
fn is_settled(state: &StateBlock, rest: &RestBlock, of: &Coefficients) -> bool {
    let (u, v) = (minus3(&state.offset, &of.lean), &state.velocity);
    let (limit, k) = (rest.lift.at_least(LEAST_LIFT), of.propagator.stiffness);
    let limit = Lanes::splat(SETTLED_SHARE) * limit;
    let energy = dot3(v, v) + k * dot3(&u, &u);
    energy.all_at_most(k * (limit * limit))
}

/// Puts the strands that are no longer finite (or so far out that their square is not) to rest
/// under the head's present pose, and returns their number.
#[inline(always)]
fn reset_broken(state: &mut StateBlock, previous: &mut Lanes3) -> u64 {
    let (u, v) = (&state.offset, &state.velocity);
    let squares = dot3(u, u) + dot3(v, v);
    // Nearly always. Without this branch compilers store every lane with a mask, which makes the
    // whole step 1.4 times slower.
    if squares.all_below(Lanes::splat(f32::INFINITY)) {
        return 0;
    }
    let mut count = 0;
    for lane in 0..LANES {
        if !squares.0[lane].is_finite() {
            for vectors in [&mut state.offset, &mut state.velocity, &mut *previous] {
                set3(vectors, lane, Vec3::ZERO);
            }
            count += 1;
        }
    }
    count
}
