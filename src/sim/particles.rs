//! Damped springs between the particles of a strand.
//!
//! As in hair animated by basis and dependent strands (WSCG 2004 posters), with substeps chosen
//! for stability. What was changed, and why: `docs/particles.md`.

use super::blocks::{LANES, Lanes3, add_scaled, dot, lane3, put3, sub, unit_or};
use super::chain::{self, Block, Chain};
use super::contact::Rise;
use super::forces::Forces;
use super::step::{Hold, kept, snap, square};
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
        let mut rise = Rise::of(&block.state[0].position, &step.contacts);
        for j in 1..block.state.len() {
            rise.climb(&block.segment[j]);
            let particle = &mut block.state[j];
            for lane in 0..LANES {
                let x = lane3(&particle.position, lane);
                let (out, Some(plane)) = step.contacts.push_out(x, rise.least(lane)) else {
                    continue;
                };
                let v = lane3(&particle.velocity, lane);
                let surface = plane.way(step).map(|way| way / step.dt);
                let against = sub(v, surface);
                let inward = dot(against, plane.normal);
                let slip = add_scaled(against, plane.normal, -inward);
                // Coulomb: the push that stops the way in stops some of the sliding.
                let slid = square(slip).sqrt();
                let stopped = step.contacts.friction * (-inward).max(0.0);
                let share = (stopped / slid.max(1e-12)).min(1.0);
                let kept = add_scaled(surface, slip, 1.0 - share);
                let kept = add_scaled(kept, plane.normal, inward.max(0.0));
                put3(&mut particle.position, lane, out);
                put3(&mut particle.velocity, lane, kept);
            }
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

        // The particle before, as it was, and the pull of the segment to it on this one.
        let (mut before_x, mut before_v) = (Lanes3::default(), Lanes3::default());
        for lane in 0..LANES {
            let rest = lane3(&block.rest[0], lane);
            let way = step.way(rest);
            let x = add_scaled(step.carry(rest), way, -left);
            let v = way.map(|way| way / step.dt);
            // The end of the substep, and where its forces are taken.
            put3(&mut block.state[0].position, lane, x);
            put3(&mut block.state[0].velocity, lane, v);
            put3(&mut before_x, lane, add_scaled(x, v, drift - dt));
            put3(&mut before_v, lane, v);
        }
        let mut pull = Lanes3::default();
        for j in 1..=tip + 1 {
            let (mut x, mut v) = (Lanes3::default(), Lanes3::default());
            let mut next_pull = Lanes3::default();
            if j <= tip {
                for lane in 0..LANES {
                    let particle = &block.state[j];
                    let v1 = lane3(&particle.velocity, lane);
                    let x1 = add_scaled(lane3(&particle.position, lane), v1, drift);
                    let between = sub(x1, lane3(&before_x, lane));
                    let along = unit_or(between, DOWN);
                    let stretch = square(between).sqrt() - block.segment[j].0[lane];
                    let parting = dot(sub(v1, lane3(&before_v, lane)), along);
                    let force = self.stiffness * stretch + self.damping * parting;
                    put3(&mut x, lane, x1);
                    put3(&mut v, lane, v1);
                    put3(&mut next_pull, lane, along.map(|a| -force * a));
                }
            }
            if j > 1 {
                let particle = &mut block.state[j - 1];
                for lane in 0..LANES {
                    let x0 = lane3(&before_x, lane);
                    let sum = sub(lane3(&pull, lane), lane3(&next_pull, lane));
                    let v1 = add_scaled(forces.act(x0, lane3(&before_v, lane), dt), sum, dt);
                    let rest = lane3(&block.rest[j - 1], lane);
                    let way = step.way(rest);
                    let goal = add_scaled(step.carry(rest), way, -left);
                    let of_goal = way.map(|way| way / count);
                    let way = self.hold.pull(v1.map(|v| v * dt), sub(goal, x0), of_goal);
                    let v1 = way.map(|way| snap(way / dt));
                    put3(&mut particle.velocity, lane, v1);
                    put3(&mut particle.position, lane, add_scaled(x0, v1, dt - drift));
                }
            }
            (before_x, before_v, pull) = (x, v, next_pull);
        }
    }
}
