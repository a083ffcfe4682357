//! Cameras that have something in their picture.

use super::camera::OrbitCamera;
use crate::look::CameraView;
use glam::{Vec3, Vec3Swizzles};

/// Margin around what is framed, as a share of the picture.
const MARGIN: f32 = 0.06;
/// Smallest distance of a framed camera, decimetres.
const MIN_DISTANCE: f32 = 0.05;

/// Finds the place of a camera from which balls are in its picture, with a margin. The direction of
/// view stays.
#[derive(Clone, Debug)]
pub struct Framing {
    camera: OrbitCamera,
    /// The sides of the picture.
    sides: [Side; 4],
    /// The camera turns around its target.
    turns: bool,
    /// A ball was outside the picture.
    moved: bool,
}

/// A side of the view: a plane through the eye that leans outwards by an angle.
///
/// A ball at p (from the target) is inside when, for an eye at e along `outward` and s along the
/// side, (e - p_out) sin a - (p_side - s) cos a >= r.
#[derive(Clone, Copy, Debug)]
struct Side {
    sin: f32,
    cos: f32,
    normal: Vec3,
    /// The largest p_out sin a + p_side cos a + r of all balls.
    needed: f32,
}

impl Framing {
    /// Begins with a camera whose picture is `aspect` times as wide as high, and without anything
    /// in it. If the camera `turns` around the vertical line through its target, balls will be in
    /// the picture all around, and the target stays on the line.
    pub fn new(camera: OrbitCamera, aspect: f32, turns: bool) -> Self {
        let (right, up) = camera.right_up();
        let outward = camera.outward();
        let tan_up = (0.5 * camera.fov_y).tan() * (1.0 - MARGIN);
        let tan_right = tan_up * aspect.max(1e-3);
        let sides = [
            (up, tan_up),
            (-up, tan_up),
            (right, tan_right),
            (-right, tan_right),
        ];
        let sides = sides.map(|(side, tan)| {
            let (sin, cos) = tan.atan().sin_cos();
            Side {
                sin,
                cos,
                normal: outward * sin + side * cos,
                needed: f32::MIN,
            }
        });
        Self {
            camera,
            sides,
            turns,
            moved: false,
        }
    }

    /// Begins like [`new`](Self::new) with all that is in the picture of the camera, so that it
    /// never comes closer, and stays as it is if every ball is inside.
    pub fn keeping(camera: OrbitCamera, aspect: f32, turns: bool) -> Self {
        let mut framing = Self::new(camera, aspect, turns);
        for side in &mut framing.sides {
            side.needed = camera.distance * side.sin;
        }
        framing
    }

    /// Adds a ball. One that is not finite is left out.
    pub fn add(&mut self, center: Vec3, radius: f32) {
        if !(center.is_finite() && radius.is_finite()) {
            return;
        }
        let p = center - self.camera.target;
        for side in &mut self.sides {
            let along = match self.turns {
                true => p.xz().length() * side.normal.xz().length() + p.y * side.normal.y,
                false => p.dot(side.normal),
            };
            if along + radius > side.needed {
                side.needed = along + radius;
                self.moved = true;
            }
        }
    }

    /// Returns the camera, as near as possible.
    pub fn camera(&self) -> OrbitCamera {
        let mut camera = self.camera;
        if !self.moved {
            return camera;
        }
        // Two sides touch at once.
        let [top, bottom, right, left] = self.sides;
        let [(distance_up, across_up), (distance_right, across_right)] =
            [(top, bottom), (right, left)].map(|(plus, minus)| {
                let (sum, difference) = (plus.needed + minus.needed, plus.needed - minus.needed);
                (0.5 * sum / plus.sin, 0.5 * difference / plus.cos)
            });
        camera.distance = distance_up.max(distance_right);
        if self.turns {
            // Up the line that it turns around, which also leads towards the eye.
            let (sin, cos) = camera.pitch.sin_cos();
            camera.target.y += across_up / cos;
            camera.distance -= across_up / cos * sin;
        } else {
            let (right, up) = camera.right_up();
            camera.target += up * across_up + right * across_right;
        }
        camera.distance = camera.distance.max(MIN_DISTANCE);
        camera
    }
}

impl OrbitCamera {
    /// Returns the camera that looks from a named side at balls (centre and radius), as near as
    /// possible with all of them in the picture, which is `aspect` times as wide as high. Without
    /// balls this is the named camera.
    pub fn framing(view: CameraView, balls: &[(Vec3, f32)], aspect: f32) -> Self {
        let mut camera = Self::named(view);
        if let Some((middle, _)) = ball_around(balls) {
            camera.target = middle;
        }
        let mut framing = Framing::new(camera, aspect, false);
        for &(center, radius) in balls {
            framing.add(center, radius);
        }
        framing.camera()
    }
}

