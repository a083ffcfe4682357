//! Projective angular dynamics: rigid sticks that turn.
//!
//! Anjyo, Usami, Kurihara: A Simple Method for Extracting the Natural Beauty of Hair (SIGGRAPH
//! 1992), in a form without poles: unit vector and angular velocity instead of zenith and azimuth.
//! What was changed, and why: `docs/angular.md`.

mod climb;
mod limit;

use super::super::simd::blocks::{LANES, Lanes, Lanes3, get3};
use super::super::{
    AngularSettings, Hair, Outcome, Pose, STEP_SECS, SimSettings, Solver, SolverKind, Step,
};
use super::chain::{self, Block, Chain};
use super::step::{ALIKE, BY_STRAND, FREELY, StrandHolds, kept};
use climb::Climb;
use limit::Limit;

/// Share of the hair's height, from its top, over which the friction at the crown fades out.
const CROWN_SHARE: f32 = 0.5;
/// Strands bend as if they were at least so stiff: at the default limits freely.
const LEAST_STIFFNESS: f32 = 0.01;

/// Projective angular dynamics.
#[derive(Clone, Debug, Default)]
pub struct Angular {
    settings: AngularSettings,
    hold: f32,
    /// Friction at the crown of each strand.
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
        let own = StrandHolds::of(hair, self.hold, STEP_SECS);
        let gives: Vec<Lanes> = (hair.stiffness.iter())
            .map(|stiffness| Lanes::all(1.0) / stiffness.at_least(LEAST_STIFFNESS))
            .collect();
        let turn = Turn {
            own: &own,
            gives: &gives,
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
        if !gives.is_empty() {
            return chain::advance(&Way::<BY_STRAND, false>(turn), hair, steps);
        }
        let held = steps.iter().any(|step| !step.hold.is_none());
        match (held, steps.iter().all(Step::is_free)) {
            (false, true) => chain::advance(&Way::<FREELY, true>(turn), hair, steps),
            (true, true) => chain::advance(&Way::<ALIKE, true>(turn), hair, steps),
            (false, false) => chain::advance(&Way::<FREELY, false>(turn), hair, steps),
            (true, false) => chain::advance(&Way::<ALIKE, false>(turn), hair, steps),
        }
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
    /// For strands that are held [`BY_STRAND`]: how (nothing where none is), and 1 over their
    /// stiffness.
    own: &'a [StrandHolds],
    gives: &'a [Lanes],
    /// Of the air, 1/s: what a step of exact decay comes to.
    drag: f32,
}

/// One way through a step: how strands are `HELD` in their rest shape, and whether they are `FREE` of
/// contact and turbulence, or may meet either. Compiled one by one: what does not happen costs
/// nothing.
struct Way<'a, const HELD: u8, const FREE: bool>(Turn<'a>);

impl<const HELD: u8, const FREE: bool> Chain for Way<'_, HELD, FREE> {
    #[inline(always)]
    fn step(&self, block: &mut Block<'_>, step: &Step) {
        let mut climb = Climb::new(&self.0, block, step);
        climb.segment::<HELD, FREE, true>(&self.0, block, 1, step);
        for j in 2..block.state.len() {
            climb.segment::<HELD, FREE, false>(&self.0, block, j, step);
        }
    }
}

/// 0 below 0, 1 above 1, in between x² (3 − 2x).
#[inline(always)]
fn smooth(x: Lanes) -> Lanes {
    let x = x.at_least(0.0).at_most(1.0);
    x * x * (Lanes::all(3.0) - Lanes::all(2.0) * x)
}
