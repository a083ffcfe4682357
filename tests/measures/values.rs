//! The values of lattices, random points and maximal sets.

use crate::meshes::{grid, scalp, sphere, square};
use crate::{Random, between, made, maximal, measured, pairs, random, unit};
use glam::{DVec2, DVec3, Vec3};
use mohawk::roots::distribution::{bond_order, spectrum, unit_square};
use mohawk::roots::{Roots, certify, min_distance};
use mohawk::scalp::Scalp;

/// A lattice of columns * rows points with cells of width 1 and this height, every other row
/// moved by `shift`, in the middle of its cells on a flat scalp of just their area.
fn lattice(columns: usize, rows: usize, height: f64, shift: f64) -> (Scalp, Roots) {
    let size = DVec2::new(columns as f64, rows as f64 * height).as_vec2();
    let scalp = grid(1, 1, |p| (p * size).extend(0.0));
    let mut positions = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let x = column as f64 + 0.25 + shift * (row % 2) as f64;
            let y = (row as f64 + 0.5) * height;
            positions.push(DVec3::new(x, y, 0.0).as_vec3());
        }
    }
    let normals = vec![Vec3::Z; positions.len()];
    (scalp, made(positions, normals))
}

#[test]
fn a_hexagonal_lattice_is_perfect() {
    let height = 0.5 * 3.0_f64.sqrt();
    let (columns, rows) = (40, 46);
    let (scalp, roots) = lattice(columns, rows, height, 0.5);
    let found = measured(&scalp, &roots);
    between("min distance", 0, found.nearest.min, 0.99999, 1.00001);
    between("mean distance", 0, found.nearest.mean, 0.99999, 1.00001);
    between("relative radius", 0, found.relative_radius, 0.9999, 1.0001);
    // All of them at 1 r_max, which is where two bins meet.
    let histogram = &found.nearest.histogram;
    assert_eq!(histogram[19] + histogram[20], columns * rows);
    assert_eq!(found.nearest.beyond, 0);

    let orders = bond_order(&roots).expect("orders");
    for row in 1..rows - 1 {
        for column in 1..columns - 1 {
            let order = orders[row * columns + column];
            between("ψ6 inside", 0, order, 0.9999, 1.0001);
        }
    }
    // At the border the six nearest make no hexagon.
    between("mean ψ6", 0, found.bond_order, 0.9, 0.999);

    let spacing = 1.0 / unit(&found);
    assert!(pairs(&found, 0.0, spacing).iter().all(|&g| g == 0.0));
    let first_ring = pairs(&found, 1.0, 1.2).iter().sum::<f64>();
    assert!(first_ring > 5.0, "g at the first ring: {first_ring}");
    // The centre of the triangles is 1/√3 away; corners of the scalp may be farther.
    let gap = found.largest_gap.expect("a gap");
    between(
        "largest gap",
        0,
        Some(gap.radius),
        1.0 / 3.0_f64.sqrt() - 1e-3,
        0.95,
    );
    between("χ²", 0, found.cells.map(|c| c.relative), 0.0, 0.15);
}

#[test]
fn a_square_lattice_has_its_distances_and_its_peaks() {
    let (scalp, roots) = lattice(32, 32, 1.0, 0.0);
    let found = measured(&scalp, &roots);
    between("min distance", 0, found.nearest.min, 0.99999, 1.00001);
    let expected = 1.0 / (2.0 / 3.0_f64.sqrt()).sqrt();
    between(
        "relative radius",
        0,
        found.relative_radius,
        expected - 1e-4,
        expected + 1e-4,
    );
    assert!(pairs(&found, 0.0, 0.9).iter().all(|&g| g == 0.0));

    let points = unit_square(&scalp, &roots).expect("a square");
    let spectrum = spectrum(&[points]).expect("a spectrum");
    // The lattice sums of low waves vanish, and those of the window are those of its area.
    between(
        "low-frequency power",
        0,
        spectrum.low_frequency_power,
        0.0,
        1e-6,
    );
    let peak = &spectrum.rings[31];
    assert_eq!(peak.frequency, 32);
    assert!(peak.power > 10.0, "{peak:?}");
    between("anisotropy at the peaks", 0, peak.anisotropy_db, 10.0, 30.0);
}

