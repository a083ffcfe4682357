//! A part's UV layout as a canvas: the skin laid out flat.
//!
//! | file | one thing |
//! |---|---|
//! | `shape` | one triangle in the square |
//! | `cells` | the triangles near a place |
//! | `skin` | what the skin looks like: texture, vertex colours |
//! | `lines` | the lines of the layout |
//! | `relief` | noses, ears and lips, lit |
//! | `ground` | all of a picture that stays as it is while a map is painted |
//! | `shade` | a map's values, laid over it |

mod cells;
mod ground;
mod lines;
mod relief;
mod shade;
mod shape;
mod skin;
#[cfg(test)]
mod tests;

use super::{Map, MapKind};
use crate::head::{Head, Part};
use cells::Cells;
use glam::{DVec2, DVec3, Vec2, Vec3};
use ground::Ground;
use shape::{Shape, fold};
use skin::Skin;
use std::sync::{Arc, Mutex, PoisonError};

/// Longest side of a picture, pixels.
const MAX_PICTURE: u32 = 2048;
/// How much more or less skin than the mean a unit of UV may be: slivers say anything.
const MOST_STRETCH: f64 = 16.0;

/// A part's UV layout: what of the skin is where in the square of its texture.
///
/// UVs beyond 0 to 1 tile, as maps do. Triangles without an area in the square, or with UVs that
/// are no numbers or make no sense, are left out, as is what is beyond the first 4,096 triangles
/// that meet in one place. Every method that takes a part wants the one that it was made of, and
/// finds nothing, or something senseless, with another.
#[derive(Debug)]
pub struct Flat {
    cells: Cells,
    /// Decimetres for a unit of UV, over all of the skin.
    scale: f64,
    skin: Skin,
    /// Of the last picture, as the next one is most likely as large.
    ground: Mutex<Option<Arc<Ground>>>,
}

/// A place of a [`Flat`] where there is skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatPoint {
    /// The point of the skin, head space, decimetres.
    pub position: Vec3,
    /// Decimetres for a unit of UV around it: the square root of what the triangle's area is on
    /// the skin for one in the square; at most 16 times more or less than that of the whole part.
    pub scale: f32,
    /// The triangle, an index into [`Part::triangles`].
    pub triangle: u32,
    /// Weights of its corners; they sum to 1.
    pub weights: Vec3,
}

impl Flat {
    /// The layout of a part. Its pictures show vertex colours, or grey where it has none; those of
    /// [`Flat::of_head`] show textures too.
    ///
    /// `None`: the part has no UVs, or none that are of use.
    pub fn of_part(part: &Part) -> Option<Self> {
        Self::new(part, Skin::of_part(part))
    }

    /// The layout of a part of a head, whose pictures show its base colour texture.
    ///
    /// `None`: as [`Flat::of_part`].
    pub fn of_head(head: &Head, part: &Part) -> Option<Self> {
        Self::new(part, Skin::of_head(head, part))
    }

    fn new(part: &Part, skin: Skin) -> Option<Self> {
        let (mut on_skin, mut in_square) = (0.0, 0.0);
        for (shape, corners) in shapes(part).flatten() {
            on_skin += skin_area(part, corners).unwrap_or(0.0);
            in_square += shape.area();
        }
        let scale = (on_skin / in_square).sqrt();
        scale.is_finite().then(|| Self {
            cells: Cells::of(|| shapes(part).map(|shape| Some(shape?.0))),
            scale,
            skin,
            ground: Mutex::new(None),
        })
    }

