//! The largest angle between segments.

use crate::det_math::sin_cos;
use crate::sim::simd::{select, unit_or};
use glam::Vec3;

/// A largest angle between neighbouring segments.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    pub(crate) sin: f32,
    pub(crate) cos: f32,
}

impl Limit {
    pub(crate) fn from_degrees(degrees: f32) -> Self {
        let (sin, cos) = sin_cos(f64::from(degrees).to_radians());
        Self {
            sin: sin as f32,
            cos: cos as f32,
        }
    }

    /// The limit of a joint that gives `give` times as much, from 1: by 1 − cos, which is what the
    /// energy of a joint is proportional to.
    #[inline(always)]
    pub(crate) fn softened(self, give: f32) -> Self {
        let cos = 1.0 - (1.0 - self.cos) * give;
        let cos = if cos > -1.0 { cos } else { -1.0 };
        self.widened(if give > 1.0 { cos } else { self.cos })
    }

    /// The angle with a cosine of `cos`, where that is larger.
    #[inline(always)]
    pub(crate) fn widened(self, cos: f32) -> Self {
        let square = 1.0 - cos * cos;
        let sin = if square > 0.0 { square } else { 0.0 }.sqrt();
        let wider = self.cos > cos;
        Self {
            sin: if wider { sin } else { self.sin },
            cos: if wider { cos } else { self.cos },
        }
    }

    /// Cuts the angle of direction s to the one before down to the limit, and takes the spin that
    /// opens it off w. Returns both.
    #[inline(always)]
    pub(crate) fn cut(self, s: Vec3, w: Vec3, before: Vec3, w_before: Vec3) -> (Vec3, Vec3) {
        let along = s.dot(before);
        let across = unit_or(s + before * -along, before);
        let bent = unit_or(before * self.cos + across * self.sin, s);
        let axis = before.cross(across);
        let opening = (w - w_before).dot(axis);
        let opening = if opening > 0.0 { opening } else { 0.0 };
        let slowed = w + axis * -opening;
        let cut = self.cos > along;
        (select(cut, bent, s), select(cut, slowed, w))
    }
}
