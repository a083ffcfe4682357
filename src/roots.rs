//! Hair roots: maximal Poisson-disk sampling of the scalp.
//!
//! A set of roots is *Poisson-disk* if no two are closer than the spacing r, and *maximal* if no
//! point of the scalp is farther than r from a root. Only roots whose faces look to the same side
//! count. Definitions, algorithm and certificate: `docs/roots.md`.

pub mod distribution;
mod export;
mod external_points;
mod fragment;
mod gaps;
mod index;
mod measures;
mod metric;
mod sampling;
mod settings;
mod work;

pub use distribution::min_distance;
pub use external_points::{ExternalError, ExternalRoots};
pub(crate) use index::RootIndex;
pub use measures::{Coverage, Gap, MAXIMAL_TOLERANCE, certify, relative_radius};
pub use settings::{Amount, MAX_STRANDS, Method, RootSettings};

use crate::scalp::{Scalp, SurfacePoint};
use glam::Vec3;
use sampling::Sampling;
use std::ops::ControlFlow;

/// The smallest density that widens the spacing: to 8 times.
pub const LEAST_DENSITY: f64 = 1.0 / 64.0;

/// Roots on a scalp, by rank. All lists have the same length.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    /// The spacing r. In maximal sets no two roots on one side are closer, and no point of the
    /// scalp is farther from a root.
    pub spacing: f32,
    /// The place of each root on the scalp.
    pub points: Vec<SurfacePoint>,
    /// The positions in head space: [`Scalp::point`] of `points`.
    pub positions: Vec<Vec3>,
    /// The unit directions of growth: interpolated vertex normals.
    pub directions: Vec<Vec3>,
    /// The unit geometric normals of the triangles.
    pub face_normals: Vec<Vec3>,
    /// The rank of each root in the order of the full set, ascending.
    pub ranks: Vec<u32>,
    /// The number of roots of the full set, before density leaves out any.
    pub full_count: usize,
    /// `true` if the spacing is `spacing / sqrt(density)`.
    pub scaled: bool,
}

/// An error of sampling.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SampleError {
    /// The progress callback cancelled.
    #[error("sampling was cancelled")]
    Cancelled,
    /// The number of strands is 0 or above [`MAX_STRANDS`].
    #[error("strands must be 1 to {MAX_STRANDS}, not {strands}")]
    Strands {
        /// The requested value.
        strands: u32,
    },
    /// The spacing is not a positive length.
    #[error("spacing must be a finite length above 0, not {spacing}")]
    Spacing {
        /// The requested value.
        spacing: f32,
    },
    /// The spacing would need more than [`MAX_STRANDS`].
    #[error(
        "a spacing of {spacing} is too small for this scalp, which would take more than \
         {MAX_STRANDS} strands: the smallest is {smallest}"
    )]
    TooMany {
        /// The requested spacing, decimetres.
        spacing: f32,
        /// The smallest spacing that is allowed, decimetres.
        smallest: f32,
    },
    /// The spacing is finer than the resolution of single-precision coordinates.
    #[error(
        "a spacing of {spacing} is too small for this scalp, which is so far from the origin that \
         its coordinates are too coarse: the smallest is {smallest}. Move the mesh to the origin"
    )]
    TooFine {
        /// The requested spacing, decimetres.
        spacing: f32,
        /// The smallest spacing that is allowed, decimetres.
        smallest: f32,
    },
    /// The scalp takes far more work than its size and triangles justify.
    #[error(
        "the scalp cannot be sampled: too many of its triangles are thin as needles or lie on \
         each other. Merge doubles, delete loose and doubled faces, or remesh the head \
         (Blender: Mesh > Merge > By Distance, Mesh > Clean Up), ask for fewer strands, or try the \
         method `maximal`, which takes the least work"
    )]
    Uneven,
    /// A root could not be indexed, which only sets from elsewhere can cause.
    #[error("root {root} cannot be indexed: {reason}")]
    Index {
        /// The index of the root.
        root: usize,
        /// The error of the index.
        reason: String,
    },
}

