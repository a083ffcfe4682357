//! The measures of `roots::distribution` against closed forms, brute force and nonsense.

#[path = "distribution/meshes.rs"]
#[allow(dead_code)]
mod meshes;

use glam::{DVec2, DVec3, Quat, Vec3};
use meshes::{cards, grid, scalp, sphere, square, strip, with_copy};
use mohawk::roots::distribution::{
    Distribution, PAIR_WIDTH, analyse, bond_order, cell_counts, equal_area_cells,
    nearest_distances, pair_correlation, spectrum, unit_square,
};
use mohawk::roots::{
    Amount, Method, RootSettings, Roots, SampleError, certify, min_distance, relative_radius,
};
use mohawk::scalp::{Scalp, SurfacePoint};
use std::ops::ControlFlow;
use std::time::Instant;

/// A generator of its own (SplitMix64).
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

fn continued(_: f32) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn maximal(scalp: &Scalp, strands: u32, seed: u64) -> Roots {
    let settings = RootSettings {
        amount: Amount::Strands(strands),
        seed,
        method: Method::Maximal,
    };
    Roots::sample(scalp, &settings, &mut continued).expect("a sample")
}

/// Roots made elsewhere: their spacing says nothing.
fn made(positions: Vec<Vec3>, face_normals: Vec<Vec3>) -> Roots {
    let count = positions.len();
    Roots {
        spacing: f32::NAN,
        points: Vec::new(),
        directions: face_normals.clone(),
        ranks: (0..count as u32).collect(),
        full_count: count,
        scaled: false,
        positions,
        face_normals,
    }
}

/// Area-weighted random points.
fn random(scalp: &Scalp, count: usize, seed: u64) -> Roots {
    let mut random = Random(seed);
    let mut total = 0.0;
    let areas = scalp.triangle_areas().iter();
    let sums: Vec<f64> = areas
        .map(|area| {
            total += area;
            total
        })
        .collect();
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let at = random.uniform() * total;
        let triangle = sums.partition_point(|&sum| sum <= at).min(sums.len() - 1) as u32;
        let (u, v) = (random.uniform(), random.uniform());
        let (u, v) = if u + v > 1.0 {
            (1.0 - u, 1.0 - v)
        } else {
            (u, v)
        };
        let weights = DVec3::new(1.0 - u - v, u, v).as_vec3();
        positions.push(scalp.point(SurfacePoint { triangle, weights }));
        normals.push(scalp.face_normal(triangle));
    }
    made(positions, normals)
}

fn measured(scalp: &Scalp, roots: &Roots) -> Distribution {
    analyse(scalp, roots, &mut continued).expect("measures")
}

/// Checks that a measure lies between two bounds.
fn between(what: &str, seed: u64, value: Option<f64>, low: f64, high: f64) {
    let value = value.unwrap_or(f64::NAN);
    assert!(
        low <= value && value <= high,
        "{what}, seed {seed}: {value} is not in {low} to {high}"
    );
}

/// √(A/N).
fn unit(of: &Distribution) -> f64 {
    (of.area / of.count as f64).sqrt()
}

/// g of the bins that lie wholly between two distances in √(A/N).
fn pairs(of: &Distribution, from: f64, to: f64) -> Vec<f64> {
    let bins = of.pair_correlation.as_ref().expect("pairs").bins.iter();
    bins.filter(|bin| {
        from <= bin.distance - 0.5 * PAIR_WIDTH + 1e-9
            && bin.distance + 0.5 * PAIR_WIDTH <= to + 1e-9
    })
    .map(|bin| bin.g.expect("random points at this distance"))
    .collect()
}

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

    let twice = measured(&scalp, &at(&[Vec3::ONE * 0.5; 8]));
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
        (nan, normals.clone(), 7),
        (good.clone(), no_side, 9),
        (good.clone(), nan_side, 9),
        (good.clone(), vec![Vec3::Z; 49], 49),
        (vec![Vec3::X; 50], normals, 32),
    ];
    for (positions, normals, expected) in cases {
        let roots = made(positions, normals);
        let index_error =
            |error| matches!(error, Some(SampleError::Index { root, .. }) if root == expected);
        assert!(index_error(analyse(&scalp, &roots, &mut continued).err()));
        assert!(index_error(nearest_distances(&roots).err()));
        assert!(index_error(bond_order(&roots).err()));
        assert!(index_error(pair_correlation(&scalp, &roots).err()));
    }
}

#[test]
fn a_heap_on_a_large_scalp_takes_no_longer_than_it_should() {
    // All on one of 200 triangles, and all of them in reach of each other.
    let scalp = square(10);
    let mut heap = random(&scalp, 60_000, 1);
    for p in &mut heap.positions {
        *p *= 1e-3;
    }
    let start = Instant::now();
    let found = measured(&scalp, &heap);
    let took = start.elapsed().as_secs_f64();
    assert!(took < 60.0, "{took} s");
    let relative = found.cells.map(|c| c.relative);
    between("χ² of a heap", 1, relative, 1e4, 1e9);
    // That certificate has too much work here; what is found must be right all the same.
    if let Some(gap) = found.largest_gap {
        between("gap beside a heap", 1, Some(gap.radius), 1.4, 1.4143);
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
