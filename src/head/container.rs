//! From bytes to a document: what kind of file it is, the `.glb` envelope, and
//! the extensions the file cannot do without.

use super::document;
use super::error::{LoadErrorKind, Result, quoted};
use super::limits::Budget;
use gltf::json::Root;

/// What a `.glb` begins with.
pub const GLB: &[u8] = b"glTF";
pub const JSON_CHUNK: u32 = u32::from_le_bytes(*b"JSON");
pub const BIN_CHUNK: u32 = u32::from_le_bytes(*b"BIN\0");

/// The document and, for a `.glb`, its binary chunk.
pub fn open<'a>(bytes: &'a [u8], budget: &Budget) -> Result<(Root, Option<&'a [u8]>)> {
    let (json, bin) = split(bytes)?;
    let document = document::parse(json, budget)?;
    check_version(&document)?;
    check_extensions(&document)?;
    Ok((document, bin))
}

/// The JSON and, for a `.glb`, its binary chunk.
///
/// Not with `gltf::Glb`: that one panics at a length below 12, and refuses chunks
/// of other kinds, which are legal.
pub fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>)> {
    if bytes.starts_with(GLB) {
        return split_glb(bytes);
    }
    let json = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if json.trim_ascii_start().first() != Some(&b'{') {
        return Err(not_gltf(bytes));
    }
    Ok((json, None))
}

/// The JSON and BIN chunks of a `.glb`; other chunks are skipped.
fn split_glb(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>)> {
    let (mut json, mut bin) = (None, None);
    for chunk in chunks(bytes)? {
        match chunk? {
            (JSON_CHUNK, bytes) if json.is_none() => json = Some(bytes),
            (BIN_CHUNK, bytes) if bin.is_none() => bin = Some(bytes),
            _ => {}
        }
    }
    let json = json.ok_or_else(|| broken("it has no JSON chunk".into()))?;
    // Spaces are what pads it; some exporters write zeros.
    let end = json.iter().rposition(|&byte| byte != 0);
    let json = &json[..end.map_or(0, |last| last + 1)];
    Ok((json, bin))
}

/// The chunks of a `.glb` that [`split`] skips, with their kinds.
pub fn other_chunks(bytes: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let is_glb = bytes.starts_with(GLB);
    let chunks = is_glb.then(|| chunks(bytes).ok()).flatten();
    let mut known = vec![JSON_CHUNK, BIN_CHUNK];
    let chunks = chunks.into_iter().flatten().map_while(Result::ok);
    chunks.filter(move |&(kind, _)| {
        let first = known.iter().position(|&known| known == kind);
        first.map(|at| known.swap_remove(at)).is_none()
    })
}

