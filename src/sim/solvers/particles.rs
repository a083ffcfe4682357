//! Damped springs between the particles of a strand.
//!
//! As in hair animated by basis and dependent strands (WSCG 2004 posters), with substeps chosen
//! for stability. What was changed, and why: `docs/particles.md`.

use super::super::simd::blocks::{
    LANES, Lanes, Lanes3, ParticleBlock, add_scaled, dot, lane3, put3, rotate, scaled, sub, unit_or,
};
use super::super::simd::lanes::{above3, dot3, minus3, over3, plus3, sum3};
use super::super::{
    Hair, Outcome, ParticleSettings, STEP_SECS, SimSettings, Solver, SolverKind, Step, Stepping,
};
use super::chain::{self, Block, Chain};
use super::step::{ALIKE, BY_STRAND, FREELY, Hold, StrandHolds, held_by, kept, snap};

/// Share of the largest stable substep that is used.
const SAFETY: f64 = 0.7;
/// Where a segment points that has shrunk to nothing.
const DOWN: [f32; 3] = [0.0, -1.0, 0.0];

/// Particle springs.
#[derive(Clone, Debug)]
pub struct Particles {
    springs: Springs,
}

impl Default for Particles {
    fn default() -> Self {
        Self {
            springs: Springs::new(&SimSettings::default()),
        }
    }
}

impl Solver for Particles {
    fn name(&self) -> &str {
        SolverKind::Particles.name()
    }

    fn configure(&mut self, settings: &SimSettings) {
        self.springs = Springs::new(settings);
    }

    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome {
        let springs = &self.springs;
        let dt = STEP_SECS / f64::from(springs.substeps);
        let own = &StrandHolds::of(hair, springs.setting, dt);
        if !own.is_empty() {
            let way = Way::<BY_STRAND, false> { springs, own };
            return chain::advance(&way, hair, steps);
        }
        match (!springs.hold.is_none(), steps.iter().all(Step::is_calm)) {
            (false, true) => chain::advance(&Way::<FREELY, true> { springs, own }, hair, steps),
            (true, true) => chain::advance(&Way::<ALIKE, true> { springs, own }, hair, steps),
            (false, false) => chain::advance(&Way::<FREELY, false> { springs, own }, hair, steps),
            (true, false) => chain::advance(&Way::<ALIKE, false> { springs, own }, hair, steps),
        }
    }
}

/// What a step needs of the settings.
#[derive(Clone, Debug)]
struct Springs {
    stiffness: f32,
    damping: f32,
    verlet: bool,
    substeps: u32,
    /// `hold` of the settings; and as it is in a substep.
    setting: f32,
    hold: Hold,
    drag_kept: f32,
}

impl Springs {
    fn new(settings: &SimSettings) -> Self {
        let own = settings.particles.clamped();
        let substeps = substeps(&own);
        let dt = STEP_SECS / f64::from(substeps);
        let drag = settings.forces.clamped().drag;
        Self {
            stiffness: own.stiffness,
            damping: own.damping,
            verlet: own.stepping == Stepping::Verlet,
            substeps,
            setting: settings.hold,
            hold: Hold::new(f64::from(settings.hold), dt),
            drag_kept: kept(drag, dt),
        }
    }
}

/// Substeps of a step that keep it stable.
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

/// One way through a step: how strands are `HELD` in their rest shape, in air that is `CALM` or
/// turbulent. Compiled one by one: what does not happen costs nothing.
struct Way<'a, const HELD: u8, const CALM: bool> {
    springs: &'a Springs,
    /// For strands that are held [`BY_STRAND`].
    own: &'a [StrandHolds],
}

impl<const HELD: u8, const CALM: bool> Chain for Way<'_, HELD, CALM> {
    #[inline(always)]
    fn step(&self, block: &mut Block<'_>, step: &Step) {
        let meets = !step.contacts.is_empty();
        if meets {
            block.keep_positions();
        }
        let own = self.own.get(block.index).copied().unwrap_or_default();
        for number in 1..=self.springs.substeps {
            Substep::new(self.springs, &own, step, number).take::<HELD, CALM>(block);
        }
        if !meets {
            return;
        }
        let mut rise = block.rise(step);
        for j in 1..block.state.len() {
            rise.climb(&block.segment[j]);
            let ParticleBlock { position, velocity } = &mut block.state[j];
            let planes = step.contacts.push_out(position, &rise);
            if planes.is_none() {
                continue;
            }
            let way = planes.way(step);
            let surface = over3(&way, Lanes::all(step.dt));
            let against = minus3(velocity, &surface);
            let inward = dot3(&against, &planes.normal);
            let slip = plus3(&against, &planes.normal, -inward);
            // Coulomb: the push that stops the way in stops some of the sliding.
            let slid = dot3(&slip, &slip).sqrt();
            let stopped = Lanes::all(step.contacts.friction) * (-inward).at_least(0.0);
            let share = (stopped / slid.at_least(1e-12)).at_most(1.0);
            let kept = plus3(&surface, &slip, Lanes::all(1.0) - share);
            let kept = plus3(&kept, &planes.normal, inward.at_least(0.0));
            *velocity = planes.where_touched(&kept, velocity);
            // What does not slide stays where it is, or else it rattles where the surface bends.
            let stays = planes.touched * share;
            let there = sum3(&block.previous[j], &way);
            *position = above3(stays, 1.0 - f32::EPSILON, &there, position);
        }
    }
}

