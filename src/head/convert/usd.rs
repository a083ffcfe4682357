//! USD, as text, binary or package (`.usda`, `.usdc`, `.usdz`): the meshes of the stage, in metres and
//! with Y up; skins in their bind pose. References within the file and the variants that are chosen are
//! followed.

mod binary;
mod clock;
mod cursor;
mod curves;
mod layer;
mod material;
mod mesh;
mod package;
mod packed;
mod paths;
mod prims;
mod text;
mod values;
mod xform;

use super::builder::Builder;
use super::{Kinds, broken};
use crate::head::error::{LoadErrorKind, Result, quoted};
use crate::head::limits::Budget;
use crate::head::units::{NativeUnits, Up};
use binary::Crate;
pub use clock::Clock;
use glam::DMat4;
use layer::{Layer, ROOT};
use material::Materials;
use package::Package;
use std::borrow::Cow;
use std::collections::HashMap;

/// Bytes that may be read for each byte of indices that are made of them.
const MOST_READ: u64 = 64;

/// The purpose of the memory that is taken.
const WHAT: &str = "its USD";

/// The first bytes of a layer, as text or binary.
pub const STARTS: [&[u8]; 2] = [b"#usda", binary::MAGIC];

fn refused(problem: impl std::fmt::Display) -> LoadErrorKind {
    broken("USD", problem)
}

/// Returns `true` if a file is a package of USD.
pub fn is_package(bytes: &[u8]) -> bool {
    let first = package::entries(bytes).next();
    first.is_some_and(|(_, content)| STARTS.iter().any(|start| content.starts_with(start)))
}

/// Adds every mesh of the stage that is shown.
pub fn convert(bytes: &[u8], builder: &mut Builder) -> Result<()> {
    convert_all(bytes, (Wanted::Meshes, None), builder)?;
    Ok(())
}

/// Adds every curve of the stage that is shown, at a time, and returns the times that there are.
pub fn convert_curves(bytes: &[u8], time: Option<f64>, builder: &mut Builder) -> Result<Clock> {
    convert_all(bytes, (Wanted::Curves, time), builder)
}

/// Returns the kinds of geometry that the stage shows.
pub fn kinds(bytes: &[u8], budget: &Budget) -> Result<Kinds> {
    let mut builder = Builder::new(budget, None);
    with_layer(bytes, None, budget, |layer, package, name| {
        let mut stage = Stage::new(layer, package, name, &mut builder);
        stage.add(Wanted::Nothing)?;
        Ok(stage.seen)
    })
}

fn convert_all(
    bytes: &[u8],
    (wanted, time): (Wanted, Option<f64>),
    builder: &mut Builder,
) -> Result<Clock> {
    let budget = builder.budget;
    with_layer(bytes, time, budget, |layer, package, name| {
        Stage::new(layer, package, name, builder).add(wanted)?;
        Ok(layer.clock.clone())
    })
}

/// Calls `take` with the layer of a file at a time, its package, and its name in that.
fn with_layer<T>(
    bytes: &[u8],
    time: Option<f64>,
    budget: &Budget,
    take: impl FnOnce(&Layer, &Package, &str) -> Result<T>,
) -> Result<T> {
    let package = Package::open(bytes, budget)?;
    let (name, content) = package.first(bytes);
    if content.starts_with(binary::MAGIC) {
        let tables = Crate::read(content, budget)?;
        return take(&tables.layer(time, budget)?, &package, name);
    }
    let text = match std::str::from_utf8(content) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            let each = 2 * "\u{fffd}".len() as u64;
            budget.take(content.len() as u64, each, WHAT)?;
            String::from_utf8_lossy(content)
        }
    };
    take(&text::layer(&text, time, budget)?, &package, name)
}

/// The kind of prims of a stage that are added.
#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    Meshes,
    Curves,
    /// They are looked for.
    Nothing,
}

/// The stage under construction.
struct Stage<'s, 'b, 'a> {
    layer: &'s Layer<'a>,
    builder: &'s mut Builder<'b>,
    materials: Materials<'s>,
    /// The meshes of prims with the materials of their parents, as indices in the new file.
    meshes: HashMap<(u32, Option<u32>), Option<usize>>,
    /// The kinds of the prims that are shown.
    seen: Kinds,
}

/// A prim that is to be shown, with what it has of its parents.
#[derive(Clone, Copy)]
struct Shown {
    prim: u32,
    matrix: DMat4,
    depth: u64,
    material: Option<u32>,
    skeleton: Option<u32>,
}

