//! The effect of each tool on a hair in one step of a stroke.

use super::clip::{self, ClipKind};
use super::hair::{Curve, DollHair, MIN_LENGTH};
use glam::DVec2;

/// Movement of `to` by the comb, as a share of the step.
const DRAG_END: f64 = 0.5;
/// Movement of `mid` by a step along the hair, as a share of its distance from the middle of the
/// chord.
const STRAIGHTEN: f64 = 0.15;
/// Movement of `mid` by a step across the hair, as a share of the step.
const BEND: f64 = 0.25;
/// Change towards the colour of the brush in a step, as a share of the difference.
const DYE: f32 = 0.25;

crate::choices! {
    /// A tool.
    pub enum DollTool: "tool" = Comb {
        /// Straightens hair when moved along it, bends hair when moved across it.
        Comb = "comb",
        /// Cuts hair where it enters the circle.
        Cut = "cut",
        /// Dyes hair.
        Color = "color" | "colour",
        /// Ties the hair in the circle with a clip; a click on a clip removes it.
        Clip = "clip",
        /// Restores hair as it grew.
        Reset = "reset",
    }
}

impl DollTool {
    /// Returns `true` if it uses a colour.
    pub fn has_color(self) -> bool {
        matches!(self, Self::Color | Self::Clip)
    }
}

/// A tool and its settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DollBrush {
    /// The tool.
    pub tool: DollTool,
    /// Radius of the circle, pixels of the page, above 0.
    pub radius: f64,
    /// 0 (no effect) to 1. `Cut` and `Clip` ignore it.
    pub strength: f64,
    /// Colour of dyed hair and of clips, sRGB.
    pub color: [f32; 3],
    /// The kind of clip.
    pub clip: ClipKind,
}

impl Default for DollBrush {
    fn default() -> Self {
        Self {
            tool: DollTool::Comb,
            radius: 30.0,
            strength: 1.0,
            color: [232.0 / 255.0, 71.0 / 255.0, 106.0 / 255.0],
            clip: ClipKind::Bow,
        }
    }
}

impl DollBrush {
    /// Applies a step of `moved` that ends at `at`. `grown` returns the hair as it grew.
    pub(super) fn step(
        &self,
        hair: &mut DollHair,
        grown: impl FnOnce() -> DollHair,
        at: DVec2,
        moved: DVec2,
    ) {
        let touches = |curve: Curve| curve.passes(at, self.radius);
        match self.tool {
            DollTool::Comb if moved != DVec2::ZERO && touches(hair.curve) => {
                comb(hair, moved, self.strength);
            }
            DollTool::Cut => cut(hair, at, self.radius),
            DollTool::Color if hair.curves().any(touches) => {
                hair.color = mix(hair.color, self.color, DYE * self.strength as f32);
            }
            DollTool::Reset if self.strength > 0.0 && hair.curves().any(touches) => {
                reset(hair, grown(), self.strength);
            }
            // Clips are added by clicks, not by steps.
            _ => {}
        }
    }
}

/// Combs a hair with a step `m`.
fn comb(hair: &mut DollHair, m: DVec2, strength: f64) {
    let Curve { from, mid, to } = &mut hair.curve;
    let d = (*to - *from).try_normalize().unwrap_or(DVec2::ZERO);
    let is_along = m.dot(d).abs() >= m.perp_dot(d).abs();
    *to += DRAG_END * strength * m;
    match is_along {
        true => {
            let middle = 0.5 * (*from + *to);
            *mid += STRAIGHTEN * strength * (middle - *mid);
        }
        false => *mid += BEND * strength * m,
    }
    hair.settle();
}

/// Cuts a hair where it first enters the circle, seen from its root.
fn cut(hair: &mut DollHair, at: DVec2, radius: f64) {
    // A hair cut to the minimum can be a little longer, as its length is at least its chord.
    let is_long = |number| hair.piece_length(number) > 1.25 * MIN_LENGTH;
    let entered = |(number, curve): (usize, Curve)| {
        let t = curve.enters(at, radius)?;
        is_long(number).then_some((number, curve, t))
    };
    let Some((number, curve, t)) = hair.curves().enumerate().find_map(entered) else {
        return;
    };
    let held = hair.held[number..].iter().map(|held| held.length);
    let whole = held.sum::<f64>() + hair.length;
    let length = hair.piece_length(number);
    let t = match length * curve.share(t) < MIN_LENGTH {
        true => curve.after_share(MIN_LENGTH / length),
        false => t,
    };
    hair.curve = curve.split(t)[0];
    // The rest does not move, although its chord can be longer than its share of the length. No
    // hair becomes longer than it was.
    let chord = hair.curve.from.distance(hair.curve.to);
    hair.length = (length * curve.share(t)).max(chord).min(whole);
    hair.held.truncate(number);
    if chord > hair.length {
        hair.settle();
    }
}

/// Moves a hair by a share towards how it grew, out of its clips.
fn reset(hair: &mut DollHair, grown: DollHair, share: f64) {
    if share >= 1.0 {
        *hair = grown;
        return;
    }
    clip::free(hair);
    let (is, was) = (&mut hair.curve, &grown.curve);
    is.mid = is.mid.lerp(was.mid, share);
    is.to = is.to.lerp(was.to, share);
    hair.length += share * (grown.length - hair.length);
    hair.color = mix(hair.color, grown.color, share as f32);
    hair.settle();
}

fn mix(from: [f32; 3], to: [f32; 3], share: f32) -> [f32; 3] {
    std::array::from_fn(|i| from[i] + share * (to[i] - from[i]))
}