    /// The skin at a place of the square: u goes right and v down, as in glTF, and beyond 0 to 1
    /// the square tiles, as maps do. Where triangles overlap, the first of the part's that has the
    /// place inside, else the first whose border it is on but for rounding. `None`: no skin there.
    pub fn find(&self, part: &Part, uv: Vec2) -> Option<FlatPoint> {
        let hit = self.hit(part, uv)?;
        let corners = *part.triangles.get(hit.triangle as usize)?;
        let mut position = DVec3::ZERO;
        for (corner, weight) in corners.into_iter().zip(hit.weights.to_array()) {
            position += part.positions.get(corner as usize)?.as_dvec3() * weight;
        }
        let scale = (skin_area(part, corners)? / hit.area).sqrt();
        let scale = scale.clamp(self.scale / MOST_STRETCH, self.scale * MOST_STRETCH);
        position.is_finite().then(|| FlatPoint {
            position: position.as_vec3(),
            scale: scale as f32,
            triangle: hit.triangle,
            weights: hit.weights.as_vec3(),
        })
    }

    fn hit(&self, part: &Part, uv: Vec2) -> Option<Hit> {
        if !uv.is_finite() {
            return None;
        }
        let uvs = part.uvs.as_ref()?;
        let at = DVec2::new(fold(uv.x.into()), fold(uv.y.into()));
        let mut on_border = None;
        for &triangle in self.cells.at(at) {
            let corners = *part.triangles.get(triangle as usize)?;
            let shape = Shape::of(uvs, corners)?;
            let Some((weights, inside)) = shape.weights_folded(at) else {
                continue;
            };
            let hit = Hit {
                triangle,
                weights,
                area: shape.area(),
            };
            if inside {
                return Some(hit);
            }
            on_border = on_border.or(Some(hit));
        }
        on_border
    }

    /// A picture of the square to paint on, `side` (1 to 2,048, else the nearest of these) pixels
    /// each way: the skin in the light of the map's values, the lines of the layout, and what is no
    /// skin, dimmed. Without a map, of density: as the model is painted.
    ///
    /// Grey values are shown as brightness, over what is left of the skin's hue and detail;
    /// colours as they are stored. All but the values is kept from one picture to the next of the
    /// same size.
    pub fn picture(&self, part: &Part, map: Option<&Map>, side: u32) -> image::RgbaImage {
        let kind = map.map_or(MapKind::Density, Map::kind);
        self.picture_of(part, kind, map, side)
    }

    /// As [`Flat::picture`], of any kind of map; where it is not there yet, as painting would begin:
    /// density as the model is painted (bald where it is not), others neutral.
    pub fn picture_of(
        &self,
        part: &Part,
        kind: MapKind,
        map: Option<&Map>,
        side: u32,
    ) -> image::RgbaImage {
        let side = side.clamp(1, MAX_PICTURE);
        shade::picture(&self.ground(part, side), part, kind, map)
    }

    /// What stays as it is in pictures of a size.
    fn ground(&self, part: &Part, side: u32) -> Arc<Ground> {
        let kept = || self.ground.lock().unwrap_or_else(PoisonError::into_inner);
        let last = kept().clone().filter(|ground| ground.side == side);
        last.unwrap_or_else(|| {
            // Not while it is locked: a thread that waits for others to finish their rows may begin
            // another picture meanwhile.
            let made = Arc::new(Ground::of(self, part, side));
            *kept() = Some(made.clone());
            made
        })
    }
}

/// A triangle at a place of the square.
struct Hit {
    triangle: u32,
    weights: DVec3,
    /// Of the triangle, in square units of UV.
    area: f64,
}

/// All triangles of a part in the square, in their order; `None` for those that are left out.
fn shapes(part: &Part) -> impl Iterator<Item = Option<(Shape, [u32; 3])>> {
    let uvs = part.uvs.as_deref().unwrap_or_default();
    let triangles = part.triangles.iter();
    triangles.map(|&corners| Some((Shape::of(uvs, corners)?, corners)))
}

/// Square decimetres.
fn skin_area(part: &Part, corners: [u32; 3]) -> Option<f64> {
    let [a, b, c] = corners.map(|v| part.positions.get(v as usize));
    let (a, b, c) = (a?.as_dvec3(), b?.as_dvec3(), c?.as_dvec3());
    let area = (b - a).cross(c - a).length() * 0.5;
    area.is_finite().then_some(area)
}
