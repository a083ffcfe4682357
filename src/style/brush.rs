//! Brushes, and their effect on hair, step by step.
//!
//! A step moves a brush by a few pixels: `weights` tell how much it touches each point,
//! `displacement` moves the points, and `skin` restores lengths, locks roots and keeps hair out of
//! the skin. Hair is added and removed by the distance between roots.
//!
//! A step depends only on where hair was before it: the order of strands makes no difference, and
//! with `mirror` both sides of the head change alike.

mod displacement;
mod parting;
mod skin;
mod weights;

use parting::Parting;
pub(super) use skin::{MAX_DEPTH, POCKET_LENGTH, SkinField, ThinSkin};

use super::follicles::Follicles;
use super::selection::Selection;
use super::strands::{Lengths, Neighbours, Strands};
use super::stroke_file::{Stroke, Tool};
use super::visibility::Visibility;
use crate::bvh::bounds;
use crate::roots::RootIndex;
use crate::scalp::Scalp;
use glam::{DVec3, Vec2, Vec3};
use rayon::prelude::*;

impl Stroke {
    /// Returns the follicles whose hair is added or removed in a step that ends at a pixel.
    /// `growing` tells for each follicle whether it has hair.
    ///
    /// Those are added that have no other root nearer than the spacing over √strength. Those are
    /// removed that are nearer than the spacing over √(1 − strength) to one that keeps its hair, or
    /// all at a strength of 1. Follicles are tested in the order of their ranks, from sparse to
    /// dense, so that the chosen ones are as even as the whole set. Hair that is less selected is
    /// removed with less strength.
    pub(super) fn plant(
        &self,
        at: Vec2,
        sides: &[Visibility],
        follicles: &Follicles,
        growing: &[bool],
        selection: &Selection,
    ) -> Vec<u32> {
        let adds = self.tool == Tool::Add;
        let roots = follicles.roots();
        let is_under = |&follicle: &u32| {
            sides.iter().any(|side| {
                let seen = side.view.see(roots.positions[follicle as usize]);
                seen.is_some_and(|seen| seen.at.distance(at) < self.radius && side.shows(&seen))
            })
        };
        let acts = |follicle| self.strength > 0.0 && (adds || selection.of(follicle) > 0.0);
        let others = (0..growing.len() as u32).filter(|&f| growing[f as usize] != adds && acts(f));
        let mut under: Vec<u32> = others.filter(is_under).collect();
        // Slightly reduced because positions are rounded.
        let spacing = f64::from(roots.spacing) * (1.0 - 1e-6);
        let spacing = |density: f32| spacing / f64::from(density.max(1e-3)).sqrt();
        let mut index = RootIndex::default();
        if adds {
            // Only roots in the bounding box can be near.
            let (low, high) = bounds(under.iter().map(|&f| roots.positions[f as usize]));
            let widest = spacing(self.strength) as f32;
            let (low, high) = (low - widest, high + widest);
            for (i, position) in roots.positions.iter().enumerate() {
                if growing[i] && position.cmpge(low).all() && position.cmple(high).all() {
                    // The index refuses a root that lies on 32 others.
                    index.add(*position, roots.face_normals[i]).ok();
                }
            }
        }
        under.retain(|&follicle| {
            let i = follicle as usize;
            let (position, normal) = (roots.positions[i], roots.face_normals[i]);
            let spacing = spacing(match adds {
                true => self.strength,
                false => match self.strength * selection.of(follicle) {
                    1.0.. => return true,
                    strength => 1.0 - strength,
                },
            });
            let is_crowded = index.any(position, normal, spacing, |_| spacing);
            let grows = !is_crowded && index.add(position, normal).is_ok();
            if adds { grows } else { is_crowded }
        });
        under
    }
}

/// Points that a step moves by less than this have not moved, decimetres.
const LEAST_MOVE: f32 = 1e-6;
/// Length of a full step, pixels.
const STEP_PIXELS: f32 = crate::strokes::STEP_PIXELS as f32;

