//! The triangles of a part in UV space, and which point of the skin lies at a UV.

#[cfg(test)]
mod tests;

use crate::bvh::Bvh;
use crate::head::Part;
use glam::{DVec2, DVec3, Vec2, Vec3};

/// Largest absolute UV coordinate that is used: beyond it `f32` is too coarse to tell texels apart.
const MAX_UV: f32 = 65536.0;
/// Largest number of tiles (unit squares of UV) that a triangle may span along an axis.
const MAX_TILES: f64 = 8.0;
/// Triangles with less than twice this area, in square units of UV, are degenerate.
const MIN_TWICE_AREA: f64 = 1e-14;
/// Points at most this far outside a triangle, in units of UV, count as on its border: UVs are
/// `f32`.
const BORDER: f64 = 1e-6;
/// Upper limit of [`BORDER`] as a barycentric weight, for slivers.
const MAX_BORDER_WEIGHT: f64 = 0.01;
/// Largest ratio between the scale of a triangle and that of the whole part: UVs of slivers say
/// little.
const MAX_STRETCH: f64 = 16.0;
/// Largest number of triangles that are looked at for one point; the area of all is at most as many
/// square units of UV.
const MAX_TRIANGLES: usize = 4096;
/// The squared distance that counts for a triangle around a point, and for one whose border the
/// point is on. Boxes of the tree are as near as the first where rounding moves them, and as near
/// as the second around borders.
const INSIDE2: f64 = BORDER * BORDER;
const ON_BORDER2: f64 = 4.0 * INSIDE2;

/// The UV layout of a part, for looking up points of the skin.
///
/// UVs beyond 0 to 1 tile, as maps do. Left out are triangles that have no area in UV space or
/// whose UVs are unusable, and those after which all would cover the unit square more than 4,096
/// times. At a point where more triangles than that meet, only as many are looked at. Methods that
/// take a part need the part that the layout was made of; with another one they find nothing, or a
/// wrong point.
#[derive(Debug)]
pub(crate) struct UvLayout {
    /// Decimetres per unit of UV, the mean over the whole skin.
    scale: f64,
    /// The usable triangles as [`uv_triangles`] gives them: UVs as x and y.
    tree: Bvh,
    /// Their indices into [`Part::triangles`].
    numbers: Vec<u32>,
}

impl UvLayout {
    /// Returns the layout of a part; `None` if it has no usable UVs.
    pub(crate) fn of_part(part: &Part) -> Option<Self> {
        let (mut on_skin, mut in_uv) = (0.0, 0.0);
        let (mut numbers, mut flat) = (Vec::new(), Vec::new());
        for (number, triangle) in uv_triangles(part) {
            if in_uv + triangle.area() > MAX_TRIANGLES as f64 {
                continue;
            }
            on_skin += skin_area(part, part.triangles[number as usize]).unwrap_or(0.0);
            in_uv += triangle.area();
            numbers.push(number);
            flat.push(triangle.corners.map(|corner| corner.as_vec2().extend(0.0)));
        }
        let scale = f64::sqrt(on_skin / in_uv);
        scale.is_finite().then(|| Self {
            scale,
            tree: Bvh::of(&flat),
            numbers,
        })
    }

