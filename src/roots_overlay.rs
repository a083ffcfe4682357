//! The overlay of roots: discs coloured by the distance to the nearest root, and the largest gap.

use mohawk::ramp::{TOO_CLOSE, distance_color};
use mohawk::roots::distribution::{closest, nearest_distances};
use mohawk::roots::{Gap, Roots, SampleError, relative_radius};
use mohawk::{render::Disc, scalp::Scalp};

/// The largest number of discs; more would be smaller than a pixel.
const MAX_DISCS: usize = 200_000;

/// The colour of the ring around the largest gap.
const RING_COLOR: [f32; 3] = [1.0, 1.0, 1.0];

/// The number of bars of the histogram, over [0, [`HISTOGRAM_END`]) spacings.
const BARS: usize = 90;
/// The end of the histogram, in spacings. The last bar includes everything beyond.
pub const HISTOGRAM_END: f64 = 1.5;

/// The distances of roots from their nearest root.
#[derive(Clone, Debug)]
pub struct Spread {
    /// A disc for each root, or for one in [`drawn_stride`]. Its diameter is the spacing, so that
    /// discs touch without overlap.
    pub discs: Vec<Disc>,
    /// The smallest distance, if there is a pair.
    pub closest: Option<f64>,
    /// The [`relative_radius`] of the smallest distance.
    pub relative_radius: Option<f64>,
    /// The number of roots per bar.
    pub histogram: [u32; BARS],
    /// The number of roots that are closer to another than their spacing, beyond rounding.
    pub too_close: usize,
}

impl Spread {
    /// Measures a set of roots.
    ///
    /// # Errors
    /// [`SampleError`] if the positions cannot be searched.
    pub fn of(scalp: &Scalp, roots: &Roots) -> Result<Self, SampleError> {
        let nearest = nearest_distances(roots)?;
        let closest = closest(&nearest);
        let mut spread = Self {
            discs: Vec::new(),
            closest,
            relative_radius: closest.map(|d| relative_radius(d, nearest.len(), scalp.area())),
            histogram: [0; BARS],
            too_close: 0,
        };
        let stride = drawn_stride(nearest.len());
        for (root, &distance) in nearest.iter().enumerate() {
            // The spacing that a root keeps, as the sampler does.
            let spacing = roots.spacing_at(scalp, roots.points[root]) as f32;
            let ratio = distance / f64::from(spacing);
            let bar = (ratio / HISTOGRAM_END * BARS as f64) as usize;
            spread.histogram[bar.min(BARS - 1)] += 1;
            let color = distance_color(ratio);
            spread.too_close += usize::from(color == TOO_CLOSE);
            if root % stride == 0 {
                spread.discs.push(Disc {
                    center: roots.positions[root],
                    normal: roots.face_normals[root],
                    radius: 0.5 * spacing,
                    color,
                });
            }
        }
        Ok(spread)
    }
}

/// Returns the stride at which roots get discs. A prefix would not do, since it need not be even.
pub fn drawn_stride(roots: usize) -> usize {
    roots.div_ceil(MAX_DISCS).max(1)
}

/// Returns the ring around the largest gap. No point of the scalp is farther from a root than its
/// middle.
pub fn ring(scalp: &Scalp, gap: &Gap) -> Disc {
    Disc {
        center: gap.position,
        normal: scalp.face_normal(gap.point.triangle),
        radius: gap.radius as f32,
        color: RING_COLOR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use mohawk::roots::LEAST_DENSITY;
    use mohawk::scalp::SurfacePoint;

    /// Roots on unpainted skin, whose density is 0, once had extremely wide discs.
    #[test]
    fn roots_on_bald_skin_get_the_widest_spacing_of_the_sampler() {
        let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        let scalp = Scalp::new(corners, vec![Vec3::Z; 3], vec![[0, 1, 2]], vec![0.0; 3]).unwrap();
        let point = SurfacePoint {
            triangle: 0,
            weights: Vec3::X,
        };
        let roots = Roots {
            spacing: 0.01,
            points: vec![point],
            positions: vec![Vec3::ZERO],
            face_normals: vec![Vec3::Z],
            scaled: true,
            ..Roots::default()
        };
        let spread = Spread::of(&scalp, &roots).unwrap();
        let widest = 0.01 / (LEAST_DENSITY as f32).sqrt();
        assert!((spread.discs[0].radius - 0.5 * widest).abs() < 1e-6);
    }
}
