//! What brushes do to hair, step by step.
//!
//! | file | one thing |
//! |---|---|
//! | `touch` | which points of which strands a brush touches, and how much |
//! | `rules` | where each tool moves what it touches |
//! | `settle` | strands put together again: lengths kept, roots locked, out of the skin |
//! | `thin` | skin that the distance field cannot tell |
//! | `plant` | adding and taking away hair by the distance of roots |
//!
//! A step moves the brush by a few pixels. All that it does follows from where hair was before it,
//! so the order of strands makes no difference, and with `mirror` both sides of the head get the
//! same.

pub(super) mod plant;
mod rules;
mod settle;
mod thin;
mod touch;

pub(super) use settle::{DEEP, Ground, STUB};
pub(super) use thin::Thin;
pub(super) use touch::Lengths;

use super::neighbours::Neighbours;
use super::strands::Strands;
use super::visibility::Sight;
use glam::{DVec2, Vec2, Vec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// What a brush does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tool {
    /// Takes hair along, half as fast; along the hair it straightens, across it bends.
    Comb,
    /// Cuts hair off where it enters the brush.
    Cut,
    /// Lets hair grow as it stands.
    Grow,
    /// Raises hair off the skin.
    Puff,
    /// Presses hair towards the skin.
    Flatten,
    /// Makes hair more like the hair around it.
    Smooth,
    /// Draws hair together.
    Clump,
    /// Winds hair around itself.
    Curl,
    /// Plants hair where roots are far apart.
    Add,
    /// Takes hair away where roots are close.
    Delete,
}

impl Tool {
    /// All of them.
    pub const ALL: [Tool; 10] = [
        Tool::Comb,
        Tool::Cut,
        Tool::Grow,
        Tool::Puff,
        Tool::Flatten,
        Tool::Smooth,
        Tool::Clump,
        Tool::Curl,
        Tool::Add,
        Tool::Delete,
    ];

    /// Its name in stroke files.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Comb => "comb",
            Tool::Cut => "cut",
            Tool::Grow => "grow",
            Tool::Puff => "puff",
            Tool::Flatten => "flatten",
            Tool::Smooth => "smooth",
            Tool::Clump => "clump",
            Tool::Curl => "curl",
            Tool::Add => "add",
            Tool::Delete => "delete",
        }
    }
}

/// A tool and how it is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brush {
    /// What it does.
    pub tool: Tool,
    /// Pixels, above 0.
    pub radius: f32,
    /// 0 (nothing) to 1.
    pub strength: f32,
    /// Share of the radius over which the effect fades out to the edge, 0 (hard) to 1.
    pub falloff: f32,
    /// By how much less hair is moved near its root, 0 (alike all along) to 1 (in proportion to
    /// the way to the tip).
    pub tips: f32,
    /// Does the same on the other side of the head.
    pub mirror: bool,
}

impl Default for Brush {
    fn default() -> Self {
        Self {
            tool: Tool::Comb,
            radius: 40.0,
            strength: 0.5,
            falloff: 0.5,
            tips: 0.0,
            mirror: false,
        }
    }
}

/// A step of a stroke, pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Move {
    pub(super) from: Vec2,
    pub(super) to: Vec2,
}

/// What a tap without a move counts as, pixels: a whole step.
const STEP_PIXELS: f32 = crate::strokes::STEP_PIXELS as f32;

impl From<[DVec2; 2]> for Move {
    fn from([from, to]: [DVec2; 2]) -> Self {
        Self {
            from: from.as_vec2(),
            to: to.as_vec2(),
        }
    }
}

impl Move {
    /// How far it goes, or would.
    fn pixels(&self) -> f32 {
        match self.from == self.to {
            true => STEP_PIXELS,
            false => self.from.distance(self.to),
        }
    }
}

/// What a brush works with beside the hair: all of it stays during a stroke.
pub(super) struct Bench<'a> {
    /// What is seen, and with `mirror` the same of the other side.
    pub(super) sides: &'a [Sight],
    pub(super) ground: Ground<'a>,
    /// For `smooth` only.
    pub(super) neighbours: Option<&'a Neighbours>,
    /// Where hair is seen while it moves, laid out as the points of the strands; `None`: at rest.
    pub(super) shown: Option<&'a [Vec3]>,
}

impl Bench<'_> {
    /// The points of a strand as they are seen, from its root.
    fn seen<'s>(&'s self, strands: &'s Strands, strand: usize) -> &'s [Vec3] {
        match self.shown {
            Some(shown) => &shown[strand * strands.per..][..strands.per],
            None => strands.strand(strand),
        }
    }
}

impl Brush {
    /// One step: moves what the brush touches. Gives the strands that were touched, by number.
    pub(super) fn step(
        &self,
        step: Move,
        bench: &Bench,
        strands: &mut Strands,
        lengths: &mut Lengths,
    ) -> Vec<u32> {
        let touched = touch::touched(self, step, bench, strands, lengths);
        let per = strands.per;
        let moved = rules::Rules::new(self, step, bench, strands, lengths, &touched);
        let mut points = vec![Vec3::ZERO; per * touched.len()];
        (points.par_chunks_exact_mut(per).zip(touched.par_iter())).for_each(|(points, touch)| {
            moved.strand(touch, points);
        });
        for (touch, points) in touched.iter().zip(points.chunks_exact(per)) {
            let strand = touch.strand as usize;
            strands.strand_mut(strand).copy_from_slice(points);
            if matches!(self.tool, Tool::Cut | Tool::Grow) {
                lengths.measure(strands, strand);
            }
        }
        touched.into_iter().map(|touch| touch.strand).collect()
    }
}
