//! The surface to sample: the painted scalp of a head, or a plain mesh.

use crate::cli::messages::Messages;
use crate::cli::pipeline;
use crate::cli::settings::HeadArgs;
use anyhow::Context;
use mohawk::config::Config;
use mohawk::scalp::Scalp;
use std::path::Path;

pub struct Surface {
    pub scalp: Scalp,
    /// The name in messages: its path as it was typed.
    pub name: String,
    /// The unit of lengths, after a blank; empty for a plain mesh, whose unit is unknown.
    pub unit: &'static str,
}

pub fn load(
    mesh: Option<&Path>,
    head: &HeadArgs,
    config: &Config,
    messages: Messages,
) -> anyhow::Result<Surface> {
    if let Some(path) = mesh {
        let spinner = messages.spinner("loading the surface");
        let scalp = Scalp::from_mesh_file(path);
        spinner.finish_and_clear();
        return Ok(Surface {
            scalp: scalp?,
            name: path.display().to_string(),
            unit: "",
        });
    }
    let name = head.name();
    let head = pipeline::load(config, head.path.as_deref(), messages)?;
    pipeline::log_warnings(&head, &name);
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
