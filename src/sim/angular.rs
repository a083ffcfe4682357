//! Projective angular dynamics: rigid sticks that turn.
//!
//! Anjyo, Usami, Kurihara: A Simple Method for Extracting the Natural Beauty of Hair (SIGGRAPH
//! 1992), in a form without poles: unit vector and angular velocity instead of zenith and azimuth.
//! What was changed, and why: `docs/angular.md`.

use super::blocks::{
    LANES, Lanes, Lanes3, add_scaled, cross, dot, get3, lane3, put3, select, sub, unit_or,
};
use super::chain::{self, Block, Chain};
use super::contact::{Rise, slide};
use super::ftl::root;
use super::step::{kept, snap, square};
use super::{
    AngularSettings, Hair, Outcome, Pose, STEP_SECS, SimSettings, Solver, SolverKind, Step,
};
use crate::portable::sin_cos;

/// Where a segment points that has no length.
const DOWN: [f32; 3] = [0.0, -1.0, 0.0];
/// Share of the hair's height, from its top, over which the friction at the crown fades out.
const CROWN_SHARE: f32 = 0.5;

/// No segment turns by more than this in a step, radians.
const FASTEST: f32 = 1.5;

/// Projective angular dynamics.
#[derive(Clone, Debug, Default)]
pub struct Angular {
    settings: AngularSettings,
    /// Friction at the crown of each strand.
    crown: Vec<Lanes>,
}

impl Solver for Angular {
    fn name(&self) -> &str {
        SolverKind::Angular.name()
    }

    fn configure(&mut self, settings: &SimSettings) {
        self.settings = settings.angular.clamped();
    }

    fn take_over(&mut self, hair: &Hair, _poses: [&Pose; 2]) {
        let m = hair.particles();
        let height = |i: usize| hair.rest(i, 0).y;
        let heights = (0..hair.len()).map(height);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), y| {
            (low.min(y), high.max(y))
        });
        let fade = CROWN_SHARE * (high - low);
        let friction = |root: &Lanes3, lane: usize| {
            let below = (high - get3(root, lane).y) / fade.max(1e-6);
            smooth(below)
        };
        self.crown = (hair.rest.chunks_exact(m))
            .map(|rest| {
                let mut lanes = Lanes::default();
                for lane in 0..LANES {
                    lanes.0[lane] = friction(&rest[0], lane);
                }
                lanes
            })
            .collect();
    }

    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome {
        let settings = &self.settings;
        let segments = hair.particles() - 1;
        let along = |root: f32, tip: f32| -> Vec<f32> {
            let share = |i: usize| (i as f32 - 0.5) / segments as f32;
            (0..=segments)
                .map(|i| root + (tip - root) * share(i).clamp(0.0, 1.0))
                .collect()
        };
        let limits = along(settings.stiffness_root_deg, settings.stiffness_tip_deg);
        let turn = Turn {
            kept: kept(settings.damping, STEP_SECS),
            inertia: settings.inertia,
            crown_least: settings.friction_crown,
            crown: &self.crown,
            friction: along(settings.friction_root, settings.friction_tip),
            limits: (limits.iter()).map(|&degrees| Limit::of(degrees)).collect(),
            field: settings.field,
            drag: steps
                .first()
                .map_or(0.0, |step| (1.0 - step.forces.drag_kept) / step.dt),
        };
        chain::advance(&turn, hair, steps)
    }
}

/// What a step needs of the settings.
struct Turn<'a> {
    /// Share of the angular velocity that a step's damping leaves.
    kept: f32,
    /// k² ρ d of the source, decimetres; 0: each strand's own length.
    inertia: f32,
    /// Friction at the top, and for each strand how much of the rest is to come back.
    crown_least: f32,
    crown: &'a [Lanes],
    /// c_i of each segment.
    friction: Vec<f32>,
    /// The largest angle between a segment and the one before.
    limits: Vec<Limit>,
    /// The pseudo-force field round the head.
    field: bool,
    /// Of the air, 1/s: what a step of exact decay comes to.
    drag: f32,
}

