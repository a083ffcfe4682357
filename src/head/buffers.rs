//! Buffers and buffer views, each fetched when first needed.

use super::container::unsupported;
use super::error::{LoadErrorKind, Result, thing};
use super::limits::Budget;
use super::uri::{Folder, Wanted};
use gltf::json::{Buffer, Index, Root, buffer};
use std::cell::OnceCell;
use std::sync::Arc;

const MESHOPT: &str = "EXT_meshopt_compression";

/// Whether a buffer only says how large it would be without compression.
pub fn is_meshopt(buffer: &Buffer) -> bool {
    let extensions = buffer.extensions.as_ref();
    extensions.is_some_and(|all| all.others.contains_key(MESHOPT))
}

/// The bytes of a document.
pub struct Buffers<'a> {
    pub document: &'a Root,
    pub folder: Folder,
    pub budget: Budget,
    /// The binary chunk of a `.glb`.
    pub bin: Option<&'a [u8]>,
    fetched: Vec<OnceCell<Result<Arc<Vec<u8>>>>>,
}

/// The bytes of a buffer view.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub bytes: &'a [u8],
    pub stride: Option<u64>,
}

impl<'a> Buffers<'a> {
    /// `bin` is the binary chunk of a `.glb`.
    pub fn new(document: &'a Root, bin: Option<&'a [u8]>, folder: Folder, budget: Budget) -> Self {
        let fetched = document.buffers.iter().map(|_| OnceCell::new()).collect();
        Buffers {
            document,
            folder,
            budget,
            bin,
            fetched,
        }
    }

    /// The bytes of a buffer view; the text of an error starts with what is wrong.
    pub fn view(&self, index: Index<buffer::View>) -> Result<View<'_>> {
        let at = || thing("bufferView", index.value(), None);
        let Some(view) = self.document.buffer_views.get(index.value()) else {
            let problem = format!("there are only {}", self.document.buffer_views.len());
            return Err(LoadErrorKind::invalid(at(), problem));
        };
        let buffer = self.buffer(view.buffer)?;
        let start = view.byte_offset.unwrap_or_default().0;
        let range = start
            .checked_add(view.byte_length.0)
            .and_then(|end| buffer.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?));
        let Some(bytes) = range else {
            let problem = format!(
                "{} bytes from byte {start} are wanted of buffer {}, which has {}",
                view.byte_length.0,
                view.buffer,
                buffer.len()
            );
            return Err(LoadErrorKind::invalid(at(), problem));
        };
        Ok(View {
            bytes,
            stride: view.byte_stride.map(|stride| stride.0 as u64),
        })
    }

    /// The bytes of a buffer, exactly as many as it says.
    pub fn buffer(&self, index: Index<Buffer>) -> Result<&[u8]> {
        let index = index.value();
        let Some(buffer) = self.document.buffers.get(index) else {
            let problem = format!("there are only {}", self.document.buffers.len());
            return Err(LoadErrorKind::invalid(
                thing("buffer", index, None),
                problem,
            ));
        };
        let at = || thing("buffer", index, buffer.name.as_deref());
        let wanted = buffer.byte_length.0;
        let bytes = match (&buffer.uri, self.bin) {
            (Some(uri), _) => {
                let wanted = Wanted::Bytes(wanted);
                let fetch = || self.folder.fetch(uri, &at(), wanted, &self.budget);
                match self.fetched[index].get_or_init(fetch) {
                    Ok(bytes) => &bytes[..],
                    Err(error) => return Err(error.clone()),
                }
            }
            (None, Some(bin)) if index == 0 => bin,
            _ if is_meshopt(buffer) => return Err(unsupported(MESHOPT)),
            _ => {
                return Err(LoadErrorKind::invalid(
                    at(),
                    "it has neither a URI nor a binary chunk",
                ));
            }
        };
        match usize::try_from(wanted)
            .ok()
            .and_then(|wanted| bytes.get(..wanted))
        {
            Some(bytes) => Ok(bytes),
            None => Err(LoadErrorKind::advised(
                at(),
                format!(
                    "it says it has {wanted} bytes, but {} are there",
                    bytes.len()
                ),
                "The file is cut off; copy, download or export it again.",
            )),
        }
    }
}
