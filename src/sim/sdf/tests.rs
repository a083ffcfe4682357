//! Tests of fields against brute force.

use super::*;
use crate::bvh::{Bvh, Corners};
use crate::head::Head;
use crate::head::Part;
use crate::sim::simd::{Kernel, Portable, Transpose, dispatch};
use glam::DVec3;
use glam::Vec3;
use std::ops::ControlFlow;

pub(crate) fn shipped() -> Head {
    Head::shipped(&Default::default()).unwrap()
}

pub(crate) fn go_on(_: f32) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Settings that close nothing.
pub(crate) fn open() -> SdfSettings {
    SdfSettings {
        closing: 0.0,
        ..Default::default()
    }
}

fn field_of(triangles: &[Corners], cell: f32) -> Sdf {
    let (positions, triangles) = shapes::mesh(triangles);
    let settings = SdfSettings { cell, ..open() };
    Sdf::of_mesh(&positions, &triangles, &settings, &mut go_on).unwrap()
}

pub(crate) fn skin_of(head: &Head) -> Vec<Corners> {
    bake::skin::triangles(head, &bake::skin::parts(head)).unwrap()
}

/// Returns points up to `off` from triangles. Each triangle is equally likely, so small features
/// get many points.
pub(crate) fn beside(triangles: &[Corners], count: usize, off: f64) -> Vec<DVec3> {
    let mut random = crate::random::Random::new(5);
    let mut share = || random.uniform();
    let point = |_| {
        let t = triangles[(share() * triangles.len() as f64) as usize];
        let [a, b, c] = t.map(|p| p.as_dvec3());
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let (u, v) = (share(), share());
        let (u, v) = if u + v < 1.0 {
            (u, v)
        } else {
            (1.0 - u, 1.0 - v)
        };
        a + (b - a) * u + (c - a) * v + normal * off * (2.0 * share() - 1.0)
    };
    (0..count).map(point).collect()
}

