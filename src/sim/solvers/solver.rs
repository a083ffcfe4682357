//! The one face of all ways of moving hair.

use super::super::{
    Angular, DensityGrid, Ftl, Hair, Outcome, Particles, Pose, Rod, SimSettings, Step,
};
use crate::settings::SettingError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A way of moving hair: carries the particles of all strands through steps of the head's motion.
///
/// What it starts from is in the particles of [`Hair`], and there it leaves its result; so solvers
/// can be exchanged while hair swings. `examples/solver.rs` is one of one's own.
pub trait Solver: Send + Sync {
    /// Name as on the command line and in files.
    fn name(&self) -> &str;

    /// Takes on settings; called before anything else, and whenever they change.
    fn configure(&mut self, _settings: &SimSettings) {}

    /// Takes over strands as they are, under the head's poses before and after the last step.
    /// Called when this solver becomes the one that is used, and after anything but
    /// [`advance`](Self::advance) has moved the particles.
    fn take_over(&mut self, _hair: &Hair, _poses: [&Pose; 2]) {}

    /// Moves all particles through the steps, in order. Positions before the last of them are to
    /// be left in [`Hair::keep_previous`].
    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome;

    /// How dense hair is where, if strands feel each other on a grid just now.
    fn density(&self) -> Option<DensityGrid> {
        None
    }
}

/// The solvers that the program brings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolverKind {
    /// Spring to anchor: [`Spring`](super::super::Spring).
    #[default]
    Spring,
    /// Follow-The-Leader: [`Ftl`].
    Ftl,
    /// Projective angular dynamics: [`Angular`].
    Angular,
    /// Damped particle springs: [`Particles`].
    Particles,
    /// Elastic rods: [`Rod`].
    Rod,
}

impl SolverKind {
    /// Every solver.
    pub const ALL: [SolverKind; 5] = [
        SolverKind::Spring,
        SolverKind::Ftl,
        SolverKind::Angular,
        SolverKind::Particles,
        SolverKind::Rod,
    ];

    /// Name as on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            SolverKind::Spring => "spring",
            SolverKind::Ftl => "ftl",
            SolverKind::Angular => "angular",
            SolverKind::Particles => "particles",
            SolverKind::Rod => "rod",
        }
    }

    /// What it does, in a line.
    pub fn about(self) -> &'static str {
        match self {
            SolverKind::Spring => "each tip on a damped spring to where it stands at rest",
            SolverKind::Ftl => {
                "Follow-The-Leader: inextensible, fast, every particle after the one before"
            }
            SolverKind::Angular => {
                "projective angular dynamics: rigid sticks that turn, with a stiffness limit"
            }
            SolverKind::Particles => "damped springs between particles: stretchy",
            SolverKind::Rod => "elastic rods: inextensible hair that bends as its stiffness says",
        }
    }

    /// The one after this, the first after the last.
    pub fn next(self) -> Self {
        let place = Self::ALL.iter().position(|&solver| solver == self);
        Self::ALL[(place.unwrap_or(0) + 1) % Self::ALL.len()]
    }

    /// A solver of this kind that knows nothing yet. `None` for [`SolverKind::Spring`], which
    /// works without particles: [`Spring`](super::super::Spring).
    pub(crate) fn build(self) -> Option<Box<dyn Solver>> {
        Some(match self {
            SolverKind::Spring => return None,
            SolverKind::Ftl => Box::new(Ftl::default()),
            SolverKind::Angular => Box::new(Angular::default()),
            SolverKind::Particles => Box::new(Particles::default()),
            SolverKind::Rod => Box::new(Rod::default()),
        })
    }
}

impl fmt::Display for SolverKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SolverKind {
    type Err = SettingError;

    fn from_str(name: &str) -> Result<Self, SettingError> {
        (SolverKind::ALL.into_iter())
            .find(|solver| solver.name() == name)
            .ok_or_else(|| {
                let names = SolverKind::ALL.map(SolverKind::name).join(", ");
                SettingError::new("solver", name, format!("one of {names}"))
            })
    }
}
