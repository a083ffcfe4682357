//! Hair cut to a length or at a plane.

use super::strands::{LEAST_LENGTH, Strands, length};
use super::{Modifier, Trim};
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
                let beyond = |p: &Vec3| (strand.root + *p - point).dot(normal);
                kept = kept.min(length_before(points, beyond).unwrap_or(whole));
            }
            if kept < whole {
                kept -= trim.ragged * strand.random().uniform() as f32;
            }
            let kept = (whole + (kept - whole) * strand.weight).max(LEAST_LENGTH);
            if kept < whole {
                let old = points.to_vec();
                write_along(&old, kept.into(), points);
            }
        });
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
