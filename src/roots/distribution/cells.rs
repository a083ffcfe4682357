//! Counts in cells of equal area, and their χ² relative to random points.

use crate::roots::index::GENERIC_ROTATION;
use crate::roots::work::Result;
use crate::roots::{Roots, SampleError};
use crate::scalp::Scalp;
use glam::DVec3;
use serde::Serialize;

/// The number of roots that a cell is made for.
pub const EXPECTED_PER_CELL: f64 = 16.0;

/// The relative tolerance of a plane that divides the area, far below the share of one root.
const PART_TOLERANCE: f64 = 1e-13;

/// The number of rounds in search of a plane. Half of them halve the bracket, so the rest is
/// rounding.
const ROUNDS: usize = 128;

/// The largest number of corners of pieces that are looked at, which takes some seconds. A million
/// triangles and two million roots take a third of it.
const MOST_CORNERS: usize = 150_000_000;

/// A piece of the scalp is not split into parts with less than this share of their fair area: a
/// plane cannot split triangles that lie in it.
const LEAST_SHARE: f64 = 1e-6;

/// A cell of the scalp.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// Square decimetres.
    pub area: f64,
    /// The number of roots in it.
    pub roots: usize,
}

/// The unevenness of the numbers of roots in cells.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CellCounts {
    /// Number of cells K.
    pub cells: usize,
    /// χ² = Σ (nᵢ − eᵢ)² / eᵢ, eᵢ = N aᵢ / A.
    pub chi_squared: f64,
    /// χ² / (K − 1): 1 ± √(2 / (K − 1)) for random points, about 0.1 for blue noise.
    pub relative: f64,
}

/// Returns χ² of counts in cells; `None` for fewer than two cells or no roots.
pub fn cell_counts(cells: &[Cell]) -> Option<CellCounts> {
    let area: f64 = cells.iter().map(|cell| cell.area).sum();
    let roots: usize = cells.iter().map(|cell| cell.roots).sum();
    if cells.len() < 2 || roots == 0 {
        return None;
    }
    let terms = cells.iter().map(|cell| {
        let expected = roots as f64 * cell.area / area;
        (cell.roots as f64 - expected).powi(2) / expected
    });
    let chi_squared = terms.sum();
    Some(CellCounts {
        cells: cells.len(),
        chi_squared,
        relative: chi_squared / (cells.len() - 1) as f64,
    })
}

/// Splits the scalp into N / [`EXPECTED_PER_CELL`] cells of equal area and counts their roots.
///
/// Planes across the longest extent split a piece of the scalp and its roots in two, in the
/// proportion of the cells that each is to have, and so on down to single cells. Time
/// (T + N) log K; memory of three copies of the triangles.
///
/// # Errors
///
/// [`SampleError::Index`] for positions or face normals that are not finite;
/// [`SampleError::Uneven`] where needles cross so many cells that it would take too long.
pub fn equal_area_cells(scalp: &Scalp, roots: &Roots) -> Result<Vec<Cell>, SampleError> {
    super::check(roots)?;
    // The axes are rotated, so that planes do not contain geometry that is modelled along them.
    let mut pieces = Pieces::default();
    for triangle in scalp.triangles() {
        let corners = triangle.map(|v| scalp.positions()[v as usize].as_dvec3());
        pieces.push(corners.map(|p| GENERIC_ROTATION * p));
    }
    let places = roots.positions.iter();
    let places = places.map(|p| GENERIC_ROTATION * p.as_dvec3()).collect();
    let count = (roots.positions.len() as f64 / EXPECTED_PER_CELL).round() as usize;
    let mut cells = Vec::with_capacity(count.max(1));
    let mut corners_left = MOST_CORNERS;
    part(pieces, places, count, &mut corners_left, &mut cells)?;
    Ok(cells)
}

/// Splits pieces of the scalp and their roots into `count` cells, or as many as planes can.
fn part(
    pieces: Pieces,
    roots: Vec<DVec3>,
    count: usize,
    corners_left: &mut usize,
    cells: &mut Vec<Cell>,
) -> Result<()> {
    let left = corners_left.checked_sub(pieces.corners.len());
    *corners_left = left.ok_or(SampleError::Uneven)?;
    if count >= 2
        && let Some([below, above]) = halves(&pieces, &roots, count)
    {
        // Half as much waits at each level as at the level before.
        drop((pieces, roots));
        part(above.0, above.1, count.div_ceil(2), corners_left, cells)?;
        return part(below.0, below.1, count / 2, corners_left, cells);
    }
    cells.push(Cell {
        area: pieces.area(),
        roots: roots.len(),
    });
    Ok(())
}

/// Returns pieces and roots on both sides of a plane that divides the area as half of the cells
/// need it; `None` if there is no such plane.
fn halves(pieces: &Pieces, roots: &[DVec3], count: usize) -> Option<[(Pieces, Vec<DVec3>); 2]> {
    let corners = pieces.corners.iter();
    let (low, high) = corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &p| {
        (low.min(p), high.max(p))
    });
    let axis = (high - low).max_position();
    let (height, area) = plane(pieces, axis, (count / 2) as f64 / count as f64);
    let [mut below, mut above] = [Pieces::default(), Pieces::default()];
    for piece in pieces.each() {
        // Most pieces are not cut.
        if piece.iter().all(|p| p[axis] < height) {
            below.push(piece.iter().copied());
        } else if piece.iter().all(|p| p[axis] >= height) {
            above.push(piece.iter().copied());
        } else {
            below.push(part_of(piece, |p| height - p[axis]));
            above.push(part_of(piece, |p| p[axis] - height));
        }
    }
    let least = LEAST_SHARE * area / count as f64;
    if below.area() <= least || above.area() <= least {
        return None;
    }
    let (roots_below, roots_above) = roots.iter().copied().partition(|root| root[axis] < height);
    Some([(below, roots_below), (above, roots_above)])
}

