//! What each way of choosing roots costs and what it reaches, on the shipped head.
//!
//! ```sh
//! cargo bench --bench roots                                             # every method
//! cargo bench --bench roots -- --counts 400,2000 --methods maximal,tight
//! cargo bench --bench roots -- --prefixes                               # the progressive order
//! cargo bench --bench roots -- --json
//! ```
//!
//! One thread, as sampling has no more. What the measures are: `docs/distribution.md`.

use anyhow::{Context, Result};
use clap::Parser;
use clap::builder::PossibleValuesParser;
use glam::{DVec2, Vec3};
use mohawk::roots::distribution::{bond_order, cell_counts, equal_area_cells, spectrum};
use mohawk::roots::{
    Amount, MAX_STRANDS, Method, RootSettings, Roots, SampleError, certify, min_distance,
    relative_radius,
};
use mohawk::{Head, Scalp};
use serde::Serialize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Each time is the best of so many runs, or of as many as [`PATIENCE`] allows, but two at least.
const RUNS: usize = 7;
const PATIENCE: Duration = Duration::from_secs(3);

/// Square sets of which the low-frequency power is the mean, and the most roots of one: above,
/// `spectrum` can no longer afford it.
const SPECTRA: u64 = 3;
const MOST_IN_SPECTRUM: u32 = 40_000;

/// Prefixes of the progressive order, percent.
const PREFIXES: [f64; 14] = [
    5.0, 7.5, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0,
];

/// Measure what each way of choosing roots costs and what it reaches, on the shipped head
#[derive(Parser)]
#[command(name = "cargo bench --bench roots --")]
struct Args {
    /// Numbers of roots to ask for
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_STRANDS)), default_values_t = [400, 2_000, 10_000, 100_000])]
    counts: Vec<u32>,
    /// Which methods [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = PossibleValuesParser::new(Method::ALL.map(Method::name)))]
    methods: Vec<String>,
    /// What each prefix of the progressive order reaches, instead
    #[arg(long, conflicts_with = "methods")]
    prefixes: bool,
    /// Write rows to stdout as JSON
    #[arg(long)]
    json: bool,
    /// Cargo says this to every benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

/// A set: what it took, and how good it is.
#[derive(Serialize)]
struct Row {
    method: &'static str,
    /// How many were asked for.
    asked: u32,
    roots: usize,
    seconds: f64,
    /// Time of `maximal` for the same count.
    maximal_seconds: f64,
    /// Decimetres.
    spacing: f32,
    #[serde(flatten)]
    quality: Quality,
    /// Mean |ψ₆|.
    bond_order: Option<f64>,
    /// χ² / (K − 1).
    cells: Option<f64>,
    /// Of as many roots on a square.
    low_frequency_power: Option<f64>,
}

/// How far apart a set's roots are, and how far from them the scalp is.
#[derive(Serialize)]
struct Quality {
    /// Decimetres.
    min_distance: Option<f64>,
    relative_radius: Option<f64>,
    /// Coverage radius / spacing: upper bound.
    coverage: Option<f64>,
    /// Coverage radius / r_max.
    gap: Option<f64>,
}

/// A prefix of a progressive set.
#[derive(Serialize)]
struct Prefix {
    /// Of so many.
    of: usize,
    percent: f64,
    roots: usize,
    #[serde(flatten)]
    quality: Quality,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let head = Head::shipped(&Default::default())?;
    let scalp = Scalp::of_head(&head).context("the shipped head is not painted")?;
    if args.prefixes {
        prefixes(&args, &scalp)
    } else {
        methods(&args, &scalp)
    }
}

fn methods(args: &Args, scalp: &Scalp) -> Result<()> {
    let wanted = |m: &Method| args.methods.is_empty() || args.methods.iter().any(|n| n == m.name());
    let mut rows = Vec::new();
    if !args.json {
        println!("{HEADINGS}");
    }
    for &count in &args.counts {
        let (maximal, _) = timed(scalp, Method::Maximal, count)?;
        for method in Method::ALL.into_iter().filter(wanted) {
            let (seconds, roots) = match method {
                Method::Maximal => (maximal, sample(scalp, method, count, 1)?),
                _ => timed(scalp, method, count)?,
            };
            let row = row(scalp, method, count, [seconds, maximal], &roots)?;
            if !args.json {
                println!("{}", line(&row));
            }
            rows.push(row);
        }
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&rows)?);
    }
    Ok(())
}

fn sample(scalp: &Scalp, method: Method, count: u32, seed: u64) -> Result<Roots, SampleError> {
    let settings = RootSettings {
        amount: Amount::Strands(count),
        seed,
        method,
    };
    Roots::sample(scalp, &settings, &mut |_| ControlFlow::Continue(()))
}

