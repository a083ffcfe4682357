//! The sampling methods.

use crate::choices;

choices! {
    /// A method of choosing roots. `docs/roots.md` has the formulas and what each achieves.
    pub enum Method: "method" = Progressive {
        /// Maximal Poisson-disk in an order whose every prefix is even; painted density selects a
        /// prefix.
        Progressive = "progressive",
        /// Maximal Poisson-disk at a single spacing.
        Maximal = "maximal",
        /// Maximal Poisson-disk, packed as closely as darts can.
        Tight = "tight",
        /// Maximal Poisson-disk with a spacing that follows the painted density.
        Variable = "variable",
        /// Area-weighted dart throwing, which stops before the set is maximal.
        Darts = "darts",
        /// Area-weighted random points.
        Uniform = "uniform",
        /// Sample elimination of random points (Yuksel 2015).
        Elimination = "elimination",
        /// Darts at uniformly chosen triangles, as in the original program.
        Reference = "reference",
    }
}
