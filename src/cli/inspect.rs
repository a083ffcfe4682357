//! `mohawk inspect`: what a head file holds, and whether hair grows on it.

use super::data;
use super::pipeline;
use super::settings::HeadArgs;
use super::talk::Talk;
use crate::numbers::grouped;
use mohawk::head::{Head, Part};
use serde::Serialize;
use std::fmt::Write as _;

const EXAMPLES: &str = "\
Examples:
  mohawk inspect my-head.glb
  mohawk inspect my-head.glb --json | jq .scalp.area";

/// Say what a head file holds: parts, paint, bounds, warnings
///
/// Counts, bounds and areas are those of the default scene after all node transforms, in the
/// file's own units.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct InspectArgs {
    #[command(flatten)]
    head: HeadArgs,
    #[command(flatten)]
    talk: Talk,
}

/// What there is to say.
#[derive(Serialize)]
struct Inspection {
    file: String,
    triangles: usize,
    vertices: usize,
    parts: Vec<PartReport>,
    bounds: Bounds,
    scalp: Option<ScalpReport>,
    materials: Vec<MaterialReport>,
    textures: Vec<TextureReport>,
    /// Decimetres of a standard head per unit of the file.
    scale: f32,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct PartReport {
    name: String,
    triangles: usize,
    vertices: usize,
    /// Vertices of density above 0.
    painted_vertices: usize,
    /// The vertex colours that the paint was found in.
    paint: Option<String>,
    material: String,
}

#[derive(Serialize)]
struct Bounds {
    min: [f64; 3],
    max: [f64; 3],
}

#[derive(Serialize)]
struct ScalpReport {
    part: String,
    /// Painted at all three corners.
    triangles: usize,
    area: f64,
    painted_vertices: usize,
}

#[derive(Serialize)]
struct MaterialReport {
    name: String,
    base_color_texture: Option<String>,
}

#[derive(Serialize)]
struct TextureReport {
    name: String,
    width: u32,
    height: u32,
}

impl InspectArgs {
    pub fn run(self) -> anyhow::Result<()> {
        self.talk.start();
        let config = self.head.config()?;
        let head = pipeline::load(&config, self.head.path.as_deref(), self.talk)?;
        let inspection = Inspection::of(self.head.name(), &head);
        if self.talk.json {
            return data::print_json(&inspection);
        }
        data::print(&inspection.text())?;
        if let Some(advice) = head.paint_advice() {
            tracing::warn!("{}: {advice}", self.head.name());
        }
        Ok(())
    }
}

impl Inspection {
    fn of(file: String, head: &Head) -> Self {
        let texture = |index: usize| head.textures.get(index).map(|texture| texture.name.clone());
        let parts: Vec<PartReport> = head.parts.iter().map(|part| report(head, part)).collect();
        Inspection {
            file,
            triangles: parts.iter().map(|part| part.triangles).sum(),
            vertices: parts.iter().map(|part| part.vertices).sum(),
            bounds: Bounds {
                min: head.extent.low.to_array(),
                max: head.extent.high.to_array(),
            },
            scalp: scalp(head),
            materials: (head.materials.iter())
                .map(|material| MaterialReport {
                    name: material.name.clone(),
                    base_color_texture: material.base_color_texture.and_then(texture),
                })
                .collect(),
            textures: (head.textures.iter())
                .map(|texture| TextureReport {
                    name: texture.name.clone(),
                    width: texture.width,
                    height: texture.height,
                })
                .collect(),
            scale: head.units.scale,
            warnings: head.warnings.clone(),
            parts,
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        _ = writeln!(text, "{}", self.file);
        let mut row = |name: &str, value: String| _ = writeln!(text, "  {name:<11}{value}");
        row("triangles", grouped(self.triangles));
        row("vertices", grouped(self.vertices));
        let [low, high] = [self.bounds.min, self.bounds.max].map(point);
        row("bounds", format!("{low} to {high} (the file's units)"));
        row("scale", format!("{} decimetres per unit", self.scale));
        for part in &self.parts {
            let paint = match &part.paint {
                Some(set) => format!(
                    ", {} of them painted ({set})",
                    grouped(part.painted_vertices)
                ),
                None => String::new(),
            };
            row(
                "part",
                format!(
                    "{:?}: {} triangles, {} vertices{paint}; material {:?}",
                    part.name,
                    grouped(part.triangles),
                    grouped(part.vertices),
                    part.material,
                ),
            );
        }
        match &self.scalp {
            Some(scalp) => row(
                "scalp",
                format!(
                    "on part {:?}: {} triangles, area {:.6}",
                    scalp.part,
                    grouped(scalp.triangles),
                    scalp.area,
                ),
            ),
            None => row("scalp", "none: no hair grows here".to_owned()),
        }
        for texture in &self.textures {
            let TextureReport {
                name,
                width,
                height,
            } = texture;
            row("texture", format!("{name:?}: {width} x {height}"));
        }
        for warning in &self.warnings {
            row("warning", warning.clone());
        }
        text
    }
}

fn report(head: &Head, part: &Part) -> PartReport {
    PartReport {
        name: part.name.clone(),
        triangles: part.triangles.len(),
        vertices: part.positions.len(),
        painted_vertices: painted_vertices(part),
        paint: part
            .paint
            .as_ref()
            .map(|paint| format!("COLOR_{}", paint.set)),
        material: head.materials[part.material].name.clone(),
    }
}

fn painted_vertices(part: &Part) -> usize {
    let density = part.paint.iter().flat_map(|paint| &paint.density);
    density.filter(|&&density| density > 0.0).count()
}

fn scalp(head: &Head) -> Option<ScalpReport> {
    let part = &head.parts[head.scalp_part?];
    let paint = part.paint.as_ref()?;
    let painted = |&corner: &u32| paint.density[corner as usize] > 0.0;
    let triangles = part.triangles.iter();
    let triangles = triangles.filter(|corners| corners.iter().all(painted));
    Some(ScalpReport {
        part: part.name.clone(),
        triangles: triangles.count(),
        area: head.extent.scalp_area,
        painted_vertices: painted_vertices(part),
    })
}

fn point([x, y, z]: [f64; 3]) -> String {
    format!("({x:.4}, {y:.4}, {z:.4})")
}
