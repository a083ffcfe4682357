//! What the tools do to a hair, step by step of a stroke.

use super::clip::ClipKind;
use super::hair::{Curve, Hair, SHORTEST};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// Share of the step by which `to` moves.
const DRAGS_END: f64 = 0.5;
/// Share of the way to the middle of the hair that `mid` goes, brushed along.
const STRAIGHTENS: f64 = 0.15;
/// Share of the step by which `mid` moves, brushed across.
const BENDS: f64 = 0.25;
/// Share of the way to the brush's colour, a step.
const DYES: f32 = 0.25;

/// What is in hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DollTool {
    /// Drags hair along, straightens and bends it.
    #[default]
    Comb,
    /// Cuts hair where it enters the brush.
    Cut,
    /// Dyes hair.
    #[serde(alias = "colour")]
    Color,
    /// Puts a clip on, which holds the hair that it catches; on a clip, takes it off.
    Clip,
    /// Makes hair as it grew.
    Reset,
}

impl DollTool {
    /// All, as they are offered.
    pub const ALL: [Self; 5] = [Self::Comb, Self::Cut, Self::Color, Self::Clip, Self::Reset];

    /// Its name in stroke files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Comb => "comb",
            Self::Cut => "cut",
            Self::Color => "color",
            Self::Clip => "clip",
            Self::Reset => "reset",
        }
    }
}

/// How it is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DollBrush {
    /// What it does.
    pub tool: DollTool,
    /// Pixels of the page, above 0.
    pub radius: f64,
    /// 0 (nothing) to 1; scissors and clips know no half measures.
    pub strength: f64,
    /// What `Color` dyes hair with, and what a clip is made of, sRGB.
    pub color: [f32; 3],
    /// What `Clip` puts on.
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
    /// Could it touch the hair? Quick, and seldom wrong.
    pub(super) fn is_near(&self, hair: &Hair, at: DVec2) -> bool {
        let held = hair.held.iter().flat_map(|held| [held.from, held.mid]);
        let Curve { from, mid, to } = hair.curve;
        let (low, high) = held.fold(
            (from.min(mid).min(to), from.max(mid).max(to)),
            |(low, high), point| (low.min(point), high.max(point)),
        );
        at.cmpge(low - self.radius).all() && at.cmple(high + self.radius).all()
    }

    /// A step of the stroke: the brush is at `at` and has moved there by `moved`. Gives whether the
    /// hair was touched; `grown` is the hair as it grew.
    pub(super) fn step(&self, hair: &mut Hair, grown: &Hair, at: DVec2, moved: DVec2) -> bool {
        let touches = |curve: &Curve| curve.passes(at, self.radius);
        match self.tool {
            DollTool::Comb => {
                let touched = moved != DVec2::ZERO && touches(&hair.curve);
                if touched {
                    comb(hair, moved, self.strength);
                }
                touched
            }
            DollTool::Cut => cut(hair, at, self.radius),
            DollTool::Color => {
                let touched = hair.curves().any(|curve| touches(&curve));
                if touched {
                    let share = DYES * self.strength as f32;
                    hair.color = mix(hair.color, self.color, share);
                }
                touched
            }
            DollTool::Reset => {
                let touched = self.strength > 0.0 && hair.curves().any(|curve| touches(&curve));
                if touched {
                    reset(hair, grown, self.strength);
                }
                touched
            }
            // It is put on, and does not brush.
            DollTool::Clip => false,
        }
    }
}

/// Moves a hair along with a step `m` of the brush.
fn comb(hair: &mut Hair, m: DVec2, strength: f64) {
    let Curve { from, mid, to } = &mut hair.curve;
    let d = (*to - *from).try_normalize().unwrap_or(DVec2::ZERO);
    let is_along = m.dot(d).abs() >= m.perp_dot(d).abs();
    *to += DRAGS_END * strength * m;
    match is_along {
        true => {
            let middle = 0.5 * (*from + *to);
            *mid += STRAIGHTENS * strength * (middle - *mid);
        }
        false => *mid += BENDS * strength * m,
    }
    hair.settle();
}

/// Cuts off all beyond the place where a hair, from its root, enters the circle.
fn cut(hair: &mut Hair, at: DVec2, radius: f64) -> bool {
    let pieces: Vec<Curve> = hair.curves().collect();
    for (number, curve) in pieces.into_iter().enumerate() {
        let Some(t) = curve.enters(at, radius) else {
            continue;
        };
        let held = hair.held[number..].iter().map(|held| held.length);
        let whole = held.sum::<f64>() + hair.length;
        let length = match hair.held.get(number) {
            Some(held) => held.length,
            None => hair.length,
        };
        // What was cut as short as can be may be a little longer, as curves are.
        if length <= 1.25 * SHORTEST {
            return false;
        }
        let t = match length * curve.share(t) < SHORTEST {
            true => curve.after_share(SHORTEST / length),
            false => t,
        };
        hair.length = length * curve.share(t);
        hair.curve = curve.split(t)[0];
        // It stays where it is, though a curve is a little longer than its hair; but nothing grows.
        let Curve { from, to, .. } = hair.curve;
        let chord = from.distance(to);
        hair.length = hair.length.max(chord).min(whole);
        hair.held.truncate(number);
        if chord > hair.length {
            hair.settle();
        }
        return true;
    }
    false
}

/// Takes a hair back to how it grew, out of its clips.
fn reset(hair: &mut Hair, grown: &Hair, share: f64) {
    if share >= 1.0 {
        hair.clone_from(grown);
        return;
    }
    super::clip::free(hair);
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
