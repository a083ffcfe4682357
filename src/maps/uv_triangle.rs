//! One triangle of a part in UV space, and its area on the skin.

use crate::head::Part;
use glam::{DVec2, DVec3, Vec2};

/// Largest absolute UV coordinate that is used: beyond it `f32` is too coarse to tell texels apart.
const MAX_UV: f32 = 65536.0;
/// Largest number of tiles (unit squares of UV) that a triangle may span along an axis.
const MAX_TILES: f64 = 8.0;
/// Triangles with less than twice this area, in square units of UV, are degenerate.
const MIN_TWICE_AREA: f64 = 1e-14;
/// Points at most this far outside a triangle, in units of UV, count as on its border: UVs are
/// `f32`.
pub(super) const BORDER: f64 = 1e-6;
/// Upper limit of [`BORDER`] as a barycentric weight, for slivers.
const MAX_BORDER_WEIGHT: f64 = 0.01;

/// Returns the UVs of a triangle, moved by whole tiles so that the least coordinates lie in 0 to 1.
///
/// `None` if a corner does not exist, is not finite or too far away, or if the triangle spans too
/// many tiles.
pub(super) fn tiled_corners(uvs: &[Vec2], corners: [u32; 3]) -> Option<[DVec2; 3]> {
    let [a, b, c] = corners.map(|v| uvs.get(v as usize));
    let uvs = [*a?, *b?, *c?];
    if !uvs.iter().all(|uv| uv.abs().max_element() <= MAX_UV) {
        return None;
    }
    let [a, b, c] = uvs.map(|uv| uv.as_dvec2());
    let low = a.min(b).min(c);
    let spans_few_tiles = (a.max(b).max(c) - low).max_element() <= MAX_TILES;
    spans_few_tiles.then(|| [a, b, c].map(|uv| uv - low.floor()))
}

/// Returns the area of a triangle on the skin, square decimetres. `None` if it has none that is
/// finite.
pub(crate) fn skin_area(part: &Part, corners: [u32; 3]) -> Option<f64> {
    let [a, b, c] = corners.map(|v| part.positions.get(v as usize));
    let (a, b, c) = (a?.as_dvec3(), b?.as_dvec3(), c?.as_dvec3());
    let area = (b - a).cross(c - a).length() * 0.5;
    area.is_finite().then_some(area)
}

/// Returns the barycentric weights of a point. `twice_area` is the signed area of the triangle,
/// times two.
pub(super) fn weights(p: DVec2, [a, b, c]: [DVec2; 3], twice_area: f64) -> DVec3 {
    let second = (p - a).perp_dot(c - a) / twice_area;
    let third = (b - a).perp_dot(p - a) / twice_area;
    DVec3::new(1.0 - second - third, second, third)
}

/// Returns the tiles that a box reaches, as offsets from the unit square.
pub(super) fn tiles(low: DVec2, high: DVec2) -> impl Iterator<Item = DVec2> {
    let [low, high] = [low, high].map(|corner| corner.floor().as_ivec2());
    let row = move |y| (low.x..=high.x).map(move |x| DVec2::new(f64::from(x), f64::from(y)));
    (low.y..=high.y).flat_map(row)
}

/// A triangle with an area in UV space, moved by whole tiles so that its least coordinates lie in
/// 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct UvTriangle {
    pub(super) corners: [DVec2; 3],
    /// Signed.
    twice_area: f64,
}

impl UvTriangle {
    /// `None` as for [`tiled_corners`], and if the triangle has no area.
    pub(super) fn of(uvs: &[Vec2], corners: [u32; 3]) -> Option<Self> {
        let corners @ [a, b, c] = tiled_corners(uvs, corners)?;
        let twice_area = (b - a).perp_dot(c - a);
        (twice_area.abs() > MIN_TWICE_AREA).then_some(Self {
            corners,
            twice_area,
        })
    }

    /// The area in square units of UV.
    pub(super) fn area(&self) -> f64 {
        self.twice_area.abs() * 0.5
    }

    /// The lower and the upper corner of the bounding box with its border.
    #[cfg(feature = "render")]
    pub(super) fn bounds(&self) -> [DVec2; 2] {
        let [a, b, c] = self.corners;
        [a.min(b).min(c) - BORDER, a.max(b).max(c) + BORDER]
    }

    /// Returns the barycentric weights of a point, and whether the point is inside; otherwise it is
    /// on the border.
    pub(super) fn weights(&self, p: DVec2) -> Option<(DVec3, bool)> {
        let [a, b, c] = self.corners;
        let weights = weights(p, self.corners, self.twice_area);
        if weights.min_element() >= 0.0 {
            return Some((weights, true));
        }
        let opposite = DVec3::new(b.distance(c), c.distance(a), a.distance(b));
        let border = opposite * (BORDER / self.twice_area.abs());
        let border = border.min(DVec3::splat(MAX_BORDER_WEIGHT));
        let inside = weights.max(DVec3::ZERO);
        ((weights + border).min_element() >= 0.0).then(|| (inside / inside.element_sum(), false))
    }
}