/// One substep. Verlet is drift, kick, drift: the same kick from the middle of the way.
struct Substep<'a> {
    springs: &'a Springs,
    own: &'a StrandHolds,
    step: &'a Step,
    dt: f32,
    per_dt: f32,
    /// What comes before the kick, s.
    drift: f32,
    /// Share of the step.
    share: f32,
    /// What is left of the way of a point of the head when the substep ends.
    left: f32,
    /// dt g
    fall: [f32; 3],
}

/// Of a spring's end: position and velocity where forces are taken.
#[derive(Clone, Copy, Default)]
struct End {
    x: Lanes3,
    v: Lanes3,
    /// What the spring to the particle before does to this one.
    pull: Lanes3,
}

impl<'a> Substep<'a> {
    #[inline(always)]
    fn new(springs: &'a Springs, own: &'a StrandHolds, step: &'a Step, number: u32) -> Self {
        let count = springs.substeps as f32;
        let dt = step.dt / count;
        Self {
            springs,
            own,
            step,
            dt,
            per_dt: 1.0 / dt,
            drift: if springs.verlet { 0.5 * dt } else { 0.0 },
            share: 1.0 / count,
            left: 1.0 - number as f32 / count,
            fall: scaled(step.forces.gravity, dt),
        }
    }

    /// From root to tip; each particle is moved once the spring after it is known. One loop over the
    /// lanes for each, as in `ftl.rs`.
    #[inline(always)]
    fn take<const HELD: u8, const CALM: bool>(&self, block: &mut Block<'_>) {
        let tip = block.state.len() - 1;
        let mut before = self.root(block);
        for j in 1..=tip {
            let (was, length) = (block.state[j], block.segment[j]);
            let mut end = End::default();
            for lane in 0..LANES {
                let v = lane3(&was.velocity, lane);
                let x = add_scaled(lane3(&was.position, lane), v, self.drift);
                let (before_x, before_v) = (lane3(&before.x, lane), lane3(&before.v, lane));
                let between = sub(x, before_x);
                let along = unit_or(between, DOWN);
                let stretch = dot(between, between).sqrt() - length.0[lane];
                let parting = dot(sub(v, before_v), along);
                let force = self.springs.stiffness * stretch + self.springs.damping * parting;
                put3(&mut end.x, lane, x);
                put3(&mut end.v, lane, v);
                put3(&mut end.pull, lane, scaled(along, -force));
            }
            if j > 1 {
                self.kick::<HELD, CALM>(block, j - 1, &before, &end.pull);
            }
            before = end;
        }
        self.kick::<HELD, CALM>(block, tip, &before, &Lanes3::default());
    }

    /// Moves the roots on with the head.
    #[inline(always)]
    fn root(&self, block: &mut Block<'_>) -> End {
        let step = self.step;
        let way = step.way3(&block.rest[0]);
        let root = plus3(&step.carry3(&block.rest[0]), &way, Lanes::all(-self.left));
        let velocity = over3(&way, Lanes::all(step.dt));
        block.state[0] = ParticleBlock {
            position: root,
            velocity,
        };
        End {
            x: plus3(&root, &velocity, Lanes::all(self.drift - self.dt)),
            v: velocity,
            pull: Lanes3::default(),
        }
    }

    /// Moves particle j, which the spring after it pulls the other way.
    #[inline(always)]
    fn kick<const HELD: u8, const CALM: bool>(
        &self,
        block: &mut Block<'_>,
        j: usize,
        at: &End,
        next_pull: &Lanes3,
    ) {
        let (springs, step, rest) = (self.springs, self.step, block.rest[j]);
        let mut air = Lanes3::default();
        if !CALM {
            air = step.forces.air_at3(&at.x);
        }
        let mut moved = ParticleBlock::default();
        for lane in 0..LANES {
            let (x, v) = (lane3(&at.x, lane), lane3(&at.v, lane));
            let pull = sub(lane3(&at.pull, lane), lane3(next_pull, lane));
            let air = if CALM {
                step.forces.wind
            } else {
                lane3(&air, lane)
            };
            let v = add_scaled(air, sub(v, air), springs.drag_kept);
            let v = add_scaled(v, self.fall, 1.0);
            let mut v = add_scaled(v, pull, self.dt);
            if HELD != FREELY {
                let rest = lane3(&rest, lane);
                let way = add_scaled(rotate(&step.turn, rest), step.shift, 1.0);
                let goal = add_scaled(step.carry(rest), way, -self.left);
                let of_goal = scaled(way, self.share);
                let free = scaled(v, self.dt);
                let hold = held_by::<HELD>(&springs.hold, self.own, lane);
                let way = hold.pull(free, sub(goal, x), of_goal);
                v = scaled(way, self.per_dt);
            }
            let v = [snap(v[0]), snap(v[1]), snap(v[2])];
            put3(&mut moved.velocity, lane, v);
            put3(
                &mut moved.position,
                lane,
                add_scaled(x, v, self.dt - self.drift),
            );
        }
        block.state[j] = moved;
    }
}
