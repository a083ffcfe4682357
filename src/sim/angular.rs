//! Projective angular dynamics: rigid sticks that turn.
//!
//! Anjyo, Usami, Kurihara: A Simple Method for Extracting the Natural Beauty of Hair (SIGGRAPH
//! 1992), in a form without poles: unit vector and angular velocity instead of zenith and azimuth.
//! What was changed, and why: `docs/angular.md`.

use super::blocks::{LANES, Lanes, Lanes3, ParticleBlock, axes, get3};
use super::chain::{self, Block, Chain};
use super::contact::{Rise, slide};
use super::ftl::root;
use super::lanes::{
    above3, all3, cross3, dot3, minus3, over3, plus3, rotate3, scaled3, snapped3, sum3, unit3,
};
use super::step::kept;
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
            smooth(Lanes::all(below)).0[lane]
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
        let (dt, h) = (step.dt, Lanes::all(step.dt));
        let segments = (block.state.len() - 1) as f32;
        let before = block.state[0];
        // Old and new state of the particle before; the old one gives the segment as it was.
        let mut old = before;
        let mut parent = root(block, step);
        let mut parent_velocity = block.state[0].velocity;
        // What the strand feels of its root's acceleration.
        let felt = over3(&minus3(&before.velocity, &parent_velocity), h);
        let (mut last_s, mut last_w) = (Lanes3::default(), Lanes3::default());
        let mut last_rest = Lanes3::default();
        let down = all3(DOWN);
        let crown = Lanes::all(self.crown_least)
            + Lanes::all(1.0 - self.crown_least) * self.crown[block.index];
        let inertia = if self.inertia > 0.0 {
            Lanes::all(self.inertia)
        } else {
            block.length.at_least(1e-9)
        };
        let gravity = all3(step.forces.gravity);
        let mut rise = block.rise(step);
        for j in 1..block.state.len() {
            let was = block.state[j];
            let length = block.segment[j];
            rise.climb(&length);
            // State: s and omega = s x (v_j - v_(j-1)) / l.
            let s = unit3(&minus3(&was.position, &old.position), &down);
            let slid = minus3(&was.velocity, &old.velocity);
            let w = over3(&cross3(&s, &slid), length.at_least(1e-9));

            // Force, as an acceleration: gravity, air, the root's own.
            let around = step.forces.air_at3(&was.position);
            let force = axes!(axis => {
                let air = Lanes::all(self.drag) * (around[axis] - was.velocity[axis]);
                gravity[axis] + felt[axis] + air
            });
            let near = self.nearness(&was.position, &length, step, &rise);
            // 3 i c_i / (2 k^3 rho d) with k^2 rho d = inertia.
            let gain = Lanes::all(1.5 * j as f32 / segments * self.friction[j]) * crown / inertia;
            let torque = scaled3(&cross3(&s, &force), near * gain);
            let w = plus3(&scaled3(&w, Lanes::all(self.kept)), &torque, h);

            // The pull to the rest shape, as a turn of this step.
            let rest = minus3(&block.rest[j], &block.rest[j - 1]);
            let way = scaled3(&w, h);
            let way = if step.hold.is_none() {
                way
            } else {
                let turned = rotate3(&step.rotation, &rest);
                let goal = unit3(&turned, &s);
                let goal_before = minus3(&turned, &rotate3(&step.turn, &rest));
                let goal_before = unit3(&goal_before, &goal);
                let (to_goal, of_goal) = (cross3(&s, &goal), cross3(&goal_before, &goal));
                step.hold.pull3(&way, &to_goal, &of_goal)
            };
            let w = over3(&way, h);
            // Half a turn in a step has no meaning left; it must only stay finite.
            let speed = dot3(&w, &w).sqrt() * h;
            let slower = Lanes::all(FASTEST) / speed.at_least(FASTEST);
            let w = snapped3(&scaled3(&w, slower));

            let s = turn(&s, &w, dt);
            // Curls may bend as they rest.
            let rest = unit3(&rest, &down);
            let (s, spin) = if j > 1 {
                let limit = self.limits[j].or_bend(&last_rest, &rest);
                limit.cut(&s, &w, &last_s, &last_w)
            } else {
                (s, w)
            };
            last_rest = rest;
            let free = plus3(&parent, &s, length);
            let mut end = free;
            slide(&parent, &length, &was, &mut end, step, &rise);
            let s = unit3(&minus3(&end, &parent), &down);
            let turning = scaled3(&cross3(&spin, &s), length);
            let v = sum3(&turning, &parent_velocity);
            // Turned out of something: it moves as it has moved, which takes what went in.
            let way = over3(&minus3(&end, &was.position), h);
            let velocity = where_moved(&end, &free, &way, &v);
            block.state[j] = ParticleBlock {
                position: end,
                velocity,
            };
            old = was;
            parent = end;
            parent_velocity = velocity;
            (last_s, last_w) = (s, spin);
        }
    }
}

