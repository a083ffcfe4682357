//! Finds the skin and the strand under the pointer.

use crate::viewer::subject::simulations::DrawnSimulation;
use glam::{Vec2, Vec3};
use mohawk::RayFinder;
use mohawk::render::{OrbitCamera, Ray};

/// The largest number of strands that are examined; of more, an even sample is.
const MAX_STRANDS: usize = 8_000;
/// A strand counts as touched within this many logical pixels.
pub(crate) const STRAND_REACH: f32 = 7.0;

/// The pointer over a view, and the head and strands that are drawn in it.
pub(crate) struct Pick<'a> {
    pub(crate) camera: &'a OrbitCamera,
    /// The place of the pointer in the view, pixels, y down.
    pub(crate) pixel: Vec2,
    /// The size of the view, pixels.
    pub(crate) size: Vec2,
    pub(crate) rays: Option<&'a RayFinder>,
    pub(crate) strands: &'a DrawnSimulation,
    /// `true` if hair is drawn.
    pub(crate) is_hair_drawn: bool,
}

impl Pick<'_> {
    /// Returns the ray from the eye through the pointer.
    pub(crate) fn ray(&self) -> Ray {
        self.camera.ray(self.pixel, self.size)
    }

    /// Returns the distance along the ray to the head's first triangle, decimetres.
    fn skin(&self) -> Option<f32> {
        let ray = self.ray();
        let head_from_world = self.strands.sim.drawn_pose().to_mat4().inverse();
        let origin = head_from_world.transform_point3(ray.origin);
        let direction = head_from_world.transform_vector3(ray.direction);
        self.rays?.distance(origin, direction)
    }

    /// Returns the place on the skin at the pointer, head space.
    pub(crate) fn place_on_skin(&self) -> Option<Vec3> {
        let ray = self.ray();
        let place = ray.origin + self.skin()? * ray.direction;
        let head_from_world = self.strands.sim.drawn_pose().to_mat4().inverse();
        Some(head_from_world.transform_point3(place))
    }

    /// Returns `true` if hair is drawn within some pixels of the pointer.
    pub(crate) fn has_hair_within(&self, reach: f32) -> bool {
        self.is_hair_drawn && self.near_strands(reach).next().is_some()
    }

    /// Returns the distance of the head or its hair from the eye, decimetres.
    pub(crate) fn depth(&self) -> Option<f32> {
        let strands = self.is_hair_drawn.then(|| self.near_strands(STRAND_REACH));
        let hair = strands.into_iter().flatten().map(|(_, depth, _)| depth);
        self.skin().into_iter().chain(hair).min_by(f32::total_cmp)
    }

    /// Returns the strand at the pointer: of those that pass near it and are not behind skin, one
    /// that passes closely and is not far behind others.
    pub(crate) fn strand(&self) -> Option<usize> {
        /// The number of pixels beside a strand that count as much as a decimetre behind.
        const PIXELS_PER_DM: f32 = 12.0;
        /// Skin hides what is so far behind it, decimetres: strands begin in it.
        const HIDES: f32 = 0.05;
        let limit = self.skin().map_or(f32::INFINITY, |skin| skin + HIDES);
        let seen = (self.near_strands(STRAND_REACH)).filter(|(_, depth, _)| *depth < limit);
        let cost = |(_, depth, beside): &(_, f32, f32)| beside + PIXELS_PER_DM * depth;
        let best = seen.min_by(|a, b| cost(a).total_cmp(&cost(b)));
        best.map(|(index, ..)| index)
    }

    /// Returns the segments of strands within some pixels of the pointer: the index of the strand, the
    /// distance from the eye (decimetres), and the distance from the pointer (pixels).
    fn near_strands(&self, reach: f32) -> impl Iterator<Item = (usize, f32, f32)> {
        let (pixel, size, eye) = (self.pixel, self.size, self.camera.eye());
        let clip_from_world = self.camera.clip_from_world(size);
        let project = move |point: Vec3| {
            let clip = clip_from_world * point.extend(1.0);
            let place = || (Vec2::new(clip.x, -clip.y) / clip.w + 1.0) * 0.5 * size;
            (clip.w > 0.0).then(|| (place(), point))
        };
        let DrawnSimulation { sim, points, .. } = self.strands;
        let world_from_head = sim.drawn_pose().to_mat4();
        let groom = sim.groom();
        let stride = groom.len().div_ceil(MAX_STRANDS).max(1);
        let strands = groom
            .roots
            .iter()
            .zip(points.chunks_exact(sim.drawn_particles()));
        let strands = strands.enumerate().step_by(stride);
        strands.flat_map(move |(index, (&root, strand))| {
            let mut before = project(world_from_head.transform_point3(root));
            strand.iter().filter_map(move |&[x, y, z, _]| {
                let now = project(Vec3::new(x, y, z));
                let (a, b) = std::mem::replace(&mut before, now).zip(now)?;
                let beside = distance_to_segment(pixel, a.0, b.0);
                let depth = eye.distance(0.5 * (a.1 + b.1));
                (beside < reach).then_some((index, depth, beside))
            })
        })
    }
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
    fn distance_to_a_segment_stops_at_its_ends() {
        let (a, b) = (Vec2::ZERO, Vec2::new(10.0, 0.0));
        assert_eq!(distance_to_segment(Vec2::new(5.0, 3.0), a, b), 3.0);
        assert_eq!(distance_to_segment(Vec2::new(14.0, 3.0), a, b), 5.0);
        assert_eq!(distance_to_segment(Vec2::new(3.0, 4.0), a, a), 5.0);
    }
}
