//! A head's file with other scalp paint, as a `.glb` that stands alone.
//!
//! | file | one thing |
//! |---|---|
//! | `write` | what changes in the document |
//! | `colors` | which set of colours carries the paint, and the colours |
//! | `gather` | buffers and pictures in other files, put into the one chunk |
//! | `json` | JSON changed in places, all else to the letter |
//! | `glb` | the envelope |
//! | `error` | why a file could not be written |
//!
//! All that is in the file stays, whether it is understood here or not: nodes, materials,
//! animations, `extras`, extensions, chunks. What changes:
//!
//! * `COLOR_n` of the painted primitive names a new accessor: another primitive may share the
//!   old one. Colours that were written here before, and that nothing else shares, are written
//!   over instead.
//! * Buffers become parts of buffer 0, which is the binary chunk, and pictures in files beside
//!   the model become buffer views. What cannot be had, or must not (a URI out of the model's
//!   folder), keeps its URI, with a warning. URIs inside extensions are not looked at.
//! * A Draco copy of the painted primitive is left out, for it has the old paint.
//!
//! glTF has no paint for one of several nodes that show the same mesh: painting one paints all.

mod colors;
mod error;
mod gather;
mod glb;
mod json;

pub use error::{WriteError, WriteErrorKind};

use super::buffers::Buffers;
use super::error::{LoadErrorKind, Warnings, quoted, thing};
use super::limits::Budget;
use super::paint::{PaintColor, scalp_area};
use super::uri::Folder;
use super::{Head, HeadSettings, Paint, PrimitiveRef, SHIPPED, SHIPPED_NAME, container};
use colors::Primitive;
use gather::Gathered;
use gltf::json::Root;
use std::borrow::Cow;
use std::path::Path;

/// The file that a head was read from.
#[derive(Clone, Copy, Debug)]
pub enum HeadFile<'a> {
    /// A `.glb` or `.gltf`, with the files it names beside it.
    Path(&'a Path),
    /// A self-contained file in memory.
    Bytes {
        /// What to call it in messages.
        name: &'a str,
        /// All of it.
        bytes: &'a [u8],
    },
}

impl HeadFile<'static> {
    /// That of [`Head::shipped`].
    pub fn shipped() -> Self {
        HeadFile::Bytes {
            name: SHIPPED_NAME,
            bytes: SHIPPED,
        }
    }
}

impl HeadFile<'_> {
    /// What it is called in messages.
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
    /// The whole file.
    pub glb: Vec<u8>,
    /// `n` of the `COLOR_n` set that carries the paint.
    pub set: u32,
    /// Vertices that are painted, those that are not bald.
    pub vertices: usize,
    /// Things worth telling the user.
    pub warnings: Vec<String>,
}

/// The file of `head` with other paint on one of its parts, and all else as it was.
///
/// `density` is hair density, 0 to 1, for each vertex of `head.parts[part]`; what is below
/// 0.02 is bald, as for the loader. The colours are 16 bits for each of red, green, blue, so
/// density reads back within 1/65,536 for black paint, and less exactly the nearer
/// `settings.paint_color` is to white; 0 reads back as 0. They replace the set that the part
/// is painted in, or without one become the next set that is free; alpha stays.
///
/// `settings` are those that the head was read with.
///
/// # Errors
///
/// A file that cannot be read or has changed since, and densities that do not fit.
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
    let bytes = match file {
        HeadFile::Path(path) => super::read(path, &settings.limits).map(Cow::Owned),
        HeadFile::Bytes { bytes, .. } => Ok(Cow::Borrowed(bytes)),
    };
    let model = match file {
        HeadFile::Path(path) => Some(path),
        HeadFile::Bytes { .. } => None,
    };
    let bytes = bytes.map_err(WriteErrorKind::from);
    let painted = bytes.and_then(|bytes| repainted(&bytes, model, head, part, density, settings));
    painted.map_err(|kind| WriteError {
        file: file.name(),
        kind,
    })
}

