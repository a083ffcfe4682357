//! Merges buffers and pictures of other files and `data:` URIs into buffer 0, the binary chunk.

use super::json::{self, List, Object};
use crate::head::error::{LoadErrorKind, Result, Warnings, label};
use crate::head::gltf::buffers::Buffers;
use crate::head::gltf::document::{Image, KHR_MESHOPT, MESHOPT, Size, Whole};
use crate::head::gltf::uri::{MAGIC_BYTES, data_uri, media_type};
use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The new place of a buffer of the file: the index of a buffer, and the offset in it. Buffers are
/// merged into buffer 0; those whose bytes cannot be read stay as they are, at another index.
type Place = (usize, usize);

/// The bytes of a file in one chunk, and the changes of its JSON.
pub struct Bundle<'a> {
    buffers: &'a Buffers<'a>,
    /// The new binary chunk. Its length is a multiple of 4.
    pub chunk: Vec<u8>,
    places: Vec<Place>,
    /// New buffer views.
    views: Vec<Value>,
    /// The new buffer view and the media type of each picture in another file, by its URI; `None`
    /// if it cannot be read.
    pictures: HashMap<&'a str, Option<(usize, &'static str)>>,
}

impl<'a> Bundle<'a> {
    /// Collects the bytes of every buffer and picture. What cannot be read stays as it is, with a
    /// warning.
    pub fn new(buffers: &'a Buffers<'a>, warnings: &mut Warnings) -> Result<Self> {
        let document = &buffers.document;
        let mut bundle = Bundle {
            buffers,
            chunk: Vec::new(),
            places: Vec::with_capacity(document.buffers.len()),
            views: Vec::new(),
            pictures: HashMap::new(),
        };
        // The whole chunk, also bytes that belong to no buffer.
        bundle.push(buffers.bin.unwrap_or_default())?;
        let mut kept = 0;
        for (index, buffer) in document.buffers.iter().enumerate() {
            let is_chunk = index == 0 && buffer.uri.is_none() && buffers.bin.is_some();
            let bytes = (!is_chunk).then(|| buffers.buffer(Whole(index as u64)));
            let place = match bytes {
                None => (0, 0),
                Some(Ok(bytes)) => (0, bundle.push(bytes)?),
                Some(Err(error)) => {
                    // A buffer that stands for compressed data has no bytes.
                    if !(buffer.is_meshopt() && buffer.uri.is_none()) {
                        warnings.push(left_out(error)?);
                    }
                    kept += 1;
                    (kept, 0)
                }
            };
            bundle.places.push(place);
        }
        for (index, image) in document.images.iter().enumerate() {
            let Some(uri) = file_of(image).filter(|uri| !bundle.pictures.contains_key(uri)) else {
                continue;
            };
            let picture = bundle.add_picture(uri, &label("image", index, image.name.as_deref()));
            let picture = match picture {
                Ok(picture) => Some(picture),
                Err(error) => {
                    warnings.push(left_out(error)?);
                    None
                }
            };
            bundle.pictures.insert(uri, picture);
        }
        Ok(bundle)
    }

    /// Appends bytes to the chunk and returns their offset, a multiple of 4.
    fn push(&mut self, bytes: &[u8]) -> Result<usize> {
        let at = self.chunk.len();
        // The chunk may move as it grows.
        (self.buffers.budget).take(bytes.len() as u64, 3, "the binary chunk")?;
        self.chunk.extend_from_slice(bytes);
        self.chunk.resize(self.chunk.len().next_multiple_of(4), 0);
        Ok(at)
    }

    /// Adds the file of a picture; returns its buffer view and its media type.
    fn add_picture(&mut self, uri: &str, at: &str) -> Result<(usize, &'static str)> {
        let buffers = self.buffers;
        let fetch = |count| buffers.folder.fetch(uri, at, count, &buffers.budget);
        let Some(media_type) = media_type(&fetch(MAGIC_BYTES)?) else {
            return Err(LoadErrorKind::advised(at, "its file is no picture", ""));
        };
        Ok((self.add_view(&fetch(u64::MAX)?, json!({}))?, media_type))
    }

    /// Adds bytes and their buffer view, which has these properties besides; returns its index.
    pub fn add_view(&mut self, bytes: &[u8], mut view: Value) -> Result<usize> {
        view["buffer"] = json!(0);
        view["byteOffset"] = json!(self.push(bytes)?);
        view["byteLength"] = json!(bytes.len());
        self.views.push(view);
        Ok(self.buffers.document.buffer_views.len() + self.views.len() - 1)
    }

    /// Overwrites bytes of the old buffer 0 at offset `at`. Returns `false` if that buffer was not
    /// merged or is too short.
    pub fn overwrite(&mut self, at: u64, bytes: &[u8]) -> bool {
        let is_merged = self.places.first() == Some(&(0, 0));
        let at = usize::try_from(at).ok().filter(|_| is_merged);
        let old = at.and_then(|at| self.chunk.get_mut(at..)?.get_mut(..bytes.len()));
        old.map(|old| old.copy_from_slice(bytes)).is_some()
    }

