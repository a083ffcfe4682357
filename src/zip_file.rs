//! Zip archives of others: files are read within the budget of a load.

use crate::head::Budget;
use std::io::{Cursor, Read, Seek};
use zip::{CompressionMethod, ZipArchive};

/// Most files in a zip archive.
const MAX_FILES: usize = 1 << 14;

/// Opens a zip archive, if it has at most [`MAX_FILES`]: each takes memory.
pub fn open_zip<B: AsRef<[u8]>>(bytes: B) -> Result<ZipArchive<Cursor<B>>, String> {
    // Each has a header that begins in this way.
    let headers = bytes.as_ref().windows(4).filter(|w| w == b"PK\x01\x02");
    if headers.take(MAX_FILES + 1).count() > MAX_FILES {
        return Err(format!("it has more than {MAX_FILES} files"));
    }
    ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())
}

/// Reads a file of at most `max` bytes in a zip archive. The error follows its name.
pub fn read_entry<R: Read + Seek>(
    zip: &mut ZipArchive<R>,
    name: &str,
    max: u64,
    budget: &Budget,
) -> Result<Vec<u8>, String> {
    let file = zip.by_name(name);
    let file = file.map_err(|error| format!("cannot be read: {error}"))?;
    let size = file.size();
    if size > max {
        return Err(format!("is larger than {} MiB", max >> 20));
    }
    take(budget, size)?;
    let mut bytes = Vec::new();
    let reserved = bytes.try_reserve_exact(size as usize);
    reserved.map_err(|error| format!("cannot be read: {error}"))?;
    // The size in the archive may be wrong.
    let read = file.take(size).read_to_end(&mut bytes);
    read.map_err(|error| format!("is damaged: {error}"))?;
    match bytes.len() as u64 == size {
        true => Ok(bytes),
        false => Err("is damaged: it is shorter than it says".to_owned()),
    }
}

/// Returns the bytes of a file in a zip archive of `bytes`, unchecked; `None` if it is compressed.
pub fn stored_entry<'a>(
    zip: &mut ZipArchive<Cursor<&'a [u8]>>,
    name: &str,
    bytes: &'a [u8],
) -> Option<&'a [u8]> {
    let file = zip.by_name(name).ok()?;
    let is_plain = file.compression() == CompressionMethod::Stored && !file.encrypted();
    let start = usize::try_from(file.data_start()?).ok()?;
    let end = start.checked_add(usize::try_from(file.size()).ok()?)?;
    bytes.get(start..end).filter(|_| is_plain)
}

/// Takes memory for something in an archive. The error follows its name.
pub fn take(budget: &Budget, bytes: u64) -> Result<(), String> {
    let taken = budget.take(bytes, 1, "");
    taken.map_err(|_| too_big(bytes, budget.left()))
}

/// Returns the problem of what takes more memory than is left.
pub fn too_big(needs: u64, left: u64) -> String {
    let [needs, left] = [needs, left].map(|bytes| bytes.div_ceil(1_000_000));
    format!(
        "takes {needs} MB of memory, and {left} MB are left for it: all that is in it may take \
         8 times its bytes and 256 MB. If it is meant so, make its pictures smaller, or \
         save them with less compression"
    )
}
