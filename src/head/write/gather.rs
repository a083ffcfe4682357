//! Everything a file needs in one binary chunk: buffers and pictures that lie in other
//! files, or in `data:` URIs, are put behind one another into buffer 0.

use super::json;
use crate::head::buffers::{Buffers, is_meshopt};
use crate::head::error::{LoadErrorKind, Result, Warnings, thing};
use crate::head::image::media_type;
use crate::head::uri::Wanted;
use gltf::json::{Index, Root};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// Bytes that wait to be written.
enum Piece<'a> {
    Borrowed(&'a [u8]),
    Shared(Arc<Vec<u8>>),
}

/// The binary chunk in the making.
#[derive(Default)]
pub struct Chunk<'a> {
    pieces: Vec<Piece<'a>>,
    /// Of all pieces, each with what pads it.
    len: u64,
}

impl<'a> Chunk<'a> {
    /// Puts a piece at the end and tells where that is, a multiple of 4.
    fn push(&mut self, piece: Piece<'a>) -> u64 {
        let at = self.len;
        self.len += (piece.bytes().len() as u64).next_multiple_of(4);
        self.pieces.push(piece);
        at
    }

    /// How long it is, a multiple of 4.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Writes it.
    pub fn write(&self, out: &mut Vec<u8>) {
        for piece in &self.pieces {
            let bytes = piece.bytes();
            out.extend_from_slice(bytes);
            out.resize(
                out.len() + (bytes.len().next_multiple_of(4) - bytes.len()),
                0,
            );
        }
    }
}

impl Piece<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Piece::Borrowed(bytes) => bytes,
            Piece::Shared(bytes) => bytes,
        }
    }
}

/// Where a buffer of the file has gone.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Into buffer 0, from there on.
    Merged(u64),
    /// As it was, since its bytes cannot be had; to this index.
    Kept(usize),
}

/// The bytes of a file in one chunk, and how its JSON changes for it.
pub struct Gathered<'a> {
    document: &'a Root,
    pub chunk: Chunk<'a>,
    places: Vec<Place>,
    /// New buffer views, as JSON.
    views: Vec<String>,
    /// The new view and the media type of pictures, by their index.
    pictures: HashMap<usize, (usize, &'static str)>,
}

impl<'a> Gathered<'a> {
    /// Finds the bytes of every buffer and picture; what cannot be had stays as it is, with a
    /// warning.
    pub fn of(buffers: &'a Buffers<'a>, warnings: &mut Warnings) -> Result<Self> {
        let mut gathered = Gathered {
            document: buffers.document,
            chunk: Chunk::default(),
            places: Vec::with_capacity(buffers.document.buffers.len()),
            views: Vec::new(),
            pictures: HashMap::new(),
        };
        gathered.take_buffers(buffers, warnings)?;
        gathered.take_pictures(buffers, warnings)?;
        Ok(gathered)
    }

    fn take_buffers(&mut self, buffers: &'a Buffers, warnings: &mut Warnings) -> Result<()> {
        // All of it, also what no buffer owns.
        if let Some(bin) = buffers.bin {
            self.chunk.push(Piece::Borrowed(bin));
        }
        let mut kept = 0;
        for (index, buffer) in self.document.buffers.iter().enumerate() {
            let place = if index == 0 && buffer.uri.is_none() && buffers.bin.is_some() {
                Place::Merged(0)
            } else {
                match buffers.buffer(Index::new(index as u32)) {
                    Ok(bytes) => Place::Merged(self.chunk.push(Piece::Borrowed(bytes))),
                    Err(error) => {
                        // What stands for compressed data is no loss.
                        if !(is_meshopt(buffer) && buffer.uri.is_none()) {
                            warnings.push(left(error)?);
                        }
                        kept += 1;
                        Place::Kept(kept)
                    }
                }
            };
            self.places.push(place);
        }
        Ok(())
    }

