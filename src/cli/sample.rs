//! `mohawk sample`: roots without their hair, measured and exported.

mod report;
mod result;

use super::output::{self, CommandResult};
use super::settings::{HeadArgs, RootArgs};
use super::{messages::usage_error, pipeline, report::JudgedRoots};
use anyhow::{Context, Result};
use mohawk::files::{is_same_place, overwritten};
use mohawk::roots::{Amount, Roots};
use mohawk::{PlyEncoding, config::Config, import::PointSet, maps::MapKind, scalp::Scalp};
use result::{Repeated, Sampled};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tracing::{debug, warn};

/// The arguments that only heads take.
const HEAD_FLAGS: [&str; 8] = [
    "path",
    "paint",
    "mask",
    "hide",
    "up",
    "turn_deg",
    "animation",
    "limits",
];

const EXAMPLES: &str = "\
Examples:
  mohawk sample --strands 10000
  mohawk sample my-head.glb --spacing 0.02 -o roots.ply --surface-output scalp.ply
  mohawk sample --strands 2000 --seed 7 -o roots.csv --json
  mohawk sample --method uniform --repeat 20       Mean and deviation over seeds 1 to 20
  mohawk sample --surface bunny.obj --strands 5000 Any mesh; lengths are in its own units
  mohawk sample --surface scalp.ply --points their-roots.csv
                                                   Judge somebody else's points on the same scalp
  mohawk sample --strands 3000 --report roots.html Pictures, and all methods side by side

The root file has x y z (position), nx ny nz (growth direction), fx fy fz (face normal), density
(painted there) and rank: its roots with rank below density times their number are what --thin
leaves, and in progressive order every prefix is even. Root and surface file share one space, whose
unit is the decimetre of a standard head.

Of a point set x y z are read and, to tell the sides of thin sheets, fx fy fz or nx ny nz; a CSV
file without names has x,y,z.";

/// Sample hair roots on the painted scalp, measure them, export them
///
/// The set is maximal Poisson-disk: no two roots are closer than the spacing, and no point of the
/// scalp is farther than the spacing from a root, which is proven anew for every set. It is in
/// progressive order: every prefix is itself evenly spread, so that painted density thins it
/// evenly. Other methods, and points from elsewhere, are measured alike.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct SampleArgs {
    #[command(flatten)]
    roots: RootArgs,
    /// Sample N times, with this seed and the next ones: mean and deviation of each measure
    ///
    /// The set that is written is the first.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000), hide_default_value = true, help_heading = "Hair")]
    repeat: u32,

    /// Leave out what painted density leaves out, as hair does
    ///
    /// (And what groom.density of a settings file leaves out.) A root stays where its rank, as a
    /// share of all roots, is below the density there. What stays is even in progressive order
    /// only. Coverage is then in spacings of that density, which are wider.
    #[arg(long, conflicts_with = "points", help_heading = "Hair")]
    thin: bool,

    /// Sample this mesh instead of a head: .ply or .obj
    ///
    /// All of it is scalp, except for triangles whose corners all have a PLY vertex property
    /// `density` of 0; colours are not read. Lengths are in the file's own units.
    #[arg(long, value_name = "FILE", value_parser = output::file_parser(&["ply", "obj"]), conflicts_with_all = HEAD_FLAGS, help_heading = "Input")]
    surface: Option<PathBuf>,
    /// Measure these points instead of sampling: .ply or .csv
    ///
    /// They must lie on the surface, in its units. Their spacing is the distance of the closest
    /// pair, unless --spacing says what it should be.
    #[arg(long, value_name = "FILE", value_parser = output::file_parser(&["ply", "csv"]), conflicts_with_all = ["strands", "method", "seed", "repeat"], help_heading = "Input")]
    points: Option<PathBuf>,

    /// Write the roots: .ply or .csv
    #[arg(short, long, value_name = "FILE", value_parser = output::file_parser(&["ply", "csv"]), help_heading = "Output")]
    output: Option<PathBuf>,
    /// Write the scalp they were sampled on: .ply
    #[arg(long, value_name = "FILE", value_parser = output::file_parser(&["ply"]), help_heading = "Output")]
    surface_output: Option<PathBuf>,
    /// Write PLY files as text instead of binary
    #[arg(long, help_heading = "Output")]
    ascii: bool,

    /// Draw the set and its measures beside those of every method: .html, .png or .svg
    ///
    /// The scalp with its roots and its largest gap, pair correlation, nearest distances, the
    /// spectrum, and a table. The file needs nothing from elsewhere.
    #[arg(long, value_name = "FILE", value_parser = output::file_parser(&["html", "png", "svg"]), help_heading = "Output")]
    report: Option<PathBuf>,

    #[command(flatten)]
    head: HeadArgs,
}

