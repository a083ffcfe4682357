//! Meshes, their fields, and distances and insides by brute force.

use crate::bvh::{Bvh, Corners};
use crate::random::Random;
use crate::sim::sdf::bake;
use crate::sim::{Sdf, SdfError, SdfSettings};
use glam::{DVec3, Vec3};
use std::f32::consts::PI;
use std::ops::ControlFlow;

/// Progress that does not cancel.
pub(super) fn go_on(_: f32) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Returns settings that close nothing.
pub(super) fn open(cell: f32) -> SdfSettings {
    SdfSettings {
        cell,
        closing: 0.0,
        ..SdfSettings::default()
    }
}

pub(super) fn bake_all(triangles: &[Corners], settings: &SdfSettings) -> Result<Sdf, SdfError> {
    let (positions, triangles) = mesh(triangles);
    Sdf::of_mesh(&positions, &triangles, settings, &mut go_on)
}

pub(super) fn field_of(triangles: &[Corners], cell: f32) -> Sdf {
    bake_all(triangles, &open(cell)).unwrap()
}

/// Returns the distances at the nodes of [`field_of`], x fastest, then y.
pub(super) fn values(triangles: &[Corners], cell: f32) -> Vec<f32> {
    let baked = bake::bake(triangles.to_vec(), &open(cell), &mut go_on);
    baked.unwrap().1
}

/// Returns a unit sphere.
pub(super) fn icosphere(times: usize) -> Vec<Corners> {
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

/// Returns a torus around z of radii 0.9 and 0.35.
pub(super) fn torus(around: usize, across: usize) -> Vec<Corners> {
    let at = |i: usize, j: usize| {
        let (i, j) = ((i % around) as f32, (j % across) as f32);
        let (a, b) = (i * 2.0 * PI / around as f32, j * 2.0 * PI / across as f32);
        let out = 0.9 + 0.35 * b.cos();
        Vec3::new(out * a.cos(), out * a.sin(), 0.35 * b.sin())
    };
    let quad = |i: usize, j: usize| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    };
    let rings = (0..around).flat_map(|i| (0..across).map(move |j| (i, j)));
    rings.flat_map(|(i, j)| quad(i, j)).collect()
}

/// Returns the torus without the part x > 1.1: a hole of about 0.5.
pub(super) fn open_torus() -> Vec<Corners> {
    let mut triangles = torus(80, 40);
    triangles.retain(|t| t.iter().any(|p| p.x < 1.1));
    triangles
}

/// Returns a cone with a base of radius ½ at y = 0 and its apex at y = 1.5.
pub(super) fn cone(sides: usize) -> Vec<Corners> {
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
pub(super) fn sheets() -> Vec<Corners> {
    let square = |u: Vec3, v: Vec3| {
        let [a, b, c, d] = [-u - v, u - v, u + v, v - u];
        [[a, b, c], [a, c, d]]
    };
    let (one, other) = (square(Vec3::X, Vec3::Y), square(Vec3::Z, Vec3::Y * 0.7));
    one.into_iter().chain(other).collect()
}

/// Returns positions and corner indices.
pub(super) fn mesh(triangles: &[Corners]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let indices = (0..triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    (triangles.concat(), indices.collect())
}

/// Returns the triangles moved by a vector.
pub(super) fn moved(triangles: &[Corners], by: Vec3) -> Vec<Corners> {
    triangles.iter().map(|t| t.map(|p| p + by)).collect()
}

/// Returns the triangles with reversed orientation.
pub(super) fn flipped(triangles: &[Corners]) -> Vec<Corners> {
    triangles.iter().map(|&[a, b, c]| [a, c, b]).collect()
}

/// Returns random points in the box of a mesh, enlarged by `off`.
pub(super) fn around(triangles: &[Corners], count: usize, off: f64) -> Vec<DVec3> {
    let (low, high) = Bvh::of(triangles).bounds().unwrap();
    let (low, high) = (low.as_dvec3() - off, high.as_dvec3() + off);
    let mut random = Random::new(7);
    let mut share = || random.uniform();
    let point = |_| low + (high - low) * DVec3::new(share(), share(), share());
    (0..count).map(point).collect()
}

/// Returns random points up to `off` from triangles. Each triangle is equally likely, so small
/// features get many points.
pub(super) fn beside(triangles: &[Corners], count: usize, off: f64) -> Vec<DVec3> {
    let mut random = Random::new(5);
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

/// Returns the winding number at a point, with the arc tangent of the platform.
pub(super) fn winding(triangles: &[Corners], p: DVec3) -> f64 {
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
pub(super) fn distance(triangles: &[Corners], p: DVec3) -> f64 {
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
