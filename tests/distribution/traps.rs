//! Scalps that broke samplers, each a test of its own.

use super::brute::check;
use super::meshes::{grid, scalp, sphere, square, strip, unwelded, with_copy};
use super::{Random, analysed, sample, spaced, strands};
use glam::Vec3;
use mohawk::roots::{Amount, RootSettings, Roots, SampleError};
use mohawk::scalp::Scalp;
use proptest::prelude::*;
use std::ops::ControlFlow;

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
    let rho = analysed(&scalp, &roots).relative_radius.expect("pairs");
    assert!(rho > 0.77, "relative radius {rho}");
}

#[test]
fn a_scalp_far_from_the_origin_is_sampled_or_refused() {
    let far = grid(4, 4, |p| p.extend(0.0) + Vec3::new(300.0, -200.0, 100.0));
    check(&far, &spaced(&far, 0.05, 1));
    // f32 steps by 3e-5 here; a spacing of 1e-3 would be mostly rounding.
    let error = sample(&far, Amount::Spacing(1e-3), 1).expect_err("too fine");
    let SampleError::TooFine { smallest, .. } = error else {
        panic!("{error}");
    };
    check(&far, &spaced(&far, smallest.max(0.03), 1));
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
