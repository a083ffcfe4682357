//! The ways of choosing roots.

use serde::{Deserialize, Serialize};

/// How roots are chosen. Formulas and what each reaches: `docs/roots.md`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Maximal Poisson-disk at ever smaller spacings, ranked so that every prefix is itself
    /// evenly spread: what hair uses, as painted density then selects a prefix.
    #[default]
    Progressive,
    /// Maximal Poisson-disk at a single spacing.
    Maximal,
    /// The same with each root the closest to others of several candidates: more of them fit.
    Tight,
    /// Maximal Poisson-disk where the spacing follows the painted density.
    Variable,
    /// Area-weighted darts, a bounded number of them, each kept unless it lies too close.
    Darts,
    /// Area-weighted random points.
    Uniform,
    /// Random points thinned by sample elimination (Yuksel 2015).
    Elimination,
    /// Darts at uniformly chosen triangles, as in the program this one started from.
    Reference,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 8] = [
        Method::Progressive,
        Method::Maximal,
        Method::Tight,
        Method::Variable,
        Method::Darts,
        Method::Uniform,
        Method::Elimination,
        Method::Reference,
    ];

    /// What it is called on the command line and in groom files.
    pub fn name(self) -> &'static str {
        match self {
            Method::Progressive => "progressive",
            Method::Maximal => "maximal",
            Method::Tight => "tight",
            Method::Variable => "variable",
            Method::Darts => "darts",
            Method::Uniform => "uniform",
            Method::Elimination => "elimination",
            Method::Reference => "reference",
        }
    }

    /// What it does, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Method::Progressive => "maximal Poisson-disk in an order whose every prefix is even",
            Method::Maximal => "maximal Poisson-disk at a single spacing",
            Method::Tight => "maximal Poisson-disk, packed as closely as darts can",
            Method::Variable => "maximal Poisson-disk with a spacing that follows the density",
            Method::Darts => "area-weighted dart throwing, which stops before it is maximal",
            Method::Uniform => "area-weighted random points",
            Method::Elimination => "sample elimination (Yuksel 2015)",
            Method::Reference => "darts at uniformly chosen triangles, as the original program",
        }
    }

    /// The method of that name.
    pub fn named(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name)
    }
}
