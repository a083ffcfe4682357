//! Bytes behind a URI: `data:` in the document, or a file inside the model's folder. Pictures are
//! recognised by their first bytes.

use crate::files::{disk, read_start, resolve_inside};
use crate::head::error::{Bytes, LoadErrorKind, Result, limit_hint, quoted};
use crate::head::limits::{Budget, Limits};
use crate::head::model::Model;
use crate::head::shipped::ShippedModel;
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Memory charged for a path besides its characters.
const TRIED_BYTES: usize = 160;

/// The folder that the URIs of a document are restricted to.
pub struct Folder {
    /// The model's folder; `None` for a model in memory.
    path: Option<PathBuf>,
    /// `true` for a model of the program, beside which are the others.
    is_shipped: bool,
    /// The bytes read so far, by canonical path: all of a file, or its start.
    files: RefCell<HashMap<PathBuf, Arc<Vec<u8>>>>,
    /// All paths that were looked up, with their place in the order.
    tried: RefCell<HashMap<PathBuf, usize>>,
}

impl Folder {
    /// Returns the folder of a model (`None` for one in memory).
    pub fn of(model: Option<&Model>) -> Self {
        let path = model
            .and_then(Model::path)
            .map(|model| match model.parent() {
                Some(parent) if parent != Path::new("") => parent.to_owned(),
                _ => PathBuf::from("."),
            });
        Folder {
            path,
            is_shipped: matches!(model, Some(Model::Shipped(_))),
            files: RefCell::default(),
            tried: RefCell::default(),
        }
    }

    /// Returns the bytes behind `uri`, at least `count` of them if it has them; `at` is the element
    /// that names it (`buffer 0`).
    pub fn fetch(&self, uri: &str, at: &str, count: u64, budget: &Budget) -> Result<Arc<Vec<u8>>> {
        if let Some(data) = data_uri(uri) {
            return decode_data(data, at, budget);
        }
        let named = quoted(uri);
        let fail = |problem: String, advice| Err(LoadErrorKind::uri(at, problem, advice));
        let decoded = percent_decode_str(uri).decode_utf8().ok();
        let Some(relative) = decoded.as_deref().and_then(contained) else {
            return fail(
                format!("its URI {named} does not stay inside the model's folder"),
                "Put the file beside the model and name it relatively, or export one .glb.",
            );
        };
        if self.is_shipped
            && let Some(model) = relative.to_str().and_then(ShippedModel::named)
        {
            let bytes = model.bytes();
            budget.add_input(bytes.len() as u64);
            return Ok(Arc::new(bytes.to_vec()));
        }
        let Some(folder) = &self.path else {
            return fail(
                format!("it is in another file, {named}, which a head in memory cannot name"),
                "Export one self-contained .glb.",
            );
        };
        // The name may contain a literal `%`.
        let raw = contained(uri).filter(|raw| *raw != relative);
        let mut found = None;
        for path in [Some(relative), raw].into_iter().flatten() {
            let path = folder.join(path);
            let mut tried = self.tried.borrow_mut();
            if !tried.contains_key(&path) {
                let bytes = path.as_os_str().len() + TRIED_BYTES;
                budget.take(bytes as u64, 1, format_args!("{at} (a file name)"))?;
                let place = tried.len();
                tried.insert(path.clone(), place);
            }
            if disk::symlink_metadata(&path).is_ok() {
                found = Some(path);
                break;
            }
        }
        let Some(path) = found else {
            return fail(
                format!("its file {named} does not exist"),
                "Put it beside the model, or export one self-contained .glb.",
            );
        };
        let unreadable = |error: std::io::Error| {
            let problem = format!("its file {named} cannot be read: {error}");
            LoadErrorKind::uri(at, problem, "Check the file.")
        };
        let inside = resolve_inside(folder, &path).map_err(unreadable)?;
        let Some(path) = inside else {
            return fail(
                format!("its file {named} is a link out of the model's folder"),
                "Copy the file itself into the folder.",
            );
        };
        let meta = disk::metadata(&path).map_err(unreadable)?;
        if !meta.is_file() {
            return fail(
                format!("{named} is not a plain file"),
                "Name the file that holds the data.",
            );
        }
        let mut files = self.files.borrow_mut();
        let known = files.get(&path).map_or(0, |bytes| bytes.len()) as u64;
        if let Some(bytes) = files.get(&path)
            && known >= count.min(meta.len())
        {
            return Ok(bytes.clone());
        }
        // Longer reads hold more memory beside the shorter ones: only the start of a picture is not
        // counted again.
        let known = known.min(MAGIC_BYTES);
        let before = budget.read.get() - known;
        let bytes = read_limited(&path, count, before, &budget.limits).map_err(unreadable)?;
        budget.add_input((bytes.len() as u64).saturating_sub(known));
        let bytes = Arc::new(bytes);
        files.insert(path, bytes.clone());
        Ok(bytes)
    }

