//! The linear system of a strand, in which each particle is coupled with the two before it.

use super::matrix::{
    Matrix, ZERO_MATRIX, ZERO_VECTOR, inverse_symmetric, minus_mul_transposed, mul, mul_vec,
    mul_vec_transposed,
};
use crate::sim::simd::{DLanes3, minus3};

/// A symmetric, positive definite, block-pentadiagonal system of eight strands.
///
/// Block Cholesky in its LDLᵀ form solves it exactly but for rounding, in time linear in the number
/// of particles, at any stiffness.
pub(crate) struct System {
    /// One row for each particle; that of the root is not used.
    pub(crate) rows: Vec<Row>,
}

/// The coupling of a particle with itself and the two before it.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    /// With itself; after solving, the inverse of D.
    pub(crate) own: Matrix,
    /// With the particle before, and the one before that; after solving, L.
    pub(crate) one: Matrix,
    pub(crate) two: Matrix,
    /// Right-hand side; after solving, the solution.
    pub(crate) right: DLanes3,
}

impl System {
    /// A system of zeros, for strands of `len` particles.
    #[inline(always)]
    pub(crate) fn new(len: usize) -> Self {
        let row = Row {
            own: ZERO_MATRIX,
            one: ZERO_MATRIX,
            two: ZERO_MATRIX,
            right: ZERO_VECTOR,
        };
        Self {
            rows: vec![row; len],
        }
    }

    /// Solves the system. The root's row stays as it is.
    #[inline(always)]
    pub(crate) fn solve(&mut self) {
        let rows = &mut self.rows[1..];
        for j in 0..rows.len() {
            let (done, rest) = rows.split_at_mut(j);
            let row = &mut rest[0];
            if let [.., before, last] = &*done {
                let l2 = mul(&row.two, &before.own);
                row.one = minus_mul_transposed(&row.one, &row.two, &last.one);
                row.own = minus_mul_transposed(&row.own, &l2, &row.two);
                row.right = minus3(&row.right, &mul_vec(&l2, &before.right));
                row.two = l2;
            }
            if let [.., last] = &*done {
                let l1 = mul(&row.one, &last.own);
                row.own = minus_mul_transposed(&row.own, &l1, &row.one);
                row.right = minus3(&row.right, &mul_vec(&l1, &last.right));
                row.one = l1;
            }
            row.own = inverse_symmetric(&row.own);
        }
        for j in (0..rows.len()).rev() {
            let (rest, done) = rows.split_at_mut(j + 1);
            let row = &mut rest[j];
            let mut x = mul_vec(&row.own, &row.right);
            if let [next, ..] = &*done {
                x = minus3(&x, &mul_vec_transposed(&next.one, &next.right));
            }
            if let [_, after, ..] = &*done {
                x = minus3(&x, &mul_vec_transposed(&after.two, &after.right));
            }
            row.right = x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::simd::{DLanes, LANES};

    #[test]
    fn the_solution_satisfies_the_system() {
        // Random B gives the matrix B Bᵀ + 1, B lower triangular with the same band.
        const LEN: usize = 9;
        const SIZE: usize = 3 * LEN;
        let mut random = crate::random::Random::new(1);
        let mut next = || random.uniform() - 0.5;
        let mut system = System::new(LEN);
        let mut dense = vec![[[0.0; SIZE]; SIZE]; LANES];
        let mut right = vec![[0.0; SIZE]; LANES];
        for lane in 0..LANES {
            let mut b = [[0.0; SIZE]; SIZE];
            for (r, row) in b.iter_mut().enumerate().skip(3) {
                for (c, value) in row.iter_mut().enumerate().skip(3) {
                    if c <= r && c / 3 + 2 >= r / 3 {
                        *value = next();
                    }
                }
            }
            for r in 3..SIZE {
                for c in 3..SIZE {
                    dense[lane][r][c] = (0..SIZE).map(|k| b[r][k] * b[c][k]).sum();
                    dense[lane][r][c] += f64::from(u8::from(r == c));
                }
                right[lane][r] = next();
                system.rows[r / 3].right[r % 3].0[lane] = right[lane][r];
            }
            for r in 3..SIZE {
                for c in 3..SIZE {
                    let row = &mut system.rows[r / 3];
                    let block = match (r / 3).checked_sub(c / 3) {
                        Some(0) => &mut row.own,
                        Some(1) => &mut row.one,
                        Some(2) => &mut row.two,
                        _ => continue,
                    };
                    let DLanes(value) = &mut block[r % 3][c % 3];
                    value[lane] = dense[lane][r][c];
                }
            }
        }
        system.solve();
        for lane in 0..LANES {
            for r in 3..SIZE {
                let sum: f64 = (3..SIZE)
                    .map(|c| dense[lane][r][c] * system.rows[c / 3].right[c % 3].0[lane])
                    .sum();
                assert!((sum - right[lane][r]).abs() < 1e-12);
            }
        }
    }
}
