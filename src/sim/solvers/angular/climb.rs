//! From root to tip: how each segment turns in a step.

use super::super::chain::Block;
use super::super::ftl::root;
use super::super::step::{ALIKE, BY_STRAND, StrandHolds, held_by, snap};
use super::{Turn, smooth};
use crate::sim::Step;
use crate::sim::contact::{Rise, slide};
use crate::sim::simd::blocks::{
    LANES, Lanes, Lanes3, ParticleBlock, add_scaled, axes, cross, dot, lane3, put3, rotate, scaled,
    select, sub, unit_or,
};
use crate::sim::simd::lanes::{minus3, over3};

/// Where a segment points that has no length.
const DOWN: [f32; 3] = [0.0, -1.0, 0.0];
/// No segment turns by more than this in a step, radians.
const FASTEST: f32 = 1.5;
/// Segments and inertias are at least this, decimetres.
const LEAST: f32 = 1e-9;

/// On the way from root to tip.
pub(crate) struct Climb {
    /// The particle before as it was, which gives the segment as it was, and as it is.
    old: ParticleBlock,
    parent: ParticleBlock,
    /// The segment before: where it points, how it spins, where it points at rest.
    last_s: Lanes3,
    last_w: Lanes3,
    last_rest: Lanes3,
    /// What the strand feels of its root's acceleration.
    felt: Lanes3,
    /// Of the strand: friction at its crown over its inertia.
    crown: Lanes,
    /// What holds it, and how far it gives at its joints, where that is its own.
    own: StrandHolds,
    give: Lanes,
    rise: Rise,
}

impl Climb {
    #[inline(always)]
    pub(crate) fn new(turn: &Turn<'_>, block: &mut Block<'_>, step: &Step) -> Self {
        let old = block.state[0];
        root(block, step);
        let parent = block.state[0];
        let crown = Lanes::all(turn.crown_least)
            + Lanes::all(1.0 - turn.crown_least) * turn.crown[block.index];
        let inertia = if turn.inertia > 0.0 {
            Lanes::all(turn.inertia)
        } else {
            block.length.at_least(LEAST)
        };
        Self {
            old,
            parent,
            last_s: Lanes3::default(),
            last_w: Lanes3::default(),
            last_rest: Lanes3::default(),
            felt: over3(
                &minus3(&old.velocity, &parent.velocity),
                Lanes::all(step.dt),
            ),
            crown: crown / inertia,
            own: turn.own.get(block.index).copied().unwrap_or_default(),
            give: turn.gives.get(block.index).copied().unwrap_or_default(),
            rise: block.rise(step),
        }
    }

