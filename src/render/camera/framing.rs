//! Placing the camera so that balls fill the picture.

use super::orbit::{CameraView, OrbitCamera};
use glam::Vec3;

/// Margin around what is framed, as a share of the picture.
const MARGIN: f32 = 0.06;
/// Smallest distance of a framed camera, decimetres.
const MIN_DISTANCE: f32 = 0.05;

/// Returns a ball (centre and radius) that contains all balls and is not much larger than the
/// smallest one. `None` without balls.
pub fn ball_around(balls: &[(Vec3, f32)]) -> Option<(Vec3, f32)> {
    let (low, high) = corners(balls)?;
    let middle = 0.5 * (low + high);
    let reach = balls.iter().map(|&(p, radius)| p.distance(middle) + radius);
    Some((middle, reach.fold(0.0, f32::max)))
}

/// Returns the corners of the box around balls. `None` without balls.
fn corners(balls: &[(Vec3, f32)]) -> Option<(Vec3, Vec3)> {
    let boxes = balls.iter().map(|&(p, radius)| (p - radius, p + radius));
    boxes.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

impl OrbitCamera {
    /// Returns the camera that looks from a named side at balls (centre and radius), as near as
    /// possible with all of them in the picture, which is `aspect` times as wide as high. Without
    /// balls this is the named camera.
    pub fn framing(view: CameraView, balls: &[(Vec3, f32)], aspect: f32) -> Self {
        let mut camera = Self::named(view);
        let Some((low, high)) = corners(balls) else {
            return camera;
        };
        let middle = 0.5 * (low + high);
        let (right, up) = camera.right_up();
        let tan_up = (0.5 * Self::FOV_Y).tan() * (1.0 - MARGIN);
        let outward = right.cross(up);
        // A side of the view is a plane through the eye that leans outwards by an angle a. A ball
        // at p (from the middle) is inside when, for an eye at e along `outward` and s along the
        // side, (e - p_out) sin a - (p_side - s) cos a >= r.
        let [(distance_up, across_up), (distance_right, across_right)] =
            [(up, tan_up), (right, tan_up * aspect.max(1e-3))].map(|(side, tan)| {
                let (sin, cos) = tan.atan().sin_cos();
                let needed = |sign: f32| {
                    let needs = balls.iter().map(|&(center, radius)| {
                        let p = center - middle;
                        p.dot(outward) * sin + sign * p.dot(side) * cos + radius
                    });
                    needs.fold(f32::MIN, f32::max)
                };
                let (plus, minus) = (needed(1.0), needed(-1.0));
                // Both sides touch at once.
                (0.5 * (plus + minus) / sin, 0.5 * (plus - minus) / cos)
            });
        camera.target = middle + up * across_up + right * across_right;
        camera.distance = distance_up.max(distance_right).max(MIN_DISTANCE);
        camera
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    /// Returns the largest distance of a ball from the middle of the picture, in halves of its
    /// size.
    fn extent(camera: &OrbitCamera, balls: &[(Vec3, f32)], size: Vec2) -> Vec2 {
        let clip_from_world = camera.clip_from_world(size);
        let mut max = Vec2::ZERO;
        for &(center, radius) in balls {
            for i in 0..400 {
                // Evenly spread over the ball (Vogel's spiral).
                let y = 1.0 - 2.0 * (i as f32 + 0.5) / 400.0;
                let (sin, cos) = (i as f32 * 2.399_963).sin_cos();
                let flat = (1.0 - y * y).sqrt();
                let p = center + radius * Vec3::new(flat * cos, y, flat * sin);
                let clip = clip_from_world * p.extend(1.0);
                assert!(clip.w > 0.0, "in front of the camera");
                max = max.max((Vec2::new(clip.x, clip.y) / clip.w).abs());
            }
        }
        max
    }

    #[test]
    fn balls_fill_the_picture_up_to_its_margin() {
        let one = vec![(Vec3::ZERO, 1.0)];
        let tiny = vec![(Vec3::new(3.0, -2.0, 1.0), 0.02)];
        let row = vec![
            (Vec3::new(-4.0, 30.0, 0.0), 0.5),
            (Vec3::new(5.0, 31.0, 2.0), 2.0),
        ];
        for balls in [one, tiny, row] {
            for (view, _) in CameraView::ALL {
                for size in [Vec2::new(640.0, 360.0), Vec2::new(300.0, 500.0)] {
                    let camera = OrbitCamera::framing(view, &balls, size.x / size.y);
                    let extent = extent(&camera, &balls, size).max_element();
                    assert!((0.9..0.97).contains(&extent), "{view:?} {size}: {extent}");
                }
            }
            let (middle, reach) = ball_around(&balls).unwrap();
            for (center, radius) in balls {
                assert!(center.distance(middle) + radius < reach * 1.0001);
            }
        }
    }
}