impl<'s, 'b, 'a> Stage<'s, 'b, 'a> {
    fn new(
        layer: &'s Layer<'a>,
        package: &'s Package<'s>,
        name: &'s str,
        builder: &'s mut Builder<'b>,
    ) -> Self {
        Stage {
            layer,
            builder,
            materials: Materials::new(package, name),
            meshes: HashMap::new(),
            seen: Kinds::default(),
        }
    }

    fn add(&mut self, wanted: Wanted) -> Result<()> {
        let layer = self.layer;
        self.builder.native = Some(self.native()?);
        let mut open = vec![Shown {
            prim: ROOT,
            matrix: self.file_from_stage()?,
            depth: 0,
            material: None,
            skeleton: None,
        }];
        let mut elsewhere = None;
        while let Some(mut shown) = open.pop() {
            self.builder.charge()?;
            let prim = shown.prim;
            if shown.depth > self.builder.budget.limits.node_depth {
                let nested = "has prims within each other beyond the limit `node-depth`, or within themselves";
                return Err(refused(nested));
            }
            if layer.word(prim, "visibility") == "invisible"
                || matches!(layer.word(prim, "purpose"), "proxy" | "guide")
            {
                continue;
            }
            let is_elsewhere = layer.sources(prim).any(|source| source.is_elsewhere);
            elsewhere = elsewhere.or(is_elsewhere.then_some(prim));
            let target = |name: &str| {
                let attribute = layer.attribute(prim, name)?;
                attribute.targets.first().map(|target| target.0)
            };
            shown.material = target("material:binding").or(shown.material);
            shown.skeleton = target("skel:skeleton").or(shown.skeleton);
            let (local, is_reset) = xform::local(layer, prim, self.builder.budget)?;
            let parent = if is_reset {
                self.file_from_stage()?
            } else {
                shown.matrix
            };
            shown.matrix = parent * local;
            match layer.kind(prim) {
                "Mesh" => {
                    self.seen.surfaces = true;
                    if wanted == Wanted::Meshes {
                        self.show(shown)?;
                    }
                }
                "BasisCurves" => {
                    self.seen.curves = true;
                    if wanted == Wanted::Curves {
                        self.show_curves(shown)?;
                        continue;
                    }
                }
                "Skeleton" if wanted == Wanted::Meshes => self.add_joints(shown)?,
                // Prototypes are not shown at their own places.
                "PointInstancer" => {
                    let name = quoted(layer.prims[prim as usize].name);
                    let note = format!("prim {name}: instancers are not read; left out");
                    self.builder.notes.push(note);
                    continue;
                }
                // Meshes name them.
                "Material" | "Shader" | "NodeGraph" => continue,
                _ => {}
            }
            let from = open.len();
            for child in layer.children(prim) {
                if layer.prims[child as usize].is_shown {
                    self.builder.charge()?;
                    open.push(Shown {
                        prim: child,
                        depth: shown.depth + 1,
                        ..shown
                    });
                }
            }
            open[from..].reverse();
        }
        let has_any = match wanted {
            Wanted::Meshes => self.seen.surfaces,
            Wanted::Curves => self.seen.curves,
            Wanted::Nothing => true,
        };
        let Some(prim) = elsewhere else { return Ok(()) };
        let problem = format!(
            "prim {} has variants of which none is chosen, or refers to other files, which are not \
             read; flatten the stage first",
            quoted(layer.prims[prim as usize].name)
        );
        if !has_any {
            return Err(refused(problem));
        }
        self.builder.notes.push(problem);
        Ok(())
    }

    /// Returns the map from the space of the stage to metres with Y up.
    fn file_from_stage(&self) -> Result<DMat4> {
        Ok(self.native()?.matrix())
    }

    /// Returns the unit and the axis of the stage.
    fn native(&self) -> Result<NativeUnits> {
        let (layer, budget) = (self.layer, self.builder.budget);
        let unit = layer.group(layer.attribute(ROOT, "metersPerUnit"), budget)?;
        let unit = unit
            .map(|[unit]| unit)
            .filter(|unit| unit.is_normal() && *unit > 0.0);
        Ok(NativeUnits {
            metres: unit.unwrap_or(0.01),
            up: if layer.word(ROOT, "upAxis") == "Z" {
                Up::Z
            } else {
                Up::Y
            },
        })
    }

