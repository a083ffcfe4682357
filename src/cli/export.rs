//! `mohawk export`: the file of a head with its scalp paint as vertex colours, or the hair as strands.

use super::convert::{Shaping, strands_file};
use super::output::{self, CommandResult, extension};
use super::{
    messages::usage_error,
    settings::{HairArgs, HeadArgs},
};
use crate::numbers::grouped;
use anyhow::anyhow;
use mohawk::config::Config;
use mohawk::head::{Head, Model, write};
use mohawk::strands::Strands;
use serde::Serialize;
use std::{path::PathBuf, sync::Arc};
use tracing::warn;

const EXAMPLES: &str = "\
Examples:
  mohawk export --painted -o head.glb              The shipped head, to edit elsewhere
  mohawk export my-head.gltf --painted -o my-head.glb
                                                   One file of many: buffers and pictures inside
  mohawk export my-head.glb --painted -o my-head.glb --json
                                                   In place: replaced when it is complete
  mohawk export fur.mohawk --painted -o fur.glb    A style's density map as the paint of its head
  mohawk export --preset bob --hair -o bob.usdc    Hair as curves, where the model has it
  mohawk export --preset bob --hair -o bob.glb --mesh cards
                                                   Hair as cards with a texture, for games
  mohawk export fur.mohawk --hair -o fur.hair --points 8

--hair writes the strands at rest with widths and colours, in the units and axes of the model, so
that they lie on it in another program; for FBX in metres with Y up. `mohawk simulate` writes them
in motion. Strands that the settings sim.guides choose are marked as guides.

With --painted, everything else is kept: nodes, materials, pictures, animations, cameras, extras,
unknown extensions and chunks. Only the colours of the painted primitive are new: normalised 16-bit
RGBA in the set that held the paint (COLOR_n), or in the next free set of a head without paint. Bald
skin is white. If several nodes share that primitive, all of them are painted. Buffers and pictures
that cannot be read keep their URI, and a warning names them.";

/// Write a head with its scalp paint as vertex colours, or its hair as strands
///
/// With --painted, the result is a single .glb that needs no other file. With --hair, it is a file of
/// strands for other programs.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, group = clap::ArgGroup::new("content").required(true))]
pub struct ExportArgs {
    /// Write the scalp paint: hair density as a colour from white to black
    #[arg(long, group = "content", help_heading = "Output")]
    painted: bool,
    /// Write the hair as strands, in a format of `mohawk convert`
    #[arg(long, group = "content", help_heading = "Output")]
    hair: bool,
    /// File to write; with --painted: .glb, may be HEAD itself
    #[arg(short, long, value_name = "FILE", value_parser = strands_file, help_heading = "Output")]
    output: PathBuf,
    #[command(flatten)]
    shaping: Shaping,

    #[command(flatten)]
    settings: HairArgs,

    #[command(flatten)]
    head: HeadArgs,
}

/// The file that was written.
#[derive(Serialize)]
struct Exported {
    file: String,
    output: PathBuf,
    bytes: usize,
    /// The name of the painted part.
    part: String,
    vertices: usize,
    painted_vertices: usize,
    /// The set of vertex colours that holds the paint.
    paint: String,
    warnings: Vec<String>,
}

/// The number of a part, and the hair density at each of its vertices.
type PartDensity = (usize, Vec<f32>);

impl ExportArgs {
    pub fn run(self) -> anyhow::Result<()> {
        self.head.messages.start();
        output::check_folder(&self.output)?;
        let mut config = self.head.config()?;
        self.settings.override_in(&mut config)?;
        if self.hair {
            self.shaping.mesh.check("export", Some(&self.output))?;
            return self.write_hair(&config);
        }
        if extension(&self.output) != "glb" {
            let message = "--painted writes glTF: name the file .glb";
            return Err(usage_error("export", message));
        }
        if self.shaping.is_any() {
            let message = "--points, --mesh, --cards and --guides are for strands: give --hair";
            return Err(usage_error("export", message));
        }
        let name = self.head.name();
        let (head, model, painted) = self.read(&config)?;
        // The head file itself may be replaced, but not the files that it names.
        output::check("export", &self.output, head.files.iter().skip(1))?;
        let (part, density) = painted.ok_or_else(|| {
            let advice = head.paint_advice().unwrap_or_default();
            anyhow!("{name}: {advice}")
        })?;
        let painted = write::painted(&model, &head, part, &density, &config.head)?;
        output::write(&self.output, &painted.glb)?;
        for warning in &painted.warnings {
            warn!("{name}: {warning}");
        }
        let exported = Exported {
            file: name,
            output: self.output,
            bytes: painted.glb.len(),
            part: head.parts[part].name.clone(),
            vertices: density.len(),
            painted_vertices: painted.vertices,
            paint: format!("COLOR_{}", painted.set),
            warnings: painted.warnings,
        };
        exported.print(self.head.json)
    }

    /// Writes the hair at rest.
    fn write_hair(self, config: &Config) -> anyhow::Result<()> {
        output::check("export", &self.output, self.head.inputs())?;
        let (head, styler) = self.head.source(config).grow(false)?;
        output::check("export", &self.output, &head.files)?;
        let name = self.head.name();
        let styler =
            styler.ok_or_else(|| anyhow!("{name}: {}", head.paint_advice().unwrap_or_default()))?;
        let strands = Strands::for_file(styler.groom(), config, Some(&head.units), None);
        let written = self
            .shaping
            .save(&name, strands, None, &self.output, self.head.messages)?;
        written.print(self.head.json)
    }

    /// Reads the head, its origin, and its paint: the density map of a style, or its own.
    fn read(&self, config: &Config) -> anyhow::Result<(Arc<Head>, Model, Option<PartDensity>)> {
        let source = self.head.source(config);
        if source.preset.is_some() || source.is_style {
            let (styler, model, _) = source.styled(false)?;
            let head = styler.head().clone();
            let part = styler.follicles().part();
            let map = styler.vertex_density().map(|density| (part, density));
            let painted = map.or_else(|| own_paint(&head));
            return Ok((head, model, painted));
        }
        let (saved, head) = source.open()?;
        let painted = own_paint(&head);
        Ok((head, saved.model, painted))
    }
}

/// Returns the paint of the head file.
fn own_paint(head: &Head) -> Option<PartDensity> {
    let part = head.scalp_part?;
    let density = head.parts.get(part)?.paint.as_ref()?.density.clone();
    Some((part, density))
}

impl CommandResult for Exported {
    fn text(&self) -> String {
        let [bytes, painted, vertices] =
            [self.bytes, self.painted_vertices, self.vertices].map(grouped);
        let (output, part, paint) = (self.output.display(), &self.part, &self.paint);
        format!(
            "{output}: {bytes} bytes; {painted} of {vertices} vertices of part {part:?} painted \
             ({paint})\n"
        )
    }
}
