//! Fits an ellipsoid to a head.

use crate::bvh::bounds;
use crate::head::Head;
use glam::{DVec3, Vec3};
use serde::Deserialize;

/// The share of the painted part's height, from its top, that is fitted. Jaw and neck are below.
const SKULL_SHARE: f32 = 0.45;
/// The number of times that the fit is repeated without outliers such as nose and ears.
const TRIMS: usize = 4;
/// Outliers are this many standard deviations off.
const TRIM_DEVIATIONS: f32 = 2.5;
/// The share of the fitted vertices that end up inside.
const COVERED_SHARE: f32 = 0.85;
/// The unknowns of an axis-aligned ellipsoid.
const UNKNOWNS: usize = 6;

/// An ellipsoid with axes along x, y and z, head space, decimetres.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ellipsoid {
    /// The centre.
    pub center: Vec3,
    /// The half axes, all above 0.
    pub radii: Vec3,
}

impl Ellipsoid {
    /// Fits the skull of the painted part, and enlarges the result until most of its skin is
    /// inside. Returns `None` without paint.
    pub fn of_head(head: &Head) -> Option<Self> {
        let part = &head.parts[head.scalp_part?];
        let (low, high) = bounds(part.positions.iter().copied());
        let from = high.y - SKULL_SHARE * (high.y - low.y);
        let skull: Vec<Vec3> = (part.positions.iter().copied())
            .filter(|p| p.y >= from)
            .collect();
        let mut fitted = Self::fit(&skull)?;
        for _ in 0..TRIMS {
            fitted = Self::fit(&fitted.without_outliers(&skull)).unwrap_or(fitted);
        }
        Some(fitted.covering(&skull))
    }

    /// Returns |E (p − centre)|: 1 on the surface, below 1 inside.
    fn level(&self, point: Vec3) -> f32 {
        ((point - self.center) / self.radii).length()
    }

    fn without_outliers(&self, points: &[Vec3]) -> Vec<Vec3> {
        let off = |p: &Vec3| self.level(*p) - 1.0;
        let variance = points.iter().map(|p| off(p) * off(p)).sum::<f32>() / points.len() as f32;
        let limit = TRIM_DEVIATIONS * variance.sqrt();
        let near = points.iter().filter(|p| off(p).abs() <= limit);
        near.copied().collect()
    }

    /// Returns the ellipsoid scaled about its centre so that it covers most of the points.
    fn covering(self, points: &[Vec3]) -> Self {
        let mut levels: Vec<f32> = points.iter().map(|&p| self.level(p)).collect();
        levels.sort_by(f32::total_cmp);
        let place = (COVERED_SHARE * levels.len() as f32) as usize;
        let scale = levels.get(place).map_or(1.0, |level| level.clamp(0.5, 2.0));
        Self {
            radii: self.radii * scale,
            ..self
        }
    }

    /// Fits A x² + B y² + C z² + D x + E y + F z = 1 by least squares. If that is no ellipsoid, or
    /// the points are too few, returns the ellipsoid inscribed in their bounding box, and `None` if
    /// the box has no volume.
    pub fn fit(points: &[Vec3]) -> Option<Self> {
        let (low, high) = bounds(points.iter().copied());
        let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
        if !(half.min_element() > 0.0 && half.is_finite()) {
            return None;
        }
        let boxed = Self {
            center: middle,
            radii: half,
        };
        // Coordinates relative to the box keep the sums well conditioned.
        let unit = |p: &Vec3| ((*p - middle) / half).as_dvec3();
        let fitted = least_squares(points.iter().map(unit));
        let fitted = fitted.filter(|(center, radii)| {
            center.abs().max_element() < 1.0 && radii.max_element() < 2.0
        });
        Some(fitted.map_or(boxed, |(center, radii)| Self {
            center: middle + center.as_vec3() * half,
            radii: radii.as_vec3() * half,
        }))
    }
}