/// Compares the field with brute force and returns the largest error.
fn check(field: &Sdf, triangles: &[Corners], points: &[DVec3]) -> f64 {
    let mut worst: f64 = 0.0;
    for &p in points {
        let point = p.as_vec3().to_array();
        let p = p.as_vec3().as_dvec3();
        let exact = shapes::distance(triangles, p);
        let inside = shapes::winding(triangles, p) > 0.5;
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
fn shapes_are_as_far_as_they_are() {
    let triangle = vec![[Vec3::ZERO, Vec3::X, Vec3::new(0.3, 0.8, 0.2)]];
    let cases = [
        (shapes::icosphere(3), 0.05),
        (shapes::torus(40, 24), 0.04),
        (shapes::cone(50), 0.03),
        (triangle, 0.025),
    ];
    for (triangles, cell) in cases {
        let field = field_of(&triangles, cell);
        assert!(field.cell() <= cell);
        let tree = Bvh::of(&triangles);
        // Points inside the grid.
        let mut points = shapes::points(&tree, 300, 0.45);
        points.extend(beside(&triangles, 300, 0.1));
        let worst = check(&field, &triangles, &points);
        assert!(worst > 1e-5, "a test that cannot fail");
    }
}

#[test]
fn sheets_through_each_other_are_walls() {
    let sheets = shapes::sheets();
    let field = field_of(&sheets, 0.03);
    let mut points = beside(&sheets, 4000, 0.05);
    // In one of four quarters, two sheets face each other with their backs. That counts as inside,
    // and ends in between. Away from the intersection and the rims, the sheets are nearest.
    points.retain(|p| (0.3..0.8).contains(&p.x.abs().max(p.z.abs())) && p.y.abs() < 0.5);
    points.truncate(500);
    check(&field, &sheets, &points);
}

#[test]
fn smooth_skin_is_met_far_better_than_the_bound() {
    let ball = shapes::icosphere(4);
    let field = field_of(&ball, 0.05);
    assert!(field.error_bound() > 0.04);
    for p in beside(&ball, 500, 0.3) {
        let error = f64::from(field.distance(p.as_vec3().to_array())) - (p.length() - 1.0);
        assert!(error.abs() < 0.006, "{error} {p}");
    }
}

#[test]
fn the_shipped_head_is_as_far_as_it_is_and_ears_nostrils_and_sockets_are_outside() {
    let head = shipped();
    let field = Sdf::bake(&head, &open(), &mut go_on).unwrap();
    assert!(field.bytes() <= 64 << 20);
    let skin = skin_of(&head);
    check(&field, &skin, &beside(&skin, 200, 0.3));
    // Points just in front of and behind the skin, by triangle, so that many are near ears,
    // nostrils, lids and lips. Signs are compared where no other fold is nearer than half of that.
    let mut wrong = 0;
    for &[a, b, c] in skin.iter().step_by(61) {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        for side in [-0.04, 0.04] {
            let p = (a + b + c) / 3.0 + normal * side;
            let inside = shapes::winding(&skin, p.as_dvec3()) > 0.5;
            let found = field.distance(p.to_array());
            let clear = shapes::distance(&skin, p.as_dvec3()) > 0.02;
            wrong += u32::from(clear && (found < 0.0) != inside);
        }
    }
    assert_eq!(wrong, 0);
}

#[test]
fn the_skin_is_the_painted_part_and_what_goes_on_where_it_ends() {
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

    let (whole, settings) = (
        shipped(),
        SdfSettings {
            cell: 0.08,
            ..Default::default()
        },
    );
    let fields = [&whole, &head].map(|h| Sdf::bake(h, &settings, &mut go_on).unwrap());
    for p in beside(&skin_of(&whole), 500, 0.3) {
        let [a, b] = fields
            .each_ref()
            .map(|f| f.distance(p.as_vec3().to_array()));
        assert!((a - b).abs() < 1e-5, "{a} {b}");
    }
    head.scalp_part = None;
    let none = Sdf::bake(&head, &settings, &mut go_on);
    assert_eq!(none, Err(SdfError::NoSkin));
}

#[test]
fn an_open_neck_ends_inside_at_the_cut() {
    let mut skin = skin_of(&shipped());
    let cut = -0.75;
    skin.retain(|t| t.iter().any(|p| p.y > cut));
    let field = field_of(&skin, 0.04);
    let at = |y: f32| field.distance([0.0, y, -0.2]);
    assert!(at(cut + 0.3) < -0.08 && at(cut - 0.3) > 0.15);
    // The distance has no steps down the middle of the neck, or at any node.
    let mut before = at(0.0);
    for i in 0..1500 {
        let here = at(-0.001 * i as f32);
        assert!((here - before).abs() < 0.002, "{before} {here} {i}");
        before = here;
    }
    let [row, rows, _] = field.nodes();
    let values = field.values();
    for (i, &value) in values.iter().enumerate().skip(row * rows) {
        for step in [1, row, row * rows] {
            let apart = (value - values[i - step]).abs();
            let is_edge = step == 1 && i % row == 0 || step == row && i / row % rows == 0;
            let is_far = value.abs() > field.band();
            assert!(
                is_edge || is_far || apart <= 1.001 * field.cell(),
                "{apart}"
            );
        }
    }
    check(
        &field,
        &skin,
        &beside(&skin, 2000, 0.1)
            .into_iter()
            .filter(|p| p.y > 0.0)
            .take(200)
            .collect::<Vec<_>>(),
    );
}

#[test]
fn an_open_ring_is_closed_by_what_is_missing() {
    let ring = shapes::open_torus();
    let field = field_of(&ring, 0.04);
    let points = shapes::points(&Bvh::of(&ring), 600, 0.3);
    let far: Vec<DVec3> = points.iter().copied().filter(|p| p.x < 0.6).collect();
    check(&field, &ring, &far);
    for p in points {
        let most = shapes::distance(&ring, p) as f32 + field.error_bound();
        assert!(field.distance(p.as_vec3().to_array()).abs() <= most);
    }
    let [low, high] = [0.9, 1.4].map(|x| field.distance([x, 0.0, 0.0]));
    assert!(low < -0.1 && high > 0.1, "{low} {high}");
}

#[test]
fn skin_turned_inside_out_and_skin_in_skin_make_no_difference() {
    let ball = shapes::icosphere(3);
    let (one, other) = (field_of(&ball, 0.1), field_of(&shapes::flipped(&ball), 0.1));
    for (a, b) in one.values().iter().zip(other.values()) {
        assert!((a - b).abs() < 1e-5, "{a} {b}");
    }
    // Two intersecting balls: the parts inside the other one do not count.
    let both = [-0.4, 0.4]
        .map(|x| shapes::moved(&ball, Vec3::X * x))
        .concat();
    let field = field_of(&both, 0.05);
    let there = |x| field.distance([x, 0.0, 0.0]);
    assert!(there(0.6) < -0.6 && there(0.0) < -0.65, "{}", there(0.6));
    assert!((there(1.7) - 0.3).abs() < 0.01);
}

#[test]
fn the_gradient_is_that_of_the_distance() {
    let ball = shapes::icosphere(4);
    let field = field_of(&ball, 0.05);
    let (mut compared, step) = (0, 0.002);
    for p in shapes::points(&Bvh::of(&ball), 600, 2.0) {
        let p = p.as_vec3();
        let (_, gradient) = field.sample(p.to_array());
        for axis in 0..3 {
            let way = Vec3::AXES[axis] * step;
            let [a, b] = [p - way, p + way].map(|p| field.sample(p.to_array()));
            // Within one cell, since the gradient jumps between cells.
            if (a.1[axis] - b.1[axis]).abs() < 2e-3 {
                let slope = (b.0 - a.0) / (2.0 * step);
                assert!(
                    (slope - gradient[axis]).abs() < 3e-3,
                    "{p} {axis} {slope} {gradient:?}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 900, "{compared}");
    for p in beside(&ball, 200, 0.2) {
        let (_, gradient) = field.sample(p.as_vec3().to_array());
        let out = p.normalize().as_vec3();
        assert!(
            Vec3::from(gradient).distance(out) < 0.25,
            "{p} {gradient:?}"
        );
    }
}

#[test]
fn beyond_the_grid_it_is_less_than_the_truth_but_not_much() {
    let ring = shapes::torus(30, 16);
    let field = field_of(&ring, 0.05);
    let (low, high) = field.bounds();
    for p in shapes::points(&Bvh::of(&ring), 2000, 6.0) {
        let is_within = p.cmpge(low.as_dvec3()).all() && p.cmple(high.as_dvec3()).all();
        if !is_within {
            let (found, gradient) = field.sample(p.as_vec3().to_array());
            let exact = shapes::distance(&ring, p) as f32;
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

/// Samples points one by one in a kernel.
pub(crate) struct Ask<'a>(pub(crate) &'a Sdf, pub(crate) &'a [[f32; 3]]);

impl Kernel for Ask<'_> {
    type Output = Vec<(f32, [f32; 3])>;

    #[inline(always)]
    fn run(self, _: impl Transpose) -> Self::Output {
        self.1.iter().map(|&p| self.0.sample(p)).collect()
    }
}

/// Samples points by lanes in a kernel.
pub(crate) struct AskEight<'a>(pub(crate) &'a Sdf, pub(crate) &'a [[[f32; 3]; 8]]);

impl Kernel for AskEight<'_> {
    type Output = Vec<([f32; 8], [[f32; 8]; 3])>;

    #[inline(always)]
    fn run(self, _: impl Transpose) -> Self::Output {
        let mut found = Vec::with_capacity(self.1.len());
        for eight in self.1 {
            let points = [0, 1, 2].map(|axis: usize| eight.map(|p| p[axis]));
            found.push(self.0.sample_lanes(&points));
        }
        found
    }
}

#[test]
fn every_number_of_threads_and_every_instruction_set_gives_the_same_bits() {
    let mut ring = shapes::open_torus();
    ring.extend(shapes::sheets());
    let (positions, triangles) = shapes::mesh(&ring);
    let settings = SdfSettings {
        cell: 0.07,
        ..open()
    };
    let fields = [1, 2, 7].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| Sdf::of_mesh(&positions, &triangles, &settings, &mut go_on).unwrap())
    });
    let bits = |field: &Sdf| {
        (field.values().into_iter())
            .map(f32::to_bits)
            .collect::<Vec<_>>()
    };
    for field in &fields[1..] {
        assert!(bits(field) == bits(&fields[0]));
    }
    // The bits are the same on every machine.
    let hash = bits(&fields[0])
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &bits| {
            (hash ^ u64::from(bits)).wrapping_mul(0x0100_0000_01b3)
        });
    assert_eq!(hash, HASH, "{hash:#x}");

    let field = &fields[0];
    let points = shapes::points(&Bvh::of(&ring), 1000, 2.0);
    let points: Vec<[f32; 3]> = points.iter().map(|p| p.as_vec3().to_array()).collect();
    let wide = dispatch(Ask(field, &points));
    let plain = Ask(field, &points).run(Portable);
    assert!(wide == plain);
    let mut by_eight = Vec::new();
    let odd = [f32::NAN, 1e30, -3.0].map(|x| [x, 0.1, x]);
    for eight in points.chunks_exact(8).take(50) {
        let mut eight: [[f32; 3]; 8] = eight.try_into().unwrap();
        eight[2..5].copy_from_slice(&odd);
        by_eight.push(eight);
    }
    for (found, eight) in dispatch(AskEight(field, &by_eight)).iter().zip(&by_eight) {
        for (lane, &p) in eight.iter().enumerate() {
            let gradient = found.1.map(|x| x[lane]);
            assert_eq!((found.0[lane], gradient), field.sample(p));
        }
    }
}

/// Recorded on x86-64 with AVX2.
const HASH: u64 = 0x93d6_2dcb_6d28_4a65;