    /// Returns the bytes behind the URI of a picture, or only the first of what cannot be decoded:
    /// a small document may name a huge file.
    pub fn fetch_picture(&self, uri: &str, at: &str, budget: &Budget) -> Result<Arc<Vec<u8>>> {
        let start = self.fetch(uri, at, MAGIC_BYTES, budget)?;
        match media_type(&start) {
            Some("image/png" | "image/jpeg" | "image/webp" | "image/ktx2")
                if data_uri(uri).is_none() =>
            {
                self.fetch(uri, at, u64::MAX, budget)
            }
            _ => Ok(start),
        }
    }

    /// Returns the model and every path that was looked up, in order.
    pub fn looked_at(&self, model: Option<&Path>) -> Vec<PathBuf> {
        let mut tried: Vec<_> = self.tried.take().into_iter().collect();
        tried.sort_unstable_by_key(|&(_, place)| place);
        let tried = tried.into_iter().map(|(path, _)| path);
        model.map(Path::to_owned).into_iter().chain(tried).collect()
    }
}

/// Returns what follows `data:` in a data URI.
pub fn data_uri(uri: &str) -> Option<&str> {
    let (scheme, data) = uri.split_at_checked(5)?;
    scheme.eq_ignore_ascii_case("data:").then_some(data)
}

/// Reads the first `count` bytes of a plain file, if they and the `before` bytes that were read
/// before are within the limit.
pub fn read_limited(
    path: &Path,
    count: u64,
    before: u64,
    limits: &Limits,
) -> std::io::Result<Vec<u8>> {
    let left = limits.file_bytes.saturating_sub(before);
    read_start(path, count, left, || {
        let (max, hint) = (Bytes(limits.file_bytes), limit_hint("file-bytes"));
        match before {
            0 => format!("it is larger than {max} {hint}"),
            _ => format!("it and the files before it are larger than {max} {hint}"),
        }
    })
}

/// Returns the relative path of a URI without scheme, root, `..` and device names.
pub(in crate::head) fn contained(uri: &str) -> Option<PathBuf> {
    let uri = uri.replace('\\', "/");
    if uri.is_empty() || uri.starts_with('/') || uri.contains([':', '\0']) {
        return None;
    }
    let mut path = PathBuf::new();
    for part in uri.split('/') {
        match part {
            "" | "." => {}
            ".." => return None,
            part if is_device(part) => return None,
            part => path.push(part),
        }
    }
    (!path.as_os_str().is_empty()).then_some(path)
}

/// Returns `true` if the name is a device on Windows in every folder. Such files are refused on
/// every system, so that a model loads everywhere or nowhere.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end();
    let stem = stem.to_ascii_lowercase();
    let mut ports = ["com", "lpt"].iter();
    let port = ports.find_map(|port| stem.strip_prefix(port));
    ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(&&*stem)
        || port.is_some_and(|number| matches!(number.as_bytes(), [b'1'..=b'9']))
}

/// Returns the bytes of a data URI; `uri` is what follows `data:`.
fn decode_data(uri: &str, at: &str, budget: &Budget) -> Result<Arc<Vec<u8>>> {
    let fail = |problem: &str| {
        let problem = format!("its data URI {problem}");
        LoadErrorKind::uri(at, problem, "Export it again, best as one .glb.")
    };
    let (kind, text) = uri.split_once(',').ok_or_else(|| fail("has no comma"))?;
    let base64 = kind.rsplit(';').next().unwrap_or_default();
    if !base64.trim().eq_ignore_ascii_case("base64") {
        return Err(fail("is not base64"));
    }
    // Three copies: unescaped, without white space, and decoded.
    budget.take(text.len() as u64, 3, format_args!("{at} (a data URI)"))?;
    let decoded = if text.contains(['%', ' ', '\n', '\r', '\t']) {
        let text = percent_decode_str(text).decode_utf8();
        let text = text.map_err(|_| fail("is not text"))?;
        BASE64.decode(text.replace([' ', '\n', '\r', '\t'], ""))
    } else {
        BASE64.decode(text)
    };
    let bytes = decoded.map_err(|error| fail(&format!("is not base64: {error}")))?;
    budget.give_back(text.len() as u64, 2);
    Ok(Arc::new(bytes))
}

/// Number of bytes that identify the format of a picture.
pub const MAGIC_BYTES: u64 = 16;

/// Returns the media type of a picture, also of formats that are not decoded here.
pub fn media_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        _ if bytes.starts_with(b"\x89PNG\r\n\x1a\n") => Some("image/png"),
        _ if bytes.starts_with(b"\xFF\xD8\xFF") => Some("image/jpeg"),
        _ if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") => Some("image/webp"),
        _ if bytes.starts_with(b"\xABKTX 20\xBB") => Some("image/ktx2"),
        _ if bytes.get(4..12) == Some(b"ftypavif") => Some("image/avif"),
        _ => None,
    }
}
