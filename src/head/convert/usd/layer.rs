//! A layer of USD: what it says of its prims, as far as a head needs it; values stay in the file until they
//! are asked for.

use super::binary::Crate;
use super::clock::Clock;
use super::{WHAT, cursor};
use crate::head::error::Result;
use crate::head::limits::Budget;
use std::collections::HashMap;

/// The index of the prim that has all others.
pub const ROOT: u32 = 0;
/// Memory of a prim, in its list, among the children of another and in the table of names.
const BYTES_PER_PRIM: u64 = 512;
/// Memory of an attribute, in a list that grows.
const BYTES_PER_ATTRIBUTE: u64 = 288;
/// Prims that say something of one: itself, and those to which it refers.
const MOST_SOURCES: usize = 8;

/// A value that was not read yet.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// A piece of the text of a file.
    Text(&'a str),
    /// The word that says in a binary file where it is.
    Binary(u64),
}

/// An attribute or a relationship.
#[derive(Debug, Default)]
pub struct Attribute<'a> {
    pub name: &'a str,
    /// The name of its type: `color3f[]`.
    pub kind: &'a str,
    pub value: Option<Value<'a>>,
    /// The value of the next time, and its share where the time that counts is between both.
    pub next: Option<(Value<'a>, f64)>,
    /// `true` if the value is that of a time.
    pub is_timed: bool,
    pub interpolation: &'a str,
    /// The prims that it names, with the names of attributes.
    pub targets: Vec<(u32, &'a str)>,
}

impl<'a> Attribute<'a> {
    /// Sets the value without a time, unless that of a time counts.
    pub fn set(&mut self, value: Value<'a>) {
        if !self.is_timed {
            self.value = Some(value);
        }
    }

    /// Sets the value of a time, and that of the next one with its share, unless no time is looked at
    /// and there is another value.
    pub fn set_sample(&mut self, value: Value<'a>, next: Option<(Value<'a>, f64)>, clock: &Clock) {
        self.is_timed = clock.time.is_some();
        if self.is_timed || self.value.is_none() {
            (self.value, self.next) = (Some(value), next);
        }
    }
}

/// A prim.
#[derive(Debug, Default)]
pub struct Prim<'a> {
    pub name: &'a str,
    /// The name of its type: `Mesh`.
    pub kind: &'a str,
    pub parent: u32,
    /// `true` if it is shown: neither opinions on another prim nor a pattern, and active.
    pub is_shown: bool,
    /// `true` if it is not active, whatever others say of it.
    pub is_inactive: bool,
    pub children: Vec<u32>,
    pub attributes: Vec<Attribute<'a>>,
    /// The prims of this layer to which it refers, the strongest first.
    pub references: Vec<u32>,
    /// `true` if it refers to another file, or has variants of which none is chosen.
    pub is_elsewhere: bool,
}

/// A layer.
pub struct Layer<'a> {
    pub clock: Clock,
    pub prims: Vec<Prim<'a>>,
    names: HashMap<(u32, &'a str), u32>,
    tables: Option<&'a Crate<'a>>,
}

/// Returns `true` for attributes that are kept.
pub fn is_wanted(name: &str) -> bool {
    const STARTS: [&str; 4] = ["xformOp:", "inputs:", "outputs:", "primvars:"];
    match name {
        "basis" | "bindTransforms" | "curveVertexCounts" | "groom_guide" | "groom_root_uv"
        | "elementType" | "familyName" | "faceVertexCounts" | "faceVertexIndices"
        | "holeIndices" | "indices" | "info:id" | "joints" | "normals" | "orientation"
        | "points" | "purpose" | "skel:skeleton" | "type" | "visibility" | "widths" | "wrap"
        | "xformOpOrder" | "material:binding" => true,
        _ => STARTS.iter().any(|start| name.starts_with(start)),
    }
}

impl<'a> Layer<'a> {
    /// Returns a layer of no prims but the root, at a time; `tables` are those of a binary file.
    pub fn new(tables: Option<&'a Crate<'a>>, time: Option<f64>) -> Self {
        Layer {
            clock: Clock {
                time,
                ..Clock::default()
            },
            prims: vec![Prim {
                name: "/",
                ..Prim::default()
            }],
            names: HashMap::new(),
            tables,
        }
    }

