//! What is promised of the roots, checked by brute force on scalps that are hard.

#[path = "distribution/meshes.rs"]
mod meshes;

use glam::{DVec3, Vec3};
use meshes::{grid, scalp, sphere, square, strip, unwelded, with_copy};
use mohawk::roots::{
    Amount, MAX_STRANDS, Method, RootSettings, Roots, SampleError, certify, measure, min_distance,
    relative_radius,
};
use mohawk::scalp::Scalp;
use proptest::prelude::*;
use std::ops::ControlFlow;

fn sample(scalp: &Scalp, amount: Amount, seed: u64) -> Result<Roots, SampleError> {
    let settings = RootSettings {
        amount,
        seed,
        method: Method::Maximal,
    };
    Roots::sample(scalp, &settings, &mut |_| ControlFlow::Continue(()))
}

fn spaced(scalp: &Scalp, spacing: f32, seed: u64) -> Roots {
    sample(scalp, Amount::Spacing(spacing), seed).expect("a sample")
}

fn strands(scalp: &Scalp, count: u32, seed: u64) -> Roots {
    sample(scalp, Amount::Strands(count), seed).expect("a sample")
}

/// A generator of its own (SplitMix64), so that nothing of the sampler's is used.
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn corners(scalp: &Scalp, triangle: usize) -> [DVec3; 3] {
    scalp.triangles()[triangle].map(|v| scalp.positions()[v as usize].as_dvec3())
}

fn compatible(a: Vec3, b: Vec3) -> bool {
    a.as_dvec3().dot(b.as_dvec3()) > 0.0
}

/// The distance from a point of a triangle to the nearest root on its side.
fn nearest(scalp: &Scalp, roots: &Roots, triangle: usize, p: DVec3) -> f64 {
    let normal = scalp.face_normal(triangle as u32);
    let on_this_side = roots.positions.iter().zip(&roots.face_normals);
    on_this_side
        .filter(|&(_, &other)| compatible(normal, other))
        .map(|(root, _)| root.as_dvec3().distance(p))
        .fold(f64::INFINITY, f64::min)
}

/// Checks every promise by brute force: O(roots²) and O(points * roots).
fn check(scalp: &Scalp, roots: &Roots) {
    let count = roots.positions.len();
    assert!(count > 0, "no roots");
    assert_eq!(roots.points.len(), count);
    assert_eq!(roots.directions.len(), count);
    assert_eq!(roots.face_normals.len(), count);

    let spacing = f64::from(roots.spacing);
    for i in 0..count {
        let (point, position) = (roots.points[i], roots.positions[i]);
        let w = point.weights;
        assert!(w.min_element() >= 0.0, "root {i} is outside: {w}");
        assert!((w.element_sum() - 1.0).abs() < 1e-6, "root {i}: {w}");
        assert_eq!(scalp.point(point), position, "root {i} is elsewhere");
        let [a, b, c] = corners(scalp, point.triangle as usize);
        let there = a * f64::from(w.x) + b * f64::from(w.y) + c * f64::from(w.z);
        let size = a.distance(b).max(a.distance(c)) + a.abs().max_element();
        assert!(there.distance(position.as_dvec3()) < 1e-6 * size);
        assert_eq!(roots.face_normals[i], scalp.face_normal(point.triangle));
        assert!((roots.directions[i].length() - 1.0).abs() < 1e-5);

        for j in 0..i {
            if compatible(roots.face_normals[i], roots.face_normals[j]) {
                let distance = position.as_dvec3().distance(roots.positions[j].as_dvec3());
                assert!(
                    distance >= spacing,
                    "roots {i}, {j}: {distance} < {spacing}"
                );
            }
        }
    }

    let covered = certify(scalp, roots).expect("a certificate");
    assert!(covered.maximal, "not maximal: {covered:?}");
    assert!(covered.ratio_lower_bound <= covered.ratio_upper_bound);

    // As the certificate is ours too: points of the scalp by area, and the
    // corners, none of which may be farther away than the tolerance or the bound.
    let mut random = Random(7);
    let areas = scalp.triangle_areas();
    let farthest = spacing * covered.ratio_upper_bound.min(1.0 + 1e-3) * (1.0 + 1e-12);
    let points = 4_000_000 / (count + 400);
    for (triangle, area) in areas.iter().enumerate() {
        let corners @ [a, b, c] = corners(scalp, triangle);
        let share = points as f64 * area / scalp.area();
        let inside = (share + random.uniform()) as usize;
        let inside: Vec<DVec3> = (0..inside)
            .map(|_| {
                let (s, t) = (random.uniform().sqrt(), random.uniform());
                a * (1.0 - s) + b * (s * (1.0 - t)) + c * (s * t)
            })
            .collect();
        let some_corners = if areas.len() < 500 { &corners[..] } else { &[] };
        for &p in inside.iter().chain(some_corners) {
            let distance = nearest(scalp, roots, triangle, p);
            assert!(
                distance <= farthest,
                "{p} of triangle {triangle}: {distance} > {farthest}"
            );
        }
    }
}

