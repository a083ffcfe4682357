//! The prims and attributes that the tables of a binary file of USD tell of.

use super::WHAT;
use super::binary::Crate;
use super::clock::Clock;
use super::layer::{Attribute, Layer, ROOT, Value, is_wanted};
use super::packed::Reader;
use super::paths::{NONE, Place};
use super::values::{self, NO_VALUE, PAYLOAD, PAYLOAD_LIST};
use crate::head::error::Result;
use crate::head::limits::Budget;
use std::collections::HashMap;

/// Fields of a prim or an attribute, and paths that one names, that are looked at.
const MOST_FIELDS: usize = 256;

/// Kinds of specs: prims, attributes and relationships.
const ATTRIBUTE: u32 = 1;
const PRIM: u32 = 6;
const PSEUDO_ROOT: u32 = 7;
const RELATIONSHIP: u32 = 8;
const VARIANT: u32 = 10;

impl<'a> Crate<'a> {
    /// Returns the prims with their attributes.
    pub fn layer(&self, time: Option<f64>, budget: &Budget) -> Result<Layer<'_>> {
        let mut layer = Layer::new(Some(self), time);
        budget.take(self.places.len() as u64, 4, WHAT)?;
        // The prim of each path; attributes have none. Variants are prims that are not shown, with
        // names in braces.
        let mut prims = vec![NONE; self.places.len()];
        for &path in &self.order {
            let Place { parent, token } = self.places[path as usize];
            let name = self.token(token.unsigned_abs());
            prims[path as usize] = match prims.get(parent as usize) {
                None => ROOT,
                Some(&parent) if parent != NONE && token >= 0 => layer.add(parent, name, budget)?,
                Some(_) => NONE,
            };
        }
        let prim_of = |path: u32| {
            let prim = prims.get(path as usize).copied();
            prim.filter(|&prim| prim != NONE)
        };
        let [paths, runs, kinds] = &self.specs;
        for ((&path, &run), &kind) in paths.iter().zip(runs).zip(kinds) {
            let fields = self.runs.get(run as usize..).unwrap_or_default();
            let fields = fields.iter().take_while(|&&field| field != NONE);
            let fields = fields.take(MOST_FIELDS);
            let fields = fields.filter_map(|&field| self.fields.get(field as usize).copied());
            let fields = fields.map(|(token, value)| (self.token(token), value));
            match (kind, prim_of(path)) {
                (PRIM | PSEUDO_ROOT | VARIANT, Some(prim)) => {
                    self.add_fields(&mut layer, prim, fields, &prim_of, budget)?;
                }
                (ATTRIBUTE | RELATIONSHIP, _) => {
                    let place = self.places.get(path as usize);
                    let place = place.filter(|place| place.token < 0);
                    let prim = place.and_then(|place| prim_of(place.parent));
                    let (Some(place), Some(prim)) = (place, prim) else {
                        continue;
                    };
                    let name = self.token(place.token.unsigned_abs());
                    if is_wanted(name) {
                        let clock = (&mut layer.clock, budget);
                        let attribute = self.attribute(name, fields, &prim_of, clock);
                        layer.add_attribute(prim, attribute, budget)?;
                    }
                }
                _ => {}
            }
        }
        layer.join(budget)?;
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
        let (mut has_variants, mut has_choices) = (false, false);
        for (name, value) in fields {
            let own = &mut layer.prims[prim as usize];
            match name {
                "specifier" => is_defined = value as u32 == 0,
                "active" => is_active = value as u32 != 0,
                "typeName" => own.kind = self.token(value as u32),
                "references" | "payload" => {
                    for (file, path) in self.references(value) {
                        match prim_of(path) {
                            _ if !file.is_empty() => layer.prims[prim as usize].is_elsewhere = true,
                            Some(target) => layer.refer(prim, target, false),
                            None => {}
                        }
                    }
                }
                "inheritPaths" => {
                    for target in self.paths(value).into_iter().filter_map(prim_of) {
                        layer.refer(prim, target, false);
                    }
                }
                "subLayers" => own.is_elsewhere = true,
                "variantSetNames" => has_variants = true,
                "variantSelection" => {
                    for [set, variant] in self.choices(value) {
                        let name = format!("{{{set}={variant}}}");
                        if let Some(variant) = layer.find_in(prim, &name) {
                            layer.refer(prim, variant, true);
                            has_choices = true;
                        }
                    }
                }
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
                "timeCodesPerSecond" => {
                    let rate = self.numbers(value, budget, |rate| rate).ok();
                    let rate = rate.and_then(|rate| rate.first().copied());
                    layer.clock.set_rate(rate);
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
        let own = &mut layer.prims[prim as usize];
        own.is_shown = is_defined && is_active && !own.name.starts_with('{');
        own.is_inactive = !is_active;
        own.is_elsewhere |= has_variants && !has_choices;
        Ok(())
    }

    fn attribute<'s>(
        &'s self,
        name: &'s str,
        fields: impl Iterator<Item = (&'s str, u64)>,
        prim_of: &impl Fn(u32) -> Option<u32>,
        (clock, budget): (&mut Clock, &Budget),
    ) -> Attribute<'s> {
        let mut attribute = Attribute {
            name,
            ..Attribute::default()
        };
        for (field, value) in fields {
            match field {
                "typeName" => attribute.kind = self.token(value as u32),
                "interpolation" => attribute.interpolation = self.token(value as u32),
                "default" if values::kind(value) != NO_VALUE => attribute.set(Value::Binary(value)),
                "timeSamples" => {
                    if let Some((sample, next)) = self.sample(name, value, clock, budget) {
                        let next = next.map(|(next, share)| (Value::Binary(next), share));
                        attribute.set_sample(Value::Binary(sample), next, clock);
                    }
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
        let mut reader = Reader::at(self.bytes, values::place(value)).ok()?;
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

    /// Returns the sets of variants and the variant that is chosen of each.
    fn choices(&self, value: u64) -> Vec<[&str; 2]> {
        let read = || {
            let mut reader = Reader::at(self.bytes, values::place(value)).ok()?;
            let count = reader.number().ok()?.min(MOST_FIELDS as u64);
            let string = move |_| Some(self.string(u32::from_le_bytes(reader.array().ok()?)));
            Some((0..2 * count).map_while(string).collect())
        };
        let strings: Vec<&str> = read().unwrap_or_default();
        strings.as_chunks().0.to_vec()
    }

    /// Returns the files and the paths of references or payloads.
    fn references(&self, value: u64) -> Vec<(&str, u32)> {
        let kind = values::kind(value);
        let list = match kind {
            PAYLOAD => Reader::at(self.bytes, values::place(value))
                .ok()
                .map(|at| (at, 1)),
            _ => self.items(value),
        };
        let Some((mut reader, count)) = list else {
            return Vec::new();
        };
        let mut goes_on = true;
        let all = (0..count.min(MOST_FIELDS as u64)).map_while(|_| {
            goes_on.then_some(())?;
            let [file, path] = [reader.array().ok()?, reader.array().ok()?].map(u32::from_le_bytes);
            // An offset and a scale of time, and of references values that have names.
            let offset = reader.array::<16>();
            let has_values = kind != PAYLOAD_LIST && reader.number().is_ok_and(|count| count > 0);
            goes_on = offset.is_ok() && !has_values;
            Some((self.string(file), path))
        });
        all.collect()
    }
}
