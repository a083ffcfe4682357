//! Moves between numbers side by side in lanes and numbers side by side in memory, where compilers
//! do not find the instructions by themselves.
//!
//! The AVX2 versions give the same bits as the portable ones.

// The AVX2 versions need a token that proves that the processor has their instructions.
#![allow(unsafe_code)]

use super::lanes::{LANES, Lanes, Lanes3, axes};

/// 1.5 · 2²³: adding it rounds a number below 2²² to a whole one, which then stands in the low
/// bits.
pub(crate) const ROUNDING: f32 = 12_582_912.0;

/// Moves between lanes, as one kind of processor does them.
pub(crate) trait Transpose: Copy {
    /// Transposes eight rows: row i of the result holds number i of every row.
    fn transposed(self, rows: &[Lanes; LANES]) -> [Lanes; LANES];

    /// Returns four pairs, one after the other.
    fn pairs(self, pairs: [&[f32; 2]; 4]) -> Lanes;

    /// Returns x, y and z of two points, each four times: as often as a point has numbers.
    fn spread(self, points: &[[f32; 4]; 2]) -> Lanes3;

    /// Rounds to the nearest whole numbers, ties to even. The result is undefined, but safe, for
    /// magnitudes from 2²² on.
    fn rounded(self, numbers: &Lanes) -> [i32; LANES];
}

/// Proof that the processor has AVX2: only `dispatch` creates it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(pub(super) ());

/// Moves between lanes on any processor.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Transpose for Portable {
    #[inline(always)]
    fn transposed(self, rows: &[Lanes; LANES]) -> [Lanes; LANES] {
        let mut columns = [Lanes::ZERO; LANES];
        for (i, column) in columns.iter_mut().enumerate() {
            for (number, row) in column.0.iter_mut().zip(rows) {
                *number = row.0[i];
            }
        }
        columns
    }

    #[inline(always)]
    fn pairs(self, [a, b, c, d]: [&[f32; 2]; 4]) -> Lanes {
        Lanes([a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]])
    }

    #[inline(always)]
    fn spread(self, [a, b]: &[[f32; 4]; 2]) -> Lanes3 {
        axes!(i => Lanes([a[i], a[i], a[i], a[i], b[i], b[i], b[i], b[i]]))
    }

    #[inline(always)]
    fn rounded(self, numbers: &Lanes) -> [i32; LANES] {
        let mut whole = [0; LANES];
        for (whole, number) in whole.iter_mut().zip(numbers.0) {
            *whole = ((number + ROUNDING).to_bits() as i32).wrapping_sub(ROUNDING.to_bits() as i32);
        }
        whole
    }
}

// SAFETY of all methods: `Avx2` proves that the processor has the instructions. Loads stay within
// the arrays that they are given, aligned ones at multiples of their size, and what is transmuted
// are registers and as many rows of eight numbers, which have the same size and alignment.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Avx2, LANES, Lanes, Lanes3, Transpose};
    use std::arch::x86_64::*;
    use std::mem::transmute;

    /// Selects the first two numbers of one register, then those of the other, in either half.
    const FIRST_TWO: i32 = 0b01_00_01_00;
    /// Selects the last two likewise.
    const LAST_TWO: i32 = 0b11_10_11_10;

    impl Transpose for Avx2 {
        #[inline(always)]
        fn transposed(self, rows: &[Lanes; LANES]) -> [Lanes; LANES] {
            // SAFETY: see above.
            unsafe { transmute::<[[__m256; 4]; 2], _>([columns::<0>(rows), columns::<4>(rows)]) }
        }

        #[inline(always)]
        fn pairs(self, [a, b, c, d]: [&[f32; 2]; 4]) -> Lanes {
            // SAFETY: see above.
            unsafe {
                let ab = _mm_loadh_pd(_mm_load_sd(a.as_ptr().cast()), b.as_ptr().cast());
                let cd = _mm_loadh_pd(_mm_load_sd(c.as_ptr().cast()), d.as_ptr().cast());
                transmute(_mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(ab), cd))
            }
        }

        #[inline(always)]
        fn spread(self, points: &[[f32; 4]; 2]) -> Lanes3 {
            // SAFETY: see above.
            unsafe {
                let two = _mm256_loadu_ps(points.as_ptr().cast());
                transmute([
                    _mm256_permute_ps::<0b00_00_00_00>(two),
                    _mm256_permute_ps::<0b01_01_01_01>(two),
                    _mm256_permute_ps::<0b10_10_10_10>(two),
                ])
            }
        }

        #[inline(always)]
        fn rounded(self, numbers: &Lanes) -> [i32; LANES] {
            // SAFETY: see above.
            unsafe { transmute(_mm256_cvtps_epi32(_mm256_load_ps(numbers.0.as_ptr()))) }
        }
    }

    /// Columns `FIRST` to `FIRST` + 3: in the lower half from the first four rows, in the upper
    /// half from the others. Halves come from memory, so nothing crosses them later.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn columns<const FIRST: usize>(rows: &[Lanes; LANES]) -> [__m256; 4] {
        const { assert!(FIRST + 4 <= LANES) };
        let both = |row: usize| {
            // SAFETY: see above.
            let half = |row: usize| unsafe { _mm_load_ps(rows[row].0.as_ptr().add(FIRST)) };
            _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(half(row)), half(row + 4))
        };
        let (a, b, c, d) = (both(0), both(1), both(2), both(3));
        let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
        let (ef, gh) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
        [
            _mm256_shuffle_ps::<FIRST_TWO>(ab, cd),
            _mm256_shuffle_ps::<LAST_TWO>(ab, cd),
            _mm256_shuffle_ps::<FIRST_TWO>(ef, gh),
            _mm256_shuffle_ps::<LAST_TWO>(ef, gh),
        ]
    }
}
