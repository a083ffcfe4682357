//! A head's file with other scalp paint, as a self-contained `.glb`: `write` changes the document,
//! `colors` makes the colour set that carries the paint, `bundle` merges buffers and pictures of
//! other files into the binary chunk, and `json` edits parts of JSON text.
//!
//! Everything else in the file stays, also what is not supported here: nodes, materials,
//! animations, `extras`, extensions, chunks. The changes:
//!
//! * `COLOR_n` of the painted primitive names a new accessor, since another primitive may share
//!   the old one. Colours that were written here before, and that nothing else shares, are
//!   overwritten instead.
//! * Buffers become parts of buffer 0, which is the binary chunk, and pictures in files beside
//!   the model become buffer views. What cannot be read, or must not be (a URI out of the model's
//!   folder), keeps its URI, with a warning. URIs inside extensions are ignored.
//! * A Draco copy of the painted primitive is removed, since it has the old paint. If the
//!   primitive is stored in Draco alone, only its old paint is left out of that.
//!
//! glTF cannot paint one of several nodes that show the same mesh; all of them are painted.

mod bundle;
mod colors;
mod json;

use super::convert::to_gltf;
use super::error::{Bytes, LoadErrorKind, Warnings, quoted};
use super::gltf::buffers::Buffers;
use super::gltf::container::{self, BIN_CHUNK, JSON_CHUNK};
use super::gltf::document::DRACO;
use super::limits::Budget;
use super::mesh::paint::{NAMED, PAINT_NAME, PaintSearch, scalp_area};
use super::model::{Model, Paint, PrimitiveRef};
use super::settings::HeadSettings;
use super::whole::Head;
use crate::files::FileError;
use ::gltf::json::{accessor, buffer};
use bundle::Bundle;
use colors::PaintedPrimitive;
use json::{List, Object};
use serde_json::json;
use serde_json::value::to_raw_value;

/// Memory charged for each entry of the document while it is edited.
const ENTRY_BYTES: u64 = 100;

/// An error of writing a head's file with other paint.
pub type WriteError = FileError<WriteErrorKind>;

/// A problem of writing a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The file cannot be read.
    #[error(transparent)]
    Load(#[from] LoadErrorKind),
    /// The head has no such part, or the part is not from a file.
    #[error(
        "part {part} of the head is not in the file; there are {count}. Name one that was read from it."
    )]
    NoPart {
        /// The index of the part.
        part: usize,
        /// The number of parts of the head.
        count: usize,
    },
    /// The file is not the one that the head was read from; with the difference.
    #[error("it has changed since the head was read from it: {0}. Load it again, then paint.")]
    Changed(String),
    /// The number of densities is not the number of vertices.
    #[error("{count} densities for the {vertices} vertices of a part. Give one for each.")]
    Count {
        /// The number of densities.
        count: usize,
        /// The number of vertices of the part.
        vertices: usize,
    },
    /// A density outside 0 to 1.
    #[error("the density of vertex {vertex} is {density}. Give numbers from 0 (bald) to 1.")]
    Density {
        /// The vertex.
        vertex: usize,
        /// The density given for it.
        density: f32,
    },
    /// The `.glb` would exceed 4 GiB: it counts its bytes in 32 bits. With its number of bytes.
    #[error(
        "as one .glb it would have {}, and such a file has at most 4.2 GB. Make its pictures smaller.",
        Bytes(*.0)
    )]
    TooLong(u64),
}

impl From<serde_json::Error> for WriteErrorKind {
    fn from(error: serde_json::Error) -> Self {
        Self::Load(LoadErrorKind::Json(error.to_string()))
    }
}

/// A file with new paint.
#[derive(Clone, Debug)]
pub struct Painted {
    /// The content of the file.
    pub glb: Vec<u8>,
    /// `n` of the `COLOR_n` set that carries the paint.
    pub set: u32,
    /// The number of painted vertices.
    pub vertices: usize,
    /// Problems that did not stop the write.
    pub warnings: Vec<String>,
}

