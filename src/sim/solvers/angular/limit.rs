//! The limit of the angle between neighbouring segments.

use crate::det_math::sin_cos;
use crate::sim::simd::{select, unit_or};
use glam::Vec3;

/// A largest angle between neighbouring segments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub(super) sin: f32,
    pub(super) cos: f32,
}

impl Limit {
    pub(super) fn from_degrees(degrees: f32) -> Self {
        let (sin, cos) = sin_cos(f64::from(degrees).to_radians());
        Self {
            sin: sin as f32,
            cos: cos as f32,
        }
    }

    /// Returns the limit of a joint that gives `give` times as much, from 1: by 1 − cos, which is
    /// what the energy of a joint is proportional to.
    #[inline(always)]
    pub(super) fn softened(self, give: f32) -> Self {
        let cos = 1.0 - (1.0 - self.cos) * give;
        let cos = if cos > -1.0 { cos } else { -1.0 };
        self.widened(if give > 1.0 { cos } else { self.cos })
    }

    /// Returns the angle with a cosine of `cos`, where that is larger.
    #[inline(always)]
    pub(super) fn widened(self, cos: f32) -> Self {
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
    ///
    /// The stop only takes energy: w² / 2 rises by no more than what `pull`, the force over the
    /// inertia, gives on the way. A stick that stopped another one and kept its own spin would be
    /// a bat, and the other a ball that gains energy at each blow.
    #[inline(always)]
    pub(super) fn cut(
        self,
        (s, w): (Vec3, Vec3),
        before: Vec3,
        w_before: Vec3,
        pull: Vec3,
    ) -> (Vec3, Vec3) {
        let along = s.dot(before);
        let across = unit_or(s + before * -along, before);
        let bent = unit_or(before * self.cos + across * self.sin, s);
        let axis = before.cross(across);
        let opening = (w - w_before).dot(axis);
        let opening = if opening > 0.0 { opening } else { 0.0 };
        let slowed = w + axis * -opening;
        let most = w.dot(w) + 2.0 * pull.dot(bent - s);
        let most = if most > 0.0 { most } else { 0.0 };
        let kinetic = slowed.dot(slowed);
        let share = if kinetic > most { most / kinetic } else { 1.0 };
        let slowed = slowed * share.sqrt();
        let cut = self.cos > along;
        (select(cut, bent, s), select(cut, slowed, w))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stop once gave the outer stick the spin of the inner one: 66 m g L / 2 in a minute.
    #[test]
    fn a_joint_limit_gives_no_energy() {
        let limit = Limit::from_degrees(25.0);
        let (sin, cos) = sin_cos(0.7);
        let (s, before) = (Vec3::new(sin as f32, cos as f32, 0.0), Vec3::Y);
        let inner = Vec3::Z * 30.0;
        for w in [Vec3::ZERO, Vec3::Z * 2.0, Vec3::Z * -40.0, Vec3::X * 5.0] {
            let (bent, slowed) = limit.cut((s, w), before, inner, Vec3::ZERO);
            assert!((bent.dot(before) - limit.cos).abs() < 1e-6);
            assert!(
                slowed.length() <= w.length() * 1.000_001,
                "{slowed} from {w}"
            );
            // Lifting the stick costs what gravity then gives back.
            let pull = Vec3::NEG_Y * 2.0;
            let (bent, heavy) = limit.cut((s, w), before, inner, pull);
            let most = w.length_squared() + 2.0 * pull.dot(bent - s);
            assert!(
                heavy.length_squared() <= most.max(0.0) * 1.000_001,
                "{heavy}"
            );
        }
    }
}
