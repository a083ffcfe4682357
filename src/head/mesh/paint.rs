//! Scalp paint: hair density from vertex colours.
//!
//! For black paint (the default) density is `1 - mean(R, G, B)` in linear values. For another
//! paint P it is the position of the colour on the line from white to P, less its distance from
//! that line, both in units of |1 - P|.

use crate::head::error::{LoadErrorKind, Result};
use crate::head::model::Paint;
use glam::{DVec3, Vec3};

/// Density below this is bald: exporters round white, and soft edges fade out.
pub const BALD: f32 = 0.02;
/// The smallest distance of a paint colour from white, which means bald.
const MIN_CONTRAST: f32 = 0.1;

/// The linear RGB colour of full paint, which converts colours to density.
#[derive(Clone, Copy)]
pub struct PaintColor(pub [f32; 3]);

impl PaintColor {
    /// Checks the setting `paint_color`.
    pub fn new(rgb: [f32; 3]) -> Result<Self> {
        let fail = |problem: &str| LoadErrorKind::Setting {
            name: "paint_color",
            problem: problem.to_owned(),
        };
        if !rgb.iter().all(|lane| (0.0..=1.0).contains(lane)) {
            return Err(fail("each of red, green and blue must be from 0 to 1"));
        }
        if (Vec3::ONE - Vec3::from(rgb)).length() < MIN_CONTRAST {
            return Err(fail(
                "white means bald; choose a colour that can be told from it",
            ));
        }
        Ok(PaintColor(rgb))
    }

    /// Returns the hair density of a linear colour, 0 to 1.
    pub fn density(self, [r, g, b, _]: [f32; 4]) -> f32 {
        let color = Vec3::new(r, g, b).clamp(Vec3::ZERO, Vec3::ONE);
        let density = match self.0 == [0.0; 3] {
            true => 1.0 - color.element_sum() / 3.0,
            false => {
                let (offset, paint) = (Vec3::ONE - color, Vec3::ONE - Vec3::from(self.0));
                let along = offset.dot(paint) / paint.length_squared();
                along - (offset - paint * along).length() / paint.length()
            }
        };
        match density < BALD {
            true => 0.0,
            false => density.min(1.0),
        }
    }

    /// Returns the paint in a colour set, if any vertex is painted.
    pub fn find(self, set: u32, colors: &[[f32; 4]]) -> Option<Paint> {
        let density = || colors.iter().map(|&color| self.density(color));
        let is_painted = density().any(|density| density > 0.0);
        is_painted.then(|| Paint {
            set,
            density: density().collect(),
        })
    }
}

/// Returns the triangles with paint at all three corners.
pub fn scalp_triangles<'a>(
    paint: &'a Paint,
    triangles: &'a [[u32; 3]],
) -> impl Iterator<Item = [u32; 3]> + 'a {
    let is_painted = |&corner: &u32| paint.density[corner as usize] > 0.0;
    let scalp = triangles.iter().copied();
    scalp.filter(move |corners| corners.iter().all(is_painted))
}

/// Returns the area of the triangles with paint at all three corners.
pub fn scalp_area(paint: &Paint, triangles: &[[u32; 3]], position: impl Fn(u32) -> DVec3) -> f64 {
    let areas = scalp_triangles(paint, triangles).map(|corners| {
        let [a, b, c] = corners.map(&position);
        (b - a).cross(c - a).length() / 2.0
    });
    areas.sum()
}
