//! Sampling maps at points of the skin.

use super::{Layout, Map};
use crate::head::{Part, Wrap};
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
            Layout::Picture { .. } => {
                let uv = uv_at(part, corners, weights);
                uv.map(|uv| self.sample_uv(uv, [Wrap::Repeat; 2]))
            }
            Layout::Vertices(_) => self.between(corners, weights),
        };
        let finite = |value: &[f32; 3]| value.iter().all(|number| number.is_finite());
        found.filter(finite).unwrap_or(self.kind.neutral())
    }

    /// Whether both maps store the same values where they are sampled at a point of a triangle.
    /// `false` if their layouts differ, or if there is nothing to sample.
    pub fn agrees(&self, other: &Map, part: &Part, corners: [u32; 3], weights: Vec3) -> bool {
        let same = |index: usize| {
            let stored = self.stored(index);
            stored.is_some() && stored == other.stored(index)
        };
        match self.layout {
            layout if layout != other.layout => false,
            Layout::Vertices(_) => corners.into_iter().all(|corner| same(corner as usize)),
            Layout::Picture { width, height } => {
                let uv = uv_at(part, corners, weights).filter(|uv| uv.is_finite());
                uv.is_some_and(|uv| {
                    let (columns, _) = ends(uv.x, width, Wrap::Repeat);
                    let (rows, _) = ends(uv.y, height, Wrap::Repeat);
                    let row = |row: usize| columns.map(|column| row * width as usize + column);
                    rows.into_iter().flat_map(row).all(same)
                })
            }
        }
    }

    /// Returns the bilinear value of a picture at a UV (v down), each number 0 to 1; grey is
    /// repeated three times. Neutral for maps that are not pictures, and for UVs that are not
    /// finite.
    pub fn sample_uv(&self, uv: Vec2, wrap: [Wrap; 2]) -> [f32; 3] {
        let Layout::Picture { width, height } = self.layout else {
            return self.kind.neutral();
        };
        if !uv.is_finite() {
            return self.kind.neutral();
        }
        let (columns, right) = ends(uv.x, width, wrap[0]);
        let (rows, down) = ends(uv.y, height, wrap[1]);
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

    /// Interpolates the values of three vertices.
    fn between(&self, corners: [u32; 3], weights: Vec3) -> Option<[f32; 3]> {
        let mut sum = Vec3::ZERO;
        for (corner, weight) in corners.into_iter().zip(weights.to_array()) {
            let value = self.stored(corner as usize)?;
            sum += Vec3::from(value.map(f32::from)) * weight;
        }
        Some((sum / 65535.0).to_array())
    }
}

fn uv_at(part: &Part, corners: [u32; 3], weights: Vec3) -> Option<Vec2> {
    let uvs = part.uvs.as_ref()?;
    let mut sum = Vec2::ZERO;
    for (corner, weight) in corners.into_iter().zip(weights.to_array()) {
        sum += *uvs.get(corner as usize)? * weight;
    }
    Some(sum)
}

/// Returns the two values along an axis that a coordinate lies between, and the share of the
/// second.
fn ends(at: f32, count: u32, wrap: Wrap) -> ([usize; 2], f64) {
    let at = f64::from(at);
    let at = match wrap {
        Wrap::Repeat => at.rem_euclid(1.0),
        Wrap::Clamp => at.clamp(0.0, 1.0),
        Wrap::Mirror => 1.0 - (at.rem_euclid(2.0) - 1.0).abs(),
    };
    let at = at * f64::from(count) - 0.5;
    let first = at.floor();
    let (count, first_index) = (i64::from(count), first as i64);
    let index = |index: i64| match wrap {
        Wrap::Repeat => index.rem_euclid(count) as usize,
        // At its border, a mirrored picture behaves as a clamped one.
        Wrap::Clamp | Wrap::Mirror => index.clamp(0, count - 1) as usize,
    };
    ([index(first_index), index(first_index + 1)], at - first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::MapKind;
    use crate::maps::test_parts::picture_layout;

    /// Two by two: black, dark, mid, white.
    fn four() -> Map {
        Map {
            kind: MapKind::Length,
            layout: picture_layout(2, 2),
            values: vec![0, 13107, 26214, 65535],
        }
    }

    #[test]
    fn bilinear_values_are_those_computed_by_hand() {
        let map = four();
        let at = |u, v, wrap| map.sample_uv(Vec2::new(u, v), [wrap; 2])[0];
        for wrap in [Wrap::Repeat, Wrap::Clamp, Wrap::Mirror] {
            // Centres hold what is stored; v goes down.
            assert_eq!(at(0.25, 0.25, wrap), 0.0);
            assert_eq!(at(0.75, 0.25, wrap), 0.2);
            assert_eq!(at(0.25, 0.75, wrap), 0.4);
            assert_eq!(at(0.75, 0.75, wrap), 1.0);
            assert!((at(0.5, 0.5, wrap) - 0.4).abs() < 1e-6);
            // 3/4 of the way right, 1/4 down: 0.75 · 0.15 + 0.25 · (0.4 + 0.75 · 0.6).
            assert!((at(0.625, 0.375, wrap) - 0.325).abs() < 1e-6);
        }
        // A border is half the way to the other side, or itself.
        assert!((at(0.0, 0.25, Wrap::Repeat) - 0.1).abs() < 1e-6);
        assert_eq!(at(0.0, 0.25, Wrap::Clamp), 0.0);
        assert_eq!(at(0.0, 0.25, Wrap::Mirror), 0.0);
        // One tile further, and beyond the edge.
        assert_eq!(at(-1.25, 0.25, Wrap::Repeat), 0.2);
        assert_eq!(at(-1.25, 0.25, Wrap::Clamp), 0.0);
        assert_eq!(at(-0.75, 0.25, Wrap::Mirror), 0.2);
    }

    #[test]
    fn no_coordinate_breaks_it() {
        let map = four();
        for bad in [f32::NAN, f32::INFINITY, f32::MAX, -f32::MAX, 1e-45] {
            for wrap in [Wrap::Repeat, Wrap::Clamp, Wrap::Mirror] {
                for uv in [Vec2::new(bad, 0.3), Vec2::new(0.3, bad)] {
                    let value = map.sample_uv(uv, [wrap; 2])[0];
                    assert!((0.0..=1.0).contains(&value));
                }
            }
        }
    }

    #[test]
    fn values_per_vertex_are_interpolated() {
        let map = Map {
            layout: Layout::Vertices(4),
            ..four()
        };
        let part = crate::maps::test_parts::quad(None);
        let at = |corners, x, y, z| map.sample(&part, corners, Vec3::new(x, y, z));
        assert!((at([0, 1, 3], 0.0, 0.5, 0.5) - 0.6).abs() < 1e-6);
        assert!((at([3, 2, 1], 0.25, 0.5, 0.25) - 0.5).abs() < 1e-6);
        // A vertex that is not there, and weights that are no numbers.
        assert_eq!(at([0, 1, 4], 0.0, 0.5, 0.5), 1.0);
        assert_eq!(at([0, 1, 3], f32::NAN, 0.5, 0.5), 1.0);
    }
}
