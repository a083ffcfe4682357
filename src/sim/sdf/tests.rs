//! Tests of fields against brute force and closed forms.

mod bend;
mod closing;
mod fixtures;
mod hostile;

use super::*;
use crate::bvh::{Bvh, Corners};
use crate::head::{Head, Part};
use crate::sim::simd::{LANES, Lanes, Lanes3, Portable, axes, dispatch};
use bake::packet::Packets;
use fixtures::*;
use glam::{DVec3, Mat3, Vec3};

fn shipped() -> Head {
    Head::shipped(&Default::default()).unwrap()
}

fn skin_of(head: &Head) -> Vec<Corners> {
    skin::triangles(&skin::meshes(head)).unwrap()
}

fn at(field: &Sdf, point: DVec3) -> f32 {
    field.distance(point.as_vec3().to_array())
}

/// Compares the field with brute force and returns the largest error.
fn check(field: &Sdf, triangles: &[Corners], points: &[DVec3]) -> f64 {
    let mut worst: f64 = 0.0;
    for &p in points {
        let point = p.as_vec3().to_array();
        let p = p.as_vec3().as_dvec3();
        let exact = distance(triangles, p);
        let inside = winding(triangles, p) > 0.5;
        let exact = if inside { -exact } else { exact };
        let (found, gradient) = field.sample(point);
        let error = (f64::from(found) - exact).abs();
        let bound = f64::from(field.error_bound());
        if exact.abs() < f64::from(field.band()) {
            assert!(error <= bound, "{found} {exact} {p}");
            worst = worst.max(error);
        } else {
            let less = exact.abs() - f64::from(found.abs());
            let most = 5.0 * f64::from(field.cell()) + 0.02 * exact.abs();
            assert!((-bound..most).contains(&less), "{found} {exact} {p}");
            assert_eq!(found < 0.0, inside, "{p}");
        }
        assert_eq!(field.distance(point), found);
        assert!(Vec3::from(gradient).length() < 1.8, "{gradient:?} {p}");
    }
    worst
}

#[test]
fn fields_of_shapes_are_within_their_error_bounds() {
    let triangle = vec![[Vec3::ZERO, Vec3::X, Vec3::new(0.3, 0.8, 0.2)]];
    type Place = fn(&DVec3) -> bool;
    let cases: [(_, _, Place); 5] = [
        (icosphere(3), 0.05, |_| true),
        (torus(40, 24), 0.04, |_| true),
        // The ring ends at its opening.
        (open_torus(), 0.04, |p| p.x < 0.6),
        (cone(50), 0.03, |_| true),
        (triangle, 0.025, |_| true),
    ];
    for (triangles, cell, is_compared) in cases {
        let field = field_of(&triangles, cell);
        assert!(field.cell() <= cell);
        // Points inside the grid.
        let mut points = around(&triangles, 600, 0.45);
        points.extend(beside(&triangles, 600, 0.1));
        for &p in &points {
            let most = distance(&triangles, p) as f32 + field.error_bound();
            assert!(at(&field, p).abs() <= most, "{p}");
        }
        points.retain(is_compared);
        let worst = check(&field, &triangles, &points);
        assert!(worst > 1e-5, "a test that cannot fail");
    }
    let ring = field_of(&open_torus(), 0.04);
    let [low, high] = [0.9, 1.4].map(|x| ring.distance([x, 0.0, 0.0]));
    assert!(low < -0.1 && high > 0.1, "{low} {high}");
}

#[test]
fn sheets_that_intersect_are_walls() {
    let sheets = sheets();
    let field = field_of(&sheets, 0.03);
    let mut points = beside(&sheets, 4000, 0.05);
    // In one of four quarters, two sheets face each other with their backs. That counts as inside,
    // and ends in between. Away from the intersection and the rims, the sheets are nearest.
    points.retain(|p| (0.3..0.8).contains(&p.x.abs().max(p.z.abs())) && p.y.abs() < 0.5);
    points.truncate(500);
    assert_eq!(points.len(), 500);
    check(&field, &sheets, &points);
}

