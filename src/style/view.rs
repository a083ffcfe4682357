//! Cameras of strokes: from head space to pixels and back.

use crate::det_math::sin_cos;
use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

/// A camera in head space, as in stroke files.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// Position, decimetres.
    pub eye: [f32; 3],
    /// The point that it looks at, decimetres.
    pub target: [f32; 3],
    /// The direction that is up in the picture.
    pub up: [f32; 3],
    /// Vertical field of view, degrees, 1 to 150.
    pub fov_degrees: f32,
}

/// An error of a camera.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CameraError {
    /// The vector of this name is not finite, or too large.
    #[error("the camera's {0} is not finite, or farther away than {FARTHEST} dm")]
    NotFinite(&'static str),
    /// The eye is at the target, or `up` points along the line of sight.
    #[error("the camera has no direction: eye, target and up must not be on one line")]
    NoDirection,
    /// The field of view is out of range.
    #[error("fov_degrees must be 1 to 150, not {0}")]
    Fov(f32),
    /// The size of the picture is out of range.
    #[error("the size of the picture must be 1 to {MAX_PIXELS} pixels each way, not {0} x {1}")]
    Size(u32, u32),
}

/// Largest absolute coordinate of the vectors, decimetres.
const FARTHEST: f32 = 1e6;
/// Largest side of the picture.
const MAX_PIXELS: u32 = 16_384;
/// Depth of the near plane, decimetres.
const NEAR: f32 = 0.01;

impl Default for Camera {
    /// Returns the whole head from the front.
    fn default() -> Self {
        Self {
            eye: [0.0, 0.0, 9.0],
            target: [0.0; 3],
            up: [0.0, 1.0, 0.0],
            fov_degrees: 30.0,
        }
    }
}

/// A camera with a picture. Pixels count right and down from the upper left corner.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub(super) eye: Vec3,
    right: Vec3,
    up: Vec3,
    forward: Vec3,
    /// Pixels per decimetre at a depth of one decimetre.
    focal: f32,
    centre: Vec2,
    size: [u32; 2],
}

/// The projection of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seen {
    /// Position in the picture, pixels.
    pub(crate) at: Vec2,
    /// Distance along the camera's axis, decimetres.
    pub(crate) depth: f32,
}

impl View {
    /// Returns a view of a camera in a picture of `size` (width, height) pixels.
    ///
    /// # Errors
    ///
    /// [`CameraError`].
    pub fn new(camera: &Camera, size: [u32; 2]) -> Result<Self, CameraError> {
        let Camera {
            eye, target, up, ..
        } = *camera;
        for (name, vector) in [("eye", eye), ("target", target), ("up", up)] {
            if !vector.iter().all(|x| x.abs() <= FARTHEST) {
                return Err(CameraError::NotFinite(name));
            }
        }
        if !(1.0..=150.0).contains(&camera.fov_degrees) {
            return Err(CameraError::Fov(camera.fov_degrees));
        }
        let [width, height] = size;
        if !size.iter().all(|side| (1..=MAX_PIXELS).contains(side)) {
            return Err(CameraError::Size(width, height));
        }
        let eye = Vec3::from(eye);
        let forward = (Vec3::from(target) - eye).try_normalize();
        let forward = forward.ok_or(CameraError::NoDirection)?;
        let up = Vec3::from(up).try_normalize();
        let right = up.map(|up| forward.cross(up));
        let right = right.filter(|right| right.length() > 1e-4);
        let right = right.ok_or(CameraError::NoDirection)?.normalize();
        let (sin, cos) = sin_cos(f64::from(camera.fov_degrees).to_radians() / 2.0);
        Ok(Self {
            eye,
            right,
            up: right.cross(forward),
            forward,
            focal: (0.5 * f64::from(height) * cos / sin) as f32,
            centre: Vec2::new(width as f32, height as f32) * 0.5,
            size,
        })
    }

    /// Returns the view of the camera's mirror image (x to −x). It shows the other side of the head
    /// just as this one shows this side.
    pub fn mirrored(&self) -> Self {
        let flip = |v: Vec3| Vec3::new(-v.x, v.y, v.z);
        Self {
            eye: flip(self.eye),
            right: flip(self.right),
            up: flip(self.up),
            forward: flip(self.forward),
            ..*self
        }
    }

