//! The UV layout of a part: which point of the skin lies at a point of its texture.

#[cfg(test)]
mod tests;

use super::uv_triangle::{BORDER, UvTriangle, skin_area, tiles};
use crate::bvh::Bvh;
use crate::head::Part;
use glam::{DVec2, DVec3, Vec2, Vec3};

/// Largest ratio between the scale of a triangle and that of the whole part: UVs of slivers say
/// little.
const MAX_STRETCH: f64 = 16.0;
/// The squared distance that counts for a triangle around a point, and for one whose border the
/// point is on. Boxes of the tree are as near as the first where rounding moves them, and as near
/// as the second around borders.
const INSIDE2: f64 = BORDER * BORDER;
const ON_BORDER2: f64 = 4.0 * INSIDE2;

/// The UV layout of a part, for looking up points of the skin.
///
/// UVs beyond 0 to 1 tile, as maps do. Left out are triangles that have no area in UV space or
/// whose UVs are unusable. Methods that take a part need the part that the layout was made of; with
/// another one they find nothing, or a wrong point.
#[derive(Debug)]
pub(crate) struct UvLayout {
    /// Decimetres per unit of UV, the mean over the whole skin.
    scale: f64,
    /// The usable triangles as [`uv_triangles`] gives them: UVs as x and y.
    tree: Bvh,
    /// Their indices into [`Part::triangles`].
    numbers: Vec<u32>,
}

/// A point of the skin that was found by its UV.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct UvPoint {
    /// The point, head space, decimetres.
    pub(crate) position: Vec3,
    /// Decimetres per unit of UV around it: the square root of the triangle's area on the skin over
    /// its area in UV space. At most 16 times larger or smaller than the mean over the part.
    pub(crate) scale: f32,
}

impl UvLayout {
    /// Returns the layout of a part; `None` if it has no usable UVs.
    pub(crate) fn of_part(part: &Part) -> Option<Self> {
        let (mut on_skin, mut in_uv) = (0.0, 0.0);
        let (mut numbers, mut flat) = (Vec::new(), Vec::new());
        for (number, triangle) in uv_triangles(part) {
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
    pub(crate) fn find(&self, part: &Part, uv: Vec2) -> Option<UvPoint> {
        if !uv.is_finite() {
            return None;
        }
        let uvs = part.uvs.as_ref()?;
        let p: DVec2 = uv.as_dvec2().to_array().map(wrap_to_unit).into();
        let (low, high) = self.tree.bounds()?;
        let [low, high] = [low.as_dvec3() - BORDER, high.as_dvec3() + BORDER];
        let mut found: Option<(f64, u32, _)> = None;
        for tile in tiles(low.truncate(), high.truncate()) {
            let p = p + tile;
            let measure = |at: u32| {
                let corners = *part.triangles.get(self.numbers[at as usize] as usize)?;
                let triangle = UvTriangle::of(uvs, corners)?;
                let (weights, is_inside) = triangle.weights(p)?;
                let distance2 = if is_inside { INSIDE2 } else { ON_BORDER2 };
                Some((distance2, (corners, triangle, weights)))
            };
            let nearest = self.tree.nearest(p.extend(0.0), ON_BORDER2, measure);
            found = (found.into_iter().chain(nearest))
                .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        }
        let (.., (corners, triangle, weights)) = found?;
        let mut position = DVec3::ZERO;
        for (corner, weight) in corners.into_iter().zip(weights.to_array()) {
            position += part.positions.get(corner as usize)?.as_dvec3() * weight;
        }
        let scale = (skin_area(part, corners)? / triangle.area()).sqrt();
        let scale = scale.clamp(self.scale / MAX_STRETCH, self.scale * MAX_STRETCH);
        position.is_finite().then(|| UvPoint {
            position: position.as_vec3(),
            scale: scale as f32,
        })
    }
}

/// Returns the copies of each usable triangle, with its index into [`Part::triangles`], that reach
/// into the unit square: one, or one per tile that the triangle spans.
#[cfg(feature = "render")]
pub(crate) fn triangles_in_unit_square(part: &Part) -> impl Iterator<Item = (u32, [DVec2; 3])> {
    uv_triangles(part).flat_map(|(number, triangle)| {
        let moved = move |tile| (number, triangle.corners.map(|corner| corner - tile));
        let [low, high] = triangle.bounds();
        tiles(low, high).map(moved)
    })
}

/// The usable triangles of a part, with their indices into [`Part::triangles`].
fn uv_triangles(part: &Part) -> impl Iterator<Item = (u32, UvTriangle)> {
    let uvs = part.uvs.as_deref().unwrap_or_default();
    let triangle = |&corners| UvTriangle::of(uvs, corners);
    let numbered = (0..).zip(part.triangles.iter().map(triangle));
    numbered.filter_map(|(number, triangle)| Some((number, triangle?)))
}

/// Returns a coordinate wrapped to 0 to below 1.
fn wrap_to_unit(x: f64) -> f64 {
    let wrapped = x.rem_euclid(1.0);
    // Slightly negative numbers are rounded to 1.
    if wrapped < 1.0 { wrapped } else { 0.0 }
}
