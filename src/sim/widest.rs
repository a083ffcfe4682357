//! One kernel, compiled for every instruction set it may meet, chosen while the program runs.
//!
//! The kernels are plain Rust over blocks of eight lanes, with multiplies and adds that are
//! never fused: whatever is chosen here, the bits are the same.

// Only a caller that has asked the processor may call code made for AVX2: this one has.
#![allow(unsafe_code)]

/// Bytes.
#[cfg(target_arch = "x86_64")]
const CACHE_LINE: usize = 64;

/// Work on blocks of strands. `run` must be `#[inline(always)]`, and so must everything in it
/// that matters: only what is inlined is compiled for the wider instructions.
///
/// The provided methods are not for kernels to write anew. They stand here, and not in [`widest`],
/// since compilers put a type's methods beside that type: so kernels are compiled side by side, and
/// again only where they have changed.
pub(crate) trait Kernel: Sized {
    /// What comes of it.
    type Output;
    /// Does it.
    fn run(self) -> Self::Output;

    /// `run` with what the program was compiled for.
    #[inline(never)]
    fn run_as_compiled(self) -> Self::Output {
        self.run()
    }

    /// `run` with AVX2. Not `fma`: fused operations round once where others round twice.
    ///
    /// # Safety
    /// The processor must know AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn run_with_avx2(self) -> Self::Output {
        self.run()
    }
}

/// Runs a kernel with the widest instructions of this machine: AVX2 where there is one, else
/// what the program was compiled for (SSE2 on x86-64, NEON on AArch64).
#[inline]
pub(crate) fn widest<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if uses_avx2() {
        // SAFETY: the processor has said that it knows AVX2.
        return unsafe { kernel.run_with_avx2() };
    }
    kernel.run_as_compiled()
}

/// Does the processor know AVX2, and does nobody forbid it? `MOHAWK_SIMD=sse2` does, and
/// `MOHAWK_SIMD=scalar`, which is the same code: what every x86-64 processor runs.
#[cfg(target_arch = "x86_64")]
fn uses_avx2() -> bool {
    static USES: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *USES.get_or_init(|| {
        let forbidden = std::env::var("MOHAWK_SIMD")
            .is_ok_and(|name| ["scalar", "sse2"].contains(&name.as_str()));
        std::arch::is_x86_feature_detected!("avx2") && !forbidden
    })
}

/// Asks the memory for a value and what follows it within its cache lines. Any address will do.
#[inline(always)]
pub(super) fn prefetch<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..size_of::<T>().div_ceil(CACHE_LINE) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let at = at.cast::<i8>().wrapping_add(line * CACHE_LINE);
        // SAFETY: this reads nothing, whatever the address, and is in every x86-64 processor.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// The instructions that the strands run on with this machine, for people.
pub fn instructions() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if uses_avx2() {
        return "AVX2";
    }
    if cfg!(target_arch = "x86_64") {
        "SSE2"
    } else if cfg!(target_arch = "aarch64") {
        "NEON"
    } else {
        "portable"
    }
}
