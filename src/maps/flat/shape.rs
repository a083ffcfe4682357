//! One triangle in the square of the texture.

use glam::{DVec2, DVec3, Vec2};

/// UVs beyond this have too few digits left.
const MAX_UV: f32 = 65536.0;
/// Tiles that a triangle may span.
const MAX_TILES: f64 = 8.0;
/// A triangle of less area than this, twice, in square units of UV, has none.
const NO_AREA: f64 = 1e-14;
/// What is so little outside of a triangle, units of UV, is on its border: UVs are singles.
pub(super) const BORDER: f64 = 1e-6;
/// The same as a share of the triangle, for slivers.
const MOST_BORDER: f64 = 0.01;

/// A triangle, moved by whole tiles so that its least coordinates are 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub corners: [DVec2; 3],
    /// Signed.
    twice_area: f64,
}

impl Shape {
    /// `None`: a corner that is not there, no number or too far off, or no area.
    pub(super) fn of(uvs: &[Vec2], corners: [u32; 3]) -> Option<Self> {
        let [a, b, c] = corners.map(|v| uvs.get(v as usize));
        let uvs = [*a?, *b?, *c?];
        if !uvs.iter().all(|uv| uv.abs().max_element() <= MAX_UV) {
            return None;
        }
        let [a, b, c] = uvs.map(|uv| uv.as_dvec2());
        let low = a.min(b).min(c);
        if (a.max(b).max(c) - low).max_element() > MAX_TILES {
            return None;
        }
        let tile = low.floor();
        let twice_area = (b - a).perp_dot(c - a);
        (twice_area.abs() > NO_AREA).then_some(Self {
            corners: [a - tile, b - tile, c - tile],
            twice_area,
        })
    }

    /// Square units of UV.
    pub(super) fn area(&self) -> f64 {
        self.twice_area.abs() * 0.5
    }

    pub(super) fn low(&self) -> DVec2 {
        let [a, b, c] = self.corners;
        a.min(b).min(c)
    }

    pub(super) fn high(&self) -> DVec2 {
        let [a, b, c] = self.corners;
        a.max(b).max(c)
    }

    /// The weights of its corners at a place of the square, in any tile that it reaches, and
    /// whether the place is inside; else it is on the border but for rounding.
    pub(super) fn weights_folded(&self, at: DVec2) -> Option<(DVec3, bool)> {
        let (low, high) = (self.low() - BORDER, self.high() + BORDER);
        let tiles = |low: f64, high: f64| low.floor() as i32..=high.floor() as i32;
        let mut on_border = None;
        for down in tiles(low.y, high.y) {
            for right in tiles(low.x, high.x) {
                match self.weights(at + DVec2::new(right.into(), down.into())) {
                    Some(found @ (_, true)) => return Some(found),
                    found => on_border = on_border.or(found),
                }
            }
        }
        on_border
    }

    fn weights(&self, p: DVec2) -> Option<(DVec3, bool)> {
        let [a, b, c] = self.corners;
        let second = (p - a).perp_dot(c - a) / self.twice_area;
        let third = (b - a).perp_dot(p - a) / self.twice_area;
        let weights = DVec3::new(1.0 - second - third, second, third);
        if weights.min_element() >= 0.0 {
            return Some((weights, true));
        }
        let across = DVec3::new(b.distance(c), c.distance(a), a.distance(b));
        let near = (across * (BORDER / self.twice_area.abs())).min(DVec3::splat(MOST_BORDER));
        let is_near = (weights + near).min_element() >= 0.0;
        let held = weights.max(DVec3::ZERO);
        is_near.then(|| (held / held.element_sum(), false))
    }
}

/// A coordinate in the tile from 0 to below 1.
pub(super) fn fold(at: f64) -> f64 {
    let folded = at.rem_euclid(1.0);
    // A little below 0 is rounded to 1.
    if folded < 1.0 { folded } else { 0.0 }
}
