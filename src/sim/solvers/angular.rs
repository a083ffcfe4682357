//! Projective angular dynamics: rigid sticks that turn.
//!
//! Anjyo, Usami, Kurihara: A Simple Method for Extracting the Natural Beauty of Hair (SIGGRAPH
//! 1992), in a form without poles: unit vector and angular velocity instead of zenith and azimuth.
//! What was changed, and why: `docs/angular.md`.

mod limit;

use super::chain::{self, Block, Chain, DOWN};
use super::hold::{HoldSettings, Holds};
use super::{Outcome, STEP_SECS, Solver, Step, TakesPulls};
use crate::bvh::bounds;
use crate::det_math::decay;
use crate::sim::contact::RootClearance;
use crate::sim::hair::{Hair, ParticleBlock};
use crate::sim::hair_interaction::InteractionForces;
use crate::sim::settings::{AngularSettings, SimSettings, SolverKind};
use crate::sim::simd::{
    LANES, Lanes, Lanes3, add_scaled3, cross3, flush, flushed3, get3, minus3, over3, scaled3,
    select, set3, splat3, sum3, unit_or, unit3,
};
use glam::Vec3;
use limit::Limit;
use rayon::prelude::*;

/// Share of the hair's height, from its top, over which the friction at the crown fades out.
const CROWN_SHARE: f32 = 0.5;
/// The number of segments up to which the limits of joints are those of the settings. Finer strands
/// share the same bend among more joints.
const SEGMENTS: f32 = 11.0;
/// Strands bend as if they had at least this stiffness; with it, default limits bend freely.
const LEAST_STIFFNESS: f32 = 0.01;
/// No segment turns by more than this in a step, radians.
const FASTEST: f32 = 1.5;
/// Segments and inertias are at least this, decimetres.
const LEAST: f32 = 1e-9;

/// The solver of projective angular dynamics.
#[derive(Clone, Debug, Default)]
pub struct Angular {
    settings: AngularSettings,
    hold: HoldSettings,
    /// Share of the angular velocity that a step's damping leaves.
    decay: f32,
    /// Depth of each root below the top of the hair: 0 there, 1 from half way down.
    crown: Vec<Lanes>,
    /// 1 over the stiffness of each strand; empty where all are stiff.
    gives: Vec<Lanes>,
    /// c_i of each segment.
    friction: Vec<f32>,
    /// The largest angle between a segment and the one before.
    limits: Vec<Limit>,
}

impl Solver for Angular {
    fn name(&self) -> &str {
        SolverKind::Angular.name()
    }

    fn configure(&mut self, settings: &SimSettings) {
        self.settings = settings.angular.clamped();
        self.hold = HoldSettings::of(settings);
        self.decay = decay(self.settings.damping, STEP_SECS);
    }

    fn take_over(&mut self, hair: &Hair) {
        let (low, high) = bounds((0..hair.len()).map(|i| hair.rest(i, 0)));
        let fade = (CROWN_SHARE * (high.y - low.y)).max(1e-6);
        self.crown = (hair.rest.chunks_exact(hair.particles()))
            .map(|rest| ((Lanes::splat(high.y) - rest[0][1]) / Lanes::splat(fade)).smooth_step())
            .collect();
    }

    fn takes_pulls(&self) -> TakesPulls {
        TakesPulls::Turns
    }

    fn mobility(&self, length: f32) -> f32 {
        let settings = &self.settings;
        let friction = 0.5 * (settings.friction_root + settings.friction_tip);
        // An inertia of 0 stands for the length. Hair at the crown may move less.
        friction * (length / settings.inertia).min(1.0)
    }

