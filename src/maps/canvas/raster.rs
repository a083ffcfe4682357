//! From texels of a picture to points in head space: rasterises triangles over UVs.
//!
//! Bilinear sampling of a point uses the four texels around it, even if their centres lie beyond
//! the border of an island. So each triangle is drawn with a margin. Bands of rows are drawn in
//! parallel; each band draws its triangles in order, so that the number of threads makes no
//! difference.

use super::grid::Place;
use super::triangle::{SkinPoint, Triangle};
use crate::head::Part;
use crate::maps::uv_triangle::skin_area;
use rayon::prelude::*;
use std::ops::Range;

/// Rows per band.
const BAND: usize = 16;
/// Largest number of places of a texel.
const MAX_PLACES: usize = 4;
/// SkinPoints of one texel that are farther apart on the skin than this, in texels, are separate places.
/// Triangles that share an edge or a corner disagree by less about a texel in their margins.
const APART: f64 = 4.0;
/// Tolerance of distances that count as equal, in texels: mirrored UVs differ by rounding.
const TOLERANCE: f64 = 0.01;
/// Limit of the visited texels: per texel of the picture, and per triangle. A picture that some
/// thousand triangles cover once takes about three per texel.
const MAX_VISITS: [f64; 2] = [8.0, 128.0];

/// The triangles of a part, to be drawn over a picture.
pub(super) struct Raster<'a> {
    part: &'a Part,
    /// Width and height, texels.
    size: [u32; 2],
    /// Mean distance between neighbouring texels on the skin, decimetres.
    pub(super) texel_size: f32,
    /// The number of triangles that are not drawn.
    pub(super) skipped: usize,
    /// The triangles of each band of rows.
    bands: Vec<Vec<u32>>,
}

impl<'a> Raster<'a> {
    pub(super) fn of(part: &'a Part, size: [u32; 2]) -> Self {
        let height = size[1] as usize;
        let mut raster = Raster {
            part,
            size,
            texel_size: 0.0,
            skipped: 0,
            bands: vec![Vec::new(); height.div_ceil(BAND)],
        };
        if part.uvs.is_none() {
            return raster;
        }
        let texels = f64::from(size[0]) * f64::from(size[1]);
        let mut visits = MAX_VISITS[0] * texels + MAX_VISITS[1] * part.triangles.len() as f64;
        let (mut skin, mut picture) = (0.0, 0.0);
        for (number, &corners) in part.triangles.iter().enumerate() {
            let triangle = Triangle::of(part, size, corners);
            let Some(triangle) = triangle.filter(|triangle| triangle.visits() <= visits) else {
                raster.skipped += 1;
                continue;
            };
            visits -= triangle.visits();
            skin += skin_area(part, corners).unwrap_or(0.0);
            picture += triangle.picture_area();
            for (_, rows) in tiles(triangle.rows(), height) {
                for band in &mut raster.bands[rows.start / BAND..rows.end.div_ceil(BAND)] {
                    if band.last() != Some(&(number as u32)) {
                        band.push(number as u32);
                    }
                }
            }
        }
        raster.texel_size = match skin / picture {
            area if area.is_finite() => area.sqrt() as f32,
            _ => (skin / texels).sqrt() as f32,
        };
        raster
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
        let of = |number: &u32| {
            let corners = *self.part.triangles.get(*number as usize)?;
            Triangle::of(self.part, self.size, corners)
        };
        for mut triangle in triangles.iter().filter_map(of) {
            triangle.limit_margin(f64::from(self.texel_size));
            for (shift, rows) in tiles(triangle.rows(), height) {
                for row in rows.start.max(band.start)..rows.end.min(band.end) {
                    let down = row as i64 + shift;
                    let columns = triangle.columns(down);
                    for right in columns {
                        if let Some(spot) = triangle.spot(right, down) {
                            let column = right.rem_euclid(width as i64) as usize;
                            let at = (row - band.start) * width + column;
                            texels[at].add(spot);
                        }
                    }
                }
            }
        }
        let first = first_row * width;
        let mut places = Vec::with_capacity(texels.len());
        for (at, texel) in texels.iter().enumerate() {
            let texel_number = (first + at) as u32;
            let place = |position| Place {
                texel: texel_number,
                position,
            };
            places.extend(texel.positions().map(place));
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
        let start = (rows.start - shift).clamp(0, height) as usize;
        let end = (rows.end - shift).clamp(0, height) as usize;
        (shift, start..end)
    })
}

/// The points of skin that a texel may show, none near another.
#[derive(Clone, Default)]
struct Texel {
    spots: [SkinPoint; MAX_PLACES],
    count: u8,
}

impl Texel {
    /// Adds a spot. Of spots near each other the one nearest to the texel stays, or else the first.
    fn add(&mut self, spot: SkinPoint) {
        let count = usize::from(self.count);
        let near = |other: &&mut SkinPoint| {
            let apart = APART * f64::from(spot.step.max(other.step));
            f64::from(spot.position.distance(other.position)) <= apart
        };
        if let Some(same) = self.spots.iter_mut().take(count).find(near) {
            if spot.away < same.away {
                *same = spot;
            }
        } else if let Some(free) = self.spots.get_mut(count) {
            *free = spot;
            self.count += 1;
        } else {
            let worst = (self.spots.iter_mut()).max_by(|a, b| a.away.total_cmp(&b.away));
            if let Some(worst) = worst.filter(|worst| spot.away < worst.away) {
                *worst = spot;
            }
        }
    }

    /// The places of the texel: all spots as near to its centre as the nearest.
    fn positions(&self) -> impl Iterator<Item = glam::Vec3> + '_ {
        let spots = self.spots.iter().take(usize::from(self.count));
        let away = spots.clone().map(|spot| spot.away);
        let nearest = away.fold(f32::INFINITY, f32::min);
        let is_as_near = move |spot: &&SkinPoint| f64::from(spot.away - nearest) <= TOLERANCE;
        spots.filter(is_as_near).map(|spot| spot.position)
    }
}
