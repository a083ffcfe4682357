//! How much a file may ask for, in one place, and the budget that enforces it.
//!
//! The promise behind the numbers: loading needs at most about 8 times the bytes
//! that were read plus 256 MB, whatever the file claims. So nothing is allocated
//! from a count in the file before the [`Budget`] has agreed to it.

use super::error::LoadErrorKind;
use crate::settings::SettingError;
use std::cell::Cell;
use std::ops::RangeInclusive;

/// What an entry of a list in the document is charged, in sizes of its type: one
/// that is moved while it grows may need twice as much. The entry `{}` of a list
/// of nodes, 3 bytes in the file, comes to some 700.
pub(super) const LIST_FACTOR: usize = 2;
/// What an object with free keys (attributes, extensions) is charged besides its
/// entries: a node of a B-tree has room for eleven from the start.
pub(super) const MAP_BYTES: usize = 704;
/// What an entry of such an object is charged besides the bytes of its key.
pub(super) const MAP_ENTRY_BYTES: usize = 128;
/// What a string is charged besides its bytes: the allocator's rounding.
pub(super) const STRING_BYTES: usize = 32;
/// Warnings that are kept; the rest is counted.
pub(super) const WARNINGS: usize = 64;

/// What a model file may ask for; more is refused by the limit's name.
///
/// The defaults hold for files from strangers on a machine of a few GB. A groom
/// file cannot change them; `--limit NAME=VALUE` can.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Bytes of the model's file, and of all files a `.gltf` names, together.
    /// Default 1 GiB: as plain glTF a head of some 20 million vertices.
    pub file_bytes: u64,
    /// Bytes of memory that any file may use, however small. Default 200 MiB; the
    /// rest of 256 MB is for what is not worth counting, and what decoders need.
    pub memory_free: u64,
    /// Bytes of memory that each byte read allows on top of itself. Default 7.
    pub memory_per_byte: u64,
    /// Nodes between a root and its deepest descendant. Default 1,024; exporters
    /// stay below 100.
    pub node_depth: u64,
    /// Primitives that the nodes show, each instance counted. Default 20,000.
    pub primitives: u64,
    /// `COLOR_n` sets that are searched for paint on each primitive. Default 16.
    pub color_sets: u64,
    /// Vertices of the whole head, each instance counted. Default 20 million.
    pub vertices: u64,
    /// Pixels of one image as it is stored. Default 128 Mi.
    pub image_pixels: u64,
    /// Pixels along the longer side of a texture; larger ones are halved until both
    /// sides are within this, and until they take no more than half of the memory
    /// that is left. Default 4,096.
    pub texture_side: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            file_bytes: 1 << 30,
            memory_free: 200 << 20,
            memory_per_byte: 7,
            node_depth: 1024,
            primitives: 20_000,
            color_sets: 16,
            vertices: 20_000_000,
            image_pixels: 128 << 20,
            texture_side: 4096,
        }
    }
}

/// A limit as people name it.
struct Named {
    name: &'static str,
    about: &'static str,
    /// Values that can work: nothing is drawn with less, nothing computes with more.
    range: RangeInclusive<u64>,
    of: fn(&mut Limits) -> &mut u64,
}

const TIB: u64 = 1 << 40;

const NAMED: [Named; 9] = [
    Named {
        name: "file-bytes",
        about: "bytes of the model's file, and of all files it names together",
        range: 1..=TIB,
        of: |limits| &mut limits.file_bytes,
    },
    Named {
        name: "memory-free",
        about: "bytes of memory that any file may use, however small",
        range: 0..=TIB,
        of: |limits| &mut limits.memory_free,
    },
    Named {
        name: "memory-per-byte",
        about: "bytes of memory that each byte of a file allows on top of itself",
        range: 0..=1 << 20,
        of: |limits| &mut limits.memory_per_byte,
    },
    Named {
        name: "node-depth",
        about: "nodes between a root and its deepest descendant",
        range: 1..=1 << 24,
        of: |limits| &mut limits.node_depth,
    },
    Named {
        name: "primitives",
        about: "primitives that the nodes show, each instance counted",
        range: 1..=1 << 24,
        of: |limits| &mut limits.primitives,
    },
    Named {
        name: "color-sets",
        about: "COLOR_n sets that are searched for paint on each primitive",
        range: 1..=1 << 16,
        of: |limits| &mut limits.color_sets,
    },
    Named {
        name: "vertices",
        about: "vertices of the whole head, each instance counted",
        // Corners are 32 bits, and the largest of them stands for none.
        range: 3..=u32::MAX as u64,
        of: |limits| &mut limits.vertices,
    },
    Named {
        name: "image-pixels",
        about: "pixels of one image as it is stored",
        range: 1..=TIB,
        of: |limits| &mut limits.image_pixels,
    },
    Named {
        name: "texture-side",
        about: "pixels along the longer side of a texture; larger ones are made smaller",
        range: 1..=1 << 15,
        of: |limits| &mut limits.texture_side,
    },
];

