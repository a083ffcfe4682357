//! Rasterises triangles over UVs, to map texels of a picture to points in head space.
//!
//! Bilinear sampling of a point uses the four texels around it, even if their centres lie beyond
//! the border of an island. So each triangle is drawn with a margin. Bands of rows are drawn in
//! parallel; each band draws its triangles in order, so that the number of threads makes no
//! difference.

use crate::head::Part;
use crate::maps::uv_layout::{skin_area, tiled_corners, weights};
use glam::{DVec2, DVec3, Vec3};
use rayon::prelude::*;
use std::ops::Range;

/// Rows per band.
const BAND: usize = 16;
/// Largest number of places of a texel.
const MAX_PLACES: usize = 4;
/// Points of one texel that are farther apart on the skin than this, in texels, are separate
/// places. Triangles that share an edge or a corner disagree by less about a texel in their
/// margins.
const APART: f64 = 4.0;
/// Tolerance of distances that count as equal, in texels: mirrored UVs differ by rounding.
const TOLERANCE: f64 = 0.01;
/// Limit of the visited texels: per texel of the picture, and per triangle. A picture that some
/// thousand triangles cover once takes about three per texel.
const MAX_VISITS: [f64; 2] = [8.0, 128.0];
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

/// The position of a value of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The index of the value: `row * width + column` of a picture, or the vertex.
    pub texel: u32,
    /// The point of the skin, head space, decimetres. Values of a picture beyond the border of
    /// their UV island lie on the skin continued straight, so that interpolation is right up to the
    /// border.
    pub position: Vec3,
}

/// Returns the places of a picture of this width and height over a part, in the order of their
/// texels, and the mean distance between neighbouring texels on the skin, decimetres.
pub(super) fn places(part: &Part, size: [u32; 2]) -> (Vec<Place>, f32) {
    let (bands, texel_size) = bands(part, size);
    let drawn = bands.par_iter().enumerate();
    let drawn = drawn.map(|(at, band)| draw(part, size, texel_size, at * BAND, band));
    let drawn: Vec<Vec<Place>> = drawn.collect();
    (drawn.concat(), texel_size)
}

/// Returns the triangles of each band of rows, and the mean distance between texels.
pub(super) fn bands(part: &Part, size: [u32; 2]) -> (Vec<Vec<u32>>, f32) {
    let height = size[1] as usize;
    let mut bands = vec![Vec::new(); height.div_ceil(BAND)];
    let texels = f64::from(size[0]) * f64::from(size[1]);
    let mut visits = MAX_VISITS[0] * texels + MAX_VISITS[1] * part.triangles.len() as f64;
    let (mut skin, mut picture) = (0.0, 0.0);
    for (number, &corners) in (0..).zip(&part.triangles) {
        let triangle = Triangle::of(part, size, corners, 0.0);
        let Some(triangle) = triangle.filter(|triangle| triangle.visits() <= visits) else {
            continue;
        };
        visits -= triangle.visits();
        skin += skin_area(part, corners).unwrap_or(0.0);
        picture += triangle.picture_area();
        for (_, rows) in tiles(triangle.rows(), height) {
            for band in &mut bands[rows.start / BAND..rows.end.div_ceil(BAND)] {
                if band.last() != Some(&number) {
                    band.push(number);
                }
            }
        }
    }
    let texel_size = match skin / picture {
        area if area.is_finite() => area.sqrt() as f32,
        _ => (skin / texels).sqrt() as f32,
    };
    (bands, texel_size)
}

/// Returns the places of a band of rows.
fn draw(
    part: &Part,
    size: [u32; 2],
    texel_size: f32,
    first_row: usize,
    triangles: &[u32],
) -> Vec<Place> {
    let [width, height] = size.map(|side| side as usize);
    let band = first_row..(first_row + BAND).min(height);
    if triangles.is_empty() {
        return Vec::new();
    }
    let mut texels = vec![Texel([NOWHERE; MAX_PLACES]); width * band.len()];
    for &number in triangles {
        let corners = part.triangles[number as usize];
        let Some(triangle) = Triangle::of(part, size, corners, texel_size) else {
            continue;
        };
        for (shift, rows) in tiles(triangle.rows(), height) {
            for row in rows.start.max(band.start)..rows.end.min(band.end) {
                let down = row as i64 + shift;
                for right in triangle.columns(down) {
                    if let Some(spot) = triangle.spot(right, down) {
                        let column = right.rem_euclid(width as i64) as usize;
                        texels[(row - band.start) * width + column].add(spot);
                    }
                }
            }
        }
    }
    let mut places = Vec::with_capacity(texels.len());
    for (spots, texel) in texels.iter().zip((first_row * width) as u32..) {
        let positions = spots.positions();
        places.extend(positions.map(|position| Place { texel, position }));
    }
    places.shrink_to_fit();
    places
}

