//! A camera that turns around a point.

use super::convert;
use crate::look::{CameraView, ViewSettings};
use glam::{Mat4, Vec2, Vec3};
use three_d::Viewport;

/// A camera that looks at a point from a distance. +Y is up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrbitCamera {
    /// The point looked at, world space.
    pub target: Vec3,
    /// Angle around +Y, radians. At 0 it sees the face from the front, at positive angles its left
    /// side.
    pub yaw: f32,
    /// Angle above the horizon, radians, within ±1.55.
    pub pitch: f32,
    /// Distance from the target, decimetres.
    pub distance: f32,
    /// Vertical field of view, radians.
    pub fov_y: f32,
}

/// A ray in world space.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    /// The start.
    pub origin: Vec3,
    /// The direction, unit.
    pub direction: Vec3,
}

impl OrbitCamera {
    /// The usual field of view, that of a portrait lens, radians.
    pub const FOV_Y: f32 = 0.50;
    /// Largest pitch, radians: just short of the poles, where "up" would flip.
    const MAX_PITCH: f32 = 1.55;
    /// Nearest and farthest distance from the target, decimetres.
    const DISTANCE_RANGE: [f32; 2] = [0.25, 60.0];

    /// Returns the camera of a named view. A standard head with a mohawk fills the picture.
    pub fn named(view: CameraView) -> Self {
        let (yaw_deg, pitch_deg) = match view {
            CameraView::Front => (0.0, 4.0),
            CameraView::Side => (90.0, 4.0),
            CameraView::Top => (0.0, 88.0),
            CameraView::Back => (180.0, 8.0),
            CameraView::ThreeQuarter => (38.0, 10.0),
        };
        Self {
            target: Vec3::new(0.0, 0.26, 0.0),
            yaw: f32::to_radians(yaw_deg),
            pitch: f32::to_radians(pitch_deg),
            distance: 8.8,
            fov_y: Self::FOV_Y,
        }
    }

    /// Returns the camera of settings.
    pub fn of_settings(settings: &ViewSettings) -> Self {
        let usual = Self::named(CameraView::ThreeQuarter);
        Self {
            target: settings.target.into(),
            yaw: settings.yaw_deg.to_radians(),
            pitch: settings.pitch_deg.to_radians(),
            distance: match settings.distance > 0.0 {
                true => settings.distance,
                false => usual.distance,
            },
            ..usual
        }
    }

    /// Returns the settings of the camera, rounded to what can be seen and within their ranges.
    pub fn settings(&self) -> ViewSettings {
        let round = |x: f32, per_unit: f32| (x * per_unit).round() / per_unit;
        ViewSettings {
            yaw_deg: round(self.yaw.to_degrees() % 360.0, 10.0),
            pitch_deg: round(self.pitch.to_degrees(), 10.0),
            distance: round(self.distance, 100.0),
            target: self.target.to_array().map(|x| round(x, 1000.0)),
        }
        .clamped()
    }

    /// Returns the camera with the eye, the target and the field of view of another, upright; `None`
    /// if that has no perspective.
    pub fn of_three_d(camera: &three_d::Camera) -> Option<Self> {
        let projection = camera.projection();
        if projection.w.w != 0.0 {
            return None;
        }
        let target = convert::from_vec3(camera.target());
        let outward = convert::from_vec3(camera.position()) - target;
        let direction = outward.try_normalize()?;
        Some(Self {
            target,
            yaw: direction.x.atan2(direction.z),
            pitch: (direction.y.clamp(-1.0, 1.0).asin()).clamp(-Self::MAX_PITCH, Self::MAX_PITCH),
            distance: outward.length(),
            fov_y: 2.0 * projection.y.y.recip().atan(),
        })
    }

