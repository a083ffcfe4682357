//! What came of it, as JSON and as text.

use crate::cli::output::CommandResult;
use crate::cli::report::{JudgedRoots, MEASURES};
use crate::numbers::grouped;
use mohawk::roots::distribution::Distribution;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Lengths in decimetres, or in the units of a plain mesh.
#[derive(Serialize)]
pub struct Sampled {
    /// The surface.
    pub file: String,
    /// The set that was judged instead of sampling one.
    pub points: Option<PathBuf>,
    pub method: Option<&'static str>,
    pub seed: Option<u64>,
    pub roots: usize,
    pub spacing: f64,
    /// The closest pair on one side of the surface; null where there is no pair.
    pub min_distance: Option<f64>,
    pub relative_radius: Option<f64>,
    /// Certified upper bound of the coverage radius over the spacing.
    pub coverage_ratio: f64,
    pub maximal: bool,
    /// The area of the scalp, square decimetres.
    pub area: f64,
    /// Sampling alone.
    pub seconds: Option<f64>,
    pub distribution: Distribution,
    pub repeat: Option<Repeated>,
    pub output: Option<PathBuf>,
    pub surface_output: Option<PathBuf>,
    pub report: Option<PathBuf>,
    #[serde(skip)]
    pub unit: &'static str,
}

/// Measures of several seeds.
#[derive(Serialize)]
pub struct Repeated {
    sets: usize,
    measures: BTreeMap<&'static str, Spread>,
}

/// Mean and standard deviation of a measure over the sets that have it.
#[derive(Serialize)]
struct Spread {
    sets: usize,
    mean: f64,
    /// The standard deviation of the sample, with n − 1; null for fewer than two sets.
    deviation: Option<f64>,
}

/// The numbers of a set by the keys of [`MEASURES`].
pub type Row = [Option<f64>; MEASURES.len()];

pub fn row(set: &JudgedRoots) -> Row {
    MEASURES.map(|measure| (measure.of)(set))
}

impl Repeated {
    pub fn of(rows: &[Row]) -> Self {
        let spread = |nth: usize| {
            let values: Vec<f64> = rows.iter().filter_map(|row| row[nth]).collect();
            let sets = values.len();
            let mean = values.iter().sum::<f64>() / sets as f64;
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            (sets > 0).then(|| Spread {
                sets,
                mean,
                deviation: (sets > 1).then(|| (squares / (sets - 1) as f64).sqrt()),
            })
        };
        let named = MEASURES.iter().enumerate();
        Repeated {
            sets: rows.len(),
            measures: named
                .filter_map(|(nth, measure)| Some((measure.key, spread(nth)?)))
                .collect(),
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{} sets{:>21}{:>13}\n", self.sets, "mean", "deviation");
        for measure in &MEASURES {
            if let Some(spread) = self.measures.get(measure.key) {
                let digits = measure.digits + 2;
                let mean = format!("{:.digits$}", spread.mean);
                let deviation = spread.deviation.map_or("–".to_owned(), |deviation| {
                    format!("{deviation:.digits$}")
                });
                // Writing to a string cannot fail.
                _ = writeln!(text, "  {:<16}{mean:>12}{deviation:>13}", measure.label);
            }
        }
        text
    }
}

impl Sampled {
    pub fn of(set: &JudgedRoots) -> Self {
        Sampled {
            file: String::new(),
            points: None,
            method: None,
            seed: None,
            roots: set.distribution.count,
            spacing: set.roots.spacing.into(),
            min_distance: set.distribution.nearest.min,
            relative_radius: set.distribution.relative_radius,
            coverage_ratio: set.coverage.ratio_upper_bound,
            maximal: set.coverage.maximal,
            area: set.distribution.area,
            seconds: set.seconds,
            distribution: set.distribution.clone(),
            repeat: None,
            output: None,
            surface_output: None,
            report: None,
            unit: "",
        }
    }
}

impl CommandResult for Sampled {
    fn text(&self) -> String {
        let unit = self.unit;
        let mut text = format!("{} roots on {}\n", grouped(self.roots), self.file);
        // Writing to a string cannot fail.
        let mut row = |name: &str, value: String| _ = writeln!(text, "  {name:<16}{value}");
        if let Some(points) = &self.points {
            row("points", points.display().to_string());
        }
        if let Some((method, seed)) = self.method.zip(self.seed) {
            row("method", format!("{method}, seed {seed}"));
        }
        row("spacing", format!("{:.6}{unit}", self.spacing));
        if let (Some(distance), Some(radius)) = (self.min_distance, self.relative_radius) {
            row("closest pair", format!("{distance:.6}{unit}"));
            row(
                "relative radius",
                format!("{radius:.3} (0 clumped, 1 a perfect lattice)"),
            );
        }
        if let Some(mean) = self.distribution.nearest.mean {
            row("mean nearest", format!("{mean:.6}{unit}"));
        }
        if let Some(order) = self.distribution.bond_order {
            row("bond order", format!("{order:.3} (1 a hexagonal lattice)"));
        }
        if let Some(cells) = self.distribution.cells {
            let cells = cells.relative;
            row(
                "cell variance",
                format!("{cells:.3} (1 random, about 0.1 blue noise)"),
            );
        }
        if let Some(gap) = self.distribution.largest_gap {
            let [x, y, z] = gap.position.to_array();
            row(
                "largest gap",
                format!("{:.6}{unit} around ({x:.3} {y:.3} {z:.3})", gap.radius),
            );
        }
        row(
            "coverage",
            match self.coverage_ratio.is_finite() {
                true => format!(
                    "{:.4} spacings: no scalp point is farther from a root",
                    self.coverage_ratio
                ),
                false => "none: some of the scalp has no root on its side at all".to_owned(),
            },
        );
        let maximal = if self.maximal { "yes, proven" } else { "no" };
        row("maximal", maximal.to_owned());
        let square = if unit.is_empty() { "" } else { "²" };
        row("scalp area", format!("{:.4}{unit}{square}", self.area));
        if let Some(seconds) = self.seconds {
            row("sampled in", format!("{seconds:.3} s"));
        }
        for path in (self.output.iter())
            .chain(&self.surface_output)
            .chain(&self.report)
        {
            row("written", path.display().to_string());
        }
        if let Some(repeated) = &self.repeat {
            text += &repeated.text();
        }
        text
    }
}
