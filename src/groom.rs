//! Rest strands: every hair of a style without motion. `grow` makes them from roots, `clump`,
//! `curl` and the modifiers of a `stack` shape them, `curves` has the curves of strands, and
//! `strand_modulation` the values of maps and random values.

mod carried;
mod clump;
mod curl;
mod curves;
mod grow;
mod lines;
mod stack;
mod strand_modulation;

pub use carried::CarriedStrands;
pub(crate) use curves::write_along;
pub use curves::{RestCurves, strand_curve_point};
pub(crate) use curves::{chord_share, even_places};
pub(crate) use grow::normal_at;
pub use stack::{
    Blend, Braid, Bun, Clump, Comb, Curl, Displace, Dye, Effect, EffectKind, Fade, Fall, Follow,
    Frizz, Leaders, Lift, Mask, Modifier, Noise, Part, Profile, Roll, Rotate, Shrinkwrap, Skin,
    Smooth, Straighten, Stray, Trim, Whorl,
};
pub(crate) use stack::{Checkpoint, EFFECT_SECTIONS, left_of_parting, locks, most_points};
pub use strand_modulation::Shares;

use crate::settings;
use glam::Vec3;
use std::sync::Arc;

settings! {
    /// Settings of the growth of strands from the scalp.
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
        /// Share of the strands that are drawn thinner and leaning out of the others.
        stray: f32 = 0.03, 0.0..=1.0 => "Stray hairs" 0.0..=0.3;
        /// Sideways waves of drawn strands, as a share of their length.
        frizz: f32 = 0.02, 0.0..=0.5 => "Frizz" 0.0..=0.2;
        /// Modifiers that shape strands, one after the other, for example
        /// [{ fall = { layer = 0.2 } }, { curl = { angle_deg = 50 } }].
        stack: Vec<Modifier>;
    }
}

/// The smallest width of a strand as it is drawn and exported, as a share of the width of the look.
pub(crate) const MIN_WIDTH: f32 = 0.1;

/// All strands of a style at rest, in head space. Lists have a value for each strand, or are empty; those
/// of values along strands have as many for each strand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Groom {
    /// The roots.
    pub roots: Vec<Vec3>,
    /// The unit directions of growth; straight strands follow them along their whole length.
    pub directions: Vec<Vec3>,
    /// The unit surface normals at the roots; strands stay above the planes that they define.
    pub normals: Vec<Vec3>,
    /// Lengths, decimetres.
    pub lengths: Vec<f32>,
    /// The rest curves, or `None` if all strands are straight.
    pub curves: Option<RestCurves>,
    /// The triangle of each root on the scalp; empty if unknown.
    pub faces: Vec<u32>,
    /// The widths as shares, 0 to 1, of the width of the look; empty means 1. Each strand has the
    /// same number of them, evenly spaced from root to tip.
    pub widths: Vec<f32>,
    /// The stiffness as shares, 0 to 1, of the settings of the solver; empty means 1.
    pub stiffness: Vec<f32>,
    /// The dye colours, sRGB, 0 to 1. White keeps the colours of the look, grey darkens them, and
    /// other colours replace their hue; empty means white. Each strand has the same number of them,
    /// evenly spaced from root to tip.
    pub tints: Vec<[f32; 3]>,
    /// The shares of pigment that are bleached, 0 to 1; empty means 0. Each strand has the same number
    /// of them, evenly spaced from root to tip.
    pub bleach: Vec<f32>,
    /// The wetness that strands show, 0 to 1; empty means 0. Each strand has as many values, evenly
    /// spaced from root to tip.
    pub wetness: Vec<f32>,
    /// The irregularities of drawn strands.
    pub fuzz: Fuzz,
}

/// Irregularities of drawn strands. They follow the motion and do not take part in it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fuzz {
    /// The share of strands that are thinner and lean out of the others.
    pub stray: f32,
    /// The largest distance by which strands are moved sideways, as a share of their length.
    pub frizz: f32,
}

/// Copies a groom that is lent.
impl From<&Groom> for Arc<Groom> {
    fn from(groom: &Groom) -> Self {
        groom.clone().into()
    }
}

impl GroomSettings {
    /// Returns `true` if the shape of hair depends on where the skin is.
    pub fn needs_skin(&self) -> bool {
        self.stack.iter().any(Modifier::needs_skin)
    }

    /// Returns the size of all guides in memory, bytes.
    pub(crate) fn guide_bytes(&self) -> usize {
        let guides = self.stack.iter().map(|modifier| match &modifier.effect {
            Effect::Follow(follow) => follow
                .guides
                .iter()
                .map(|guide| size_of_val(&guide[..]))
                .sum(),
            _ => 0,
        });
        guides.sum()
    }

    /// Returns the guides that brushes change, each its points from root to tip in head space, and the
    /// number of their modifier: the first that follows guides and is on.
    pub fn guides(&self) -> Option<(usize, &[Vec<[f32; 3]>])> {
        let mut stack = self
            .stack
            .iter()
            .enumerate()
            .filter(|(_, modifier)| modifier.on);
        stack.find_map(|(i, modifier)| match &modifier.effect {
            Effect::Follow(follow) => Some((i, &follow.guides[..])),
            _ => None,
        })
    }
}

impl Groom {
    /// Returns `true` if another groom has the same roots.
    pub(crate) fn has_roots_of(&self, other: &Self) -> bool {
        self.roots == other.roots && self.normals == other.normals && self.faces == other.faces
    }

    /// Returns straight strands of one length and one direction, which is their normal as well.
    pub fn parallel(roots: Vec<Vec3>, direction: Vec3, length: f32) -> Self {
        let count = roots.len();
        Self {
            roots,
            directions: vec![direction; count],
            normals: vec![direction; count],
            lengths: vec![length; count],
            ..Self::default()
        }
    }

    /// Returns the number of strands.
    pub fn len(&self) -> usize {
        self.roots.len()
    }

    /// Returns the stiffness of a strand, 0 to 1.
    pub fn stiffness_of(&self, strand: usize) -> f32 {
        match self.stiffness.get(strand) {
            Some(share) if !share.is_nan() => share.clamp(0.0, 1.0),
            _ => 1.0,
        }
    }

    /// Returns `true` if there are no strands.
    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }
}
