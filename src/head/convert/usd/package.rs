//! Packages of USD (`.usdz`): zip archives whose files are not compressed, so that they are pieces of
//! the archive.

use super::{WHAT, refused};
use crate::head::error::Result;
use crate::head::limits::Budget;
use std::collections::HashMap;

const LOCAL_HEADER: &[u8] = b"PK\x03\x04";
/// Memory of a file in the table.
const BYTES_PER_FILE: u64 = 96;

/// The files of a package by name; a layer alone has none.
pub struct Package<'a> {
    files: HashMap<&'a str, &'a [u8]>,
    first: Option<(&'a str, &'a [u8])>,
}

/// Returns the names and the contents of the files of an archive, until one that is compressed.
pub fn entries(bytes: &[u8]) -> impl Iterator<Item = (&str, &[u8])> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let after = rest.strip_prefix(LOCAL_HEADER)?;
        let short = |at: usize| Some(u16::from_le_bytes(*after.get(at..)?.first_chunk()?) as usize);
        let long = |at: usize| Some(u32::from_le_bytes(*after.get(at..)?.first_chunk()?) as usize);
        let (flags, method) = (short(2)?, short(4)?);
        // Encrypted, or of a size that stands elsewhere.
        if method != 0 || flags & 9 != 0 {
            return None;
        }
        let (size, name, extra) = (long(14)?, short(22)?, short(24)?);
        let (name, after) = after.get(26..)?.split_at_checked(name)?;
        let (content, after) = after.get(extra..)?.split_at_checked(size)?;
        rest = after;
        Some((std::str::from_utf8(name).unwrap_or_default(), content))
    })
}

impl<'a> Package<'a> {
    /// Lists the files of an archive.
    pub fn open(bytes: &'a [u8], budget: &Budget) -> Result<Self> {
        let count = entries(bytes).count() as u64;
        budget.take(count, BYTES_PER_FILE, WHAT)?;
        let first = entries(bytes).next();
        if first.is_none() && bytes.starts_with(LOCAL_HEADER) {
            return Err(refused("begins with a compressed file; a .usdz has none"));
        }
        Ok(Package {
            files: entries(bytes).collect(),
            first,
        })
    }

    /// Returns the name and the content of the layer that stands for the package.
    pub fn first(&self, bytes: &'a [u8]) -> (&'a str, &'a [u8]) {
        self.first.unwrap_or(("", bytes))
    }

    /// Returns a file, by its path from the layer of a name.
    pub fn find(&self, layer: &str, path: &str) -> Option<&'a [u8]> {
        let folder = layer.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()),
                _ => parts.push(part),
            }
        }
        self.files.get(&parts.join("/")[..]).copied()
    }
}
