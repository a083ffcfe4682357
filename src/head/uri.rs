//! Bytes behind a URI: `data:` in the document, or a file inside the model's folder.

use super::error::{Bytes, LoadErrorKind, Result, quoted};
use super::limits::{Budget, Limits, way_past};
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Memory for a path that was tried, besides its characters.
const TRIED_BYTES: usize = 160;

/// Where the URIs of a document may lead.
pub struct Folder {
    /// The model's folder; none for a file in memory.
    path: Option<PathBuf>,
    /// A file named twice is read once.
    files: RefCell<HashMap<PathBuf, Arc<Vec<u8>>>>,
    /// Paths that were tried, whatever was there, with their place in the order.
    tried: RefCell<HashMap<PathBuf, usize>>,
    /// Read so far, the model with it.
    bytes: Cell<u64>,
}

impl Folder {
    /// The folder of the model at `model`, or nothing for a model in memory; the model
    /// itself has so many bytes.
    pub fn of(model: Option<&Path>, bytes: u64) -> Self {
        let folder = model.map(|model| match model.parent() {
            Some(parent) if parent != Path::new("") => parent.to_owned(),
            _ => PathBuf::from("."),
        });
        Folder {
            path: folder,
            files: RefCell::default(),
            tried: RefCell::default(),
            bytes: Cell::new(bytes),
        }
    }

    /// The bytes behind `uri`; `at` is what names it (`buffer 0`).
    pub fn fetch(&self, uri: &str, at: &str, budget: &Budget) -> Result<Arc<Vec<u8>>> {
        let fail = |problem: String, advice: &str| LoadErrorKind::Uri {
            at: at.to_owned(),
            problem,
            advice: advice.to_owned(),
        };
        if uri
            .get(..5)
            .is_some_and(|s| s.eq_ignore_ascii_case("data:"))
        {
            return decode_data(&uri[5..], at, budget);
        }
        let named = quoted(uri);
        let decoded = percent_decode(uri);
        let Some(relative) = decoded.as_deref().and_then(contained) else {
            return Err(fail(
                format!("its URI {named} does not stay inside the model's folder"),
                "Put the file beside the model and name it relatively, or export one .glb.",
            ));
        };
        let Some(folder) = &self.path else {
            return Err(fail(
                format!("it is in another file, {named}, which cannot be had from memory"),
                "Export one self-contained .glb.",
            ));
        };
        // A name with a literal `%` is looked for too.
        let raw = contained(uri).filter(|raw| *raw != relative);
        let mut found = None;
        for path in [Some(relative.clone()), raw].into_iter().flatten() {
            let path = folder.join(path);
            self.remember(&path, at, budget)?;
            if path.symlink_metadata().is_ok() {
                found = Some(path);
                break;
            }
        }
        let Some(path) = found else {
            return Err(fail(
                format!("its file {named} is not there"),
                "Put it beside the model, or export one self-contained .glb.",
            ));
        };
        let unreadable = |error: std::io::Error| {
            fail(
                format!("its file {named} cannot be read: {error}"),
                "Check the file.",
            )
        };
        // Links are followed before the check, so none can lead out.
        let path = path.canonicalize().map_err(unreadable)?;
        if !path.starts_with(folder.canonicalize().map_err(unreadable)?) {
            return Err(fail(
                format!("its file {named} is a link out of the model's folder"),
                "Copy the file itself into the folder.",
            ));
        }
        if let Some(bytes) = self.files.borrow().get(&path) {
            return Ok(bytes.clone());
        }
        let meta = path.metadata().map_err(unreadable)?;
        if !meta.is_file() {
            return Err(fail(
                format!("{named} is not a plain file"),
                "Name the file that holds the data.",
            ));
        }
        let bytes = read_capped(&path, self.bytes.get(), &budget.limits).map_err(unreadable)?;
        self.bytes.set(self.bytes.get() + bytes.len() as u64);
        budget.bytes_read(bytes.len() as u64);
        let bytes = Arc::new(bytes);
        self.files.borrow_mut().insert(path, bytes.clone());
        Ok(bytes)
    }

