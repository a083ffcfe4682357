//! What of a head is seen, and what it hides: its skin drawn into a buffer of depths.

use super::camera::{Seen, View};
use crate::scalp::{Scalp, SurfacePoint};
use glam::{Vec2, Vec3};

/// The longer side of the buffer, at most.
const MOST_PIXELS: u32 = 1024;
/// What is so little behind the skin that is seen counts as seen too, decimetres: hair that lies on
/// it, and its roots.
const BEHIND: f32 = 0.05;
/// No triangle.
const NONE: u32 = u32::MAX;

/// A scalp as it is seen in a view.
pub(super) struct Sight {
    pub(super) view: View,
    /// Pixels of the buffer for one of the view.
    scale: f32,
    width: usize,
    height: usize,
    /// Depths of the nearest skin; infinite where there is none.
    depths: Vec<f32>,
    /// Its triangles.
    triangles: Vec<u32>,
}

impl Sight {
    /// Draws the scalp.
    pub(super) fn of(scalp: &Scalp, view: View) -> Self {
        let [width, height] = view.size();
        let scale = (MOST_PIXELS as f32 / width.max(height) as f32).min(1.0);
        let side = |pixels: u32| ((pixels as f32 * scale).ceil() as usize).max(1);
        let (width, height) = (side(width), side(height));
        let mut sight = Self {
            view,
            scale,
            width,
            height,
            depths: vec![f32::INFINITY; width * height],
            triangles: vec![NONE; width * height],
        };
        let seen: Vec<Option<Seen>> = (scalp.positions().iter()).map(|&p| view.see(p)).collect();
        for (number, corners) in scalp.triangles().iter().enumerate() {
            // A triangle that reaches behind the camera hides nothing that could be brushed.
            if let [Some(a), Some(b), Some(c)] = corners.map(|v| seen[v as usize]) {
                sight.draw(number as u32, [a, b, c]);
            }
        }
        sight
    }

    fn draw(&mut self, number: u32, corners: [Seen; 3]) {
        let [a, b, c] = corners.map(|seen| seen.at * self.scale);
        let area = (b - a).perp_dot(c - a);
        if area == 0.0 {
            return;
        }
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let within = |x: f32, most: usize| x.clamp(0.0, most as f32) as usize;
        let columns = within(low.x, self.width)..within(high.x.ceil(), self.width);
        for row in within(low.y, self.height)..within(high.y.ceil(), self.height) {
            for column in columns.clone() {
                let p = Vec2::new(column as f32 + 0.5, row as f32 + 0.5);
                let u = (b - p).perp_dot(c - p) / area;
                let v = (c - p).perp_dot(a - p) / area;
                let w = 1.0 - u - v;
                if u < 0.0 || v < 0.0 || w < 0.0 {
                    continue;
                }
                let [da, db, dc] = corners.map(|seen| seen.depth);
                // What is linear in the picture is 1 over the depth.
                let depth = 1.0 / (u / da + v / db + w / dc);
                let pixel = row * self.width + column;
                if depth < self.depths[pixel] {
                    self.depths[pixel] = depth;
                    self.triangles[pixel] = number;
                }
            }
        }
    }

    fn pixel(&self, at: Vec2) -> Option<(usize, usize)> {
        let at = at * self.scale;
        let within = at.x >= 0.0 && at.y >= 0.0;
        let (column, row) = (at.x as usize, at.y as usize);
        (within && column < self.width && row < self.height).then_some((column, row))
    }

    /// Is a point in front of the skin, or hardly behind it? At the skin's outlines the farthest
    /// of the pixels around counts. What is outside of the picture is not seen.
    pub(super) fn shows(&self, seen: &Seen) -> bool {
        let Some((column, row)) = self.pixel(seen.at) else {
            return false;
        };
        let around = |i: usize, count: usize| i.saturating_sub(1)..(i + 2).min(count);
        let columns = around(column, self.width);
        around(row, self.height)
            .flat_map(|row| self.depths[row * self.width..][columns.clone()].iter())
            .any(|&skin| seen.depth <= skin + BEHIND)
    }

    /// The skin under a place of the picture.
    pub(super) fn pick(&self, scalp: &Scalp, at: Vec2) -> Option<(SurfacePoint, Vec3)> {
        let (column, row) = self.pixel(at)?;
        let triangle = self.triangles[row * self.width + column];
        let corners = scalp.triangles().get(triangle as usize)?;
        let [a, b, c] = corners.map(|v| scalp.positions()[v as usize]);
        // The ray through the place itself, not through the pixel's centre.
        let ray = self.view.point(at, 1.0) - self.view.eye();
        let normal = scalp.face_normal(triangle);
        let along = (a - self.view.eye()).dot(normal) / ray.dot(normal);
        let hit = self.view.eye() + ray * along;
        let weight = |p: Vec3, q: Vec3| (p - hit).cross(q - hit).dot(normal);
        let weights = Vec3::new(weight(b, c), weight(c, a), weight(a, b)).max(Vec3::ZERO);
        let sum = weights.element_sum();
        if !(sum > 0.0 && sum.is_finite()) {
            return None;
        }
        let point = SurfacePoint {
            triangle,
            weights: weights / sum,
        };
        Some((point, scalp.point(point)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Head, HeadSettings};
    use crate::style::Camera;

    fn shipped(eye: [f32; 3]) -> (Scalp, Sight) {
        let head = Head::shipped(&HeadSettings::default()).unwrap();
        let scalp = Scalp::of_head(&head).unwrap();
        let camera = Camera {
            eye,
            ..Camera::default()
        };
        let view = View::new(&camera, [1600, 1200]).unwrap();
        let sight = Sight::of(&scalp, view);
        (scalp, sight)
    }

    #[test]
    fn what_is_picked_is_where_it_is_seen_and_nearest() {
        let (scalp, sight) = shipped([4.0, 5.0, 6.0]);
        let mut hits = 0;
        for x in 0..60 {
            for y in 0..60 {
                let at = Vec2::new(400.3 + 13.0 * x as f32, 200.7 + 13.0 * y as f32);
                let Some((_, hit)) = sight.pick(&scalp, at) else {
                    continue;
                };
                hits += 1;
                let seen = sight.view.see(hit).unwrap();
                // At the edge of a triangle the nearest point of it is within a pixel or two.
                assert!(seen.at.distance(at) < 4.0, "{at} {seen:?}");
                assert!(sight.shows(&seen));
            }
        }
        assert!(hits > 100, "{hits}");
    }

    #[test]
    fn skin_hides_what_is_behind_it() {
        let (scalp, sight) = shipped([0.0, 3.0, 9.0]);
        let (low, high) = scalp.bounds();
        let behind = sight
            .view
            .see(Vec3::new(0.0, 0.5 * (low.y + high.y), low.z - 1.0));
        let before = sight
            .view
            .see(Vec3::new(0.0, 0.5 * (low.y + high.y), high.z + 1.0));
        assert!(sight.shows(&before.unwrap()));
        assert!(!sight.shows(&behind.unwrap()));
    }
}
