//! Matrices of eight strands at once, in double precision, and the linear system of a strand, in
//! which each particle is coupled with the two before it.

use crate::sim::simd::{
    DLanes, DLanes3, Kernel, Lanes, Lanes3, Transpose, axes, dispatch, dot3, minus3, scaled3,
};
use std::f64::consts::TAU;

/// A matrix of eight strands, by rows.
pub(crate) type Matrix = [DLanes3; 3];

pub(crate) const ZERO_VECTOR: DLanes3 = [DLanes::ZERO; 3];
const ZERO_MATRIX: Matrix = [ZERO_VECTOR; 3];

/// Rounds to single precision.
#[inline(always)]
pub(crate) fn to_single(v: &DLanes3) -> Lanes3 {
    axes!(i => Lanes::from_fn(|lane| v[i].0[lane] as f32))
}

/// Converts to double precision.
#[inline(always)]
pub(crate) fn to_double(v: &Lanes3) -> DLanes3 {
    axes!(i => DLanes::from_single(&v[i]))
}

/// Sine and cosine, to 1e-9 for angles up to a million: in plain operations, so that every
/// instruction set gives the same bits.
#[inline(always)]
pub(crate) fn sin_cos(x: DLanes) -> (DLanes, DLanes) {
    // Adding and subtracting 3 · 2^51 rounds to whole numbers.
    let (magic, turn) = (DLanes::splat(6_755_399_441_055_744.0), DLanes::splat(TAU));
    let turns = (x * DLanes::splat(1.0 / TAU) + magic) - magic;
    // Taylor's series of half the angle, then the angle's doubling.
    let half = (x - turns * turn) * DLanes::splat(0.5);
    let square = half * half;
    let series = |last: u32, first: u32| {
        let mut sum = DLanes::ONE;
        for n in (first..=last).rev().step_by(2) {
            sum = DLanes::ONE - square * sum * DLanes::splat(1.0 / f64::from(n * (n + 1)));
        }
        sum
    };
    let (sin, cos) = (half * series(14, 2), series(15, 1));
    let two = DLanes::splat(2.0);
    (two * sin * cos, DLanes::ONE - two * sin * sin)
}

/// Returns the unit vector, or `otherwise` where there is no direction.
#[inline(always)]
pub(crate) fn direction(v: &DLanes3, otherwise: &DLanes3) -> DLanes3 {
    let long = dot3(v, v).sqrt();
    let unit = scaled3(v, DLanes::ONE / long.at_least(1e-12));
    axes!(i => long.above(1e-12, unit[i], otherwise[i]))
}

/// m v
#[inline(always)]
fn mul_vec(m: &Matrix, v: &DLanes3) -> DLanes3 {
    axes!(r => dot3(&m[r], v))
}

/// mᵀ v
#[inline(always)]
fn mul_vec_transposed(m: &Matrix, v: &DLanes3) -> DLanes3 {
    axes!(c => m[0][c] * v[0] + m[1][c] * v[1] + m[2][c] * v[2])
}

// Kernels of their own, though they are called from kernels: inlined into the solver in all places,
// they make it so long that compilers take minutes.

/// a b
struct Mul<'a>(&'a Matrix, &'a Matrix);

/// m − a bᵀ
struct MinusMulTransposed<'a>(&'a Matrix, &'a Matrix, &'a Matrix);

impl Kernel<Matrix> for Mul<'_> {
    #[inline(always)]
    fn run(self, _: impl Transpose) -> Matrix {
        let Mul(a, b) = self;
        axes!(r => axes!(c => a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c]))
    }
}

impl Kernel<Matrix> for MinusMulTransposed<'_> {
    #[inline(always)]
    fn run(self, _: impl Transpose) -> Matrix {
        let MinusMulTransposed(m, a, b) = self;
        axes!(r => axes!(c => m[r][c] - dot3(&a[r], &b[c])))
    }
}

/// m += s a
#[inline(always)]
pub(crate) fn add_scaled(m: &mut Matrix, a: &Matrix, s: DLanes) {
    for r in 0..3 {
        for c in 0..3 {
            m[r][c] += a[r][c] * s;
        }
    }
}

/// −v
#[inline(always)]
pub(crate) fn negative3(v: &DLanes3) -> DLanes3 {
    axes!(i => -v[i])
}

/// a t tᵀ + b 1
#[inline(always)]
pub(crate) fn outer(t: &DLanes3, a: DLanes, b: DLanes) -> Matrix {
    let mut m = axes!(r => scaled3(t, t[r] * a));
    for (i, row) in m.iter_mut().enumerate() {
        row[i] += b;
    }
    m
}

/// m += s a bᵀ
#[inline(always)]
pub(crate) fn add_outer(m: &mut Matrix, a: &DLanes3, b: &DLanes3, s: DLanes) {
    for r in 0..3 {
        let row = a[r] * s;
        for c in 0..3 {
            m[r][c] += row * b[c];
        }
    }
}

/// m += a0 b0ᵀ + a1 b1ᵀ
#[inline(always)]
pub(crate) fn add_outers(m: &mut Matrix, a: &[DLanes3; 2], b: &[DLanes3; 2]) {
    for r in 0..3 {
        for c in 0..3 {
            m[r][c] += a[0][r] * b[0][c] + a[1][r] * b[1][c];
        }
    }
}