/// FNV-1a over the bits of everything in the set.
fn hash(roots: &Roots) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    let mut eat = |bits: u32| {
        for byte in bits.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
        }
    };
    eat(roots.spacing.to_bits());
    for i in 0..roots.positions.len() {
        eat(roots.points[i].triangle);
        for v in [
            roots.points[i].weights,
            roots.positions[i],
            roots.directions[i],
            roots.face_normals[i],
        ] {
            v.to_array().iter().for_each(|x| eat(x.to_bits()));
        }
    }
    hash
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..Default::default() })]

    /// Bumpy terrain with jittered vertices, at any scale and place.
    #[test]
    fn any_height_field_is_sampled_as_promised(
        columns in 1usize..9,
        rows in 1usize..9,
        height in 0.0f32..0.8,
        jitter in 0.0f32..0.45,
        scale in prop_oneof![Just(1e-3f32), Just(1.0), Just(50.0)],
        offset in prop_oneof![Just(0.0f32), Just(2.0)],
        wanted in 1u32..500,
        seed: u64,
    ) {
        let mut random = Random(seed);
        let cell = glam::Vec2::new(1.0 / columns as f32, 1.0 / rows as f32);
        let scalp = grid(columns, rows, |p| {
            let mut next = || random.uniform() as f32 * 2.0 - 1.0;
            let p = p + jitter * cell * glam::Vec2::new(next(), next());
            p.extend(height * cell.min_element() * next()) * scale + Vec3::splat(offset * scale)
        });
        let spacing = (0.7 * scalp.area() / f64::from(wanted)).sqrt() as f32;
        check(&scalp, &spaced(&scalp, spacing, seed));
    }
}

#[test]
fn flat_scalp_across_an_axis_keeps_all_its_roots() {
    // All points agree in x: a k-d tree over plain coordinates keeps 32 of them.
    let scalp = grid(3, 3, |p| Vec3::new(0.0, p.x, p.y));
    let roots = spaced(&scalp, 0.016, 1);
    assert!(roots.positions.len() > 2500);
    check(&scalp, &roots);
}

#[test]
fn triangles_of_very_different_size_get_roots_by_area() {
    // Two triangles of 100 times the edge of the 20,000 beside them.
    let fine = square(100);
    let coarse = grid(1, 1, |p| Vec3::new(p.x + 1.0, p.y, 0.0));
    let count = fine.positions().len() as u32;
    let positions = [fine.positions(), coarse.positions()].concat();
    let mut triangles = fine.triangles().to_vec();
    triangles.extend(coarse.triangles().iter().map(|t| t.map(|v| v + count)));
    let scalp = scalp(positions, triangles);
    let areas = scalp.triangle_areas();
    assert!(areas[areas.len() - 1] / areas[0] > 9900.0);

    let roots = spaced(&scalp, 0.03, 3);
    check(&scalp, &roots);
    let on_fine = roots.positions.iter().filter(|p| p.x < 1.0).count() as f64;
    let share = on_fine / roots.positions.len() as f64;
    assert!((share - 0.5).abs() < 0.02, "{share} of the roots on half");
}

#[test]
fn needles_cost_their_length_not_its_square() {
    // A fan of slivers 4 long and 1e-4 wide at the far end.
    let mut positions = vec![Vec3::ZERO];
    for i in 0..=20 {
        positions.push(Vec3::new(4.0, 0.0, 1e-4 * i as f32));
    }
    let scalp = scalp(positions, (1..=20).map(|i| [0, i + 1, i]).collect());
    let roots = spaced(&scalp, 0.004, 1);
    let count = roots.positions.len();
    assert!((501..1001).contains(&count), "{count} roots on a line");
    check(&scalp, &roots);
}

