//! The names of the solvers.

use crate::choices;

choices! {
    /// A solver: a method of moving hair.
    pub enum SolverKind: "solver" = Spring {
        /// A damped spring pulls each tip to its rest position.
        Spring = "spring",
        /// Follow-The-Leader: inextensible and fast, every particle after the one before.
        Ftl = "ftl",
        /// Projective angular dynamics: rigid sticks that turn, with a stiffness limit.
        Angular = "angular",
        /// Damped springs between particles: stretchy.
        Particles = "particles",
        /// Elastic rods: inextensible hair that bends as its stiffness says.
        Rod = "rod",
    }
}

impl SolverKind {
    /// Returns the next solver, the first after the last.
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }
}
