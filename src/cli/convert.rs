//! `mohawk convert`: strands from one file to another.

use super::messages::{Messages, usage_error};
use super::output::{self, CommandResult, table};
use super::settings::{LimitArgs, choice};
use crate::numbers::grouped;
use anyhow::bail;
use mohawk::strands::{Form, Format, Motion, Shape, Strands, StrandsFile};
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};
use tracing::warn;

const EXAMPLES: &str = "\
Examples:
  mohawk convert straight.hair -o straight.usda    For Blender, Houdini, Unreal
  mohawk convert ponytail.tfx -o ponytail.npz      For numpy.load
  mohawk convert strands.data -o strands.tfx --points 16
                                                   TressFX wants equal numbers of points
  mohawk convert groom.hair -o guides.obj --guides Guides alone
  mohawk convert motion.abc -o motion.usdc         All frames of a motion
  mohawk convert motion.abc -o pose.hair --frame 24
                                                   One frame
  mohawk convert groom.hair -o cards.glb --mesh cards --cards 400 --texture 4096
                                                   Cards with a texture, for games
  mohawk convert groom.hair --json                 What is in a file, without writing

Positions, widths, opacities, colours, texture coordinates of roots, guides, motion, units and axes
are kept where the format of OUTPUT can hold them; a warning lists what is lost. Numbers keep their
bits. The formats are told by content or extension.";

/// Convert strands from one file format to another
///
/// Reads and writes the strands of other programs. `mohawk export --hair` writes the hair of a style,
/// and `mohawk simulate` hair in motion.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct ConvertArgs {
    /// File of strands
    #[arg(value_name = "INPUT")]
    input: PathBuf,
    /// File to write; its extension tells the format
    #[arg(short, long, value_name = "OUTPUT", value_parser = strands_file, help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    shaping: Shaping,
    /// Write one frame of a motion; the first is 0 [default: all, or the first where OUTPUT holds one]
    #[arg(long, value_name = "N", help_heading = "Output")]
    frame: Option<usize>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Write the result to stdout as JSON
    #[arg(long, help_heading = "Messages")]
    json: bool,
    #[command(flatten)]
    messages: Messages,
}

/// The strands of a file that is written.
#[derive(Debug, clap::Args)]
pub struct Shaping {
    /// Points per strand, evenly spaced [default: as they are]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1024), help_heading = "Output")]
    pub points: Option<u32>,
    #[command(flatten)]
    pub mesh: MeshArgs,
    /// Write guide strands alone
    #[arg(long, help_heading = "Output")]
    guides: bool,
}

/// The form of strands in a file of meshes.
#[derive(Debug, clap::Args)]
pub struct MeshArgs {
    /// The form of a strand in glTF (.glb)
    #[arg(long, value_name = "SHAPE", value_parser = choice::<Shape>(), default_value_t = Shape::Lines, help_heading = "Output")]
    mesh: Shape,
    /// Number of cards of --mesh cards [default: a thirtieth of the strands, at most 4000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000), help_heading = "Output")]
    cards: Option<u32>,
    /// Side of the texture of --mesh cards, in texels, 64 to 8192 [default: 2048]
    #[arg(long, value_name = "PX", value_parser = clap::value_parser!(u32).range(64..=8192), help_heading = "Output")]
    texture: Option<u32>,
}

impl MeshArgs {
    /// Checks that they go together, and with the file that is written.
    pub fn check(&self, command: &'static str, output: Option<&Path>) -> anyhow::Result<()> {
        let is_gltf = output.is_some_and(|path| Format::of_path(path) == Some(Format::Gltf));
        let problem = if self.cards.is_some() && self.mesh != Shape::Cards {
            "--cards is the number of cards of --mesh cards: give that too"
        } else if self.texture.is_some() && self.mesh != Shape::Cards {
            "--texture is the side of the texture of --mesh cards: give that too"
        } else if self.mesh != Shape::Lines && !is_gltf {
            "--mesh is the form of strands in glTF: name an output .glb, or leave it out"
        } else {
            return Ok(());
        };
        Err(usage_error(command, problem))
    }

    pub fn form(&self) -> Form {
        Form {
            shape: self.mesh,
            cards: self.cards,
            texture: self.texture.unwrap_or(Form::TEXTURE),
        }
    }
}

impl Shaping {
    /// Returns `true` if there are any.
    pub fn is_any(&self) -> bool {
        let MeshArgs {
            mesh,
            cards,
            texture,
        } = self.mesh;
        let is_mesh = cards.is_some() || texture.is_some() || mesh != Shape::Lines;
        self.points.is_some() || self.guides || is_mesh
    }

    /// Returns the strands as they are to be written.
    fn of(&self, mut strands: Strands) -> anyhow::Result<Strands> {
        if self.guides {
            if !strands.guides.contains(&true) {
                bail!("no strand is marked as a guide, so --guides would write nothing");
            }
            strands = strands.subset(|strand| strands.guides[strand]);
        }
        Ok(match self.points {
            Some(points) => strands.resampled(points),
            None => strands,
        })
    }

