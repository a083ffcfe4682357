//! The bytes of buffers and buffer views.

use super::container::{self, unsupported};
use super::document::{Document, Index, MESHOPT};
use super::uri::Folder;
use crate::head::error::{LoadErrorKind, Result, label};
use crate::head::limits::{Budget, Limits};
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
}

impl<'a> Buffers<'a> {
    /// Opens the file of a model; `None`: it is in memory.
    pub fn open(bytes: &'a [u8], model: Option<&Model>, limits: &Limits) -> Result<Self> {
        let budget = Budget::new(limits, bytes.len() as u64);
        let (document, bin) = container::open(bytes, &budget)?;
        let fetched = document.buffers.iter().map(|_| OnceCell::new()).collect();
        Ok(Buffers {
            document,
            folder: Folder::of(model),
            budget,
            bin,
            fetched,
        })
    }

    /// Returns the bytes of a buffer view, and its stride if it has one.
    pub fn view(&self, index: Index) -> Result<(&[u8], Option<u64>)> {
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
                view.buffer.0,
                buffer.len()
            );
            return Err(LoadErrorKind::invalid(at(), problem));
        };
        Ok((bytes, view.byte_stride.map(|stride| stride.0)))
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
            _ if buffer.is_meshopt() => return Err(unsupported(MESHOPT)),
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
