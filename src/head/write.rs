//! A head's file with other scalp paint, as a self-contained `.glb`.
//!
//! | file | contents |
//! |---|---|
//! | `write` | the changes of the document |
//! | `colors` | the colour set that carries the paint |
//! | `bundle` | buffers and pictures of other files, merged into the binary chunk |
//! | `glb` | the container |
//! | `error` | errors of writing |
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
//! * A Draco copy of the painted primitive is removed, since it has the old paint.
//!
//! glTF cannot paint one of several nodes that show the same mesh; all of them are painted.

mod bundle;
mod colors;
mod error;
mod glb;

pub use error::{WriteError, WriteErrorKind};

use super::budget::Budget;
use super::error::{Warnings, label, quoted};
use super::gltf::buffers::Buffers;
use super::gltf::container;
use super::gltf::document::Document;
use super::gltf::extensions::DRACO;
use super::gltf::json::{self, List, Object};
use super::gltf::uri::Folder;
use super::load::{SHIPPED, SHIPPED_NAME, read_file};
use super::mesh::paint::{PaintColor, scalp_area};
use super::model::{Head, Paint, PrimitiveRef};
use super::settings::HeadSettings;
use bundle::Bundle;
use colors::PaintedPrimitive;
use serde_json::json;
use serde_json::value::to_raw_value;
use std::borrow::Cow;
use std::path::Path;

/// Memory charged for each entry of the document while it is edited.
const ENTRY_BYTES: u64 = 100;

/// The file that a head was read from.
#[derive(Clone, Copy, Debug)]
pub enum HeadFile<'a> {
    /// A `.glb` or `.gltf`, with the files it names beside it.
    Path(&'a Path),
    /// A self-contained file in memory.
    Bytes {
        /// The name in messages.
        name: &'a str,
        /// The whole content.
        bytes: &'a [u8],
    },
}

impl HeadFile<'static> {
    /// Returns the file of [`Head::shipped`].
    pub fn shipped() -> Self {
        HeadFile::Bytes {
            name: SHIPPED_NAME,
            bytes: SHIPPED,
        }
    }
}

impl HeadFile<'_> {
    /// Returns the name in messages.
    fn name(&self) -> String {
        match self {
            HeadFile::Path(path) => path.display().to_string(),
            HeadFile::Bytes { name, .. } => (*name).to_owned(),
        }
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

/// Returns the file of `head` with other paint on one of its parts.
///
/// `density` is the hair density, 0 to 1, of each vertex of `head.parts[part]`; below 0.02 it is
/// bald, as for the loader. Colours have 16 bits per channel, so density reads back within
/// 1/65,536 for black paint, and less exactly the closer `settings.paint_color` is to white; 0
/// reads back as 0. They replace the set that the part is painted in, or else become the next
/// free set; alpha stays.
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
/// use mohawk::head::{Head, HeadSettings, write};
///
/// let settings = HeadSettings::default();
/// let head = Head::shipped(&settings)?;
/// let part = head.scalp_part.ok_or("nothing is painted")?;
/// let density = vec![1.0; head.parts[part].positions.len()]; // hair all over
/// let file = write::HeadFile::shipped();
/// let painted = write::painted(file, &head, part, &density, &settings)?;
/// let hairy = Head::from_bytes("hairy.glb", &painted.glb, &settings)?;
/// assert_eq!(hairy.parts[part].paint.as_ref().map(|paint| &paint.density), Some(&density));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn painted(
    file: HeadFile,
    head: &Head,
    part: usize,
    density: &[f32],
    settings: &HeadSettings,
) -> Result<Painted, WriteError> {
    let (model, bytes) = match file {
        HeadFile::Path(path) => {
            let bytes = read_file(path, &settings.limits);
            (
                Some(path),
                bytes.map(Cow::Owned).map_err(WriteErrorKind::from),
            )
        }
        HeadFile::Bytes { bytes, .. } => (None, Ok(Cow::Borrowed(bytes))),
    };
    let painted = bytes.and_then(|bytes| repaint(&bytes, model, head, part, density, settings));
    painted.map_err(|kind| WriteError {
        file: file.name(),
        kind,
    })
}

