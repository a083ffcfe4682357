//! What lies under the pointer.

use crate::groom::Groom;
use crate::head::Head;
use crate::render::{OrbitCamera, Ray};
use glam::{Mat4, Vec2, Vec3};

/// Strands looked at for one pick; more are sampled evenly.
const MAX_STRANDS: usize = 8_000;
/// A strand counts as touched within this many logical pixels.
const STRAND_REACH: f32 = 7.0;

/// Does the ray hit any of the head's triangles?
pub(super) fn hits_skin(head: &Head, ray: Ray, world_from_head: Mat4) -> bool {
    let head_from_world = world_from_head.inverse();
    let origin = head_from_world.transform_point3(ray.origin);
    let direction = head_from_world.transform_vector3(ray.direction);
    head.parts.iter().any(|part| {
        part.triangles.iter().any(|triangle| {
            let [a, b, c] = triangle.map(|corner| part.positions[corner as usize]);
            crosses_triangle(origin, direction, a, b, c)
        })
    })
}

/// Möller and Trumbore 1997, both sides.
fn crosses_triangle(origin: Vec3, direction: Vec3, a: Vec3, b: Vec3, c: Vec3) -> bool {
    let (ab, ac) = (b - a, c - a);
    let p = direction.cross(ac);
    let determinant = ab.dot(p);
    if determinant.abs() < 1e-12 {
        return false;
    }
    let from_a = origin - a;
    let u = from_a.dot(p) / determinant;
    let q = from_a.cross(ab);
    let v = direction.dot(q) / determinant;
    u >= 0.0 && v >= 0.0 && u + v <= 1.0 && ac.dot(q) / determinant > 0.0
}

/// Does a strand pass near `pixel` (y down) of a view of `size` pixels? `points`: its tip, or all
/// its particles, `per_strand` of them, as drawn.
pub(super) fn hits_hair(
    groom: &Groom,
    (points, per_strand): (&[[f32; 4]], usize),
    world_from_head: Mat4,
    camera: &OrbitCamera,
    pixel: Vec2,
    size: Vec2,
) -> bool {
    let clip_from_world = camera.clip_from_world(size);
    let project = |point: Vec3| {
        let clip = clip_from_world * point.extend(1.0);
        (clip.w > 0.0).then(|| (Vec2::new(clip.x, -clip.y) / clip.w + 1.0) * 0.5 * size)
    };
    let stride = groom.len().div_ceil(MAX_STRANDS).max(1);
    let strands = groom.roots.iter().zip(points.chunks_exact(per_strand));
    strands.step_by(stride).any(|(&root, strand)| {
        let mut before = project(world_from_head.transform_point3(root));
        strand.iter().any(|&[x, y, z, _]| {
            let now = project(Vec3::new(x, y, z));
            let near = match (before, now) {
                (Some(a), Some(b)) => distance_to_segment(pixel, a, b) < STRAND_REACH,
                _ => false,
            };
            before = now;
            near
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
        assert!(crosses_triangle(from, -Vec3::Z, a, b, c));
        assert!(
            !crosses_triangle(from, Vec3::Z, a, b, c),
            "behind the origin"
        );
        assert!(
            !crosses_triangle(from + Vec3::X, -Vec3::Z, a, b, c),
            "beside"
        );
        assert!(!crosses_triangle(from, Vec3::X, a, b, c), "parallel");
    }

    #[test]
    fn distance_to_a_segment_stops_at_its_ends() {
        let (a, b) = (Vec2::ZERO, Vec2::new(10.0, 0.0));
        assert_eq!(distance_to_segment(Vec2::new(5.0, 3.0), a, b), 3.0);
        assert_eq!(distance_to_segment(Vec2::new(14.0, 3.0), a, b), 5.0);
        assert_eq!(distance_to_segment(Vec2::new(3.0, 4.0), a, a), 5.0);
    }
}
