//! Sets of hardly any roots, sets that make no sense, and what programs do with measures.

use crate::hang::ends;
use crate::meshes::{sphere, square};
use crate::{between, continued, made, maximal, measured, random};
use glam::{DVec2, Vec3};
use mohawk::roots::distribution::{
    analyse, bond_order, cell_counts, equal_area_cells, nearest_distances, spectrum,
};
use mohawk::roots::{SampleError, relative_radius};
use std::ops::ControlFlow;

#[test]
fn few_roots_have_few_measures() {
    let scalp = square(2);
    let at = |places: &[Vec3]| made(places.to_vec(), vec![Vec3::Z; places.len()]);
    let none = measured(&scalp, &at(&[]));
    assert_eq!(none.nearest.min, None);
    assert!(none.largest_gap.is_none() && none.pair_correlation.is_none());
    assert!(none.cells.is_none() && none.bond_order.is_none());

    let one = measured(&scalp, &at(&[Vec3::ZERO]));
    assert_eq!(
        (one.nearest.min, one.nearest.mean, one.nearest.beyond),
        (None, None, 1)
    );
    let gap = one.largest_gap.expect("a gap");
    between(
        "gap of a root in a corner",
        0,
        Some(gap.radius),
        1.413,
        1.4143,
    );

    let two = measured(&scalp, &at(&[Vec3::ZERO, Vec3::X]));
    assert_eq!(two.nearest.mean, Some(1.0));
    assert_eq!(two.relative_radius, Some(relative_radius(1.0, 2, 1.0)));
    assert!(two.pair_correlation.is_some() && two.bond_order.is_none());

    let twice = measured(&scalp, &at(&[Vec3::ONE * 0.5; 50]));
    assert_eq!(twice.nearest.mean, Some(0.0));
    assert_eq!(twice.bond_order, None);
    assert!(cell_counts(&equal_area_cells(&scalp, &at(&[Vec3::X; 40])).expect("cells")).is_some());
    assert!(cell_counts(&[]).is_none());
}

#[test]
fn sets_that_make_no_sense_are_refused() {
    let scalp = square(2);
    let normals = vec![Vec3::Z; 50];
    let good: Vec<Vec3> = (0..50).map(|i| Vec3::X * i as f32 / 50.0).collect();
    let mut nan = good.clone();
    nan[7].y = f32::NAN;
    let mut no_side = normals.clone();
    no_side[9] = Vec3::ZERO;
    let mut nan_side = normals.clone();
    nan_side[9].x = f32::NAN;
    let cases = [
        (nan, normals, 7),
        (good.clone(), no_side, 9),
        (good.clone(), nan_side, 9),
        (good.clone(), vec![Vec3::Z; 49], 49),
        (vec![Vec3::X; 2000], vec![Vec3::Z; 2000], 1032),
    ];
    for (positions, normals, expected) in cases {
        let roots = made(positions, normals);
        let index_error =
            |error| matches!(error, Some(SampleError::Index { root, .. }) if root == expected);
        assert!(index_error(analyse(&scalp, &roots, &mut continued).err()));
        assert!(index_error(nearest_distances(&roots).err()));
        assert!(index_error(bond_order(&roots).err()));
    }
}

#[test]
fn measuring_a_heap_on_a_large_scalp_ends() {
    // All on one of 200 triangles, and all of them in reach of each other.
    let scalp = square(10);
    let mut heap = random(&scalp, 30_000, 1);
    for p in &mut heap.positions {
        *p *= 1e-3;
    }
    let found = ends(|| measured(&scalp, &heap));
    let relative = found.cells.map(|c| c.relative);
    between("χ² of a heap", 1, relative, 1e4, 1e9);
    // That certificate has too much work here; what is found must be right all the same.
    if let Some(gap) = found.largest_gap {
        between("gap beside a heap", 1, Some(gap.radius), 1.4, 1.4143);
    }
}

#[test]
fn only_points_in_the_square_have_a_spectrum() {
    let middle = DVec2::splat(0.5);
    assert!(spectrum(&[]).is_none());
    assert!(spectrum(&[vec![]]).is_none());
    assert!(spectrum(&[vec![DVec2::ZERO, DVec2::ONE]]).is_none());
    assert!(spectrum(&[vec![middle, DVec2::new(1.5, 0.5)]]).is_none());
    assert!(spectrum(&[vec![middle, DVec2::new(f64::NAN, 0.5)]]).is_none());
    let one = spectrum(&[vec![middle]]).expect("a spectrum");
    assert_eq!(one.rings.len(), 2);
    assert_eq!(one.low_frequency_power, None);
}

#[test]
fn progress_rises_to_one_and_may_stop_it() {
    let scalp = square(2);
    let roots = maximal(&scalp, 3000, 1);
    let mut told = vec![0.0];
    let found = analyse(&scalp, &roots, &mut |share| {
        assert!(
            share >= *told.last().expect("one"),
            "{share} after {told:?}"
        );
        told.push(share);
        ControlFlow::Continue(())
    });
    assert!(found.is_ok());
    assert_eq!(told.last(), Some(&1.0));
    for stop in [0, 3, told.len() - 2] {
        let mut calls = 0;
        let stopped = analyse(&scalp, &roots, &mut |_| {
            calls += 1;
            match calls > stop {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        assert_eq!(stopped.err(), Some(SampleError::Cancelled));
    }
}

#[test]
fn measures_are_written_as_json() {
    let scalp = sphere();
    let found = measured(&scalp, &maximal(&scalp, 1000, 1));
    let json = serde_json::to_value(&found).expect("JSON");
    assert_eq!(json["count"], found.count);
    assert_eq!(
        json["nearest"]["histogram"].as_array().map(Vec::len),
        Some(40)
    );
    assert_eq!(
        json["pair_correlation"]["bins"].as_array().map(Vec::len),
        Some(40)
    );
    for key in ["relative_radius", "bond_order"] {
        assert!(json[key].is_f64(), "{key}");
    }
    assert!(json["cells"]["relative"].is_f64());
    assert_eq!(
        json["largest_gap"]["position"].as_array().map(Vec::len),
        Some(3)
    );
}
