//! `mohawk inspect`: the contents of a head file, and whether hair grows on it.

use super::output::{self, CommandResult};
use super::settings::HeadArgs;
use crate::numbers::grouped;
use mohawk::head::{Head, Part};
use serde::Serialize;

const EXAMPLES: &str = "\
Examples:
  mohawk inspect my-head.glb
  mohawk inspect my-head.glb --json | jq .scalp.area";

/// Show the contents of a head file: parts, paint, bounds, warnings
///
/// Counts, bounds and areas are those of the default scene after all node transforms, in the units
/// of the file.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct InspectArgs {
    #[command(flatten)]
    head: HeadArgs,
}

/// The contents of a head file.
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
    /// The scale of the head: decimetres of a standard head per unit of the file.
    /// The geometry that is taken for the head.
    head: String,
    licence: Option<String>,
    scale: f32,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct PartReport {
    name: String,
    triangles: usize,
    lines: usize,
    vertices: usize,
    /// The number of vertices with a density above 0.
    painted_vertices: usize,
    /// The attribute that holds the paint.
    paint: Option<String>,
    /// Why it is paint.
    paint_evidence: Option<String>,
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
    /// The number of triangles that are painted at all three corners.
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
        self.head.messages.start();
        let config = self.head.config()?;
        let head = self.head.source(&config).load()?;
        let inspection = Inspection::of(self.head.name(), &head);
        inspection.print(self.head.json)?;
        if let (false, Some(advice)) = (self.head.json, head.paint_advice()) {
            tracing::warn!("{}: {advice}", self.head.name());
        }
        Ok(())
    }
}

impl Inspection {
    fn of(file: String, head: &Head) -> Self {
        let texture = |index: usize| head.textures.get(index).map(|texture| texture.name.clone());
        let parts = head.parts.iter().map(|part| PartReport {
            name: part.name.clone(),
            triangles: part.triangles.len(),
            lines: part.lines.len(),
            vertices: part.positions.len(),
            painted_vertices: painted_vertices(part),
            paint: (part.paint.as_ref())
                .and_then(|paint| Some(paint.why.split(' ').next()?.to_owned())),
            paint_evidence: part.paint.as_ref().map(|paint| paint.why.clone()),
            material: head.materials[part.material].name.clone(),
        });
        let parts: Vec<PartReport> = parts.collect();
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
            head: head.extent.measured.clone(),
            licence: head.licence.clone(),
            scale: head.units.scale,
            warnings: head.warnings.clone(),
            parts,
        }
    }
}

impl CommandResult for Inspection {
    fn text(&self) -> String {
        let [low, high] =
            [self.bounds.min, self.bounds.max].map(|[x, y, z]| format!("({x:.4}, {y:.4}, {z:.4})"));
        let mut rows = format!(
            "triangles: {}\nvertices: {}\nbounds: {low} to {high} (units of the file)\n\
             head: {}\nscale: {} decimetres per unit\n",
            grouped(self.triangles),
            grouped(self.vertices),
            self.head,
            self.scale
        );
        for part in &self.parts {
            let paint = part
                .paint_evidence
                .as_ref()
                .map_or_else(String::new, |set| {
                    let painted = grouped(part.painted_vertices);
                    format!(", {painted} of them painted ({set})")
                });
            let vertices = grouped(part.vertices);
            let shape = match part.lines {
                0 => format!("{} triangles", grouped(part.triangles)),
                lines => format!("{} lines, drawn as hair", grouped(lines)),
            };
            let PartReport { name, material, .. } = part;
            rows += &format!(
                "part: {name:?}: {shape}, {vertices} vertices{paint}; \
                 material {material:?}\n"
            );
        }
        rows += &match &self.scalp {
            Some(scalp) => {
                let ScalpReport { part, area, .. } = scalp;
                let triangles = grouped(scalp.triangles);
                format!("scalp: on part {part:?}: {triangles} triangles, area {area:.6}\n")
            }
            None => "scalp: none: no hair grows here\n".to_owned(),
        };
        if let Some(licence) = &self.licence {
            rows += &format!("licence: {licence}\n");
        }
        for texture in &self.textures {
            let (name, width, height) = (&texture.name, texture.width, texture.height);
            rows += &format!("texture: {name:?}: {width} x {height}\n");
        }
        for warning in &self.warnings {
            rows += &format!("warning: {warning}\n");
        }
        format!("{}\n{}", self.file, output::table(&rows, []))
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
