//! Rest strands: every hair of a style as it stands when nothing moves.

use crate::roots::Roots;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// How strands leave the scalp.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GroomSettings {
    /// Strand length, decimetres, 0.01 to 10.
    pub length: f32,
    /// Share by which lengths vary at random, 0 (all equal) to 1.
    pub length_variation: f32,
    /// Largest random angle between a strand and the surface normal, degrees, 0 to 80.
    pub spread_deg: f32,
}

impl Default for GroomSettings {
    fn default() -> Self {
        Self {
            length: 0.75,
            length_variation: 0.15,
            spread_deg: 6.0,
        }
    }
}

/// All strands of a style at rest, in head space. All lists have the same length.
#[derive(Clone, Debug, Default)]
pub struct Groom {
    /// Where strands start.
    pub roots: Vec<Vec3>,
    /// Unit rest directions.
    pub directions: Vec<Vec3>,
    /// Unit surface normals at the roots: the planes strands must stay above.
    pub normals: Vec<Vec3>,
    /// Lengths, decimetres.
    pub lengths: Vec<f32>,
}

impl Groom {
    /// Grows a strand from every root.
    pub fn grow(_roots: &Roots, _settings: &GroomSettings, _seed: u64) -> Groom {
        unimplemented!()
    }
    /// Number of strands.
    pub fn len(&self) -> usize {
        self.roots.len()
    }
    /// No strands at all.
    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }
}