#[test]
fn random_points_have_the_values_of_random_points() {
    let hemisphere = {
        let whole = sphere();
        let is_upper = |t: &&[u32; 3]| t.iter().all(|&v| whole.positions()[v as usize].y > -1e-6);
        let upper = whole.triangles().iter().filter(is_upper).copied().collect();
        scalp(whole.positions().to_vec(), upper)
    };
    let scalps = [
        ("sphere", sphere()),
        ("hemisphere", hemisphere),
        ("square", square(5)),
    ];
    for (name, scalp) in scalps {
        for seed in [1, 2] {
            let found = measured(&scalp, &random(&scalp, 8000, seed));
            let what = |measure: &str| format!("{measure} of random points on a {name}");
            // Hertz 1909: ½ √(A/N), standard deviation 0.26 √(A/N) each; more by a border.
            let mean = found.nearest.mean.map(|d| d / unit(&found));
            between(&what("mean nearest"), seed, mean, 0.49, 0.51);
            // Standard deviation √(2 / 499) = 0.063.
            let relative = found.cells.map(|c| c.relative);
            between(&what("χ²"), seed, relative, 0.8, 1.2);
            // √(π/6)/2 = 0.362 for six steps in random directions, and a little more.
            between(&what("mean ψ6"), seed, found.bond_order, 0.355, 0.375);
            for g in pairs(&found, 0.8, 4.0) {
                between(&what("g"), seed, Some(g), 0.93, 1.07);
            }
            assert_eq!(found.cells.map(|c| c.cells), Some(500));
            let beyond = found.nearest.beyond;
            assert_eq!(found.nearest.histogram.iter().sum::<usize>() + beyond, 8000);
        }
    }
}

#[test]
fn random_points_have_a_flat_spectrum() {
    let mut sets = Vec::new();
    for seed in 1..=4 {
        let mut random = Random(seed);
        let mut point = |_| DVec2::new(random.uniform(), random.uniform());
        sets.push((0..1024).map(&mut point).collect::<Vec<DVec2>>());
    }
    let found = spectrum(&sets).expect("a spectrum");
    assert_eq!((found.sets, found.points), (4, 1024.0));
    assert_eq!(found.rings.len(), 64);
    between(
        "low-frequency power",
        1,
        found.low_frequency_power,
        0.9,
        1.1,
    );
    let above = &found.rings[4..];
    for ring in above {
        // Standard deviation 1/√(sets * vectors), more as neighbouring vectors agree.
        let what = format!("power at {}", ring.frequency);
        let error = 8.0 / (4.0 * ring.vectors as f64).sqrt();
        between(&what, 1, Some(ring.power), 1.0 - error, 1.0 + error);
    }
    let mean = above
        .iter()
        .filter_map(|ring| ring.anisotropy_db)
        .sum::<f64>()
        / above.len() as f64;
    between("anisotropy of 4 sets", 1, Some(mean), -7.0, -5.5);
}

#[test]
fn maximal_sets_are_blue_noise() {
    for (name, scalp) in [("sphere", sphere()), ("square", square(5))] {
        for seed in [1, 2, 3] {
            let roots = maximal(&scalp, 4096, seed);
            let found = measured(&scalp, &roots);
            let what = |measure: &str| format!("{measure} of a maximal set on a {name}");
            let relative = found.cells.map(|c| c.relative);
            between(&what("χ²"), seed, relative, 0.05, 0.25);
            between(
                &what("relative radius"),
                seed,
                found.relative_radius,
                0.74,
                0.82,
            );
            between(&what("mean ψ6"), seed, found.bond_order, 0.40, 0.46);
            let mean = found.nearest.mean.map(|d| d / unit(&found));
            between(&what("mean nearest"), seed, mean, 0.86, 0.91);
            assert!(pairs(&found, 0.0, 0.8).iter().all(|&g| g == 0.0));
            let first = pairs(&found, 0.8, 0.9)[0];
            between(&what("g at contact"), seed, Some(first), 1.5, 3.5);

            let gap = found.largest_gap.expect("a gap");
            let proven = certify(&scalp, &roots).expect("a certificate");
            let spacing = f64::from(roots.spacing);
            let least = proven.ratio_lower_bound * spacing;
            between(
                &what("gap"),
                seed,
                Some(gap.radius),
                least * 0.999,
                1.001 * spacing,
            );
            assert!(gap.radius <= gap.radius_upper_bound);
            assert_eq!(found.nearest.min, min_distance(&roots).expect("a distance"));
        }
    }
}

#[test]
fn maximal_sets_on_a_square_have_little_power_at_low_frequencies() {
    let scalp = square(4);
    let sets: Vec<_> = (1..=3)
        .map(|seed| unit_square(&scalp, &maximal(&scalp, 4096, seed)).expect("a square"))
        .collect();
    let found = spectrum(&sets).expect("a spectrum");
    between(
        "low-frequency power",
        1,
        found.low_frequency_power,
        0.01,
        0.10,
    );
    // The first peak is at the spacing, and all directions are alike.
    let peak = found
        .rings
        .iter()
        .map(|ring| ring.power)
        .fold(0.0, f64::max);
    between("power at the peak", 1, Some(peak), 1.5, 4.0);
    let anisotropies = found.rings[8..]
        .iter()
        .filter_map(|ring| ring.anisotropy_db);
    let worst = anisotropies.fold(f64::NEG_INFINITY, f64::max);
    between("worst anisotropy of 3 sets", 1, Some(worst), -6.0, 0.0);
}
