//! Rest strands: every hair of a style as it stands when nothing moves.

mod clump;
mod curl;
mod curve;
mod grow;
mod random;
mod rest;
mod strand_modulation;

pub use self::strand_modulation::Shares;
pub use curve::strand_curve_point;
pub use rest::RestCurves;
pub(crate) use rest::write_along;

use crate::settings;
use glam::Vec3;

settings! {
    /// How strands grow from the scalp.
    pub struct GroomSettings in "groom" {
        /// Share of the painted density that grows hair. Strands that stay keep their place.
        density: f32 = 1.0, 0.0..=1.0 => "Density";
        /// Strand length.
        length: f32 = 0.75, 0.01..=10.0 "decimetres" => "Length" 0.05..=3.0 log;
        /// Share by which lengths vary at random.
        length_variation: f32 = 0.15, 0.0..=1.0 => "Variation";
        /// Largest random angle between a strand and the surface normal. It stays below 90 degrees,
        /// so that every strand stands above the plane at its root.
        spread_deg: f32 = 6.0, 0.0..=80.0 "degrees" => "Spread" 0.0..=60.0;
        /// Share by which strands lean to the tip of the middle strand of their clump.
        clump: f32 = 0.6, 0.0..=1.0 => "Clump";
        /// Radius of a clump at the scalp; 0 is no clumps.
        clump_size: f32 = 0.07, 0.0..=1.0 "decimetres" => "Clump size" 0.0..=0.3;
        /// Angle by which hair winds around the direction of growth; 0 is straight.
        curl_deg: f32 = 0.0, 0.0..=80.0 "degrees" => "Curl";
        /// Length of hair in one turn of a curl.
        curl_length: f32 = 0.4, 0.05..=10.0 "decimetres" => "Curl length" 0.05..=2.0 log;
        /// Flatness of curls, from round curls to waves in a plane.
        curl_flat: f32 = 0.0, 0.0..=1.0 => "Flatness";
    }
}

/// All strands of a style at rest, in head space. All lists have the same length, but for those
/// that may be empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Groom {
    /// Where strands start.
    pub roots: Vec<Vec3>,
    /// Unit directions in which strands grow: of straight ones, where they point all along.
    pub directions: Vec<Vec3>,
    /// Unit surface normals at the roots: the planes strands must stay above.
    pub normals: Vec<Vec3>,
    /// Lengths, decimetres.
    pub lengths: Vec<f32>,
    /// Rest curves, as many as there are strands; `None`: all are straight.
    pub curves: Option<RestCurves>,
    /// The triangle of the scalp that each root is on; empty where that is not known.
    pub faces: Vec<u32>,
    /// How wide strands are drawn, as shares (0 to 1) of the look's width; empty: all of it.
    pub widths: Vec<f32>,
    /// How well strands hold their shape, as shares (0 to 1) of what the solver's settings say;
    /// empty: all of it.
    pub stiffness: Vec<f32>,
    /// Colours that strands are dyed with, sRGB, 0 to 1: white leaves the look's colours alone,
    /// grey darkens them, others take the place of their hue; empty: white.
    pub tints: Vec<[f32; 3]>,
}

impl Groom {
    /// Number of strands.
    pub fn len(&self) -> usize {
        self.roots.len()
    }

    /// How well a strand holds its shape, 0 to 1: its share in [`stiffness`](Self::stiffness).
    pub fn stiffness_of(&self, strand: usize) -> f32 {
        match self.stiffness.get(strand) {
            Some(share) if !share.is_nan() => share.clamp(0.0, 1.0),
            _ => 1.0,
        }
    }

    /// No strands at all.
    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }
}