    fn take_pictures(&mut self, buffers: &'a Buffers, warnings: &mut Warnings) -> Result<()> {
        let mut taken: HashMap<&str, Option<(usize, &'static str)>> = HashMap::new();
        for (index, image) in self.document.images.iter().enumerate() {
            let is_data = |uri: &str| {
                let scheme = uri.get(..5);
                scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
            };
            let Some(uri) = image.uri.as_deref().filter(|uri| !is_data(uri)) else {
                continue;
            };
            if image.buffer_view.is_some() {
                continue;
            }
            let picture = match taken.get(uri) {
                Some(&done) => done,
                None => {
                    let at = thing("image", index, image.name.as_deref());
                    let fetched = self.picture(buffers, uri, &at);
                    let picture = match fetched {
                        Ok(picture) => Some(picture),
                        Err(error) => {
                            warnings.push(left(error)?);
                            None
                        }
                    };
                    *taken.entry(uri).or_insert(picture)
                }
            };
            if let Some(picture) = picture {
                self.pictures.insert(index, picture);
            }
        }
        Ok(())
    }

    /// The view that a picture's file becomes, and its media type.
    fn picture(
        &mut self,
        buffers: &'a Buffers,
        uri: &str,
        at: &str,
    ) -> Result<(usize, &'static str)> {
        let fetch = |wanted| buffers.folder.fetch(uri, at, wanted, &buffers.budget);
        let mut bytes = fetch(Wanted::Picture)?;
        let Some(kind) = media_type(&bytes) else {
            return Err(LoadErrorKind::Uri {
                at: at.to_owned(),
                problem: "its file is no picture".to_owned(),
                advice: String::new(),
            });
        };
        if !matches!(kind, "image/png" | "image/jpeg") {
            // Only the beginning of those that are not shown has been read.
            bytes = fetch(Wanted::Bytes(u64::MAX))?;
        }
        Ok((self.add(Piece::Shared(bytes), ""), kind))
    }

    /// Adds vertex attributes of 4-byte aligned elements; their new view.
    pub fn add_attributes(&mut self, bytes: Vec<u8>) -> usize {
        // 34962: ARRAY_BUFFER
        self.add(Piece::Shared(Arc::new(bytes)), r#","target":34962"#)
    }

    /// Puts bytes in place of those of buffer 0 from `at` on, both multiples of 4; gives them back
    /// if they have no place there.
    pub fn write_over(&mut self, at: u64, bytes: Vec<u8>) -> std::result::Result<(), Vec<u8>> {
        let pieces = &mut self.chunk.pieces;
        let (Some(Place::Merged(0)), Some(Piece::Borrowed(own))) =
            (self.places.first(), pieces.first())
        else {
            return Err(bytes);
        };
        let around = usize::try_from(at).ok().and_then(|at| {
            let (before, rest) = own.split_at_checked(at)?;
            Some((before, rest.get(bytes.len()..)?))
        });
        let Some((before, after)) = around else {
            return Err(bytes);
        };
        let bytes = Piece::Shared(Arc::new(bytes));
        pieces.splice(
            ..1,
            [Piece::Borrowed(before), bytes, Piece::Borrowed(after)],
        );
        Ok(())
    }

    fn add(&mut self, piece: Piece<'a>, more: &str) -> usize {
        let length = piece.bytes().len();
        let at = self.chunk.push(piece);
        let view = format!(r#"{{"buffer":0,"byteOffset":{at},"byteLength":{length}{more}}}"#);
        self.views.push(view);
        self.document.buffer_views.len() + self.views.len() - 1
    }

    /// The list of buffers: the chunk, and those whose bytes could not be had.
    pub fn buffers(&self, list: &str, warnings: &mut Warnings) -> serde_json::Result<String> {
        let is_merged = |place: &Place| matches!(place, Place::Merged(_));
        // The chunk keeps the name and the extras of the first that is in it.
        let first = self.places.iter().position(is_merged);
        let length = self.chunk.len().to_string();
        let length = [("byteLength", length.as_str())];
        let mut own = json::with("{}", &length, &[])?;
        let mut kept = Vec::new();
        json::list::<serde_json::Error>(
            list,
            &mut |index, buffer| {
                if Some(index) == first {
                    let extensions = self.document.buffers.get(index).is_some_and(is_meshopt);
                    let drops = ["uri", "extensions"];
                    let drops = &drops[..1 + usize::from(extensions)];
                    own = json::with(buffer, &length, drops)?;
                } else if self.places.get(index).is_some_and(is_merged) {
                    if json::has_more_than(buffer, &["uri", "byteLength"])? {
                        warnings.push(format!(
                            "buffer {index} is now a part of buffer 0; its name and extras are \
                             left out"
                        ));
                    }
                } else {
                    kept.push(buffer.to_owned());
                }
                Ok(Cow::Borrowed("0"))
            },
            &[],
        )?;
        kept.insert(0, own);
        Ok(format!("[{}]", kept.join(",")))
    }

    /// The list of buffer views: each where its buffer has gone, and the new ones.
    pub fn views(&self, list: &str) -> serde_json::Result<String> {
        let moved = &mut |index: usize, view| {
            let Some(raw) = self.document.buffer_views.get(index) else {
                return Ok(Cow::Borrowed(view));
            };
            let buffer = raw.buffer.value();
            let mut moved = Cow::Borrowed(view);
            if let Some(place) = self.moved(buffer) {
                moved = rebased(view, raw.byte_offset.unwrap_or_default().0, place)?.into();
            }
            self.with_compressed(moved)
        };
        json::list::<serde_json::Error>(list, moved, &self.views)
    }

    /// Where a buffer has gone, if its views must know.
    fn moved(&self, buffer: usize) -> Option<Place> {
        let stays = |place: &Place| match *place {
            Place::Merged(at) => at == 0 && buffer == 0,
            Place::Kept(index) => index == buffer,
        };
        self.places
            .get(buffer)
            .copied()
            .filter(|place| !stays(place))
    }

    /// The same for the compressed data that a view may have beside the plain.
    fn with_compressed<'v>(&self, view: Cow<'v, str>) -> serde_json::Result<Cow<'v, str>> {
        let [Some(extensions)] = json::find(&view, ["extensions"])? else {
            return Ok(view);
        };
        let mut changed = None;
        for name in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
            let [Some(compressed)] = json::find(extensions, [name])? else {
                continue;
            };
            let numbers = json::find(compressed, ["buffer", "byteOffset"])?;
            let [buffer, offset] = numbers.map(|number| number.and_then(|n| n.parse().ok()));
            let place = buffer.and_then(|buffer: u64| self.moved(usize::try_from(buffer).ok()?));
            if let Some(place) = place {
                let compressed = rebased(compressed, offset.unwrap_or(0), place)?;
                let extensions = changed.as_deref().unwrap_or(extensions);
                changed = Some(json::with(extensions, &[(name, &compressed)], &[])?);
            }
        }
        Ok(match changed {
            Some(extensions) => json::with(&view, &[("extensions", &extensions)], &[])?.into(),
            None => view,
        })
    }

