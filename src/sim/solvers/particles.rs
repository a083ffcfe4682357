//! Damped springs between the particles of a strand.
//!
//! As in hair animated by basis and dependent strands (WSCG 2004 posters), with substeps chosen
//! for stability. What was changed, and why: `docs/particles.md`.

use super::chain::{self, Block, Chain, DOWN};
use super::hold::{HoldSettings, Holds};
use super::{Outcome, STEP_SECS, Solver, Step};
use crate::det_math::decay;
use crate::sim::contact::{Planes, RootClearance};
use crate::sim::hair::{Hair, ParticleBlock};
use crate::sim::settings::{ParticleSettings, SimSettings, SolverKind, Stepping};
use crate::sim::simd::{
    LANES, Lanes, Lanes3, above3, add_scaled3, dot3, flush, get3, minus3, over3, scaled3, select,
    set3, splat3, unit_or, unit3,
};
use glam::Vec3;

/// The largest share by which a segment is longer or shorter than at rest after a step. Hair breaks
/// at about half of its length.
const MOST_STRAIN: f32 = 0.2;
/// The number of segments up to which a strand has the stiffness of the settings between its
/// particles. Beyond it the stiffness grows with the square of the number, as E A / (ρ l²) does for
/// a fibre in masses ρ l: all stretch alike under their weight.
const SEGMENTS: f32 = 11.0;
/// The most particles that a strand has.
const MOST_PARTICLES: usize = *Hair::PARTICLES_RANGE.end() as usize;
/// Particles that are farther from everything than this and their way in a step, decimetres, are
/// looked at once a step. Springs may make them faster by 12 dm/s meanwhile.
const NEAR: f32 = 0.05;
/// Share of the largest stable substep that is used.
const SAFETY: f64 = 0.7;

/// The solver of springs between particles.
#[derive(Clone, Debug, Default)]
pub struct Particles {
    settings: ParticleSettings,
    hold: HoldSettings,
    substeps: u32,
    /// Share of the velocity against the air that a substep leaves.
    drag_decay: f32,
}

impl Solver for Particles {
    fn name(&self) -> &str {
        SolverKind::Particles.name()
    }

    fn configure(&mut self, settings: &SimSettings) {
        self.settings = settings.particles.clamped();
        self.settings.stiffness = stiffness(&self.settings, settings.strand_particles);
        self.hold = HoldSettings::of(settings);
        self.substeps = substeps(&self.settings);
        let drag = settings.forces.clamped().drag;
        self.drag_decay = decay(drag, STEP_SECS / f64::from(self.substeps));
    }

    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome {
        let substep_secs = STEP_SECS / f64::from(self.substeps);
        let holds = Holds::new(hair, &self.hold, substep_secs);
        // Contact comes after the substeps, which only turbulence makes dearer.
        chain::advance(&*self, &holds, Step::is_calm, hair, steps)
    }
}

/// Returns the stiffness of a spring in a strand of so many particles, 1/s².
pub(crate) fn stiffness(settings: &ParticleSettings, particles: u32) -> f32 {
    let finer = (particles.saturating_sub(1) as f32 / SEGMENTS).max(1.0);
    settings.stiffness * finer * finer
}

/// Returns how many substeps keep a step stable.
///
/// A long chain of masses 1 with springs k and dampers c between them has the highest frequency
/// 2 √k, damped at rate 4c. The semi-implicit Euler step of x'' = −ω² x − γ x' is stable while
/// ω² h² + 2 γ h ≤ 4: k h² + 2 c h ≤ 1.
fn substeps(settings: &ParticleSettings) -> u32 {
    let (k, c) = (f64::from(settings.stiffness), f64::from(settings.damping));
    // The positive root of k h² + 2 c h = 1, without cancellation.
    let largest = 1.0 / (c + (c * c + k).sqrt());
    (STEP_SECS / (SAFETY * largest)).ceil().max(1.0) as u32
}