fn repaint(
    bytes: &[u8],
    model: Option<&Path>,
    head: &Head,
    part: usize,
    density: &[f32],
    settings: &HeadSettings,
) -> Result<Painted, WriteErrorKind> {
    let paint_color = PaintColor::new(settings.paint_color)?;
    let of_head = head.parts.get(part);
    let Some((of_head, source)) = of_head.and_then(|part| Some((part, part.source?))) else {
        let count = head.parts.len();
        return Err(WriteErrorKind::NoPart { part, count });
    };
    colors::check_density(density, of_head.positions.len())?;

    let budget = Budget::new(&settings.limits, bytes.len() as u64);
    let (document, bin) = container::open(bytes, &budget)?;
    let (json, _) = container::split(bytes)?;
    let folder = Folder::of(model, bytes.len() as u64);
    let buffers = Buffers::new(&document, bin, folder, budget);

    let mut warnings = Warnings::default();
    let primitive = PaintedPrimitive::find(&document, source, density.len())?;
    let set = match &of_head.paint {
        Some(paint) => paint.set,
        None => primitive.free_set(&settings.limits)?,
    };
    let density = colors::without_faint(density);
    let old = primitive.colors(&buffers, set)?;
    let new = colors::bytes(&density, paint_color, settings.paint_color, old.as_deref());
    drop(old);
    let after = primitive.set_after(set);
    warn_of_other_paint(head, part, source, &density, set, after, &mut warnings);

    let mut bundle = Bundle::new(&buffers, &mut warnings)?;
    // Overwriting own colours keeps a file that is written in place from growing.
    let appended = match primitive.own_colors(&document, set) {
        Some(at) => bundle.overwrite(at, new).err(),
        None => Some(new),
    };
    let view = appended.map(|new| bundle.add_attributes(new));
    // Every level is copied, and every entry has a key and a box.
    let entries = json.iter().filter(|&&byte| byte == b',').count() as u64;
    let what = || "the new JSON".to_owned();
    buffers.budget.take(json.len() as u64, 4, what)?;
    buffers.budget.take(entries, ENTRY_BYTES, what)?;
    let edit = DocumentEdit {
        document: &document,
        view,
        count: density.len(),
        source,
        set,
    };
    let text = edit.apply(json, &bundle, &mut warnings)?;
    let chunk = &bundle.chunk;
    let (length, what) = (chunk.len() + text.len() as u64, || "the .glb".to_owned());
    buffers.budget.take(length, 1, what)?;
    let glb = glb::file(&text, chunk, || container::other_chunks(bytes));
    Ok(Painted {
        glb: glb.map_err(WriteErrorKind::TooLong)?,
        set,
        vertices: density.iter().filter(|&&density| density > 0.0).count(),
        warnings: warnings.finish(),
    })
}

/// Warns of other parts that are painted too, and of paint that hair will not grow on.
fn warn_of_other_paint(
    head: &Head,
    part: usize,
    source: PrimitiveRef,
    density: &[f32],
    set: u32,
    set_after: Option<u32>,
    warnings: &mut Warnings,
) {
    let is_same = |index: usize| {
        let part = &head.parts[index];
        part.source == Some(source) && part.positions.len() == density.len()
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
    let density = density.to_vec();
    let new = Paint { set, density };
    let area = |index: usize| {
        let part = &head.parts[index];
        let paint = match is_same(index) {
            true => &new,
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
                "without paint in COLOR_{set} that of {name} may be found in COLOR_{other}"
            ));
        }
    }
    let areas = (0..head.parts.len()).filter_map(|index| Some((index, area(index)?)));
    // The first of the largest, as in the loader. Twins differ by rounding.
    let largest = areas.rev().max_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((other, _)) = largest.filter(|&(_, area)| area > own * 1.001) {
        warnings.push(format!(
            "hair will grow on {}, where the painted area is larger than on {name}",
            name_of(other)
        ));
    }
}

/// The changes of the document.
struct DocumentEdit<'a> {
    document: &'a Document,
    /// The buffer view of the new colours; `None` if they overwrite the old ones.
    view: Option<usize>,
    count: usize,
    source: PrimitiveRef,
    set: u32,
}

impl DocumentEdit<'_> {
    fn apply(
        &self,
        json: &[u8],
        bundle: &Bundle,
        warnings: &mut Warnings,
    ) -> serde_json::Result<String> {
        let mut root: Object = serde_json::from_slice(json)?;
        bundle.edit(&mut root, warnings)?;
        if let Some(view) = self.view {
            json::edit(&mut root, "accessors", |accessors: &mut List| {
                accessors.push(to_raw_value(&json!({
                    "bufferView": view,
                    "componentType": 5123, // unsigned short
                    "count": self.count,
                    "name": colors::NAME,
                    "normalized": true,
                    "type": "VEC4",
                }))?);
                Ok(())
            })?;
            json::edit(&mut root, "meshes", |meshes| {
                json::edit_item(meshes, self.source.mesh, |mesh| {
                    json::edit(mesh, "primitives", |primitives| {
                        json::edit_item(primitives, self.source.primitive, |primitive| {
                            self.edit_primitive(primitive, warnings)
                        })
                    })
                })
            })?;
        }
        serde_json::to_string(&root)
    }

    fn edit_primitive(
        &self,
        primitive: &mut Object,
        warnings: &mut Warnings,
    ) -> serde_json::Result<()> {
        json::edit(primitive, "attributes", |attributes| {
            let color = format!("COLOR_{}", self.set);
            json::set(attributes, &color, self.document.accessors.len())
        })?;
        if !primitive.contains_key("extensions") {
            return Ok(());
        }
        json::edit(primitive, "extensions", |extensions: &mut Object| {
            if extensions.remove(DRACO).is_some() {
                let PrimitiveRef { mesh, primitive } = self.source;
                let name = self.document.meshes.get(mesh);
                let name = name.and_then(|mesh| mesh.name.as_deref());
                warnings.push(format!(
                    "{}, primitive {primitive}: its Draco copy has the old paint and is left out",
                    label("mesh", mesh, name)
                ));
            }
            Ok(())
        })
    }
}
