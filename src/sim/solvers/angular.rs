//! Projective angular dynamics: rigid sticks that turn.
//!
//! Anjyo, Usami, Kurihara: A Simple Method for Extracting the Natural Beauty of Hair (SIGGRAPH
//! 1992), in a form without poles: unit vector and angular velocity instead of zenith and azimuth.
//! What was changed, and why: `docs/angular.md`.

mod strand_pass;

use super::chain::{self, Block, Chain};
use super::hold::Holds;
use super::solver::{Outcome, STEP_SECS, Solver, Step};
use crate::det_math::decay;
use crate::sim::hair::Hair;
use crate::sim::pose::Pose;
use crate::sim::settings::{AngularSettings, SimSettings, SolverKind};
use crate::sim::simd::Lanes;
use strand_pass::{Limit, StrandPass, Turn, smooth};

/// Share of the hair's height, from its top, over which the friction at the crown fades out.
const CROWN_SHARE: f32 = 0.5;
/// Strands bend as if they had at least this stiffness; with it, default limits bend freely.
const LEAST_STIFFNESS: f32 = 0.01;

/// The solver of projective angular dynamics.
#[derive(Clone, Debug, Default)]
pub struct Angular {
    settings: AngularSettings,
    hold: f32,
    /// Depth of each root below the top of the hair: 0 there, 1 from half way down.
    crown: Vec<Lanes>,
}

impl Solver for Angular {
    fn name(&self) -> &str {
        SolverKind::Angular.name()
    }

    fn configure(&mut self, settings: &SimSettings) {
        self.settings = settings.angular.clamped();
        self.hold = settings.hold;
    }

    fn take_over(&mut self, hair: &Hair, _poses: [&Pose; 2]) {
        let heights = (0..hair.len()).map(|i| hair.rest(i, 0).y);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), y| {
            (low.min(y), high.max(y))
        });
        let fade = (CROWN_SHARE * (high - low)).max(1e-6);
        self.crown = (hair.rest.chunks_exact(hair.particles()))
            .map(|rest| smooth((Lanes::splat(high) - rest[0][1]) / Lanes::splat(fade)))
            .collect();
    }

    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome {
        let settings = &self.settings;
        let segments = hair.particles() - 1;
        let along = |root: f32, tip: f32| {
            let share = move |i: usize| (i as f32 - 0.5) / segments as f32;
            (0..=segments).map(move |i| root + (tip - root) * share(i).clamp(0.0, 1.0))
        };
        let gives = (hair.stiffness.iter())
            .map(|stiffness| Lanes::ONE / stiffness.at_least(LEAST_STIFFNESS))
            .collect();
        let turn = Turn {
            holds: Holds::new(hair, self.hold, STEP_SECS),
            gives,
            decay: decay(settings.damping, STEP_SECS),
            inertia: settings.inertia,
            crown_least: settings.friction_crown,
            crown: &self.crown,
            friction: along(settings.friction_root, settings.friction_tip).collect(),
            limits: along(settings.stiffness_root_deg, settings.stiffness_tip_deg)
                .map(Limit::from_degrees)
                .collect(),
            field: settings.field,
            drag: (steps.first()).map_or(0.0, |step| (1.0 - step.forces.drag_decay) / step.dt),
        };
        chain::advance(&turn, hair, steps)
    }
}

impl Chain for Turn<'_> {
    fn holds(&self) -> &Holds {
        &self.holds
    }

    #[inline(always)]
    fn step<const HELD: bool, const FREE: bool>(&self, block: &mut Block<'_>, step: &Step) {
        let mut pass = StrandPass::new(self, block, step);
        pass.segment::<HELD, FREE, true>(self, block, 1, step);
        for j in 2..block.state.len() {
            pass.segment::<HELD, FREE, false>(self, block, j, step);
        }
    }
}
