//! `mohawk bench`: what the hot loops cost on this machine, each beside a baseline of the same run.
//!
//! One file for each group of kernels; [`naive`] and [`memory`] are the baselines.

mod comb;
mod doll;
#[cfg(feature = "viewer")]
mod draw;
mod followers;
mod ftl;
mod grid;
mod growth;
mod head;
mod memory;
mod naive;
mod pipeline;
mod solvers;
mod spring;

use super::data;
use super::talk::Talk;
use clap::ValueEnum;
use glam::Vec3;
use indicatif::ProgressBar;
use mohawk::groom::Groom;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;
use std::borrow::Cow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Each figure is the best of this many runs, which was disturbed least.
const RUNS: usize = 7;
/// The time that one run should take: long enough for the clock, short enough to wait for.
const RUN: Duration = Duration::from_millis(60);

const EXAMPLES: &str = "\
Examples:
  mohawk bench
  mohawk bench --kernel spring --strands 1000000
  mohawk bench --json > bench.json
  mohawk bench --growth growth.svg

Close other programs first: a busy machine shows in the figures, though each is the best of
several runs. What they mean: docs/performance.md";

/// Measure how fast this machine simulates, samples, loads and draws
///
/// The spring is measured against the naive way to write it (an array of structures, explicit
/// Euler steps) and against moving as many bytes through memory, in the same run.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct BenchArgs {
    /// Numbers of strands to simulate, and to draw (up to 100000)
    #[arg(long, value_name = "N", num_args = 1.., value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=i64::from(mohawk::roots::MAX_STRANDS)), default_values_t = [400, 20_000, 100_000, 1_000_000])]
    strands: Vec<u32>,
    /// What to measure [default: all]
    #[arg(long, value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    kernel: Vec<Kernel>,
    /// Draw how the cost of each solver's step grows from 1,000 to 1,000,000 strands: .svg or .png;
    /// measures nothing else
    #[arg(long, value_name = "FILE", value_parser = chart_file, conflicts_with_all = ["kernel", "strands"])]
    growth: Option<PathBuf>,

    #[command(flatten)]
    talk: Talk,
}

/// The groups of kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kernel {
    /// A step of the spring, under a moving head and under one that has stood still
    Spring,
    /// A step of Follow-The-Leader on 1.9 million particles
    Ftl,
    /// Hairs that follow others, a million particles
    Followers,
    /// Hair against hair on a grid, a million particles
    Grid,
    /// A step of 50,000 long strands on the shipped head, with its skin and with each other
    Head,
    /// A step of the solvers over particles, and what guides save
    Solvers,
    /// A step of combing 50,000 strands
    Comb,
    /// A step of combing a doll of 5,000 hairs, and drawing it
    Doll,
    /// Reading the shipped head
    Load,
    /// Sampling roots on the shipped head
    Sample,
    /// The first picture, and one more
    Draw,
}

/// One figure.
#[derive(Clone, Debug, Serialize)]
struct Row {
    kernel: &'static str,
    /// Description of an element and the work on it.
    measures: String,
    /// Number of strands, or of what else `measures` says.
    strands: u64,
    /// Particles of each; 1 if the strand itself is the element.
    particles: u64,
    threads: usize,
    ns_per_element: f64,
    /// The naive baseline on as many threads, if there is one.
    naive_ns_per_element: Option<f64>,
    /// Moving as many bytes on as many threads, without arithmetic.
    memory_ns_per_element: Option<f64>,
}

impl Row {
    /// A figure without baselines, measured on the present thread pool.
    fn new(
        kernel: &'static str,
        measures: impl Into<String>,
        elements: usize,
        ns_per_element: f64,
    ) -> Self {
        Row {
            kernel,
            measures: measures.into(),
            strands: elements as u64,
            particles: 1,
            threads: rayon::current_num_threads(),
            ns_per_element,
            naive_ns_per_element: None,
            memory_ns_per_element: None,
        }
    }
}

/// Collects rows and prints each as it comes.
struct Report {
    rows: Vec<Row>,
    talk: Talk,
    bar: ProgressBar,
}

impl Report {
    fn add(&mut self, row: Row) -> anyhow::Result<()> {
        if !self.talk.json {
            self.bar.suspend(|| data::print(&line(&row)))?;
        }
        self.rows.push(row);
        Ok(())
    }

    /// Adds a row measured on each pool.
    fn on_pools(
        &mut self,
        message: impl Into<Cow<'static, str>>,
        pools: &[ThreadPool],
        row: impl Fn() -> Row + Sync,
    ) -> anyhow::Result<()> {
        self.bar.set_message(message);
        pools
            .iter()
            .try_for_each(|pool| self.add(pool.install(&row)))
    }
}