    /// Adds a mesh.
    fn show(&mut self, shown: Shown) -> Result<()> {
        let layer = self.layer;
        let mut matrix = shown.matrix;
        let is_skinned = layer
            .attribute(shown.prim, "primvars:skel:jointIndices")
            .is_some();
        let bind = self.matrix_of(shown.prim, "primvars:skel:geomBindTransform")?;
        if let Some(skeleton) = shown.skeleton
            && let Some(bind) = bind.or(is_skinned.then_some(DMat4::IDENTITY))
        {
            matrix = self.place_of(skeleton)? * bind;
        }
        let key = (shown.prim, shown.material);
        let mesh = match self.meshes.get(&key) {
            Some(&known) => known,
            None => {
                let added = self.mesh(shown.prim, shown.material)?;
                self.meshes.insert(key, added);
                added
            }
        };
        let Some(mesh) = mesh else { return Ok(()) };
        let name = layer.prims[shown.prim as usize].name;
        self.builder.node(name, mesh, Some(matrix.to_cols_array()))
    }

    /// Adds curves.
    fn show_curves(&mut self, shown: Shown) -> Result<()> {
        let (layer, budget) = (self.layer, self.builder.budget);
        let Some((counts, lines)) = curves::read(layer, shown.prim, budget)? else {
            return Ok(());
        };
        let primitive = self.builder.lines(&counts, &lines)?;
        let name = layer.prims[shown.prim as usize].name;
        let mesh = self.builder.mesh(name, vec![primitive])?;
        let matrix = shown.matrix;
        let matrix = (matrix != DMat4::IDENTITY).then(|| matrix.to_cols_array());
        self.builder.node(name, mesh, matrix)
    }

    /// Adds the mesh of a prim and returns its index, if it has triangles.
    fn mesh(&mut self, prim: u32, inherited: Option<u32>) -> Result<Option<usize>> {
        let layer = self.layer;
        let left = self.builder.budget.left();
        let pieces = mesh::pieces(layer, prim, self.builder.budget)?;
        let taken = left - self.builder.budget.left();
        let mut primitives = Vec::new();
        let mut made = 0;
        for piece in pieces {
            let material = match (piece.material.or(inherited), piece.color) {
                (Some(material), _) => Some(self.materials.index(layer, material, self.builder)?),
                (None, Some(color)) => Some(self.materials.plain(color, self.builder)?),
                (None, None) => None,
            };
            made += piece.arrays.indices.len() as u64 * size_of::<u32>() as u64;
            primitives.push(self.builder.primitive(&piece.arrays, material)?);
        }
        // Prims may share their numbers: what little comes of is charged for good, as time is.
        let read = made.saturating_mul(MOST_READ);
        self.builder.budget.give_back(taken.min(read), 1);
        if primitives.is_empty() {
            return Ok(None);
        }
        let name = layer.prims[prim as usize].name;
        Ok(Some(self.builder.mesh(name, primitives)?))
    }

    /// Adds the joints of a skeleton, by which the neck is found.
    fn add_joints(&mut self, shown: Shown) -> Result<()> {
        let layer = self.layer;
        let names = layer.words(layer.attribute(shown.prim, "joints"));
        let places = layer.attribute(shown.prim, "bindTransforms");
        let places = layer.numbers(places, self.builder.budget, |number| number)?;
        for (name, matrix) in names.iter().zip(places.as_chunks::<16>().0) {
            let place = self.place_of(shown.prim)? * DMat4::from_cols_array(matrix);
            let name = name.rsplit('/').next().unwrap_or(name);
            self.builder
                .joint(name, place.w_axis.truncate().to_array())?;
        }
        Ok(())
    }

    fn matrix_of(&self, prim: u32, name: &str) -> Result<Option<DMat4>> {
        let attribute = self.layer.attribute(prim, name);
        let group = self.layer.group(attribute, self.builder.budget)?;
        Ok(group.as_ref().map(DMat4::from_cols_array))
    }

    /// Returns the map from the space of a prim to that of the file.
    fn place_of(&self, prim: u32) -> Result<DMat4> {
        let mut matrix = DMat4::IDENTITY;
        let mut next = prim;
        // A parent comes before what is in it.
        while next != ROOT {
            let (local, is_reset) = xform::local(self.layer, next, self.builder.budget)?;
            matrix = local * matrix;
            next = if is_reset {
                ROOT
            } else {
                self.layer.prims[next as usize].parent
            };
        }
        Ok(self.file_from_stage()? * matrix)
    }
}