impl Turn<'_> {
    /// Share of the forces that the pseudo-force field round the head leaves.
    #[inline(always)]
    fn nearness(&self, x: &Lanes3, length: &Lanes, step: &Step, rise: &Rise) -> Lanes {
        if !self.field || step.contacts.is_empty() {
            return Lanes::all(1.0);
        }
        let reach = (Lanes::all(2.0) * *length).at_least(1e-9);
        smooth(step.contacts.distance(x, rise) / reach)
    }
}

/// `yes` in the lanes where two points are not the same, else `no`.
#[inline(always)]
fn where_moved(a: &Lanes3, b: &Lanes3, yes: &Lanes3, no: &Lanes3) -> Lanes3 {
    let (mut same, zero) = (Lanes::all(1.0), Lanes::all(0.0));
    for axis in 0..3 {
        let apart = a[axis] - b[axis];
        same = same.if_at_most(apart * apart, zero);
    }
    above3(same, 0.5, no, yes)
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

    /// The angle between two unit vectors, where that is larger.
    #[inline(always)]
    fn or_bend(self, before: &Lanes3, after: &Lanes3) -> Limits {
        let cos = dot3(before, after);
        let own = Lanes::all(self.cos);
        let sin = (Lanes::all(1.0) - cos * cos).at_least(0.0).sqrt();
        Limits {
            sin: own.where_above(cos, sin, Lanes::all(self.sin)),
            cos: own.where_above(cos, cos, own),
        }
    }
}

/// A largest angle for each lane.
#[derive(Clone, Copy)]
struct Limits {
    sin: Lanes,
    cos: Lanes,
}

impl Limits {
    /// Cuts the angle to the segment before down to the limit, with the spin that opens it.
    #[inline(always)]
    fn cut(&self, s: &Lanes3, w: &Lanes3, before: &Lanes3, w_before: &Lanes3) -> (Lanes3, Lanes3) {
        let along = dot3(s, before);
        let across = unit3(&plus3(s, before, -along), before);
        let bent = axes!(i => self.cos * before[i] + self.sin * across[i]);
        let bent = unit3(&bent, s);
        let axis = cross3(before, &across);
        let opening = dot3(&minus3(w, w_before), &axis).at_least(0.0);
        let slowed = plus3(w, &axis, -opening);
        let cut =
            |yes: &Lanes3, no: &Lanes3| axes!(i => self.cos.where_above(along, yes[i], no[i]));
        (cut(&bent, s), cut(&slowed, w))
    }
}

/// s turned by the spin w over a time h: exact but for the fifth order of the angle, without sine
/// and cosine. With tau the tangent of half the angle, s' = ((1 - tau²) s + 2 tau t) / (1 + tau²).
#[inline(always)]
fn turn(s: &Lanes3, w: &Lanes3, h: f32) -> Lanes3 {
    let (one, half) = (Lanes::all(1.0), Lanes::all(0.5));
    let (two, third) = (Lanes::all(2.0), Lanes::all(1.0 / 3.0));
    let way = scaled3(&cross3(w, s), Lanes::all(h));
    let angle = dot3(&way, &way).sqrt();
    let t = unit3(&way, &all3([0.0; 3]));
    let half = half * angle;
    let tau = half * (one + half * half * third);
    let scale = one / (one + tau * tau);
    let out = axes!(i => ((one - tau * tau) * s[i] + two * tau * t[i]) * scale);
    unit3(&out, s)
}

/// 0 below 0, 1 above 1, in between x² (3 − 2x).
#[inline(always)]
fn smooth(x: Lanes) -> Lanes {
    let x = x.at_least(0.0).at_most(1.0);
    x * x * (Lanes::all(3.0) - Lanes::all(2.0) * x)
}