    /// Adds a prim, unless the parent has one of this name, and returns its index.
    pub fn add(&mut self, parent: u32, name: &'a str, budget: &Budget) -> Result<u32> {
        if let Some(&known) = self.names.get(&(parent, name)) {
            return Ok(known);
        }
        budget.take(BYTES_PER_PRIM, 1, WHAT)?;
        let index = self.prims.len() as u32;
        self.prims.push(Prim {
            name,
            parent,
            ..Prim::default()
        });
        self.prims[parent as usize].children.push(index);
        self.names.insert((parent, name), index);
        Ok(index)
    }

    /// Adds an attribute, and returns it.
    pub fn add_attribute(
        &mut self,
        prim: u32,
        attribute: Attribute<'a>,
        budget: &Budget,
    ) -> Result<()> {
        let targets = attribute.targets.len() as u64 * size_of::<(u32, &str)>() as u64;
        budget.take(BYTES_PER_ATTRIBUTE + targets, 1, WHAT)?;
        self.prims[prim as usize].attributes.push(attribute);
        Ok(())
    }

    /// Returns the prim of a path such as `/World/head`.
    pub fn find(&self, path: &str) -> Option<u32> {
        let mut names = path.strip_prefix('/')?.split('/');
        names.try_fold(ROOT, |parent, name| self.child(parent, name))
    }

    /// Returns the child of a prim that has a name.
    pub fn child(&self, parent: u32, name: &str) -> Option<u32> {
        self.names.get(&(parent, name)).copied()
    }

    /// Returns the child of a prim, or of one to which it refers, that has a name.
    pub fn find_in(&self, prim: u32, name: &str) -> Option<u32> {
        self.chain(prim).find_map(|prim| self.child(prim, name))
    }

