//! The binary format of USD (`.usdc`, a "crate"), of version 0.4 and later: tables of names, paths and
//! fields, which are packed, and values at places in the file.
//!
//! The crate `openusd` 0.6 is not used: of 100,000 changed files of 10 and 28 kB, more than 300 made it
//! panic and 1,449 made it ask for more than 2 GiB of memory.

use super::layer::{Attribute, Layer, ROOT, Value, is_wanted};
use super::packed::{Fault, Reader, integers, unpack};
use super::paths::{self, NONE, Place};
use crate::head::error::Result;
use crate::head::limits::Budget;
use std::collections::HashMap;

pub const MAGIC: &[u8] = b"PXR-USDC";
/// Fields of a prim or an attribute, and paths that one names, that are looked at.
const MOST_FIELDS: usize = 256;

/// What is found where specs say that it is: prims, attributes and relationships.
const ATTRIBUTE: u32 = 1;
const PRIM: u32 = 6;
const PSEUDO_ROOT: u32 = 7;
const RELATIONSHIP: u32 = 8;

/// The tables of a file.
pub struct Crate<'a> {
    pub bytes: &'a [u8],
    pub version: [u8; 3],
    names: String,
    tokens: Vec<(u32, u32)>,
    strings: Vec<u32>,
    fields: Vec<(u32, u64)>,
    /// Numbers of fields, in runs that end with [`NONE`].
    runs: Vec<u32>,
    places: Vec<Place>,
    /// The paths, parents before what is in them.
    order: Vec<u32>,
    /// Path, run of fields and kind of each spec.
    specs: [Vec<u32>; 3],
}

impl<'a> Crate<'a> {
    /// Reads the tables of a file.
    pub fn read(bytes: &'a [u8], budget: &Budget) -> Result<Self> {
        Self::tables(bytes, budget).map_err(Fault::of_file)
    }

    fn tables(bytes: &'a [u8], budget: &Budget) -> std::result::Result<Self, Fault> {
        let mut start = Reader::at(bytes, MAGIC.len() as u64)?;
        let [major, minor, patch, ..] = start.array::<8>()?;
        if major != 0 || minor < 4 {
            return Err(Fault::Broken("is of a version that is not read"));
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
            Reader::at(bytes, at.ok_or(Fault::Broken("lacks one of its tables"))?)
        };

        let mut reader = section(b"TOKENS")?;
        let [count, size] = [reader.number()?, reader.number()?];
        let packed = reader.sized()?;
        let names = unpack(packed, size, budget)?;
        // Names may have any encoding.
        budget.take(names.len() as u64, 3, Fault::what)?;
        let names = String::from_utf8_lossy(&names).into_owned();
        let found = names.bytes().filter(|&byte| byte == 0).count() as u64;
        budget.take(found, 8, Fault::what)?;
        let mut tokens = Vec::with_capacity(found as usize);
        let mut from = 0;
        for (end, _) in names.bytes().enumerate().filter(|(_, byte)| *byte == 0) {
            tokens.push((from, end as u32));
            from = end as u32 + 1;
        }
        if count > found {
            return Err(Fault::Broken("has fewer names than it says"));
        }

        let mut reader = section(b"STRINGS")?;
        let count = reader.number()?;
        let strings = reader.plain(count, 4)?.as_chunks::<4>().0;
        budget.take(count, 4, Fault::what)?;
        let strings = strings
            .iter()
            .map(|word| u32::from_le_bytes(*word))
            .collect();

        let mut reader = section(b"FIELDS")?;
        let count = reader.number()?;
        let keys = integers(&mut reader, count, budget)?;
        let size = count
            .checked_mul(8)
            .ok_or(Fault::Broken("has too many fields"))?;
        let values = unpack(reader.sized()?, size, budget)?;
        budget.take(count, size_of::<(u32, u64)>() as u64, Fault::what)?;
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
        budget.take(paths, size_of::<Place>() as u64, Fault::what)?;
        budget.take(count, 4 + 1 + 16, Fault::what)?;
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

    /// Returns the prims with their attributes.
    pub fn layer(&self, budget: &Budget) -> Result<Layer<'_>> {
        let mut layer = Layer::new(Some(self));
        budget.take(self.places.len() as u64, 4, Fault::what)?;
        // The prim of each path; attributes, and what is in variants, have none.
        let mut prims = vec![NONE; self.places.len()];
        for &path in &self.order {
            let Place { parent, token } = self.places[path as usize];
            let name = self.token(token.unsigned_abs());
            prims[path as usize] = match prims.get(parent as usize) {
                None => ROOT,
                Some(&parent) if parent != NONE && token >= 0 && !name.starts_with('{') => {
                    layer.add(parent, name, budget)?
                }
                Some(_) => NONE,
            };
        }
        let prim_of = |path: u32| {
            prims
                .get(path as usize)
                .copied()
                .filter(|&prim| prim != NONE)
        };
        let [paths, runs, kinds] = &self.specs;
        for ((&path, &run), &kind) in paths.iter().zip(runs).zip(kinds) {
            let fields = self.runs.get(run as usize..).unwrap_or_default();
            let fields = fields
                .iter()
                .take_while(|&&field| field != NONE)
                .take(MOST_FIELDS);
            let fields = fields.filter_map(|&field| self.fields.get(field as usize).copied());
            let fields = fields.map(|(token, value)| (self.token(token), value));
            match (kind, prim_of(path)) {
                (PRIM | PSEUDO_ROOT, Some(prim)) => {
                    self.add_fields(&mut layer, prim, fields, &prim_of, budget)?;
                }
                (ATTRIBUTE | RELATIONSHIP, _) => {
                    let place = self
                        .places
                        .get(path as usize)
                        .filter(|place| place.token < 0);
                    let prim = place.and_then(|place| prim_of(place.parent));
                    let (Some(place), Some(prim)) = (place, prim) else {
                        continue;
                    };
                    let name = self.token(place.token.unsigned_abs());
                    if is_wanted(name) {
                        let attribute = self.attribute(name, fields, &prim_of);
                        layer.add_attribute(prim, attribute, budget)?;
                    }
                }
                _ => {}
            }
        }
        Ok(layer)
    }

