//! Looks up what is at a point of a view.

use super::Subject;
use crate::viewer::subject::comparison::Side;
use crate::viewer::subject::{drawn_shape, pick};
use glam::{Vec2, Vec3};
use mohawk::render::OrbitCamera;
use mohawk::style::{Camera, Strands};

impl Subject {
    /// Returns the distance of the head or its hair along the ray through a point of a view of
    /// `size` logical pixels, decimetres. `None`: neither is there, or the strands are a scene's,
    /// which cannot be dragged.
    pub(crate) fn depth_at(
        &self,
        camera: &OrbitCamera,
        side: Side,
        point: Vec2,
        size: Vec2,
    ) -> Option<f32> {
        if self.own_strands().is_some() {
            return None;
        }
        let moving = self.moving.of(side);
        let pose = moving.sim.drawn_pose().to_mat4();
        let ray = camera.ray(point, size);
        let head = self.head.as_ref();
        let skin = head.and_then(|head| pick::skin_at(head, ray, pose));
        let points = moving.points();
        let groom = self.layers.hair.then(|| moving.sim.groom());
        let hair = groom.and_then(|groom| pick::hair_at(groom, points, pose, camera, point, size));
        skin.into_iter().chain(hair).min_by(f32::total_cmp)
    }

    /// The strand under a point of a view of `size` logical pixels, if none of the head is before
    /// it.
    pub(crate) fn strand_at(
        &self,
        camera: &OrbitCamera,
        side: Side,
        point: Vec2,
        size: Vec2,
    ) -> Option<usize> {
        let moving = self.moving.of(side);
        let pose = moving.sim.drawn_pose().to_mat4();
        let head = self.head.as_ref().filter(|_| self.own_strands().is_none());
        let skin = head.and_then(|head| pick::skin_at(head, camera.ray(point, size), pose));
        pick::strand_at(
            moving.sim.groom(),
            moving.points(),
            pose,
            camera,
            point,
            size,
            skin,
        )
    }

    /// A camera as it sees the head of a side: in head space.
    pub(crate) fn look_from(&self, side: Side, camera: &OrbitCamera) -> Camera {
        let pose = self.moving.of(side).sim.drawn_pose().to_mat4();
        let head_from_world = pose.inverse();
        let (_, up) = camera.right_up();
        Camera {
            eye: head_from_world.transform_point3(camera.eye()).to_array(),
            target: head_from_world.transform_point3(camera.target).to_array(),
            up: head_from_world.transform_vector3(up).to_array(),
            fov_degrees: OrbitCamera::FOV_Y.to_degrees(),
        }
    }

    /// Returns the drawn points of strands on a side, relative to each root, head space. `None`:
    /// they are at rest.
    pub(crate) fn shown(&self, side: Side, strands: &Strands) -> Option<Vec<Vec3>> {
        match self.frozen || self.own_strands().is_some() {
            true => None,
            false => drawn_shape::shown(&self.moving.of(side).sim, strands),
        }
    }
}