    /// Returns a prim and those to which it refers, the strongest first, by their indices.
    fn chain(&self, prim: u32) -> impl Iterator<Item = u32> + use<'a> {
        let (mut found, mut count) = ([prim; MOST_SOURCES], 0);
        self.gather(prim, &mut found, &mut count);
        found.into_iter().take(count)
    }

    fn gather(&self, prim: u32, found: &mut [u32; MOST_SOURCES], count: &mut usize) {
        if *count == MOST_SOURCES || found[..*count].contains(&prim) {
            return;
        }
        found[*count] = prim;
        *count += 1;
        for &next in &self.prims[prim as usize].references {
            self.gather(next, found, count);
        }
    }

    /// Returns a prim and those to which it refers.
    pub fn sources(&self, prim: u32) -> impl Iterator<Item = &Prim<'a>> {
        self.chain(prim).map(|prim| &self.prims[prim as usize])
    }

    /// Adds a prim to those to which another refers, as the strongest or the weakest of them.
    pub fn refer(&mut self, prim: u32, target: u32, is_first: bool) {
        let all = &mut self.prims[prim as usize].references;
        if all.len() < MOST_SOURCES && !all.contains(&target) {
            all.insert(if is_first { 0 } else { all.len() }, target);
        }
    }

    /// Returns the children of a prim and of those to which it refers: of each name the first.
    pub fn children(&self, prim: u32) -> impl Iterator<Item = u32> {
        self.chain(prim).enumerate().flat_map(move |(nth, source)| {
            let own = self.prims[source as usize].children.iter().copied();
            own.filter(move |&child| {
                let name = self.prims[child as usize].name;
                let mut before = self.chain(prim).take(nth);
                !before.any(|source| self.child(source, name).is_some())
            })
        })
    }

    /// Joins prims of one name in a prim and in those to which it refers: the prim gets one of the name
    /// that refers to them, and is shown if one of them is.
    pub fn join(&mut self, budget: &Budget) -> Result<()> {
        let mut open = vec![ROOT];
        while let Some(prim) = open.pop() {
            let sources: Vec<u32> = self.chain(prim).collect();
            if let [_, _, ..] = sources[..] {
                let of_source = |&source: &u32| &self.prims[source as usize].children;
                let children: Vec<u32> = sources.iter().flat_map(of_source).copied().collect();
                // Many prims may refer to one that has many children.
                budget.take(children.len() as u64, 4, WHAT)?;
                for child in children {
                    self.join_child(prim, self.prims[child as usize].name, &sources, budget)?;
                }
            }
            open.extend(&self.prims[prim as usize].children);
        }
        Ok(())
    }

    fn join_child(
        &mut self,
        prim: u32,
        name: &'a str,
        sources: &[u32],
        budget: &Budget,
    ) -> Result<()> {
        let named = |&source: &u32| self.child(source, name);
        let all: Vec<u32> = sources.iter().filter_map(named).collect();
        if all.len() < 2 {
            return Ok(());
        }
        let own = self.add(prim, name, budget)?;
        for other in all.into_iter().filter(|&other| other != own) {
            self.refer(own, other, false);
            let [own, other] = [own, other].map(|prim| prim as usize);
            let is_shown = self.prims[other].is_shown && !self.prims[own].is_inactive;
            self.prims[own].is_shown |= is_shown;
            self.prims[own].is_inactive |= self.prims[other].is_inactive;
        }
        Ok(())
    }

    /// Returns the type of a prim.
    pub fn kind(&self, prim: u32) -> &'a str {
        self.sources(prim)
            .map(|prim| prim.kind)
            .find(|kind| !kind.is_empty())
            .unwrap_or("")
    }

    /// Returns an attribute of a prim.
    pub fn attribute(&self, prim: u32, name: &str) -> Option<&Attribute<'a>> {
        let mut all = self.sources(prim).flat_map(|prim| &prim.attributes);
        all.find(|attribute| attribute.name == name)
    }

    /// Returns the numbers of an attribute, group after group; none without a value.
    pub fn numbers<T>(
        &self,
        attribute: Option<&Attribute>,
        budget: &Budget,
        convert: impl Fn(f64) -> T,
    ) -> Result<Vec<T>> {
        let Some((attribute, value)) = attribute.and_then(|it| Some((it, it.value?))) else {
            return Ok(Vec::new());
        };
        match (value, self.tables) {
            (Value::Text(text), _) => cursor::numbers(text, budget, convert),
            (Value::Binary(value), Some(tables)) => {
                let numbers = tables.numbers(value, budget, convert);
                numbers.map_err(|error| error.after(format_args!("`{}`", attribute.name)))
            }
            (Value::Binary(_), None) => Ok(Vec::new()),
        }
    }

    /// Returns the numbers of an attribute at the time that counts: between two of its times, `mix`
    /// gets the numbers of both and the share of the second.
    pub fn mixed<T: Copy>(
        &self,
        attribute: Option<&Attribute>,
        budget: &Budget,
        convert: impl Fn(f64) -> T,
        mix: impl Fn(T, T, f64) -> T,
    ) -> Result<Vec<T>> {
        let mut numbers = self.numbers(attribute, budget, &convert)?;
        if let Some((attribute, (value, share))) = attribute.and_then(|it| Some((it, it.next?))) {
            let next = Attribute {
                name: attribute.name,
                value: Some(value),
                ..Attribute::default()
            };
            let next = self.numbers(Some(&next), budget, &convert)?;
            if next.len() == numbers.len() {
                for (number, next) in numbers.iter_mut().zip(next) {
                    *number = mix(*number, next, share);
                }
            }
        }
        Ok(numbers)
    }

    /// Returns the first numbers of an attribute, if it has so many.
    pub fn group<const N: usize>(
        &self,
        attribute: Option<&Attribute>,
        budget: &Budget,
    ) -> Result<Option<[f64; N]>> {
        let mix = |a: f64, b: f64, share: f64| a + (b - a) * share;
        let numbers = self.mixed(attribute, budget, |number| number, mix)?;
        Ok(numbers.first_chunk().copied())
    }

    /// Returns the names in an attribute: tokens, strings or paths of files.
    pub fn words(&self, attribute: Option<&Attribute<'a>>) -> Vec<&'a str> {
        match (attribute.and_then(|it| it.value), self.tables) {
            (Some(Value::Text(text)), _) => cursor::words(text),
            (Some(Value::Binary(value)), Some(tables)) => tables.words(value),
            _ => Vec::new(),
        }
    }

    /// Returns the name in an attribute of a prim; empty without one.
    pub fn word(&self, prim: u32, name: &str) -> &'a str {
        self.words(self.attribute(prim, name))
            .first()
            .copied()
            .unwrap_or("")
    }
}