impl Roots {
    /// Returns the roots that a share, 0 to 1, of the painted density leaves. A root stays if its
    /// rank, as a share of the full set, is below the density there. Another density never moves a
    /// root.
    ///
    /// In [`Method::Progressive`] order the remaining roots are evenly spread, as every prefix is.
    /// In a [`scaled`](Self::scaled) set, whose spacing follows the paint already, only the share
    /// leaves out roots.
    #[must_use]
    pub fn thinned(&self, scalp: &Scalp, share: f32) -> Roots {
        let stays = |&number: &u32| {
            let number = number as usize;
            let painted = match self.scaled {
                true => 1.0,
                false => scalp.density(self.points[number]),
            };
            let density = f64::from(painted) * f64::from(share);
            Self::stays(self.ranks[number] as usize, density, self.full_count)
        };
        let numbers = 0..self.points.len() as u32;
        self.kept(&numbers.filter(stays).collect::<Vec<_>>(), share)
    }

    /// Returns the first `count` roots of a full set as a set of their own, or all if there are fewer.
    /// The spacing is their smallest distance, or stays if no distance can be measured.
    #[must_use]
    pub fn prefix(&self, count: usize) -> Roots {
        let mut roots = self.clone();
        roots.points.truncate(count);
        roots.positions.truncate(count);
        roots.directions.truncate(count);
        roots.face_normals.truncate(count);
        roots.ranks.truncate(count);
        roots.full_count = roots.ranks.len();
        if let Ok(Some(distance)) = min_distance(&roots) {
            // Rounded down, so that no two are closer.
            roots.spacing = (distance as f32).next_down();
        }
        roots
    }

    /// Returns `true` if a density, 0 to 1, leaves the root of a rank in a full set of `count`.
    pub(crate) fn stays(rank: usize, density: f64, count: usize) -> bool {
        rank as f64 + 0.5 < density * count as f64
    }

    /// Returns the spacing of the roots that stay under a share.
    pub(crate) fn kept_spacing(&self, share: f32) -> f32 {
        self.spacing / share.clamp(LEAST_DENSITY as f32, 1.0).sqrt()
    }

    /// Returns the roots of these numbers, which stay under a share.
    pub(crate) fn kept(&self, numbers: &[u32], share: f32) -> Roots {
        fn kept<T: Copy>(list: &[T], numbers: &[u32]) -> Vec<T> {
            numbers
                .iter()
                .map(|&number| list[number as usize])
                .collect()
        }
        Roots {
            spacing: self.kept_spacing(share),
            points: kept(&self.points, numbers),
            positions: kept(&self.positions, numbers),
            directions: kept(&self.directions, numbers),
            face_normals: kept(&self.face_normals, numbers),
            ranks: kept(&self.ranks, numbers),
            full_count: self.full_count,
            scaled: true,
        }
    }

    /// Returns roots at points of a scalp, in their order.
    pub(crate) fn at(scalp: &Scalp, points: Vec<SurfacePoint>, spacing: f32) -> Roots {
        let of = |f: &dyn Fn(SurfacePoint) -> Vec3| points.iter().map(|&p| f(p)).collect();
        Roots {
            spacing,
            positions: of(&|p| scalp.point(p)),
            directions: of(&|p| scalp.normal(p)),
            face_normals: of(&|p| scalp.face_normal(p.triangle)),
            ranks: (0..points.len() as u32).collect(),
            full_count: points.len(),
            scaled: false,
            points,
        }
    }

    /// Samples a scalp beside another one that has the roots `others`. The spacing is theirs, or
    /// the smallest that the scalp allows. Both sets keep it from each other and together leave no
    /// gap. The order is [`Method::Progressive`], with ranks of its own.
    ///
    /// # Errors
    ///
    /// The errors of [`sample`](Self::sample).
    pub fn beside(
        &self,
        scalp: &Scalp,
        seed: u64,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Roots, SampleError> {
        let on = Sampling {
            scalp,
            method: Method::Progressive,
            seed,
        };
        let amount = Amount::Spacing(self.spacing.max(on.smallest()));
        on.sample(amount, Some(self), progress)
    }

    /// Samples the scalp. `progress` receives the finished share in [0, 1] and may cancel.
    ///
    /// The same scalp and settings give the same bits on every machine. The set is maximal to
    /// within a thousandth of the spacing, which [`certify`] proves for any set. Sampling takes
    /// about 10 µs per root.
    ///
    /// # Errors
    ///
    /// [`SampleError`] for an invalid amount, a spacing that is too small for the scalp, and after
    /// cancellation.
    pub fn sample(
        scalp: &Scalp,
        settings: &RootSettings,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Roots, SampleError> {
        let on = Sampling {
            scalp,
            method: settings.method,
            seed: settings.seed,
        };
        on.sample(settings.amount, None, progress)
    }
}
