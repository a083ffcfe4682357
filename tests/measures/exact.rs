//! What can be known exactly: areas, distances, sides, places on a square.

use crate::meshes::{cards, grid, scalp, sphere, square, strip, with_copy};
use crate::{between, made, maximal, measured, pairs, random};
use glam::{Quat, Vec3};
use mohawk::roots::Roots;
use mohawk::roots::distribution::{equal_area_cells, nearest_distances, unit_square};
use mohawk::scalp::Scalp;

#[test]
fn cells_have_the_same_area() {
    let one = scalp(
        vec![Vec3::ZERO, Vec3::X, Vec3::new(0.2, 3.0, 1.0)],
        vec![[0, 1, 2]],
    );
    let sheets = with_copy(&square(3), Vec3::Z * 1e-3, true);
    let needles = grid(2000, 1, |p| Vec3::new(p.x, 100.0 * p.y, 0.0));
    let scalps = [
        one,
        square(7),
        sphere(),
        strip(),
        cards(30, 1e-3),
        sheets,
        needles,
    ];
    for (number, scalp) in scalps.iter().enumerate() {
        for count in [32, 1600, 5000] {
            let cells = equal_area_cells(scalp, &random(scalp, count, 1)).expect("cells");
            assert_eq!(cells.len(), (count as f64 / 16.0).round() as usize);
            assert_eq!(cells.iter().map(|cell| cell.roots).sum::<usize>(), count);
            let area: f64 = cells.iter().map(|cell| cell.area).sum();
            let off = (area / scalp.area() - 1.0).abs();
            assert!(off < 1e-9, "scalp {number}: areas sum up to {area}");
            let fair = scalp.area() / cells.len() as f64;
            for cell in &cells {
                let off = (cell.area / fair - 1.0).abs();
                assert!(
                    off < 1e-6,
                    "scalp {number}, {count} roots: {cell:?}, not {fair}"
                );
            }
        }
    }
}

/// Distances to the nearest root on the side, by looking at all.
fn by_brute_force(roots: &Roots) -> Vec<f64> {
    let all = || roots.positions.iter().zip(&roots.face_normals);
    let distance = |(i, (p, n)): (usize, (&Vec3, &Vec3))| {
        let others = all()
            .enumerate()
            .filter(|&(j, (_, other))| j != i && n.as_dvec3().dot(other.as_dvec3()) > 0.0);
        others
            .map(|(_, (q, _))| p.as_dvec3().distance(q.as_dvec3()))
            .fold(f64::INFINITY, f64::min)
    };
    all().enumerate().map(distance).collect()
}

#[test]
fn nearest_distances_are_those_of_brute_force() {
    let sheets = with_copy(&square(3), Vec3::Z * 1e-4, true);
    let mut heap = random(&sphere(), 700, 1);
    for (i, p) in heap.positions.iter_mut().enumerate().skip(20) {
        *p = Vec3::X + *p * 1e-3 * (1 + i % 7) as f32;
    }
    let mut one_against_many = random(&square(1), 900, 1);
    for far in [3, 500] {
        one_against_many.face_normals[far] = -Vec3::Z;
    }
    one_against_many.face_normals[700] = Vec3::X;
    let cases = [
        random(&sphere(), 900, 1),
        random(&sheets, 900, 2),
        maximal(&sheets, 900, 3),
        random(&strip(), 500, 4),
        heap,
        one_against_many,
    ];
    for (number, roots) in cases.iter().enumerate() {
        let found = nearest_distances(roots).expect("distances");
        for (root, (found, right)) in found.iter().zip(by_brute_force(roots)).enumerate() {
            let agree = *found == right || (found - right).abs() < 1e-12;
            assert!(agree, "set {number}, root {root}: {found}, not {right}");
        }
    }
}

#[test]
fn opposing_sheets_are_measured_apart() {
    let single = square(3);
    let sheets = with_copy(&single, Vec3::Z * 1e-4, true);
    for seed in [1, 2] {
        let alone = measured(&single, &maximal(&single, 2000, seed));
        let both = measured(&sheets, &maximal(&sheets, 4000, seed));
        let ratio = both
            .nearest
            .mean
            .zip(alone.nearest.mean)
            .map(|(b, a)| b / a);
        between("mean nearest, two sheets to one", seed, ratio, 0.97, 1.03);
        let both_g = pairs(&both, 0.0, 0.8);
        assert!(both_g.iter().all(|&g| g == 0.0), "seed {seed}: {both_g:?}");
        between("ψ6 of two sheets", seed, both.bond_order, 0.40, 0.46);
        let found = measured(&sheets, &random(&sheets, 8000, seed));
        for g in pairs(&found, 0.8, 4.0) {
            between(
                "g of random points on two sheets",
                seed,
                Some(g),
                0.92,
                1.08,
            );
        }
    }
}

#[test]
fn only_flat_squares_have_a_unit_square() {
    let turn = Quat::from_euler(glam::EulerRot::XYZ, 0.7, -1.1, 2.3);
    let place = |p: Vec3| turn * p * 3.0 + Vec3::new(5.0, -2.0, 1.0);
    let plane = square(6);
    let placed = grid(6, 6, |p| place(p.extend(0.0)));
    let flat = random(&plane, 300, 1);
    let moved = made(
        flat.positions.iter().map(|&p| place(p)).collect(),
        flat.face_normals.iter().map(|&n| turn * n).collect(),
    );
    let found = unit_square(&placed, &moved).expect("a square");
    // Any corner may be the first: distances are the same, and all are inside.
    for pair in [[0, 1], [5, 200], [17, 299]] {
        let [a, b] = pair.map(|i| flat.positions[i].as_dvec3());
        let [c, d] = pair.map(|i| found[i]);
        assert!((a.distance(b) - c.distance(d)).abs() < 1e-5);
    }
    assert!(
        found
            .iter()
            .all(|p| p.min_element() >= 0.0 && p.max_element() <= 1.0)
    );

    let none = |scalp: &Scalp| unit_square(scalp, &random(scalp, 100, 1)).is_none();
    assert!(none(&sphere()) && none(&strip()) && none(&cards(3, 0.1)));
    assert!(
        none(&grid(4, 4, |p| Vec3::new(2.0 * p.x, p.y, 0.0))),
        "a rectangle"
    );
    assert!(
        none(&grid(4, 4, |p| Vec3::new(p.x + 0.3 * p.y, p.y, 0.0))),
        "a sheared square"
    );
    assert!(
        none(&grid(4, 4, |p| Vec3::new(p.x, p.y, 0.1 * p.x * p.y))),
        "a bent square"
    );
    assert!(
        none(&with_copy(&plane, Vec3::Z * 1e-6, true)),
        "two squares"
    );
    let holed = plane.triangles()[1..].to_vec();
    assert!(
        none(&scalp(plane.positions().to_vec(), holed)),
        "a square with a hole"
    );
    assert!(unit_square(&plane, &moved).is_none(), "roots elsewhere");
}
