//! Clips: what they catch, and hair that is let go again.
//!
//! A clip splits each hair that it catches: the piece from the root to the clip stays as it is, the
//! rest grows out of the clip and is brushed on.

use super::hair::{Curve, Hair, Held};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// Hair is gathered within this share of the radius in which it was caught.
pub(super) const GATHERS: f64 = 0.3;
/// No less of a hair than this stands out of a clip, pixels.
const LEAST_OUT: f64 = 4.0;
/// Most clips on one hair.
pub(super) const MOST_HELD: usize = 4;
/// Most clips.
pub(super) const MOST_CLIPS: usize = 200;

/// What a clip looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClipKind {
    /// A ribbon, tied.
    #[default]
    Bow,
    /// A hair clip.
    Barrette,
    /// A flower.
    Flower,
    /// A hair tie of cloth.
    Scrunchie,
}

impl ClipKind {
    /// All, as they are offered.
    pub const ALL: [Self; 4] = [Self::Bow, Self::Barrette, Self::Flower, Self::Scrunchie];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bow => "bow",
            Self::Barrette => "barrette",
            Self::Flower => "flower",
            Self::Scrunchie => "scrunchie",
        }
    }
}

/// A clip on the page.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clip {
    /// The number that hair knows it by.
    pub number: u32,
    /// Where it is, pixels.
    pub at: DVec2,
    /// It caught the hair that passed within this, pixels.
    pub radius: f64,
    /// What it looks like.
    pub kind: ClipKind,
    /// sRGB.
    pub color: [f32; 3],
}

impl Clip {
    /// Half the width in which it is seen, pixels.
    pub fn half_width(&self) -> f64 {
        0.75 * self.radius
    }
}

/// Catches a hair, if it passes within the clip's radius and is long enough.
pub(super) fn catch(hair: &mut Hair, clip: &Clip) -> bool {
    let curve = hair.curve;
    if hair.held.len() >= MOST_HELD || !curve.passes(clip.at, clip.radius) {
        return false;
    }
    let (t, _) = curve.nearest(clip.at);
    let caught = curve.at(t);
    let point = clip.at + GATHERS * (caught - clip.at);
    let gathered = point - caught;
    let held = (hair.length * curve.share(t)).max(point.distance(curve.from));
    if hair.length - held < LEAST_OUT {
        return false;
    }
    let [before, after] = curve.split(t);
    hair.held.push(Held {
        clip: clip.number,
        from: before.from,
        mid: before.mid + 0.5 * gathered,
        length: held,
    });
    hair.curve = Curve {
        from: point,
        mid: after.mid + gathered,
        to: after.to + gathered,
    };
    hair.length -= held;
    hair.settle();
    true
}

/// Lets a hair go that a clip holds: the pieces on both sides of it become one that passes there.
pub(super) fn release(hair: &mut Hair, clip: u32) -> bool {
    let Some(number) = hair.held.iter().position(|held| held.clip == clip) else {
        return false;
    };
    let mut curves = hair.curves().skip(number);
    let (Some(before), Some(after)) = (curves.next(), curves.next()) else {
        return false; // The curve comes after whatever is held.
    };
    drop(curves);
    let lengths = (
        hair.held[number].length,
        match hair.held.get(number + 1) {
            Some(held) => held.length,
            None => hair.length,
        },
    );
    let length = lengths.0 + lengths.1;
    let mut whole = Curve {
        from: before.from,
        mid: through(before.from, after.from, after.to, lengths.0 / length),
        to: after.to,
    };
    whole.settle(length);
    hair.held.remove(number);
    match hair.held.get_mut(number) {
        Some(held) => {
            // The clip beyond keeps its place.
            (held.from, held.mid, held.length) = (whole.from, whole.mid, length);
        }
        None => (hair.curve, hair.length) = (whole, length),
    }
    true
}

/// Lets a hair go that clips hold.
pub(super) fn free(hair: &mut Hair) {
    while let Some(held) = hair.held.last() {
        release(hair, held.clip);
    }
}

/// The control point of a curve between two ends that is at a point after a share of its way.
fn through(from: DVec2, point: DVec2, to: DVec2, share: f64) -> DVec2 {
    // Nearer to an end, the control point would be far away.
    let t = share.clamp(0.2, 0.8);
    let s = 1.0 - t;
    (point - s * s * from - t * t * to) / (2.0 * s * t)
}