fn repainted(
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
    colors::check(density, of_head.positions.len())?;

    let budget = Budget::new(&settings.limits, bytes.len() as u64);
    let (document, bin) = container::open(bytes, &budget)?;
    let (text, _) = container::split(bytes)?;
    let text = std::str::from_utf8(text).map_err(|error| LoadErrorKind::Json {
        problem: format!("its text is not UTF-8: {error}"),
    })?;
    let folder = Folder::of(model, bytes.len() as u64);
    let buffers = Buffers::new(&document, bin, folder, budget);

    let mut warnings = Warnings::default();
    let place = Primitive::find(&document, source, density.len())?;
    let set = match &of_head.paint {
        Some(paint) => paint.set,
        None => place.free_set(&settings.limits)?,
    };
    let density = colors::as_read(density);
    let old = place.colors(&buffers, set)?;
    let new = colors::bytes(&density, paint_color, settings.paint_color, old.as_deref());
    drop(old);
    tell(head, part, source, &density, set, &place, &mut warnings);

    let mut gathered = Gathered::of(&buffers, &mut warnings)?;
    // Else a file that is written in place would grow by its colours each time.
    let own = place.own_colors(&document, set);
    let left = match own {
        Some(at) => gathered.write_over(at, new).err(),
        None => Some(new),
    };
    let view = left.map(|new| gathered.add_attributes(new));
    // Each list is copied for its own sake, for the document and for the file.
    let what = || "the new JSON".to_owned();
    buffers.budget.take(text.len() as u64, 3, what)?;
    let text = Text {
        document: &document,
        view,
        count: density.len(),
        source,
        set,
    }
    .changed(text, &gathered, &mut warnings)?;
    let chunk = &gathered.chunk;
    let what = || "the .glb".to_owned();
    buffers
        .budget
        .take(chunk.len() + text.len() as u64, 1, what)?;
    let others = || container::other_chunks(bytes);
    let glb = glb::file(&text, chunk, others);
    Ok(Painted {
        glb: glb.map_err(|bytes| WriteErrorKind::TooLong { bytes })?,
        set,
        vertices: density.iter().filter(|&&density| density > 0.0).count(),
        warnings: warnings.finish(),
    })
}

/// Warns of what is painted besides, and of paint that hair will not grow on.
fn tell(
    head: &Head,
    part: usize,
    source: PrimitiveRef,
    density: &[f32],
    set: u32,
    place: &Primitive,
    warnings: &mut Warnings,
) {
    let is_it = |index: usize| {
        let part = &head.parts[index];
        part.source == Some(source) && part.positions.len() == density.len()
    };
    let twins = (0..head.parts.len()).filter(|&index| index != part && is_it(index));
    let twins: Vec<String> = twins.take(8).map(|i| quoted(&head.parts[i].name)).collect();
    let name = quoted(&head.parts[part].name);
    if !twins.is_empty() {
        let twins = twins.join(", ");
        warnings.push(format!(
            "{name} is the same mesh as {twins}, which is painted with it"
        ));
    }
    let new = Paint {
        set,
        density: density.to_vec(),
    };
    let area = |index: usize| {
        let part = &head.parts[index];
        let paint = match is_it(index) {
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
        if let Some(other) = place
            .set_after(set)
            .filter(|_| new.density.iter().all(|&d| d == 0.0))
        {
            warnings.push(format!(
                "without paint in COLOR_{set} that of {name} may be found in COLOR_{other}"
            ));
        }
    }
    let areas = (0..head.parts.len()).filter_map(|index| Some((index, area(index)?)));
    // The first of the largest, as the loader.
    let largest = areas.rev().max_by(|a, b| a.1.total_cmp(&b.1));
    // Equal but for rounding: twins.
    if let Some((other, _)) = largest.filter(|&(_, area)| area > own * 1.001) {
        warnings.push(format!(
            "hair will grow on {}, where the painted area is larger than on {name}",
            quoted(&head.parts[other].name)
        ));
    }
}

/// What changes in the document.
struct Text<'a> {
    document: &'a Root,
    /// The buffer view of the new colours; `None`: they are where the old ones were.
    view: Option<usize>,
    count: usize,
    source: PrimitiveRef,
    set: u32,
}