    fn feel(&mut self, hair: &mut Hair, forces: &InteractionForces) {
        self.friction = self.frictions(hair.particles() - 1);
        let each = hair.particles();
        let segments = hair.segment.par_chunks(each).zip(&hair.length).enumerate();
        let blocks = hair.state.par_chunks_mut(each).zip(segments);
        blocks.for_each_init(
            Vec::new,
            |before, (particles, (index, (segments, length)))| {
                before.clear();
                before.extend(particles.iter().map(|particle| particle.velocity));
                forces.apply_to(particles);
                self.turn_by(before, particles, segments, self.per_inertia(index, length));
            },
        );
    }

    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome {
        let settings = &self.settings;
        let segments = hair.particles() - 1;
        self.gives = (hair.stiffness.iter())
            .map(|stiffness| Lanes::ONE / stiffness.at_least(LEAST_STIFFNESS))
            .collect();
        let share = (SEGMENTS / segments as f32).min(1.0);
        let [root, tip] = [settings.stiffness_root_deg, settings.stiffness_tip_deg];
        self.limits = along(segments, root * share, tip * share)
            .map(Limit::from_degrees)
            .collect();
        self.friction = self.frictions(segments);
        let holds = Holds::new(hair, &self.hold, STEP_SECS);
        chain::advance(&*self, &holds, Step::is_free, hair, steps)
    }
}

impl Chain for Angular {
    #[inline(always)]
    fn step<const HELD: bool, const FREE: bool>(&self, block: &mut Block<'_>, step: &Step) {
        let mut pass = StrandPass::new(self, block, step);
        pass.segment::<HELD, FREE, true>(self, block, 1, step);
        for j in 2..block.state.len() {
            pass.segment::<HELD, FREE, false>(self, block, j, step);
        }
    }
}

/// Returns numbers of segments that change evenly from the root to the tip.
fn along(segments: usize, root: f32, tip: f32) -> impl Iterator<Item = f32> {
    let share = move |i: usize| (i as f32 - 0.5) / segments as f32;
    (0..=segments).map(move |i| root + (tip - root) * share(i).clamp(0.0, 1.0))
}

impl Angular {
    /// c_i of each segment.
    fn frictions(&self, segments: usize) -> Vec<f32> {
        let settings = &self.settings;
        along(segments, settings.friction_root, settings.friction_tip).collect()
    }

    /// Friction at the crown of eight strands over their inertia.
    #[inline(always)]
    fn per_inertia(&self, block: usize, length: &Lanes) -> Lanes {
        let least = self.settings.friction_crown;
        let crown = Lanes::splat(least) + Lanes::splat(1.0 - least) * self.crown[block];
        let inertia = match self.settings.inertia > 0.0 {
            true => Lanes::splat(self.settings.inertia),
            false => *length,
        };
        crown / inertia.at_least(LEAST)
    }

    /// Turns the sticks of eight strands as the velocity changes of their ends would as forces: each
    /// by itself, as gravity and the air do.
    fn turn_by(
        &self,
        before: &[Lanes3],
        particles: &mut [ParticleBlock],
        segments: &[Lanes],
        per_inertia: Lanes,
    ) {
        let count = (segments.len() - 1) as f32;
        let mut change = Lanes3::default();
        for j in 1..segments.len() {
            let way = minus3(&particles[j].position, &particles[j - 1].position);
            let s = unit3(&way, &splat3(DOWN));
            let push = minus3(&particles[j].velocity, &before[j]);
            let gain = Lanes::splat(1.5 * j as f32 / count * self.friction[j]) * per_inertia;
            let spin = scaled3(&cross3(&s, &push), gain);
            change = add_scaled3(&change, &cross3(&spin, &s), segments[j]);
            particles[j].velocity = flushed3(&sum3(&before[j], &change));
        }
    }

    /// Share of the forces into or along the head that the pseudo-force field around it leaves.
    #[inline(always)]
    fn nearness(
        &self,
        x: &Lanes3,
        length: &Lanes,
        step: &Step,
        clearance: &RootClearance,
    ) -> Lanes {
        if !self.settings.field || step.contacts.is_empty() {
            return Lanes::ONE;
        }
        let reach = (Lanes::splat(2.0) * *length).at_least(LEAST);
        (step.contacts.distance_from_head(x, clearance) / reach).smooth_step()
    }

    /// Sines and cosines of the limits of joint j.
    #[inline(always)]
    fn limits_of(&self, j: usize, block: usize) -> [Lanes; 2] {
        let limit = self.limits[j];
        let mut limits = [Lanes::splat(limit.sin), Lanes::splat(limit.cos)];
        if let Some(gives) = self.gives.get(block) {
            for lane in 0..LANES {
                let own = limit.softened(gives.0[lane]);
                limits[0].0[lane] = own.sin;
                limits[1].0[lane] = own.cos;
            }
        }
        limits
    }
}