/// The surface to sample: the painted scalp of a head, or a plain mesh.
struct Surface {
    scalp: Scalp,
    /// The name in messages: its path as it was typed.
    name: String,
    /// The unit of lengths, after a blank; empty for a plain mesh, whose unit is unknown.
    unit: &'static str,
}

impl SampleArgs {
    pub fn run(self) -> Result<()> {
        self.head.messages.start();
        self.check_outputs(&[])?;
        let mut config = self.head.config()?;
        self.roots.override_in(&mut config);
        let surface = self.load_surface(&config)?;
        let (set, repeat) = match &self.points {
            Some(path) => (self.judge(path, &surface)?, None),
            None => self.sample(&surface, &config)?,
        };
        self.write(&surface, &set.roots)?;
        if let Some(path) = &self.report {
            let subject = report::Subject {
                surface: &surface,
                set: &set,
                points: self.points.as_deref(),
                config: &config,
                command: self.command(&config),
            };
            let report = report::made(&subject, &output::extension(path), self.head.messages)?;
            output::write(path, &report)?;
        }

        let is_ours = self.points.is_none();
        let sampled = Sampled {
            file: surface.name,
            method: is_ours.then(|| config.roots.method.name()),
            seed: is_ours.then_some(config.roots.seed),
            repeat,
            points: self.points,
            output: self.output,
            surface_output: self.surface_output,
            report: self.report,
            unit: surface.unit,
            roots: set.distribution.count,
            spacing: set.roots.spacing.into(),
            min_distance: set.distribution.nearest.min,
            relative_radius: set.distribution.relative_radius,
            coverage_ratio: set.coverage.ratio_upper_bound,
            maximal: set.coverage.maximal,
            area: set.distribution.area,
            seconds: set.seconds,
            distribution: set.distribution,
        };
        sampled.print(self.head.json)
    }

    fn load_surface(&self, config: &Config) -> Result<Surface> {
        if let Some(path) = &self.surface {
            let spinner = self.head.messages.spinner("loading the surface");
            let scalp = Scalp::from_mesh_file(path);
            spinner.finish_and_clear();
            return Ok(Surface {
                scalp: scalp?,
                name: path.display().to_string(),
                unit: "",
            });
        }
        let name = self.head.name();
        let (saved, head) = self.head.source(config).open()?;
        if saved.style.maps.contains_key(&MapKind::Density) {
            warn!(
                "{name}: its density map is left out; `mohawk export --painted` makes paint of it, and \
                 the file can be sampled"
            );
        }
        self.check_outputs(&head.files)?;
        let scalp = Scalp::of_head(&head).with_context(|| {
            let advice = head.paint_advice();
            let advice = advice.unwrap_or_else(|| "the painted triangles have no area".to_owned());
            format!("{name}: {advice}")
        })?;
        Ok(Surface {
            scalp,
            name,
            unit: " dm",
        })
    }

    /// Checks that outputs are files of their own, and none that is read: what the arguments name, and
    /// the files of the head.
    fn check_outputs(&self, files: &[PathBuf]) -> Result<()> {
        let outputs = [
            ("--output", &self.output),
            ("--surface-output", &self.surface_output),
            ("--report", &self.report),
        ];
        let given = outputs.iter();
        let given = given.filter_map(|(flag, path)| Some((flag, path.as_ref()?)));
        for (nth, (flag, path)) in given.clone().enumerate() {
            if let Some((other, _)) = given
                .clone()
                .take(nth)
                .find(|(_, other)| is_same_place(other, path))
            {
                let message = format!("{other} and {flag} name the same file");
                return Err(usage_error("sample", message));
            }
            let inputs = self.surface.iter().chain(&self.points).chain(files);
            let inputs = inputs.cloned().chain(self.head.inputs());
            if let Some(input) = overwritten(path, inputs) {
                let message = format!("{flag} would overwrite {}, which is read", input.display());
                return Err(usage_error("sample", message));
            }
            output::check_folder(path)?;
        }
        Ok(())
    }