impl Limits {
    /// Every limit: its name as [`Limits::set`] takes it, what it counts in one line,
    /// and its default.
    pub fn names() -> impl Iterator<Item = (&'static str, &'static str, u64)> {
        NAMED.iter().map(|named| {
            let default = *(named.of)(&mut Limits::default());
            (named.name, named.about, default)
        })
    }

    /// Sets the limit of this name, as in `--limit NAME=VALUE`.
    ///
    /// # Errors
    ///
    /// A name that is none of [`Limits::names`], or a value that cannot work.
    pub fn set(&mut self, name: &str, value: u64) -> Result<(), SettingError> {
        let Some(named) = NAMED.iter().find(|named| named.name == name) else {
            let names = NAMED.map(|named| named.name).join(", ");
            return Err(SettingError::new("limit", name, format!("one of {names}")));
        };
        named.check(value)?;
        *(named.of)(self) = value;
        Ok(())
    }

    /// Checks every value, as [`Limits::set`] does.
    ///
    /// # Errors
    ///
    /// The first limit with a value that cannot work.
    pub fn validate(&self) -> Result<(), SettingError> {
        let mut limits = self.clone();
        let mut all = NAMED.iter();
        all.try_for_each(|named| named.check(*(named.of)(&mut limits)))
    }
}

impl Named {
    fn check(&self, value: u64) -> Result<(), SettingError> {
        if self.range.contains(&value) {
            return Ok(());
        }
        let (least, most) = (self.range.start(), self.range.end());
        let expected = format!("{least} to {most} ({})", self.about);
        Err(SettingError::new(
            format!("limit {}", self.name),
            value,
            expected,
        ))
    }
}

/// The way past a limit, for the message that it was met.
pub(super) fn way_past(name: &str) -> String {
    format!("(limit `{name}`; raise it with --limit {name}=N)")
}

/// Memory that a load may still take, and the limits it runs under.
pub struct Budget {
    pub limits: Limits,
    allowed: Cell<u64>,
    used: Cell<u64>,
}

impl Budget {
    /// A budget for a file of `bytes_read` bytes.
    pub fn new(limits: &Limits, bytes_read: u64) -> Self {
        let budget = Budget {
            limits: limits.clone(),
            allowed: Cell::new(limits.memory_free),
            used: Cell::new(0),
        };
        budget.bytes_read(bytes_read);
        budget
    }

    /// More of the input has been read, so more may be used.
    pub fn bytes_read(&self, bytes: u64) {
        let more = bytes.saturating_mul(self.limits.memory_per_byte);
        self.allowed.set(self.allowed.get().saturating_add(more));
    }

    /// Bytes that may still be taken.
    pub fn left(&self) -> u64 {
        self.allowed.get().saturating_sub(self.used.get())
    }

    /// Takes `count` items of `each` bytes for `what`, before they are allocated.
    pub fn take(
        &self,
        count: u64,
        each: u64,
        what: impl Fn() -> String,
    ) -> Result<(), LoadErrorKind> {
        let bytes = count.saturating_mul(each);
        if bytes > self.left() {
            return Err(LoadErrorKind::TooBig {
                what: what(),
                needs: bytes,
                left: self.left(),
            });
        }
        self.used.set(self.used.get() + bytes);
        Ok(())
    }

    /// Gives back what was only needed for a while.
    pub fn give_back(&self, count: u64, each: u64) {
        let bytes = count.saturating_mul(each);
        self.used.set(self.used.get().saturating_sub(bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_is_set_by_its_name_and_by_no_other() {
        for (name, about, default) in Limits::names() {
            assert!(!about.is_empty());
            let mut limits = Limits::default();
            limits.set(name, default + 1).unwrap();
            let changed = |named: &&Named| (named.of)(&mut limits.clone()) != &default_of(named);
            let changed: Vec<_> = NAMED.iter().filter(changed).map(|n| n.name).collect();
            assert_eq!(changed, [name]);
            limits.validate().unwrap();
        }
    }

    fn default_of(named: &Named) -> u64 {
        *(named.of)(&mut Limits::default())
    }

    #[test]
    fn senseless_limits_are_refused() {
        let mut limits = Limits::default();
        let error = limits.set("vertices", 0).unwrap_err().to_string();
        assert!(
            error.starts_with("limit vertices = 0: expected 3 to 4294967295 ("),
            "{error}"
        );
        let error = limits.set("vertixes", 9).unwrap_err().to_string();
        assert!(
            error.starts_with("limit = vertixes: expected one of file-bytes, memory-free,"),
            "{error}"
        );
        limits.set("texture-side", u64::MAX).unwrap_err();
        assert_eq!(limits, Limits::default());
        limits.texture_side = 0;
        limits.validate().unwrap_err();
    }
}