#[test]
fn ears_nostrils_and_sockets_of_the_shipped_head_are_outside() {
    let head = shipped();
    let field = Sdf::bake(&head, &open(0.025), &mut go_on).unwrap();
    assert!(field.bytes() <= 64 << 20);
    let skin = skin_of(&head);
    check(&field, &skin, &beside(&skin, 200, 0.3));
    // Points just in front of and behind the skin, by triangle, so that many are near ears,
    // nostrils, lids and lips. Signs are compared where no other fold is nearer than half of that.
    for &[a, b, c] in skin.iter().step_by(61) {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        for side in [-0.04, 0.04] {
            let p = ((a + b + c) / 3.0 + normal * side).as_dvec3();
            let inside = winding(&skin, p) > 0.5;
            let is_right = (at(&field, p) < 0.0) == inside;
            assert!(is_right || distance(&skin, p) <= 0.02, "{p}");
        }
    }
}

#[test]
fn skin_is_the_painted_part_and_the_parts_that_continue_it() {
    let whole = shipped();
    let mut head = shipped();
    let scalp = head.scalp_part.unwrap();
    assert_eq!(Sdf::skin_parts(&head), [scalp]);

    // The head is cut in two; the lower half becomes a separate part.
    let part = head.parts[scalp].clone();
    let is_low = |t: &&[u32; 3]| t.iter().any(|&v| part.positions[v as usize].y < -0.1);
    let (low, high): (Vec<_>, Vec<_>) = part.triangles.iter().partition(is_low);
    head.parts[scalp].triangles = high;
    head.parts.push(Part {
        triangles: low,
        ..part.clone()
    });
    let last = head.parts.len() - 1;
    assert_eq!(Sdf::skin_parts(&head), [scalp, last]);

    let bake = |head: &Head| Sdf::bake(head, &open(0.08), &mut go_on);
    let fields = [&whole, &head].map(|head| bake(head).unwrap());
    for p in beside(&skin_of(&whole), 500, 0.3) {
        let [a, b] = fields.each_ref().map(|field| at(field, p));
        assert!((a - b).abs() < 1e-5, "{a} {b}");
    }
    head.scalp_part = None;
    assert_eq!(bake(&head), Err(SdfError::NoSkin));
}

#[test]
fn the_inside_of_an_open_neck_ends_at_the_cut() {
    let mut skin = skin_of(&shipped());
    let cut = -0.75;
    skin.retain(|t| t.iter().any(|p| p.y > cut));
    let field = field_of(&skin, 0.04);
    let below = |y: f32| field.distance([0.0, y, -0.2]);
    assert!(below(cut + 0.3) < -0.08 && below(cut - 0.3) > 0.15);
    // The distance has no steps down the middle of the neck, or at any node.
    for i in 0..1500 {
        let [before, here] = [i, i + 1].map(|i| below(-0.001 * i as f32));
        assert!((here - before).abs() < 0.002, "{before} {here} {i}");
    }
    let [row, rows, _] = field.nodes();
    let values = values(&skin, 0.04);
    for (i, &value) in values.iter().enumerate().skip(row * rows) {
        for step in [1, row, row * rows] {
            let apart = (value - values[i - step]).abs();
            let is_edge = step == 1 && i % row == 0 || step == row && i / row % rows == 0;
            let is_far = value.abs() > field.band();
            let is_steady = apart <= 1.001 * field.cell();
            assert!(is_edge || is_far || is_steady, "{apart}");
        }
    }
    let mut points = beside(&skin, 2000, 0.1);
    points.retain(|p| p.y > 0.0);
    check(&field, &skin, &points[..200]);
}

