//! The overlay of roots: discs coloured by the distance to the nearest root, and the largest gap.

use mohawk::render::{Disc, distance_color};
use mohawk::roots::distribution::nearest_distances;
use mohawk::roots::{Gap, Roots, SampleError, relative_radius};
use mohawk::scalp::Scalp;

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
    /// The distance of each root to the nearest on its side, decimetres; infinite without one.
    nearest: Vec<f64>,
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
        let closest = nearest.iter().copied().fold(f64::INFINITY, f64::min);
        let closest = closest.is_finite().then_some(closest);
        let mut spread = Self {
            closest,
            relative_radius: closest.map(|d| relative_radius(d, nearest.len(), scalp.area())),
            histogram: [0; BARS],
            too_close: 0,
            nearest,
        };
        for root in 0..spread.nearest.len() {
            let ratio = spread.ratio(scalp, roots, root);
            let bar = (ratio / HISTOGRAM_END * BARS as f64) as usize;
            spread.histogram[bar.min(BARS - 1)] += 1;
            spread.too_close += usize::from(distance_color(ratio) == mohawk::render::TOO_CLOSE);
        }
        Ok(spread)
    }

    /// Returns the distance of a root to its nearest, in local spacings.
    fn ratio(&self, scalp: &Scalp, roots: &Roots, root: usize) -> f64 {
        self.nearest[root] / f64::from(spacing_at(scalp, roots, root))
    }

    /// Returns a disc for each root, or for one in [`drawn_stride`]. Its diameter is the spacing,
    /// so that discs touch without overlap.
    pub fn discs(&self, scalp: &Scalp, roots: &Roots) -> Vec<Disc> {
        let count = self.nearest.len();
        let discs = (0..count).step_by(drawn_stride(count)).map(|root| Disc {
            center: roots.positions[root],
            normal: roots.face_normals[root],
            radius: 0.5 * spacing_at(scalp, roots, root),
            color: distance_color(self.ratio(scalp, roots, root)),
        });
        discs.collect()
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

/// Returns the spacing that a root keeps, as the sampler does.
fn spacing_at(scalp: &Scalp, roots: &Roots, root: usize) -> f32 {
    roots.spacing_at(scalp, roots.points[root]) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use mohawk::roots::LEAST_DENSITY;
    use mohawk::scalp::SurfacePoint;

    /// On unpainted skin the discs were as wide as the smallest positive number allows.
    #[test]
    fn roots_on_bald_skin_get_the_widest_spacing_of_the_sampler() {
        let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        let scalp = Scalp::new(corners, vec![Vec3::Z; 3], vec![[0, 1, 2]], vec![0.0; 3]).unwrap();
        let point = SurfacePoint {
            triangle: 0,
            weights: Vec3::new(0.2, 0.3, 0.5),
        };
        let roots = Roots {
            spacing: 0.01,
            points: vec![point],
            positions: vec![scalp.point(point)],
            directions: vec![Vec3::Z],
            face_normals: vec![Vec3::Z],
            ranks: vec![0],
            full_count: 1,
            scaled: true,
        };
        let spread = Spread::of(&scalp, &roots).unwrap();
        let widest = 0.01 / (LEAST_DENSITY as f32).sqrt();
        assert!((spread.discs(&scalp, &roots)[0].radius - 0.5 * widest).abs() < 1e-6);
    }
}
