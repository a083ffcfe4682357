//! Roots to look at: how far each is from its nearest, the largest gap, and both as discs.

use mohawk::render::{Disc, distance_color};
use mohawk::roots::distribution::nearest_distances;
use mohawk::roots::{Gap, Roots, SampleError, relative_radius};
use mohawk::scalp::Scalp;

/// More discs than this are not drawn: from where one sees them all they are dust.
const MOST_DISCS: usize = 200_000;

/// The colour of the ring around the largest gap.
const RING_COLOR: [f32; 3] = [1.0, 1.0, 1.0];

/// Bars of the histogram, over [0, [`HISTOGRAM_END`]) spacings.
const BARS: usize = 90;
/// What the histogram ends at, in spacings; its last bar has all beyond.
pub const HISTOGRAM_END: f64 = 1.5;

/// How far roots are from their nearest.
#[derive(Clone, Debug)]
pub struct Spread {
    /// Of each root to the nearest on its side, in decimetres; infinite where there is none.
    nearest: Vec<f64>,
    /// The smallest of them, if there is a pair.
    pub closest: Option<f64>,
    /// [`relative_radius`] of that.
    pub relative_radius: Option<f64>,
    /// How many roots have their nearest in each of equal steps up to [`HISTOGRAM_END`].
    pub histogram: [u32; BARS],
    /// Roots closer to another than their spacing, beyond rounding.
    pub too_close: usize,
}

impl Spread {
    /// Measures a set.
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

    /// The distance of a root to its nearest, in spacings there.
    fn ratio(&self, scalp: &Scalp, roots: &Roots, root: usize) -> f64 {
        self.nearest[root] / f64::from(spacing_at(scalp, roots, root))
    }

    /// A disc for each root, or for one in [`drawn_stride`]: as wide as the spacing, so that discs
    /// touch and do not overlap.
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

/// Of so many roots one in this many gets a disc. Not the first ones: sets need not be even in
/// the order of their roots.
pub fn drawn_stride(roots: usize) -> usize {
    roots.div_ceil(MOST_DISCS).max(1)
}

/// The ring around the largest gap: nothing on the scalp is farther from a root than its middle.
pub fn ring(scalp: &Scalp, gap: &Gap) -> Disc {
    Disc {
        center: gap.position,
        normal: scalp.face_normal(gap.point.triangle),
        radius: gap.radius as f32,
        color: RING_COLOR,
    }
}

/// The spacing that a root keeps.
fn spacing_at(scalp: &Scalp, roots: &Roots, root: usize) -> f32 {
    if !roots.scaled {
        return roots.spacing;
    }
    let density = scalp.density(roots.points[root]);
    roots.spacing / density.max(f32::MIN_POSITIVE).sqrt()
}