#[test]
fn duplicated_seam_vertices_change_nothing() {
    let welded = strip();
    let roots = spaced(&welded, 0.03, 5);
    let apart = spaced(&unwelded(&welded), 0.03, 5);
    assert_eq!(roots.positions, apart.positions);
    check(&welded, &roots);
}

#[test]
fn two_close_sheets_facing_apart_each_get_a_full_set() {
    let one = square(4);
    let single = spaced(&one, 0.04, 1).positions.len() as f64;
    let scalp = with_copy(&one, Vec3::new(0.0, 0.0, -0.002), true);
    let roots = spaced(&scalp, 0.04, 1);
    check(&scalp, &roots);
    let front = roots.positions.iter().filter(|p| p.z == 0.0).count() as f64;
    let back = roots.positions.len() as f64 - front;
    assert!((front / single - 1.0).abs() < 0.05, "{front} of {single}");
    assert!((back / single - 1.0).abs() < 0.05, "{back} of {single}");
}

#[test]
fn two_close_sheets_facing_alike_share_one_set() {
    let one = square(4);
    let single = spaced(&one, 0.04, 1).positions.len() as f64;
    let scalp = with_copy(&one, Vec3::new(0.0, 0.0, -0.002), false);
    let roots = spaced(&scalp, 0.04, 1);
    check(&scalp, &roots);
    let both = roots.positions.len() as f64;
    assert!((both / single - 1.0).abs() < 0.05, "{both} for {single}");
}

#[test]
fn a_closed_surface_is_as_dense_as_maximal_sets_are() {
    let scalp = sphere();
    let roots = strands(&scalp, 2000, 1);
    check(&scalp, &roots);
    let measures = measure(&scalp, &roots).expect("measures");
    let rho = measures.relative_radius.expect("pairs");
    assert!(rho > 0.77, "relative radius {rho}");
}

#[test]
fn a_scalp_far_from_the_origin_is_sampled_or_refused() {
    let far = grid(4, 4, |p| p.extend(0.0) + Vec3::new(300.0, -200.0, 100.0));
    check(&far, &spaced(&far, 0.05, 1));
    // f32 steps by 3e-5 here; a spacing of 1e-3 would be mostly rounding.
    let error = sample(&far, Amount::Spacing(1e-3), 1).expect_err("too fine");
    let SampleError::TooMany { smallest, .. } = error else {
        panic!("{error}");
    };
    check(&far, &spaced(&far, smallest.max(0.03), 1));
}

#[test]
fn same_seed_same_roots_on_every_machine() {
    let roots = strands(&strip(), 500, 42);
    assert_eq!(roots.positions, strands(&strip(), 500, 42).positions);
    assert_ne!(roots.positions, strands(&strip(), 500, 43).positions);
    // Recorded once. A change means that every saved groom gets other roots: if
    // that is meant, say so in the changelog and record the new number.
    assert_eq!(hash(&spaced(&square(3), 0.05, 1)), HASH_SQUARE);
}

const HASH_SQUARE: u64 = 11580616617905449035;

#[test]
fn wanted_counts_are_met() {
    for scalp in [strip(), square(3), sphere()] {
        for (wanted, seed) in [(200, 1), (333, 2), (1000, 3), (3000, 4)] {
            let roots = strands(&scalp, wanted, seed);
            let off = roots.positions.len() as f64 / f64::from(wanted) - 1.0;
            assert!(off.abs() <= 0.02, "{wanted} wanted, {:+.1} %", 100.0 * off);
        }
    }
}

/// Their area says nothing of how many roots they take.
#[test]
fn wanted_counts_are_met_on_needles_and_cards() {
    for width in [0.1, 0.01, 0.001] {
        let scalp = meshes::cards(200, width);
        for count in [200, 700, 3000] {
            let roots = strands(&scalp, count, 1);
            let off = (roots.positions.len() as f32 / count as f32 - 1.0).abs();
            assert!(
                off <= 0.03,
                "{} of {count}, width {width}",
                roots.positions.len()
            );
        }
    }
}

