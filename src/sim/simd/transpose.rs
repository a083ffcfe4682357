//! From numbers side by side in lanes to numbers side by side in memory, and back: the little that
//! compilers do not find by themselves.
//!
//! What is written here for AVX2 gives the bits of what is written plainly.

// Only code that may use the instructions can be given the token by which it does.
#![allow(unsafe_code)]

use super::blocks::{LANES, Lanes, Lanes3, axes};
#[cfg(target_arch = "x86_64")]
use super::dispatch::Avx2;
use super::dispatch::Kernel;

/// 1.5 · 2²³: added to this, a number below 2²² is rounded to a whole one, which then stands in the
/// low bits.
pub(crate) const WHOLE: f32 = 12_582_912.0;

/// Moves between lanes, as a processor does them.
pub trait Shuffle: Copy {
    /// Row i of what it gives holds number i of every row.
    fn transposed(self, rows: &[Lanes; LANES]) -> [Lanes; LANES];

    /// Numbers 0 of four rows, then their numbers 4.
    fn ends(self, rows: [&Lanes; 4]) -> Lanes;

    /// Four pairs, one after the other.
    fn pairs(self, pairs: [&[f32; 2]; 4]) -> Lanes;

    /// x, y and z of two points, each four times: as often as a point has numbers.
    fn spread(self, points: &[[f32; 4]; 2]) -> Lanes3;

    /// The nearest whole numbers, even ones where two are as near. Anything where one is not below
    /// 2²².
    fn rounded(self, numbers: &Lanes) -> [i32; LANES];
}

/// A [`Kernel`] that moves numbers between lanes. `run_by` must be `#[inline(always)]`.
pub trait Shuffling: Sized {
    /// As [`Kernel::Output`].
    type Output;
    /// As [`Kernel::AVX512`].
    const AVX512: bool = false;
    /// Does it, to the same bits whatever moves them.
    fn run_by(self, shuffle: impl Shuffle) -> Self::Output;
}

impl<K: Shuffling> Kernel for K {
    type Output = K::Output;
    const AVX512: bool = K::AVX512;

    #[inline(always)]
    fn run(self) -> K::Output {
        self.run_by(Plain)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn run_knowing(self, avx2: Avx2) -> K::Output {
        self.run_by(avx2)
    }
}

/// On any processor.
#[derive(Clone, Copy)]
pub(crate) struct Plain;

impl Shuffle for Plain {
    #[inline(always)]
    fn transposed(self, rows: &[Lanes; LANES]) -> [Lanes; LANES] {
        let mut turned = [Lanes::default(); LANES];
        for (i, turned) in turned.iter_mut().enumerate() {
            for (number, row) in turned.0.iter_mut().zip(rows) {
                *number = row.0[i];
            }
        }
        turned
    }

    #[inline(always)]
    fn ends(self, [a, b, c, d]: [&Lanes; 4]) -> Lanes {
        let [a, b, c, d] = [&a.0, &b.0, &c.0, &d.0];
        Lanes([a[0], b[0], c[0], d[0], a[4], b[4], c[4], d[4]])
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
            *whole = ((number + WHOLE).to_bits() as i32).wrapping_sub(WHOLE.to_bits() as i32);
        }
        whole
    }
}

#[cfg(target_arch = "x86_64")]
impl Shuffle for Avx2 {
    #[inline(always)]
    fn transposed(self, rows: &[Lanes; LANES]) -> [Lanes; LANES] {
        // SAFETY: the token says that the processor knows AVX2.
        unsafe { avx2::transposed(rows) }
    }

    #[inline(always)]
    fn ends(self, rows: [&Lanes; 4]) -> Lanes {
        // SAFETY: as above.
        unsafe { avx2::ends(rows) }
    }

    #[inline(always)]
    fn pairs(self, pairs: [&[f32; 2]; 4]) -> Lanes {
        // SAFETY: as above.
        unsafe { avx2::pairs(pairs) }
    }

    #[inline(always)]
    fn spread(self, points: &[[f32; 4]; 2]) -> Lanes3 {
        // SAFETY: as above.
        unsafe { avx2::spread(points) }
    }

    #[inline(always)]
    fn rounded(self, numbers: &Lanes) -> [i32; LANES] {
        // SAFETY: as above.
        unsafe { avx2::rounded(numbers) }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{LANES, Lanes, Lanes3};
    use std::arch::x86_64::{
        __m256, _mm_load_ps, _mm_load_sd, _mm_loadh_pd, _mm256_castpd_ps, _mm256_castpd128_pd256,
        _mm256_castps128_ps256, _mm256_cvtps_epi32, _mm256_insertf128_pd, _mm256_insertf128_ps,
        _mm256_load_ps, _mm256_loadu_ps, _mm256_permute_ps, _mm256_shuffle_ps, _mm256_unpackhi_ps,
        _mm256_unpacklo_ps,
    };
    use std::mem::transmute;

    /// Of two numbers each, those of one register, then those of the other, in either half.
    const FIRST_TWO: i32 = 0b01_00_01_00;
    const LAST_TWO: i32 = 0b11_10_11_10;

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(crate) fn transposed(rows: &[Lanes; LANES]) -> [Lanes; LANES] {
        let (low, high) = (quarters::<0>(rows), quarters::<4>(rows));
        let all = [
            low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3],
        ];
        // SAFETY: eight registers of eight numbers are eight times eight numbers, and as aligned.
        unsafe { transmute::<[__m256; LANES], [Lanes; LANES]>(all) }
    }