impl BenchArgs {
    pub fn run(self) -> anyhow::Result<()> {
        self.talk.start();
        if let Some(path) = &self.growth {
            data::check_folder(path)?;
        }
        if cfg!(debug_assertions) {
            tracing::warn!(
                "this build is not optimised; measure with cargo run --release -- bench"
            );
        }
        let all_kernels = self.growth.is_none() && self.kernel.is_empty();
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        let mut pools = vec![pool(1)?];
        if all > 1 {
            pools.push(pool(all)?);
        }
        let mut report = Report {
            rows: Vec::new(),
            talk: self.talk,
            bar: self.talk.spinner("measuring"),
        };
        if !self.talk.json {
            let head = format!(
                "{all} threads, {} instructions; each figure is the best of {RUNS} runs\n{}\n",
                mohawk::sim::instructions(),
                HEADINGS
            );
            report.bar.suspend(|| data::print(&head))?;
        }
        for &kernel in Kernel::value_variants() {
            if !(all_kernels || self.kernel.contains(&kernel)) {
                continue;
            }
            match kernel {
                Kernel::Spring => spring::measure(&mut report, &self.strands, &pools)?,
                Kernel::Ftl => ftl::measure(&mut report, &pools)?,
                Kernel::Followers => followers::measure(&mut report, &pools)?,
                Kernel::Grid => grid::measure(&mut report, &pools)?,
                Kernel::Head => head::measure(&mut report, &pools)?,
                Kernel::Solvers => solvers::measure(&mut report, &pools)?,
                Kernel::Comb => comb::measure(&mut report, &pools)?,
                Kernel::Doll => doll::measure(&mut report)?,
                Kernel::Load => pipeline::load(&mut report)?,
                Kernel::Sample => pipeline::sample(&mut report)?,
                Kernel::Draw => draw(&mut report, &self.strands)?,
            }
        }
        if let (Some(path), Some(pool)) = (&self.growth, pools.last()) {
            let growth = growth::measure(&mut report, pool)?;
            let bytes = match data::extension(path).as_str() {
                "svg" => growth.to_svg().map(String::into_bytes),
                _ => growth.to_png(),
            };
            data::write(path, &bytes?)?;
        }
        report.bar.finish_and_clear();
        if self.talk.json {
            data::print_json(&report.rows)?;
        }
        Ok(())
    }
}

fn chart_file(text: &str) -> Result<PathBuf, String> {
    data::known(text, &["svg", "png"])
}

#[cfg(feature = "viewer")]
fn draw(report: &mut Report, strands: &[u32]) -> anyhow::Result<()> {
    draw::measure(report, strands)
}

#[cfg(not(feature = "viewer"))]
fn draw(_: &mut Report, _: &[u32]) -> anyhow::Result<()> {
    tracing::warn!("{}; drawing is not measured", super::NO_DRAWING);
    Ok(())
}

fn pool(threads: usize) -> anyhow::Result<ThreadPool> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).build()?)
}

/// Returns the nanoseconds per element of `work`, which handles `elements` of them each time.
fn best_ns(elements: usize, mut work: impl FnMut()) -> f64 {
    let mut time = |repeats: u32| {
        let started = Instant::now();
        for _ in 0..repeats {
            work();
        }
        started.elapsed()
    };
    time(1); // caches, page faults, threads that wake up
    let once = time(1).max(Duration::from_nanos(50));
    let repeats = (RUN.as_secs_f64() / once.as_secs_f64()).clamp(1.0, 1e6) as u32;
    let best = (0..RUNS).map(|_| time(repeats)).min().unwrap_or(once);
    best.as_secs_f64() * 1e9 / f64::from(repeats) / elements as f64
}

/// Returns strands in a field that lean to all sides. If all stood along an axis, differences across
/// it would be denormal numbers, which are slower than any of real hair.
fn field(count: usize) -> Groom {
    let root = |i: usize| {
        Vec3::new(
            (i % 1000) as f32 * 1e-3 + 0.1,
            1.0,
            (i / 1000) as f32 * 1e-3 + 0.1,
        )
    };
    let leaning = |i: usize| {
        let (sin, cos) = (i as f32).sin_cos();
        Vec3::new(0.3 * sin, 1.0, 0.3 * cos).normalize()
    };
    let directions: Vec<Vec3> = (0..count).map(leaning).collect();
    Groom {
        roots: (0..count).map(root).collect(),
        normals: directions.clone(),
        directions,
        lengths: vec![0.75; count],
        ..Groom::default()
    }
}

const HEADINGS: &str = "kernel          elements  threads           ns  naive, ns  faster  memory, ns  what an element is";

/// Formats a row as text.
fn line(row: &Row) -> String {
    let figure = |ns: Option<f64>| ns.map_or_else(String::new, significant);
    let faster = (row.naive_ns_per_element).map_or_else(String::new, |naive| {
        format!("{:.1} x", naive / row.ns_per_element)
    });
    format!(
        "{:<13} {:>10} {:>8} {:>12} {:>10} {:>7} {:>11}  {}\n",
        row.kernel,
        row.strands * row.particles,
        row.threads,
        significant(row.ns_per_element),
        figure(row.naive_ns_per_element),
        faster,
        figure(row.memory_ns_per_element),
        row.measures,
    )
}

/// Formats three significant digits, more where they are whole nanoseconds.
fn significant(ns: f64) -> String {
    let decimals = if ns < 10.0 {
        2
    } else {
        usize::from(ns < 100.0)
    };
    format!("{ns:.decimals$}")
}
