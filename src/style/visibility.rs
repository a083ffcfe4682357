//! What of a head is seen, and what it hides: its skin drawn into a buffer of depths.

use super::camera::{Seen, View};
use super::paint::Spot;
use crate::scalp::{Scalp, SurfacePoint};
use glam::{Vec2, Vec3};
use std::ops::Range;

/// The longer side of the buffer, at most.
const MOST_PIXELS: u32 = 1024;
/// Pixels that are looked at to draw all triangles, at most: of a mesh with very many large ones the
/// buffer is coarser.
const MOST_DRAWN: u64 = 64 << 20;
/// By how much, at least, in a step.
const COARSER: f32 = 0.7;
/// What is so little behind the skin that is seen counts as seen too, decimetres: hair that lies on
/// it, and its roots.
const BEHIND: f32 = 0.05;
/// No triangle.
const NONE: u32 = u32::MAX;

/// A picture of a view, coarser or not.
#[derive(Clone, Copy)]
struct Buffer {
    /// Its pixels for one of the view.
    scale: f32,
    width: usize,
    height: usize,
}

impl Buffer {
    /// Rows and columns that a triangle may be on.
    fn bounds(&self, corners: [Seen; 3]) -> [Range<usize>; 2] {
        let [a, b, c] = corners.map(|seen| seen.at * self.scale);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let within = |x: f32, most: usize| x.clamp(0.0, most as f32) as usize;
        [
            within(low.y, self.height)..within(high.y.ceil(), self.height),
            within(low.x, self.width)..within(high.x.ceil(), self.width),
        ]
    }

    /// Their number of pixels.
    fn area(&self, corners: [Seen; 3]) -> u64 {
        let [rows, columns] = self.bounds(corners);
        rows.len() as u64 * columns.len() as u64
    }
}

/// A scalp as it is seen in a view.
pub(crate) struct Sight {
    pub(crate) view: View,
    buffer: Buffer,
    /// Depths of the nearest skin; infinite where there is none.
    depths: Vec<f32>,
    /// Its triangles.
    triangles: Vec<u32>,
}

impl Sight {
    /// Draws the scalp.
    pub(crate) fn of(scalp: &Scalp, view: View) -> Self {
        let [width, height] = view.size();
        let seen: Vec<Option<Seen>> = (scalp.positions().iter()).map(|&p| view.see(p)).collect();
        // A triangle that reaches behind the camera hides nothing that could be brushed.
        let triangles = scalp
            .triangles()
            .iter()
            .zip(0..)
            .filter_map(
                |(corners, number)| match corners.map(|v| seen[v as usize]) {
                    [Some(a), Some(b), Some(c)] => Some((number, [a, b, c])),
                    _ => None,
                },
            );
        let mut scale = (MOST_PIXELS as f32 / width.max(height) as f32).min(1.0);
        let buffer = loop {
            let side = |pixels: u32| ((pixels as f32 * scale).ceil() as usize).max(1);
            let buffer = Buffer {
                scale,
                width: side(width),
                height: side(height),
            };
            let drawn = triangles.clone().map(|(_, corners)| buffer.area(corners));
            let drawn: u64 = drawn.sum();
            // Of the least buffer, each triangle takes a pixel.
            if drawn <= MOST_DRAWN || buffer.width * buffer.height == 1 {
                break buffer;
            }
            scale *= (MOST_DRAWN as f32 / drawn as f32).sqrt().min(COARSER);
        };
        let pixels = buffer.width * buffer.height;
        let mut sight = Self {
            view,
            buffer,
            depths: vec![f32::INFINITY; pixels],
            triangles: vec![NONE; pixels],
        };
        for (number, corners) in triangles {
            sight.draw(number, corners);
        }
        sight
    }

    fn draw(&mut self, number: u32, corners: [Seen; 3]) {
        let [a, b, c] = corners.map(|seen| seen.at * self.buffer.scale);
        let area = (b - a).perp_dot(c - a);
        if area == 0.0 {
            return;
        }
        let [rows, columns] = self.buffer.bounds(corners);
        for row in rows {
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
                let pixel = row * self.buffer.width + column;
                if depth < self.depths[pixel] {
                    self.depths[pixel] = depth;
                    self.triangles[pixel] = number;
                }
            }
        }
    }

    fn pixel(&self, at: Vec2) -> Option<(usize, usize)> {
        let at = at * self.buffer.scale;
        let within = at.x >= 0.0 && at.y >= 0.0;
        let (column, row) = (at.x as usize, at.y as usize);
        (within && column < self.buffer.width && row < self.buffer.height).then_some((column, row))
    }

    /// Is a point in front of the skin, or hardly behind it? At the skin's outlines the farthest
    /// of the pixels around counts. What is outside of the picture is not seen.
    pub(crate) fn shows(&self, seen: &Seen) -> bool {
        let Some((column, row)) = self.pixel(seen.at) else {
            return false;
        };
        let around = |i: usize, count: usize| i.saturating_sub(1)..(i + 2).min(count);
        let columns = around(column, self.buffer.width);
        around(row, self.buffer.height)
            .flat_map(|row| self.depths[row * self.buffer.width..][columns.clone()].iter())
            .any(|&skin| seen.depth <= skin + BEHIND)
    }

    /// The skin under a place of the picture.
    pub(crate) fn pick(&self, scalp: &Scalp, at: Vec2) -> Option<(SurfacePoint, Vec3)> {
        let (column, row) = self.pixel(at)?;
        let triangle = self.triangles[row * self.buffer.width + column];
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

impl Sight {
    /// Where a brush that paints is, and how large there.
    pub(crate) fn spot(&self, scalp: &Scalp, at: Vec2, radius: f32) -> Option<Spot> {
        let (_, centre) = self.pick(scalp, at)?;
        let depth = self.view.see(centre).map_or(1.0, |seen| seen.depth);
        Some(Spot {
            centre,
            radius: radius / self.view.pixels(depth),
        })
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

    #[test]
    fn many_large_triangles_are_drawn_coarsely_and_the_nearest_still_counts() {
        let count = 3000_u32;
        let mut positions = Vec::new();
        for i in 0..count {
            // Each fills the picture; the middle one is nearest.
            let z = -0.001 * (i as f32 - 1500.0).abs();
            positions.extend(
                [[-20.0, -20.0], [20.0, -20.0], [0.0, 30.0]].map(|[x, y]| Vec3::new(x, y, z)),
            );
        }
        let triangles = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let vertices = positions.len();
        let (normals, density) = (vec![Vec3::Z; vertices], vec![1.0; vertices]);
        let scalp = Scalp::new(positions, normals, triangles, density).unwrap();
        let view = View::new(&Camera::default(), [1600, 1200]).unwrap();
        let sight = Sight::of(&scalp, view);
        let pixels = sight.buffer.width * sight.buffer.height;
        assert!(pixels as u64 * u64::from(count) <= MOST_DRAWN, "{pixels}");
        assert!(
            pixels as u64 * u64::from(count) > MOST_DRAWN / 4,
            "{pixels}"
        );
        let (picked, place) = sight.pick(&scalp, Vec2::new(700.0, 500.0)).unwrap();
        assert_eq!(picked.triangle, 1500);
        assert!(sight.shows(&view.see(place).unwrap()));
        let behind = view.see(place - Vec3::Z).unwrap();
        assert!(!sight.shows(&behind));
    }
}