/// Splits rows that may lie beyond a tiled picture by tile: the offset of the tile, and the rows of
/// the picture.
fn tiles(rows: Range<i64>, height: usize) -> impl Iterator<Item = (i64, Range<usize>)> {
    let height = height as i64;
    let last = (rows.end - 1).div_euclid(height);
    (rows.start.div_euclid(height)..=last).map(move |tile| {
        let shift = tile * height;
        let within = |row: i64| (row - shift).clamp(0, height) as usize;
        (shift, within(rows.start)..within(rows.end))
    })
}

/// The points of skin that a texel may show, none near another. Free places come last, infinitely
/// far away.
#[derive(Clone)]
struct Texel([SkinPoint; MAX_PLACES]);

impl Texel {
    /// Adds a spot. Of spots near each other the one nearest to the texel stays, or else the first.
    fn add(&mut self, spot: SkinPoint) {
        let is_free_or_near = |other: &SkinPoint| {
            let apart = APART * f64::from(spot.step.max(other.step));
            other.away == f32::INFINITY
                || f64::from(spot.position.distance(other.position)) <= apart
        };
        let other = match self.0.iter().position(is_free_or_near) {
            Some(other) => Some(&mut self.0[other]),
            None => (self.0.iter_mut()).max_by(|a, b| a.away.total_cmp(&b.away)),
        };
        if let Some(other) = other.filter(|other| spot.away < other.away) {
            *other = spot;
        }
    }

    /// Returns the places of the texel: all spots as near to its centre as the nearest.
    fn positions(&self) -> impl Iterator<Item = Vec3> + '_ {
        let away = self.0.iter().map(|spot| spot.away);
        let nearest = away.fold(f32::INFINITY, f32::min);
        let is_as_near = move |spot: &&SkinPoint| f64::from(spot.away - nearest) <= TOLERANCE;
        self.0.iter().filter(is_as_near).map(|spot| spot.position)
    }
}

/// A point of skin that a texel may show.
#[derive(Clone, Copy, Debug)]
pub(super) struct SkinPoint {
    position: Vec3,
    /// Distance from the texel's centre to the triangle in the picture, texels.
    away: f32,
    /// Distance between neighbouring texels here on the skin, decimetres.
    step: f32,
}

/// A point that is infinitely far away.
const NOWHERE: SkinPoint = SkinPoint {
    position: Vec3::ZERO,
    away: f32::INFINITY,
    step: 0.0,
};

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
    /// Returns a triangle with margins for this mean distance of texels on the skin, decimetres.
    /// `None` if a corner does not exist or is not finite, or if UVs are too large.
    pub(super) fn of(
        part: &Part,
        size: [u32; 2],
        corners: [u32; 3],
        texel_size: f32,
    ) -> Option<Triangle> {
        let uvs = tiled_corners(part.uvs.as_ref()?, corners)?;
        let finite = |v: u32| part.positions.get(v as usize).filter(|p| p.is_finite());
        let [a, b, c] = corners.map(finite);
        let skin = [a?, b?, c?].map(|p| p.as_dvec3());
        let picture = uvs.map(|uv| uv * DVec2::from(size.map(f64::from)));
        let texel_size = f64::from(texel_size);
        let lengths = EDGES.map(|(i, j)| skin[i].distance(skin[j]));
        let mut triangle = Triangle {
            picture,
            skin,
            twice_area: (picture[1] - picture[0]).perp_dot(picture[2] - picture[0]),
            step: texel_size,
            max_beyond: lengths.into_iter().fold(MAX_BEYOND * texel_size, f64::max),
        };
        if triangle.has_area() {
            let along = [DVec2::X, DVec2::Y].map(|axis| triangle.along_skin(axis).length());
            triangle.step = along.into_iter().fold(texel_size, f64::max);
        }
        Some(triangle)
    }

    fn has_area(&self) -> bool {
        self.twice_area.abs() > MIN_TWICE_AREA
    }

    /// Returns the area in the picture, square texels.
    fn picture_area(&self) -> f64 {
        self.twice_area.abs() * 0.5
    }

    /// Returns an upper bound of the texels that are visited to draw it.
    pub(super) fn visits(&self) -> f64 {
        let length =
            |(i, j): (usize, usize)| (self.picture[i] - self.picture[j]).abs().element_sum();
        let around: f64 = EDGES.map(length).iter().sum();
        self.picture_area() + 4.0 * around + 16.0
    }

    /// Returns the rows that it and its margin touch.
    pub(super) fn rows(&self) -> Range<i64> {
        let [a, b, c] = self.picture.map(|p| p.y);
        texels(a.min(b).min(c), a.max(b).max(c))
    }

    /// Returns the columns that it and its margin touch in a row, and perhaps a few more.
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