#[test]
fn tiny_counts_work() {
    let scalp = square(2);
    for wanted in 1..=12 {
        let roots = strands(&scalp, wanted, 9);
        check(&scalp, &roots);
        let off = roots.positions.len() as i64 - i64::from(wanted);
        assert!(off.abs() <= 1, "{wanted} wanted, {off:+}");
    }
    assert_eq!(strands(&scalp, 1, 9).positions.len(), 1);
    // A scalp that turns right round needs one root for each side.
    check(&sphere(), &strands(&sphere(), 1, 9));
}

#[test]
fn a_spacing_beyond_the_scalp_gives_one_root() {
    for spacing in [1.5, 1e6, f32::MAX] {
        let roots = spaced(&square(5), spacing, 1);
        assert_eq!(roots.positions.len(), 1);
        check(&square(5), &roots);
    }
}

#[test]
fn senseless_amounts_are_refused() {
    let scalp = square(1);
    for spacing in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let error = sample(&scalp, Amount::Spacing(spacing), 1).expect_err("senseless");
        let text = error.to_string();
        assert!(text.starts_with("spacing must be a finite length above 0"));
    }
    for strands in [0, MAX_STRANDS + 1, u32::MAX] {
        let error = sample(&scalp, Amount::Strands(strands), 1).expect_err("senseless");
        assert_eq!(error, SampleError::Strands { strands });
    }
}

#[test]
fn a_spacing_for_too_many_roots_is_refused_with_the_smallest_allowed() {
    let scalp = square(1);
    let error = sample(&scalp, Amount::Spacing(1e-5), 1).expect_err("too many");
    let SampleError::TooMany { spacing, smallest } = error else {
        panic!("{error}");
    };
    assert_eq!(spacing, 1e-5);
    let expected = (0.7053f64 / 2e6).sqrt();
    assert!((f64::from(smallest) / expected - 1.0).abs() < 1e-5);
    // The one it names is accepted (and stopped, as it would take a while).
    let settings = RootSettings {
        amount: Amount::Spacing(smallest),
        seed: 1,
        method: Method::Maximal,
    };
    let stopped = Roots::sample(&scalp, &settings, &mut |_| ControlFlow::Break(()));
    assert_eq!(stopped.expect_err("stopped"), SampleError::Cancelled);
}

#[test]
fn progress_rises_to_one_and_cancels_anywhere() {
    for amount in [
        Amount::Strands(300),
        Amount::Strands(3000),
        Amount::Spacing(0.02),
    ] {
        let settings = RootSettings {
            amount,
            seed: 1,
            method: Method::Maximal,
        };
        let (mut told, mut calls) = (0.0, 0);
        let roots = Roots::sample(&strip(), &settings, &mut |share| {
            assert!((told..=1.0).contains(&share), "{share} after {told}");
            told = share;
            calls += 1;
            ControlFlow::Continue(())
        });
        assert!(roots.is_ok());
        assert_eq!(told, 1.0);
        assert!(calls > 10);

        for stop in [1, 2, calls / 2, calls] {
            let mut seen = 0;
            let stopped = Roots::sample(&strip(), &settings, &mut |_| {
                seen += 1;
                if seen == stop {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            assert_eq!(stopped.expect_err("stopped"), SampleError::Cancelled);
            assert_eq!(seen, stop, "called again after it said stop");
        }
    }
}

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
    broken.positions = vec![Vec3::ONE; 100];
    broken.face_normals = vec![Vec3::Z; 100];
    assert!(matches!(
        measure(&scalp, &broken),
        Err(SampleError::Index { root: 32, .. })
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

#[test]
fn the_shipped_scalp_gets_its_default_mohawk() {
    let head = mohawk::Head::shipped(&Default::default()).expect("the shipped head");
    let scalp = Scalp::of_head(&head).expect("a painted head");
    let settings = RootSettings::default();
    let roots =
        Roots::sample(&scalp, &settings, &mut |_| ControlFlow::Continue(())).expect("a sample");
    let off = roots.positions.len() as f64 / 6000.0 - 1.0;
    assert!(off.abs() <= 0.02, "{:+.1} %", 100.0 * off);
    check(&scalp, &roots);
}