    /// Returns the unit vector from the target to the camera.
    pub fn outward(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        Vec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch)
    }

    /// Returns the position of the eye, world space.
    pub fn eye(&self) -> Vec3 {
        self.target + self.distance * self.outward()
    }

    /// Returns the directions right and up, unit, world space.
    pub fn right_up(&self) -> (Vec3, Vec3) {
        let right = Vec3::new(self.yaw.cos(), 0.0, -self.yaw.sin());
        (right, self.outward().cross(right))
    }

    /// Turns around the target for a drag by `delta` logical pixels (y down).
    pub fn orbit(&mut self, delta: Vec2) {
        const RADIANS_PER_PIXEL: f32 = 0.0087;
        self.yaw -= delta.x * RADIANS_PER_PIXEL;
        self.pitch =
            (self.pitch + delta.y * RADIANS_PER_PIXEL).clamp(-Self::MAX_PITCH, Self::MAX_PITCH);
    }

    /// Returns the camera with a yaw, a pitch and a vertical field of view, radians, in place of those
    /// that it has. The head stays as large as it is.
    pub fn seen_by(mut self, yaw: Option<f32>, pitch: Option<f32>, fov: Option<f32>) -> Self {
        if let Some(fov) = fov {
            self.distance *= (0.5 * self.fov_y).tan() / (0.5 * fov).tan();
            self.fov_y = fov;
        }
        self.yaw = yaw.unwrap_or(self.yaw);
        self.pitch = pitch.unwrap_or(self.pitch);
        self
    }

    /// Multiplies the distance by `factor`, within 0.25 to 60 decimetres and the present distance: a
    /// camera that was framed outside the range does not jump.
    pub fn zoom(&mut self, factor: f32) {
        let [near, far] = Self::DISTANCE_RANGE;
        let (near, far) = (near.min(self.distance), far.max(self.distance));
        self.distance = (self.distance * factor).clamp(near, far);
    }

    /// Looks at a point of a surface along its normal. The picture is `height` decimetres high.
    pub fn face(&mut self, point: Vec3, normal: Vec3, height: f32) {
        let [near, far] = Self::DISTANCE_RANGE;
        self.target = point;
        self.yaw = normal.x.atan2(normal.z);
        let pitch = normal.y.clamp(-1.0, 1.0).asin();
        self.pitch = pitch.clamp(-Self::MAX_PITCH, Self::MAX_PITCH);
        self.distance = (0.5 * height / (0.5 * self.fov_y).tan()).clamp(near, far);
    }

    /// Returns the size of a pixel at the target, decimetres, in a picture `height` pixels high.
    pub fn pixel_size(&self, height: f32) -> f32 {
        2.0 * self.distance * (0.5 * self.fov_y).tan() / height.max(1.0)
    }

    /// Moves the target with a drag by `delta` pixels (y down). It stays within 10 decimetres of
    /// the origin, or within its present distance if that is larger.
    pub fn pan(&mut self, delta: Vec2, height: f32) {
        let (right, up) = self.right_up();
        let limit = Vec3::splat(10.0).max(self.target.abs());
        self.target = (self.target + (up * delta.y - right * delta.x) * self.pixel_size(height))
            .clamp(-limit, limit);
    }

    /// Returns the matrix to clip space from world space for a picture of `size` pixels.
    pub fn clip_from_world(&self, size: Vec2) -> Mat4 {
        let viewport = Viewport::new_at_origo(size.x.max(1.0) as u32, size.y.max(1.0) as u32);
        let camera = self.to_three_d(viewport);
        convert::from_mat4(camera.projection() * camera.view())
    }

    /// Returns the ray through a pixel (y down, from the top left) of a picture of `size` pixels.
    pub fn ray(&self, pixel: Vec2, size: Vec2) -> Ray {
        let ndc = Vec2::new(pixel.x / size.x * 2.0 - 1.0, 1.0 - pixel.y / size.y * 2.0);
        let (right, up) = self.right_up();
        let half = (0.5 * self.fov_y).tan();
        let direction =
            right * (ndc.x * half * size.x / size.y) + up * (ndc.y * half) - self.outward();
        Ray {
            origin: self.eye(),
            direction: direction.normalize(),
        }
    }

    pub(super) fn to_three_d(self, viewport: Viewport) -> three_d::Camera {
        self.shifted(viewport, [0.0; 2], [0.0; 2], 0.0)
    }

    /// Returns the camera turned so that the picture moves by `offset` pixels (y up), with the eye
    /// moved by `lens`, decimetres. What is `focus` decimetres in front of the target stays in its
    /// place.
    pub(super) fn shifted(
        self,
        viewport: Viewport,
        offset: [f32; 2],
        lens: [f32; 2],
        focus: f32,
    ) -> three_d::Camera {
        let (right, up) = self.right_up();
        let moved = right * lens[0] + up * lens[1];
        let focus = focus.min(0.9 * self.distance) / self.distance;
        let sharp = self.target.lerp(self.eye(), focus);
        let pixel = self.pixel_size(viewport.height as f32) * (1.0 - focus);
        let [x, y] = offset.map(|pixels| pixels * pixel);
        // Strands in front of a close camera are still drawn.
        let z_near = (0.02 * self.distance).max(0.02);
        let mut camera = three_d::Camera::new_perspective(
            viewport,
            convert::vec3(self.eye() + moved),
            convert::vec3(sharp - right * x - up * y),
            convert::vec3(up),
            three_d::radians(self.fov_y),
            z_near,
            self.distance + self.distance.max(40.0),
        );
        // The shaders return display values.
        camera.disable_tone_and_color_mapping();
        camera
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the pixel of a point in a picture.
    fn pixel(camera: &OrbitCamera, point: Vec3, size: Vec2) -> Vec2 {
        let ndc = camera.clip_from_world(size).project_point3(point);
        Vec2::new(1.0 + ndc.x, 1.0 - ndc.y) * 0.5 * size
    }

    #[test]
    fn a_pixel_ray_projects_back_to_its_pixel() {
        let size = Vec2::new(640.0, 360.0);
        for view in CameraView::ALL {
            let camera = OrbitCamera::named(view);
            for at in [[3.0, 5.0], [320.0, 180.0], [600.0, 301.0]].map(Vec2::from) {
                let ray = camera.ray(at, size);
                let back = pixel(&camera, ray.origin + 7.0 * ray.direction, size);
                assert!(back.distance(at) < 0.02, "{view:?}: {at} is {back}");
            }
        }
    }

    #[test]
    fn a_camera_of_three_d_comes_back() {
        for view in CameraView::ALL {
            let camera = OrbitCamera::named(view);
            let theirs = camera.to_three_d(Viewport::new_at_origo(16, 9));
            let back = OrbitCamera::of_three_d(&theirs).expect("a perspective");
            assert!(
                back.eye().distance(camera.eye()) < 1e-4,
                "{view:?}: {back:?}"
            );
            assert_eq!(back.target, camera.target);
            assert!((back.fov_y - camera.fov_y).abs() < 1e-5);
        }
        let flat = three_d::Camera::new_2d(Viewport::new_at_origo(16, 9));
        assert_eq!(OrbitCamera::of_three_d(&flat), None);
    }

    #[test]
    fn settings_bring_a_camera_back() {
        let mut camera = OrbitCamera::named(CameraView::Back);
        camera.orbit(Vec2::new(-1000.0, 31.0));
        camera.pan(Vec2::new(80.0, -5.0), 360.0);
        let settings = camera.settings();
        assert_eq!(ViewSettings::validate(&settings), Ok(()));
        let again = OrbitCamera::of_settings(&settings);
        assert!(again.eye().distance(camera.eye()) < 0.02);
        assert!(again.target.distance(camera.target) < 0.001);
        camera.orbit(Vec2::new(0.0, 1000.0));
        camera.distance = 100.0;
        assert_eq!(ViewSettings::validate(&camera.settings()), Ok(()));
    }

    #[test]
    fn panning_moves_the_target_with_the_pointer() {
        let (size, drag) = (Vec2::new(640.0, 360.0), Vec2::new(40.0, -25.0));
        let mut camera = OrbitCamera::named(CameraView::ThreeQuarter);
        let before = camera.target;
        camera.pan(drag, size.y);
        let moved = pixel(&camera, before, size);
        assert!(moved.distance(0.5 * size + drag) < 0.5, "{moved}");
    }

    #[test]
    fn what_is_in_focus_stays_in_its_place_for_every_place_on_the_lens() {
        let camera = OrbitCamera::named(CameraView::ThreeQuarter);
        let focus = 0.9;
        let ahead = camera.outward();
        let at = |point: Vec3, lens: [f32; 2]| {
            let viewport = Viewport::new_at_origo(640, 360);
            let seen = camera.shifted(viewport, [0.0; 2], lens, focus);
            let clip = seen.projection() * seen.view() * convert::vec3(point).extend(1.0);
            Vec2::new(clip.x, clip.y) / clip.w * Vec2::new(320.0, 180.0)
        };
        for lens in [[0.2, 0.0], [0.0, -0.2], [0.1, 0.15]] {
            let moves = |point| at(point, lens).distance(at(point, [0.0; 2]));
            let sharp = moves(camera.target + focus * ahead);
            assert!(sharp < 0.01, "{sharp}");
            let blurred = moves(camera.target - ahead);
            assert!(blurred > 3.0, "{blurred}");
        }
    }
}
