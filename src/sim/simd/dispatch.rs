//! One kernel, compiled for every instruction set it may meet, chosen while the program runs.
//!
//! The kernels are plain Rust over blocks of eight lanes (but for the moves in `shuffle.rs`), with
//! multiplies and adds that are never fused: whatever is chosen here, the bits are the same.

// Only a caller that has asked the processor may call code made for AVX2: this one has.
#![allow(unsafe_code)]

/// Bytes.
#[cfg(target_arch = "x86_64")]
const CACHE_LINE: usize = 64;

/// Says that the processor knows AVX2: nobody else can make one.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub struct Avx2(());

/// Work on blocks of strands. `run` must be `#[inline(always)]`, and so must everything in it
/// that matters: only what is inlined is compiled for the wider instructions.
///
/// The provided methods but `run_knowing` are not for kernels to write anew. They stand here, and
/// not in [`widest`], since compilers put a type's methods beside that type: so kernels are compiled
/// side by side, and again only where they have changed.
pub trait Kernel: Sized {
    /// What comes of it.
    type Output;
    /// Is AVX-512 faster than AVX2? That is to be measured: compilers may do worse with it.
    const AVX512: bool = false;
    /// Does it.
    fn run(self) -> Self::Output;

    /// Does it where the processor knows AVX2: `run`, unless a kernel has something better to do, to
    /// the same bits. `#[inline(always)]` as well.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn run_knowing(self, _: Avx2) -> Self::Output {
        self.run()
    }

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
        self.run_knowing(Avx2(()))
    }

    /// `run` with AVX-512: it has twice as many registers, also for eight lanes. It brings `fma`,
    /// which nothing here asks for.
    ///
    /// # Safety
    /// The processor must know AVX-512 F, VL, DQ and BW.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw")]
    unsafe fn run_with_avx512(self) -> Self::Output {
        self.run_knowing(Avx2(()))
    }
}

/// Runs a kernel with the widest instructions of this machine: AVX-512 or AVX2 where there are
/// such, else what the program was compiled for (SSE2 on x86-64, NEON on AArch64).
#[inline]
pub fn widest<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    match instruction_set() {
        // SAFETY: the processor has said that it knows these.
        InstructionSet::Avx512 if K::AVX512 => return unsafe { kernel.run_with_avx512() },
        InstructionSet::Avx512 | InstructionSet::Avx2 => return unsafe { kernel.run_with_avx2() },
        InstructionSet::Sse2 => {}
    }
    kernel.run_as_compiled()
}

/// In the order of their widths.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum InstructionSet {
    Sse2,
    Avx2,
    Avx512,
}

/// The widest that the processor knows and `MOHAWK_SIMD` allows: `sse2` (or `scalar`, which is
/// the same code: what every x86-64 processor runs) or `avx2`.
#[cfg(target_arch = "x86_64")]
fn instruction_set() -> InstructionSet {
    use InstructionSet::{Avx2, Avx512, Sse2};
    use std::arch::is_x86_feature_detected as knows;
    static WIDEST: std::sync::OnceLock<InstructionSet> = std::sync::OnceLock::new();
    *WIDEST.get_or_init(|| {
        let allowed = match std::env::var("MOHAWK_SIMD").as_deref() {
            Ok("scalar" | "sse2") => Sse2,
            Ok("avx2") => Avx2,
            _ => Avx512,
        };
        let all_of_avx512 =
            knows!("avx512f") && knows!("avx512vl") && knows!("avx512dq") && knows!("avx512bw");
        if all_of_avx512 && allowed >= Avx512 {
            Avx512
        } else if knows!("avx2") && allowed >= Avx2 {
            Avx2
        } else {
            Sse2
        }
    })
}

/// Asks the memory for a value and what follows it within its cache lines. Any address will do.
#[inline(always)]
pub fn prefetch<T>(at: *const T) {
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
