//! Compiles one kernel for several instruction sets and chooses among them at run time.
//!
//! Kernels are plain Rust over blocks of eight lanes, except for the moves in `transpose.rs`.
//! Multiplications and additions are never fused, so every instruction set gives the same bits.

// Code compiled for AVX2 may only be called after the processor has been asked for it.
#![allow(unsafe_code)]

/// Size of a cache line, bytes.
#[cfg(target_arch = "x86_64")]
const CACHE_LINE: usize = 64;

/// Proof that the processor has AVX2: only this module creates it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

/// Work on blocks of strands. `run` must be `#[inline(always)]`, and so must everything in it
/// that matters: only what is inlined is compiled for the wider instructions.
///
/// Kernels may implement `run_on_avx2` and leave the other provided methods alone. These are here
/// and not in [`dispatch`] because compilers place a type's methods beside the type: so kernels are
/// compiled in parallel, and again only where they have changed.
pub(crate) trait Kernel: Sized {
    /// The result of the work.
    type Output;
    /// Whether AVX-512 is faster than AVX2. Measure it: compilers may do worse with it.
    const AVX512: bool = false;
    /// Runs the kernel.
    fn run(self) -> Self::Output;

    /// Runs the kernel on a processor with AVX2, with the same bits as `run`. Must be
    /// `#[inline(always)]`, too.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn run_on_avx2(self, _: Avx2) -> Self::Output {
        self.run()
    }

    /// Calls `run` with the instructions that the program was compiled for.
    #[inline(never)]
    fn run_as_compiled(self) -> Self::Output {
        self.run()
    }

    /// Calls `run_on_avx2` compiled for AVX2, without `fma`: fused operations round once where
    /// others round twice.
    ///
    /// # Safety
    /// The processor must have AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn run_with_avx2(self) -> Self::Output {
        self.run_on_avx2(Avx2(()))
    }

    /// Calls `run_on_avx2` compiled for AVX-512, which has twice as many registers, also for eight
    /// lanes. It brings `fma`, which nothing here asks for.
    ///
    /// # Safety
    /// The processor must have AVX-512 F, VL, DQ and BW.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw")]
    unsafe fn run_with_avx512(self) -> Self::Output {
        self.run_on_avx2(Avx2(()))
    }
}

/// Runs a kernel with the widest instructions of this machine: AVX-512 or AVX2 where it has them,
/// else those that the program was compiled for (SSE2 on x86-64, NEON on AArch64).
#[inline]
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    match instruction_set() {
        // SAFETY: the processor has said that it has these instructions.
        InstructionSet::Avx512 if K::AVX512 => return unsafe { kernel.run_with_avx512() },
        InstructionSet::Avx512 | InstructionSet::Avx2 => return unsafe { kernel.run_with_avx2() },
        InstructionSet::Sse2 => {}
    }
    kernel.run_as_compiled()
}

/// Instruction sets in the order of their widths.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum InstructionSet {
    Sse2,
    Avx2,
    Avx512,
}

/// Returns the widest instruction set that the processor has and the environment variable
/// `MOHAWK_SIMD` allows: `sse2` (or `scalar`, which is the same code) or `avx2`.
#[cfg(target_arch = "x86_64")]
fn instruction_set() -> InstructionSet {
    use InstructionSet::{Avx2, Avx512, Sse2};
    use std::arch::is_x86_feature_detected as has;
    static WIDEST: std::sync::OnceLock<InstructionSet> = std::sync::OnceLock::new();
    *WIDEST.get_or_init(|| {
        let allowed = match std::env::var("MOHAWK_SIMD").as_deref() {
            Ok("scalar" | "sse2") => Sse2,
            Ok("avx2") => Avx2,
            _ => Avx512,
        };
        let avx512 = has!("avx512f") && has!("avx512vl") && has!("avx512dq") && has!("avx512bw");
        if avx512 && allowed >= Avx512 {
            Avx512
        } else if has!("avx2") && allowed >= Avx2 {
            Avx2
        } else {
            Sse2
        }
    })
}

/// Asks the memory for the cache lines of a value. Any address will do.
#[inline(always)]
pub(crate) fn prefetch<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..size_of::<T>().div_ceil(CACHE_LINE) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let at = at.cast::<i8>().wrapping_add(line * CACHE_LINE);
        // SAFETY: this reads nothing, whatever the address, and every x86-64 processor has it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// Returns the display name of the instructions that strands run on with this machine.
pub fn instructions() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    return match instruction_set() {
        InstructionSet::Avx512 => "AVX2 and AVX-512",
        InstructionSet::Avx2 => "AVX2",
        InstructionSet::Sse2 => "SSE2",
    };
    #[cfg(not(target_arch = "x86_64"))]
    if cfg!(target_arch = "aarch64") {
        "NEON"
    } else {
        "portable"
    }
}