    /// The list of images: those that were in other files are in the chunk.
    pub fn images(&self, list: &str) -> serde_json::Result<String> {
        let inside = &mut |index: usize, image| {
            let Some((view, kind)) = self.pictures.get(&index) else {
                return Ok(Cow::Borrowed(image));
            };
            let [kept] = json::find(image, ["mimeType"])?;
            let kind = format!("\"{kind}\"");
            let view = view.to_string();
            let sets = [
                ("bufferView", view.as_str()),
                ("mimeType", kept.unwrap_or(&kind)),
            ];
            Ok(json::with(image, &sets, &["uri"])?.into())
        };
        json::list::<serde_json::Error>(list, inside, &[])
    }
}

/// What names a buffer and an offset in it, for where the buffer has gone.
fn rebased(object: &str, offset: u64, place: Place) -> serde_json::Result<String> {
    match place {
        Place::Merged(at) => {
            let offset = offset.saturating_add(at).to_string();
            json::with(object, &[("buffer", "0"), ("byteOffset", &offset)], &[])
        }
        Place::Kept(index) => json::with(object, &[("buffer", &index.to_string())], &[]),
    }
}

/// What is said of something that stays where it is; an error if memory is the reason.
fn left(error: LoadErrorKind) -> Result<String> {
    let named = match error {
        LoadErrorKind::Uri { at, problem, .. } | LoadErrorKind::Invalid { at, problem, .. } => {
            format!("{at}: {problem}")
        }
        error @ (LoadErrorKind::TooBig { .. } | LoadErrorKind::Crowded { .. }) => {
            return Err(error);
        }
        error => error.to_string().trim_end_matches('.').to_owned(),
    };
    Ok(format!(
        "{named}; it stays out of the .glb, which names it as before"
    ))
}