impl Chain for Particles {
    #[inline(always)]
    fn step<const HELD: bool, const CALM: bool>(&self, block: &mut Block<'_>, step: &Step) {
        block.keep_positions();
        if step.contacts.is_empty() {
            for number in 1..=self.substeps {
                Substep::new(self, step, number).take::<HELD, CALM>(block);
            }
            return self.limit_strain::<false>(block, step);
        }
        block.move_roots(step);
        let clearance = block.root_clearance(step);
        let near = Near::new(block, step, clearance);
        let mut was = [Lanes3::default(); MOST_PARTICLES];
        for number in 1..=self.substeps {
            for (was, particle) in was.iter_mut().zip(&*block.state) {
                *was = particle.position;
            }
            Substep::new(self, step, number).take::<HELD, CALM>(block);
            let near = (number < self.substeps).then_some(&near);
            push_out(block, step, clearance, near, (&was, self.substeps));
        }
        self.limit_strain::<true>(block, step);
    }
}

/// The obstacles that eight strands may get into before the last substep of a step.
struct Near {
    /// Which particles may get into something.
    particles: [bool; MOST_PARTICLES],
    /// Tangent planes of the skin, where it is the only obstacle. They stand for it until the last
    /// substep: no particle goes far enough in a step for the difference to matter.
    planes: [Option<Planes>; MOST_PARTICLES],
}

impl Near {
    #[inline(always)]
    fn new(block: &Block<'_>, step: &Step, mut clearance: RootClearance) -> Self {
        let mut near = Self {
            particles: [false; MOST_PARTICLES],
            planes: [None; MOST_PARTICLES],
        };
        for j in 1..block.state.len() {
            clearance.climb(&block.segment[j]);
            let ParticleBlock { position, velocity } = &block.state[j];
            let way = dot3(velocity, velocity).sqrt() * Lanes::splat(step.dt_secs);
            let reach = way + Lanes::splat(NEAR);
            let planes = step.contacts.tangents(position, reach, &clearance);
            let distance = match &planes {
                Some(planes) => planes.height(position),
                None => step.contacts.distance(position, &clearance),
            };
            near.particles[j] = !reach.all_below(distance);
            near.planes[j] = planes.map(|planes| planes.within(reach, position));
        }
        near
    }
}

/// Pushes particles out of everything and takes what of their velocity goes in, with friction.
/// `was` are the positions before the substep, and how many of them a step has. After every substep,
/// since a push that is as deep as a whole step would stretch springs by more than a fall gives them
/// energy for. The last substep has no `near` and looks at everything.
#[inline(always)]
fn push_out(
    block: &mut Block<'_>,
    step: &Step,
    mut clearance: RootClearance,
    near: Option<&Near>,
    (was, substeps): (&[Lanes3; MOST_PARTICLES], u32),
) {
    let share_of_step = Lanes::splat(1.0 / substeps as f32);
    for (j, was) in was.iter().enumerate().take(block.state.len()).skip(1) {
        clearance.climb(&block.segment[j]);
        if near.is_some_and(|near| !near.particles[j]) {
            continue;
        }
        let ParticleBlock { position, velocity } = &mut block.state[j];
        let planes = match near.and_then(|near| near.planes[j]) {
            Some(planes) => planes.push_out(position),
            None => step.contacts.push_out(position, &clearance),
        };
        if planes.is_none() {
            continue;
        }
        let way = step.contacts.way(&step.motion, &planes);
        let surface = over3(&way, Lanes::splat(step.dt_secs));
        let against = minus3(velocity, &surface);
        let inward = dot3(&against, &planes.normal);
        let slip = add_scaled3(&against, &planes.normal, -inward);
        // Coulomb friction: the push out of the surface also slows the sliding.
        let speed = dot3(&slip, &slip).sqrt();
        let stopped = Lanes::splat(step.contacts.friction) * (-inward).at_least(0.0);
        let share = (stopped / speed.at_least(1e-12)).at_most(1.0);
        let left = add_scaled3(&surface, &slip, Lanes::ONE - share);
        let left = add_scaled3(&left, &planes.normal, inward.at_least(0.0));
        *velocity = planes.where_touched(&left, velocity);
        // Points that do not slide stay in their place: else they rattle where the surface bends.
        let stays = planes.touched * share;
        let place = add_scaled3(was, &way, share_of_step);
        *position = above3(stays, 1.0 - f32::EPSILON, &place, position);
    }
}