#[test]
fn of_doubled_skin_the_outer_side_counts() {
    let plain = shipped();
    let mut doubled = plain.clone();
    let part = &mut doubled.parts[plain.scalp_part.unwrap()];
    let inner: Vec<_> = part.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    part.triangles.extend(inner);
    let skins = [plain, doubled].map(|head| {
        let mut skin = skin_of(&head);
        skin.retain(skin::has_area);
        skin
    });
    assert_eq!(skins[0], skins[1]);
}

#[test]
fn orientation_and_buried_skin_make_no_difference() {
    let ball = icosphere(3);
    let [outward, inward] = [&ball, &flipped(&ball)].map(|ball| values(ball, 0.1));
    for (a, b) in outward.iter().zip(&inward) {
        assert!((a - b).abs() < 1e-5, "{a} {b}");
    }
    // Two intersecting balls: the parts inside the other one do not count.
    let both = [-0.4, 0.4].map(|x| moved(&ball, Vec3::X * x)).concat();
    let field = field_of(&both, 0.05);
    let there = |x| field.distance([x, 0.0, 0.0]);
    assert!(there(0.6) < -0.6 && there(0.0) < -0.65, "{}", there(0.6));
    assert!((there(1.7) - 0.3).abs() < 0.01);
}

#[test]
fn gradients_are_those_of_the_distance_which_is_accurate_on_smooth_skin() {
    let ball = icosphere(4);
    let field = field_of(&ball, 0.05);
    let (mut compared, step) = (0, 0.002);
    for p in around(&ball, 600, 2.0) {
        let p = p.as_vec3();
        let (_, gradient) = field.sample(p.to_array());
        for axis in 0..3 {
            let way = Vec3::AXES[axis] * step;
            let [a, b] = [p - way, p + way].map(|p| field.sample(p.to_array()));
            // Within one cell, since the gradient jumps between cells.
            if (a.1[axis] - b.1[axis]).abs() < 2e-3 {
                let error = (b.0 - a.0) / (2.0 * step) - gradient[axis];
                assert!(error.abs() < 3e-3, "{p} {axis} {error} {gradient:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 900, "{compared}");
    assert!(field.error_bound() > 0.04);
    for p in beside(&ball, 500, 0.3) {
        let (distance, gradient) = field.sample(p.as_vec3().to_array());
        let error = f64::from(distance) - (p.length() - 1.0);
        assert!(error.abs() < 0.006, "{error} {p}");
        let error = Vec3::from(gradient).distance(p.normalize().as_vec3());
        assert!(error < 0.25, "{p} {gradient:?}");
    }
}

#[test]
fn distances_beyond_the_grid_are_too_small_by_at_most_half() {
    let ring = torus(30, 16);
    let field = field_of(&ring, 0.05);
    let (low, high) = field.bounds();
    for p in around(&ring, 2000, 6.0) {
        let is_within = p.cmpge(low.as_dvec3()).all() && p.cmple(high.as_dvec3()).all();
        if !is_within {
            let (found, gradient) = field.sample(p.as_vec3().to_array());
            let exact = distance(&ring, p) as f32;
            assert!(found <= exact + field.error_bound(), "{found} {exact} {p}");
            assert!(found >= 0.5 * exact, "{found} {exact} {p}");
            assert!(Vec3::from(gradient).length() < 1.8);
        }
    }
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 3e38, -1e30] {
        for p in [[odd, 0.0, 0.0], [0.0, odd, 0.1], [odd; 3]] {
            let (found, gradient) = field.sample(p);
            assert!(found > 1e9 && found.is_finite(), "{p:?} {found}");
            assert!(gradient.iter().all(|x| x.abs() <= 1.01), "{gradient:?}");
            assert_eq!(field.distance(p), found);
        }
    }
}

#[test]
fn every_number_of_threads_and_every_instruction_set_gives_the_same_bits() {
    /// Recorded on x86-64 with AVX2.
    const HASH: u64 = 0x93d6_2dcb_6d28_4a65;
    let mut ring = open_torus();
    ring.extend(sheets());
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let values = (pool.build().unwrap()).install(|| values(&ring, 0.07));
        let hash = (values.iter()).fold(0xcbf2_9ce4_8422_2325_u64, |hash, value| {
            (hash ^ u64::from(value.to_bits())).wrapping_mul(0x0100_0000_01b3)
        });
        assert_eq!(hash, HASH, "{threads} threads: {hash:#x}");
    }

    let field = &field_of(&ring, 0.07);
    let mut points: Vec<[f32; 3]> = (around(&ring, 1000, 2.0).iter())
        .map(|p| p.as_vec3().to_array())
        .collect();
    for (place, x) in [(2, f32::NAN), (11, 1e30), (20, -3.0)] {
        points[place] = [x, 0.1, x];
    }
    for eight in points.chunks_exact(LANES) {
        let lanes = axes!(axis => Lanes::from_fn(|lane| eight[lane][axis]));
        let portable = field.sample_by(Portable, &lanes);
        for (distance, gradient) in [portable, dispatch((field, &lanes))] {
            for (lane, &p) in eight.iter().enumerate() {
                let gradient = gradient.map(|along| along.0[lane]);
                assert!((distance.0[lane], gradient) == field.sample(p));
            }
        }
    }
}

#[test]
fn lower_bounds_are_below_samples_and_at_most_two_bricks_off() {
    let ball = icosphere(3);
    let field = field_of(&ball, 0.05);
    let to_bricks = Mat3::IDENTITY * field.per_brick;
    let bounds = |points: &Lanes3| field.lower_bounds(&to_bricks, Vec3::ZERO, points).0;
    for eight in around(&ball, 4000, 3.0).chunks_exact(LANES) {
        let points = axes!(axis => Lanes::from_fn(|lane| eight[lane][axis] as f32));
        let sampled = field.sample_lanes(&points.map(|lanes| lanes.0)).0;
        for (p, (least, sampled)) in eight.iter().zip(bounds(&points).into_iter().zip(sampled)) {
            assert!(sampled >= least - 1e-5, "{sampled} {least}");
            assert_eq!(least, field.lower_bound(p.as_vec3()));
            // Beyond the grid the bound is that of its nearest point.
            let is_near = p.abs().max_element() < 1.2;
            let most = if is_near {
                least + 2.0 * 4.0 * 0.05
            } else {
                f32::INFINITY
            };
            assert!(sampled < most, "{sampled} {least}");
        }
    }
    let nowhere = bounds(&[Lanes::splat(f32::NAN); 3]);
    assert!(nowhere.into_iter().all(|least| least > 0.2));
}

/// Returns the winding numbers at eight points.
fn windings(triangles: &[Corners], middle: DVec3, eight: [DVec3; LANES]) -> [f32; LANES] {
    let packets = Packets::of(&Bvh::of(triangles), middle);
    packets.around(&packets.points_at(eight), &mut 0).0
}

#[test]
fn winding_numbers_are_sums_of_solid_angles() {
    let middle = DVec3::new(0.3, 0.2, 0.1);
    for triangles in [
        icosphere(3),
        torus(40, 24),
        open_torus(),
        cone(50),
        sheets(),
    ] {
        for eight in around(&triangles, 800, 0.4).chunks_exact(LANES) {
            let fast = windings(&triangles, middle, eight.try_into().unwrap());
            for (&p, fast) in eight.iter().zip(fast) {
                let slow = winding(&triangles, p);
                assert!((f64::from(fast) - slow).abs() < 0.05, "{fast} {slow} {p}");
            }
        }
    }
    // Every layer counts.
    let ball = icosphere(2);
    for layers in [1, 3, 7] {
        for (ball, expected) in [(&ball, layers as f32), (&flipped(&ball), -(layers as f32))] {
            let inside = [DVec3::new(0.2, -0.3, 0.1); LANES];
            let found = windings(&ball.repeat(layers), DVec3::ZERO, inside)[0];
            let error = (found - expected).abs();
            assert!(error < 0.05 * expected.abs(), "{found}");
        }
    }
}