    /// Writes strands of a source of this name, in motion as a file has them, and returns what was
    /// written.
    pub fn save(
        &self,
        source: &str,
        strands: Strands,
        moving: Option<&StrandsFile>,
        output: &Path,
        messages: Messages,
    ) -> anyhow::Result<WrittenStrands> {
        let strands = self.of(strands)?;
        let (form, format) = (self.mesh.form(), Format::of_path(output));
        let mut lost = format.map_or(Vec::new(), |format| format.losses(&strands, form.shape));
        let moving = moving.filter(|file| file.frames > 1);
        if moving.is_some() && !format.is_some_and(Format::has_motion) {
            lost.push("its motion");
        }
        let moving = moving.filter(|_| format.is_some_and(Format::has_motion));
        let bar = messages.progress("frames", moving.map_or(1, |file| file.frames as u64));
        let mut frame = |nth: usize, points: &mut [[f32; 3]]| {
            let frame = moving.map(|file| file.frame(nth)).transpose();
            let frame = frame.map_err(io::Error::other)?.unwrap_or_default();
            let frame = self.of(frame).map_err(io::Error::other)?;
            if frame.counts != strands.counts {
                let problem =
                    format!("frame {nth} has other strands than the first: choose one by --frame");
                return Err(io::Error::other(problem));
            }
            points.copy_from_slice(&frame.points);
            bar.inc(1);
            Ok(())
        };
        let motion = moving.map(|file| Motion {
            fps: file.fps,
            frames: file.frames,
            frame: &mut frame,
        });
        let written = strands.save(output, form, motion);
        bar.finish_and_clear();
        written?;
        if !lost.is_empty() {
            let lost = lost.join(", ");
            warn!("{}: the format does not keep {lost}", output.display());
        }
        let mut told = WrittenStrands::of(source, &strands, moving);
        (told.output, told.lost) = (Some(output.to_owned()), lost);
        Ok(told)
    }
}

/// Checks that a file has the extension of a format of strands.
pub fn strands_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match Format::of_path(&path) {
        Some(_) => Ok(path),
        None => Err(format!("its name must end in {}", Format::names())),
    }
}

/// Strands that were read, and the file that was written.
#[derive(Serialize)]
pub struct WrittenStrands {
    /// The file or head that they are of.
    source: String,
    strands: usize,
    points: usize,
    /// The fewest and the most points of a strand.
    points_per_strand: [u32; 2],
    /// The corners of the box around all points.
    bounds: [[f32; 3]; 2],
    widths: bool,
    opacities: bool,
    colors: bool,
    root_uvs: bool,
    /// The number of guides.
    guides: usize,
    frames: usize,
    /// The frames per second of a motion.
    fps: Option<f64>,
    up: Option<&'static str>,
    unit_metres: Option<f64>,
    output: Option<PathBuf>,
    /// The values that the format of the file does not keep.
    lost: Vec<&'static str>,
    warnings: Vec<String>,
}

impl ConvertArgs {
    pub fn run(self) -> anyhow::Result<()> {
        self.messages.start();
        if let Some(output) = &self.output {
            output::check("convert", output, [&self.input])?;
        }
        let mesh = &self.shaping.mesh;
        mesh.check("convert", self.output.as_deref())?;
        let spinner = self.messages.spinner("reading");
        let read = StrandsFile::open(&self.input, &self.limits.limits());
        spinner.finish_and_clear();
        let (file, (mut strands, warnings)) = read?;
        let name = self.input.display().to_string();
        if let Some(frame) = self.frame {
            strands = file.frame(frame)?;
        }
        let moving = Some(&file).filter(|_| self.frame.is_none());
        warnings
            .iter()
            .for_each(|warning| warn!("{name}: {warning}"));
        let mut told = match &self.output {
            None => WrittenStrands::of(&name, &self.shaping.of(strands)?, moving),
            Some(output) => (self.shaping).save(&name, strands, moving, output, self.messages)?,
        };
        told.warnings = warnings;
        told.print(self.json)
    }
}

impl WrittenStrands {
    fn of(source: &str, strands: &Strands, moving: Option<&StrandsFile>) -> Self {
        let counts = || strands.counts.iter().copied();
        Self {
            source: source.to_owned(),
            strands: strands.len(),
            points: strands.points.len(),
            points_per_strand: [counts().min(), counts().max()].map(Option::unwrap_or_default),
            bounds: strands.bounds(),
            widths: !strands.widths.is_none(),
            opacities: !strands.opacities.is_none(),
            colors: !strands.colors.is_none(),
            root_uvs: !strands.root_uvs.is_empty(),
            guides: strands.guides.iter().filter(|&&guide| guide).count(),
            frames: moving.map_or(1, |file| file.frames),
            fps: moving.filter(|file| file.frames > 1).map(|file| file.fps),
            up: strands.up.map(|up| up.name()),
            unit_metres: strands.unit_metres,
            output: None,
            lost: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

impl CommandResult for WrittenStrands {
    fn text(&self) -> String {
        let [least, most] = self.points_per_strand;
        let per = match least == most {
            true => format!("{least}"),
            false => format!("{least} to {most}"),
        };
        let [low, high] = self.bounds;
        let size: Vec<String> = low
            .iter()
            .zip(high)
            .map(|(low, high)| format!("{}", high - low))
            .collect();
        let has = [
            ("widths", self.widths),
            ("opacities", self.opacities),
            ("colours", self.colors),
            ("texture coordinates", self.root_uvs),
            ("guides", self.guides > 0),
        ];
        let has: Vec<&str> = has
            .iter()
            .filter(|(_, has)| *has)
            .map(|(name, _)| *name)
            .collect();
        let mut rows = format!(
            "strands: {} of {per} points\nsize: {}\n",
            grouped(self.strands),
            size.join(" x "),
        );
        if let Some(fps) = self.fps {
            rows += &format!("frames: {} at {fps} a second\n", self.frames);
        }
        if !has.is_empty() {
            rows += &format!("with: {}\n", has.join(", "));
        }
        table(&rows, &self.output)
    }
}