/// A step of a brush over hair.
pub(super) struct BrushStep<'a> {
    pub(super) brush: &'a Stroke,
    /// The ends of the step, pixels.
    pub(super) from: Vec2,
    pub(super) to: Vec2,
    /// The view of the camera, and for mirrored strokes its mirror image.
    pub(super) sides: &'a [Visibility],
    pub(super) skin: SkinField<'a>,
    /// The share of its effect that the brush has on each strand; `None`: all of it.
    pub(super) selection: Option<&'a Selection>,
    /// The lines of `part`, per side.
    pub(super) partings: Vec<Parting>,
    /// The strands beside each, for `smooth` only.
    pub(super) neighbours: Option<&'a Neighbours>,
    /// The drawn positions of moving hair, laid out as the points of the strands; `None`: at rest.
    pub(super) shown: Option<&'a [Vec3]>,
    pub(super) strands: &'a Strands,
    pub(super) lengths: &'a Lengths,
    /// The weighted mean of each point along the touched strands, per side. [`moved`](Self::moved)
    /// finds them for `clump`.
    pub(super) middles: Vec<Vec3>,
}

impl<'a> BrushStep<'a> {
    /// Returns a step between two pixels over strands at rest, without skin that stops them.
    pub(super) fn new(
        brush: &'a Stroke,
        [from, to]: [Vec2; 2],
        sides: &'a [Visibility],
        scalp: &Scalp,
        strands: &'a Strands,
        lengths: &'a Lengths,
    ) -> Self {
        let side = sides.first().filter(|_| brush.tool == Tool::Part);
        let line = side.and_then(|side| Parting::of(side, scalp, [from, to], brush.radius));
        let both = line.map(|line| [line.mirrored(), line]);
        let lines = both.into_iter().flatten().rev();
        Self {
            brush,
            from,
            to,
            sides,
            skin: SkinField(None),
            selection: None,
            partings: lines.take(sides.len()).collect(),
            neighbours: None,
            shown: None,
            strands,
            lengths,
            middles: Vec::new(),
        }
    }
}

impl BrushStep<'_> {
    /// Returns how much the brush acts on a strand.
    fn selected(&self, strand: usize) -> f32 {
        let follicle = self.strands.follicles[strand];
        (self.selection).map_or(1.0, |selection| selection.of(follicle))
    }

    /// Returns the numbers of the strands that the brush touches, and the points of these strands
    /// after the step.
    pub(super) fn moved(mut self) -> (Vec<u32>, Vec<Vec3>) {
        let (touched, per) = (self.touched(), self.strands.per);
        if self.brush.tool == Tool::Clump {
            let mut sums = vec![(DVec3::ZERO, 0.0_f64); per * self.sides.len()];
            for touch in &touched {
                let strand = touch.strand as usize;
                let root = self.strands.roots[strand];
                for (i, (sum, &weight)) in sums.iter_mut().zip(&touch.weights).enumerate() {
                    let point = root + self.strands.strand(strand)[i % per];
                    sum.0 += point.as_dvec3() * f64::from(weight);
                    sum.1 += f64::from(weight);
                }
            }
            let mean = |(sum, weight): (DVec3, f64)| (sum / weight.max(1e-30)).as_vec3();
            self.middles = sums.into_iter().map(mean).collect();
        }
        let mut points = vec![Vec3::ZERO; per * touched.len()];
        (points.par_chunks_exact_mut(per).zip(touched.par_iter()))
            .for_each(|(points, touch)| self.write(touch, points));
        let (mut numbers, mut moved) = (Vec::new(), Vec::new());
        for (touch, new) in touched.iter().zip(points.chunks_exact(per)) {
            let old = self.strands.strand(touch.strand as usize);
            let mut ways = old
                .iter()
                .zip(new)
                .map(|(old, new)| old.distance_squared(*new));
            if ways.any(|way| way > LEAST_MOVE * LEAST_MOVE) {
                numbers.push(touch.strand);
                moved.extend_from_slice(new);
            }
        }
        (numbers, moved)
    }

    /// Returns the strands that the brush touches, with the largest weight of their points.
    pub(super) fn reached(&self) -> Vec<(u32, f32)> {
        let most = |weights: &[f32]| weights.iter().copied().fold(0.0, f32::max);
        let touched = self.touched().into_iter();
        touched
            .map(|touch| (touch.strand, most(&touch.weights)))
            .collect()
    }

    /// Returns the length of the step, pixels; a tap counts as a full step.
    fn pixels(&self) -> f32 {
        match self.from == self.to {
            true => STEP_PIXELS,
            false => self.from.distance(self.to),
        }
    }

    /// Returns the points of a strand where they are seen, relative to its root.
    fn shown(&self, strand: usize) -> &[Vec3] {
        match self.shown {
            Some(shown) => &shown[strand * self.strands.per..][..self.strands.per],
            None => self.strands.strand(strand),
        }
    }
}