    /// Adds what is said of a prim.
    fn add_fields<'s>(
        &'s self,
        layer: &mut Layer<'s>,
        prim: u32,
        fields: impl Iterator<Item = (&'s str, u64)>,
        prim_of: &impl Fn(u32) -> Option<u32>,
        budget: &Budget,
    ) -> Result<()> {
        let (mut is_defined, mut is_active) = (false, true);
        for (name, value) in fields {
            let own = &mut layer.prims[prim as usize];
            match name {
                "specifier" => is_defined = value as u32 == 0,
                "active" => is_active = value as u32 != 0,
                "typeName" => own.kind = self.token(value as u32),
                "references" | "payload" => match self.reference(value) {
                    Some(("", path)) => own.reference = prim_of(path),
                    Some(_) => own.is_elsewhere = true,
                    None => {}
                },
                "inheritPaths" => {
                    let first = self.paths(value).first().copied();
                    own.reference = own.reference.or(first.and_then(prim_of));
                }
                "subLayers" | "variantSetNames" => own.is_elsewhere = true,
                // Paths are in another order.
                "primChildren" if own.children.len() > 1 => {
                    let names = self.words(value).into_iter().zip(0..);
                    let places: HashMap<&str, usize> = names.collect();
                    let mut children = std::mem::take(&mut own.children);
                    let place = |child: &u32| {
                        let name = layer.prims[*child as usize].name;
                        places.get(name).copied().unwrap_or(usize::MAX)
                    };
                    children.sort_by_key(place);
                    layer.prims[prim as usize].children = children;
                }
                "upAxis" | "metersPerUnit" => {
                    let value = Some(Value::Binary(value));
                    let attribute = Attribute {
                        name,
                        value,
                        ..Attribute::default()
                    };
                    layer.add_attribute(prim, attribute, budget)?;
                }
                _ => {}
            }
        }
        layer.prims[prim as usize].is_shown = is_defined && is_active;
        Ok(())
    }

    fn attribute<'s>(
        &'s self,
        name: &'s str,
        fields: impl Iterator<Item = (&'s str, u64)>,
        prim_of: &impl Fn(u32) -> Option<u32>,
    ) -> Attribute<'s> {
        let mut attribute = Attribute {
            name,
            ..Attribute::default()
        };
        for (field, value) in fields {
            match field {
                "typeName" => attribute.kind = self.token(value as u32),
                "interpolation" => attribute.interpolation = self.token(value as u32),
                "default" => attribute.value = Some(Value::Binary(value)),
                // The first moment counts where there is no other value.
                "timeSamples" => {
                    let sample = self.first_sample(value).map(Value::Binary);
                    attribute.value = attribute.value.or(sample);
                }
                "connectionPaths" | "targetPaths" => {
                    let paths = self.paths(value).into_iter();
                    attribute.targets.extend(paths.filter_map(|path| {
                        let place = self.places.get(path as usize)?;
                        match place.token < 0 {
                            true => {
                                let name = self.token(place.token.unsigned_abs());
                                Some((prim_of(place.parent)?, name))
                            }
                            false => Some((prim_of(path)?, "")),
                        }
                    }));
                }
                _ => {}
            }
        }
        attribute
    }

    /// Returns the first items of a list of changes, which are as a rule all: a reader at the first of
    /// them, and their number.
    fn items(&self, value: u64) -> Option<(Reader<'a>, u64)> {
        /// Bits that say which lists there are; those of additions come first.
        const LISTS: [u8; 4] = [2, 4, 32, 64];
        let mut reader = Reader::at(self.bytes, super::values::place(value)).ok()?;
        let [header] = reader.array::<1>().ok()?;
        LISTS.iter().any(|list| header & list != 0).then_some(())?;
        let count = reader.number().ok()?;
        Some((reader, count))
    }

    fn paths(&self, value: u64) -> Vec<u32> {
        let Some((mut reader, count)) = self.items(value) else {
            return Vec::new();
        };
        let paths = (0..count.min(MOST_FIELDS as u64)).map_while(|_| reader.array().ok());
        paths.map(u32::from_le_bytes).collect()
    }

    /// Returns the file and the path of a reference or a payload.
    fn reference(&self, value: u64) -> Option<(&str, u32)> {
        let mut reader = match super::values::kind(value) {
            super::values::PAYLOAD => Reader::at(self.bytes, super::values::place(value)).ok()?,
            _ => self.items(value).filter(|(_, count)| *count > 0)?.0,
        };
        let [file, path] = [reader.array().ok()?, reader.array().ok()?].map(u32::from_le_bytes);
        Some((self.string(file), path))
    }
}