    /// Returns the picture's width and height, pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Returns where a point is seen; `None` behind the camera.
    #[inline]
    pub(crate) fn see(&self, point: Vec3) -> Option<Seen> {
        let from_eye = point - self.eye;
        let depth = from_eye.dot(self.forward);
        if depth < NEAR {
            return None;
        }
        let scale = self.focal / depth;
        let (x, y) = (
            from_eye.dot(self.right) * scale,
            from_eye.dot(self.up) * scale,
        );
        let at = self.centre + Vec2::new(x, -y);
        Some(Seen { at, depth })
    }

    /// Returns the pixel where a point is seen; `None` behind the camera.
    pub fn pixel(&self, point: Vec3) -> Option<Vec2> {
        self.see(point).map(|seen| seen.at)
    }

    /// Pixels per decimetre across, at a depth.
    pub(crate) fn pixels(&self, depth: f32) -> f32 {
        self.focal / depth.max(NEAR)
    }

    /// Returns the largest distance in the picture from a seen point to those within a distance of
    /// it, pixels; infinite if one may be behind the camera.
    ///
    /// With the offset x across and the depth z of the point, and those of another, x + u and
    /// z + v with |u|, |v| ≤ r: |(x + u) / (z + v) − x / z| ≤ r (1 + |x| / z) / (z − r).
    pub(crate) fn reach(&self, seen: &Seen, distance: f32) -> f32 {
        let nearest = seen.depth - distance;
        if nearest < NEAR {
            return f32::INFINITY;
        }
        let slope = seen.at.distance(self.centre) / self.focal;
        distance * (1.0 + slope) * self.focal / nearest
    }

    /// Returns a displacement in pixels at a depth as one in head space.
    pub(crate) fn motion(&self, pixels: Vec2, depth: f32) -> Vec3 {
        (self.right * pixels.x - self.up * pixels.y) / self.pixels(depth)
    }

    /// Returns the point that is seen at a pixel, at a depth.
    pub(super) fn point(&self, at: Vec2, depth: f32) -> Vec3 {
        self.eye + self.forward * depth + self.motion(at - self.centre, depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_in_the_middle_and_up_is_up() {
        let view = View::new(&Camera::default(), [400, 300]).unwrap();
        let seen = view.see(Vec3::ZERO).unwrap();
        assert_eq!(seen.at, Vec2::new(200.0, 150.0));
        assert!((seen.depth - 9.0).abs() < 1e-5);
        // Half of the height at 15 degrees: 9 tan 15° = 2.4115 dm.
        let top = view.see(Vec3::Y * 2.411_543).unwrap();
        assert!(top.at.distance(Vec2::new(200.0, 0.0)) < 1e-2, "{top:?}");
        let right = view.see(Vec3::X).unwrap();
        assert!(right.at.x > 200.0 && (right.at.y - 150.0).abs() < 1e-3);
        assert_eq!(view.see(Vec3::Z * 10.0), None);
    }

    #[test]
    fn pixels_and_points_are_inverse() {
        let camera = Camera {
            eye: [3.0, 2.0, -5.0],
            target: [0.2, 0.5, 0.0],
            up: [0.1, 1.0, 0.2],
            fov_degrees: 50.0,
        };
        let view = View::new(&camera, [640, 480]).unwrap();
        for at in [Vec2::new(10.0, 20.0), Vec2::new(500.0, 333.0)] {
            let point = view.point(at, 4.0);
            let seen = view.see(point).unwrap();
            assert!(seen.at.distance(at) < 1e-3 && (seen.depth - 4.0).abs() < 1e-5);
            let moved = point + view.motion(Vec2::new(7.0, -3.0), 4.0);
            let gone = view.see(moved).unwrap().at - at;
            assert!(gone.distance(Vec2::new(7.0, -3.0)) < 1e-2);
        }
    }

    #[test]
    fn cameras_that_show_nothing_are_refused() {
        let refused = |change: fn(&mut Camera), width| {
            let mut camera = Camera::default();
            change(&mut camera);
            View::new(&camera, [width, 5]).unwrap_err()
        };
        let (none, up) = (CameraError::NoDirection, CameraError::NotFinite("up"));
        assert_eq!(refused(|camera| camera.eye = camera.target, 4), none);
        assert_eq!(refused(|camera| camera.up = [0.0, 0.0, 2.0], 4), none);
        assert_eq!(refused(|camera| camera.up[0] = f32::NAN, 4), up);
        let fov = refused(|camera| camera.fov_degrees = 0.0, 4);
        assert_eq!(fov, CameraError::Fov(0.0));
        assert_eq!(refused(|_| {}, 0), CameraError::Size(0, 5));
    }
}