    /// Edits the lists of the document: buffers, buffer views and images.
    pub fn edit(&self, root: &mut Object, warnings: &mut Warnings) -> serde_json::Result<()> {
        json::edit(root, "buffers", |list| self.edit_buffers(list, warnings))?;
        json::edit(root, "bufferViews", |list| self.edit_views(list))?;
        json::edit_existing(root, "images", |list: &mut List| {
            for (index, image) in self.buffers.document.images.iter().enumerate() {
                let picture = file_of(image).and_then(|uri| *self.pictures.get(uri)?);
                let Some((view, media_type)) = picture else {
                    continue;
                };
                json::edit_item(list, index, |image| {
                    image.remove("uri");
                    json::set(image, "bufferView", view)?;
                    match image.contains_key("mimeType") {
                        true => Ok(()),
                        false => json::set(image, "mimeType", media_type),
                    }
                })?;
            }
            Ok(())
        })
    }

    /// Keeps the chunk and the buffers whose bytes cannot be read.
    fn edit_buffers(
        &self,
        list: &mut Vec<Object>,
        warnings: &mut Warnings,
    ) -> serde_json::Result<()> {
        // Buffer 0 keeps the name and the extras of the first merged buffer.
        let mut merged = None;
        let mut kept = Vec::new();
        for (index, mut buffer) in std::mem::take(list).into_iter().enumerate() {
            if self.places.get(index).is_some_and(|place| place.0 > 0) {
                kept.push(buffer);
            } else if merged.is_none() {
                buffer.remove("uri");
                let raw = self.buffers.document.buffers.get(index);
                if raw.is_some_and(|buffer| buffer.is_meshopt()) {
                    buffer.remove("extensions");
                }
                merged = Some(buffer);
            } else if buffer.keys().any(|key| key != "uri" && key != "byteLength") {
                warnings.push(format!(
                    "buffer {index} is now a part of buffer 0; its name and extras are left out"
                ));
            }
        }
        let mut merged = merged.unwrap_or_default();
        json::set(&mut merged, "byteLength", self.chunk.len())?;
        list.push(merged);
        list.append(&mut kept);
        Ok(())
    }

    /// Updates the places of buffer views and of the compressed data in their extensions, and
    /// adds the new views.
    fn edit_views(&self, list: &mut List) -> serde_json::Result<()> {
        for (index, view) in self.buffers.document.buffer_views.iter().enumerate() {
            if self.new_place(view.buffer.0).is_none() && view.extensions.is_none() {
                continue;
            }
            json::edit_item(list, index, |view| {
                self.move_bytes(view)?;
                json::edit_existing(view, "extensions", |extensions: &mut Object| {
                    [MESHOPT, KHR_MESHOPT].into_iter().try_for_each(|name| {
                        json::edit_existing(extensions, name, |data| self.move_bytes(data))
                    })
                })
            })?;
        }
        let new: serde_json::Result<List> = self.views.iter().map(to_raw_value).collect();
        list.append(&mut new?);
        Ok(())
    }

    /// Returns the new place of a buffer, if it differs from the old one.
    fn new_place(&self, buffer: u64) -> Option<Place> {
        let buffer = usize::try_from(buffer).ok()?;
        let place = *self.places.get(buffer)?;
        (place != (buffer, 0)).then_some(place)
    }

    /// Updates an object that refers to bytes of a buffer to the new place of that buffer.
    fn move_bytes(&self, object: &mut Object) -> serde_json::Result<()> {
        let buffer = number(object, "buffer");
        if let Some((buffer, at)) = buffer.and_then(|buffer| self.new_place(buffer)) {
            let offset = number(object, "byteOffset").unwrap_or(0);
            json::set(object, "buffer", buffer)?;
            json::set(object, "byteOffset", offset.saturating_add(at as u64))?;
        }
        Ok(())
    }
}

/// Returns the URI of a picture in another file.
fn file_of(image: &Image) -> Option<&str> {
    let uri = image.uri.as_deref().filter(|uri| data_uri(uri).is_none());
    uri.filter(|_| image.buffer_view.is_none())
}

/// Returns the value of a property that is a whole number.
fn number(object: &Object, key: &str) -> Option<u64> {
    let number: Size = serde_json::from_str(object.get(key)?.get()).ok()?;
    Some(number.0)
}

/// Returns the warning for a buffer or picture that cannot be read; too little memory is an error.
fn left_out(error: LoadErrorKind) -> Result<String> {
    let problem = match error {
        LoadErrorKind::Uri { at, problem, .. } | LoadErrorKind::Invalid { at, problem, .. } => {
            format!("{at}: {problem}")
        }
        LoadErrorKind::TooBig { .. } | LoadErrorKind::Crowded { .. } => return Err(error),
        error => error.to_string().trim_end_matches('.').to_owned(),
    };
    Ok(format!(
        "{problem}; it stays out of the .glb, which names it as before"
    ))
}