impl Text<'_> {
    fn changed(
        &self,
        text: &str,
        gathered: &Gathered,
        warnings: &mut Warnings,
    ) -> Result<String, WriteErrorKind> {
        let lists = ["buffers", "bufferViews", "accessors", "images", "meshes"];
        let [buffers, views, accessors, images, meshes] =
            json::find(text, lists)?.map(|list| list.unwrap_or("[]"));
        // 5123: unsigned short
        let accessor = self.view.map(|view| {
            let (name, count) = (colors::NAME, self.count);
            format!(
                r#"{{"bufferView":{view},"componentType":5123,"count":{count},"name":"{name}","normalized":true,"type":"VEC4"}}"#
            )
        });
        let as_it_is = &mut |_, item| serde_json::Result::Ok(Cow::Borrowed(item));
        let buffers = gathered.buffers(buffers, warnings)?;
        let views = gathered.views(views)?;
        let meshes = match accessor {
            Some(_) => self.meshes(meshes, warnings)?,
            None => meshes.to_owned(),
        };
        let accessors = json::list(accessors, as_it_is, accessor.as_slice())?;
        let mut sets = vec![
            ("buffers", buffers.as_str()),
            ("bufferViews", &views),
            ("accessors", &accessors),
            ("meshes", &meshes),
        ];
        let images = gathered.images(images)?;
        if !self.document.images.is_empty() {
            sets.push(("images", &images));
        }
        Ok(json::with(text, &sets, &[])?)
    }

    fn meshes(&self, meshes: &str, warnings: &mut Warnings) -> serde_json::Result<String> {
        let PrimitiveRef { mesh, primitive } = self.source;
        let name = self.document.meshes.get(mesh);
        let name = name.and_then(|mesh| mesh.name.as_deref());
        let at = format!("{}, primitive {primitive}", thing("mesh", mesh, name));
        nth(meshes, mesh, &mut |mesh| {
            let [primitives] = json::find(mesh, ["primitives"])?;
            let primitives = nth(primitives.unwrap_or("[]"), primitive, &mut |primitive| {
                self.primitive(primitive, &at, warnings)
            })?;
            json::with(mesh, &[("primitives", &primitives)], &[])
        })
    }

    fn primitive(
        &self,
        primitive: &str,
        at: &str,
        warnings: &mut Warnings,
    ) -> serde_json::Result<String> {
        let [attributes, extensions] = json::find(primitive, ["attributes", "extensions"])?;
        let accessor = self.document.accessors.len().to_string();
        let color = format!("COLOR_{}", self.set);
        let attributes = json::with(attributes.unwrap_or("{}"), &[(&color, &accessor)], &[])?;
        let mut sets = vec![("attributes", attributes.as_str())];
        let plain;
        if let Some(extensions) = extensions
            && let [Some(_)] = json::find(extensions, [DRACO])?
        {
            warnings.push(format!(
                "{at}: its Draco copy has the old paint and is left out"
            ));
            plain = json::with(extensions, &[], &[DRACO])?;
            sets.push(("extensions", &plain));
        }
        json::with(primitive, &sets, &[])
    }
}

const DRACO: &str = "KHR_draco_mesh_compression";

/// The list with its `index`th item changed.
fn nth(
    list: &str,
    index: usize,
    change: &mut dyn FnMut(&str) -> serde_json::Result<String>,
) -> serde_json::Result<String> {
    let change = &mut |nth, item| match nth == index {
        true => change(item).map(Cow::Owned),
        false => Ok(Cow::Borrowed(item)),
    };
    json::list(list, change, &[])
}
