//! What judges sets is judged: the certificate and the smallest distance.

use super::brute::{compatible, nearest};
use super::meshes::{square, strip, with_copy};
use super::{spaced, strands};
use glam::Vec3;
use mohawk::roots::{Roots, SampleError, certify, min_distance, relative_radius};

fn without(roots: &Roots, removed: impl Fn(usize) -> bool) -> Roots {
    let mut rest = roots.clone();
    let keep: Vec<usize> = (0..roots.positions.len())
        .filter(|&i| !removed(i))
        .collect();
    rest.points = keep.iter().map(|&i| roots.points[i]).collect();
    rest.positions = keep.iter().map(|&i| roots.positions[i]).collect();
    rest.directions = keep.iter().map(|&i| roots.directions[i]).collect();
    rest.face_normals = keep.iter().map(|&i| roots.face_normals[i]).collect();
    rest.ranks = keep.iter().map(|&i| roots.ranks[i]).collect();
    rest
}

#[test]
fn the_certificate_finds_the_gap_that_a_removed_root_leaves() {
    let scalp = strip();
    let roots = spaced(&scalp, 0.05, 1);
    // A root with room around it: one close to its neighbours may not be missed.
    let lonely = (0..roots.positions.len()).filter(|&gone| {
        let rest = without(&roots, |i| i == gone);
        let triangle = roots.points[gone].triangle as usize;
        nearest(&scalp, &rest, triangle, roots.positions[gone].as_dvec3()) > 1.1 * 0.05
    });
    for gone in lonely.take(5) {
        let rest = without(&roots, |i| i == gone);
        let covered = certify(&scalp, &rest).expect("a certificate");
        assert!(!covered.maximal);
        assert!(covered.ratio_lower_bound > 1.1 - 1e-3, "{covered:?}");
        assert!(covered.ratio_upper_bound <= covered.ratio_lower_bound * 1.0002);
        let p = roots.positions[gone].as_dvec3();
        let triangle = roots.points[gone].triangle as usize;
        let gap = nearest(&scalp, &rest, triangle, p) / f64::from(roots.spacing);
        assert!(gap <= covered.ratio_upper_bound * (1.0 + 1e-6));
    }
}

#[test]
fn the_certificate_measures_sparse_one_sided_and_empty_sets() {
    let scalp = square(2);
    let mut one = strands(&scalp, 1, 1);
    one.spacing = 1e-6;
    let farthest = (scalp.positions().iter())
        .map(|p| p.as_dvec3().distance(one.positions[0].as_dvec3()))
        .fold(0.0, f64::max);
    let covered = certify(&scalp, &one).expect("a certificate");
    assert!(!covered.maximal);
    assert!((covered.ratio_upper_bound * f64::from(one.spacing) / farthest - 1.0).abs() < 2e-4);

    // Roots on the front sheet say nothing about the back.
    let card = with_copy(&scalp, Vec3::new(0.0, 0.0, -0.01), true);
    let roots = spaced(&card, 0.1, 1);
    let front = without(&roots, |i| roots.face_normals[i].z < 0.0);
    let none = without(&roots, |_| true);
    for uncovered in [front, none] {
        let covered = certify(&card, &uncovered).expect("a certificate");
        assert!(!covered.maximal);
        assert_eq!(covered.ratio_upper_bound, f64::INFINITY);
    }
}

#[test]
fn broken_sets_are_errors() {
    let scalp = square(2);
    let good = spaced(&scalp, 0.2, 1);
    let mut broken = good.clone();
    broken.positions[1].x = f32::NAN;
    assert!(matches!(
        certify(&scalp, &broken),
        Err(SampleError::Index { root: 1, .. })
    ));
    let mut broken = good.clone();
    broken.positions = vec![Vec3::ONE; 2000];
    broken.face_normals = vec![Vec3::Z; 2000];
    assert!(matches!(
        min_distance(&broken),
        Err(SampleError::Index { root: 1032, .. })
    ));
    let mut broken = good;
    broken.spacing = f32::NAN;
    assert!(matches!(
        certify(&scalp, &broken),
        Err(SampleError::Spacing { .. })
    ));
}

#[test]
fn the_smallest_distance_is_the_smallest_distance() {
    let scalp = with_copy(&square(2), Vec3::new(0.0, 0.0, -0.01), true);
    let mut roots = spaced(&scalp, 0.07, 3);
    for spacing in [0.07, 1e-5, 100.0] {
        // A wrong spacing must not mislead it.
        roots.spacing = spacing;
        let mut least = f64::INFINITY;
        for i in 0..roots.positions.len() {
            for j in 0..i {
                if compatible(roots.face_normals[i], roots.face_normals[j]) {
                    let (a, b) = (roots.positions[i], roots.positions[j]);
                    least = least.min(a.as_dvec3().distance(b.as_dvec3()));
                }
            }
        }
        assert_eq!(min_distance(&roots).expect("a distance"), Some(least));
    }
    let one = strands(&square(2), 1, 1);
    assert_eq!(min_distance(&one).expect("a distance"), None);
    // Hexagonal lattice: sqrt(3)/2 of area for each root at distance 1.
    assert!((relative_radius(1.0, 100, 50.0 * 3.0_f64.sqrt()) - 1.0).abs() < 1e-12);
}
