//! Brushes, and their effect on hair, step by step.
//!
//! A step moves a brush by a few pixels: `weights` tell how much it touches each point,
//! `displacement` moves the points, and `skin` restores lengths, locks roots and keeps hair out of
//! the skin. `planting` adds and removes hair by the distance of roots.
//!
//! A step depends only on where hair was before it: the order of strands makes no difference, and
//! with `mirror` both sides of the head change alike.

mod displacement;
mod planting;
mod skin;
mod weights;

pub(super) use skin::{MAX_DEPTH, POCKET_LENGTH, SkinField, ThinSkin};

use super::strands::{Lengths, Neighbours, Strands};
use super::visibility::Visibility;
use glam::{DVec2, Vec2, Vec3};
use rayon::prelude::*;

crate::choices! {
    /// A tool for hair.
    pub enum Tool: "tool" = Comb {
        /// Moves hair along, half as fast as the brush; straightens it where it is combed
        /// lengthwise
        Comb = "comb",
        /// Cuts hair where it enters the circle
        Cut = "cut",
        /// Makes hair longer in its own shape
        Grow = "grow",
        /// Turns hair away from the skin
        Puff = "puff",
        /// Turns hair towards the skin
        Flatten = "flatten",
        /// Makes hair more like the hair around it
        Smooth = "smooth",
        /// Pulls hair together into locks
        Clump = "clump",
        /// Winds each strand around its axis
        Curl = "curl",
        /// Plants hair where roots are far apart, on bald skin too; strength: how densely
        Add = "add",
        /// Removes hair where roots are close; strength: how much of it
        Delete = "delete",
    }
}

/// A tool with its radius and strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brush {
    /// The tool.
    pub tool: Tool,
    /// Radius, pixels, above 0.
    pub radius: f32,
    /// Strength, 0 (no effect) to 1.
    pub strength: f32,
    /// Share of the radius over which the effect fades out to the edge, 0 (hard) to 1.
    pub falloff: f32,
    /// The reduction of movement near the root, from 0 (equal along the strand) to 1 (in proportion
    /// to the distance along the strand).
    pub tips: f32,
    /// `true` if the other side of the head changes alike.
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

impl Brush {
    /// Returns the share of the effect that remains at a share of the radius.
    fn fade(&self, share: f32) -> f32 {
        let inward = ((1.0 - share) / self.falloff.max(1e-6)).clamp(0.0, 1.0);
        inward * inward * (3.0 - 2.0 * inward)
    }
}

/// Length of a full step, pixels.
const STEP_PIXELS: f32 = crate::strokes::STEP_PIXELS as f32;

/// A step of a stroke, pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Move {
    pub(super) from: Vec2,
    pub(super) to: Vec2,
}

impl From<[DVec2; 2]> for Move {
    fn from([from, to]: [DVec2; 2]) -> Self {
        Self {
            from: from.as_vec2(),
            to: to.as_vec2(),
        }
    }
}

impl Move {
    /// Its length, pixels; a tap counts as a full step.
    fn pixels(&self) -> f32 {
        match self.from == self.to {
            true => STEP_PIXELS,
            false => self.from.distance(self.to),
        }
    }
}

/// A step of a brush over hair.
pub(super) struct BrushStep<'a> {
    pub(super) brush: &'a Brush,
    pub(super) step: Move,
    /// The view of the camera, and for mirrored strokes its mirror image.
    pub(super) sides: &'a [Visibility],
    pub(super) skin: SkinField<'a>,
    /// For `smooth` only.
    pub(super) neighbours: Option<&'a Neighbours>,
    /// The drawn positions of moving hair, laid out as the points of the strands; `None`: at rest.
    pub(super) shown: Option<&'a [Vec3]>,
    pub(super) strands: &'a Strands,
    pub(super) lengths: &'a Lengths,
    /// For `clump`, which finds them: per side, the weighted mean of each point along the touched
    /// strands.
    pub(super) middles: Vec<Vec3>,
}

impl BrushStep<'_> {
    /// Returns the numbers of the strands that the brush touches, and the points of these strands
    /// after the step.
    pub(super) fn moved(mut self) -> (Vec<u32>, Vec<Vec3>) {
        let touched = self.touched();
        if self.brush.tool == Tool::Clump {
            self.middles = self.middles_of(&touched);
        }
        let per = self.strands.per;
        let mut points = vec![Vec3::ZERO; per * touched.len()];
        (points.par_chunks_exact_mut(per).zip(touched.par_iter()))
            .for_each(|(points, touch)| self.write(touch, points));
        let numbers = touched.into_iter().map(|touch| touch.strand);
        (numbers.collect(), points)
    }

    /// The points of a strand where they are seen, relative to its root.
    fn shown(&self, strand: usize) -> &[Vec3] {
        match self.shown {
            Some(shown) => &shown[strand * self.strands.per..][..self.strands.per],
            None => self.strands.strand(strand),
        }
    }
}
