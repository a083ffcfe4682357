//! Sampling maps at points of the skin.

use super::map::{Layout, Map};
use crate::head::Part;
use glam::{Vec2, Vec3};

impl Map {
    /// Returns the first number of the value at a point of a triangle, 0 to 1: the value of grey
    /// maps.
    ///
    /// `corners` are vertices of the part, `weights` sum to 1. Pictures are bilinear in the part's
    /// UVs and tile; values per vertex are interpolated. The value is neutral if the part has no
    /// such vertex or UV.
    pub fn sample(&self, part: &Part, corners: [u32; 3], weights: Vec3) -> f32 {
        let [first, ..] = self.sample_rgb(part, corners, weights);
        first
    }

    /// Returns all three numbers of the value at a point of a triangle, as [`Map::sample`]; grey is
    /// repeated three times.
    pub fn sample_rgb(&self, part: &Part, corners: [u32; 3], weights: Vec3) -> [f32; 3] {
        let found = match self.layout {
            Layout::Picture { width, height } => {
                let uv = uv_at(part, corners, weights);
                uv.map(|uv| self.bilinear(uv, [width, height]))
            }
            Layout::Vertices(_) => {
                let value = |v: u32| Some(Vec3::from(self.stored(v as usize)?.map(f32::from)));
                let weighted = corners.into_iter().zip(weights.to_array());
                let sum: Option<Vec3> = weighted.map(|(v, weight)| Some(value(v)? * weight)).sum();
                sum.map(|sum| (sum / 65535.0).to_array())
            }
        };
        let finite = |value: &[f32; 3]| value.iter().all(|number| number.is_finite());
        found.filter(finite).unwrap_or(self.kind.neutral())
    }

    /// Returns `true` if both maps store the same values where they are sampled at a point of a
    /// triangle; `false` if their layouts differ, or if there is nothing to sample.
    pub fn agrees(&self, other: &Map, part: &Part, corners: [u32; 3], weights: Vec3) -> bool {
        let same = |index: usize| {
            let stored = self.stored(index);
            stored.is_some() && stored == other.stored(index)
        };
        match self.layout {
            layout if layout != other.layout => false,
            Layout::Vertices(_) => corners.into_iter().all(|corner| same(corner as usize)),
            Layout::Picture { width, height } => uv_at(part, corners, weights).is_some_and(|uv| {
                let ((columns, _), (rows, _)) = (ends(uv.x, width), ends(uv.y, height));
                let row = |row: usize| columns.map(|column| row * width as usize + column);
                rows.into_iter().flat_map(row).all(same)
            }),
        }
    }

    /// Returns the bilinear value of a picture at a finite UV (v down), each number 0 to 1.
    pub(super) fn bilinear(&self, uv: Vec2, [width, height]: [u32; 2]) -> [f32; 3] {
        let ((columns, right), (rows, down)) = (ends(uv.x, width), ends(uv.y, height));
        let at = |row: usize, column: usize| {
            let value = self.stored(row * width as usize + column);
            value.unwrap_or_default().map(f64::from)
        };
        let [[a, b], [c, d]] = rows.map(|row| columns.map(|column| at(row, column)));
        std::array::from_fn(|n| {
            let upper = a[n] + (b[n] - a[n]) * right;
            let lower = c[n] + (d[n] - c[n]) * right;
            ((upper + (lower - upper) * down) / 65535.0) as f32
        })
    }
}

/// Returns the UV of a point of a triangle; `None` if there is none that is finite.
fn uv_at(part: &Part, corners: [u32; 3], weights: Vec3) -> Option<Vec2> {
    let uvs = part.uvs.as_ref()?;
    let weighted = corners.into_iter().zip(weights.to_array());
    let weighted = weighted.map(|(v, weight)| Some(*uvs.get(v as usize)? * weight));
    weighted.sum::<Option<Vec2>>().filter(|uv| uv.is_finite())
}

/// Returns the two of `count` values along an axis of a tiled picture that a coordinate lies
/// between, and the share of the second.
fn ends(at: f32, count: u32) -> ([usize; 2], f64) {
    let at = f64::from(at).rem_euclid(1.0) * f64::from(count) - 0.5;
    let first = at.floor();
    let index = |at: f64| (at as i64).rem_euclid(count.into()) as usize;
    ([index(first), index(first + 1.0)], at - first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::MapKind;
    use crate::maps::test_parts::{picture_layout, quad};

    /// Four values: black, dark, mid, white.
    fn four(layout: Layout) -> Map {
        Map {
            kind: MapKind::Length,
            layout,
            has_coverage: false,
            values: vec![0, 13107, 26214, 65535],
        }
    }

    #[test]
    fn bilinear_values_are_those_computed_by_hand() {
        let map = four(picture_layout(2, 2));
        for (u, v, expected) in [
            // Centres hold what is stored; v goes down.
            (0.25, 0.25, 0.0),
            (0.75, 0.25, 0.2),
            (0.25, 0.75, 0.4),
            (0.75, 0.75, 1.0),
            (0.5, 0.5, 0.4),
            // 3/4 of the way right, 1/4 down: 0.75 · 0.15 + 0.25 · (0.4 + 0.75 · 0.6).
            (0.625, 0.375, 0.325),
            // Half the way to the next tile, and one tile further.
            (0.0, 0.25, 0.1),
            (-1.25, 0.25, 0.2),
        ] {
            let [value, ..] = map.bilinear(Vec2::new(u, v), [2, 2]);
            assert!((value - expected).abs() < 1e-6, "{u} {v}: {value}");
        }
    }

    #[test]
    fn every_uv_has_a_value() {
        let map = four(picture_layout(2, 2));
        for bad in [f32::NAN, f32::INFINITY, f32::MAX, -f32::MAX, 1e-45] {
            for uv in [Vec2::new(bad, 0.3), Vec2::new(0.3, bad)] {
                let value = map.sample(&quad(Some([uv; 4])), [0, 1, 2], Vec3::X);
                assert!((0.0..=1.0).contains(&value));
            }
        }
    }

    #[test]
    fn values_per_vertex_are_interpolated() {
        let map = four(Layout::Vertices(4));
        let at = |corners, x, y, z| map.sample(&quad(None), corners, Vec3::new(x, y, z));
        assert!((at([0, 1, 3], 0.0, 0.5, 0.5) - 0.6).abs() < 1e-6);
        assert!((at([3, 2, 1], 0.25, 0.5, 0.25) - 0.5).abs() < 1e-6);
        // A vertex that does not exist, and a weight that is no number.
        assert_eq!(at([0, 1, 4], 0.0, 0.5, 0.5), 1.0);
        assert_eq!(at([0, 1, 3], f32::NAN, 0.5, 0.5), 1.0);
    }
}
