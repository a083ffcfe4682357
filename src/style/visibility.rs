//! A depth buffer of the skin: the skin that a camera sees, and points that it hides.

use super::view::{Seen, View};
use crate::det_math::sin_cos;
use crate::scalp::{Scalp, SurfacePoint};
use glam::{Vec2, Vec3};
use std::f64::consts::TAU;
use std::ops::Range;

/// Largest side of the buffer.
const MAX_SIDE: u32 = 1024;
/// Largest number of pixels that are visited to draw all triangles: for meshes with very many large
/// triangles the buffer is coarser.
const MAX_VISITED: u64 = 64 << 20;
/// Factor by which the buffer becomes coarser at a time, at most.
const COARSER: f32 = 0.7;
/// Points this little behind the visible skin count as visible, decimetres: roots, and hair that
/// lies on the skin.
const DEPTH_TOLERANCE: f32 = 0.05;
/// Triangle of pixels without skin.
const NO_TRIANGLE: u32 = u32::MAX;

/// A scalp as a view shows it.
pub(crate) struct Visibility {
    pub(crate) view: View,
    /// Pixels of the buffer per pixel of the view.
    scale: f32,
    /// Size of the buffer.
    width: usize,
    height: usize,
    /// The depth of the nearest skin per pixel; infinite without skin.
    depths: Vec<f32>,
    /// The triangle of that skin per pixel, or [`NO_TRIANGLE`].
    triangles: Vec<u32>,
}

impl Visibility {
    /// Draws the depth buffer.
    pub(crate) fn of(scalp: &Scalp, view: View) -> Self {
        let [width, height] = view.size();
        let seen: Vec<Option<Seen>> = (scalp.positions().iter()).map(|&p| view.see(p)).collect();
        // Triangles that reach behind the camera hide nothing that could be brushed.
        let corners = |corners: &[u32; 3]| match corners.map(|v| seen[v as usize]) {
            [Some(a), Some(b), Some(c)] => Some([a, b, c]),
            _ => None,
        };
        let triangles = (0..).zip(scalp.triangles());
        let triangles = triangles.filter_map(|(number, of)| Some((number, corners(of)?)));
        let mut visibility = Self {
            view,
            scale: (MAX_SIDE as f32 / width.max(height) as f32).min(1.0),
            width: 0,
            height: 0,
            depths: Vec::new(),
            triangles: Vec::new(),
        };
        loop {
            let side = |pixels: u32| ((pixels as f32 * visibility.scale).ceil() as usize).max(1);
            (visibility.width, visibility.height) = (side(width), side(height));
            let drawn = triangles.clone().map(|(_, corners)| {
                let [rows, columns] = visibility.bounds(corners);
                rows.len() as u64 * columns.len() as u64
            });
            let drawn: u64 = drawn.sum();
            // In the smallest buffer each triangle visits one pixel.
            if drawn <= MAX_VISITED || visibility.width * visibility.height == 1 {
                break;
            }
            visibility.scale *= (MAX_VISITED as f32 / drawn as f32).sqrt().min(COARSER);
        }
        let pixels = visibility.width * visibility.height;
        visibility.depths = vec![f32::INFINITY; pixels];
        visibility.triangles = vec![NO_TRIANGLE; pixels];
        for (number, corners) in triangles {
            visibility.draw(number, corners);
        }
        visibility
    }

    /// Returns the rows and columns of the buffer that a triangle may cover.
    fn bounds(&self, corners: [Seen; 3]) -> [Range<usize>; 2] {
        let [a, b, c] = corners.map(|seen| seen.at * self.scale);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let within = |x: f32, max: usize| x.clamp(0.0, max as f32) as usize;
        [
            within(low.y, self.height)..within(high.y.ceil(), self.height),
            within(low.x, self.width)..within(high.x.ceil(), self.width),
        ]
    }

