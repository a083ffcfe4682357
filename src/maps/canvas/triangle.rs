//! One triangle, rasterised over a picture.

use crate::head::Part;
use crate::maps::uv_layout::{tiled_corners, weights};
use glam::{DVec2, DVec3, Vec3};
use std::ops::Range;

/// Width of the margin, texels: bilinear sampling uses texels at most √2 away.
const MARGIN: f64 = 1.5;
/// Largest distance of a place in the margin from its triangle on the skin: this many mean texels,
/// or the length of its longest edge. The UVs of a sliver say little about where the skin
/// continues.
const MAX_BEYOND: f64 = 4.0;
/// Triangles with less than twice this area, square texels, are drawn as their edges.
const MIN_TWICE_AREA: f64 = 1e-9;

/// The corners of the edges of a triangle.
const EDGES: [(usize, usize); 3] = [(0, 1), (1, 2), (2, 0)];

/// A point of skin that a texel may show.
#[derive(Clone, Copy, Debug)]
pub(super) struct SkinPoint {
    pub position: Vec3,
    /// Distance from the texel's centre to the triangle in the picture, texels.
    pub away: f32,
    /// Distance between neighbouring texels here on the skin, decimetres.
    pub step: f32,
}

impl Default for SkinPoint {
    /// A point that is infinitely far away.
    fn default() -> Self {
        SkinPoint {
            position: Vec3::ZERO,
            away: f32::INFINITY,
            step: 0.0,
        }
    }
}

/// A triangle in the picture and on the skin.
#[derive(Clone, Debug)]
pub(super) struct Triangle {
    /// Corners in texels, moved by whole tiles so that the least lie in the first tile.
    picture: [DVec2; 3],
    skin: [DVec3; 3],
    /// Twice its area in the picture, signed.
    twice_area: f64,
    step: f64,
    /// Largest distance of places in the margin from the triangle on the skin, decimetres.
    max_beyond: f64,
}

impl Triangle {
    /// `None` if a corner does not exist or is not finite, or if UVs are too large.
    pub(super) fn of(part: &Part, size: [u32; 2], corners: [u32; 3]) -> Option<Triangle> {
        let uvs = tiled_corners(part.uvs.as_ref()?, corners)?;
        let finite = |v: u32| part.positions.get(v as usize).filter(|p| p.is_finite());
        let [a, b, c] = corners.map(finite);
        let skin = [a?, b?, c?].map(|p| p.as_dvec3());
        let picture = uvs.map(|uv| uv * DVec2::from(size.map(f64::from)));
        let mut triangle = Triangle {
            picture,
            skin,
            twice_area: (picture[1] - picture[0]).perp_dot(picture[2] - picture[0]),
            step: 0.0,
            max_beyond: 0.0,
        };
        if triangle.has_area() {
            let along = |axis: DVec2| triangle.along_skin(axis).length();
            triangle.step = along(DVec2::X).max(along(DVec2::Y));
        }
        Some(triangle)
    }

    /// Sets the reach of margins by the mean distance of texels on the skin, decimetres.
    pub(super) fn limit_margin(&mut self, texel_size: f64) {
        let length = |(i, j): (usize, usize)| self.skin[i].distance(self.skin[j]);
        let longest = EDGES.map(length).into_iter().fold(0.0, f64::max);
        self.max_beyond = longest.max(MAX_BEYOND * texel_size);
        self.step = self.step.max(texel_size);
    }

    fn has_area(&self) -> bool {
        self.twice_area.abs() > MIN_TWICE_AREA
    }

    /// The area in the picture, square texels.
    pub(super) fn picture_area(&self) -> f64 {
        self.twice_area.abs() * 0.5
    }

    /// An upper bound of the texels that are visited to draw it.
    pub(super) fn visits(&self) -> f64 {
        let length =
            |(i, j): (usize, usize)| (self.picture[i] - self.picture[j]).abs().element_sum();
        let around: f64 = EDGES.map(length).iter().sum();
        self.picture_area() + 4.0 * around + 16.0
    }