impl Chain for Turn<'_> {
    #[inline(always)]
    fn step(&self, block: &mut Block<'_>, step: &Step) {
        let h = step.dt;
        let segments = (block.state.len() - 1) as f32;
        let before = block.state[0];
        // Old and new state of the particle before; the old one gives the segment as it was.
        let mut old = before;
        let mut parent = root(block, step);
        let mut parent_velocity = block.state[0].velocity;
        // What the strand feels of its root's acceleration.
        let mut felt = Lanes3::default();
        for axis in 0..3 {
            for lane in 0..LANES {
                let change = parent_velocity[axis].0[lane] - before.velocity[axis].0[lane];
                felt[axis].0[lane] = -change / h;
            }
        }
        let (mut last_s, mut last_w) = (Lanes3::default(), Lanes3::default());
        let mut last_rest = Lanes3::default();
        let crown = &self.crown[block.index];
        let mut rise = Rise::of(&parent, &step.contacts);
        for j in 1..block.state.len() {
            let was = block.state[j];
            rise.climb(&block.segment[j]);
            let mut end = Lanes3::default();
            let mut spin = Lanes3::default();
            for lane in 0..LANES {
                let length = block.segment[j].0[lane];
                let x = lane3(&was.position, lane);
                let v = lane3(&was.velocity, lane);
                // State: s and omega = s x (v_j - v_(j-1)) / l.
                let s = unit_or(sub(x, lane3(&old.position, lane)), DOWN);
                let slid = sub(v, lane3(&old.velocity, lane));
                let w = cross(s, slid).map(|x| x / length.max(1e-9));

                // Force, as an acceleration: gravity, air, the root's own.
                let around = step.forces.air_at(x);
                let mut force = [0.0; 3];
                for axis in 0..3 {
                    let air = self.drag * (around[axis] - v[axis]);
                    force[axis] = step.forces.gravity[axis] + felt[axis].0[lane] + air;
                }
                let near = if self.field && !step.contacts.is_empty() {
                    let distance = step.contacts.distance(x, rise.least(lane));
                    smooth(distance / (2.0 * length).max(1e-9))
                } else {
                    1.0
                };
                let crown = self.crown_least + (1.0 - self.crown_least) * crown.0[lane];
                let inertia = if self.inertia > 0.0 {
                    self.inertia
                } else {
                    block.length.0[lane].max(1e-9)
                };
                // 3 i c_i / (2 k^3 rho d) with k^2 rho d = inertia.
                let gain = 1.5 * j as f32 / segments * self.friction[j] * crown / inertia;
                let torque = cross(s, force).map(|x| x * (near * gain));
                let w = add_scaled(w.map(|w| w * self.kept), torque, h);

                // The pull to the rest shape, as a turn of this step.
                let rest = sub(lane3(&block.rest[j], lane), lane3(&block.rest[j - 1], lane));
                let goal = unit_or(step.turned(rest), s);
                let goal_before = unit_or(sub(step.turned(rest), step.turning(rest)), goal);
                let w = step
                    .hold
                    .pull(w.map(|w| w * h), cross(s, goal), cross(goal_before, goal))
                    .map(|way| way / h);
                // Half a turn in a step has no meaning left; it must only stay finite.
                let speed = square(w).sqrt() * h;
                let w = w.map(|w| snap(w * (FASTEST / speed.max(FASTEST))));

                let s = turn(s, w, h);
                // Curls may bend as they rest.
                let rest = unit_or(rest, DOWN);
                let limit = self.limits[j].or_bend(lane3(&last_rest, lane), rest);
                put3(&mut last_rest, lane, rest);
                let (last_s, last_w) = (lane3(&last_s, lane), lane3(&last_w, lane));
                let (s, w) = limit.cut(j, s, w, last_s, last_w);
                put3(&mut spin, lane, w);
                put3(&mut end, lane, add_scaled(lane3(&parent, lane), s, length));
            }
            let free = end;
            slide(&parent, &block.segment[j], &was, &mut end, step, &rise);
            let now = &mut block.state[j];
            for lane in 0..LANES {
                let length = block.segment[j].0[lane];
                let p = lane3(&end, lane);
                let s = unit_or(sub(p, lane3(&parent, lane)), DOWN);
                let turning = cross(lane3(&spin, lane), s).map(|x| x * length);
                let v = add_scaled(turning, lane3(&parent_velocity, lane), 1.0);
                // Turned out of something: it moves as it has moved, which takes what went in.
                let moved = p != lane3(&free, lane);
                let way = sub(p, lane3(&was.position, lane)).map(|way| way / h);
                put3(&mut now.velocity, lane, select(moved, way, v));
                put3(&mut last_s, lane, s);
            }
            now.position = end;
            old = was;
            parent = end;
            parent_velocity = now.velocity;
            last_w = spin;
        }
    }
}

/// A largest angle between segments.
#[derive(Clone, Copy)]
struct Limit {
    sin: f32,
    cos: f32,
}

impl Limit {
    fn of(degrees: f32) -> Self {
        let (sin, cos) = sin_cos(f64::from(degrees).to_radians());
        Self {
            sin: sin as f32,
            cos: cos as f32,
        }
    }

    /// The angle between two unit vectors, if that is larger.
    #[inline(always)]
    fn or_bend(self, before: [f32; 3], after: [f32; 3]) -> Self {
        let cos = dot(before, after);
        let larger = cos < self.cos;
        Self {
            sin: if larger {
                (1.0 - cos * cos).max(0.0).sqrt()
            } else {
                self.sin
            },
            cos: if larger { cos } else { self.cos },
        }
    }

    /// Cuts the angle to the segment before down to the limit, with the spin that opens it.
    #[inline(always)]
    fn cut(
        self,
        j: usize,
        s: [f32; 3],
        w: [f32; 3],
        before: [f32; 3],
        w_before: [f32; 3],
    ) -> ([f32; 3], [f32; 3]) {
        let Self { sin, cos } = self;
        let along = dot(s, before);
        let cut = j > 1 && along < cos;
        let across = unit_or(add_scaled(s, before, -along), before);
        let bent = [0, 1, 2].map(|axis| cos * before[axis] + sin * across[axis]);
        let axis = cross(before, across);
        let opening = dot(sub(w, w_before), axis).max(0.0);
        let slowed = add_scaled(w, axis, -opening);
        (select(cut, unit_or(bent, s), s), select(cut, slowed, w))
    }
}

/// s turned by the spin w over a time h: exact but for the fifth order of the angle, without sine
/// and cosine. With tau the tangent of half the angle, s' = ((1 - tau²) s + 2 tau t) / (1 + tau²).
#[inline(always)]
fn turn(s: [f32; 3], w: [f32; 3], h: f32) -> [f32; 3] {
    let way = cross(w, s).map(|x| x * h);
    let angle = square(way).sqrt();
    let t = unit_or(way, [0.0; 3]);
    let half = 0.5 * angle;
    let tau = half * (1.0 + half * half * (1.0 / 3.0));
    let scale = 1.0 / (1.0 + tau * tau);
    let mut out = [0.0; 3];
    for axis in 0..3 {
        out[axis] = ((1.0 - tau * tau) * s[axis] + 2.0 * tau * t[axis]) * scale;
    }
    unit_or(out, s)
}

/// 0 below 0, 1 above 1, in between x² (3 − 2x).
#[inline(always)]
fn smooth(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}
