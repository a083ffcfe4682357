//! The text format of USD (`.usda`): prims and attributes, whose values stay pieces of the text.

use super::cursor::{Cursor, MOST_WORDS, number, samples, words};
use super::layer::{Attribute, Layer, ROOT, Value, is_wanted};
use super::{WHAT, refused};
use crate::head::error::Result;
use crate::head::limits::Budget;
use std::collections::HashMap;

/// The largest number of prims within each other.
const MOST_NESTED: usize = 4096;
/// The largest number of attributes of a prim: each is compared with all.
const MOST_ATTRIBUTES: usize = 4096;
/// Memory of a path until its prim is known.
const BYTES_PER_TARGET: u64 = 128;

/// A path that an attribute of a prim names.
struct Pending<'a> {
    prim: u32,
    /// The number of the attribute; without one it is a reference.
    attribute: Option<usize>,
    path: &'a str,
}

/// A pair of braces that is open.
enum Open<'a> {
    Prim(u32),
    /// The variants of a set of a prim: where its name stands in the text, and the variant that counts.
    Variants(u32, usize, &'a str),
}

struct Parser<'a, 'b> {
    cursor: Cursor<'a>,
    layer: Layer<'a>,
    pending: Vec<Pending<'a>>,
    /// The variants that are chosen, by prims and sets.
    choices: HashMap<(u32, &'a str), &'a str>,
    budget: &'b Budget,
}

/// Reads a layer at a time.
pub fn layer<'a>(text: &'a str, time: Option<f64>, budget: &Budget) -> Result<Layer<'a>> {
    let mut parser = Parser {
        cursor: Cursor { text, at: 0 },
        layer: Layer::new(None, time),
        pending: Vec::new(),
        choices: HashMap::new(),
        budget,
    };
    parser.read().map_err(|error| {
        let before = &text.as_bytes()[..parser.cursor.at.min(text.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        error.after(format_args!("line {line}"))
    })?;
    let mut layer = parser.layer;
    for Pending {
        prim,
        attribute,
        path,
    } in parser.pending
    {
        let (path, name) = path.split_once('.').unwrap_or((path, ""));
        let Some(target) = layer.find(path) else {
            continue;
        };
        match attribute {
            Some(nth) => {
                let of_prim = &mut layer.prims[prim as usize].attributes;
                of_prim[nth].targets.push((target, name));
            }
            None => layer.refer(prim, target, false),
        }
    }
    layer.join(budget)?;
    Ok(layer)
}

impl<'a> Parser<'a, '_> {
    fn read(&mut self) -> Result<()> {
        let mut open = vec![Open::Prim(ROOT)];
        self.metadata(ROOT)?;
        loop {
            match self.cursor.peek() {
                None if open.len() == 1 => return Ok(()),
                None => {
                    return Err(refused("ends the file within a prim; the file may be cut"));
                }
                Some(b'}') if open.len() > 1 => {
                    self.cursor.at += 1;
                    open.pop();
                    continue;
                }
                _ => {}
            }
            if open.len() == MOST_NESTED {
                return Err(refused("has prims that are nested too deep"));
            }
            let parent = match open[open.len() - 1] {
                Open::Prim(prim) => prim,
                Open::Variants(prim, set, chosen) => {
                    if let Some(variant) = self.variant(prim, set, chosen)? {
                        open.push(Open::Prim(variant));
                    }
                    continue;
                }
            };
            match self.cursor.word()? {
                specifier @ ("def" | "over" | "class") => {
                    let kind = match self.cursor.peek() {
                        Some(b'"' | b'\'') => "",
                        _ => self.cursor.word()?,
                    };
                    let name = self.cursor.string()?;
                    let prim = self.layer.add(parent, name, self.budget)?;
                    let added = &mut self.layer.prims[prim as usize];
                    added.is_shown = specifier == "def";
                    added.kind = kind;
                    self.metadata(prim)?;
                    self.cursor.expect(b'{')?;
                    open.push(Open::Prim(prim));
                }
                "variantSet" => {
                    let at = self.cursor.at;
                    let set = self.cursor.string()?;
                    self.cursor.expect(b'=')?;
                    self.cursor.expect(b'{')?;
                    // The prim with the outer set chooses in sets within its variants, too.
                    let is_variant = |prim: u32| self.layer.prims[prim as usize].name.contains('"');
                    let mut owner = parent;
                    while is_variant(owner) {
                        owner = self.layer.prims[owner as usize].parent;
                    }
                    let choice = |prim: u32| self.choices.get(&(prim, set)).copied();
                    let chosen = choice(owner).or_else(|| choice(parent));
                    self.layer.prims[parent as usize].is_elsewhere |= chosen.is_none();
                    let chosen = chosen.unwrap_or_default();
                    open.push(Open::Variants(parent, at, chosen));
                }
                "reorder" => {
                    self.cursor.word()?;
                    self.cursor.expect(b'=')?;
                    self.cursor.value()?;
                }
                word => self.property(parent, word)?,
            }
        }
    }

    /// Reads the start of a variant of a set: the one that counts becomes a prim to which the prim of
    /// the set refers. Passes over another one.
    fn variant(&mut self, prim: u32, set: usize, chosen: &str) -> Result<Option<u32>> {
        if self.cursor.string()? != chosen {
            if self.cursor.peek() == Some(b'(') {
                self.cursor.value()?;
            }
            self.cursor.value()?;
            return Ok(None);
        }
        // No prim has such a name.
        let name = &self.cursor.text[set..self.cursor.at];
        let variant = self.layer.add(prim, name, self.budget)?;
        self.layer.refer(prim, variant, true);
        self.metadata(variant)?;
        self.cursor.expect(b'{')?;
        Ok(Some(variant))
    }

    /// Reads what follows the first word of an attribute or a relationship.
    fn property(&mut self, prim: u32, first: &'a str) -> Result<()> {
        const BEFORE: [&str; 9] = [
            "custom", "uniform", "varying", "config", "prepend", "append", "add", "delete",
            "reorder",
        ];
        let (mut kind, mut is_removal) = (first, false);
        while BEFORE.contains(&kind) {
            is_removal |= matches!(kind, "delete" | "reorder");
            kind = self.cursor.word()?;
        }
        let full = self.cursor.word()?;
        let (name, part) = match full.rsplit_once('.') {
            Some((name, part)) => (name, part),
            None => (full, ""),
        };
        let mut value = None;
        if self.cursor.peek() == Some(b'=') {
            self.cursor.at += 1;
            value = Some(self.cursor.value()?);
        }
        let start = self.cursor.at;
        let mut interpolation = "";
        if self.cursor.peek() == Some(b'(') {
            let mut metadata = self.cursor.inside()?;
            while let Some((key, value)) = metadata.entry()? {
                if key == "interpolation" {
                    interpolation = words(value).first().copied().unwrap_or("");
                }
            }
        } else {
            self.cursor.at = start;
        }
        if is_removal || !is_wanted(name) {
            return Ok(());
        }
        let of_prim = &self.layer.prims[prim as usize].attributes;
        let nth = match of_prim.iter().rposition(|it| it.name == name) {
            Some(nth) => nth,
            None if of_prim.len() == MOST_ATTRIBUTES => {
                return Err(refused("has too many attributes in a prim"));
            }
            None => {
                let nth = of_prim.len();
                let attribute = Attribute {
                    name,
                    kind,
                    ..Attribute::default()
                };
                self.layer.add_attribute(prim, attribute, self.budget)?;
                nth
            }
        };
        let clock = &mut self.layer.clock;
        let attribute = &mut self.layer.prims[prim as usize].attributes[nth];
        if !interpolation.is_empty() {
            attribute.interpolation = interpolation;
        }
        let Some(value) = value.filter(|value| *value != "None") else {
            return Ok(());
        };
        match part {
            "connect" => self.targets(prim, Some(nth), value)?,
            _ if kind == "rel" => self.targets(prim, Some(nth), value)?,
            "timeSamples" => {
                let count = value.bytes().filter(|&byte| byte == b':').count() as u64;
                let each = size_of::<(f64, &str)>() as u64 + 8;
                self.budget.take(count, each, WHAT)?;
                let (times, values): (Vec<_>, Vec<_>) = samples(value).unzip();
                let (nth, share) = clock.pick(name, times);
                if let Some(sample) = values.get(nth) {
                    let next = values.get(nth + 1).map(|next| Value::Text(next));
                    attribute.set_sample(Value::Text(sample), next.zip(share), clock);
                }
            }
            "" => attribute.set(Value::Text(value)),
            _ => {}
        }
        Ok(())
    }

    /// Notes the paths in a value.
    fn targets(&mut self, prim: u32, attribute: Option<usize>, value: &'a str) -> Result<()> {
        for path in value.split('<').skip(1).take(MOST_WORDS) {
            let path = path.split('>').next().unwrap_or_default();
            self.budget.take(BYTES_PER_TARGET, 1, WHAT)?;
            self.pending.push(Pending {
                prim,
                attribute,
                path,
            });
        }
        Ok(())
    }

    /// Reads what is said of a prim in parentheses, if it is there.
    fn metadata(&mut self, prim: u32) -> Result<()> {
        if self.cursor.peek() != Some(b'(') {
            return Ok(());
        }
        let mut inside = self.cursor.inside()?;
        while let Some((key, value)) = inside.entry()? {
            match key {
                "active" if matches!(value, "false" | "0") => {
                    let prim = &mut self.layer.prims[prim as usize];
                    (prim.is_shown, prim.is_inactive) = (false, true);
                }
                "references" | "payload" | "inherits" if !value.contains('@') => {
                    self.targets(prim, None, value)?;
                }
                "references" | "payload" | "subLayers" => {
                    self.layer.prims[prim as usize].is_elsewhere = true;
                }
                "variants" => {
                    for text in value.split("string ").skip(1).take(MOST_WORDS) {
                        let (set, variant) = text.split_once('=').unwrap_or((text, ""));
                        self.budget.take(BYTES_PER_TARGET, 1, WHAT)?;
                        let set = set.trim().trim_matches(['"', '\'']);
                        let variant = words(variant).first().copied().unwrap_or("");
                        self.choices.entry((prim, set)).or_insert(variant);
                    }
                }
                "timeCodesPerSecond" => self.layer.clock.set_rate(number(value)),
                "upAxis" | "metersPerUnit" => {
                    let value = Some(Value::Text(value));
                    let attribute = Attribute {
                        name: key,
                        value,
                        ..Attribute::default()
                    };
                    self.layer.add_attribute(prim, attribute, self.budget)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}
