//! `mohawk inspect`: the contents of a head file, and what it lacks for hair.

mod checks;

use self::checks::Check;
use super::output::{self, CommandResult};
use super::settings::HeadArgs;
use crate::numbers::{grouped, plural};
use mohawk::head::{Head, HeadSettings, MorphTargets, Part, Skin};
use serde::Serialize;

const EXAMPLES: &str = "\
Examples:
  mohawk inspect my-head.glb
  mohawk inspect my-head.glb --json | jq '.checks[] | select(.state == \"missing\")'";

/// Check a head file: what it has, what it lacks, how to mend it
///
/// Counts and bounds are those of the default scene after all node transforms, in the units of the
/// file, and so is the area of the scalp in --json. The checklist has it in dm² of a standard head.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct InspectArgs {
    #[command(flatten)]
    head: HeadArgs,
}

/// Rows of a kind that the text has.
const MOST_ROWS: usize = 16;

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
    skins: Vec<Skin>,
    morph_targets: Vec<MorphTargets>,
    animations: Vec<AnimationReport>,
    /// The geometry that is taken for the head.
    head: String,
    licence: Option<String>,
    /// The scale of the head: decimetres of a standard head per unit of the file.
    scale: f32,
    checks: Vec<Check>,
    warnings: Vec<String>,
    /// The warnings that no check repeats.
    #[serde(skip)]
    other_warnings: Vec<String>,
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

#[derive(Serialize)]
struct AnimationReport {
    /// The index in the file.
    number: usize,
    name: String,
    seconds: f64,
}

impl InspectArgs {
    pub fn run(self) -> anyhow::Result<()> {
        self.head.messages.start();
        let config = self.head.config()?;
        let head = self.head.source(&config).load()?;
        let inspection = Inspection::of(self.head.name(), &head, &config.head);
        inspection.print(self.head.json)
    }
}

impl Inspection {
    fn of(file: String, head: &Head, settings: &HeadSettings) -> Self {
        let texture = |index: usize| head.textures.get(index).map(|texture| texture.name.clone());
        let parts = head.parts.iter().map(|part| PartReport {
            name: part.name.clone(),
            triangles: part.triangles.len(),
            lines: part.lines.len(),
            vertices: part.positions.len(),
            painted_vertices: painted_vertices(part),
            paint: (part.paint.as_ref())
                .and_then(|paint| paint.why.split(' ').next())
                .filter(|word| word.starts_with("COLOR_") || word.starts_with('_'))
                .map(ToOwned::to_owned),
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
            skins: head.contents.skins.clone(),
            morph_targets: head.contents.morphs.clone(),
            animations: (head.rig.iter())
                .flat_map(|rig| rig.animations())
                .map(|animation| AnimationReport {
                    number: animation.number,
                    name: animation.name.clone(),
                    seconds: animation.duration_secs,
                })
                .collect(),
            head: head.extent.measured.clone(),
            licence: head.licence.clone(),
            scale: head.units.scale,
            checks: checks::of(head, settings),
            warnings: head.warnings.clone(),
            other_warnings: (head.warnings.iter())
                .filter(|warning| !head.contents.told.iter().any(|(_, told)| told == *warning))
                .cloned()
                .collect(),
            parts,
        }
    }
}

impl CommandResult for Inspection {
    fn text(&self) -> String {
        let [low, high] =
            [self.bounds.min, self.bounds.max].map(|[x, y, z]| format!("({x:.4}, {y:.4}, {z:.4})"));
        let mut text = format!("{}\n", self.file);
        let mut row = |name: &str, value: &str| {
            text += &output::wrapped(&format!("  {name:<11}"), value);
        };
        row("triangles", &grouped(self.triangles));
        row("vertices", &grouped(self.vertices));
        row("bounds", &format!("{low} to {high}"));
        let parts = self.parts.iter().map(PartReport::text);
        for (name, values) in [
            ("part", parts.collect::<Vec<_>>()),
            ("warning", self.other_warnings.clone()),
        ] {
            let shown = values.iter().take(MOST_ROWS);
            shown.for_each(|value| row(name, value));
            if let Some(rest) = values.len().checked_sub(MOST_ROWS + 1) {
                row("", &format!("and {} more (--json lists them)", rest + 1));
            }
        }
        text += "checklist\n";
        let names = self.checks.iter().map(|check| check.check.len());
        let width = names.max().unwrap_or(0);
        for check in &self.checks {
            let (state, name) = (check.state.name(), check.check);
            let start = format!("  {state:<9}{name:<width$}  ");
            text += &output::wrapped(&start, &check.found);
            if let Some(advice) = &check.advice {
                text += &output::wrapped(&format!("  {:<9}", ""), advice);
            }
        }
        text
    }
}

impl PartReport {
    fn text(&self) -> String {
        let shape = match self.lines {
            0 => plural(self.triangles, "triangle"),
            lines => format!("{}, drawn as hair", plural(lines, "line")),
        };
        let vertices = grouped(self.vertices);
        let painted = match self.painted_vertices {
            0 => String::new(),
            painted => format!(", {} of {vertices} vertices painted", grouped(painted)),
        };
        let PartReport { name, material, .. } = self;
        format!("{name:?}: {shape}{painted}; material {material:?}")
    }
}

fn painted_vertices(part: &Part) -> usize {
    let density = part.paint.iter().flat_map(|paint| &paint.density);
    density.filter(|&&density| density > 0.0).count()
}

/// Returns the number of triangles that are painted at all corners.
fn painted_triangles(part: &Part) -> Option<usize> {
    let density = &part.paint.as_ref()?.density;
    let painted = |&corner: &u32| density[corner as usize] > 0.0;
    let triangles = part.triangles.iter();
    Some(
        triangles
            .filter(|corners| corners.iter().all(painted))
            .count(),
    )
}

fn scalp(head: &Head) -> Option<ScalpReport> {
    let part = &head.parts[head.scalp_part?];
    Some(ScalpReport {
        part: part.name.clone(),
        triangles: painted_triangles(part)?,
        area: head.extent.scalp_area,
        painted_vertices: painted_vertices(part),
    })
}
