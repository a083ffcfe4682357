//! A set and all that is measured of it, by name.

use mohawk::roots::distribution::{Distribution, analyse};
use mohawk::roots::{Measures, Roots, SampleError, measure, relative_radius};
use mohawk::scalp::Scalp;
use std::ops::ControlFlow;

/// A set and what was measured of it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The set.
    pub roots: Roots,
    /// Count, closest pair, coverage.
    pub measures: Measures,
    /// How it is spread.
    pub distribution: Distribution,
    /// How long sampling took; nobody knows of somebody else's.
    pub seconds: Option<f64>,
}

impl Judged {
    /// Measures a set.
    ///
    /// # Errors
    ///
    /// As [`measure`] and [`analyse`].
    pub fn of(
        scalp: &Scalp,
        roots: Roots,
        seconds: Option<f64>,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Judged, SampleError> {
        let distribution = analyse(scalp, &roots, progress)?;
        Ok(Judged {
            measures: measure(scalp, &roots)?,
            distribution,
            roots,
            seconds,
        })
    }

    /// r_max of so many roots: the largest spacing that they could have on a plane.
    pub fn r_max(&self) -> f64 {
        1.0 / relative_radius(1.0, self.measures.count, self.measures.area)
    }
}

/// A number that sets are compared by.
pub struct Measure {
    /// Its name in JSON.
    pub key: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// What it says.
    pub about: &'static str,
    /// Digits after the point.
    pub digits: usize,
    /// `None` where a set has none.
    pub of: fn(&Judged) -> Option<f64>,
}

/// All of them. Formulas: `docs/roots.md`, `docs/distribution.md`.
pub const MEASURES: [Measure; 10] = [
    Measure {
        key: "roots",
        label: "roots",
        about: "how many",
        digits: 0,
        of: |set| Some(set.measures.count as f64),
    },
    Measure {
        key: "spacing",
        label: "spacing",
        about: "what the set was made for, or its closest pair",
        digits: 4,
        of: |set| Some(set.roots.spacing.into()),
    },
    Measure {
        key: "min_distance",
        label: "closest pair",
        about: "smallest distance of two roots on a side",
        digits: 4,
        of: |set| set.measures.min_distance,
    },
    Measure {
        key: "relative_radius",
        label: "relative radius",
        about: "closest pair / r_max: 0 clumped, 1 a hexagonal lattice",
        digits: 3,
        of: |set| set.measures.relative_radius,
    },
    Measure {
        key: "mean_nearest",
        label: "mean nearest",
        about: "mean distance to the nearest root / r_max",
        digits: 3,
        of: |set| Some(set.distribution.nearest.mean? / set.r_max()),
    },
    Measure {
        key: "largest_gap",
        label: "largest gap",
        about: "distance of the loneliest scalp point to its nearest root / r_max",
        digits: 3,
        of: |set| Some(set.distribution.largest_gap?.radius / set.r_max()),
    },
    Measure {
        key: "coverage_ratio",
        label: "coverage",
        about: "the same / spacing, as certified: at most 1.001 is maximal",
        digits: 3,
        of: |set| Some(set.measures.coverage.ratio_upper_bound).filter(|r| r.is_finite()),
    },
    Measure {
        key: "cell_variance",
        label: "cell variance",
        about: "χ² of counts in equal areas / (cells − 1): 1 random, 0.1 blue noise",
        digits: 3,
        of: |set| Some(set.distribution.cells?.relative),
    },
    Measure {
        key: "bond_order",
        label: "bond order",
        about: "mean |ψ₆| of the six neighbours: 1 a hexagonal lattice",
        digits: 3,
        of: |set| set.distribution.bond_order,
    },
    Measure {
        key: "seconds",
        label: "seconds",
        about: "to sample it",
        digits: 3,
        of: |set| set.seconds,
    },
];
