//! The lines of a layout: edges of triangles, and the borders of its islands.

use super::shapes;
use crate::head::Part;
use glam::{DVec2, Vec2};

/// Pixels that may be drawn, per pixel of the picture: the lines of a million triangles tell
/// nobody anything.
const MOST: usize = 64;
/// How far from its middle a border is as strong, pixels.
const BORDER: f64 = 0.4;

/// Lines over a picture.
pub(super) struct Lines {
    /// How strong each pixel's lines are, 0 to 255: of edges, and of borders.
    pub pixels: Vec<[u8; 2]>,
}

impl Lines {
    /// Over a picture of so many pixels each way.
    pub(super) fn of(part: &Part, side: u32) -> Self {
        let same = same(part);
        let mut edges: Vec<[u32; 2]> = Vec::new();
        for (_, [a, b, c]) in shapes(part).flatten() {
            for [i, j] in [[a, b], [b, c], [c, a]] {
                let [i, j] = [i, j].map(|v| same[v as usize]);
                edges.push([i.min(j), i.max(j)]);
            }
        }
        edges.sort_unstable();
        let side = side as usize;
        let mut lines = Self {
            pixels: vec![[0; 2]; side * side],
        };
        let uvs = part.uvs.as_deref().unwrap_or_default();
        let mut left = (MOST * side * side) as f64;
        for group in edges.chunk_by(|a, b| a == b) {
            let [[i, j], ..] = *group else { continue };
            let ends = [i, j].map(|v| uvs[v as usize].as_dvec2() * side as f64);
            let way = (ends[1] - ends[0]).abs().max_element();
            left -= 3.0 * (way + 2.0);
            if left < 0.0 {
                break;
            }
            lines.draw(side, ends, group.len() == 1);
        }
        lines
    }

    /// A line as wide as a pixel, or nearly two for a border.
    fn draw(&mut self, side: usize, [from, to]: [DVec2; 2], is_border: bool) {
        let way = (to - from).abs();
        let steep = way.y > way.x;
        let turned = |p: DVec2| if steep { DVec2::new(p.y, p.x) } else { p };
        let (from, to) = (turned(from), turned(to));
        let (from, to) = if from.x <= to.x {
            (from, to)
        } else {
            (to, from)
        };
        let slope = match to.x - from.x {
            0.0 => 0.0,
            along => (to.y - from.y) / along,
        };
        let (channel, flat) = if is_border { (1, BORDER) } else { (0, 0.0) };
        let fold = |at: i64| at.rem_euclid(side as i64) as usize;
        for along in from.x.floor() as i64..=to.x.floor() as i64 {
            let middle = (along as f64 + 0.5).clamp(from.x, to.x);
            let across = from.y + (middle - from.x) * slope;
            let nearest = across.floor() as i64;
            for row in nearest - 1..=nearest + 1 {
                let away = (row as f64 + 0.5 - across).abs();
                let strength = (1.0 + flat - away).clamp(0.0, 1.0);
                let (column, row) = match steep {
                    true => (fold(row), fold(along)),
                    false => (fold(along), fold(row)),
                };
                let pixel = &mut self.pixels[row * side + column][channel];
                *pixel = (*pixel).max((strength * 255.0).round() as u8);
            }
        }
    }
}

/// For each vertex the first of those that are the same in the square and on the skin: files
/// tell vertices apart by their normals too, and halves of a head may lie on each other.
fn same(part: &Part) -> Vec<u32> {
    let uvs = part.uvs.as_deref().unwrap_or_default();
    // Both zeros are the same.
    let bits = |x: f32| (x + 0.0).to_bits();
    let key = |v: u32| {
        let uv: Vec2 = uvs[v as usize];
        let position = part.positions.get(v as usize).copied().unwrap_or_default();
        (uv.to_array().map(bits), position.to_array().map(bits))
    };
    let mut order: Vec<u32> = (0..uvs.len() as u32).collect();
    order.sort_unstable_by_key(|&v| (key(v), v));
    let mut same = vec![0; uvs.len()];
    for group in order.chunk_by(|&a, &b| key(a) == key(b)) {
        for &v in group {
            same[v as usize] = group[0];
        }
    }
    same
}