/// Returns the inverse of a symmetric matrix, by its cofactors.
#[inline(always)]
fn inverse_symmetric(m: &Matrix) -> Matrix {
    let [[a, b, c], [_, d, e], [_, _, f]] = *m;
    let (x, y, z) = (d * f - e * e, c * e - b * f, b * e - c * d);
    let scale = DLanes::ONE / (a * x + b * y + c * z);
    let (u, v, w) = (a * f - c * c, b * c - a * e, a * d - b * b);
    let rows = [[x, y, z], [y, u, v], [z, v, w]];
    axes!(r => scaled3(&rows[r], scale))
}

/// The coupling of a particle with itself and the two before it, in a symmetric, positive definite,
/// block-pentadiagonal system of eight strands. There is a row for each particle; that of the root
/// is not used.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    /// The coupling with itself; after solving, the inverse of D.
    pub(crate) diagonal: Matrix,
    /// The couplings with the particle before, and the one before that; after solving, L.
    pub(crate) before: Matrix,
    pub(crate) second_before: Matrix,
    /// Right-hand side; after solving, the solution.
    pub(crate) rhs: DLanes3,
}

impl Row {
    pub(crate) const ZERO: Self = Self {
        diagonal: ZERO_MATRIX,
        before: ZERO_MATRIX,
        second_before: ZERO_MATRIX,
        rhs: ZERO_VECTOR,
    };
}

/// Solves the system. The root's row stays as it is.
///
/// Block Cholesky in its LDLᵀ form solves it exactly but for rounding, in time linear in the number
/// of particles, at any stiffness.
#[inline(always)]
pub(crate) fn solve(rows: &mut [Row]) {
    let rows = &mut rows[1..];
    for j in 0..rows.len() {
        let (done, rest) = rows.split_at_mut(j);
        let row = &mut rest[0];
        if let [.., before, last] = &*done {
            let l2 = dispatch(Mul(&row.second_before, &before.diagonal));
            row.before = dispatch(MinusMulTransposed(
                &row.before,
                &row.second_before,
                &last.before,
            ));
            row.diagonal = dispatch(MinusMulTransposed(&row.diagonal, &l2, &row.second_before));
            row.rhs = minus3(&row.rhs, &mul_vec(&l2, &before.rhs));
            row.second_before = l2;
        }
        if let [.., last] = &*done {
            let l1 = dispatch(Mul(&row.before, &last.diagonal));
            row.diagonal = dispatch(MinusMulTransposed(&row.diagonal, &l1, &row.before));
            row.rhs = minus3(&row.rhs, &mul_vec(&l1, &last.rhs));
            row.before = l1;
        }
        row.diagonal = inverse_symmetric(&row.diagonal);
    }
    for j in (0..rows.len()).rev() {
        let (rest, done) = rows.split_at_mut(j + 1);
        let row = &mut rest[j];
        let mut x = mul_vec(&row.diagonal, &row.rhs);
        if let [next, ..] = &*done {
            x = minus3(&x, &mul_vec_transposed(&next.before, &next.rhs));
        }
        if let [_, after, ..] = &*done {
            x = minus3(&x, &mul_vec_transposed(&after.second_before, &after.rhs));
        }
        row.rhs = x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn sine_and_cosine_are_right() {
        for i in -4000..4000 {
            let x = f64::from(i) * 0.0173;
            let (sin, cos) = sin_cos(DLanes::splat(x));
            assert!((sin.0[0] - x.sin()).abs() < 1e-9, "{x}");
            assert!((cos.0[3] - x.cos()).abs() < 1e-9, "{x}");
        }
    }

    #[test]
    fn the_solution_satisfies_the_system() {
        // With small couplings, the identity on the diagonal makes the system positive definite.
        let mut random = Random::new(1);
        let mut number = || DLanes(std::array::from_fn(|_| 0.1 * (random.uniform() - 0.5)));
        let identity = outer(&ZERO_VECTOR, DLanes::ZERO, DLanes::ONE);
        let mut rows = [Row::ZERO; 9];
        for row in &mut rows {
            let half: Matrix = axes!(_r => axes!(_c => number()));
            row.diagonal = axes!(r => axes!(c => half[r][c] + half[c][r] + identity[r][c]));
            row.before = axes!(_r => axes!(_c => number()));
            row.second_before = axes!(_r => axes!(_c => number()));
            row.rhs = axes!(_r => number());
        }
        let before = rows;
        solve(&mut rows);
        let x = |j: usize| &rows[j].rhs;
        let mut errors = before.map(|row| row.rhs);
        for (j, row) in before.iter().enumerate().skip(1) {
            errors[j] = minus3(&errors[j], &mul_vec(&row.diagonal, x(j)));
            for (i, coupling) in [(j - 1, &row.before), (j.max(2) - 2, &row.second_before)] {
                if i > 0 {
                    errors[j] = minus3(&errors[j], &mul_vec(coupling, x(i)));
                    errors[i] = minus3(&errors[i], &mul_vec_transposed(coupling, x(j)));
                }
            }
        }
        for error in errors[1..].iter().flatten().flat_map(|lanes| lanes.0) {
            assert!(error.abs() < 1e-12, "{error}");
        }
    }
}
