//! Noses, ears and lips, as light from above shows them: textures of skin may tell little of where
//! on a face one is.

use super::ground::{NONE, Pixel};
use crate::head::Part;
use glam::Vec3;
use rayon::prelude::*;

/// Where the light comes from, head space; of length 1.
const LIGHT: Vec3 = Vec3::new(0.26, 0.84, 0.48);
/// What is wider than this is left out, as a share of the picture's side: else all of the crown
/// would be bright, and nobody could tell that from a map's values.
const WIDEST: f32 = 0.035;

/// How much brighter than around it each pixel is lit, about −1 to 1.
pub(super) fn relief(part: &Part, pixels: &[Pixel], side: usize) -> Vec<f32> {
    let light = |pixel: &Pixel| {
        let corners = *part.triangles.get(pixel.triangle as usize)?;
        let mut normal = Vec3::ZERO;
        for (corner, weight) in corners.into_iter().zip(pixel.weights().to_array()) {
            normal += *part.normals.get(corner as usize)? * weight;
        }
        let lit = normal.dot(LIGHT);
        lit.is_finite().then_some(lit)
    };
    let lit: Vec<f32> = (pixels.par_iter().map(|pixel| light(pixel).unwrap_or(0.0))).collect();
    let on_skin = |index: usize| f32::from(u8::from(pixels[index].triangle != NONE));
    let reach = ((side as f32 * WIDEST) as usize).max(1);
    // Two boxes are nearly round.
    let mut around: Vec<[f32; 2]> = (lit.iter().enumerate())
        .map(|(index, &lit)| [lit * on_skin(index), on_skin(index)])
        .collect();
    for _ in 0..2 {
        around = turned(&means(&around, side, reach), side);
        around = turned(&means(&around, side, reach), side);
    }
    let lit = lit.iter().zip(around).zip(pixels);
    lit.map(|((lit, [sum, weight]), pixel)| match pixel.triangle {
        NONE => 0.0,
        _ => lit - sum / weight.max(f32::MIN_POSITIVE),
    })
    .collect()
}

/// Means along rows, `reach` to both sides.
fn means(values: &[[f32; 2]], side: usize, reach: usize) -> Vec<[f32; 2]> {
    let mut means = vec![[0.0; 2]; values.len()];
    let rows = means.par_chunks_mut(side).zip(values.par_chunks(side));
    rows.for_each(|(means, values)| {
        let mut sum = [0.0_f64; 2];
        let mut add = |index: Option<usize>, sign: f64| {
            if let Some(value) = index.and_then(|index| values.get(index)) {
                (0..2).for_each(|n| sum[n] += sign * f64::from(value[n]));
            }
            sum
        };
        (0..reach).for_each(|index| {
            add(Some(index), 1.0);
        });
        for (index, mean) in means.iter_mut().enumerate() {
            add(Some(index + reach), 1.0);
            let sum = add(index.checked_sub(reach + 1), -1.0);
            *mean = sum.map(|sum| (sum / (2 * reach + 1) as f64) as f32);
        }
    });
    means
}

/// Rows become columns.
fn turned(values: &[[f32; 2]], side: usize) -> Vec<[f32; 2]> {
    let at = |index: usize| values[index % side * side + index / side];
    (0..values.len()).into_par_iter().map(at).collect()
}