/// Returns the file of `head`, which is `model`, with other paint on one of its parts.
///
/// `density` is the hair density, 0 to 1, of each vertex of `head.parts[part]`; below 0.02 it is
/// bald, as for the loader. Colours have 16 bits per channel, so density reads back within
/// 1/65,536; 0 reads back as 0. The paint is black, whatever `settings.paint_color` is. The colours
/// replace the set that the part is painted in, or else become the next free set; alpha stays.
///
/// `settings` are those that the head was read with.
///
/// # Errors
///
/// A file that cannot be read or has changed since, and invalid densities.
///
/// # Example
///
/// ```
/// use mohawk::head::{Head, HeadSettings, Model, write};
///
/// let settings = HeadSettings::default();
/// let head = Head::shipped(&settings)?;
/// let part = head.scalp_part.ok_or("nothing is painted")?;
/// let density = vec![1.0; head.parts[part].positions.len()]; // hair all over
/// let painted = write::painted(&Model::default(), &head, part, &density, &settings)?;
/// let hairy = Head::from_bytes("hairy.glb", &painted.glb, &settings)?;
/// assert_eq!(hairy.parts[part].paint.as_ref().map(|paint| &paint.density), Some(&density));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn painted(
    model: &Model,
    head: &Head,
    part: usize,
    density: &[f32],
    settings: &HeadSettings,
) -> Result<Painted, WriteError> {
    repaint(model, head, part, density, settings).map_err(FileError::of(model.name()))
}

fn repaint(
    model: &Model,
    head: &Head,
    part: usize,
    density: &[f32],
    settings: &HeadSettings,
) -> Result<Painted, WriteErrorKind> {
    let bytes = model.bytes(&settings.limits)?;
    let mut warnings = Warnings::default();
    let gltf = to_gltf(bytes, Some(model), &settings.limits, &mut warnings)?;
    let (bytes, budget) = (&gltf.bytes[..], gltf.budget);
    let paint_color = PaintSearch::AUTO.color;
    let of_head = head.parts.get(part);
    let Some((of_head, source)) = of_head.and_then(|part| Some((part, part.source?))) else {
        let count = head.parts.len();
        return Err(WriteErrorKind::NoPart { part, count });
    };
    let (count, vertices) = (density.len(), of_head.positions.len());
    if count != vertices {
        return Err(WriteErrorKind::Count { count, vertices });
    }
    let is_wrong = |density: &f32| !(0.0..=1.0).contains(density);
    if let Some(vertex) = density.iter().position(is_wrong) {
        let density = density[vertex];
        return Err(WriteErrorKind::Density { vertex, density });
    }

    let buffers = Buffers::open(bytes, Some(model), budget)?;
    let primitive =
        PaintedPrimitive::find(&buffers, source, density.len()).map_err(WriteErrorKind::Changed)?;
    let set = match &of_head.paint {
        Some(paint) => paint.set,
        None => primitive.free_set()?,
    };
    let density = colors::without_faint(density);
    let why = "new".to_owned();
    let paint = Paint {
        set,
        why,
        density,
        is_own: true,
    };
    let old = primitive.colors(set)?;
    let new = colors::bytes(&paint.density, paint_color, old.as_deref());
    drop(old);
    let mut sets = primitive.raw.colors().into_iter().map(|(set, _)| set);
    // The loader searches this set after the painted one.
    let after = sets.find(|&other| other > set);
    warn_of_other_paint(head, part, source, &paint, after, &mut warnings);

    let mut bundle = Bundle::new(&buffers, &mut warnings)?;
    // Overwriting own colours keeps a file that is written in place from growing.
    let own = primitive.own_colors(set);
    let view = match own.is_some_and(|at| bundle.overwrite(at, &new)) {
        true => None,
        false => Some(bundle.add_view(&new, json!({"target": buffer::ARRAY_BUFFER}))?),
    };
    let (json, _) = container::split(bytes)?;
    // Every level is copied, and every entry has a key and a box.
    let entries = json.iter().filter(|&&byte| byte == b',').count() as u64;
    let what = "the new JSON";
    buffers.budget.take(json.len() as u64, 4, what)?;
    buffers.budget.take(entries, ENTRY_BYTES, what)?;
    let mut root: Object = serde_json::from_slice(json)?;
    bundle.edit(&mut root, &mut warnings)?;
    if let Some(view) = view {
        let is_draco = primitive.is_draco()?;
        add_colors(&mut root, view, &paint, source, is_draco)?;
        if primitive.raw.has_draco() && !is_draco {
            let at = &primitive.at;
            let told = format!("{at}: its Draco copy has the old paint and is left out");
            warnings.push(told);
        }
    }
    let text = serde_json::to_string(&root)?;
    let chunks = [(JSON_CHUNK, text.as_bytes()), (BIN_CHUNK, &bundle.chunk)];
    let chunks = chunks.into_iter().chain(container::other_chunks(bytes));
    Ok(Painted {
        glb: glb(chunks, &buffers.budget)?,
        set,
        vertices: paint.density.iter().filter(|&&d| d > 0.0).count(),
        warnings: warnings.finish(),
    })
}

