//! `mohawk export`: the file of a head with its scalp paint as vertex colours.

use super::output::{self, CommandResult, file_parser};
use super::{messages::usage_error, settings::HeadArgs};
use crate::numbers::grouped;
use anyhow::anyhow;
use mohawk::head::{Head, Model, write};
use mohawk::{config::Config, style::Saved};
use serde::Serialize;
use std::{path::PathBuf, sync::Arc};
use tracing::warn;

const EXAMPLES: &str = "\
Examples:
  mohawk export --painted -o head.glb              The shipped head, to edit elsewhere
  mohawk export my-head.gltf --painted -o my-head.glb
                                                   One file of many: buffers and pictures inside
  mohawk export my-head.glb --painted -o my-head.glb --json
                                                   In place: the file is replaced when the new one is complete
  mohawk export fur.mohawk --painted -o fur.glb    A style's density map as the paint of its head

Everything else is kept: nodes, materials, pictures, animations, cameras, extras, unknown
extensions and chunks. Only the colours of the painted primitive are new: normalised 16-bit RGBA in
the set that held the paint (COLOR_n), or in the next free set of a head without paint. Bald skin
is white. If several nodes share that primitive, all of them are painted. Buffers and pictures that
cannot be read keep their URI, and a warning names them.";

/// Write a head file with its scalp paint as vertex colours
///
/// The result is a single .glb that needs no other file.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct ExportArgs {
    /// Write the scalp paint: hair density as a colour from white to head.paint_color
    #[arg(long, required = true, help_heading = "Output")]
    painted: bool,
    /// File to write: .glb; may be HEAD itself
    #[arg(short, long, value_name = "FILE", value_parser = file_parser(&["glb"]), help_heading = "Output")]
    output: PathBuf,

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
        let config = self.head.config()?;
        let name = self.head.name();
        let (head, model, painted) = self.read(&config)?;
        // The head file itself may be replaced, but not the files that it names.
        if let Some(input) = output::overwritten(&self.output, head.files.iter().skip(1)) {
            let input = input.display();
            let message = format!("--output would overwrite {input}, which {name} names");
            return Err(usage_error("export", message));
        }
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

    /// Reads the head, its origin, and its paint: the density map of a style, or its own.
    fn read(&self, config: &Config) -> anyhow::Result<(Arc<Head>, Model, Option<PartDensity>)> {
        let source = self.head.source(config);
        if source.preset.is_some() || source.path.is_some_and(Saved::is_named) {
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
