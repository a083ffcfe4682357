//! The `.glb` container, its version and required extensions, and other formats recognised by
//! their first bytes.

use super::document::{DRACO, Document, KHR_MESHOPT, MESHOPT, QUANTIZATION, version_error};
use crate::head::error::LoadErrorKind::{self, Container};
use crate::head::error::Result;
use crate::head::limits::Budget;
use crate::mesh_file::stl;

/// The first bytes of a `.glb`.
pub const GLB: &[u8] = b"glTF";
pub const JSON_CHUNK: u32 = u32::from_le_bytes(*b"JSON");
pub const BIN_CHUNK: u32 = u32::from_le_bytes(*b"BIN\0");

/// Returns the document and, of a `.glb`, its binary chunk.
pub fn open<'a>(bytes: &'a [u8], budget: &Budget) -> Result<(Document, Option<&'a [u8]>)> {
    let (json, bin) = split(bytes)?;
    let document = Document::parse(json, budget)?;
    let is_known =
        |name: &&String| KNOWN.contains(&name.as_str()) || name.starts_with("KHR_materials_");
    let mut required = document.extensions_required.iter();
    match required.find(|name| !is_known(name)) {
        Some(name) => Err(unsupported(name)),
        None => Ok((document, bin)),
    }
}

/// Returns the JSON and, of a `.glb`, its binary chunk.
pub fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>)> {
    if !bytes.starts_with(GLB) {
        let json = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        return match json.trim_ascii_start().first() {
            Some(b'{') => Ok((json, None)),
            _ => Err(not_gltf(bytes)),
        };
    }
    // Other chunks are skipped.
    let (mut json, mut bin) = (None, None);
    for chunk in chunks(bytes)? {
        match chunk? {
            (JSON_CHUNK, bytes) if json.is_none() => json = Some(bytes),
            (BIN_CHUNK, bytes) if bin.is_none() => bin = Some(bytes),
            _ => {}
        }
    }
    let json = json.ok_or_else(|| Container("it has no JSON chunk".into()))?;
    // The padding is spaces, but some exporters write zeros.
    let end = json.iter().rposition(|&byte| byte != 0);
    let json = &json[..end.map_or(0, |last| last + 1)];
    Ok((json, bin))
}

/// Returns the kinds and bytes of the chunks of a `.glb` that [`split`] skips.
pub fn other_chunks(bytes: &[u8]) -> impl Iterator<Item = (u32, &[u8])> + Clone {
    let mut known = vec![JSON_CHUNK, BIN_CHUNK];
    // The version of JSON text is not 2.
    let chunks = chunks(bytes).into_iter().flatten();
    chunks.map_while(Result::ok).filter(move |&(kind, _)| {
        let first = known.iter().position(|&known| known == kind);
        first.map(|at| known.swap_remove(at)).is_none()
    })
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*four))
}

/// Returns the kinds and bytes of the chunks of a `.glb`, up to the first error.
fn chunks(bytes: &[u8]) -> Result<impl Iterator<Item = Result<(u32, &[u8])>> + Clone> {
    let (Some(version), Some(length)) = (word(bytes, 4), word(bytes, 8)) else {
        return Err(Container("it ends within its 12-byte header".into()));
    };
    if version != 2 {
        return Err(version_error(&format!("{version}")));
    }
    let length = length as usize;
    if length > bytes.len() {
        return Err(Container(format!(
            "it claims {length} bytes, but has only {}; it is cut off",
            bytes.len()
        )));
    }
    // Bytes after the stated length are ignored.
    let mut rest = bytes.get(12..length).unwrap_or_default();
    let mut nth = 0;
    Ok(std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let bytes = std::mem::take(&mut rest);
        let (Some(size), Some(kind)) = (word(bytes, 0), word(bytes, 4)) else {
            let problem = format!("it ends within the header of chunk {nth}");
            return Some(Err(Container(problem)));
        };
        let Some((content, after)) = bytes[8..].split_at_checked(size as usize) else {
            let has = bytes.len() - 8;
            let problem = format!("chunk {nth} claims {size} bytes, but has only {has}");
            return Some(Err(Container(problem)));
        };
        rest = after;
        nth += 1;
        Some(Ok((kind, content)))
    }))
}

