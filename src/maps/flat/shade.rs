//! A map's values, laid over the skin.

use super::ground::{Ground, NONE, Pixel, luma};
use crate::head::{Part, Wrap};
use crate::maps::sample::ends;
use crate::maps::{Layout, Map, MapKind};
use glam::Vec3;
use rayon::prelude::*;

/// How bright the least of a map is shown, and how much brighter the most, sRGB.
pub(super) const GREYS: [f32; 2] = [0.13, 0.76];
/// How much of the skin's hue is left where a map is dark, and where it is bright.
const HUE: [f32; 2] = [0.45, 0.85];
/// How much of the skin's detail is left.
const DETAIL: f32 = 0.45;
/// How much lighter (on what is dark) or darker edges are.
const EDGE: f32 = 0.5;
/// How bright it is where they turn from one to the other, and how fast.
const TURN: [f32; 2] = [0.62, 8.0];
/// Borders of islands, sRGB.
const BORDER: Vec3 = Vec3::new(0.36, 0.72, 0.86);
/// How much of what is under them they cover.
const BORDER_COVERS: f32 = 0.85;

/// The picture.
pub(super) fn picture(
    ground: &Ground,
    part: &Part,
    kind: MapKind,
    map: Option<&Map>,
) -> image::RgbaImage {
    let side = ground.side as usize;
    let values = Values::of(part, kind, map, side);
    let mut bytes = vec![255_u8; side * side * 4];
    let rows = bytes.par_chunks_mut(side * 4);
    let rows = rows.zip(ground.pixels.par_chunks(side)).enumerate();
    rows.for_each(|(row, (bytes, pixels))| {
        let values = values.row(row);
        for (column, (bytes, pixel)) in bytes.chunks_exact_mut(4).zip(pixels).enumerate() {
            let color = shown(kind, pixel, || values.at(column, pixel));
            // Rounds, as none is negative; casts saturate.
            let byte = |c: f32| (c * 255.0 + 0.5) as u8;
            bytes[..3].copy_from_slice(&[byte(color.x), byte(color.y), byte(color.z)]);
        }
    });
    // A side is at least 1, and there are as many bytes as it takes.
    image::RgbaImage::from_raw(ground.side, ground.side, bytes).unwrap_or_default()
}

/// The colour of a pixel, sRGB.
fn shown(kind: MapKind, pixel: &Pixel, value: impl FnOnce() -> Vec3) -> Vec3 {
    let mut color = pixel.color();
    if pixel.triangle != NONE {
        let value = value();
        let detail = pixel.detail() * DETAIL;
        color = match kind.channels() {
            1 => {
                let hue = HUE[0] + (HUE[1] - HUE[0]) * value.x;
                let grey = GREYS[0] + GREYS[1] * value.x;
                // Detail is not to hide how dark the dark is.
                color * hue + (grey + detail * (0.6 + 0.4 * value.x))
            }
            _ => 0.05 + value * 0.9 + detail * 0.5,
        };
        color = color.clamp(Vec3::ZERO, Vec3::ONE);
    }
    let [edges, borders] = pixel.lines;
    let (edges, borders) = (f32::from(edges) / 255.0, f32::from(borders) / 255.0);
    if edges > 0.0 && pixel.triangle != NONE {
        let away = ((TURN[0] - luma(color)) * TURN[1]).clamp(-1.0, 1.0);
        color = (color + EDGE * away * edges).clamp(Vec3::ZERO, Vec3::ONE);
    }
    match borders > 0.0 {
        true => color.lerp(BORDER, borders * BORDER_COVERS),
        false => color,
    }
}

/// Where values come from.
enum Values<'a> {
    /// A map's picture, and for each column of pixels the two values beside it.
    Picture(&'a Map, Vec<Ends>),
    /// A map's values per vertex.
    Vertices(&'a Map, &'a Part),
    /// The model's own paint.
    Paint(&'a [f32], &'a Part),
    Same(Vec3),
}

/// Two values, and how far it is from the first to the second.
type Ends = ([usize; 2], f32);