/// The state of a pass from root to tip.
struct StrandPass {
    /// The particle before: before the step, which gives the segment's state, and after it.
    old: ParticleBlock,
    parent: ParticleBlock,
    /// The segment before: its direction, its spin, its direction at rest.
    last_s: Lanes3,
    last_w: Lanes3,
    last_rest: Lanes3,
    /// Apparent acceleration of the strand as its root accelerates.
    felt: Lanes3,
    /// Friction at the strand's crown over its inertia.
    crown: Lanes,
    /// Drag of the air, 1/s, by which an Euler step does what exact decay does.
    drag: f32,
    clearance: RootClearance,
}

impl StrandPass {
    #[inline(always)]
    fn new(of: &Angular, block: &mut Block<'_>, step: &Step) -> Self {
        let old = block.state[0];
        block.move_roots(step);
        let parent = block.state[0];
        let slowed = minus3(&old.velocity, &parent.velocity);
        Self {
            old,
            parent,
            last_s: Lanes3::default(),
            last_w: Lanes3::default(),
            last_rest: Lanes3::default(),
            felt: over3(&slowed, Lanes::splat(step.dt_secs)),
            crown: of.per_inertia(block.index, block.length),
            drag: (1.0 - step.forces.drag_decay) / step.dt_secs,
            clearance: block.root_clearance(step),
        }
    }

