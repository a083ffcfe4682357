//! `mohawk export`: a head's own file, with what was made of it here.

use super::settings::HeadArgs;
use super::talk::Talk;
use super::{data, pipeline, usage_error};
use crate::numbers::grouped;
use anyhow::anyhow;
use mohawk::config::Config;
use mohawk::head::Head;
use mohawk::head::write;
use mohawk::head::write::{HeadFile, Painted};
use mohawk::style::{Model, Saved};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use tracing::warn;

const EXAMPLES: &str = "\
Examples:
  mohawk export --painted -o head.glb              The shipped head, to edit elsewhere
  mohawk export my-head.gltf --painted -o my-head.glb
                                                   One file of many: buffers and pictures inside
  mohawk export my-head.glb --painted -o my-head.glb --json
                                                   In place: the file is whole at every moment
  mohawk export fur.mohawk --painted -o fur.glb    A style's density map as the paint of its head

What is kept: everything. Nodes, materials, pictures, animations, cameras, extras, extensions that
are not known here, chunks of other kinds. Only the colours of the painted primitive are new:
normalised 16-bit RGBA in the set they were in (COLOR_n; of a head that had none the next free set),
white where it is bald. If several nodes show that primitive, all of them are painted. Buffers and
pictures that cannot be had keep their URI, and a warning tells which.";

/// Write a head file with its scalp paint as vertex colours, all else kept
///
/// The result is one .glb that stands alone, whatever files the head was read from.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct ExportArgs {
    /// Write the scalp paint: hair density as a colour between white and head.paint_color
    #[arg(long, required = true, help_heading = "Output")]
    painted: bool,
    /// The file to write: .glb; may be HEAD itself
    #[arg(short, long, value_name = "FILE", value_parser = glb_file, help_heading = "Output")]
    output: PathBuf,

    #[command(flatten)]
    head: HeadArgs,
    #[command(flatten)]
    talk: Talk,
}

/// What was written.
#[derive(Serialize)]
struct Exported {
    file: String,
    output: PathBuf,
    bytes: usize,
    /// The part that is painted.
    part: String,
    vertices: usize,
    painted_vertices: usize,
    /// The vertex colours that carry the paint.
    paint: String,
    warnings: Vec<String>,
}

/// Hair density for each vertex of a part.
struct Paintwork {
    part: usize,
    density: Vec<f32>,
}

impl ExportArgs {
    pub fn run(self) -> anyhow::Result<()> {
        self.talk.start();
        data::check_folder(&self.output)?;
        let config = self.head.config()?;
        let name = self.head.name();
        let (head, model, paintwork) = self.read(&config)?;
        // The head itself is read before it is written; what it names is not in one file yet.
        if let Some(input) = data::overwritten(&self.output, head.files.iter().skip(1)) {
            let input = input.display();
            let message = format!("--output would overwrite {input}, which {name} names");
            return Err(usage_error("export", message));
        }
        let paintwork = paintwork.ok_or_else(|| {
            let advice = head.paint_advice().unwrap_or_default();
            anyhow!("{name}: {advice}")
        })?;
        let exported = self.write(&head, &model, &paintwork, &config)?;
        if self.talk.json {
            data::print_json(&exported)
        } else {
            data::print(&exported.text())
        }
    }

    /// The head, where it is from, and its paint: a style's density map, or its own.
    fn read(&self, config: &Config) -> anyhow::Result<(Arc<Head>, Model, Option<Paintwork>)> {
        let path = self.head.path.as_deref();
        if path.is_some_and(Saved::is_named) {
            let pipeline::Styled { styler, model } =
                pipeline::styled(config, path, false, self.talk)?;
            let head = styler.shared_head();
            let density = styler.vertex_density();
            let part = styler.follicles().part();
            let painted = density.map(|density| Paintwork { part, density });
            let paintwork = painted.or_else(|| own_paint(&head));
            return Ok((head, model, paintwork));
        }
        let head = pipeline::load(config, path, self.talk)?;
        pipeline::warn_of(&head, &self.head.name());
        let model = path.map_or(Model::Shipped, |path| Model::File(path.to_owned()));
        let paintwork = own_paint(&head);
        Ok((Arc::new(head), model, paintwork))
    }

    /// Writes the head with this paint.
    fn write(
        &self,
        head: &Head,
        model: &Model,
        Paintwork { part, density }: &Paintwork,
        config: &Config,
    ) -> anyhow::Result<Exported> {
        let file = match model {
            Model::File(path) => HeadFile::Path(path),
            Model::Shipped => HeadFile::shipped(),
            Model::Embedded(bytes) => HeadFile::Bytes {
                name: "model.glb",
                bytes,
            },
        };
        let painted = write::painted(file, head, *part, density, &config.head)?;
        let Painted {
            glb,
            set,
            vertices,
            warnings,
        } = painted;
        data::write(&self.output, &glb)?;
        let file = self.head.name();
        for warning in &warnings {
            warn!("{file}: {warning}");
        }
        Ok(Exported {
            file,
            output: self.output.clone(),
            bytes: glb.len(),
            part: head
                .parts
                .get(*part)
                .map_or_else(String::new, |part| part.name.clone()),
            vertices: density.len(),
            painted_vertices: vertices,
            paint: format!("COLOR_{set}"),
            warnings,
        })
    }
}

/// The paint that the head came with.
fn own_paint(head: &Head) -> Option<Paintwork> {
    let part = head.scalp_part?;
    let density = head.parts.get(part)?.paint.as_ref()?.density.clone();
    Some(Paintwork { part, density })
}

impl Exported {
    fn text(&self) -> String {
        format!(
            "{}: {} bytes; {} of {} vertices of part {:?} painted ({})\n",
            self.output.display(),
            grouped(self.bytes),
            grouped(self.painted_vertices),
            grouped(self.vertices),
            self.part,
            self.paint
        )
    }
}

fn glb_file(text: &str) -> Result<PathBuf, String> {
    data::known(text, &["glb"])
}