    /// Returns the point of the skin at a UV: u goes right and v down, as in glTF, and the unit
    /// square tiles. Of triangles that overlap, the first one of the part that contains the UV
    /// counts, or else the first one whose border the UV lies on but for rounding. `None` if there
    /// is no skin.
    ///
    /// The second value is the scale there, decimetres per unit of UV: the square root of the
    /// triangle's area on the skin over its area in UV space. It is at most 16 times larger or
    /// smaller than the mean over the part.
    pub(crate) fn find(&self, part: &Part, uv: Vec2) -> Option<(Vec3, f32)> {
        if !uv.is_finite() {
            return None;
        }
        let uvs = part.uvs.as_ref()?;
        // Slightly negative numbers are rounded to 1.
        let wrapped = uv.as_dvec2().to_array().map(|x| x.rem_euclid(1.0));
        let p = DVec2::from(wrapped.map(|x| if x < 1.0 { x } else { 0.0 }));
        let (low, high) = self.tree.bounds()?;
        let [low, high] = [low.as_dvec3() - BORDER, high.as_dvec3() + BORDER];
        let (mut found, mut left): (Option<(f64, u32, _)>, _) = (None, MAX_TRIANGLES);
        for tile in tiles(low.truncate(), high.truncate()) {
            let p = p + tile;
            let measure = |at: u32| {
                let corners = *part.triangles.get(self.numbers[at as usize] as usize)?;
                let triangle = UvTriangle::of(uvs, corners)?;
                let (weights, is_inside) = triangle.weights(p)?;
                let distance2 = if is_inside { INSIDE2 } else { ON_BORDER2 };
                Some((distance2, (corners, triangle, weights)))
            };
            let nearest = (self.tree).nearest(p.extend(0.0), ON_BORDER2, &mut left, measure);
            found = (found.into_iter().chain(nearest))
                .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        }
        let (.., (corners, triangle, weights)) = found?;
        let at = |v: u32| Some(part.positions.get(v as usize)?.as_dvec3());
        let weighted = corners.into_iter().zip(weights.to_array());
        let position: Option<DVec3> = weighted.map(|(v, weight)| Some(at(v)? * weight)).sum();
        let position = position?;
        let scale = (skin_area(part, corners)? / triangle.area()).sqrt();
        let scale = scale.clamp(self.scale / MAX_STRETCH, self.scale * MAX_STRETCH);
        let found = (position.as_vec3(), scale as f32);
        position.is_finite().then_some(found)
    }
}

/// Returns the copies of each usable triangle, with its index into [`Part::triangles`], that reach
/// into the unit square: one, or one per tile that the triangle spans.
#[cfg(feature = "render")]
pub(crate) fn triangles_in_unit_square(part: &Part) -> impl Iterator<Item = (u32, [DVec2; 3])> {
    uv_triangles(part).flat_map(|(number, triangle)| {
        let moved = move |tile| (number, triangle.corners.map(|corner| corner - tile));
        let [a, b, c] = triangle.corners;
        let (low, high) = (a.min(b).min(c) - BORDER, a.max(b).max(c) + BORDER);
        tiles(low, high).map(moved)
    })
}

/// Returns the usable triangles of a part, with their indices into [`Part::triangles`].
fn uv_triangles(part: &Part) -> impl Iterator<Item = (u32, UvTriangle)> {
    let uvs = part.uvs.as_deref().unwrap_or_default();
    let triangle = |&corners| UvTriangle::of(uvs, corners);
    let numbered = (0..).zip(part.triangles.iter().map(triangle));
    numbered.filter_map(|(number, triangle)| Some((number, triangle?)))
}

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
fn tiles(low: DVec2, high: DVec2) -> impl Iterator<Item = DVec2> {
    let [low, high] = [low, high].map(|corner| corner.floor().as_ivec2());
    let row = move |y| (low.x..=high.x).map(move |x| DVec2::new(f64::from(x), f64::from(y)));
    (low.y..=high.y).flat_map(row)
}

/// A triangle with an area in UV space, moved by whole tiles so that its least coordinates lie in
/// 0 to 1.
#[derive(Clone, Copy, Debug)]
struct UvTriangle {
    corners: [DVec2; 3],
    /// Signed.
    twice_area: f64,
}

impl UvTriangle {
    /// `None` as for [`tiled_corners`], and if the triangle has no area.
    fn of(uvs: &[Vec2], corners: [u32; 3]) -> Option<Self> {
        let corners @ [a, b, c] = tiled_corners(uvs, corners)?;
        let twice_area = (b - a).perp_dot(c - a);
        (twice_area.abs() > MIN_TWICE_AREA).then_some(Self {
            corners,
            twice_area,
        })
    }

    /// Returns the area in square units of UV.
    fn area(&self) -> f64 {
        self.twice_area.abs() * 0.5
    }

    /// Returns the barycentric weights of a point, and whether the point is inside; otherwise it is
    /// on the border.
    fn weights(&self, p: DVec2) -> Option<(DVec3, bool)> {
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