/// Returns a ball (centre and radius) that contains all balls and is not much larger than the
/// smallest one. `None` without balls.
pub fn ball_around(balls: &[(Vec3, f32)]) -> Option<(Vec3, f32)> {
    let boxes = balls.iter().map(|&(p, radius)| (p - radius, p + radius));
    let (low, high) = boxes.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
    let middle = 0.5 * (low + high);
    let reach = balls.iter().map(|&(p, radius)| p.distance(middle) + radius);
    Some((middle, reach.fold(0.0, f32::max)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    /// Returns the largest distance of a ball from the middle of the picture, in halves of its
    /// size.
    fn extent(camera: &OrbitCamera, balls: &[(Vec3, f32)], size: Vec2) -> f32 {
        let clip_from_world = camera.clip_from_world(size);
        let points = balls.iter().flat_map(|&(center, radius)| {
            (0..400).map(move |i| {
                // Evenly spread over the ball (Vogel's spiral).
                let y = 1.0 - 2.0 * (i as f32 + 0.5) / 400.0;
                let (sin, cos) = (i as f32 * 2.399_963).sin_cos();
                let flat = (1.0 - y * y).sqrt();
                center + radius * Vec3::new(flat * cos, y, flat * sin)
            })
        });
        let extents = points.map(|p| {
            let ndc = clip_from_world.project_point3(p);
            assert!(ndc.z.abs() < 1.0, "in front of the camera");
            ndc.truncate().abs().max_element()
        });
        extents.fold(0.0, f32::max)
    }

    const SIZES: [Vec2; 2] = [Vec2::new(640.0, 360.0), Vec2::new(300.0, 500.0)];

    #[test]
    fn balls_fill_the_picture_up_to_its_margin() {
        let one = vec![(Vec3::ZERO, 1.0)];
        let tiny = vec![(Vec3::new(3.0, -2.0, 1.0), 0.02)];
        let row = vec![
            (Vec3::new(-4.0, 30.0, 0.0), 0.5),
            (Vec3::new(5.0, 31.0, 2.0), 2.0),
        ];
        for balls in [one, tiny, row] {
            for view in CameraView::ALL {
                for size in SIZES {
                    let camera = OrbitCamera::framing(view, &balls, size.x / size.y);
                    let extent = extent(&camera, &balls, size);
                    assert!((0.9..0.97).contains(&extent), "{view:?} {size}: {extent}");
                }
            }
            let (middle, reach) = ball_around(&balls).unwrap();
            for (center, radius) in balls {
                assert!(center.distance(middle) + radius < reach * 1.0001);
            }
        }
    }

    #[test]
    fn a_camera_moves_back_only_for_what_is_outside() {
        for view in CameraView::ALL {
            for size in SIZES {
                let mut camera = OrbitCamera::named(view);
                camera.fov_y = 0.7;
                let framed = |balls: &[(Vec3, f32)]| {
                    let mut framing = Framing::keeping(camera, size.x / size.y, false);
                    balls.iter().for_each(|ball| framing.add(ball.0, ball.1));
                    framing.camera()
                };
                assert_eq!(framed(&[(camera.target, 0.9)]), camera);
                let (_, up) = camera.right_up();
                let high = [(camera.target + 4.0 * up, 0.3), (camera.target, 0.9)];
                let moved = framed(&high);
                assert!(moved.distance > camera.distance);
                let extent = extent(&moved, &high, size);
                assert!((0.9..0.97).contains(&extent), "{view:?} {size}: {extent}");
            }
        }
    }

    #[test]
    fn a_turning_camera_has_balls_in_its_picture_all_around() {
        let balls = [(Vec3::new(2.5, 1.0, -1.0), 0.2), (Vec3::ZERO, 1.0)];
        for view in CameraView::ALL {
            for size in SIZES {
                let camera = OrbitCamera::named(view);
                let mut framing = Framing::new(camera, size.x / size.y, true);
                balls.iter().for_each(|ball| framing.add(ball.0, ball.1));
                let mut camera = framing.camera();
                let mut most = 0.0_f32;
                for i in 0..100 {
                    camera.yaw = i as f32 * std::f32::consts::TAU / 100.0;
                    most = most.max(extent(&camera, &balls, size));
                }
                assert!((0.9..0.97).contains(&most), "{view:?} {size}: {most}");
            }
        }
    }
}
