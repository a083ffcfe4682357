//! Drawing the strands of a card into its rectangle.
//!
//! A strand is a chain of round-ended pieces. Each row of texels has a few lines; where they cross a
//! strand, its share of each texel is exact.

use super::Source;
use super::strip::Strip;
use crate::srgb::{linear_from_srgb, srgb_from_linear};
use glam::{Vec2, Vec3, Vec4};

/// The texels of a rectangle, row after row: sRGB and coverage.
pub type Picture = Vec<[u8; 4]>;

/// Lines of a row of texels.
const LINES: usize = 4;
/// The least radius of a strand, texels: thinner ones would be lost to viewers that cut off low coverage.
const LEAST_RADIUS: f32 = 0.3;
/// The shares of light that strands lose at the back of a card, and at their own sides.
const DARKER_BACK: f32 = 0.5;
const DARKER_SIDES: f32 = 0.5;

/// A point of a strand in the rectangle.
#[derive(Clone, Copy)]
struct Dot {
    /// Texels.
    at: Vec2,
    /// Radii across and along the card, texels.
    radius: Vec2,
    /// Linear, with opacity.
    color: Vec4,
}

/// The part of a line that a piece of a strand covers, texels.
struct Covered {
    line: usize,
    from: f32,
    to: f32,
    color: Vec4,
}

/// Draws the strands of a card into a rectangle of this size, texels.
pub fn draw_card(source: &Source, strip: &Strip, size: [u32; 2]) -> Picture {
    let [width, height] = size.map(|side| side as usize);
    let mut canvas = vec![Vec4::ZERO; width * height];
    let mean_depth = |nth: usize| {
        let depths = strip.lines[nth].iter().map(|point| point.depth);
        depths.sum::<f32>() / strip.lines[nth].len() as f32
    };
    let strands = &strip.strands;
    let mut order: Vec<(f32, usize)> = (0..strands.len())
        .map(|nth| (mean_depth(nth), nth))
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut covered = Vec::new();
    let mut row_cover = vec![0.0; width];
    for (_, nth) in order {
        let dots = dots(source, strip, nth, [width, height]);
        covered.clear();
        for pair in dots.windows(2) {
            cover(pair[0], pair[1], LINES * height, &mut covered);
        }
        covered.sort_by(|a, b| a.line.cmp(&b.line).then(a.from.total_cmp(&b.from)));
        for of_row in covered.chunk_by(|a, b| a.line / LINES == b.line / LINES) {
            let row = of_row[0].line / LINES * width;
            blend(of_row, &mut row_cover, &mut canvas[row..row + width]);
        }
    }
    let texel = |color: &Vec4| {
        let alpha = color.w.clamp(0.0, 1.0);
        let byte = |share: f32| (255.0 * share.clamp(0.0, 1.0)).round() as u8;
        let [r, g, b] = match alpha > 0.0 {
            true => (color.truncate() / alpha).to_array().map(srgb_from_linear),
            false => [0.0; 3],
        };
        [byte(r), byte(g), byte(b), byte(alpha)]
    };
    canvas.iter().map(texel).collect()
}

/// Returns the points of a strand in the rectangle.
fn dots(source: &Source, strip: &Strip, nth: usize, [width, height]: [usize; 2]) -> Vec<Dot> {
    let strand = strip.strands[nth] as usize;
    let values = source.strands;
    let size = Vec2::new(width as f32, height as f32);
    let dot = |(point, on_card): (usize, &super::bounds::OnCard)| {
        let (uv, wide) = strip.in_picture(on_card);
        let color = values.colors.at(strand, point).unwrap_or([1.0; 3]);
        let color = Vec3::from(color.map(|channel| linear_from_srgb(channel.clamp(0.0, 1.0))));
        let height = on_card.depth / (4.0 * strip.depth).max(f32::MIN_POSITIVE);
        let light = 1.0 - DARKER_BACK * (0.5 - height).clamp(0.0, 1.0);
        let opacity = values.opacities.at(strand, point).unwrap_or(1.0);
        let radius = on_card.radius * size / Vec2::new(wide, strip.long());
        Dot {
            at: uv * size,
            radius: radius.clamp(Vec2::splat(LEAST_RADIUS), size),
            color: (color * light).extend(opacity.clamp(0.0, 1.0)),
        }
    };
    let first = source.ranges[strand].start;
    (strip.lines[nth].iter().enumerate())
        .map(|(i, on_card)| dot((first + i, on_card)))
        .collect()
}

