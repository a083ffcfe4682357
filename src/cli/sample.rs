//! `mohawk sample`: roots without their hair, measured and exported.

use super::settings::{HeadArgs, RootArgs};
use super::talk::Talk;
use super::{data, pipeline, usage_error};
use crate::PlyEncoding;
use crate::numbers::grouped;
use crate::roots::{Measures, Roots, measure};
use crate::scalp::Scalp;
use anyhow::Context;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  mohawk sample --strands 10000
  mohawk sample my-head.glb --spacing 0.02 -o roots.ply --surface-output scalp.ply
  mohawk sample --strands 2000 --seed 7 -o roots.csv --json

The root file has x y z (position), nx ny nz (growth direction) and fx fy fz (face normal); root
and surface file share one space, whose unit is the decimetre of a standard head.";

/// Sample hair roots on the painted scalp, measure them, export them
///
/// The set is maximal Poisson-disk: no two roots are closer than the spacing, and no point of the
/// scalp is farther than the spacing from a root, which is proven anew for every set.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct SampleArgs {
    #[command(flatten)]
    roots: RootArgs,

    /// Write the roots: .ply or .csv
    #[arg(short, long, value_name = "FILE", value_parser = root_file, help_heading = "Output")]
    output: Option<PathBuf>,
    /// Write the scalp they were sampled on: .ply
    #[arg(long, value_name = "FILE", value_parser = surface_file, help_heading = "Output")]
    surface_output: Option<PathBuf>,
    /// Write PLY files as text instead of binary
    #[arg(long, help_heading = "Output")]
    ascii: bool,

    #[command(flatten)]
    head: HeadArgs,
    #[command(flatten)]
    talk: Talk,
}

/// What came of it. Lengths in decimetres.
#[derive(Serialize)]
struct Sampled {
    file: String,
    seed: u64,
    roots: usize,
    spacing: f64,
    /// The closest pair on one side of the surface; null where there is no pair.
    min_distance: Option<f64>,
    relative_radius: Option<f64>,
    /// Certified upper bound of the coverage radius over the spacing.
    coverage_ratio: f64,
    maximal: bool,
    /// Of the scalp, square decimetres.
    area: f64,
    /// Sampling alone.
    seconds: f64,
    output: Option<PathBuf>,
    surface_output: Option<PathBuf>,
}

impl SampleArgs {
    pub fn run(self) -> anyhow::Result<()> {
        self.talk.start();
        if self.output.is_some() && self.output == self.surface_output {
            let message = "--output and --surface-output name the same file".to_owned();
            return Err(usage_error("sample", message));
        }
        for path in self.output.iter().chain(&self.surface_output) {
            data::check_folder(path)?;
        }
        let mut config = self.head.config()?;
        self.roots.override_in(&mut config);
        let name = self.head.name();
        let head = pipeline::load(&config, self.head.path.as_deref(), self.talk)?;
        pipeline::warn_of(&head, &name);
        let scalp = Scalp::of_head(&head).with_context(|| {
            let advice = head.paint_advice();
            let advice = advice.unwrap_or_else(|| "the painted triangles have no area".to_owned());
            format!("{name}: {advice}")
        })?;

        let started = Instant::now();
        let roots = pipeline::sample(&scalp, &name, &config, self.talk)?;
        let seconds = started.elapsed().as_secs_f64();
        let spinner = self.talk.spinner("certifying");
        let measures = measure(&scalp, &roots);
        spinner.finish_and_clear();
        let measures = measures?;
        self.write(&scalp, &roots)?;

        let sampled = Sampled {
            file: name,
            seed: config.roots.seed,
            seconds,
            output: self.output,
            surface_output: self.surface_output,
            ..Sampled::of(&roots, &measures)
        };
        if self.talk.json {
            data::print_json(&sampled)
        } else {
            data::print(&sampled.text())
        }
    }

    fn write(&self, scalp: &Scalp, roots: &Roots) -> anyhow::Result<()> {
        let encoding = if self.ascii {
            PlyEncoding::Ascii
        } else {
            PlyEncoding::BinaryLittleEndian
        };
        if let Some(path) = &self.output {
            match extension(path).as_str() {
                "csv" => data::write(path, roots.to_csv().as_bytes())?,
                _ => data::write(path, &roots.to_ply(encoding))?,
            }
        }
        if let Some(path) = &self.surface_output {
            data::write(path, &scalp.to_ply(encoding))?;
        }
        Ok(())
    }
}

impl Sampled {
    fn of(roots: &Roots, measures: &Measures) -> Self {
        Sampled {
            file: String::new(),
            seed: 0,
            roots: measures.count,
            spacing: roots.spacing.into(),
            min_distance: measures.min_distance,
            relative_radius: measures.relative_radius,
            coverage_ratio: measures.coverage.ratio_upper_bound,
            maximal: measures.coverage.maximal,
            area: measures.area,
            seconds: 0.0,
            output: None,
            surface_output: None,
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{} roots on {}\n", grouped(self.roots), self.file);
        // Writing to a string cannot fail.
        let mut row = |name: &str, value: String| _ = writeln!(text, "  {name:<16}{value}");
        row("spacing", format!("{:.6} dm", self.spacing));
        if let (Some(distance), Some(radius)) = (self.min_distance, self.relative_radius) {
            row("closest pair", format!("{distance:.6} dm"));
            row(
                "relative radius",
                format!("{radius:.3} (0 clumped, 1 a perfect lattice)"),
            );
        }
        row(
            "coverage",
            format!(
                "{:.4} spacings: no scalp point is farther from a root",
                self.coverage_ratio
            ),
        );
        let maximal = if self.maximal { "yes, proven" } else { "no" };
        row("maximal", maximal.to_owned());
        row("scalp area", format!("{:.4} dm²", self.area));
        row("sampled in", format!("{:.3} s", self.seconds));
        for path in self.output.iter().chain(&self.surface_output) {
            row("written", path.display().to_string());
        }
        text
    }
}

fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_ascii_lowercase()
}

fn root_file(text: &str) -> Result<PathBuf, String> {
    known(text, &["ply", "csv"])
}

fn surface_file(text: &str) -> Result<PathBuf, String> {
    known(text, &["ply"])
}

fn known(text: &str, extensions: &[&str]) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if extensions.contains(&extension(&path).as_str()) {
        return Ok(path);
    }
    let listed: Vec<String> = extensions.iter().map(|e| format!(".{e}")).collect();
    Err(format!("its name must end in {}", listed.join(" or ")))
}
