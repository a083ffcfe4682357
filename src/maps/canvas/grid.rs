//! Search for the places near a point: a regular grid of cells.

use glam::{DVec3, Vec3};

/// Side of a cell in texels: some dozens of places per cell, so that few are visited in vain.
const TEXELS_PER_CELL: f64 = 6.0;
/// Tolerance of the visited range of cells against rounding, as a share of the radius.
const SLACK: f64 = 1e-5;
/// Limit of the number of cells where there are fewer places than that.
const MIN_CELL_LIMIT: f64 = 4096.0;

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

/// Places in the order of their cells; x is the fastest axis.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub(super) places: Vec<Place>,
    /// The start of the places of each cell, and the end of the last cell.
    starts: Vec<u32>,
    low: DVec3,
    cell: f64,
    cells: [usize; 3],
}

impl Grid {
    /// Returns the grid, and for each of its places the index in the given list.
    pub(super) fn of(places: &[Place], texel_size: f32) -> (Grid, Vec<u32>) {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for place in places {
            low = low.min(place.position.as_dvec3());
            high = high.max(place.position.as_dvec3());
        }
        if places.is_empty() {
            (low, high) = (DVec3::ZERO, DVec3::ZERO);
        }
        let extent = high - low;
        let max_cells = MIN_CELL_LIMIT.max(places.len() as f64);
        let smallest = (extent.max_element() / 1024.0).max(1e-30);
        let mut cell = (TEXELS_PER_CELL * f64::from(texel_size)).max(smallest);
        let counts = |cell: f64| (extent / cell).floor() + 1.0;
        while counts(cell).element_product() > max_cells {
            cell *= 1.25;
        }
        let mut grid = Grid {
            places: Vec::new(),
            starts: Vec::new(),
            low,
            cell,
            cells: counts(cell).to_array().map(|count| count as usize),
        };
        let of_place: Vec<u32> = places.iter().map(|place| grid.cell_of(place)).collect();
        let [across, up, deep] = grid.cells;
        let mut starts = vec![0_u32; across * up * deep + 1];
        for &cell in &of_place {
            starts[cell as usize + 1] += 1;
        }
        for cell in 1..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        let mut next = starts.clone();
        let mut order = vec![0_u32; places.len()];
        for (at, &cell) in of_place.iter().enumerate() {
            order[next[cell as usize] as usize] = at as u32;
            next[cell as usize] += 1;
        }
        grid.starts = starts;
        grid.places = order.iter().map(|&at| places[at as usize]).collect();
        (grid, order)
    }

    /// The cell of a point along each axis, clamped to the grid.
    fn along(&self, p: DVec3) -> [usize; 3] {
        let at = ((p - self.low) / self.cell).to_array();
        // Casts saturate, and turn NaN into 0.
        std::array::from_fn(|axis| (at[axis] as usize).min(self.cells[axis] - 1))
    }

    fn cell_of(&self, place: &Place) -> u32 {
        let [x, y, z] = self.along(place.position.as_dvec3());
        ((z * self.cells[1] + y) * self.cells[0] + x) as u32
    }

    /// Calls `found` with the index of each place within a radius (decimetres, finite) of a point,
    /// the place, and the square of its distance, always in the same order.
    pub(crate) fn visit(
        &self,
        centre: Vec3,
        radius: f32,
        mut found: impl FnMut(usize, &Place, f32),
    ) {
        let (middle, reach) = (centre.as_dvec3(), f64::from(radius) * (1.0 + SLACK));
        let [_, y0, z0] = self.along(middle - reach);
        let [_, y1, z1] = self.along(middle + reach);
        for z in z0..=z1 {
            for y in y0..=y1 {
                // The remaining reach along x in this row of cells.
                let away = [y, z].map(|index| index as f64 * self.cell);
                let gap = |low: f64, at: f64, first: f64| {
                    (low + first - at)
                        .max(at - low - first - self.cell)
                        .max(0.0)
                };
                let dy = gap(self.low.y, middle.y, away[0]);
                let dz = gap(self.low.z, middle.z, away[1]);
                let left = reach * reach - dy * dy - dz * dz;
                if left < 0.0 {
                    continue;
                }
                let half = DVec3::X * (left.sqrt() + SLACK * self.cell);
                let row = (z * self.cells[1] + y) * self.cells[0];
                let [first, ..] = self.along(middle - half);
                let [last, ..] = self.along(middle + half);
                let range = self.starts[row + first] as usize..self.starts[row + last + 1] as usize;
                for (at, place) in range.clone().zip(&self.places[range]) {
                    let distance2 = place.position.distance_squared(centre);
                    if distance2 <= radius * radius {
                        found(at, place, distance2);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scattered(points: &[[f32; 3]]) -> Vec<Place> {
        let place = |(texel, &point): (usize, &[f32; 3])| Place {
            texel: texel as u32,
            position: Vec3::from(point),
        };
        points.iter().enumerate().map(place).collect()
    }

    proptest! {
        #[test]
        fn exactly_the_places_in_reach_are_visited(
            points in prop::collection::vec([-2.0_f32..2.0, -1.0_f32..1.0, -0.1_f32..0.1], 0..200),
            centre in [-3.0_f32..3.0, -3.0_f32..3.0, -1.0_f32..1.0],
            radius in 0.001_f32..3.0,
            texel_size in 0.0_f32..0.2,
        ) {
            let places = scattered(&points);
            let (grid, order) = Grid::of(&places, texel_size);
            let centre = Vec3::from(centre);
            let mut found = Vec::new();
            grid.visit(centre, radius, |at, place, _| {
                assert_eq!(places[order[at] as usize], *place);
                found.push(place.texel);
            });
            found.sort_unstable();
            let near = |p: &&Place| p.position.distance_squared(centre) <= radius * radius;
            let expected: Vec<u32> = places.iter().filter(near).map(|p| p.texel).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn places_far_apart_take_no_more_cells_than_places() {
        let places = scattered(&[[-3e38; 3], [0.0; 3], [1e-38, 0.0, 0.0], [3e38; 3]]);
        let (grid, _) = Grid::of(&places, 1e-3);
        assert!(grid.starts.len() < 5000);
        let mut found = 0;
        grid.visit(Vec3::ZERO, 1.0, |_, _, _| found += 1);
        assert_eq!(found, 2);
    }
}
