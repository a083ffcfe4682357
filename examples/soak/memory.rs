//! An allocator that counts: what is held now and the most that was held.

// Implementing an allocator is unsafe by definition; this one only counts and passes on.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn grow(bytes: usize) {
    let held = HELD.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(held, Relaxed);
}

// SAFETY: every call is passed to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller's promise is the one asked for here.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Large blocks are moved by their pages, so the two are not held at once.
        HELD.fetch_sub(layout.size(), Relaxed);
        grow(size);
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }
}

/// Bytes held now; the peak starts anew from there.
pub fn start() -> usize {
    let held = HELD.load(Relaxed);
    PEAK.store(held, Relaxed);
    held
}

/// The most bytes held since `start`, beyond what it returned.
pub fn peak_since(start: usize) -> usize {
    PEAK.load(Relaxed).saturating_sub(start)
}