    /// Turns the segment that ends at particle j. One loop over the lanes, as in `ftl.rs`, or two
    /// with contact in between.
    #[inline(always)]
    pub(crate) fn segment<const HELD: u8, const FREE: bool, const FIRST: bool>(
        &mut self,
        turn: &Turn<'_>,
        block: &mut Block<'_>,
        j: usize,
        step: &Step,
    ) {
        let (was, length) = (block.state[j], block.segment[j]);
        let (rest, rest_before) = (block.rest[j], block.rest[j - 1]);
        let segments = (block.state.len() - 1) as f32;
        // 3 i c_i / (2 k^3 rho d) with k^2 rho d = inertia.
        let limit = turn.limits[j];
        let gain = 1.5 * j as f32 / segments * turn.friction[j];
        let pulls = !turn.own.is_empty();
        let (mut air, mut near) = (Lanes3::default(), Lanes::all(1.0));
        if !FREE {
            self.rise.climb(&length);
            air = step.forces.air_at3(&was.position);
            near = turn.nearness(&was.position, &length, step, &self.rise);
        }
        let (mut free, mut spins) = (Lanes3::default(), Lanes3::default());
        let (mut rests, mut velocity) = (Lanes3::default(), Lanes3::default());
        let mut along = Lanes3::default();
        for lane in 0..LANES {
            let (x, v) = (lane3(&was.position, lane), lane3(&was.velocity, lane));
            let old = (
                lane3(&self.old.position, lane),
                lane3(&self.old.velocity, lane),
            );
            let long = length.0[lane];
            // State: s and omega = s x (v_j - v_(j-1)) / l.
            let s = unit_or(sub(x, old.0), DOWN);
            let at_least = if long > LEAST { long } else { LEAST };
            let w = scaled(cross(s, sub(v, old.1)), 1.0 / at_least);

            // Force, as an acceleration: gravity, air, the root's own.
            let around = if FREE {
                step.forces.wind
            } else {
                lane3(&air, lane)
            };
            let felt = lane3(&self.felt, lane);
            let force =
                axes!(i => step.forces.gravity[i] + felt[i] + turn.drag * (around[i] - v[i]));
            let gain = gain * self.crown.0[lane];
            let torque = scaled(cross(s, force), near.0[lane] * gain);
            let mut w = add_scaled(scaled(w, turn.kept), torque, step.dt);
            if !FREE {
                let borne = (1.0 - near.0[lane]) * gain * step.contacts.friction * step.dt;
                w = rubbed(w, s, step.spin, borne * dot(force, force).sqrt());
            }

            // The pull to the rest shape, as a turn of this step.
            let rest = sub(lane3(&rest, lane), lane3(&rest_before, lane));
            if HELD == ALIKE || HELD == BY_STRAND && pulls {
                let turned = rotate(&step.rotation, rest);
                let goal = unit_or(turned, s);
                let goal_before = unit_or(sub(turned, rotate(&step.turn, rest)), goal);
                let (to_goal, of_goal) = (cross(s, goal), cross(goal_before, goal));
                let hold = held_by::<HELD>(&step.hold, &self.own, lane);
                let way = hold.pull(scaled(w, step.dt), to_goal, of_goal);
                w = scaled(way, 1.0 / step.dt);
            }
            // Half a turn in a step has no meaning left; it must only stay finite.
            let speed = dot(w, w).sqrt() * step.dt;
            let [a, b, c] = scaled(w, FASTEST / if speed > FASTEST { speed } else { FASTEST });
            let w = [snap(a), snap(b), snap(c)];

            let s = turned(s, w, step.dt);
            // Curls may bend as they rest.
            let rest = unit_or(rest, DOWN);
            let (mut s, mut spin) = (s, w);
            if !FIRST {
                let limit = match HELD {
                    BY_STRAND => limit.given(self.give.0[lane]),
                    _ => limit,
                };
                let limit = limit.or_bend(lane3(&self.last_rest, lane), rest);
                (s, spin) = limit.cut(s, w, lane3(&self.last_s, lane), lane3(&self.last_w, lane));
            }
            let parent = lane3(&self.parent.position, lane);
            let v = lane3(&self.parent.velocity, lane);
            put3(&mut free, lane, add_scaled(parent, s, long));
            put3(&mut along, lane, s);
            put3(&mut spins, lane, spin);
            put3(&mut rests, lane, rest);
            put3(&mut velocity, lane, add_scaled(v, cross(spin, s), long));
        }
        let mut end = free;
        if !FREE && !step.contacts.is_empty() {
            slide(
                &self.parent.position,
                &length,
                &was,
                &mut end,
                step,
                &mut self.rise,
            );
            for lane in 0..LANES {
                let (from, to) = (lane3(&self.parent.position, lane), lane3(&end, lane));
                let s = unit_or(sub(to, from), DOWN);
                let turning = cross(lane3(&spins, lane), s);
                let v = lane3(&self.parent.velocity, lane);
                let v = add_scaled(v, turning, length.0[lane]);
                // Turned out of something: it moves as it has moved, which takes what went in.
                let way = sub(to, lane3(&was.position, lane));
                let apart = sub(to, lane3(&free, lane));
                let moved = dot(apart, apart) > 0.0;
                put3(&mut along, lane, s);
                put3(
                    &mut velocity,
                    lane,
                    select(moved, scaled(way, 1.0 / step.dt), v),
                );
            }
        }
        self.parent = ParticleBlock {
            position: end,
            velocity,
        };
        block.state[j] = self.parent;
        self.old = was;
        (self.last_s, self.last_w, self.last_rest) = (along, spins, rests);
    }
}

impl Turn<'_> {
    /// Share of the forces that the pseudo-force field round the head leaves.
    #[inline(always)]
    fn nearness(&self, x: &Lanes3, length: &Lanes, step: &Step, rise: &Rise) -> Lanes {
        if !self.field || step.contacts.is_empty() {
            return Lanes::all(1.0);
        }
        let reach = (Lanes::all(2.0) * *length).at_least(LEAST);
        let (x, rise) = (*x, *rise);
        smooth(step.contacts.distance(&x, &rise) / reach)
    }
}

/// The spin w of a segment along s after dry friction on a head that turns at `spin`: what they
/// differ by, less `most`.
#[inline(always)]
fn rubbed(w: [f32; 3], s: [f32; 3], spin: [f32; 3], most: f32) -> [f32; 3] {
    let of_head = add_scaled(spin, s, -dot(spin, s));
    let slip = sub(w, of_head);
    let speed = dot(slip, slip).sqrt();
    let left = if speed > most { speed - most } else { 0.0 };
    let share = left / if speed > LEAST { speed } else { LEAST };
    add_scaled(of_head, slip, share)
}

/// s turned by the spin w over a time h: exact but for the fifth order of the angle, without sine
/// and cosine. With tau the tangent of half the angle, s' = ((1 - tau²) s + 2 tau t) / (1 + tau²).
#[inline(always)]
fn turned(s: [f32; 3], w: [f32; 3], h: f32) -> [f32; 3] {
    let way = scaled(cross(w, s), h);
    let angle = dot(way, way).sqrt();
    let t = unit_or(way, [0.0; 3]);
    let half = 0.5 * angle;
    let tau = half * (1.0 + half * half * (1.0 / 3.0));
    let scale = 1.0 / (1.0 + tau * tau);
    let out = axes!(i => ((1.0 - tau * tau) * s[i] + 2.0 * tau * t[i]) * scale);
    unit_or(out, s)
}