    /// The rows that it and its margin touch.
    pub(super) fn rows(&self) -> Range<i64> {
        let [a, b, c] = self.picture.map(|p| p.y);
        texels(a.min(b).min(c), a.max(b).max(c))
    }

    /// The columns that it and its margin touch in a row, and perhaps a few more.
    pub(super) fn columns(&self, row: i64) -> Range<i64> {
        let middle = row as f64 + 0.5;
        let (top, bottom) = (middle - MARGIN, middle + MARGIN);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (i, j) in EDGES {
            let (p, q) = (self.picture[i], self.picture[j]);
            let (p, q) = if p.y <= q.y { (p, q) } else { (q, p) };
            if q.y < top || p.y > bottom {
                continue;
            }
            let slope = match q.y - p.y {
                0.0 => 0.0,
                rise => (q.x - p.x) / rise,
            };
            let first = match p.y < top {
                true => p.x + (top - p.y) * slope,
                false => p.x,
            };
            let last = match q.y > bottom {
                true => p.x + (bottom - p.y) * slope,
                false => q.x,
            };
            low = low.min(first.min(last));
            high = high.max(first.max(last));
        }
        if low > high { 0..0 } else { texels(low, high) }
    }

    /// Returns the spot that a texel shows, if it is in the triangle or its margin.
    pub(super) fn spot(&self, column: i64, row: i64) -> Option<SkinPoint> {
        let p = DVec2::new(column as f64 + 0.5, row as f64 + 0.5);
        if self.has_area() {
            let weights = weights(p, self.picture, self.twice_area);
            let [a, b, c] = self.skin;
            if weights.min_element() >= 0.0 {
                return Some(self.spot_at(a * weights.x + b * weights.y + c * weights.z, 0.0));
            }
        }
        let mut nearest = (f64::INFINITY, DVec2::ZERO, DVec3::ZERO);
        for (i, j) in EDGES {
            let (from, along) = (self.picture[i], self.picture[j] - self.picture[i]);
            let share = (p - from).dot(along) / along.length_squared();
            let share = match share.is_finite() {
                true => share.clamp(0.0, 1.0),
                false => 0.0,
            };
            let foot = from + along * share;
            let away2 = foot.distance_squared(p);
            if away2 < nearest.0 {
                nearest = (away2, foot, self.skin[i].lerp(self.skin[j], share));
            }
        }
        let (away2, foot, border) = nearest;
        if away2 > MARGIN * MARGIN {
            return None;
        }
        // Straight on beyond the border, as far as the UVs can be trusted.
        let beyond = match self.has_area() {
            true => self.along_skin(p - foot).clamp_length_max(self.max_beyond),
            false => DVec3::ZERO,
        };
        Some(self.spot_at(border + beyond, away2.sqrt()))
    }

    fn spot_at(&self, position: DVec3, away: f64) -> SkinPoint {
        SkinPoint {
            position: position.as_vec3(),
            away: away as f32,
            step: self.step as f32,
        }
    }

    /// Returns a step in the picture as one on the skin. Only for triangles with an area.
    fn along_skin(&self, step: DVec2) -> DVec3 {
        let [a, b, c] = self.picture;
        let second = step.perp_dot(c - a) / self.twice_area;
        let third = (b - a).perp_dot(step) / self.twice_area;
        let [a, b, c] = self.skin;
        let along = (b - a) * second + (c - a) * third;
        match along.is_finite() {
            true => along,
            false => DVec3::ZERO,
        }
    }
}

/// Texels whose centres lie between two coordinates, or in the margin around.
fn texels(low: f64, high: f64) -> Range<i64> {
    let first = (low - MARGIN - 0.5).ceil() as i64;
    let last = (high + MARGIN - 0.5).floor() as i64;
    first..last + 1
}
