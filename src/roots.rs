//! Hair roots: maximal Poisson-disk sampling of the scalp.

use crate::scalp::{Scalp, SurfacePoint};
use glam::Vec3;
use std::ops::ControlFlow;

/// How many roots, or how far apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// About this many strands, 1 to 2,000,000; the spacing follows from the scalp's area.
    Strands(u32),
    /// No two roots closer than this, in decimetres.
    Spacing(f32),
}

/// Where roots go. (serde: `strands = N` or `spacing = R`, and `seed`.)
#[derive(Clone, Debug, PartialEq)]
pub struct RootSettings {
    /// How many or how far apart.
    pub amount: Amount,
    /// Same seed, same roots, on every machine.
    pub seed: u64,
}

impl Default for RootSettings {
    fn default() -> Self {
        Self {
            amount: Amount::Strands(6000),
            seed: 1,
        }
    }
}

/// A maximal Poisson-disk set on a scalp. All lists have the same length.
#[derive(Clone, Debug)]
pub struct Roots {
    /// The spacing r: no two (non-opposing) roots are closer, no scalp point is farther from a root.
    pub spacing: f32,
    /// Where each root sits on the scalp.
    pub points: Vec<SurfacePoint>,
    /// Positions in head space.
    pub positions: Vec<Vec3>,
    /// Unit growth directions: interpolated vertex normals.
    pub directions: Vec<Vec3>,
    /// Unit geometric normals of the triangles the roots sit on.
    pub face_normals: Vec<Vec3>,
}

/// Why sampling stopped.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// The progress callback asked to stop.
    #[error("sampling was cancelled")]
    Cancelled,
}

impl Roots {
    /// Samples the scalp; `progress` is told the finished share in [0, 1] and may cancel.
    pub fn sample(
        _scalp: &Scalp,
        _settings: &RootSettings,
        _progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Roots, SampleError> {
        unimplemented!()
    }
}
