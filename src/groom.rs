//! Rest strands: every hair of a style as it stands when nothing moves.

mod clump;
mod curl;
mod curve;
mod grow;
mod rest;
mod strand_modulation;

pub use self::strand_modulation::Shares;
pub use curve::strand_curve_point;
pub use rest::RestCurves;
pub(crate) use rest::write_along;

use crate::settings::{SettingError, check_range};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// How strands leave the scalp.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GroomSettings {
    /// Share of the painted density that grows hair, 0 (bald) to 1: which of the roots stay.
    pub density: f32,
    /// Strand length, decimetres, 0.01 to 10.
    pub length: f32,
    /// Share by which lengths vary at random, 0 (all equal) to 1.
    pub length_variation: f32,
    /// Largest random angle between a strand and the surface normal, degrees, 0 to 80.
    pub spread_deg: f32,
    /// Share by which strands lean to the tip of their clump's middle strand, 0 (clean) to 1.
    pub clump: f32,
    /// Radius of a clump at the scalp, decimetres, 0 (no clumps) to 1.
    pub clump_size: f32,
    /// Angle by which hair winds around the direction it grows in, degrees, 0 (straight) to 80.
    pub curl_deg: f32,
    /// Length of hair in one turn of a curl, decimetres, 0.05 to 10.
    pub curl_length: f32,
    /// How flat curls are, 0 (round) to 1 (waves in a plane).
    pub curl_flat: f32,
}

impl Default for GroomSettings {
    fn default() -> Self {
        Self {
            density: 1.0,
            length: 0.75,
            length_variation: 0.15,
            spread_deg: 6.0,
            clump: 0.6,
            clump_size: 0.07,
            curl_deg: 0.0,
            curl_length: 0.4,
            curl_flat: 0.0,
        }
    }
}

impl GroomSettings {
    /// Allowed [`density`](Self::density).
    pub const DENSITY_RANGE: RangeInclusive<f32> = 0.0..=1.0;
    /// Allowed [`length`](Self::length), decimetres.
    pub const LENGTH_RANGE: RangeInclusive<f32> = 0.01..=10.0;
    /// Allowed [`length_variation`](Self::length_variation).
    pub const LENGTH_VARIATION_RANGE: RangeInclusive<f32> = 0.0..=1.0;
    /// Allowed [`spread_deg`](Self::spread_deg). Less than 90, so that every rest strand stands
    /// above its root's plane.
    pub const SPREAD_DEG_RANGE: RangeInclusive<f32> = 0.0..=80.0;
    /// Allowed [`clump`](Self::clump).
    pub const CLUMP_RANGE: RangeInclusive<f32> = 0.0..=1.0;
    /// Allowed [`clump_size`](Self::clump_size), decimetres.
    pub const CLUMP_SIZE_RANGE: RangeInclusive<f32> = 0.0..=1.0;
    /// Allowed [`curl_deg`](Self::curl_deg).
    pub const CURL_DEG_RANGE: RangeInclusive<f32> = 0.0..=80.0;
    /// Allowed [`curl_length`](Self::curl_length), decimetres.
    pub const CURL_LENGTH_RANGE: RangeInclusive<f32> = 0.05..=10.0;
    /// Allowed [`curl_flat`](Self::curl_flat).
    pub const CURL_FLAT_RANGE: RangeInclusive<f32> = 0.0..=1.0;

    /// The first setting that is out of its range, if any.
    pub fn validate(&self) -> Result<(), SettingError> {
        check_range("groom.density", self.density, Self::DENSITY_RANGE, "")?;
        check_range(
            "groom.length",
            self.length,
            Self::LENGTH_RANGE,
            "decimetres",
        )?;
        check_range(
            "groom.length_variation",
            self.length_variation,
            Self::LENGTH_VARIATION_RANGE,
            "",
        )?;
        check_range(
            "groom.spread_deg",
            self.spread_deg,
            Self::SPREAD_DEG_RANGE,
            "degrees",
        )?;
        check_range("groom.clump", self.clump, Self::CLUMP_RANGE, "")?;
        check_range(
            "groom.clump_size",
            self.clump_size,
            Self::CLUMP_SIZE_RANGE,
            "decimetres",
        )?;
        let (curl, length) = (Self::CURL_DEG_RANGE, Self::CURL_LENGTH_RANGE);
        check_range("groom.curl_deg", self.curl_deg, curl, "degrees")?;
        check_range("groom.curl_length", self.curl_length, length, "decimetres")?;
        let flat = Self::CURL_FLAT_RANGE;
        check_range("groom.curl_flat", self.curl_flat, flat, "")
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
