//! The texture of cards: a rectangle for each, in rows, and the colours around strands.

use super::Source;
use super::draw::{Picture, draw_card};
use super::strip::{Place, Strip};
use rayon::prelude::*;

/// Texels between rectangles, so that the smaller pictures of mipmaps do not mix them.
const GAP: u32 = 4;
/// The fewest texels of a side of a rectangle.
const LEAST: u32 = 4;
/// The fewest texels along a strand for one across it: straight strands change little along them.
const ALONG: f64 = 0.12;
/// The largest number of texels across the usual strand, which need no more.
const MOST_ACROSS: f64 = 24.0;
/// Steps of the search for the largest scale at which all rectangles fit.
const STEPS: usize = 24;

/// Places the rectangles of cards in rows of falling height, as large as they fit into a square.
pub fn pack(strips: &[Strip], side: u32) -> Result<Vec<Place>, String> {
    let sizes: Vec<[f64; 2]> = (strips.iter())
        .map(|strip| {
            let along = (ALONG + f64::from(strip.slope())).min(1.0);
            [strip.wide().into(), f64::from(strip.long()) * along]
        })
        .collect();
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by(|&a, &b| sizes[b][1].total_cmp(&sizes[a][1]));
    let radii = strips.iter().flat_map(|strip| strip.lines.iter().flatten());
    let widest = radii.map(|point| point.radius).fold(0.0, f32::max);
    let (mut low, mut high) = (0.0, MOST_ACROSS / f64::from(2.0 * widest).max(1e-9));
    let mut best = placed(&sizes, &order, side, low).ok_or_else(|| {
        format!(
            "{} strips of cards do not fit into a texture of {side} texels: ask for fewer cards or a larger texture",
            sizes.len()
        )
    })?;
    for step in 0..STEPS {
        let middle = if step == 0 { high } else { (low + high) / 2.0 };
        match placed(&sizes, &order, side, middle) {
            Some(places) => (low, best) = (middle, places),
            None => high = middle,
        }
    }
    Ok(best)
}

/// Places rectangles at a scale; `None` if they do not fit.
fn placed(sizes: &[[f64; 2]], order: &[usize], side: u32, scale: f64) -> Option<Vec<Place>> {
    let mut places = vec![
        Place {
            at: [0; 2],
            size: [0; 2],
            side
        };
        sizes.len()
    ];
    let (mut x, mut y, mut next) = (GAP, GAP, GAP);
    for &nth in order {
        // A card that is larger than the texture is drawn smaller.
        let most = f64::from(side - 2 * GAP);
        let size = sizes[nth].map(|long| ((long * scale).ceil().min(most) as u32).max(LEAST));
        if x + size[0] + GAP > side {
            (x, y) = (GAP, next);
        }
        if y + size[1] + GAP > side {
            return None;
        }
        places[nth] = Place {
            at: [x, y],
            size,
            side,
        };
        x += size[0] + GAP;
        next = next.max(y + size[1] + GAP);
    }
    Some(places)
}

/// Draws all cards, and returns the texture as PNG.
pub fn draw(
    source: &Source,
    strips: &[Strip],
    places: &[Place],
    side: u32,
) -> Result<Vec<u8>, String> {
    let mut texels = vec![[0_u8; 4]; (side as usize).pow(2)];
    let cards: Vec<usize> = (0..places.len()).collect();
    // A few at a time, so that few pictures are there twice.
    for cards in cards.chunks(64) {
        let pictures: Vec<Picture> = (cards.par_iter())
            .map(|&nth| draw_card(source, &strips[nth], places[nth].size))
            .collect();
        for (&nth, picture) in cards.iter().zip(&pictures) {
            let Place {
                at: [x, y],
                size: [width, _],
                ..
            } = places[nth];
            for (row, texels_of_row) in picture.chunks_exact(width as usize).enumerate() {
                let first = (y as usize + row) * side as usize + x as usize;
                texels[first..first + width as usize].copy_from_slice(texels_of_row);
            }
        }
    }
    fill(&mut texels, side as usize);
    encode(&texels, side).map_err(|error| error.to_string())
}

fn encode(texels: &[[u8; 4]], side: u32) -> Result<Vec<u8>, png::EncodingError> {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, side, side);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_filter(png::Filter::Adaptive);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder
        .write_header()?
        .write_image_data(texels.as_flattened())?;
    Ok(png)
}

/// Gives transparent texels the colours around them, so that mixing texels darkens no edge: each takes
/// that of the smallest of ever coarser pictures that has one.
fn fill(texels: &mut [[u8; 4]], side: usize) {
    let coarse = halved(side, |nth| {
        let [r, g, b, alpha] = texels[nth].map(f32::from);
        (alpha > 0.0).then_some([r, g, b, alpha])
    });
    let mut levels = vec![coarse];
    while let Some((side, level)) = levels.last()
        && *side > 1
    {
        levels.push(halved(*side, |nth| level[nth]));
    }
    let mut above: Option<(usize, Vec<Option<[f32; 4]>>)> = None;
    for (side, mut level) in levels.into_iter().rev() {
        if let Some((above_side, above)) = &above {
            for (nth, color) in level.iter_mut().enumerate() {
                *color = color.or(above[nth / side / 2 * above_side + nth % side / 2]);
            }
        }
        above = Some((side, level));
    }
    let Some((above_side, above)) = above else {
        return;
    };
    for (nth, texel) in texels.iter_mut().enumerate() {
        if texel[3] == 0
            && let Some([r, g, b, _]) = above[nth / side / 2 * above_side + nth % side / 2]
        {
            *texel = [r.round() as u8, g.round() as u8, b.round() as u8, 0];
        }
    }
}

/// Returns a square picture of half the side, whose colours are means by their weights, the last lane.
fn halved(side: usize, at: impl Fn(usize) -> Option<[f32; 4]>) -> (usize, Vec<Option<[f32; 4]>>) {
    let half = side.div_ceil(2);
    let color = |nth: usize| {
        let (row, column) = (2 * (nth / half), 2 * (nth % half));
        let mut sum = [0.0; 4];
        for (row, column) in [
            (row, column),
            (row, column + 1),
            (row + 1, column),
            (row + 1, column + 1),
        ] {
            if row < side
                && column < side
                && let Some([r, g, b, weight]) = at(row * side + column)
            {
                let more = [r * weight, g * weight, b * weight, weight];
                (0..4).for_each(|i| sum[i] += more[i]);
            }
        }
        let [r, g, b, weight] = sum;
        (weight > 0.0).then(|| [r / weight, g / weight, b / weight, weight.min(255.0)])
    };
    (half, (0..half * half).map(color).collect())
}
