//! The rigid motion that brings points closest to others.

use glam::{DQuat, DVec3};

/// Sweeps of Jacobi's method; four numbers are diagonal to rounding after six.
const SWEEPS: usize = 12;

/// Returns the rotation, and the translation after it, that bring `from` closest to `to` in the mean of
/// squares; none for no points.
///
/// The rotation is the eigenvector of the largest eigenvalue of a symmetric matrix (Horn, *Closed-form
/// solution of absolute orientation using unit quaternions*, 1987).
pub fn rigid(from: &[DVec3], to: &[DVec3]) -> (DQuat, DVec3) {
    let count = from.len().min(to.len());
    if count == 0 {
        return (DQuat::IDENTITY, DVec3::ZERO);
    }
    let mean = |points: &[DVec3]| points[..count].iter().sum::<DVec3>() / count as f64;
    let (from_mean, to_mean) = (mean(from), mean(to));
    let mut sums = [[0.0; 3]; 3];
    for (from, to) in from.iter().zip(to) {
        let (from, to) = (*from - from_mean, *to - to_mean);
        for (i, row) in sums.iter_mut().enumerate() {
            for (j, sum) in row.iter_mut().enumerate() {
                *sum += from[i] * to[j];
            }
        }
    }
    let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = sums;
    let matrix = [
        [xx + yy + zz, yz - zy, zx - xz, xy - yx],
        [yz - zy, xx - yy - zz, xy + yx, zx + xz],
        [zx - xz, xy + yx, yy - xx - zz, yz + zy],
        [xy - yx, zx + xz, yz + zy, zz - xx - yy],
    ];
    let [w, x, y, z] = largest_eigenvector(matrix);
    let rotation = DQuat::from_xyzw(x, y, z, w);
    let rotation = match rotation.length_squared() > 0.5 {
        true => rotation.normalize(),
        false => DQuat::IDENTITY,
    };
    (rotation, to_mean - rotation * from_mean)
}

/// Returns the unit eigenvector of the largest eigenvalue of a symmetric matrix, by Jacobi's
/// rotations; the first axis if all eigenvalues are equal.
fn largest_eigenvector(mut a: [[f64; 4]; 4]) -> [f64; 4] {
    let mut vectors = [[0.0; 4]; 4];
    for (i, row) in vectors.iter_mut().enumerate() {
        row[i] = 1.0;
    }
    for _ in 0..SWEEPS {
        for p in 0..3 {
            for q in p + 1..4 {
                if a[p][q] == 0.0 || !a[p][q].is_finite() {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for row in &mut a {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
                let (rows_p, rows_q) = (a[p], a[q]);
                for k in 0..4 {
                    a[p][k] = c * rows_p[k] - s * rows_q[k];
                    a[q][k] = s * rows_p[k] + c * rows_q[k];
                }
                for row in &mut vectors {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
            }
        }
    }
    let mut largest = 0;
    for i in 1..4 {
        if a[i][i] > a[largest][largest] {
            largest = i;
        }
    }
    vectors.map(|row| row[largest])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_rigid_motion_is_found(
            points in prop::collection::vec([-3.0..3.0, -3.0..3.0, -3.0..3.0_f64], 4..40),
            axis in [-1.0..1.0, -1.0..1.0, 0.1..1.0_f64],
            angle in -3.2..3.2_f64,
            shift in [-50.0..50.0, -50.0..50.0, -50.0..50.0_f64],
        ) {
            let from: Vec<DVec3> = points.into_iter().map(DVec3::from).collect();
            let rotation = DQuat::from_axis_angle(DVec3::from(axis).normalize(), angle);
            let to: Vec<DVec3> = from.iter().map(|p| rotation * *p + DVec3::from(shift)).collect();
            let (found, moved) = rigid(&from, &to);
            for (from, to) in from.iter().zip(&to) {
                prop_assert!((found * *from + moved).distance(*to) < 1e-6);
            }
        }
    }

    #[test]
    fn one_point_is_only_shifted() {
        let (rotation, shift) = rigid(&[DVec3::X], &[DVec3::Y]);
        assert!(rotation.is_near_identity() && shift.distance(DVec3::Y - DVec3::X) < 1e-12);
        assert_eq!(rigid(&[], &[]), (DQuat::IDENTITY, DVec3::ZERO));
    }
}