/// Seconds of the run that was disturbed least, and its set: they are all the same.
fn timed(scalp: &Scalp, method: Method, count: u32) -> Result<(f64, Roots)> {
    let (mut best, all) = (Duration::MAX, Instant::now());
    let mut runs = 0;
    loop {
        let started = Instant::now();
        let roots = sample(scalp, method, count, 1)?;
        best = best.min(started.elapsed());
        runs += 1;
        if runs >= RUNS || runs >= 2 && all.elapsed() > PATIENCE {
            return Ok((best.as_secs_f64(), roots));
        }
    }
}

fn row(
    scalp: &Scalp,
    method: Method,
    asked: u32,
    [seconds, maximal_seconds]: [f64; 2],
    roots: &Roots,
) -> Result<Row> {
    let orders = bond_order(roots)?;
    let orders: Vec<f64> = orders.into_iter().flatten().collect();
    Ok(Row {
        method: method.name(),
        asked,
        roots: roots.positions.len(),
        seconds,
        maximal_seconds,
        spacing: roots.spacing,
        quality: quality(scalp, roots)?,
        bond_order: (!orders.is_empty()).then(|| orders.iter().sum::<f64>() / orders.len() as f64),
        cells: cell_counts(&equal_area_cells(scalp, roots)?).map(|counts| counts.relative),
        low_frequency_power: low_frequency_power(method, asked)?,
    })
}

fn quality(scalp: &Scalp, roots: &Roots) -> Result<Quality> {
    let count = roots.positions.len();
    let r_max = 1.0 / relative_radius(1.0, count, scalp.area());
    let min_distance = min_distance(roots)?;
    let covered = certify(scalp, roots)?.ratio_upper_bound;
    let covered = Some(covered).filter(|ratio| ratio.is_finite());
    Ok(Quality {
        min_distance,
        relative_radius: min_distance.map(|d| d / r_max),
        coverage: covered,
        gap: covered.map(|ratio| ratio * f64::from(roots.spacing) / r_max),
    })
}

/// The mean of a few sets on the unit square.
fn low_frequency_power(method: Method, count: u32) -> Result<Option<f64>> {
    if count > MOST_IN_SPECTRUM {
        return Ok(None);
    }
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    let positions = corners.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec();
    let triangles = vec![[0, 1, 2], [0, 2, 3]];
    let square = Scalp::new(positions, vec![Vec3::Z; 4], triangles, vec![1.0; 4])?;
    let set = |seed| -> Result<Vec<DVec2>> {
        let roots = sample(&square, method, count, seed)?;
        let places = roots.positions.iter();
        Ok(places.map(|p| p.as_dvec3().truncate()).collect())
    };
    let sets = (1..=SPECTRA).map(set).collect::<Result<Vec<_>>>()?;
    Ok(spectrum(&sets).and_then(|found| found.low_frequency_power))
}

fn prefixes(args: &Args, scalp: &Scalp) -> Result<()> {
    let mut rows = Vec::new();
    if !args.json {
        println!("{PREFIX_HEADINGS}");
    }
    for &count in &args.counts {
        let whole = sample(scalp, Method::Progressive, count, 1)?;
        for percent in PREFIXES {
            let of = whole.positions.len();
            let roots = whole.prefix((0.01 * percent * of as f64).round() as usize);
            let row = Prefix {
                of,
                percent,
                roots: roots.positions.len(),
                quality: quality(scalp, &roots)?,
            };
            if !args.json {
                println!("{}", prefix_line(&row));
            }
            rows.push(row);
        }
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&rows)?);
    }
    Ok(())
}

const HEADINGS: &str = "\
method         asked   roots   seconds  / maximal   closest, dm      ρ     R/r  R/r_max  χ²/(K-1)     ψ6  low power";

const PREFIX_HEADINGS: &str = "     of      %   roots   closest, dm      ρ     R/r  R/r_max";

fn line(row: &Row) -> String {
    format!(
        "{:<12} {:>7} {:>7} {:>9.4} {:>10.2} {} {:>9} {:>6} {:>10}",
        row.method,
        row.asked,
        row.roots,
        row.seconds,
        row.seconds / row.maximal_seconds,
        quality_columns(&row.quality),
        figure(row.cells, 3),
        figure(row.bond_order, 3),
        figure(row.low_frequency_power, 3),
    )
}

fn prefix_line(row: &Prefix) -> String {
    format!(
        "{:>7} {:>6} {:>7} {}",
        row.of,
        row.percent,
        row.roots,
        quality_columns(&row.quality)
    )
}

fn quality_columns(quality: &Quality) -> String {
    format!(
        "{:>13} {:>6} {:>7} {:>8}",
        figure(quality.min_distance, 6),
        figure(quality.relative_radius, 3),
        figure(quality.coverage, 4),
        figure(quality.gap, 3),
    )
}

fn figure(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "-".into(), |value| format!("{value:.decimals$}"))
}
