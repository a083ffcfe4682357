//! The bytes of buffers and buffer views.

use super::document::{Document, Index, Primitive, View};
use super::uri::Folder;
use super::{container, draco, meshopt};
use crate::head::error::{LoadErrorKind, Result, label};
use crate::head::limits::Budget;
use crate::head::model::Model;
use std::cell::OnceCell;
use std::sync::Arc;

/// A document with the bytes of its buffers, each read when it is first needed.
pub struct Buffers<'a> {
    pub document: Document,
    pub folder: Folder,
    pub budget: Budget,
    /// The binary chunk of a `.glb`.
    pub bin: Option<&'a [u8]>,
    fetched: Vec<OnceCell<Result<Arc<Vec<u8>>>>>,
    /// The decompressed content of each buffer view that is compressed.
    decoded: Vec<OnceCell<Result<Decoded>>>,
}

/// The decompressed content of a buffer view.
enum Decoded {
    /// The bytes of a view that is compressed with meshopt.
    Bytes(Vec<u8>),
    /// The geometry of a view that has the Draco data of a primitive.
    Geometry(draco::Geometry),
}

impl<'a> Buffers<'a> {
    /// Opens the file of a model; `None`: it is in memory.
    pub fn open(bytes: &'a [u8], model: Option<&Model>, budget: Budget) -> Result<Self> {
        let (document, bin) = container::open(bytes, &budget)?;
        let cells = document.buffers.len() + document.buffer_views.len();
        let each = size_of::<OnceCell<Result<Decoded>>>() as u64;
        budget.take(cells as u64, each, "the list of buffer views")?;
        let fetched = document.buffers.iter().map(|_| OnceCell::new()).collect();
        let decoded = (document.buffer_views.iter())
            .map(|_| OnceCell::new())
            .collect();
        Ok(Buffers {
            document,
            folder: Folder::of(model),
            budget,
            bin,
            fetched,
            decoded,
        })
    }

    /// Returns the bytes of a buffer view, decompressed, and its stride if it has one.
    pub fn view(&self, index: Index) -> Result<(&[u8], Option<u64>)> {
        let at = label("bufferView", index.index(), None);
        let view = self.raw_view(index)?;
        let (offset, length) = (view.byte_offset.unwrap_or_default().0, view.byte_length.0);
        let compressed = meshopt::Compressed::of(view).map_err(|error| error.within(&at))?;
        let bytes = match compressed {
            None => self.range(&at, view.buffer, offset, length)?,
            Some(compressed) => {
                let decode = || {
                    let start = compressed.byte_offset.unwrap_or_default().0;
                    let (buffer, size) = (compressed.buffer, compressed.byte_length.0);
                    let source = self.range("meshopt data", buffer, start, size)?;
                    compressed
                        .decode(source, length, &self.budget)
                        .map(Decoded::Bytes)
                };
                match self
                    .decoded(index, decode)
                    .map_err(|error| error.within(&at))?
                {
                    Decoded::Bytes(bytes) => &bytes[..length as usize],
                    Decoded::Geometry(_) => {
                        let problem = "it is compressed with both meshopt and Draco";
                        return Err(LoadErrorKind::invalid(at, problem));
                    }
                }
            }
        };
        Ok((bytes, view.byte_stride.map(|stride| stride.0)))
    }

    /// Returns the geometry of a primitive that is compressed with Draco, and the numbers of its
    /// attributes. If the file also has it without compression, that is read: `None`.
    pub fn draco(
        &self,
        primitive: &Primitive,
        place: &str,
    ) -> Result<Option<(draco::Compressed, &draco::Geometry)>> {
        let positions = primitive.attributes.get("POSITION");
        let positions = positions.and_then(|at| self.document.accessors.get(at.index()));
        if positions.is_some_and(|positions| positions.buffer_view.is_some()) {
            return Ok(None);
        }
        let compressed = draco::Compressed::of(primitive).map_err(|error| error.within(place))?;
        let Some(compressed) = compressed else {
            return Ok(None);
        };
        let view = compressed.buffer_view;
        let decode = || {
            let raw = self.raw_view(view)?;
            let (start, length) = (raw.byte_offset.unwrap_or_default().0, raw.byte_length.0);
            let bytes = self.range("Draco data", raw.buffer, start, length)?;
            draco::Geometry::decode(bytes, &self.budget).map(Decoded::Geometry)
        };
        match self
            .decoded(view, decode)
            .map_err(|error| error.within(place))?
        {
            Decoded::Geometry(geometry) => Ok(Some((compressed, geometry))),
            Decoded::Bytes(_) => {
                let problem = "its Draco data is compressed with meshopt too";
                Err(LoadErrorKind::invalid(place, problem))
            }
        }
    }

    /// Returns the declaration of a buffer view.
    fn raw_view(&self, index: Index) -> Result<&View> {
        let views = &self.document.buffer_views;
        views.get(index.index()).ok_or_else(|| {
            let problem = format!("there are only {}", views.len());
            LoadErrorKind::invalid(label("bufferView", index.index(), None), problem)
        })
    }

    /// Returns the decompressed content of a buffer view, which is decoded once.
    fn decoded(&self, view: Index, decode: impl FnOnce() -> Result<Decoded>) -> Result<&Decoded> {
        // The list has a cell for each view.
        self.raw_view(view)?;
        let cell = &self.decoded[view.index()];
        cell.get_or_init(decode).as_ref().map_err(Clone::clone)
    }

    /// Returns bytes of a buffer, wanted by `at`.
    fn range(&self, at: &str, buffer: Index, start: u64, length: u64) -> Result<&[u8]> {
        let bytes = self.buffer(buffer)?;
        let range = start
            .checked_add(length)
            .and_then(|end| bytes.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?));
        range.ok_or_else(|| {
            let problem = format!(
                "{length} bytes from byte {start} are wanted of buffer {}, which has {}",
                buffer.0,
                bytes.len()
            );
            LoadErrorKind::invalid(at, problem)
        })
    }

    /// Returns the bytes of a buffer, exactly as many as its `byteLength`.
    pub fn buffer(&self, index: Index) -> Result<&[u8]> {
        let index = index.index();
        let Some(buffer) = self.document.buffers.get(index) else {
            let problem = format!("there are only {}", self.document.buffers.len());
            let at = label("buffer", index, None);
            return Err(LoadErrorKind::invalid(at, problem));
        };
        let at = || label("buffer", index, buffer.name.as_deref());
        let wanted = buffer.byte_length.0;
        let bytes = match (&buffer.uri, self.bin) {
            (Some(uri), _) => {
                let fetch = || self.folder.fetch(uri, &at(), wanted, &self.budget);
                match self.fetched[index].get_or_init(fetch) {
                    Ok(bytes) => &bytes[..],
                    Err(error) => return Err(error.clone()),
                }
            }
            (None, Some(bin)) if index == 0 => bin,
            _ => {
                let problem = "it has neither a URI nor a binary chunk";
                return Err(LoadErrorKind::invalid(at(), problem));
            }
        };
        let whole = usize::try_from(wanted).ok();
        whole.and_then(|whole| bytes.get(..whole)).ok_or_else(|| {
            let problem = format!("it claims {wanted} bytes, but has only {}", bytes.len());
            let advice = "The file is cut off; copy, download or export it again.";
            LoadErrorKind::advised(at(), problem, advice)
        })
    }
}
