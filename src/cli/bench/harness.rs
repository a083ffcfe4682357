//! Measuring, and the table of figures.

use crate::cli::{messages::Messages, output};
use glam::Vec3;
use indicatif::ProgressBar;
use mohawk::groom::Groom;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;
use std::borrow::Cow;
use std::time::{Duration, Instant};

/// Number of runs of which the fastest counts, as the least disturbed one.
const RUNS: usize = 7;
/// Approximate time of a run.
const RUN: Duration = Duration::from_millis(60);

/// One figure.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The name of the code that is measured.
    pub kernel: &'static str,
    /// The description of an element and the work on it.
    pub measures: String,
    /// The number of strands, or of what else `measures` says.
    pub strands: usize,
    /// The number of particles of each; 1 if the strand itself is the element.
    pub particles: usize,
    /// The number of threads.
    pub threads: usize,
    /// The time per element, nanoseconds.
    pub ns_per_element: f64,
    /// The time per element of the baseline that `measures` names, nanoseconds; `None` without one.
    pub naive_ns_per_element: Option<f64>,
    /// The time per element of moving as many bytes on as many threads without arithmetic,
    /// nanoseconds; `None` if it was not measured.
    pub memory_ns_per_element: Option<f64>,
}

impl Row {
    /// Returns a figure without baselines, measured on the present thread pool: of strands and the
    /// particles of each, or of other things and 1.
    pub fn new(
        kernel: &'static str,
        measures: impl Into<String>,
        [strands, particles]: [usize; 2],
        ns_per_element: f64,
    ) -> Self {
        Row {
            kernel,
            measures: measures.into(),
            strands,
            particles,
            threads: rayon::current_num_threads(),
            ns_per_element,
            naive_ns_per_element: None,
            memory_ns_per_element: None,
        }
    }
}

/// The figures so far. Without `--json` each is printed when it is added.
pub struct Report {
    #[cfg_attr(not(feature = "viewer"), allow(dead_code))]
    pub messages: Messages,
    is_json: bool,
    rows: Vec<Row>,
    spinner: ProgressBar,
    /// Pools of one thread and, if there are more, of all threads of the machine.
    pools: Vec<ThreadPool>,
}

impl Report {
    /// Starts a report on this machine.
    pub fn new(messages: Messages, is_json: bool) -> anyhow::Result<Self> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let pools = [1, threads].into_iter().take(threads.min(2));
        let pools = pools.map(|threads| {
            let mut pool = ThreadPoolBuilder::new().num_threads(threads);
            if cfg!(target_family = "wasm") {
                // There is no other thread.
                pool = pool.use_current_thread();
            }
            pool.build()
        });
        let pools = pools.collect::<Result<_, _>>()?;
        let report = Report {
            messages,
            is_json,
            rows: Vec::new(),
            spinner: messages.spinner("measuring"),
            pools,
        };
        report.print(&format!(
            "{threads} threads, {} instructions; each figure is the best of {RUNS} runs\n{HEADINGS}\n",
            mohawk::sim::instructions(),
        ))?;
        Ok(report)
    }

    /// Prints text, unless the result is JSON.
    fn print(&self, text: &str) -> anyhow::Result<()> {
        match self.is_json {
            true => Ok(()),
            false => self.spinner.suspend(|| output::print(text)),
        }
    }

    /// Shows what is being measured.
    pub fn show(&self, what: impl Into<Cow<'static, str>>) {
        self.spinner.set_message(what);
    }

    /// Adds a figure.
    pub fn add(&mut self, row: Row) -> anyhow::Result<()> {
        self.print(&line(&row))?;
        self.rows.push(row);
        Ok(())
    }

    /// Adds a figure measured on one thread, and one measured on all threads.
    pub fn on_pools(
        &mut self,
        message: impl Into<Cow<'static, str>>,
        row: impl Fn() -> anyhow::Result<Row> + Sync,
    ) -> anyhow::Result<()> {
        self.show(message);
        let rows = |pool: &ThreadPool| pool.install(&row);
        (0..self.pools.len()).try_for_each(|nth| self.add(rows(&self.pools[nth])?))
    }

    /// Adds a figure measured on one thread.
    pub fn on_one_thread(
        &mut self,
        message: impl Into<Cow<'static, str>>,
        row: impl FnOnce() -> anyhow::Result<Row> + Send,
    ) -> anyhow::Result<()> {
        self.show(message);
        self.add(self.pools[0].install(row)?)
    }

    /// Adds a figure measured on all threads, and returns its nanoseconds per element.
    pub fn on_all_threads(
        &mut self,
        message: impl Into<Cow<'static, str>>,
        row: impl FnOnce() -> Row + Send,
    ) -> anyhow::Result<f64> {
        self.show(message);
        let row = self.pools[self.pools.len() - 1].install(row);
        let ns = row.ns_per_element;
        self.add(row)?;
        Ok(ns)
    }

    /// Returns the number of threads of the largest pool.
    pub fn threads(&self) -> usize {
        self.pools[self.pools.len() - 1].current_num_threads()
    }

    /// Ends the report. With `--json` this prints the figures.
    pub fn finish(self) -> anyhow::Result<()> {
        self.spinner.finish_and_clear();
        output::print_if(self.is_json, &self.rows)
    }
}

/// Returns the nanoseconds per element of `work`, which processes `elements` of them.
pub fn best_ns(elements: usize, mut work: impl FnMut()) -> f64 {
    let mut time = |repeats: u32| {
        let started = Instant::now();
        for _ in 0..repeats {
            work();
        }
        started.elapsed()
    };
    time(1); // Warms caches, pages and threads up.
    let once = time(1).max(Duration::from_nanos(50));
    let repeats = (RUN.as_secs_f64() / once.as_secs_f64()).clamp(1.0, 1e6) as u32;
    let best = (0..RUNS).map(|_| time(repeats)).min().unwrap_or(once);
    best.as_secs_f64() * 1e9 / f64::from(repeats) / elements as f64
}

/// Returns the time of all elements in milliseconds, as in `1.5 ms for all`.
pub fn for_all(ns: f64, elements: usize) -> String {
    format!("{:.1} ms for all", ns * elements as f64 * 1e-6)
}

/// Returns strands on a plane that lean in different directions. Strands along an axis would have
/// denormal offsets across it, which make arithmetic slower than it is with real hair.
pub fn slanted_strands(count: usize) -> Groom {
    let grid = |i: usize| i as f32 * 1e-3 + 0.1;
    let root = |i: usize| Vec3::new(grid(i % 1000), 1.0, grid(i / 1000));
    let direction = |i: usize| {
        let (sin, cos) = (i as f32).sin_cos();
        Vec3::new(0.3 * sin, 1.0, 0.3 * cos).normalize()
    };
    let directions: Vec<Vec3> = (0..count).map(direction).collect();
    Groom {
        roots: (0..count).map(root).collect(),
        normals: directions.clone(),
        directions,
        lengths: vec![0.75; count],
        ..Groom::default()
    }
}

const HEADINGS: &str =
    "kernel          elements  threads           ns   naive ns  faster   memory ns  element";

/// Returns a figure as a line of the table.
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

/// Returns a time with three significant digits; with more if it has more whole nanoseconds.
fn significant(ns: f64) -> String {
    let decimals = usize::from(ns < 10.0) + usize::from(ns < 100.0);
    format!("{ns:.decimals$}")
}
