//! Limits on what a model file may ask for, and the budget of one load.
//!
//! They keep one promise: loading takes at most about 8 times the bytes read plus 256 MB,
//! whatever the file claims.

use super::error::{LoadErrorKind, Result};
use crate::settings::SettingError;
use std::cell::Cell;
use std::fmt;
use std::ops::RangeInclusive;

/// The largest coordinate of a vertex in head space, and of points on a scalp: products of four have
/// room in single precision.
pub const MAX_COORDINATE: f32 = 1e9;

/// A limit as `--limit` names it.
struct Limit {
    name: &'static str,
    about: &'static str,
    /// The values that can work.
    range: RangeInclusive<u64>,
    field: fn(&mut Limits) -> &mut u64,
}

const TIB: u64 = 1 << 40;

macro_rules! limits {
    ($($(#[$doc:meta])* $field:ident, $name:literal, $about:literal, $default:expr, $range:expr;)*) => {
        /// The limits of model files. An error names the limit that was exceeded.
        ///
        /// The defaults are safe for untrusted files on a machine with a few GB of memory. A
        /// settings file cannot change them; `--limit NAME=VALUE` can.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Limits {
            $(#[doc = concat!("Number of ", $about, ".")] $(#[$doc])* pub $field: u64,)*
        }

        impl Default for Limits {
            fn default() -> Self {
                Limits { $($field: $default,)* }
            }
        }

        const LIMITS: &[Limit] = &[$(Limit {
            name: $name,
            about: $about,
            range: $range,
            field: |limits| &mut limits.$field,
        },)*];
    };
}

limits! {
    /// Default 1 GiB: some 20 million vertices of plain glTF.
    file_bytes, "file-bytes",
    "bytes of the model's file, and of all files it names together",
    1 << 30, 1..=TIB;
    /// Default 200 MiB; the rest of 256 MB is for small allocations and for decoders.
    memory_free, "memory-free",
    "bytes of memory that any file may use, however small",
    200 << 20, 0..=TIB;
    /// Default 7.
    memory_per_byte, "memory-per-byte",
    "bytes of memory that each byte of a file allows on top of itself",
    7, 0..=1 << 20;
    /// Default 1,024; exporters stay below 100.
    node_depth, "node-depth",
    "nodes between a root and its deepest descendant",
    1024, 1..=1 << 24;
    /// Default 20,000.
    primitives, "primitives",
    "primitives that the nodes show, each instance counted",
    20_000, 1..=1 << 24;
    /// Default 16.
    color_sets, "color-sets",
    "COLOR_n sets that are searched for paint on each primitive",
    16, 1..=1 << 16;
    /// Default 20 million. Indices have 32 bits, and the largest stands for none.
    vertices, "vertices",
    "vertices of the whole head, each instance counted",
    20_000_000, 3..=u32::MAX as u64;
    /// All images together may have 4 times as many and 16 for each byte read. Default 128 Mi.
    image_pixels, "image-pixels",
    "pixels of one image as it is stored",
    128 << 20, 1..=TIB;
    /// Textures are halved until both sides are within this limit, and until they take at most
    /// half of the memory that is left. Default 4,096.
    texture_side, "texture-side",
    "pixels along a side of a texture; larger ones are made smaller",
    4096, 1..=1 << 15;
}

impl Limits {
    /// Returns the name, the meaning and the default of every limit.
    pub fn names() -> impl Iterator<Item = (&'static str, &'static str, u64)> {
        LIMITS.iter().map(|limit| {
            let default = *(limit.field)(&mut Limits::default());
            (limit.name, limit.about, default)
        })
    }

    /// Sets the limit of this name, as `--limit NAME=VALUE` does.
    ///
    /// # Errors
    ///
    /// A name that is not among [`Limits::names`], or a value outside the range of the limit.
    pub fn set(&mut self, name: &str, value: u64) -> std::result::Result<(), SettingError> {
        let Some(limit) = LIMITS.iter().find(|limit| limit.name == name) else {
            let names: Vec<&str> = LIMITS.iter().map(|limit| limit.name).collect();
            let expected = format!("one of {}", names.join(", "));
            return Err(SettingError::new("limit", name, expected));
        };
        if !limit.range.contains(&value) {
            let (min, max) = (limit.range.start(), limit.range.end());
            let expected = format!("{min} to {max} ({})", limit.about);
            let key = format!("limit {name}");
            return Err(SettingError::new(key, value, expected));
        }
        *(limit.field)(self) = value;
        Ok(())
    }

    /// Checks every value against the range of its limit.
    ///
    /// # Errors
    ///
    /// The first limit whose value is out of range.
    pub fn validate(&self) -> std::result::Result<(), SettingError> {
        let mut limits = self.clone();
        LIMITS.iter().try_for_each(|limit| {
            let value = *(limit.field)(&mut limits);
            limits.set(limit.name, value)
        })
    }
}

/// Images of the largest size that are decoded, whatever the size of the file.
const IMAGES: u64 = 4;
/// Further pixels allowed per byte read: more than a compressed photograph has.
const PIXELS_PER_BYTE: u64 = 16;

/// The budget of one load. Everything whose size comes from the file is charged to it before
/// it is allocated.
pub struct Budget {
    pub limits: Limits,
    left: Cell<u64>,
    /// The bytes read so far.
    pub read: Cell<u64>,
    decoded: Cell<u64>,
}

impl Budget {
    /// Returns the budget for a file of `bytes` bytes.
    pub fn new(limits: &Limits, bytes: u64) -> Self {
        let budget = Budget {
            limits: limits.clone(),
            left: Cell::new(limits.memory_free),
            read: Cell::new(0),
            decoded: Cell::new(0),
        };
        budget.add_input(bytes);
        budget
    }

    /// Raises the budget for further bytes of input.
    pub fn add_input(&self, bytes: u64) {
        let more = bytes.saturating_mul(self.limits.memory_per_byte);
        self.left.set(self.left().saturating_add(more));
        self.read.set(self.read.get().saturating_add(bytes));
    }

    /// Counts `pixels` more pixels to decode, which takes time for each, and returns `true` if they
    /// are allowed.
    pub fn decode(&self, pixels: u64) -> bool {
        let max = self.limits.image_pixels.saturating_mul(IMAGES);
        let max = max.saturating_add(self.read.get().saturating_mul(PIXELS_PER_BYTE));
        let decoded = self.decoded.get().saturating_add(pixels);
        let is_allowed = decoded <= max;
        if is_allowed {
            self.decoded.set(decoded);
        }
        is_allowed
    }

    /// Returns the bytes that may still be taken.
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// Takes `count` items of `each` bytes for `what`.
    pub fn take(&self, count: u64, each: u64, what: impl fmt::Display) -> Result<()> {
        let needs = count.saturating_mul(each);
        let left = self.left();
        if needs > left {
            let what = what.to_string();
            return Err(LoadErrorKind::TooBig { what, needs, left });
        }
        self.left.set(left - needs);
        Ok(())
    }

    /// Returns memory that was needed only temporarily.
    pub fn give_back(&self, count: u64, each: u64) {
        let bytes = count.saturating_mul(each);
        self.left.set(self.left().saturating_add(bytes));
    }
}
