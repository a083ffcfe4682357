//! Scalp paint: hair density from vertex colours.
//!
//! For black paint (the default) density is `1 - mean(R, G, B)` in linear values.
//! For another paint P it is how far the colour lies from white towards P, less
//! its distance from that line, both in units of |1 - P|.

use super::Paint;
use super::error::{LoadErrorKind, Result};
use glam::{DVec3, Vec3};

/// Density below this is bald: exporters round white, and smooth edges fade out.
pub const BALD: f32 = 0.02;
/// Paint nearer to white than this could not be told from bare skin.
const LEAST_PAINT: f32 = 0.1;

/// Turns colours into density.
#[derive(Clone, Copy)]
pub struct PaintColor {
    /// 1 − P; none for black.
    from_white: Option<Vec3>,
}

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
        let from_white = Vec3::ONE - Vec3::from(rgb);
        if from_white.length() < LEAST_PAINT {
            return Err(fail(
                "white means bald; choose a colour that can be told from it",
            ));
        }
        let from_white = (rgb != [0.0; 3]).then_some(from_white);
        Ok(PaintColor { from_white })
    }

    /// Hair density of a linear colour, 0 to 1.
    pub fn density(self, color: [f32; 4]) -> f32 {
        let color = Vec3::new(color[0], color[1], color[2]).clamp(Vec3::ZERO, Vec3::ONE);
        let density = match self.from_white {
            None => 1.0 - color.element_sum() / 3.0,
            Some(paint) => {
                let away = Vec3::ONE - color;
                let along = away.dot(paint) / paint.length_squared();
                along - (away - paint * along).length() / paint.length()
            }
        };
        if density < BALD {
            0.0
        } else {
            density.min(1.0)
        }
    }

    /// The paint in a set of colours, if any vertex is painted.
    pub fn find(self, set: u32, colors: &[[f32; 4]]) -> Option<Paint> {
        if !colors.iter().any(|&color| self.density(color) > 0.0) {
            return None;
        }
        let density = colors.iter().map(|&color| self.density(color)).collect();
        Some(Paint { set, density })
    }
}

/// White through and through, as exporters write it when nothing is painted.
pub fn is_white(colors: &[[f32; 4]]) -> bool {
    colors.iter().flatten().all(|&lane| lane >= 0.999)
}

/// Area of the triangles with paint at all three corners.
pub fn scalp_area(paint: &Paint, triangles: &[[u32; 3]], position: impl Fn(u32) -> DVec3) -> f64 {
    let painted = |&corner: &u32| paint.density[corner as usize] > 0.0;
    let scalp = triangles
        .iter()
        .filter(|corners| corners.iter().all(painted));
    scalp
        .map(|&[a, b, c]| {
            let (a, b, c) = (position(a), position(b), position(c));
            (b - a).cross(c - a).length() / 2.0
        })
        .sum()
}
