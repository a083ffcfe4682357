//! Clips, which hold hair and release it.
//!
//! A clip splits each hair that it catches: the piece from the root to the clip is held, the rest
//! begins at the clip and stays free.

use super::hair::{Curve, DollHair, HeldPiece};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// Distance of a held point from the clip, as a share of the distance before.
pub(super) const GATHER: f64 = 0.3;
/// Smallest length of the free part of a held hair, pixels.
const MIN_FREE_LENGTH: f64 = 4.0;
/// Largest number of clips on a hair.
pub(super) const MAX_CLIPS_PER_HAIR: usize = 4;
/// Largest number of clips.
pub(super) const MAX_CLIPS: usize = 200;

crate::choices! {
    /// The kind of a clip.
    pub enum ClipKind: "clip" = Bow {
        /// A tied ribbon.
        Bow = "bow",
        /// A hair clip.
        Barrette = "barrette",
        /// A flower.
        Flower = "flower",
        /// A hair tie of cloth.
        Scrunchie = "scrunchie",
    }
}

/// A clip on the page.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clip {
    /// The number by which hairs refer to it.
    pub number: u32,
    /// The position, pixels.
    pub at: DVec2,
    /// The radius within which it caught hair, pixels.
    pub radius: f64,
    /// The kind.
    pub kind: ClipKind,
    /// The colour, sRGB.
    pub color: [f32; 3],
}

impl Clip {
    /// Returns half its drawn width, pixels.
    pub fn half_width(&self) -> f64 {
        0.75 * self.radius
    }
}

/// Catches a hair if it passes within the radius of the clip and is long enough.
pub(super) fn catch(hair: &mut DollHair, clip: &Clip) {
    let curve = hair.curve;
    if hair.held.len() >= MAX_CLIPS_PER_HAIR || !curve.passes(clip.at, clip.radius) {
        return;
    }
    let (t, _) = curve.nearest(clip.at);
    let caught = curve.at(t);
    let point = clip.at + GATHER * (caught - clip.at);
    let gathered = point - caught;
    let held = (hair.length * curve.share(t)).max(point.distance(curve.from));
    if hair.length - held < MIN_FREE_LENGTH {
        return;
    }
    let [before, after] = curve.split(t);
    hair.held.push(HeldPiece {
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
}

/// Releases a hair from a clip: the pieces on both sides become one curve that passes near the
/// clip.
pub(super) fn release(hair: &mut DollHair, clip: u32) {
    let Some(number) = hair.held.iter().position(|held| held.clip == clip) else {
        return;
    };
    let lengths = [number, number + 1].map(|piece| hair.piece_length(piece));
    let length = lengths[0] + lengths[1];
    let HeldPiece { from, .. } = hair.held.remove(number);
    // Without the piece before the clip, the one after it has its number.
    let Some(after) = hair.curves().nth(number) else {
        return; // The free part always follows.
    };
    let mid = through(from, after.from, after.to, lengths[0] / length);
    let mut whole = Curve { from, mid, ..after };
    whole.settle(length);
    match hair.held.get_mut(number) {
        // The next clip keeps its position.
        Some(held) => (held.from, held.mid, held.length) = (from, whole.mid, length),
        None => (hair.curve, hair.length) = (whole, length),
    }
}

/// Releases a hair from all its clips.
pub(super) fn free(hair: &mut DollHair) {
    while let Some(held) = hair.held.last() {
        release(hair, held.clip);
    }
}

/// Returns the control point of a curve between two ends that passes a point at parameter `share`.
fn through(from: DVec2, point: DVec2, to: DVec2, share: f64) -> DVec2 {
    // The control point would be far away for points near an end.
    let t = share.clamp(0.2, 0.8);
    let s = 1.0 - t;
    (point - s * s * from - t * t * to) / (2.0 * s * t)
}
