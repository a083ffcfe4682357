//! Meshes with known distances and insides.

use crate::bvh::{Bvh, Corners};
use glam::{DVec3, Vec3};
use std::f32::consts::PI;

/// Returns a unit sphere.
pub(crate) fn icosphere(times: usize) -> Vec<Corners> {
    let mut faces = Vec::new();
    for signs in 0..8 {
        let sign = |bit: usize| if signs >> bit & 1 == 0 { 1.0 } else { -1.0 };
        let [x, y, z] = [Vec3::X * sign(0), Vec3::Y * sign(1), Vec3::Z * sign(2)];
        let outward = sign(0) * sign(1) * sign(2) > 0.0;
        faces.push(if outward { [x, y, z] } else { [x, z, y] });
    }
    for _ in 0..times {
        let split = |[a, b, c]: Corners| {
            let [ab, bc, ca] = [a + b, b + c, c + a].map(|p| p.normalize_or_zero());
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        faces = faces.into_iter().flat_map(split).collect();
    }
    faces
}

/// The radii of the torus.
pub(crate) const TORUS: [f32; 2] = [0.9, 0.35];

/// Returns a torus around z.
pub(crate) fn torus(around: usize, across: usize) -> Vec<Corners> {
    let at = |i: usize, j: usize| {
        let (i, j) = ((i % around) as f32, (j % across) as f32);
        let (a, b) = (i * 2.0 * PI / around as f32, j * 2.0 * PI / across as f32);
        let out = TORUS[0] + TORUS[1] * b.cos();
        Vec3::new(out * a.cos(), out * a.sin(), TORUS[1] * b.sin())
    };
    let quad = |(i, j)| [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
    (0..around)
        .flat_map(|i| (0..across).map(move |j| (i, j)))
        .flat_map(|ij| {
            let [a, b, c, d] = quad(ij);
            [[a, b, c], [a, c, d]]
        })
        .collect()
}

/// Returns the torus without the part x > 1.1: a hole of about 0.5.
pub(crate) fn open_torus() -> Vec<Corners> {
    let mut triangles = torus(80, 40);
    triangles.retain(|t| t.iter().any(|p| p.x < 1.1));
    triangles
}

/// Returns a cone with a base of radius ½ at y = 0 and its apex at y = 1.5.
pub(crate) fn cone(sides: usize) -> Vec<Corners> {
    let ring = |i: usize| {
        let a = (i % sides) as f32 * 2.0 * PI / sides as f32;
        Vec3::new(a.cos(), 0.0, a.sin()) * 0.5
    };
    let side = |i| {
        let (a, b) = (ring(i), ring(i + 1));
        [[b, a, Vec3::Y * 1.5], [a, b, Vec3::ZERO]]
    };
    (0..sides).flat_map(side).collect()
}

/// Returns two intersecting squares.
pub(crate) fn sheets() -> Vec<Corners> {
    let square = |u: Vec3, v: Vec3| {
        let [a, b, c, d] = [-u - v, u - v, u + v, v - u];
        [[a, b, c], [a, c, d]]
    };
    let (one, other) = (square(Vec3::X, Vec3::Y), square(Vec3::Z, Vec3::Y * 0.7));
    one.into_iter().chain(other).collect()
}

/// Returns positions and corner indices.
pub(crate) fn mesh(triangles: &[Corners]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let indices = (0..triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    (triangles.concat(), indices.collect())
}

/// Returns the triangles moved by a vector.
pub(crate) fn moved(triangles: &[Corners], by: Vec3) -> Vec<Corners> {
    triangles.iter().map(|t| t.map(|p| p + by)).collect()
}

/// Returns the triangles with reversed orientation.
pub(crate) fn flipped(triangles: &[Corners]) -> Vec<Corners> {
    triangles.iter().map(|&[a, b, c]| [a, c, b]).collect()
}

/// Returns random points in the box of a mesh, enlarged by `beside`.
pub(crate) fn points(tree: &Bvh, count: usize, beside: f64) -> Vec<DVec3> {
    let (low, high) = tree.bounds().unwrap();
    let (low, high) = (low.as_dvec3() - beside, high.as_dvec3() + beside);
    let mut random = crate::random::Random::new(7);
    let mut share = || random.uniform();
    let point = |_| low + (high - low) * DVec3::new(share(), share(), share());
    (0..count).map(point).collect()
}

/// Returns the winding number at a point, with the arc tangent of the platform.
pub(crate) fn winding(triangles: &[Corners], p: DVec3) -> f64 {
    let half = |t: &Corners| {
        let [a, b, c] = t.map(|corner| corner.as_dvec3() - p);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let real = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        a.dot(b.cross(c)).atan2(real)
    };
    triangles.iter().map(half).sum::<f64>() / (2.0 * std::f64::consts::PI)
}

/// Returns the distance of a point from the nearest triangle by brute force, in double precision:
/// from each corner, edge and face.
pub(crate) fn distance(triangles: &[Corners], p: DVec3) -> f64 {
    let from_each = triangles.iter().map(|t| distance2(t, p));
    from_each.fold(f64::INFINITY, f64::min).sqrt()
}

fn distance2(corners: &Corners, p: DVec3) -> f64 {
    let [a, b, c] = corners.map(|corner| corner.as_dvec3());
    let to_edge2 = |from: DVec3, to: DVec3| {
        let share = (p - from).dot(to - from) / (to - from).length_squared();
        let share = if share > 0.0 { share.min(1.0) } else { 0.0 };
        p.distance_squared(from + (to - from) * share)
    };
    let edges = to_edge2(a, b).min(to_edge2(b, c)).min(to_edge2(c, a));
    let normal = (b - a).cross(c - a).normalize_or_zero();
    let beside = |from: DVec3, to: DVec3| normal.cross(to - from).dot(p - from) > 0.0;
    if normal != DVec3::ZERO && beside(a, b) && beside(b, c) && beside(c, a) {
        edges.min(normal.dot(p - a).powi(2))
    } else {
        edges
    }
}
