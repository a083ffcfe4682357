//! Damped springs between the particles of a strand.
//!
//! As in hair animated by basis and dependent strands (WSCG 2004 posters), with substeps chosen
//! for stability. What was changed, and why: `docs/particles.md`.

use super::blocks::{Lanes, Lanes3, ParticleBlock};
use super::chain::{self, Block, Chain};
use super::forces::Forces;
use super::lanes::{all3, dot3, minus3, over3, plus3, scaled3, snapped3, unit3};
use super::step::{Hold, kept};
use super::{
    Hair, Outcome, ParticleSettings, STEP_SECS, SimSettings, Solver, SolverKind, Step, Stepping,
};

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
        chain::advance(&self.springs, hair, steps)
    }
}

/// What a step needs of the settings.
#[derive(Clone, Debug)]
struct Springs {
    stiffness: f32,
    damping: f32,
    verlet: bool,
    substeps: u32,
    /// Of a substep.
    hold: Hold,
    drag: f32,
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
            hold: Hold::new(f64::from(settings.hold), dt),
            drag,
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

impl Chain for Springs {
    #[inline(always)]
    fn step(&self, block: &mut Block<'_>, step: &Step) {
        for substep in 1..=self.substeps {
            self.substep(block, step, substep);
        }
        if step.contacts.is_empty() {
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
            let surface = over3(&planes.way(step), Lanes::all(step.dt));
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
        }
    }
}

impl Springs {
    /// One substep. Verlet is drift, kick, drift: the same kick from the middle of the way.
    #[inline(always)]
    fn substep(&self, block: &mut Block<'_>, step: &Step, number: u32) {
        let count = self.substeps as f32;
        let dt = step.dt / count;
        let forces = Forces {
            drag: self.drag,
            drag_kept: self.drag_kept,
            ..step.forces
        };
        let drift = if self.verlet { 0.5 * dt } else { 0.0 };
        // What is left of the way of a point of the head when the substep ends.
        let left = 1.0 - number as f32 / count;
        let tip = block.state.len() - 1;

        let (wide_dt, wide_drift) = (Lanes::all(dt), Lanes::all(drift));
        let per_dt = Lanes::all(dt - drift);
        let (stiffness, damping) = (Lanes::all(self.stiffness), Lanes::all(self.damping));
        let drag_kept = Lanes::all(self.drag_kept);

        // The particle before, as it was, and the pull of the segment to it on this one.
        let way = step.way3(&block.rest[0]);
        let root = plus3(&step.carry3(&block.rest[0]), &way, Lanes::all(-left));
        let mut before_v = over3(&way, Lanes::all(step.dt));
        // The end of the substep, and where its forces are taken.
        let mut before_x = plus3(&root, &before_v, Lanes::all(drift - dt));
        block.state[0] = ParticleBlock {
            position: root,
            velocity: before_v,
        };
        let mut pull = Lanes3::default();
        for j in 1..=tip + 1 {
            let (mut x, mut v) = (Lanes3::default(), Lanes3::default());
            let mut next_pull = Lanes3::default();
            if j <= tip {
                v = block.state[j].velocity;
                x = plus3(&block.state[j].position, &v, wide_drift);
                let between = minus3(&x, &before_x);
                let along = unit3(&between, &all3(DOWN));
                let stretch = dot3(&between, &between).sqrt() - block.segment[j];
                let parting = dot3(&minus3(&v, &before_v), &along);
                let force = stiffness * stretch + damping * parting;
                next_pull = scaled3(&along, -force);
            }
            if j > 1 {
                let sum = minus3(&pull, &next_pull);
                let free = forces.act3(&before_x, &before_v, dt, drag_kept);
                let free = scaled3(&plus3(&free, &sum, wide_dt), wide_dt);
                let way = if self.hold.is_none() {
                    free
                } else {
                    let rest = &block.rest[j - 1];
                    let way = step.way3(rest);
                    let goal = plus3(&step.carry3(rest), &way, Lanes::all(-left));
                    let of_goal = over3(&way, Lanes::all(count));
                    self.hold.pull3(&free, &minus3(&goal, &before_x), &of_goal)
                };
                let velocity = snapped3(&over3(&way, wide_dt));
                block.state[j - 1] = ParticleBlock {
                    position: plus3(&before_x, &velocity, per_dt),
                    velocity,
                };
            }
            (before_x, before_v, pull) = (x, v, next_pull);
        }
    }
}
