//! Tools, brushes and their inputs.

use super::skin::SkinField;
use crate::style::strands::{Neighbours, Strands};
use crate::style::visibility::Visibility;
use glam::{DVec2, Vec2, Vec3};

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
    pub(super) fn fade(&self, share: f32) -> f32 {
        let inward = ((1.0 - share) / self.falloff.max(1e-6)).clamp(0.0, 1.0);
        inward * inward * (3.0 - 2.0 * inward)
    }
}

/// Length of a full step, pixels.
pub(super) const STEP_PIXELS: f32 = crate::strokes::STEP_PIXELS as f32;

/// A step of a stroke, pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Move {
    pub(crate) from: Vec2,
    pub(crate) to: Vec2,
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
    pub(super) fn pixels(&self) -> f32 {
        match self.from == self.to {
            true => STEP_PIXELS,
            false => self.from.distance(self.to),
        }
    }
}

/// The inputs of a brush besides the hair, constant during a step.
pub(crate) struct BrushContext<'a> {
    /// The view of the camera, and for mirrored strokes its mirror image.
    pub(crate) sides: &'a [Visibility],
    pub(crate) skin: SkinField<'a>,
    /// For `smooth` only.
    pub(crate) neighbours: Option<&'a Neighbours>,
    /// The drawn positions of moving hair, laid out as the points of the strands; `None`: at rest.
    pub(crate) shown: Option<&'a [Vec3]>,
}

impl BrushContext<'_> {
    /// The points of a strand where they are seen, relative to its root.
    pub(super) fn shown<'s>(&'s self, strands: &'s Strands, strand: usize) -> &'s [Vec3] {
        match self.shown {
            Some(shown) => &shown[strand * strands.per..][..strands.per],
            None => strands.strand(strand),
        }
    }
}