/// The values of a row of pixels.
enum Row<'a> {
    /// Two rows of a map's numbers, how far it is from the upper to the lower, and which values of
    /// them are beside each column of pixels.
    Picture([&'a [u16]; 2], f32, &'a [Ends], usize),
    Other(&'a Values<'a>),
}

impl<'a> Values<'a> {
    fn of(part: &'a Part, kind: MapKind, map: Option<&'a Map>, side: usize) -> Self {
        match (map, map.map(Map::layout)) {
            (Some(map), Some(Layout::Picture { width, .. })) => {
                let columns = (0..side).map(|pixel| between(pixel, side, width));
                Values::Picture(map, columns.collect())
            }
            (Some(map), _) => Values::Vertices(map, part),
            (None, _) if kind == MapKind::Density => match &part.paint {
                Some(paint) => Values::Paint(&paint.density, part),
                None => Values::Same(Vec3::ZERO),
            },
            (None, _) => Values::Same(kind.neutral().into()),
        }
    }

    fn row(&'a self, row: usize) -> Row<'a> {
        let Values::Picture(map, columns) = self else {
            return Row::Other(self);
        };
        let Layout::Picture { width, height } = map.layout() else {
            return Row::Other(self);
        };
        let ([upper, lower], down) = between(row, columns.len(), height);
        let channels = map.kind().channels();
        let numbers = width as usize * channels;
        let row = |row: usize| map.values().get(row * numbers..).unwrap_or_default();
        Row::Picture([row(upper), row(lower)], down, columns, channels)
    }
}

impl Row<'_> {
    /// Each 0 to 1; grey in the first.
    fn at(&self, column: usize, pixel: &Pixel) -> Vec3 {
        match self {
            // As `Map::sample_uv` in the middle of a pixel, in singles.
            Row::Picture([upper, lower], down, columns, channels) => {
                let Some(&([left, right], share)) = columns.get(column) else {
                    return Vec3::ZERO;
                };
                let along = |row: &[u16]| {
                    let (left, right) = (color(row, left, *channels), color(row, right, *channels));
                    left + (right - left) * share
                };
                let (upper, lower) = (along(upper), along(lower));
                (upper + (lower - upper) * *down) * (1.0 / 65535.0)
            }
            Row::Other(Values::Vertices(map, part)) => {
                let corners = part.triangles.get(pixel.triangle as usize);
                let value = |&corners| map.sample_rgb(part, corners, pixel.weights());
                corners.map_or(Vec3::ZERO, |corners| value(corners).into())
            }
            Row::Other(Values::Paint(density, part)) => Vec3::splat(painted(density, part, pixel)),
            Row::Other(Values::Same(value)) => *value,
            Row::Other(Values::Picture(..)) => Vec3::ZERO,
        }
    }
}

/// A value of a row of numbers as they are stored.
fn color(row: &[u16], value: usize, channels: usize) -> Vec3 {
    let number = |n: usize| row.get(n).map_or(0.0, |&number| f32::from(number));
    match channels {
        1 => Vec3::X * number(value),
        _ => Vec3::new(
            number(3 * value),
            number(3 * value + 1),
            number(3 * value + 2),
        ),
    }
}

/// The values beside the middle of a pixel.
fn between(pixel: usize, side: usize, count: u32) -> Ends {
    let at = (pixel as f64 + 0.5) / side as f64;
    let (ends, share) = ends(at as f32, count, Wrap::Repeat);
    (ends, share as f32)
}

/// The density that the model is painted with. It is bald where a triangle has a bald corner.
fn painted(density: &[f32], part: &Part, pixel: &Pixel) -> f32 {
    let corners = part.triangles.get(pixel.triangle as usize);
    let at = corners.and_then(|corners| {
        let [a, b, c] = corners.map(|v| density.get(v as usize).copied());
        let at = Vec3::new(a?, b?, c?);
        (at.min_element() > 0.0).then(|| at.dot(pixel.weights()))
    });
    at.unwrap_or(0.0)
}
