//! All of a picture that stays as it is while a map is painted.

use super::Flat;
use super::lines::Lines;
use super::relief::relief;
use crate::head::Part;
use glam::{DVec2, DVec3, Vec2, Vec3};
use rayon::prelude::*;

/// No triangle.
pub(super) const NONE: u32 = u32::MAX;
/// How strong edges are, 0 to 1, where they are far apart.
const EDGE: f64 = 0.5;
/// In triangles as small as the first (pixels across) edges fade, as they would hide what is under
/// them; from the second on they are as strong as they get.
const FADING: [f64; 2] = [1.5, 20.0];
/// How much its relief adds to how bright the skin is.
const RELIEF: f32 = 0.5;
/// What is left of the texture where no skin is.
const DIM: f32 = 0.1;
/// What it is dimmed towards, sRGB.
const DARK: Vec3 = Vec3::new(0.045, 0.05, 0.06);

/// The pixels of a picture, rows from the top.
#[derive(Debug)]
pub(super) struct Ground {
    pub side: u32,
    pub pixels: Vec<Pixel>,
}

/// What is known of a pixel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pixel {
    /// Of the part; [`NONE`] where no skin is.
    pub triangle: u32,
    /// Weights of its second and third corner, of 65,535.
    weights: [u16; 2],
    /// How far the skin's colour is from its own grey; the colour itself where no skin is.
    color: [i16; 3],
    /// How much brighter the skin is than all of it in the mean, and how its relief is lit.
    detail: i16,
    /// How strong the lines are, 0 to 255: of edges, and of borders.
    pub lines: [u8; 2],
}

impl Pixel {
    pub(super) fn weights(&self) -> Vec3 {
        let [second, third] = self.weights;
        let (second, third) = (f32::from(second) / 65535.0, f32::from(third) / 65535.0);
        Vec3::new((1.0 - second - third).max(0.0), second, third)
    }

    pub(super) fn color(&self) -> Vec3 {
        // Every pixel of every picture comes by here, and `map` of arrays is not inlined.
        let [red, green, blue] = self.color;
        Vec3::new(red.into(), green.into(), blue.into()) * (1.0 / 32767.0)
    }

    pub(super) fn detail(&self) -> f32 {
        f32::from(self.detail) / 32767.0
    }
}

impl Ground {
    pub(super) fn of(flat: &Flat, part: &Part, side: u32) -> Self {
        let lines = Lines::of(part, side);
        let wide = 1.0 / f64::from(side);
        let of = |index: usize| {
            let (row, column) = (index / side as usize, index % side as usize);
            let at = (DVec2::new(column as f64, row as f64) + 0.5) * wide;
            let hit = flat.hit(part, at.as_vec2());
            let corners = |triangle: u32| part.triangles.get(triangle as usize).copied();
            let on_skin = hit.and_then(|hit| Some((hit.triangle, corners(hit.triangle)?, hit)));
            let place = on_skin.as_ref().map(|(_, of, hit)| (*of, hit.weights));
            let color = flat.skin.color(part, at, wide, place);
            let [edges, borders] = lines.pixels[index];
            let mut pixel = Pixel {
                triangle: NONE,
                weights: [0; 2],
                color: [0; 3],
                detail: 0,
                lines: [0, borders],
            };
            match on_skin {
                Some((triangle, _, hit)) => {
                    let across = (hit.area * 2.0).sqrt() * f64::from(side);
                    let fade = (across - FADING[0]) / (FADING[1] - FADING[0]);
                    pixel.lines[0] = (f64::from(edges) * EDGE * fade.clamp(0.0, 1.0)) as u8;
                    let grey = luma(color);
                    pixel.triangle = triangle;
                    pixel.weights = short(hit.weights);
                    pixel.color = (color - grey).to_array().map(stored);
                    pixel.detail = stored(grey);
                }
                None => {
                    let rest = match flat.skin.has_texture() {
                        true => Vec3::splat(luma(color)).lerp(color, 0.5) * DIM,
                        false => Vec3::ZERO,
                    };
                    pixel.color = (DARK + rest).to_array().map(stored);
                }
            }
            pixel
        };
        let count = side as usize * side as usize;
        let mut pixels: Vec<Pixel> = (0..count).into_par_iter().map(of).collect();
        about_their_mean(&mut pixels);
        let relief = relief(part, &pixels, side as usize);
        for (pixel, relief) in pixels.iter_mut().zip(relief) {
            pixel.detail = (pixel.detail).saturating_add(stored(relief * RELIEF));
        }
        Self { side, pixels }
    }
}

/// Makes of how bright pixels of the skin are how much brighter than their mean.
fn about_their_mean(pixels: &mut [Pixel]) {
    let (mut sum, mut count) = (0_i64, 0_i64);
    for pixel in pixels.iter().filter(|pixel| pixel.triangle != NONE) {
        sum += i64::from(pixel.detail);
        count += 1;
    }
    let mean = (sum / count.max(1)) as i16;
    for pixel in pixels.iter_mut().filter(|pixel| pixel.triangle != NONE) {
        pixel.detail -= mean;
    }
}

fn short(weights: DVec3) -> [u16; 2] {
    let weights = Vec2::new(weights.y as f32, weights.z as f32);
    weights.to_array().map(|weight| (weight * 65535.0) as u16)
}

/// −1 to 1.
fn stored(value: f32) -> i16 {
    (value * 32767.0).round() as i16
}

/// Rec. 709 weights, as maps take the luma of pictures.
pub(super) fn luma(color: Vec3) -> f32 {
    color.dot(Vec3::new(0.2126, 0.7152, 0.0722))
}