fn broken(problem: String) -> LoadErrorKind {
    LoadErrorKind::Container { problem }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

/// The kinds and bytes of the chunks of a `.glb`; nothing comes after an error.
fn chunks(bytes: &[u8]) -> Result<impl Iterator<Item = Result<(u32, &[u8])>>> {
    let (Some(version), Some(length)) = (word(bytes, 4), word(bytes, 8)) else {
        return Err(broken("it ends within its 12-byte header".into()));
    };
    if version != 2 {
        return Err(version_error(&format!("{version}")));
    }
    let length = length as usize;
    if length > bytes.len() {
        return Err(broken(format!(
            "it says it has {length} bytes, but {} are there; it is cut off",
            bytes.len()
        )));
    }
    // What follows is nobody's.
    let bytes = &bytes[..length];
    let (mut at, mut nth) = (12, 0);
    Ok(std::iter::from_fn(move || {
        if at >= length {
            return None;
        }
        let chunk = chunk(bytes, at, nth);
        at = chunk.as_ref().map_or(length, |&(_, _, end)| end);
        nth += 1;
        Some(chunk.map(|(kind, bytes, _)| (kind, bytes)))
    }))
}

/// The kind, the bytes and the end of chunk `nth`, which begins at `at`.
fn chunk(bytes: &[u8], at: usize, nth: usize) -> Result<(u32, &[u8], usize)> {
    let (Some(size), Some(kind)) = (word(bytes, at), word(bytes, at + 4)) else {
        return Err(broken(format!("it ends within the header of chunk {nth}")));
    };
    let start = at + 8;
    let end = usize::try_from(size)
        .ok()
        .and_then(|n| start.checked_add(n));
    let within = end.and_then(|end| Some((bytes.get(start..end)?, end)));
    let Some((content, end)) = within else {
        return Err(broken(format!(
            "chunk {nth} says it has {size} bytes, but {} are there",
            bytes.len().saturating_sub(start)
        )));
    };
    Ok((kind, content, end))
}

fn check_version(document: &Root) -> Result<()> {
    let asset = &document.asset;
    if asset.version.is_empty() {
        return Err(LoadErrorKind::NotGltf {
            looks_like: "this is JSON without an `asset`".into(),
            advice: EXPORT.into(),
        });
    }
    let wanted = asset.min_version.as_ref().unwrap_or(&asset.version);
    let minor = wanted
        .strip_prefix("2.")
        .and_then(|n| n.parse::<u32>().ok());
    match (minor, &asset.min_version) {
        // Versions 2.x are readable unless `minVersion` asks for more than 2.0.
        (Some(_), None) | (Some(0), Some(_)) => Ok(()),
        _ => Err(version_error(wanted)),
    }
}

fn version_error(version: &str) -> LoadErrorKind {
    LoadErrorKind::NotGltf {
        looks_like: format!("this is glTF version {}", quoted(version)),
        advice: EXPORT.into(),
    }
}

/// Extensions that change pictures at most, so a file may require them unheeded.
const HARMLESS: [&str; 4] = [
    "KHR_texture_transform",
    "KHR_lights_punctual",
    "KHR_animation_pointer",
    "KHR_xmp_json_ld",
];

fn check_extensions(document: &Root) -> Result<()> {
    for name in &document.extensions_required {
        if HARMLESS.contains(&name.as_str()) || name.starts_with("KHR_materials_") {
            continue;
        }
        return Err(unsupported(name));
    }
    Ok(())
}

/// The refusal of an extension, with the way around it.
pub fn unsupported(name: &str) -> LoadErrorKind {
    let advice = match name {
        "KHR_draco_mesh_compression" => {
            "Export without Draco (Blender: File > Export > glTF 2.0 > Data > untick Compression)."
        }
        "EXT_meshopt_compression" | "KHR_meshopt_compression" => {
            "Export without meshopt compression (gltfpack: leave out -c and -cc, add -noq)."
        }
        "KHR_mesh_quantization" => {
            "Export with float positions (gltfpack: add -noq; gltf-transform: `dequantize`)."
        }
        "KHR_texture_basisu" => "Export with PNG or JPEG textures instead of KTX2/Basis.",
        "EXT_texture_webp" => {
            "Export with PNG or JPEG textures instead of WebP (Blender: Images: Automatic)."
        }
        "EXT_texture_avif" => "Export with PNG or JPEG textures instead of AVIF.",
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

const EXPORT: &str = "Export glTF 2.0 (.glb) instead; in Blender: File > Export > glTF 2.0, \
                      with Data > Mesh > Vertex Colors set to Active if a scalp is painted.";

/// Says what a file that is not glTF looks like.
fn not_gltf(bytes: &[u8]) -> LoadErrorKind {
    let starts = |magic: &[u8]| bytes.starts_with(magic);
    let head = &bytes[..bytes.len().min(1024)];
    let contains = |text: &[u8]| head.windows(text.len()).any(|window| window == text);
    let text = !head.contains(&0);
    let line = |word: &[u8]| {
        text && head
            .split(|&byte| byte == b'\n')
            .any(|line| line.starts_with(word))
    };
    let looks_like = if bytes.is_empty() {
        "the file is empty"
    } else if starts(b"Kaydara FBX") || starts(b"; FBX") {
        "looks like FBX"
    } else if starts(b"ply\n") || starts(b"ply\r") {
        "looks like PLY"
    } else if starts(b"BLENDER") {
        "looks like a .blend file"
    } else if contains(b"<COLLADA") {
        "looks like COLLADA (.dae)"
    } else if starts(b"PXR-USDC") || starts(b"#usda") {
        "looks like USD"
    } else if starts(b"PK\x03\x04") {
        "looks like a zip archive (or .usdz)"
    } else if starts(b"\x89PNG") || starts(b"\xFF\xD8\xFF") {
        "looks like a picture"
    } else if starts(b"version https://git-lfs") {
        "looks like a Git LFS pointer (run `git lfs pull`)"
    } else if contains(b"<html") || contains(b"<!DOCTYPE html") || contains(b"<!doctype html") {
        "looks like a web page"
    } else if line(b"v ") || line(b"mtllib ") {
        "looks like OBJ"
    } else if starts(b"solid") || is_binary_stl(bytes) {
        "looks like STL"
    } else if text {
        "looks like a text file"
    } else {
        "starts with neither \"glTF\" nor \"{\""
    };
    LoadErrorKind::NotGltf {
        looks_like: looks_like.into(),
        advice: EXPORT.into(),
    }
}

/// A binary STL is known by its length: 84 bytes and 50 for each triangle.
fn is_binary_stl(bytes: &[u8]) -> bool {
    let count = bytes.get(80..84).and_then(|four| four.try_into().ok());
    count.is_some_and(|four| bytes.len() as u64 == 84 + 50 * u64::from(u32::from_le_bytes(four)))
}
