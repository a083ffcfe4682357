//! One stroke on a map.

use super::brush::Brush;
use super::contents::{Change, Style};
use super::view::CameraError;
use super::visibility::SkinBall;
use crate::head::Part;
use crate::maps::{
    Canvas, Dab, Map, MapError, MapKind, MapUndo, UvLayout, UvPoint, value_of_direction,
};
use crate::roots::SampleError;
use glam::{Vec2, Vec3};
use std::f32::consts::FRAC_1_SQRT_2 as DIAGONAL;
use std::sync::Arc;

/// Texels along a side of a map that is painted and was not loaded.
pub const RESOLUTION: u32 = 1024;

/// Eight directions of unit length.
const AROUND: [[f32; 2]; 8] = [
    [1.0, 0.0],
    [DIAGONAL, DIAGONAL],
    [0.0, 1.0],
    [-DIAGONAL, DIAGONAL],
    [-1.0, 0.0],
    [-DIAGONAL, -DIAGONAL],
    [0.0, -1.0],
    [DIAGONAL, -DIAGONAL],
];

/// The effect of a stroke on the values of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Paint {
    /// Mixes the values with this one, each number 0 to 1; grey maps use the first.
    Value([f32; 3]),
    /// Mixes them with the direction of the stroke on the skin, for direction maps. A tap has no
    /// direction, and paints nothing.
    Along,
    /// Mixes them with the mean of those around.
    Smooth,
}

/// An error of painting a map.
#[derive(Debug, thiserror::Error)]
pub enum PaintError {
    /// Roots of bald skin could not be sampled.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// The map does not fit the model.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A picture shows nothing.
    #[error(transparent)]
    Picture(#[from] CameraError),
    /// The model has no usable UVs.
    #[error(
        "{part:?} has no usable UVs, so there is no flat layout of it to paint on: paint on the \
         head itself, or unwrap the model"
    )]
    NoUvs {
        /// The part that hair grows on.
        part: String,
    },
}

/// A stroke on a map that has not ended.
pub(super) struct Painting {
    pub(super) kind: MapKind,
    pub(super) paint: Paint,
    /// The map before the stroke.
    pub(super) before: Arc<Map>,
    /// `true` if the map was created for this stroke.
    pub(super) is_new: bool,
    /// The UV layout that is painted on, instead of the head.
    pub(super) sheet: Option<UvSheet>,
    /// The place of the brush in the last step.
    pub(super) last: Option<Vec3>,
}

impl Painting {
    /// Paints a dab at the brush.
    pub(super) fn step(&mut self, brush: &Brush, ball: SkinBall, map: &mut Map, canvas: &Canvas) {
        let SkinBall { centre, radius } = ball;
        let last = self.last.replace(centre);
        let value = match self.paint {
            Paint::Value(value) => Some(value),
            Paint::Smooth => None,
            Paint::Along => {
                let way = last.and_then(|last| (centre - last).try_normalize());
                let Some(way) = way else { return };
                Some(value_of_direction(way))
            }
        };
        let dab = Dab {
            centre,
            radius,
            strength: brush.strength,
            falloff: brush.falloff,
            value,
            mirror: brush.mirror,
        };
        map.dab(canvas, &dab);
    }

    /// Ends the stroke. Returns what undoes it; `None` if nothing was painted. A map that was
    /// created for it is then removed: it would be unsaved, with nothing to undo.
    pub(super) fn end(self, style: &mut Style) -> Option<Change> {
        let undo = MapUndo::between(&self.before, style.maps.get(&self.kind)?);
        if undo.is_empty() {
            self.cancel(style);
            return None;
        }
        Some(match self.is_new {
            true => Change::WholeMap(self.kind, None),
            false => Change::Map(self.kind, undo),
        })
    }

    /// Takes back what was painted.
    pub(super) fn cancel(self, style: &mut Style) {
        match self.is_new {
            true => style.maps.remove(&self.kind),
            false => style.maps.insert(self.kind, self.before),
        };
    }
}

/// A picture of the unit square of a UV layout, u right and v down.
pub(super) struct UvSheet {
    pub(super) layout: Arc<UvLayout>,
    /// Width and height, pixels.
    pub(super) size: Vec2,
}

impl UvSheet {
    /// Returns the skin under a pixel, and the radius there of a brush whose radius is in pixels.
    /// `None` if there is no skin, or beyond the picture.
    pub(super) fn ball(&self, part: &Part, at: Vec2, radius: f32) -> Option<SkinBall> {
        let within = at.min_element() >= 0.0 && at.cmplt(self.size).all();
        let found = within.then(|| self.layout.find(part, at / self.size))??;
        Some(SkinBall {
            centre: found.position,
            radius: self.radius(part, at, radius, found),
        })
    }

    /// The radius of a brush on the skin: twice the median distance on the skin to half of the
    /// brush's circle, in the directions of eight that have skin. A single triangle may be a
    /// sliver, and says little.
    fn radius(&self, part: &Part, at: Vec2, radius: f32, middle: UvPoint) -> f32 {
        let distance = |way: [f32; 2]| {
            let way = Vec2::from_array(way) * (0.5 * radius);
            let found = self.layout.find(part, (at + way) / self.size)?;
            Some(2.0 * found.position.distance(middle.position))
        };
        let mut distances: Vec<f32> = AROUND.into_iter().filter_map(distance).collect();
        distances.sort_by(f32::total_cmp);
        // Of a picture that is not square, the geometric mean of both sides.
        let side = self.size.element_product().sqrt();
        match distances.get(distances.len() / 2) {
            Some(&median) if distances.len() > 3 => median,
            _ => radius / side * middle.scale,
        }
    }
}