impl Particles {
    /// Lays strands anew from their roots if a segment is stretched or compressed beyond
    /// [`MOST_STRAIN`]. What is nearer to the tip moves along, so that no other spring is stretched
    /// by that. Segments stay out of everything.
    #[inline(always)]
    fn limit_strain<const COLLIDES: bool>(&self, block: &mut Block<'_>, step: &Step) {
        let [least, most] = [1.0 - MOST_STRAIN, 1.0 + MOST_STRAIN].map(Lanes::splat);
        let mut beyond = Lanes::ZERO;
        for j in 1..block.state.len() {
            let way = minus3(&block.state[j].position, &block.state[j - 1].position);
            let (square, own) = (dot3(&way, &way), block.segment[j]);
            let [low, high] = [own * least, own * most];
            beyond = beyond.max(square.less_than(low * low, Lanes::ONE, Lanes::ZERO));
            beyond = beyond.max((high * high).less_than(square, Lanes::ONE, Lanes::ZERO));
        }
        if beyond.all_at_most(Lanes::ZERO) {
            return;
        }
        let mut clearance = match COLLIDES {
            true => block.root_clearance(step),
            false => RootClearance::none(),
        };
        let per_dt = Lanes::splat(1.0 / step.dt_secs);
        let mut before = block.state[0].position;
        let mut from = before;
        for j in 1..block.state.len() {
            let ParticleBlock { position, velocity } = block.state[j];
            let (own, was) = (block.segment[j], block.previous[j]);
            let way = minus3(&position, &before);
            before = position;
            let long = dot3(&way, &way).sqrt();
            let along = unit3(&way, &splat3(DOWN));
            let length = long.max(own * least).min(own * most);
            let mut end = add_scaled3(&from, &along, length);
            if COLLIDES {
                clearance.climb(&length);
                let contacts = &step.contacts;
                contacts.collide(&step.motion, &from, &length, &was, &mut end, &mut clearance);
            }
            // A particle of such a strand is as fast as it has moved, but not faster than before
            // against the head: so the limit gives it no energy.
            let surface = scaled3(&step.motion.displacements_of_world(&end), per_dt);
            let moved = minus3(&scaled3(&minus3(&end, &was), per_dt), &surface);
            let against = minus3(&velocity, &surface);
            let [most, speed] = [&against, &moved].map(|v| dot3(v, v).sqrt());
            let share = (most / speed.at_least(1e-12)).at_most(1.0);
            let kept = add_scaled3(&surface, &moved, share);
            block.state[j] = ParticleBlock {
                position: end,
                velocity: above3(beyond, 0.0, &kept, &velocity),
            };
            from = end;
        }
    }
}

/// One substep. Verlet is drift, kick, drift: the same kick from the middle of the way.
struct Substep<'a> {
    of: &'a Particles,
    step: &'a Step,
    dt: f32,
    per_dt: f32,
    /// Time of the drift before the kick, s.
    drift: f32,
    /// Length of the substep as a share of the step.
    share: f32,
    /// Share of the step that is left when the substep ends.
    left: f32,
    /// dt g
    fall: Vec3,
}

/// The end of a spring: position and velocity where forces are evaluated.
#[derive(Clone, Copy, Default)]
struct End {
    x: Lanes3,
    v: Lanes3,
    /// Force of the spring to the particle before.
    pull: Lanes3,
}

