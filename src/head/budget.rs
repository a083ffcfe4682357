//! The memory and the pixels that one load may still take.

use super::error::{LoadErrorKind, Result};
use super::limits::Limits;
use std::cell::Cell;

/// Images of the largest size that are decoded, whatever the size of the file.
const IMAGES: u64 = 4;
/// Further pixels allowed per byte read: more than a compressed photograph has.
const PIXELS_PER_BYTE: u64 = 16;

/// The budget of one load. Everything whose size comes from the file is charged to it before
/// it is allocated.
pub struct Budget {
    pub limits: Limits,
    allowed: Cell<u64>,
    used: Cell<u64>,
    read: Cell<u64>,
    decoded: Cell<u64>,
}

impl Budget {
    /// A budget for a file of `bytes` bytes.
    pub fn new(limits: &Limits, bytes: u64) -> Self {
        let budget = Budget {
            limits: limits.clone(),
            allowed: Cell::new(limits.memory_free),
            used: Cell::new(0),
            read: Cell::new(0),
            decoded: Cell::new(0),
        };
        budget.add_input(bytes);
        budget
    }

    /// Raises the budget for further bytes of input.
    pub fn add_input(&self, bytes: u64) {
        let more = bytes.saturating_mul(self.limits.memory_per_byte);
        self.allowed.set(self.allowed.get().saturating_add(more));
        self.read.set(self.read.get().saturating_add(bytes));
    }

    /// Whether `pixels` more pixels may be decoded, which takes time for each; counts them if so.
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
        self.allowed.get().saturating_sub(self.used.get())
    }

    /// Takes `count` items of `each` bytes for `what`.
    pub fn take(&self, count: u64, each: u64, what: impl Fn() -> String) -> Result<()> {
        let needs = count.saturating_mul(each);
        let left = self.left();
        if needs > left {
            let what = what();
            return Err(LoadErrorKind::TooBig { what, needs, left });
        }
        self.used.set(self.used.get() + needs);
        Ok(())
    }

    /// Returns memory that was needed only temporarily.
    pub fn give_back(&self, count: u64, each: u64) {
        let bytes = count.saturating_mul(each);
        self.used.set(self.used.get().saturating_sub(bytes));
    }
}
