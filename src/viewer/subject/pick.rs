//! What lies under the pointer.

use glam::{Mat4, Vec2, Vec3};
use mohawk::groom::Groom;
use mohawk::head::Head;
use mohawk::render::{OrbitCamera, Ray};

/// Strands looked at for one pick; more are sampled evenly.
const MAX_STRANDS: usize = 8_000;
/// A strand counts as touched within this many logical pixels.
const STRAND_REACH: f32 = 7.0;

/// Returns the distance along the ray to the head's first triangle, decimetres.
pub(crate) fn skin_at(head: &Head, ray: Ray, world_from_head: Mat4) -> Option<f32> {
    let head_from_world = world_from_head.inverse();
    let origin = head_from_world.transform_point3(ray.origin);
    let direction = head_from_world.transform_vector3(ray.direction);
    let hits = head.parts.iter().flat_map(|part| {
        part.triangles.iter().filter_map(move |triangle| {
            let [a, b, c] = triangle.map(|corner| part.positions[corner as usize]);
            meets_triangle(origin, direction, a, b, c)
        })
    });
    hits.min_by(f32::total_cmp)
}

/// Möller and Trumbore 1997, both sides.
fn meets_triangle(origin: Vec3, direction: Vec3, a: Vec3, b: Vec3, c: Vec3) -> Option<f32> {
    let (ab, ac) = (b - a, c - a);
    let p = direction.cross(ac);
    let determinant = ab.dot(p);
    if determinant.abs() < 1e-12 {
        return None;
    }
    let from_a = origin - a;
    let u = from_a.dot(p) / determinant;
    let q = from_a.cross(ab);
    let v = direction.dot(q) / determinant;
    let distance = ac.dot(q) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0).then_some(distance)
}

/// A strand near a point of the picture.
struct Near {
    strand: usize,
    /// The distance from the eye, decimetres.
    depth: f32,
    /// Pixels.
    beside: f32,
}

/// Returns the distance from the eye of the nearest strand that passes near `pixel` (y down) of a
/// view of `size` pixels, decimetres. `points`: its tip, or all its particles, as drawn, and their
/// number per strand.
pub(crate) fn hair_at(
    groom: &Groom,
    points: (&[[f32; 4]], usize),
    world_from_head: Mat4,
    camera: &OrbitCamera,
    pixel: Vec2,
    size: Vec2,
) -> Option<f32> {
    let near = strands_near(groom, points, world_from_head, camera, pixel, size);
    near.map(|near| near.depth).min_by(f32::total_cmp)
}

/// The strand at a pixel: of those that pass near it, and are not behind `skin` (distance from the
/// eye, decimetres), one that passes closely and is not far behind others.
pub(crate) fn strand_at(
    groom: &Groom,
    points: (&[[f32; 4]], usize),
    world_from_head: Mat4,
    camera: &OrbitCamera,
    pixel: Vec2,
    size: Vec2,
    skin: Option<f32>,
) -> Option<usize> {
    /// The number of pixels beside a strand that count as much as a decimetre behind.
    const PIXELS_PER_DM: f32 = 12.0;
    /// Skin hides what is so far behind it, decimetres: strands begin in it.
    const HIDES: f32 = 0.05;
    let near = strands_near(groom, points, world_from_head, camera, pixel, size);
    let seen = near.filter(|near| skin.is_none_or(|skin| near.depth < skin + HIDES));
    let cost = |near: &Near| near.beside + PIXELS_PER_DM * near.depth;
    let best = seen.min_by(|a, b| cost(a).total_cmp(&cost(b)));
    best.map(|near| near.strand)
}

/// Returns the strands that pass near a pixel.
fn strands_near(
    groom: &Groom,
    (points, per_strand): (&[[f32; 4]], usize),
    world_from_head: Mat4,
    camera: &OrbitCamera,
    pixel: Vec2,
    size: Vec2,
) -> impl Iterator<Item = Near> {
    let clip_from_world = camera.clip_from_world(size);
    let eye = camera.eye();
    let project = move |point: Vec3| {
        let clip = clip_from_world * point.extend(1.0);
        let place = || (Vec2::new(clip.x, -clip.y) / clip.w + 1.0) * 0.5 * size;
        (clip.w > 0.0).then(|| (place(), point))
    };
    let stride = groom.len().div_ceil(MAX_STRANDS).max(1);
    let strands = groom.roots.iter().zip(points.chunks_exact(per_strand));
    let strands = strands.enumerate().step_by(stride);
    strands.flat_map(move |(number, (&root, strand))| {
        let mut before = project(world_from_head.transform_point3(root));
        strand.iter().filter_map(move |&[x, y, z, _]| {
            let now = project(Vec3::new(x, y, z));
            let (a, b) = std::mem::replace(&mut before, now).zip(now)?;
            let beside = distance_to_segment(pixel, a.0, b.0);
            (beside < STRAND_REACH).then(|| Near {
                strand: number,
                depth: eye.distance(0.5 * (a.1 + b.1)),
                beside,
            })
        })
    })
}

fn distance_to_segment(point: Vec2, a: Vec2, b: Vec2) -> f32 {
    let along = b - a;
    let t = ((point - a).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
    point.distance(a + t * along)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_crosses_the_triangle_it_points_at() {
        let [a, b, c] = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let from = Vec3::new(0.2, 0.2, 1.0);
        let meets = |from, direction| meets_triangle(from, direction, a, b, c);
        assert_eq!(meets(from, -Vec3::Z), Some(1.0));
        assert_eq!(meets(from, Vec3::Z), None, "behind the origin");
        assert_eq!(meets(from + Vec3::X, -Vec3::Z), None, "beside");
        assert_eq!(meets(from, Vec3::X), None, "parallel");
    }

    #[test]
    fn distance_to_a_segment_stops_at_its_ends() {
        let (a, b) = (Vec2::ZERO, Vec2::new(10.0, 0.0));
        assert_eq!(distance_to_segment(Vec2::new(5.0, 3.0), a, b), 3.0);
        assert_eq!(distance_to_segment(Vec2::new(14.0, 3.0), a, b), 5.0);
        assert_eq!(distance_to_segment(Vec2::new(3.0, 4.0), a, a), 5.0);
    }
}