    /// Columns `FROM` to `FROM` + 3: in the lower half from the first four rows, in the upper from
    /// the others.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn quarters<const FROM: usize>(rows: &[Lanes; LANES]) -> [__m256; 4] {
        const { assert!(FROM + 4 <= LANES) };
        // Halves come from memory: nothing is exchanged between them later.
        let both = |row: usize| {
            // SAFETY: four numbers from 0 or 4 on are within a row, at multiples of 16 bytes.
            let half = |row: usize| unsafe { _mm_load_ps(rows[row].0.as_ptr().add(FROM)) };
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

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(crate) fn ends([a, b, c, d]: [&Lanes; 4]) -> Lanes {
        let ab = _mm256_unpacklo_ps(register(a), register(b));
        let cd = _mm256_unpacklo_ps(register(c), register(d));
        // SAFETY: a register of eight numbers.
        unsafe { transmute::<__m256, Lanes>(_mm256_shuffle_ps::<FIRST_TWO>(ab, cd)) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(crate) fn pairs([a, b, c, d]: [&[f32; 2]; 4]) -> Lanes {
        let two = |a: &[f32; 2], b: &[f32; 2]| {
            // SAFETY: two numbers are as large as one of twice the size, and any address will do.
            unsafe { _mm_loadh_pd(_mm_load_sd(a.as_ptr().cast()), b.as_ptr().cast()) }
        };
        let all = _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(two(a, b)), two(c, d));
        // SAFETY: a register of eight numbers.
        unsafe { transmute::<__m256, Lanes>(_mm256_castpd_ps(all)) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(crate) fn spread(points: &[[f32; 4]; 2]) -> Lanes3 {
        // SAFETY: two points are eight numbers, and any address will do.
        let two = unsafe { _mm256_loadu_ps(points.as_ptr().cast()) };
        let all = [
            _mm256_permute_ps::<0b00_00_00_00>(two),
            _mm256_permute_ps::<0b01_01_01_01>(two),
            _mm256_permute_ps::<0b10_10_10_10>(two),
        ];
        // SAFETY: three registers of eight numbers.
        unsafe { transmute::<[__m256; 3], Lanes3>(all) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(crate) fn rounded(numbers: &Lanes) -> [i32; LANES] {
        // SAFETY: a register of eight numbers.
        unsafe { transmute(_mm256_cvtps_epi32(register(numbers))) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn register(lanes: &Lanes) -> __m256 {
        // SAFETY: eight numbers, at a multiple of 32 bytes.
        unsafe { _mm256_load_ps(lanes.0.as_ptr()) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::dispatch::widest;
    use super::*;

    /// All that a [`Shuffle`] does with eight rows.
    struct Shuffled<'a>(&'a [Lanes; LANES]);

    type All = ([Lanes; LANES], [Lanes; 2], Lanes3, Vec<[i32; LANES]>);

    impl Shuffling for Shuffled<'_> {
        type Output = All;

        #[inline(always)]
        fn run_by(self, shuffle: impl Shuffle) -> All {
            let [a, b, c, d, ..] = self.0;
            let pair = |row: &Lanes| [row.0[2], row.0[3]];
            let four =
                |row: &Lanes| [[0, 1, 2, 3], [4, 5, 6, 7]].map(|of| of.map(|i: usize| row.0[i]));
            let pairs = [&pair(a), &pair(b), &pair(c), &pair(d)];
            let whole = self.0.iter().map(|row| shuffle.rounded(row)).collect();
            (
                shuffle.transposed(self.0),
                [shuffle.ends([a, b, c, d]), shuffle.pairs(pairs)],
                shuffle.spread(&four(b)),
                whole,
            )
        }
    }

    #[test]
    fn every_way_of_moving_numbers_gives_the_same() {
        let rows: [Lanes; LANES] = std::array::from_fn(|i| {
            // Halves among them, which are rounded to even numbers.
            Lanes(std::array::from_fn(|lane| {
                (i * LANES + lane) as f32 * 0.5 - 16.25 * (i % 3) as f32
            }))
        });
        let (turned, [ends, pairs], spread, whole) = widest(Shuffled(&rows));
        let plainly = Shuffled(&rows).run_by(Plain);
        assert_eq!((turned, [ends, pairs], spread, whole.clone()), plainly);
        for i in 0..LANES {
            for lane in 0..LANES {
                assert_eq!(turned[i].0[lane], rows[lane].0[i]);
                let nearest = rows[i].0[lane].round_ties_even();
                assert_eq!(whole[i][lane], nearest as i32);
            }
        }
        let [a, b, c, d, ..] = rows.map(|row| row.0);
        let picked = [a[0], b[0], c[0], d[0], a[4], b[4], c[4], d[4]];
        assert_eq!(ends, Lanes(picked));
        let paired = [a[2], a[3], b[2], b[3], c[2], c[3], d[2], d[3]];
        assert_eq!(pairs, Lanes(paired));
        for i in 0..3 {
            let four = |x| [x; 4];
            assert_eq!(spread[i].0, [four(b[i]), four(b[i + 4])].concat()[..]);
        }
    }
}