/// Returns centre and half axes if the best quadric is an ellipsoid.
fn least_squares(points: impl Iterator<Item = DVec3>) -> Option<(DVec3, DVec3)> {
    // The normal equations, with the right side as the last column.
    let mut m = [[0.0; UNKNOWNS + 1]; UNKNOWNS];
    for p in points {
        let row = [p.x * p.x, p.y * p.y, p.z * p.z, p.x, p.y, p.z, 1.0];
        for i in 0..UNKNOWNS {
            for (j, value) in row.iter().enumerate() {
                m[i][j] += row[i] * value;
            }
        }
    }
    let [a, b, c, d, e, f] = solve(m)?;
    let (squares, center) = (DVec3::new(a, b, c), DVec3::new(d, e, f));
    if squares.min_element() <= 0.0 {
        return None;
    }
    let center = center / squares * -0.5;
    let level = 1.0 + (squares * center * center).element_sum();
    let radii = DVec3::splat(level) / squares;
    Some((center, DVec3::from_array(radii.to_array().map(f64::sqrt))))
}

/// Solves by Gauss elimination with partial pivoting.
fn solve(mut m: [[f64; UNKNOWNS + 1]; UNKNOWNS]) -> Option<[f64; UNKNOWNS]> {
    for i in 0..UNKNOWNS {
        let pivot = (i..UNKNOWNS).max_by(|&a, &b| m[a][i].abs().total_cmp(&m[b][i].abs()))?;
        m.swap(i, pivot);
        if m[i][i].abs() < 1e-9 {
            return None;
        }
        for row in 0..UNKNOWNS {
            if row != i {
                let share = m[row][i] / m[i][i];
                let pivot = m[i];
                for (value, pivot) in m[row].iter_mut().zip(pivot) {
                    *value -= share * pivot;
                }
            }
        }
    }
    Some(std::array::from_fn(|i| m[i][UNKNOWNS] / m[i][i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cap(center: Vec3, radii: Vec3, lowest: f32) -> Vec<Vec3> {
        let sides = (0..400).map(|i| {
            let (up, around) = (i as f32 / 400.0 * (1.0 - lowest) + lowest, i as f32 * 2.4);
            let flat = (1.0 - up * up).sqrt();
            Vec3::new(flat * around.cos(), up, flat * around.sin())
        });
        sides.map(|p| center + p * radii).collect()
    }

    #[test]
    fn odd_points_give_their_box_or_nothing() {
        let corners: Vec<Vec3> = (0..8)
            .map(|i| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32))
            .collect();
        let fitted = Ellipsoid::fit(&corners).unwrap();
        assert!(fitted.center.distance(Vec3::splat(0.5)) < 1e-3);
        assert!(fitted.radii.is_finite() && fitted.radii.min_element() > 0.0);
        assert_eq!(Ellipsoid::fit(&corners[..1]), None);
        assert_eq!(Ellipsoid::fit(&[]), None);
    }

    #[test]
    fn the_upper_part_is_enough_and_what_sticks_out_does_not_matter() {
        let (center, radii) = (Vec3::new(0.1, -0.2, 0.3), Vec3::new(0.8, 1.2, 1.0));
        let mut points = cap(center, radii, -0.2);
        points.extend([Vec3::Z * 1.4, Vec3::new(0.1, 0.0, 1.5)].map(|p| center + p));
        let mut fitted = Ellipsoid::fit(&points).unwrap();
        for _ in 0..TRIMS {
            fitted = Ellipsoid::fit(&fitted.without_outliers(&points)).unwrap();
        }
        assert!(fitted.center.distance(center) < 1e-3, "{fitted:?}");
        assert!(fitted.radii.distance(radii) < 1e-3, "{fitted:?}");
        let wide = fitted.covering(&[center + Vec3::Y * 1.8; 10]);
        let error = (wide.radii / fitted.radii - 1.5).length();
        assert!(error < 1e-3, "{wide:?}");
    }
}
