//! The result of `mohawk sample`, as JSON and as text.

use crate::cli::output::{self, CommandResult};
use crate::{cli::report::MEASURES, numbers::grouped};
use mohawk::roots::distribution::Distribution;
use serde::Serialize;
use std::fmt::Write as _;
use std::{collections::BTreeMap, path::PathBuf};

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

impl Repeated {
    /// Returns the spread of each measure over sets with these values.
    pub fn of(rows: &[[Option<f64>; MEASURES.len()]]) -> Self {
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

    /// Returns the table. `unit` is that of lengths, after a blank.
    fn text(&self, unit: &str) -> String {
        let mut text = format!("{} sets{:>21}{:>13}\n", self.sets, "mean", "deviation");
        for measure in &MEASURES {
            if let Some(spread) = self.measures.get(measure.key) {
                let digits = measure.digits + 2;
                let mean = format!("{:.digits$}", spread.mean);
                let deviation = spread.deviation.map_or("–".to_owned(), |deviation| {
                    format!("{deviation:.digits$}")
                });
                let unit = match measure.key {
                    "spacing" | "min_distance" => unit,
                    "mean_nearest" | "largest_gap" => " r_max",
                    "coverage_ratio" => " spacings",
                    _ => "",
                };
                // Writing to a string cannot fail.
                _ = writeln!(
                    text,
                    "  {:<16}{mean:>12}{deviation:>13}{unit}",
                    measure.label
                );
            }
        }
        text
    }
}

impl CommandResult for Sampled {
    fn text(&self) -> String {
        let unit = self.unit;
        let mut rows = String::new();
        if let Some(points) = &self.points {
            rows += &format!("points: {}\n", points.display());
        }
        if let Some((method, seed)) = self.method.zip(self.seed) {
            rows += &format!("method: {method}, seed {seed}\n");
        }
        rows += &format!("spacing: {:.6}{unit}\n", self.spacing);
        if let (Some(distance), Some(radius)) = (self.min_distance, self.relative_radius) {
            rows += &format!(
                "closest pair: {distance:.6}{unit}\n\
                 relative radius: {radius:.3} (0 clumped, 1 a perfect lattice)\n"
            );
        }
        if let Some(mean) = self.distribution.nearest.mean {
            rows += &format!("mean nearest: {mean:.6}{unit}\n");
        }
        if let Some(order) = self.distribution.bond_order {
            rows += &format!("bond order: {order:.3} (1 a hexagonal lattice)\n");
        }
        if let Some(cells) = self.distribution.cells {
            let cells = cells.relative;
            rows += &format!("cell variance: {cells:.3} (1 random, 0.12 to 0.2 maximal)\n");
        }
        if let Some(gap) = self.distribution.largest_gap {
            let [x, y, z] = gap.position.to_array();
            let radius = gap.radius;
            rows += &format!("largest gap: {radius:.6}{unit} around ({x:.3} {y:.3} {z:.3})\n");
        }
        let ratio = self.coverage_ratio;
        rows += &match ratio.is_finite() {
            true => {
                format!("coverage: at most {ratio:.4} spacings from any scalp point to a root\n")
            }
            false => {
                "coverage: none, because some of the scalp has no root on its side\n".to_owned()
            }
        };
        let maximal = if self.maximal { "yes, proven" } else { "no" };
        let square = if unit.is_empty() { "" } else { "²" };
        let area = self.area;
        rows += &format!("maximal: {maximal}\nscalp area: {area:.4}{unit}{square}\n");
        if let Some(seconds) = self.seconds {
            rows += &format!("sampled in: {seconds:.3} s\n");
        }
        let written = self.output.iter().chain(&self.surface_output);
        let rows = output::table(&rows, written.chain(&self.report));
        let repeated = self.repeat.as_ref().map(|repeated| repeated.text(unit));
        let repeated = repeated.unwrap_or_default();
        let count = grouped(self.roots);
        format!("{count} roots on {}\n{rows}{repeated}", self.file)
    }
}