/// Adds the parts of lines that the piece of a strand between two points covers.
fn cover(from: Dot, to: Dot, lines: usize, covered: &mut Vec<Covered>) {
    // Heights are stretched to where the ends are round.
    let stretch = (from.radius.x + to.radius.x) / (from.radius.y + to.radius.y);
    let ends = [from, to].map(|dot| Vec2::new(dot.at.x, dot.at.y * stretch));
    let radii = [from.radius.x, to.radius.x];
    let across = (ends[1] - ends[0]).perp().normalize_or_zero();
    let corners = [
        ends[0] - across * radii[0],
        ends[0] + across * radii[0],
        ends[1] + across * radii[1],
        ends[1] - across * radii[1],
    ];
    let high = ends[0].y.max(ends[1].y) + radii[0].max(radii[1]);
    let low = ends[0].y.min(ends[1].y) - radii[0].max(radii[1]);
    let line_of = |y: f32| y / stretch * LINES as f32 - 0.5;
    let first = line_of(low).ceil().max(0.0) as usize;
    let last = line_of(high).floor().min(lines as f32 - 1.0);
    if last < 0.0 {
        return;
    }
    for line in first..=last as usize {
        let y = (line as f32 + 0.5) / LINES as f32 * stretch;
        let (mut left, mut right) = (f32::INFINITY, f32::NEG_INFINITY);
        let mut add = |x: f32| {
            left = left.min(x);
            right = right.max(x);
        };
        for (end, radius) in ends.into_iter().zip(radii) {
            let half = (radius * radius - (y - end.y).powi(2)).max(-1.0);
            if half >= 0.0 {
                add(end.x - half.sqrt());
                add(end.x + half.sqrt());
            }
        }
        for (nth, a) in corners.into_iter().enumerate() {
            let b = corners[(nth + 1) % 4];
            if a.y != b.y && (a.y.min(b.y)..=a.y.max(b.y)).contains(&y) {
                add(a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y));
            }
        }
        if left < right {
            let share = (y - ends[0].y) / (ends[1].y - ends[0].y);
            let share = if share.is_finite() {
                share.clamp(0.0, 1.0)
            } else {
                0.5
            };
            covered.push(Covered {
                line,
                from: left,
                to: right,
                color: from.color.lerp(to.color, share),
            });
        }
    }
}

/// Draws what a strand covers of a row over what is there. `cover` is 0, and is so again at the end.
fn blend(covered: &[Covered], cover: &mut [f32], row: &mut [Vec4]) {
    let (mut color, mut low, mut high) = (Vec4::ZERO, row.len(), 0);
    let mut lines = covered.iter().peekable();
    let mut shades = Vec::new();
    while let Some(part) = lines.next() {
        color += part.color;
        let (from, mut to) = (part.from, part.to);
        // Pieces that overlap cover once.
        while let Some(next) = lines.next_if(|next| next.line == part.line && next.from <= to) {
            color += next.color;
            to = to.max(next.to);
        }
        let [from, to] = [from, to].map(|x| x.clamp(0.0, row.len() as f32));
        let (first, last) = (from.floor() as usize, (to.ceil() as usize).min(row.len()));
        for (x, cover) in (first..).zip(&mut cover[first..last]) {
            let share = (to.min(x as f32 + 1.0) - from.max(x as f32)).max(0.0);
            *cover += share / LINES as f32;
        }
        (low, high) = (low.min(first), high.max(last));
        shades.push([from, to]);
    }
    color /= covered.len() as f32;
    for x in low..high {
        let share = std::mem::take(&mut cover[x]).min(1.0) * color.w;
        let light = 1.0 - DARKER_SIDES * side_share(&shades, x as f32 + 0.5);
        row[x] = row[x] * (1.0 - share) + (color.truncate() * light * share).extend(share);
    }
}

/// Returns how near to the sides of a strand a texel is: 0 in its middle, 1 at its sides.
fn side_share(parts: &[[f32; 2]], x: f32) -> f32 {
    let of_part = |&[from, to]: &[f32; 2]| {
        let half = (to - from) / 2.0;
        let away = (x - (from + to) / 2.0).abs() / half.max(0.5);
        away.min(1.0).powi(2)
    };
    parts.iter().map(of_part).fold(1.0, f32::min)
}
