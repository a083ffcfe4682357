//! Hair cut to a length, at a plane, a cone or a ball, or graded by the height of roots.

use super::strands::{LEAST_LENGTH, Strand, Strands, length};
use super::{Fade, Modifier, Trim};
use crate::groom::write_along;
use glam::Vec3;

impl Strands<'_> {
    pub(super) fn trim(&mut self, modifier: &Modifier, trim: &Trim) {
        let normal = Vec3::from(trim.normal).normalize_or_zero();
        let point = Vec3::from(trim.point);
        self.each(modifier, |strand, points| {
            let whole = length(points);
            let mut kept = (whole * trim.scale).min(trim.length);
            if normal != Vec3::ZERO {
                let beyond = |p: &Vec3| {
                    let from = strand.root + *p - point;
                    let ahead = from.dot(normal);
                    ahead - trim.slope * (from - normal * ahead).length()
                };
                kept = kept.min(length_before(points, beyond).unwrap_or(whole));
            }
            if trim.radius > 0.0 {
                let beyond = |p: &Vec3| (strand.root + *p).distance(point) - trim.radius;
                kept = kept.min(length_before(points, beyond).unwrap_or(whole));
            }
            if kept < whole {
                kept -= trim.ragged * strand.random().uniform() as f32;
            }
            strand.cut(points, whole, kept);
        });
    }

    pub(super) fn fade(&mut self, modifier: &Modifier, fade: &Fade) {
        self.each(modifier, |strand, points| {
            let whole = length(points);
            let low = fade.low + fade.drop * strand.root.z;
            let share = (strand.root.y - low) / (fade.high - fade.low).max(1e-3);
            let share = share.clamp(0.0, 1.0);
            // Short hair is graded finely: a step of the same share looks the same.
            let kept = fade.length + (whole - fade.length) * share * share;
            strand.cut(points, whole, kept.min(whole));
        });
    }
}

impl Strand<'_> {
    /// Cuts a strand of length `whole` to the length `kept`.
    fn cut(&self, points: &mut [Vec3], whole: f32, kept: f32) {
        let kept = (whole + (kept - whole) * self.weight).max(LEAST_LENGTH);
        if kept < whole {
            let old = points.to_vec();
            write_along(&old, kept.into(), points);
        }
    }
}

/// Returns the length of a polyline to where it first has values above 0; `None` if it has none.
fn length_before(points: &[Vec3], value: impl Fn(&Vec3) -> f32) -> Option<f32> {
    let mut along = 0.0;
    if value(&points[0]) > 0.0 {
        return Some(0.0);
    }
    for pair in points.windows(2) {
        let (from, to) = (value(&pair[0]), value(&pair[1]));
        let size = pair[0].distance(pair[1]);
        if to > 0.0 {
            return Some(along + size * (from / (from - to)));
        }
        along += size;
    }
    None
}
