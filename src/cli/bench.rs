//! `mohawk bench`: the cost of the hot loops on this machine, beside baselines of the same run.
//!
//! `harness` measures and collects figures, `baselines` has the naive implementations and the limit
//! of the memory. `steps` measures solvers on a plane of strands, `head` work on the shipped head,
//! `doll` the doll and `draw` pictures.

mod baselines;
mod doll;
#[cfg(feature = "viewer")]
mod draw;
mod harness;
mod head;
mod steps;

use super::messages::Messages;
use super::output::{self, file_parser};
use super::settings::resolution;
use anyhow::Context;
use clap::ValueEnum;
use harness::Report;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  mohawk bench
  mohawk bench --kernel spring --strands 1000000
  mohawk bench --json > bench.json
  mohawk bench --growth growth.svg

Close other programs first. Each figure is the best of several runs, but a busy machine still slows
all of them. docs/performance.md explains the figures.";

/// Measure how fast this machine simulates, samples, loads and draws
///
/// Some kernels have two baselines in the same run: a naive implementation (an array of structures,
/// one strand after the other), and moving the same number of bytes through memory.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct BenchArgs {
    /// Numbers of strands of the kernels spring and, up to 100000, draw
    #[arg(long, value_name = "N", num_args = 1.., value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=i64::from(mohawk::roots::MAX_STRANDS)), default_values_t = [400, 20_000, 100_000, 1_000_000])]
    strands: Vec<u32>,
    /// Pixels of the pictures to draw of a head
    #[cfg_attr(not(feature = "viewer"), allow(dead_code))]
    #[arg(long, value_name = "W,H", value_parser = resolution, default_value = "1280,720", conflicts_with = "growth")]
    resolution: (u32, u32),
    /// Kernels to measure [default: all]
    #[arg(long, value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    kernel: Vec<Kernel>,
    /// Measure only the cost of a step from 1,000 to 1,000,000 strands, and draw a chart: .svg or
    /// .png
    #[arg(long, value_name = "FILE", value_parser = file_parser(&["svg", "png"]), conflicts_with_all = ["kernel", "strands"])]
    growth: Option<PathBuf>,

    #[command(flatten)]
    messages: Messages,
    /// Write the result to stdout as JSON
    #[arg(long, help_heading = "Messages")]
    json: bool,
}

/// A kernel that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kernel {
    /// A step of the spring, with a moving head and with a head at rest
    Spring,
    /// A step of Follow-The-Leader on 1.9 million particles
    Ftl,
    /// Hairs that follow guide hairs, a million particles
    Followers,
    /// Hair-hair interaction on a grid, a million particles
    Grid,
    /// A step of 50,000 long strands on the shipped head, with collision and hair-hair interaction
    Head,
    /// A step of each particle solver, and the gain by guide hairs
    Solvers,
    /// Growing 50,000 strands, plain and by modifiers
    Grow,
    /// A step of combing 50,000 strands
    Comb,
    /// A step of combing a doll of 5,000 hairs, and drawing it
    Doll,
    /// Loading the shipped head
    Load,
    /// Sampling roots on the shipped head
    Sample,
    /// The first picture and a further one
    Draw,
}

impl BenchArgs {
    pub fn run(self) -> anyhow::Result<()> {
        self.messages.start();
        if let Some(path) = &self.growth {
            output::check_folder(path)?;
        }
        if cfg!(debug_assertions) {
            tracing::warn!(
                "this build is not optimised; measure with cargo run --release -- bench"
            );
        }
        let mut report = Report::new(self.messages, self.json)?;
        if let Some(path) = &self.growth {
            let growth = steps::growth(&mut report)?;
            let chart = growth.to_file(&output::extension(path));
            output::write(path, &chart.context("the chart could not be drawn")?)?;
        } else {
            let wanted = |kernel: &&Kernel| self.kernel.is_empty() || self.kernel.contains(kernel);
            for kernel in Kernel::value_variants().iter().filter(wanted) {
                self.measure(*kernel, &mut report)?;
            }
        }
        report.finish()
    }

    fn measure(&self, kernel: Kernel, report: &mut Report) -> anyhow::Result<()> {
        match kernel {
            Kernel::Spring => steps::spring(report, &self.strands),
            Kernel::Ftl => steps::ftl(report),
            Kernel::Followers => steps::followers(report),
            Kernel::Grid => steps::grid(report),
            Kernel::Head => head::contact(report),
            Kernel::Solvers => steps::solvers(report),
            Kernel::Grow => head::grow(report),
            Kernel::Comb => head::comb(report),
            Kernel::Doll => {
                doll::measure(report)?;
                #[cfg(feature = "viewer")]
                draw::dolls(report)?;
                Ok(())
            }
            Kernel::Load => head::load(report),
            Kernel::Sample => head::sample(report),
            #[cfg(feature = "viewer")]
            Kernel::Draw => draw::head(report, &self.strands, self.resolution),
            #[cfg(not(feature = "viewer"))]
            Kernel::Draw => {
                tracing::warn!("{}; drawing is not measured", super::messages::no_drawing());
                Ok(())
            }
        }
    }
}
