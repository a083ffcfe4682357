//! From texels of a picture to points in head space: rasterises triangles over UVs.
//!
//! Bilinear sampling of a point uses the four texels around it, even if their centres lie beyond
//! the border of an island. So each triangle is drawn with a margin. Bands of rows are drawn in
//! parallel; each band draws its triangles in order, so that the number of threads makes no
//! difference.

use super::triangle::{SkinPoint, Triangle};
use crate::head::Part;
use crate::maps::uv_layout::skin_area;
use glam::Vec3;
use rayon::prelude::*;
use std::ops::Range;

/// Rows per band.
const BAND: usize = 16;
/// Largest number of places of a texel.
const MAX_PLACES: usize = 4;
/// Points of one texel that are farther apart on the skin than this, in texels, are separate places.
/// Triangles that share an edge or a corner disagree by less about a texel in their margins.
const APART: f64 = 4.0;
/// Tolerance of distances that count as equal, in texels: mirrored UVs differ by rounding.
const TOLERANCE: f64 = 0.01;
/// Limit of the visited texels: per texel of the picture, and per triangle. A picture that some
/// thousand triangles cover once takes about three per texel.
const MAX_VISITS: [f64; 2] = [8.0, 128.0];

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

/// The triangles of a part, to be drawn over a picture.
pub(super) struct Raster<'a> {
    part: &'a Part,
    /// Width and height, texels.
    size: [u32; 2],
    /// Mean distance between neighbouring texels on the skin, decimetres.
    pub(super) texel_size: f32,
    /// The triangles of each band of rows.
    bands: Vec<Vec<u32>>,
}

impl<'a> Raster<'a> {
    pub(super) fn of(part: &'a Part, size: [u32; 2]) -> Self {
        let height = size[1] as usize;
        let mut bands = vec![Vec::new(); height.div_ceil(BAND)];
        let texels = f64::from(size[0]) * f64::from(size[1]);
        let mut visits = MAX_VISITS[0] * texels + MAX_VISITS[1] * part.triangles.len() as f64;
        let (mut skin, mut picture) = (0.0, 0.0);
        for (number, &corners) in (0..).zip(&part.triangles) {
            let triangle = Triangle::of(part, size, corners);
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
        Raster {
            part,
            size,
            texel_size,
            bands,
        }
    }

    /// Returns all places, in the order of their texels.
    pub(super) fn places(&self) -> Vec<Place> {
        let bands = self.bands.par_iter().enumerate();
        let drawn: Vec<Vec<Place>> = bands.map(|(at, band)| self.draw(at * BAND, band)).collect();
        drawn.concat()
    }

    /// Returns the places of a band of rows.
    fn draw(&self, first_row: usize, triangles: &[u32]) -> Vec<Place> {
        let [width, height] = self.size.map(|side| side as usize);
        let band = first_row..(first_row + BAND).min(height);
        if triangles.is_empty() {
            return Vec::new();
        }
        let mut texels = vec![Texel::default(); width * band.len()];
        let of = |&number: &u32| {
            let corners = self.part.triangles[number as usize];
            Triangle::of(self.part, self.size, corners)
        };
        for mut triangle in triangles.iter().filter_map(of) {
            triangle.limit_margin(f64::from(self.texel_size));
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
#[derive(Clone, Default)]
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

    /// The places of the texel: all spots as near to its centre as the nearest.
    fn positions(&self) -> impl Iterator<Item = Vec3> + '_ {
        let away = self.0.iter().map(|spot| spot.away);
        let nearest = away.fold(f32::INFINITY, f32::min);
        let is_as_near = move |spot: &&SkinPoint| f64::from(spot.away - nearest) <= TOLERANCE;
        self.0.iter().filter(is_as_near).map(|spot| spot.position)
    }
}