/// Convex polygons: what planes leave of triangles. Triangles cut into triangles would be
/// cut again and again, and multiply.
#[derive(Default)]
struct Pieces {
    /// The corners of all polygons, one after the other.
    corners: Vec<DVec3>,
    /// The end of each polygon in `corners`.
    ends: Vec<usize>,
}

impl Pieces {
    /// Adds a polygon, unless it has too few corners to be one.
    fn push(&mut self, corners: impl IntoIterator<Item = DVec3>) {
        let start = self.corners.len();
        self.corners.extend(corners);
        if self.corners.len() >= start + 3 {
            self.ends.push(self.corners.len());
        } else {
            self.corners.truncate(start);
        }
    }

    fn each(&self) -> impl Iterator<Item = &[DVec3]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let piece = &self.corners[start..end];
            start = end;
            piece
        })
    }

    /// Returns the triangles that the polygons are fans of.
    fn triangles(&self) -> impl Iterator<Item = [DVec3; 3]> {
        self.each().flat_map(|piece| {
            piece[1..]
                .windows(2)
                .map(|side| [piece[0], side[0], side[1]])
        })
    }

    fn area(&self) -> f64 {
        self.triangles().map(area).sum()
    }
}

fn area([a, b, c]: [DVec3; 3]) -> f64 {
    0.5 * (b - a).cross(c - a).length()
}

/// Returns the corners of the part of a convex polygon where `inside`, which is linear, is above 0
/// (Sutherland and Hodgman 1974).
fn part_of(piece: &[DVec3], inside: impl Fn(DVec3) -> f64) -> impl Iterator<Item = DVec3> {
    let previous = piece.iter().cycle().skip(piece.len() - 1);
    piece.iter().zip(previous).flat_map(move |(&to, &from)| {
        let (at_to, at_from) = (inside(to), inside(from));
        let crosses = (at_to > 0.0) != (at_from > 0.0);
        // Both sides find this point to the bit: neighbours leave no gap.
        let crossing = crosses.then(|| match at_from > at_to {
            true => to.lerp(from, at_to / (at_to - at_from)),
            false => from.lerp(to, at_from / (at_from - at_to)),
        });
        crossing.into_iter().chain((at_to > 0.0).then_some(to))
    })
}

/// Returns the height along an axis below which a share of the area lies, and the whole area.
fn plane(pieces: &Pieces, axis: usize, share: f64) -> (f64, f64) {
    let mut slabs: Vec<Slab> = pieces.triangles().map(|t| Slab::new(t, axis)).collect();
    let total: f64 = slabs.iter().map(|slab| slab.area).sum();
    let target = share * total;
    // Heights with less and with more area below them, and these areas. `settled` is the area that
    // lies wholly below the first.
    let ends = slabs.iter().map(|slab| slab.heights);
    let (mut low, mut high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |ends, heights| {
        (ends.0.min(heights[0]), ends.1.max(heights[2]))
    });
    let (mut below_low, mut below_high, mut settled) = (0.0, total, 0.0);
    for round in 0..ROUNDS {
        // Halving always ends; every other time the chord gets there sooner.
        let along = match round % 2 {
            0 => (target - below_low) / (below_high - below_low),
            _ => 0.5,
        };
        let height = low + (high - low) * along;
        if !(low < height && height < high) {
            if round % 2 == 0 {
                continue;
            }
            break;
        }
        let below = settled + slabs.iter().map(|slab| slab.below(height)).sum::<f64>();
        if (below - target).abs() <= PART_TOLERANCE * total {
            return (height, total);
        }
        if below < target {
            (low, below_low) = (height, below);
            slabs.retain(|slab| {
                let above = slab.heights[2] > height;
                settled += if above { 0.0 } else { slab.area };
                above
            });
        } else {
            (high, below_high) = (height, below);
            slabs.retain(|slab| slab.heights[0] < height);
        }
    }
    (0.5 * (low + high), total)
}

/// A triangle as seen along an axis: the heights of its corners, rising, and its area.
struct Slab {
    heights: [f64; 3],
    area: f64,
}

impl Slab {
    fn new(piece: [DVec3; 3], axis: usize) -> Slab {
        let mut heights = piece.map(|p| p[axis]);
        heights.sort_unstable_by(f64::total_cmp);
        let area = area(piece);
        Slab { heights, area }
    }

    /// Returns the area below a height. The part that is cut off at either tip is similar to the
    /// triangle's part up to the middle corner, so it grows with the square of its height.
    fn below(&self, height: f64) -> f64 {
        let [low, middle, high] = self.heights;
        if height <= low {
            0.0
        } else if height >= high {
            self.area
        } else if height < middle {
            self.area * (height - low).powi(2) / ((middle - low) * (high - low))
        } else {
            self.area * (1.0 - (high - height).powi(2) / ((high - middle) * (high - low)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_across_the_axis_stays_whole() {
        // Nearly all of the area at one height: a plane has either all of it below or none.
        let flat = [DVec3::ZERO, DVec3::Y, DVec3::Z];
        let speck = [flat[0], flat[1], flat[2]].map(|p| DVec3::X * 10.0 + p * 1e-6);
        let mut pieces = Pieces::default();
        pieces.push(flat);
        pieces.push(speck);
        let mut cells = Vec::new();
        part(pieces, vec![DVec3::ZERO; 3], 2, &mut 100, &mut cells).expect("a cell");
        assert_eq!(cells.len(), 1);
        assert_eq!((cells[0].area, cells[0].roots), (0.5 + 0.5e-12, 3));
    }
}
