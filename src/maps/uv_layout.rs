//! The UV layout of a part: which point of the skin lies at a point of its texture.

mod cells;
#[cfg(test)]
mod tests;

use super::uv_triangle::{UvTriangle, skin_area};
use crate::head::Part;
use cells::Cells;
use glam::{DVec3, Vec2, Vec3};

/// Largest ratio between the scale of a triangle and that of the whole part: UVs of slivers say
/// little.
const MAX_STRETCH: f64 = 16.0;

/// The UV layout of a part, for looking up points of the skin.
///
/// UVs beyond 0 to 1 tile, as maps do. Left out are triangles that have no area in UV space or
/// whose UVs are unusable, and all but the first 4,096 triangles that meet at one point. Methods
/// that take a part need the part that the layout was made of; with another one they find nothing,
/// or a wrong point.
#[derive(Debug)]
pub struct UvLayout {
    cells: Cells,
    /// Decimetres per unit of UV, the mean over the whole skin.
    scale: f64,
}

/// A point of the skin that was found by its UV.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UvPoint {
    /// The point, head space, decimetres.
    pub position: Vec3,
    /// Decimetres per unit of UV around it: the square root of the triangle's area on the skin over
    /// its area in UV space. At most 16 times larger or smaller than the mean over the part.
    pub scale: f32,
    /// The triangle, an index into [`Part::triangles`].
    pub triangle: u32,
    /// Barycentric weights of its corners.
    pub weights: Vec3,
}

impl UvLayout {
    /// Returns the layout of a part; `None` if it has no usable UVs.
    pub fn of_part(part: &Part) -> Option<Self> {
        let (mut on_skin, mut in_uv) = (0.0, 0.0);
        for (number, triangle) in uv_triangles(part) {
            on_skin += skin_area(part, part.triangles[number as usize]).unwrap_or(0.0);
            in_uv += triangle.area();
        }
        let scale = (on_skin / in_uv).sqrt();
        scale.is_finite().then(|| Self {
            cells: Cells::of(|| uv_triangles(part)),
            scale,
        })
    }

    /// Returns the point of the skin at a UV: u goes right and v down, as in glTF, and the unit
    /// square tiles. Of triangles that overlap, the first one of the part that contains the UV
    /// counts, or else the first one whose border the UV lies on but for rounding. `None` if there
    /// is no skin.
    pub fn find(&self, part: &Part, uv: Vec2) -> Option<UvPoint> {
        if !uv.is_finite() {
            return None;
        }
        let uvs = part.uvs.as_ref()?;
        let p = uv.as_dvec2().to_array().map(wrap_to_unit).into();
        let mut on_border = None;
        for &number in self.cells.at(p) {
            let corners = *part.triangles.get(number as usize)?;
            let triangle = UvTriangle::of(uvs, corners)?;
            match triangle.weights_in_tiles(p) {
                Some((weights, true)) => return self.point(part, number, &triangle, weights),
                Some((weights, false)) => {
                    on_border = on_border.or(Some((number, triangle, weights)));
                }
                None => {}
            }
        }
        let (number, triangle, weights) = on_border?;
        self.point(part, number, &triangle, weights)
    }

    fn point(
        &self,
        part: &Part,
        number: u32,
        triangle: &UvTriangle,
        weights: DVec3,
    ) -> Option<UvPoint> {
        let corners = part.triangles[number as usize];
        let mut position = DVec3::ZERO;
        for (corner, weight) in corners.into_iter().zip(weights.to_array()) {
            position += part.positions.get(corner as usize)?.as_dvec3() * weight;
        }
        let scale = (skin_area(part, corners)? / triangle.area()).sqrt();
        let scale = scale.clamp(self.scale / MAX_STRETCH, self.scale * MAX_STRETCH);
        position.is_finite().then(|| UvPoint {
            position: position.as_vec3(),
            scale: scale as f32,
            triangle: number,
            weights: weights.as_vec3(),
        })
    }
}

/// Returns the copies of each usable triangle, with its index into [`Part::triangles`], that reach
/// into the unit square: one, or one per tile that the triangle spans.
#[cfg(feature = "render")]
pub(crate) fn triangles_in_unit_square(
    part: &Part,
) -> impl Iterator<Item = (u32, [glam::DVec2; 3])> {
    uv_triangles(part).flat_map(|(number, triangle)| {
        let moved = move |tile| (number, triangle.corners.map(|corner| corner - tile));
        triangle.tiles().map(moved)
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
