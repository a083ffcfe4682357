//! The largest angle between segments.

use crate::det_math::sin_cos;
use crate::sim::simd::blocks::{add_scaled, axes, cross, dot, select, sub, unit_or};

/// A largest angle between segments.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    sin: f32,
    cos: f32,
}

impl Limit {
    pub(crate) fn of(degrees: f32) -> Self {
        let (sin, cos) = sin_cos(f64::from(degrees).to_radians());
        Self {
            sin: sin as f32,
            cos: cos as f32,
        }
    }

    /// That of a joint that gives `give` times as much, from 1: by 1 − cos, as the energy of a
    /// joint goes.
    #[inline(always)]
    pub(crate) fn given(self, give: f32) -> Self {
        let cos = 1.0 - (1.0 - self.cos) * give;
        let cos = if cos > -1.0 { cos } else { -1.0 };
        let square = 1.0 - cos * cos;
        let sin = if square > 0.0 { square } else { 0.0 }.sqrt();
        let gives = give > 1.0;
        Self {
            sin: if gives { sin } else { self.sin },
            cos: if gives { cos } else { self.cos },
        }
    }

    /// The angle between two unit vectors, where that is larger.
    #[inline(always)]
    pub(crate) fn or_bend(self, before: [f32; 3], after: [f32; 3]) -> Self {
        let cos = dot(before, after);
        let square = 1.0 - cos * cos;
        let sin = if square > 0.0 { square } else { 0.0 }.sqrt();
        let bent = self.cos > cos;
        Self {
            sin: if bent { sin } else { self.sin },
            cos: if bent { cos } else { self.cos },
        }
    }

    /// Cuts the angle to the segment before down to the limit, with the spin that opens it.
    #[inline(always)]
    pub(crate) fn cut(
        self,
        s: [f32; 3],
        w: [f32; 3],
        before: [f32; 3],
        w_before: [f32; 3],
    ) -> ([f32; 3], [f32; 3]) {
        let along = dot(s, before);
        let across = unit_or(add_scaled(s, before, -along), before);
        let bent = axes!(i => self.cos * before[i] + self.sin * across[i]);
        let bent = unit_or(bent, s);
        let axis = cross(before, across);
        let opening = dot(sub(w, w_before), axis);
        let opening = if opening > 0.0 { opening } else { 0.0 };
        let slowed = add_scaled(w, axis, -opening);
        let cut = self.cos > along;
        (select(cut, bent, s), select(cut, slowed, w))
    }
}