    fn draw(&mut self, number: u32, corners: [Seen; 3]) {
        let [a, b, c] = corners.map(|seen| seen.at * self.scale);
        let area = (b - a).perp_dot(c - a);
        if area == 0.0 {
            return;
        }
        let [rows, columns] = self.bounds(corners);
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
                // The reciprocal of the depth is linear in the picture.
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

    /// Returns `true` if a point is in front of the skin, or hardly behind it. At outlines the
    /// farthest of the pixels around counts. Points outside the picture are not visible.
    pub(crate) fn shows(&self, seen: &Seen) -> bool {
        let Some((column, row)) = self.pixel(seen.at) else {
            return false;
        };
        let around = |i: usize, count: usize| i.saturating_sub(1)..(i + 2).min(count);
        let columns = around(column, self.width);
        around(row, self.height)
            .flat_map(|row| self.depths[row * self.width..][columns.clone()].iter())
            .any(|&skin| seen.depth <= skin + DEPTH_TOLERANCE)
    }

    /// Returns the point of the skin under a pixel of the view.
    pub(crate) fn pick(&self, scalp: &Scalp, at: Vec2) -> Option<Vec3> {
        let (column, row) = self.pixel(at)?;
        let triangle = self.triangles[row * self.width + column];
        let corners = scalp.triangles().get(triangle as usize)?;
        let [a, b, c] = corners.map(|v| scalp.positions()[v as usize]);
        // The ray goes through the given point, not through the pixel's centre.
        let ray = self.view.point(at, 1.0) - self.view.eye;
        let normal = scalp.face_normal(triangle);
        let along = (a - self.view.eye).dot(normal) / ray.dot(normal);
        let hit = self.view.eye + ray * along;
        let weight = |p: Vec3, q: Vec3| (p - hit).cross(q - hit).dot(normal);
        let weights = Vec3::new(weight(b, c), weight(c, a), weight(a, b)).max(Vec3::ZERO);
        let sum = weights.element_sum();
        let weights = weights / sum;
        let is_hit = sum > 0.0 && sum.is_finite();
        is_hit.then(|| scalp.point(SurfacePoint { triangle, weights }))
    }

    /// Returns the point of the skin that is seen nearest to a pixel, within a radius in pixels.
    pub(crate) fn pick_near(&self, scalp: &Scalp, at: Vec2, radius: f32) -> Option<Vec3> {
        const RINGS: usize = 10;
        const AROUND: u32 = 16;
        let ring = |ring: usize| {
            let radius = radius * ring as f32 / RINGS as f32;
            (0..AROUND).find_map(|i| {
                let (sin, cos) = sin_cos(f64::from(i) * TAU / f64::from(AROUND));
                self.pick(scalp, at + Vec2::new(cos as f32, sin as f32) * radius)
            })
        };
        (0..=RINGS).find_map(ring)
    }

    /// Returns the point above the skin under a pixel of the view, in the direction of the triangle's
    /// normal.
    pub(crate) fn pick_above(&self, scalp: &Scalp, at: Vec2, height: f32) -> Option<Vec3> {
        let (column, row) = self.pixel(at)?;
        let triangle = self.triangles[row * self.width + column];
        Some(self.pick(scalp, at)? + scalp.face_normal(triangle) * height)
    }

    /// Returns the point of the skin under the middle of a brush at a pixel, and the radius there
    /// of a brush whose radius is in pixels, decimetres; `None` beside the skin.
    pub(crate) fn ball(&self, scalp: &Scalp, at: Vec2, radius: f32) -> Option<(Vec3, f32)> {
        let centre = self.pick(scalp, at)?;
        let depth = self.view.see(centre).map_or(1.0, |seen| seen.depth);
        Some((centre, radius / self.view.pixels(depth)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Head, HeadSettings};
    use crate::style::Camera;

    #[test]
    fn a_picked_point_is_seen_at_its_pixel_and_not_hidden() {
        let head = Head::shipped(&HeadSettings::default()).unwrap();
        let scalp = Scalp::of_head(&head).unwrap();
        let camera = Camera {
            eye: [4.0, 5.0, 6.0],
            ..Camera::default()
        };
        let visibility = Visibility::of(&scalp, View::new(&camera, [1600, 1200]).unwrap());
        let (mut hits, mut last_hit) = (0, Vec2::ZERO);
        for x in 0..60 {
            for y in 0..60 {
                let at = Vec2::new(400.3 + 13.0 * x as f32, 200.7 + 13.0 * y as f32);
                let Some(hit) = visibility.pick(&scalp, at) else {
                    continue;
                };
                (hits, last_hit) = (hits + 1, at);
                let seen = visibility.view.see(hit).unwrap();
                // At the edge of a triangle the nearest point of it is within a pixel or two.
                assert!(seen.at.distance(at) < 4.0, "{at} {seen:?}");
                assert!(visibility.shows(&seen));
            }
        }
        assert!(hits > 100, "{hits}");
        // Beside the skin, the nearest is found within a radius.
        let left = (0..1600).map(|x| last_hit - Vec2::X * x as f32);
        let mut left = left.skip_while(|&at| visibility.pick(&scalp, at).is_some());
        let beside = left.next().unwrap();
        let near = |radius: f32| visibility.pick_near(&scalp, beside, radius);
        assert!(near(0.1).is_none());
        let seen = visibility.view.see(near(5.0).unwrap()).unwrap();
        assert!(seen.at.distance(beside) < 6.0, "{seen:?}");
    }

    #[test]
    fn many_large_triangles_are_drawn_coarsely_and_the_nearest_still_counts() {
        let count = 3000_u32;
        let mut positions = Vec::new();
        for i in 0..count {
            // Each fills the picture; the middle one is nearest.
            let z = -0.001 * (i as f32 - 1500.0).abs();
            let corners = [[-20.0, -20.0], [20.0, -20.0], [0.0, 30.0]];
            positions.extend(corners.map(|[x, y]| Vec3::new(x, y, z)));
        }
        let triangles = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let vertices = positions.len();
        let (normals, density) = (vec![Vec3::Z; vertices], vec![1.0; vertices]);
        let scalp = Scalp::new(positions, normals, triangles, density).unwrap();
        let view = View::new(&Camera::default(), [1600, 1200]).unwrap();
        let visibility = Visibility::of(&scalp, view);
        let visited = (visibility.width * visibility.height) as u64 * u64::from(count);
        assert!((MAX_VISITED / 4..=MAX_VISITED).contains(&visited));
        let place = visibility.pick(&scalp, Vec2::new(700.0, 500.0)).unwrap();
        assert_eq!(place.z, 0.0);
        assert!(visibility.shows(&view.see(place).unwrap()));
        let behind = view.see(place - Vec3::Z).unwrap();
        assert!(!visibility.shows(&behind));
    }
}
