//! The bytes of buffers and buffer views.

use super::document::{Document, Index};
use super::extensions::{MESHOPT, unsupported};
use super::uri::{Folder, ReadSize};
use crate::head::budget::Budget;
use crate::head::error::{LoadErrorKind, Result, label};
use std::cell::OnceCell;
use std::sync::Arc;

/// A document with the bytes of its buffers, each read when it is first needed.
pub struct Buffers<'a> {
    pub document: &'a Document,
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
    pub fn new(
        document: &'a Document,
        bin: Option<&'a [u8]>,
        folder: Folder,
        budget: Budget,
    ) -> Self {
        let fetched = document.buffers.iter().map(|_| OnceCell::new()).collect();
        Buffers {
            document,
            folder,
            budget,
            bin,
            fetched,
        }
    }

    /// Returns the bytes of a buffer view.
    pub fn view(&self, index: Index) -> Result<View<'_>> {
        let at = || label("bufferView", index.index(), None);
        let Some(view) = self.document.buffer_views.get(index.index()) else {
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
            stride: view.byte_stride.map(|stride| stride.0),
        })
    }

    /// Returns the bytes of a buffer, exactly as many as its `byteLength`.
    pub fn buffer(&self, index: Index) -> Result<&[u8]> {
        let index = index.index();
        let Some(buffer) = self.document.buffers.get(index) else {
            let problem = format!("there are only {}", self.document.buffers.len());
            return Err(LoadErrorKind::invalid(
                label("buffer", index, None),
                problem,
            ));
        };
        let at = || label("buffer", index, buffer.name.as_deref());
        let wanted = buffer.byte_length.0;
        let bytes = match (&buffer.uri, self.bin) {
            (Some(uri), _) => {
                let wanted = ReadSize::Bytes(wanted);
                let fetch = || self.folder.fetch(uri, &at(), wanted, &self.budget);
                match self.fetched[index].get_or_init(fetch) {
                    Ok(bytes) => &bytes[..],
                    Err(error) => return Err(error.clone()),
                }
            }
            (None, Some(bin)) if index == 0 => bin,
            _ if buffer.is_meshopt() => return Err(unsupported(MESHOPT)),
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
                format!("it claims {wanted} bytes, but has only {}", bytes.len()),
                "The file is cut off; copy, download or export it again.",
            )),
        }
    }
}