/// Returns the length of a `.glb` of chunks.
pub fn length<'a>(chunks: impl Iterator<Item = (u32, &'a [u8])>) -> u64 {
    let lengths = chunks.map(|(_, bytes)| 8 + bytes.len().next_multiple_of(4) as u64);
    12 + lengths.sum::<u64>()
}

/// Returns a `.glb` of chunks; `None` if it would be too long for its header or for memory.
pub fn write<'a>(chunks: impl Iterator<Item = (u32, &'a [u8])> + Clone) -> Option<Vec<u8>> {
    let stated = u32::try_from(length(chunks.clone())).ok()?;
    let mut file = Vec::new();
    file.try_reserve_exact(stated as usize).ok()?;
    file.extend_from_slice(GLB);
    file.extend([2, stated].map(u32::to_le_bytes).as_flattened());
    for (kind, bytes) in chunks {
        // A chunk is shorter than the file, whose length fits.
        let header = [bytes.len().next_multiple_of(4) as u32, kind];
        file.extend(header.map(u32::to_le_bytes).as_flattened());
        file.extend_from_slice(bytes);
        let padding = if kind == JSON_CHUNK { b' ' } else { 0 };
        file.resize(file.len().next_multiple_of(4), padding);
    }
    Some(file)
}

/// Returns the error for a file of no format that is read, which says what it looks like.
fn not_gltf(bytes: &[u8]) -> LoadErrorKind {
    let start = &bytes[..bytes.len().min(1024)];
    let contains = |text: &&[u8]| start.windows(text.len()).any(|window| window == *text);
    let is_text = !start.contains(&0);
    const SIGNATURES: [(&[u8], &str); 5] = [
        (b"BLENDER", "looks like a .blend file"),
        (b"PK\x03\x04", "looks like a zip archive"),
        (b"\x89PNG", "looks like a picture"),
        (b"\xFF\xD8\xFF", "looks like a picture"),
        (
            b"version https://git-lfs",
            "looks like a Git LFS pointer (run `git lfs pull`)",
        ),
    ];
    const HTML: [&[u8]; 3] = [b"<html", b"<!DOCTYPE html", b"<!doctype html"];
    let mut signatures = SIGNATURES.iter();
    let signature = signatures.find(|(first, _)| bytes.starts_with(first));
    let looks_like = if bytes.is_empty() {
        "the file is empty"
    } else if let Some((_, looks_like)) = signature {
        looks_like
    } else if HTML.iter().any(contains) {
        "looks like a web page"
    } else if is_text {
        "looks like a text file"
    } else if stl::may_be_cut(bytes) {
        "may be a binary STL whose end is missing; copy or export it again"
    } else {
        "is damaged, or in a format that is not known"
    };
    LoadErrorKind::NotGltf(looks_like.into())
}

/// Extensions that are read, or that affect at most a picture, besides `KHR_materials_*`.
const KNOWN: [&str; 11] = [
    DRACO,
    MESHOPT,
    KHR_MESHOPT,
    QUANTIZATION,
    "EXT_texture_avif",
    "EXT_texture_webp",
    "KHR_texture_basisu",
    "KHR_texture_transform",
    "KHR_lights_punctual",
    "KHR_animation_pointer",
    "KHR_xmp_json_ld",
];

/// Returns the error for an extension, with advice on how to export without it.
fn unsupported(name: &str) -> LoadErrorKind {
    let advice = match name {
        "EXT_mesh_gpu_instancing" => "Export with instances made real.",
        _ => {
            "Export without it: open the file in Blender and use File > Export > glTF 2.0 with default options."
        }
    };
    LoadErrorKind::Extension {
        name: name.escape_debug().take(80).collect(),
        advice: advice.into(),
    }
}