/// Warns of other parts that are painted too, and of paint that hair will not grow on.
fn warn_of_other_paint(
    head: &Head,
    part: usize,
    source: PrimitiveRef,
    new: &Paint,
    set_after: Option<u32>,
    warnings: &mut Warnings,
) {
    let is_same = |index: usize| {
        let part = &head.parts[index];
        part.source == Some(source) && part.positions.len() == new.density.len()
    };
    let name_of = |index: usize| quoted(&head.parts[index].name);
    let name = name_of(part);
    let twins = (0..head.parts.len()).filter(|&index| index != part && is_same(index));
    let twins: Vec<String> = twins.take(8).map(name_of).collect();
    if !twins.is_empty() {
        let twins = twins.join(", ");
        warnings.push(format!(
            "{name} is the same mesh as {twins}, which is painted with it"
        ));
    }
    let area = |index: usize| {
        let part = &head.parts[index];
        let paint = match is_same(index) {
            true => new,
            false => part.paint.as_ref()?,
        };
        let position = |vertex: u32| part.positions[vertex as usize].as_dvec3();
        Some(scalp_area(paint, &part.triangles, position))
    };
    let own = area(part).unwrap_or(0.0);
    if own == 0.0 {
        warnings.push(format!(
            "no hair will grow on {name}: no triangle is painted at all three corners"
        ));
        if let Some(other) = set_after.filter(|_| new.density.iter().all(|&d| d == 0.0)) {
            warnings.push(format!(
                "without paint in COLOR_{} that of {name} may be found in COLOR_{other}",
                new.set
            ));
        }
    }
    // Other paint comes after that of this program.
    let counts = |index: &usize| {
        let paint = head.parts[*index].paint.as_ref();
        own == 0.0 || is_same(*index) || paint.is_some_and(|paint| paint.is_own)
    };
    let areas = (0..head.parts.len()).filter(counts);
    let areas = areas.filter_map(|index| Some((index, area(index)?)));
    // The first of the largest, as in the loader. Twins differ by rounding.
    let largest = areas.rev().max_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((other, _)) = largest.filter(|&(_, area)| area > own * 1.001) {
        warnings.push(format!(
            "hair will grow on {}, where the painted area is larger than on {name}",
            name_of(other)
        ));
    }
}

/// Adds the accessor of the new colours, which are in a buffer view, and names it in the painted
/// primitive. Of a primitive that is compressed with Draco, the colours of that name are no longer
/// taken from there; a Draco copy of one that is not is removed.
fn add_colors(
    root: &mut Object,
    view: usize,
    paint: &Paint,
    source: PrimitiveRef,
    is_draco: bool,
) -> serde_json::Result<()> {
    let mut accessor = 0;
    json::edit(root, "accessors", |accessors: &mut List| {
        accessor = accessors.len();
        accessors.push(to_raw_value(&json!({
            "bufferView": view,
            "componentType": accessor::UNSIGNED_SHORT,
            "count": paint.density.len(),
            "name": PAINT_NAME,
            "normalized": true,
            "type": "VEC4",
        }))?);
        Ok(())
    })?;
    let paint = |primitive: &mut Object| {
        let role = format!("COLOR_{}", paint.set);
        json::edit(primitive, "attributes", |attributes: &mut Object| {
            // The loader would take these first.
            NAMED
                .into_iter()
                .for_each(|name| drop(attributes.remove(name)));
            json::set(attributes, &role, accessor)
        })?;
        json::edit_existing(primitive, "extensions", |extensions: &mut Object| {
            if !is_draco {
                extensions.remove(DRACO);
                return Ok(());
            }
            json::edit_existing(extensions, DRACO, |draco: &mut Object| {
                json::edit_existing(draco, "attributes", |attributes: &mut Object| {
                    attributes.remove(&role);
                    Ok(())
                })
            })
        })
    };
    json::edit(root, "meshes", |meshes| {
        json::edit_item(meshes, source.mesh, |mesh| {
            json::edit(mesh, "primitives", |primitives| {
                json::edit_item(primitives, source.primitive, paint)
            })
        })
    })
}

/// Returns a `.glb` of chunks, charged to the budget.
fn glb<'a>(
    chunks: impl Iterator<Item = (u32, &'a [u8])> + Clone,
    budget: &Budget,
) -> Result<Vec<u8>, WriteErrorKind> {
    let length = container::length(chunks.clone());
    budget.take(length, 1, "the .glb")?;
    container::write(chunks).ok_or(WriteErrorKind::TooLong(length))
}
