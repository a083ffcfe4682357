//! Every promise checked by brute force, with nothing of the sampler's.

use super::Random;
use glam::{DVec3, Vec3};
use mohawk::roots::{Roots, certify};
use mohawk::scalp::{Scalp, SurfacePoint};

pub fn corners(scalp: &Scalp, triangle: usize) -> [DVec3; 3] {
    scalp.triangles()[triangle].map(|v| scalp.positions()[v as usize].as_dvec3())
}

pub fn compatible(a: Vec3, b: Vec3) -> bool {
    a.as_dvec3().dot(b.as_dvec3()) > 0.0
}

/// The distance from a point of a triangle to the nearest root on its side.
pub fn nearest(scalp: &Scalp, roots: &Roots, triangle: usize, p: DVec3) -> f64 {
    let normal = scalp.face_normal(triangle as u32);
    let on_this_side = roots.positions.iter().zip(&roots.face_normals);
    on_this_side
        .filter(|&(_, &other)| compatible(normal, other))
        .map(|(root, _)| root.as_dvec3().distance(p))
        .fold(f64::INFINITY, f64::min)
}

/// The spacing at a place, from its definition.
pub fn local_spacing(scalp: &Scalp, roots: &Roots, at: SurfacePoint) -> f64 {
    let spacing = f64::from(roots.spacing);
    match roots.scaled {
        true => spacing / f64::from(scalp.density(at)).max(1.0 / 64.0).sqrt(),
        false => spacing,
    }
}

/// Checks every promise by brute force: O(roots²) and O(points * roots).
pub fn check(scalp: &Scalp, roots: &Roots) {
    check_on("a scalp", scalp, roots);
}

/// The same for a set whose surface, method and seed are to be told.
pub fn check_on(set: &str, scalp: &Scalp, roots: &Roots) {
    lists_agree(set, scalp, roots);
    no_pair_conflicts(set, scalp, roots);
    all_is_covered(set, scalp, roots);
}

fn lists_agree(set: &str, scalp: &Scalp, roots: &Roots) {
    let count = roots.positions.len();
    assert!(count > 0, "{set}: no roots");
    assert_eq!(roots.points.len(), count, "{set}");
    assert_eq!(roots.directions.len(), count, "{set}");
    assert_eq!(roots.face_normals.len(), count, "{set}");
    assert_eq!(roots.ranks, Vec::from_iter(0..count as u32), "{set}");
    assert_eq!(roots.full_count, count, "{set}");
    for i in 0..count {
        let (point, position) = (roots.points[i], roots.positions[i]);
        let w = point.weights;
        assert!(w.min_element() >= 0.0, "{set}: root {i} is outside: {w}");
        assert!((w.element_sum() - 1.0).abs() < 1e-6, "{set}: root {i}: {w}");
        assert_eq!(scalp.point(point), position, "{set}: root {i} is elsewhere");
        let [a, b, c] = corners(scalp, point.triangle as usize);
        let there = a * f64::from(w.x) + b * f64::from(w.y) + c * f64::from(w.z);
        let size = a.distance(b).max(a.distance(c)) + a.abs().max_element();
        assert!(there.distance(position.as_dvec3()) < 1e-6 * size, "{set}");
        assert_eq!(roots.face_normals[i], scalp.face_normal(point.triangle));
        assert!((roots.directions[i].length() - 1.0).abs() < 1e-5, "{set}");
    }
}

/// No two roots on a side are closer than the smaller of their spacings.
fn no_pair_conflicts(set: &str, scalp: &Scalp, roots: &Roots) {
    let spacings = roots.points.iter();
    let spacings: Vec<f64> = spacings.map(|&p| local_spacing(scalp, roots, p)).collect();
    // Roots are kept a millionth farther apart, so that none of this is about rounding.
    let positions: Vec<DVec3> = roots.positions.iter().map(|p| p.as_dvec3()).collect();
    for i in 0..positions.len() {
        for j in 0..i {
            let least = spacings[i].min(spacings[j]);
            if positions[i].distance_squared(positions[j]) < least * least
                && compatible(roots.face_normals[i], roots.face_normals[j])
            {
                let distance = positions[i].distance(positions[j]);
                panic!("{set}: roots {i}, {j}: {distance} < {least}");
            }
        }
    }
}

/// No point of the scalp is farther from its roots than the spacing there, but for a thousandth.
fn all_is_covered(set: &str, scalp: &Scalp, roots: &Roots) {
    let covered = certify(scalp, roots).expect("a certificate");
    assert!(covered.maximal, "{set}: not maximal: {covered:?}");
    assert!(covered.ratio_lower_bound <= covered.ratio_upper_bound);

    // As the certificate is ours too: points of the scalp by area, and the
    // corners, none of which may be farther away than the tolerance or the bound.
    let mut random = Random(7);
    let areas = scalp.triangle_areas();
    let farthest = covered.ratio_upper_bound.min(1.0 + 1e-3) * (1.0 + 1e-6);
    let points = 4_000_000 / (roots.positions.len() + 400);
    for (triangle, area) in areas.iter().enumerate() {
        let [a, b, c] = corners(scalp, triangle);
        let share = points as f64 * area / scalp.area();
        let inside = (share + random.uniform()) as usize;
        let inside = (0..inside).map(|_| {
            let (s, t) = (random.uniform().sqrt(), random.uniform());
            DVec3::new(1.0 - s, s * (1.0 - t), s * t)
        });
        let some_corners = if areas.len() < 500 {
            &DVec3::AXES[..]
        } else {
            &[]
        };
        let inside: Vec<DVec3> = inside.collect();
        for w in inside.iter().chain(some_corners) {
            let p = a * w.x + b * w.y + c * w.z;
            let at = SurfacePoint {
                triangle: triangle as u32,
                weights: w.as_vec3(),
            };
            let distance = nearest(scalp, roots, triangle, p);
            let most = farthest * local_spacing(scalp, roots, at);
            assert!(
                distance <= most,
                "{set}: {p} of triangle {triangle}: {distance} > {most}"
            );
        }
    }
}