impl<'a> Substep<'a> {
    #[inline(always)]
    fn new(of: &'a Particles, step: &'a Step, number: u32) -> Self {
        let count = of.substeps as f32;
        let dt = step.dt_secs / count;
        let verlet = of.settings.stepping == Stepping::Verlet;
        Self {
            of,
            step,
            dt,
            per_dt: 1.0 / dt,
            drift: if verlet { 0.5 * dt } else { 0.0 },
            share: 1.0 / count,
            left: 1.0 - number as f32 / count,
            fall: step.forces.gravity * dt,
        }
    }

    /// Goes from root to tip. Each particle is moved once the spring after it is known. Each step
    /// has one loop over the lanes, as in `ftl.rs`.
    #[inline(always)]
    fn take<const HELD: bool, const CALM: bool>(&self, block: &mut Block<'_>) {
        let tip = block.state.len() - 1;
        let mut before = self.move_roots(block);
        for j in 1..=tip {
            let (was, length) = (block.state[j], block.segment[j]);
            let mut end = End::default();
            for lane in 0..LANES {
                let v = get3(&was.velocity, lane);
                let x = get3(&was.position, lane) + v * self.drift;
                let between = x - get3(&before.x, lane);
                let along = unit_or(between, DOWN);
                let stretch = between.dot(between).sqrt() - length.0[lane];
                let parting = (v - get3(&before.v, lane)).dot(along);
                let force =
                    self.of.settings.stiffness * stretch + self.of.settings.damping * parting;
                set3(&mut end.x, lane, x);
                set3(&mut end.v, lane, v);
                set3(&mut end.pull, lane, along * -force);
            }
            if j > 1 {
                self.kick::<HELD, CALM>(block, j - 1, &before, &end.pull);
            }
            before = end;
        }
        self.kick::<HELD, CALM>(block, tip, &before, &Lanes3::default());
    }

    /// Moves the roots on.
    #[inline(always)]
    fn move_roots(&self, block: &mut Block<'_>) -> End {
        let (end, way) = block.roots(self.step);
        let root = add_scaled3(&end, &way, Lanes::splat(-self.left));
        let velocity = over3(&way, Lanes::splat(self.step.dt_secs));
        block.state[0] = ParticleBlock {
            position: root,
            velocity,
        };
        End {
            x: add_scaled3(&root, &velocity, Lanes::splat(self.drift - self.dt)),
            v: velocity,
            pull: Lanes3::default(),
        }
    }

    /// Moves particle j; the spring after it pulls the other way.
    #[inline(always)]
    fn kick<const HELD: bool, const CALM: bool>(
        &self,
        block: &mut Block<'_>,
        j: usize,
        at: &End,
        next_pull: &Lanes3,
    ) {
        let (step, rest) = (self.step, block.rest[j]);
        let mut air = Lanes3::default();
        if !CALM {
            air = step.forces.air_at3(&at.x);
        }
        let skin = block.skin_ways(step);
        let mut moved = ParticleBlock::default();
        for lane in 0..LANES {
            let (x, v) = (get3(&at.x, lane), get3(&at.v, lane));
            let pull = get3(&at.pull, lane) - get3(next_pull, lane);
            let air = select(CALM, step.forces.wind, get3(&air, lane));
            let v = air + (v - air) * self.of.drag_decay + self.fall;
            let mut v = v + pull * self.dt;
            if HELD {
                let rest = get3(&rest, lane);
                let goal = rest + get3(&block.hold.lift, lane);
                let [left, back] = skin.each_ref().map(|way| get3(way, lane));
                let of_goal = step.motion.displacement(goal) - back;
                let end = step.motion.transform_point(goal) - left + of_goal * -self.left;
                let of_rest = (step.motion.displacement(rest) - back) * self.share;
                let way = (block.hold).pull(lane, v * self.dt, end - x, of_rest);
                v = way * self.per_dt;
            }
            let v = v.map(flush);
            set3(&mut moved.velocity, lane, v);
            set3(&mut moved.position, lane, x + v * (self.dt - self.drift));
        }
        block.state[j] = moved;
    }
}