    /// Notes that a path was tried.
    fn remember(&self, path: &Path, at: &str, budget: &Budget) -> Result<()> {
        let mut tried = self.tried.borrow_mut();
        if !tried.contains_key(path) {
            let bytes = path.as_os_str().len() + TRIED_BYTES;
            budget.take(bytes as u64, 1, || format!("{at} (a file name)"))?;
            let place = tried.len();
            tried.insert(path.to_owned(), place);
        }
        Ok(())
    }

    /// The model and every path that was tried, in the order they were.
    pub fn looked_at(&self, model: Option<&Path>) -> Vec<PathBuf> {
        let mut tried: Vec<_> = self.tried.take().into_iter().collect();
        tried.sort_unstable_by_key(|&(_, place)| place);
        let tried = tried.into_iter().map(|(path, _)| path);
        model.map(Path::to_owned).into_iter().chain(tried).collect()
    }
}

/// Reads a plain file, if it and the bytes that were read before are within the limit.
pub fn read_capped(path: &Path, before: u64, limits: &Limits) -> std::io::Result<Vec<u8>> {
    let file = std::fs::File::open(path)?;
    let size = file.metadata()?.len();
    let limit = limits.file_bytes.saturating_sub(before);
    let too_large = || {
        let (most, way_past) = (Bytes(limits.file_bytes), way_past("file-bytes"));
        std::io::Error::other(match before {
            0 => format!("it is larger than {most} {way_past}"),
            _ => format!("it and the files before it are larger than {most} {way_past}"),
        })
    };
    if size > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size as usize)?;
    // The file may grow while it is read.
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(too_large());
    }
    Ok(bytes)
}

/// The relative path of a URI, if it has no scheme, no root, no `..` and no device.
fn contained(uri: &str) -> Option<PathBuf> {
    let uri = uri.replace('\\', "/");
    if uri.is_empty() || uri.starts_with('/') || uri.contains([':', '\0']) {
        return None;
    }
    let mut path = PathBuf::new();
    for part in uri.split('/') {
        match part {
            "" | "." => {}
            ".." => return None,
            part => path.push(part),
        }
    }
    (!path.as_os_str().is_empty()).then_some(path)
}

/// Undoes `%20` and the like; none if the result is not UTF-8.
fn percent_decode(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let hex = |at: usize| (*bytes.get(at)? as char).to_digit(16);
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], hex(at + 1), hex(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                decoded.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(decoded).ok()
}

/// The bytes of a `data:` URI, after `data:`.
fn decode_data(uri: &str, at: &str, budget: &Budget) -> Result<Arc<Vec<u8>>> {
    let fail = |problem: &str| LoadErrorKind::Uri {
        at: at.to_owned(),
        problem: format!("its data URI {problem}"),
        advice: "Export it again, best as one .glb.".to_owned(),
    };
    let (kind, text) = uri.split_once(',').ok_or_else(|| fail("has no comma"))?;
    let base64 = kind.rsplit(';').next().unwrap_or_default();
    if !base64.trim().eq_ignore_ascii_case("base64") {
        return Err(fail("is not base64"));
    }
    budget.take(text.len() as u64, 2, || format!("{at} (a data URI)"))?;
    let decoded = if text.contains(['%', ' ', '\n', '\r', '\t']) {
        let text = percent_decode(text).ok_or_else(|| fail("is not text"))?;
        BASE64.decode(text.replace([' ', '\n', '\r', '\t'], ""))
    } else {
        BASE64.decode(text)
    };
    let bytes = decoded.map_err(|error| fail(&format!("is not base64: {error}")))?;
    budget.give_back(text.len() as u64, 1);
    Ok(Arc::new(bytes))
}
