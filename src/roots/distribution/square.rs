//! Scalps that are flat squares: those whose roots have a spectrum.

use crate::{roots::Roots, scalp::Scalp};
use glam::{DVec2, DVec3};

/// The tolerance of a flat rectangle, relative to its size: the rounding of f32 coordinates near
/// the origin.
const TOLERANCE: f64 = 1e-4;

/// The largest relative difference of the sides. Stretching them to 1 does not visibly change a
/// spectrum.
const ASPECT: f64 = 0.01;

/// Returns the positions of the roots in the unit square, as [`super::spectrum`] takes them, if the
/// scalp is a flat square (of any size, anywhere, in any position) and all roots lie on it.
///
/// Flat: all faces look the same way, and all corners lie in a plane. Square: the area is
/// that of a rectangle that holds all corners, and its sides are the same within 1 %.
pub fn unit_square(scalp: &Scalp, roots: &Roots) -> Option<Vec<DVec2>> {
    let [corner, x, y] = rectangle(scalp)?;
    let (across, up) = (x.length(), y.length());
    if (across / up - 1.0).abs() > ASPECT {
        return None;
    }
    let places = roots.positions.iter().map(|p| {
        let from_corner = p.as_dvec3() - corner;
        let place = [x, y].map(|side| from_corner.dot(side) / side.length_squared());
        let place = DVec2::from(place);
        let height = from_corner.dot(x.cross(y)).abs() / (across * across * up);
        let inside = place.clamp(DVec2::ZERO, DVec2::ONE);
        // NaN compares as false.
        (place.distance(inside) <= TOLERANCE && height <= TOLERANCE).then_some(inside)
    });
    places.collect()
}

/// Returns a corner and the two sides from it, if the scalp is a flat rectangle.
///
/// ```text
///  d ------- c     a: farthest from the middle. c: farthest from a.
///  |       / |     b: farthest from the diagonal a c.
///  |    /    |
///  | /       |
///  a ------- b
/// ```
fn rectangle(scalp: &Scalp) -> Option<[DVec3; 3]> {
    let corners = || {
        let vertices = scalp.triangles().iter().flatten();
        vertices.map(|&v| scalp.positions()[v as usize].as_dvec3())
    };
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        corners().max_by(|&p, &q| measure(p).total_cmp(&measure(q)))
    };
    let (low, high) = scalp.bounds();
    let middle = 0.5 * (low.as_dvec3() + high.as_dvec3());
    let a = farthest(&|p| p.distance_squared(middle))?;
    let c = farthest(&|p| p.distance_squared(a))?;
    let diagonal = c - a;
    let b = farthest(&|p| (p - a).cross(diagonal).length_squared())?;
    let (x, y) = (b - a, c - b);

    let size = diagonal.length();
    let normal = x.cross(y).try_normalize()?;
    let square_area = x.length() * y.length();
    let flat = corners().all(|p| (p - a).dot(normal).abs() <= TOLERANCE * size);
    let side = scalp.face_normal(0);
    let faces = 0..scalp.triangles().len() as u32;
    let one_way = faces.clone().all(|t| scalp.face_normal(t).dot(side) > 0.0);
    let upright = x.dot(y).abs() <= TOLERANCE * square_area;
    let within = |p: DVec3| {
        let [along_x, along_y] = [x, y].map(|side| (p - a).dot(side) / side.length_squared());
        let range = -TOLERANCE..=1.0 + TOLERANCE;
        range.contains(&along_x) && range.contains(&along_y)
    };
    let full = (scalp.area() / square_area - 1.0).abs() <= TOLERANCE;
    (flat && one_way && upright && full && corners().all(within)).then_some([a, x, y])
}
