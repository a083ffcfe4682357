//! How much a file may ask for, in one place, and the budget that enforces it.
//!
//! The promise behind the numbers: loading needs at most about 8 times the bytes
//! that were read plus 256 MB, whatever the file claims. So nothing is allocated
//! from a count in the file before the [`Budget`] has agreed to it.

use super::error::LoadErrorKind;
use std::cell::Cell;

/// Bytes of one file (and of all files a `.gltf` names, together).
/// More is refused; 1 GiB of plain glTF is a head of some 20 million vertices.
pub const FILE_BYTES: u64 = 1 << 30;
/// What an entry of a list in the document is charged, in sizes of its type: one
/// that is moved while it grows may need twice as much. The entry `{}` of a list
/// of nodes, 3 bytes in the file, comes to some 700.
pub const LIST_FACTOR: usize = 2;
/// What an object with free keys (attributes, extensions) is charged besides its
/// entries: a node of a B-tree has room for eleven from the start.
pub const MAP_BYTES: usize = 704;
/// What an entry of such an object is charged besides the bytes of its key.
pub const MAP_ENTRY_BYTES: usize = 128;
/// What a string is charged besides its bytes: the allocator's rounding.
pub const STRING_BYTES: usize = 32;
/// Nodes between a root and its deepest descendant. Exporters stay below 100.
pub const NODE_DEPTH: usize = 1024;
/// Primitives that the nodes show, each instance counted.
pub const PRIMITIVES: usize = 20_000;
/// `COLOR_n` sets that are searched for paint on each primitive.
pub const COLOR_SETS: usize = 16;
/// Vertices of the whole head, each instance counted.
pub const VERTICES: u64 = 20_000_000;
/// Pixels of one image as it is stored.
pub const IMAGE_PIXELS: u64 = 128 << 20;
/// Larger textures are halved until both sides are within this, and until they
/// take no more than half of the memory that is left.
pub const TEXTURE_SIDE: u32 = 4096;
/// Warnings that are kept; the rest is counted.
pub const WARNINGS: usize = 64;
/// Memory that any file may use, in bytes. The rest of the 256 MB is for what is
/// not worth counting, and what decoders need.
pub const FREE_BYTES: u64 = 200 << 20;
/// Memory that each byte read allows on top of itself.
pub const BYTES_PER_BYTE_READ: u64 = 7;

/// Memory that a load may still take.
pub struct Budget {
    allowed: Cell<u64>,
    used: Cell<u64>,
}

impl Budget {
    /// A budget for a file of `bytes_read` bytes.
    pub fn new(bytes_read: u64) -> Self {
        let budget = Budget {
            allowed: Cell::new(FREE_BYTES),
            used: Cell::new(0),
        };
        budget.bytes_read(bytes_read);
        budget
    }

    /// More of the input has been read, so more may be used.
    pub fn bytes_read(&self, bytes: u64) {
        let more = bytes.saturating_mul(BYTES_PER_BYTE_READ);
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
