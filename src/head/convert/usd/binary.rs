//! The binary format of USD (`.usdc`, a "crate"), of version 0.4 and later: tables of names, paths and
//! fields, which are packed, and values at places in the file.
//!
//! The crate `openusd` 0.6 is not used: damaged files make it panic or ask for gigabytes of memory.

use super::packed::{Reader, integers, unpack};
use super::paths::{self, NONE, Place};
use super::{WHAT, refused};
use crate::head::error::Result;
use crate::head::limits::Budget;

pub const MAGIC: &[u8] = b"PXR-USDC";

/// The tables of a file.
pub struct Crate<'a> {
    pub bytes: &'a [u8],
    pub version: [u8; 3],
    names: String,
    tokens: Vec<(u32, u32)>,
    strings: Vec<u32>,
    pub fields: Vec<(u32, u64)>,
    /// Numbers of fields, in runs that end with [`NONE`].
    pub runs: Vec<u32>,
    pub places: Vec<Place>,
    /// The paths, parents before what is in them.
    pub order: Vec<u32>,
    /// Path, run of fields and kind of each spec.
    pub specs: [Vec<u32>; 3],
}

impl<'a> Crate<'a> {
    /// Reads the tables of a file.
    pub fn read(bytes: &'a [u8], budget: &Budget) -> Result<Self> {
        let mut start = Reader::at(bytes, MAGIC.len() as u64)?;
        let [major, minor, patch, ..] = start.array::<8>()?;
        if major != 0 || minor < 4 {
            return Err(refused("is of a version that is not read"));
        }
        let contents = start.number()?;
        let mut contents = Reader::at(bytes, contents)?;
        let mut sections = Vec::new();
        for _ in 0..contents.number()?.min(64) {
            let name = contents.array::<16>()?;
            let [at, _] = [contents.number()?, contents.number()?];
            sections.push((name, at));
        }
        let section = |name: &[u8]| {
            let is_name = |(own, _): &&([u8; 16], u64)| {
                own.starts_with(name) && own[name.len()..].iter().all(|&byte| byte == 0)
            };
            let at = sections.iter().find(is_name).map(|(_, at)| *at);
            Reader::at(bytes, at.ok_or_else(|| refused("lacks one of its tables"))?)
        };

        let mut reader = section(b"TOKENS")?;
        let [count, size] = [reader.number()?, reader.number()?];
        let packed = reader.sized()?;
        let names = unpack(packed, size, budget)?;
        // Names may have any encoding.
        budget.take(names.len() as u64, 3, WHAT)?;
        let names = String::from_utf8_lossy(&names).into_owned();
        let found = names.bytes().filter(|&byte| byte == 0).count() as u64;
        budget.take(found, 8, WHAT)?;
        let mut tokens = Vec::with_capacity(found as usize);
        let mut from = 0;
        for (end, _) in names.bytes().enumerate().filter(|(_, byte)| *byte == 0) {
            tokens.push((from, end as u32));
            from = end as u32 + 1;
        }
        if count > found {
            return Err(refused("has fewer names than it says"));
        }

        let mut reader = section(b"STRINGS")?;
        let count = reader.number()?;
        let strings = reader.plain(count, 4)?.as_chunks::<4>().0;
        budget.take(count, 4, WHAT)?;
        let strings = strings
            .iter()
            .map(|word| u32::from_le_bytes(*word))
            .collect();

        let mut reader = section(b"FIELDS")?;
        let count = reader.number()?;
        let keys = integers(&mut reader, count, budget)?;
        let size = count
            .checked_mul(8)
            .ok_or_else(|| refused("has too many fields"))?;
        let values = unpack(reader.sized()?, size, budget)?;
        budget.take(count, size_of::<(u32, u64)>() as u64, WHAT)?;
        let values = values
            .as_chunks::<8>()
            .0
            .iter()
            .map(|word| u64::from_le_bytes(*word));
        let fields = keys.into_iter().zip(values).collect();

        let mut reader = section(b"FIELDSETS")?;
        let count = reader.number()?;
        let runs = integers(&mut reader, count, budget)?;

        let mut reader = section(b"PATHS")?;
        let paths = reader.number()?;
        let count = reader.number()?;
        let numbers = integers(&mut reader, count, budget)?;
        let elements = integers(&mut reader, count, budget)?;
        let jumps = integers(&mut reader, count, budget)?;
        budget.take(paths, size_of::<Place>() as u64, WHAT)?;
        budget.take(count, 4 + 1 + 16, WHAT)?;
        let mut places = vec![
            Place {
                parent: NONE,
                token: 0
            };
            paths as usize
        ];
        let order = paths::decode(&numbers, &elements, &jumps, &mut places)?;

        let mut reader = section(b"SPECS")?;
        let count = reader.number()?;
        let specs = [
            integers(&mut reader, count, budget)?,
            integers(&mut reader, count, budget)?,
            integers(&mut reader, count, budget)?,
        ];
        Ok(Crate {
            bytes,
            version: [major, minor, patch],
            names,
            tokens,
            strings,
            fields,
            runs,
            places,
            order,
            specs,
        })
    }

    /// Returns a name.
    pub fn token(&self, index: u32) -> &str {
        let (start, end) = self.tokens.get(index as usize).copied().unwrap_or_default();
        &self.names[start as usize..end as usize]
    }

    /// Returns a text.
    pub fn string(&self, index: u32) -> &str {
        self.strings
            .get(index as usize)
            .map_or("", |&token| self.token(token))
    }
}
