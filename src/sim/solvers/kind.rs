//! The names of the solvers.

use crate::named_enum::named_enum;

named_enum! {
    /// The solvers that the program brings.
    #[derive(Default)]
    pub enum SolverKind as "solver" {
        /// Spring to anchor: [`Spring`](crate::sim::Spring).
        #[default]
        Spring = "spring" => "each tip on a damped spring to where it stands at rest",
        /// Follow-The-Leader: [`Ftl`](crate::sim::Ftl).
        Ftl = "ftl" => "Follow-The-Leader: inextensible, fast, every particle after the one before",
        /// Projective angular dynamics: [`Angular`](crate::sim::Angular).
        Angular = "angular"
            => "projective angular dynamics: rigid sticks that turn, with a stiffness limit",
        /// Damped particle springs: [`Particles`](crate::sim::Particles).
        Particles = "particles" => "damped springs between particles: stretchy",
        /// Elastic rods: [`Rod`](crate::sim::Rod).
        Rod = "rod" => "elastic rods: inextensible hair that bends as its stiffness says",
    }
}

impl SolverKind {
    /// Returns the next solver, the first after the last.
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }
}
