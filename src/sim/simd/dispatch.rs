//! Compiles one kernel for several instruction sets and chooses among them at run time.
//!
//! Kernels are plain Rust over blocks of eight lanes, except for the moves in `transpose.rs`.
//! Multiplications and additions are never fused, so every instruction set gives the same bits.

// Code compiled for AVX2 may only be called after the processor has been asked for it.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use super::transpose::Avx2;
use super::transpose::{Portable, Transpose};

/// Size of a cache line, bytes.
#[cfg(target_arch = "x86_64")]
const CACHE_LINE: usize = 64;

/// Work on blocks of strands. `run` must be `#[inline(always)]`, and so must everything in it
/// that matters: only what is inlined is compiled for the wider instructions.
///
/// Kernels leave the provided methods alone. These are here and not in [`dispatch`] because
/// compilers place a type's methods beside the type: so kernels are compiled in parallel, and again
/// only where they have changed.
pub(crate) trait Kernel<Output = ()>: Sized {
    /// `true` if AVX-512 is faster than AVX2. Measure it: compilers may do worse with it.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code))]
    const AVX512: bool = false;
    /// Runs the kernel, with the same bits for every `transpose`.
    fn run(self, transpose: impl Transpose) -> Output;

    /// Calls `run` with the instructions that the program was compiled for.
    #[inline(never)]
    fn run_as_compiled(self) -> Output {
        self.run(Portable)
    }

    /// Calls `run` compiled for AVX2, without `fma`: fused operations round once where
    /// others round twice.
    ///
    /// # Safety
    /// The processor must have AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn run_with_avx2(self) -> Output {
        self.run(Avx2(()))
    }

    /// Calls `run` compiled for AVX-512, which has twice as many registers, also for eight
    /// lanes. It brings `fma`, which nothing here asks for.
    ///
    /// # Safety
    /// The processor must have AVX-512 F, VL, DQ and BW.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw")]
    unsafe fn run_with_avx512(self) -> Output {
        self.run(Avx2(()))
    }
}

/// Runs a kernel with the widest instructions of this machine: AVX-512 or AVX2 where it has them,
/// else those that the program was compiled for (SSE2 on x86-64, NEON on AArch64).
#[inline]
pub(crate) fn dispatch<Output, K: Kernel<Output>>(kernel: K) -> Output {
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

#[cfg(test)]
mod tests {
    use super::super::lanes::{LANES, Lanes, Lanes3};
    use super::*;

    /// Everything that a [`Transpose`] does with eight rows.
    struct Everything<'a>(&'a [Lanes; LANES]);

    type Moved = ([Lanes; LANES], Lanes, Lanes3, Vec<[i32; LANES]>);

    impl Kernel<Moved> for Everything<'_> {
        #[inline(always)]
        fn run(self, transpose: impl Transpose) -> Moved {
            let [a, b, c, d, ..] = self.0;
            let pair = |row: &Lanes| [row.0[2], row.0[3]];
            let pairs = [&pair(a), &pair(b), &pair(c), &pair(d)];
            let points = [[0, 1, 2, 3], [4, 5, 6, 7]].map(|of| of.map(|i: usize| b.0[i]));
            let whole = self.0.iter().map(|row| transpose.rounded(row));
            (
                transpose.transposed(self.0),
                transpose.pairs(pairs),
                transpose.spread(&points),
                whole.collect(),
            )
        }
    }

    #[test]
    fn every_instruction_set_moves_numbers_alike() {
        let rows: [Lanes; LANES] = std::array::from_fn(|i| {
            // Halves among them, which are rounded to even numbers.
            Lanes::from_fn(|lane| (i * LANES + lane) as f32 * 0.5 - 16.25 * (i % 3) as f32)
        });
        let got = dispatch(Everything(&rows));
        assert_eq!(got, Everything(&rows).run(Portable));
        let (columns, pairs, spread, whole) = got;
        let rows = rows.map(|row| row.0);
        for (i, row) in rows.iter().enumerate() {
            assert_eq!(columns.map(|column| column.0[i]), *row);
            assert_eq!(whole[i], row.map(|x| x.round_ties_even() as i32));
        }
        let [a, b, c, d, ..] = rows;
        let expected = [&a[2..4], &b[2..4], &c[2..4], &d[2..4]].concat();
        assert_eq!(pairs.0[..], expected);
        for i in 0..3 {
            assert_eq!(spread[i].0, [[b[i]; 4], [b[i + 4]; 4]].concat()[..]);
        }
    }
}