    /// Turns the segment that ends at particle j. One loop over the lanes, as in `ftl.rs`, or two
    /// with contact in between.
    #[inline(always)]
    fn segment<const HELD: bool, const FREE: bool, const FIRST: bool>(
        &mut self,
        of: &Angular,
        block: &mut Block<'_>,
        j: usize,
        step: &Step,
    ) {
        let (was, length) = (block.state[j], block.segment[j]);
        let (rest, rest_before) = (block.rest[j], block.rest[j - 1]);
        let segments = (block.state.len() - 1) as f32;
        let [limit_sin, limit_cos] = of.limits_of(j, block.index);
        // 3 i c_i / (2 k^3 rho d) with k^2 rho d = inertia.
        let gain = 1.5 * j as f32 / segments * of.friction[j];
        let (mut air, mut near) = (Lanes3::default(), Lanes::ONE);
        if !FREE {
            self.clearance.climb(&length);
            air = step.forces.air_at3(&was.position);
            near = of.nearness(&was.position, &length, step, &self.clearance);
        }
        let (mut free, mut spins) = (Lanes3::default(), Lanes3::default());
        let (mut rests, mut velocity) = (Lanes3::default(), Lanes3::default());
        let mut along = Lanes3::default();
        for lane in 0..LANES {
            let (x, v) = (get3(&was.position, lane), get3(&was.velocity, lane));
            let long = length.0[lane];
            // State: s and omega = s x (v_j - v_(j-1)) / l.
            let s = unit_or(x - get3(&self.old.position, lane), DOWN);
            let at_least = if long > LEAST { long } else { LEAST };
            let w = s.cross(v - get3(&self.old.velocity, lane)) * (1.0 / at_least);

            // Force, as an acceleration: gravity, air, the root's own.
            let around = select(FREE, step.forces.wind, get3(&air, lane));
            let felt = get3(&self.felt, lane);
            let force = step.forces.gravity + felt + (around - v) * self.drag;
            let gain = gain * self.crown.0[lane];
            if !FREE {
                near.0[lane] = freed(near.0[lane], x - step.motion.translation, force);
            }
            let torque = s.cross(force) * (near.0[lane] * gain);
            let mut w = w * of.decay + torque * step.dt_secs;
            if !FREE {
                let borne = (1.0 - near.0[lane]) * gain * step.contacts.friction * step.dt_secs;
                w = rubbed(w, s, step.spin, borne * force.dot(force).sqrt());
            }

            // The pull to the rest shape, as a turn of this step.
            let rest = get3(&rest, lane) - get3(&rest_before, lane);
            if HELD {
                let turned = step.motion.rotation * rest;
                let goal = unit_or(turned, s);
                let goal_before = unit_or(turned - step.motion.turn * rest, goal);
                // The lift is at most as much as gravity turns it back.
                let lift = step.motion.rotation * get3(&block.hold.lift, lane);
                let lifted = goal + lift * (near.0[lane] * gain);
                let (to_goal, of_goal) = (s.cross(lifted), goal_before.cross(goal));
                w = block.hold.pull(lane, w * step.dt_secs, to_goal, of_goal)
                    * (1.0 / step.dt_secs);
            }
            // Half a turn in a step has no meaning left; it must only stay finite.
            let speed = w.dot(w).sqrt() * step.dt_secs;
            let w = w * (FASTEST / if speed > FASTEST { speed } else { FASTEST });
            let w = w.map(flush);

            let (mut s, mut spin) = (turned(s, w, step.dt_secs), w);
            // Curls may bend as they rest.
            let rest = unit_or(rest, DOWN);
            if !FIRST {
                let limit = Limit {
                    sin: limit_sin.0[lane],
                    cos: limit_cos.0[lane],
                };
                let limit = limit.widened(get3(&self.last_rest, lane).dot(rest));
                let pull = force * (near.0[lane] * gain);
                (s, spin) = limit.cut(
                    (s, w),
                    get3(&self.last_s, lane),
                    get3(&self.last_w, lane),
                    pull,
                );
            }
            let parent = get3(&self.parent.position, lane);
            let v = get3(&self.parent.velocity, lane);
            set3(&mut free, lane, parent + s * long);
            set3(&mut along, lane, s);
            set3(&mut spins, lane, spin);
            set3(&mut rests, lane, rest);
            set3(&mut velocity, lane, v + spin.cross(s) * long);
        }
        let mut end = free;
        if !FREE && !step.contacts.is_empty() {
            let (parent, clearance) = (&self.parent.position, &mut self.clearance);
            let (contacts, was) = (&step.contacts, &was.position);
            contacts.collide(&step.motion, parent, &length, was, &mut end, clearance);
            for lane in 0..LANES {
                let to = get3(&end, lane);
                let s = unit_or(to - get3(&self.parent.position, lane), DOWN);
                let turning = get3(&spins, lane).cross(s);
                let v = get3(&self.parent.velocity, lane) + turning * length.0[lane];
                // After a contact, the velocity follows from the motion, which has no inward part
                // left.
                let way = to - get3(was, lane);
                let apart = to - get3(&free, lane);
                let moved = apart.dot(apart) > 0.0;
                set3(&mut along, lane, s);
                let v = select(moved, way * (1.0 / step.dt_secs), v);
                set3(&mut velocity, lane, v);
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

/// Returns the share of a force that acts at `x` from the centre of the head, where the field leaves
/// the share `near` of forces into it: the skin bears nothing of a force that leads away.
#[inline(always)]
fn freed(near: f32, x: Vec3, force: Vec3) -> f32 {
    let square = x.dot(x) * force.dot(force);
    let away = x.dot(force) * (1.0 / if square > LEAST { square } else { LEAST }.sqrt());
    near + (1.0 - near) * if away > 0.0 { away } else { 0.0 }
}

/// Returns the spin w of a segment along s after dry friction on a head that turns at `spin`: their
/// difference shrinks by `max`.
#[inline(always)]
fn rubbed(w: Vec3, s: Vec3, spin: Vec3, max: f32) -> Vec3 {
    let of_head = spin + s * -spin.dot(s);
    let slip = w - of_head;
    let speed = slip.dot(slip).sqrt();
    let left = if speed > max { speed - max } else { 0.0 };
    of_head + slip * (left / if speed > LEAST { speed } else { LEAST })
}

/// Turns s by the spin w for a time h: exact but for the fifth order of the angle, without sine and
/// cosine. With tau the tangent of half the angle, s' = ((1 - tau²) s + 2 tau t) / (1 + tau²).
#[inline(always)]
fn turned(s: Vec3, w: Vec3, h: f32) -> Vec3 {
    let way = w.cross(s) * h;
    let angle = way.dot(way).sqrt();
    let t = unit_or(way, Vec3::ZERO);
    let half = 0.5 * angle;
    let tau = half * (1.0 + half * half * (1.0 / 3.0));
    let scale = 1.0 / (1.0 + tau * tau);
    unit_or((s * (1.0 - tau * tau) + t * (2.0 * tau)) * scale, s)
}