    /// Returns a command that samples with the same amount, seed and method, whatever the settings
    /// file says by then.
    fn command(&self, config: &Config) -> String {
        let quoted = |path: &Path| {
            let path = path.display().to_string();
            let is_plain = |c: char| c.is_alphanumeric() || "-_./+=:,@%".contains(c);
            match path.chars().all(is_plain) && !path.is_empty() {
                true => path,
                false => format!("'{}'", path.replace('\'', "'\\''")),
            }
        };
        let mut command = "mohawk sample".to_owned();
        for (flag, path) in [
            ("", &self.head.path),
            (" --config", &self.head.config),
            (" --surface", &self.surface),
            (" --points", &self.points),
        ] {
            if let Some(path) = path {
                command += &format!("{flag} {}", quoted(path));
            }
        }
        if let Some(preset) = &self.head.preset {
            command += &format!(" --preset {}", quoted(Path::new(preset.name())));
        }
        for (flag, value) in self.head.reading() {
            command += &format!(" {flag} {}", quoted(Path::new(&value)));
        }
        let (is_ours, roots) = (self.points.is_none(), &config.roots);
        command += &match (roots.amount, self.roots.spacing) {
            (Amount::Strands(strands), _) if is_ours => format!(" --strands {strands}"),
            (Amount::Spacing(spacing), _) if is_ours => format!(" --spacing {spacing}"),
            (_, Some(spacing)) => format!(" --spacing {spacing}"),
            (_, None) => String::new(),
        };
        if is_ours {
            command += &format!(" --seed {} --method {}", roots.seed, roots.method);
            command += if self.thin { " --thin" } else { "" };
        }
        if let Some(report) = &self.report {
            command += &format!(" --report {}", quoted(report));
        }
        command
    }

    /// Returns the first of the repeated sets, and the numbers of all if there are several.
    fn sample(&self, on: &Surface, config: &Config) -> Result<(JudgedRoots, Option<Repeated>)> {
        let mut first = None;
        let mut rows = Vec::new();
        for nth in 0..self.repeat {
            let mut config = config.clone();
            config.roots.seed = config.roots.seed.wrapping_add(nth.into());
            let started = Instant::now();
            let roots = pipeline::sample(&on.scalp, &on.name, &config, self.head.messages)?;
            let seconds = started.elapsed().as_secs_f64();
            let roots = match self.thin {
                true => roots.thinned(&on.scalp, config.groom.density),
                false => roots,
            };
            let set = self.measured(on, roots, Some(seconds))?;
            debug!("seed {} measured", config.roots.seed);
            rows.push(set.row());
            first.get_or_insert(set);
        }
        let repeated = (rows.len() > 1).then(|| Repeated::of(&rows));
        Ok((first.context("--repeat is at least 1")?, repeated))
    }

    fn judge(&self, path: &Path, surface: &Surface) -> Result<JudgedRoots> {
        let name = path.display();
        let points = PointSet::load(path)?;
        let messages = self.head.messages;
        let spinner = messages.spinner("finding the points on the surface");
        let foreign = Roots::of_points(&surface.scalp, &points, self.roots.spacing);
        spinner.finish_and_clear();
        let foreign = foreign.with_context(|| format!("{name}: not on {}", surface.name))?;
        let (low, high) = surface.scalp.bounds();
        if foreign.farthest > OFF_SURFACE * f64::from(low.distance(high)) {
            let (farthest, unit) = (foreign.farthest, surface.unit);
            warn!("{name}: its points are up to {farthest:.4}{unit} away from the surface");
        }
        if foreign.is_spacing_assumed {
            let spacing = foreign.roots.spacing;
            warn!(
                "{name}: no two points on a side differ, so its spacing is assumed to be \
                 {spacing:.6}{}, which is typical of this number; set it with --spacing",
                surface.unit
            );
        }
        self.measured(surface, foreign.roots, None)
    }

    fn measured(&self, on: &Surface, roots: Roots, seconds: Option<f64>) -> Result<JudgedRoots> {
        let set = self.head.messages.with_bar("measuring", |progress| {
            JudgedRoots::of(&on.scalp, roots, seconds, progress)
        });
        set.with_context(|| format!("{}: the roots cannot be measured", on.name))
    }

    fn write(&self, surface: &Surface, roots: &Roots) -> Result<()> {
        let encoding = match self.ascii {
            true => PlyEncoding::Ascii,
            false => PlyEncoding::BinaryLittleEndian,
        };
        if let Some(path) = &self.output {
            match output::extension(path).as_str() {
                "csv" => output::write(path, roots.to_csv(&surface.scalp).as_bytes())?,
                _ => output::write(path, &roots.to_ply(&surface.scalp, encoding))?,
            }
        }
        if let Some(path) = &self.surface_output {
            output::write(path, &surface.scalp.to_ply(encoding))?;
        }
        Ok(())
    }
}

/// Points farther from the surface than this share of its diagonal are worth a warning: they
/// were not made on it, or rounded.
const OFF_SURFACE: f64 = 1e-4;
