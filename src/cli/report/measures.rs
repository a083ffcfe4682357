//! Sets of roots and the numbers that they are compared by.

use mohawk::roots::distribution::{Distribution, analyse};
use mohawk::roots::{Coverage, Roots, SampleError, certify, relative_radius};
use mohawk::scalp::Scalp;
use std::ops::ControlFlow;

/// A set of roots and its measures.
#[derive(Clone, Debug)]
pub struct JudgedRoots {
    pub roots: Roots,
    /// Count, area and statistics of the distances.
    pub distribution: Distribution,
    /// The certificate.
    pub coverage: Coverage,
    /// The time to sample it, in seconds; `None` for points from a file.
    pub seconds: Option<f64>,
}

impl JudgedRoots {
    /// Measures a set.
    ///
    /// # Errors
    ///
    /// The errors of [`certify`] and [`analyse`].
    pub fn of(
        scalp: &Scalp,
        roots: Roots,
        seconds: Option<f64>,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Self, SampleError> {
        let distribution = analyse(scalp, &roots, progress)?;
        Ok(Self {
            coverage: certify(scalp, &roots)?,
            distribution,
            roots,
            seconds,
        })
    }

    /// Returns the values of all [`MEASURES`].
    pub fn row(&self) -> [Option<f64>; MEASURES.len()] {
        MEASURES.map(|measure| (measure.of)(self))
    }

    /// Returns r_max: the largest spacing of this number of roots on a plane of this area.
    pub fn r_max(&self) -> f64 {
        1.0 / relative_radius(1.0, self.distribution.count, self.distribution.area)
    }
}

/// A number that sets are compared by.
pub struct Measure {
    /// The name in JSON.
    pub key: &'static str,
    /// The name in reports.
    pub label: &'static str,
    /// The definition, in one line.
    pub about: &'static str,
    /// The number of decimals.
    pub digits: usize,
    /// Returns the value of a set; `None` if it is undefined.
    pub of: fn(&JudgedRoots) -> Option<f64>,
}

/// Lists measures: key, label, digits, meaning and value.
macro_rules! measures {
    ($($key:literal, $label:literal, $digits:literal, $about:literal: $of:expr;)*) => {
        [$(Measure {
            key: $key,
            label: $label,
            about: $about,
            digits: $digits,
            of: $of,
        }),*]
    };
}

/// All measures. Formulas: `docs/roots.md`, `docs/distribution.md`.
pub const MEASURES: [Measure; 10] = measures! {
    "roots", "roots", 0, "number of roots": |set| Some(set.distribution.count as f64);
    "spacing", "spacing", 4,
        "the spacing that was asked for, or the closest pair": |set| Some(set.roots.spacing.into());
    "min_distance", "closest pair", 4,
        "smallest distance between two roots on one side": |set| set.distribution.nearest.min;
    "relative_radius", "relative radius", 3,
        "closest pair / r_max: 0 clumped, 1 a hexagonal lattice":
        |set| set.distribution.relative_radius;
    "mean_nearest", "mean nearest", 3,
        "mean distance to the nearest root / r_max":
        |set| Some(set.distribution.nearest.mean? / set.r_max());
    "largest_gap", "largest gap", 3,
        "largest distance of a scalp point to its nearest root / r_max":
        |set| Some(set.distribution.largest_gap?.radius / set.r_max());
    "coverage_ratio", "coverage", 3,
        "certified bound of the largest gap / spacing: at most 1.001 is maximal":
        |set| Some(set.coverage.ratio_upper_bound).filter(|r| r.is_finite());
    "cell_variance", "cell variance", 3,
        "χ² of counts in equal areas / (cells − 1): 1 random, 0.1 blue noise":
        |set| Some(set.distribution.cells?.relative);
    "bond_order", "bond order", 3,
        "mean |ψ₆| of the six neighbours: 1 a hexagonal lattice": |set| set.distribution.bond_order;
    "seconds", "seconds", 3, "time to sample the set": |set| set.seconds;
};
