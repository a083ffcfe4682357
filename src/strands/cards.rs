//! Strands as cards: strips of quads with pictures of the strands in one texture, as games draw hair.
//!
//! Strands that lie close to one another become a card (`cluster`). Its strip runs along their mean and
//! lies where they spread (`strip`). They are drawn as they lie on it, into a rectangle of the texture
//! (`draw`, `atlas`).

mod atlas;
mod bounds;
mod cluster;
mod draw;
mod frame;
mod strip;
#[cfg(test)]
mod tests;

use super::{Form, Strands};
use crate::bvh::bounds;
use glam::{Vec2, Vec3};
use rayon::prelude::*;
use std::ops::Range;
use strip::Strip;

/// The strands of a card, unless the number of cards is given.
const STRANDS_PER_CARD: usize = 30;
/// The largest number of cards, unless it is given.
const MOST_CARDS: usize = 4000;

/// A corner of a card.
pub struct Corner {
    pub position: Vec3,
    /// Steady along the card, away from the head, and rounded across it.
    pub normal: Vec3,
    /// The unit direction across the card, in which u grows.
    pub tangent: Vec3,
    /// The place in the texture; v is 0 at the top, where roots are.
    pub uv: Vec2,
}

/// Strands as one mesh of cards with a texture.
pub struct Cards {
    /// Rows of two corners, strip after strip.
    pub corners: Vec<Corner>,
    /// The rows of each strip, at least 2.
    pub rows: Vec<usize>,
    /// The texture, PNG of RGBA: sRGB colours and coverage.
    pub picture: Vec<u8>,
}

/// The strands that cards are made of.
struct Source<'a> {
    strands: &'a Strands,
    ranges: Vec<Range<usize>>,
    /// A place inside the head, which is under the roots.
    middle: Vec3,
    /// The radius of strands without a width.
    radius: f32,
}

impl<'a> Source<'a> {
    fn new(strands: &'a Strands) -> Self {
        let ranges: Vec<Range<usize>> = strands.ranges().collect();
        let roots = ranges.iter().map(|range| strands.points[range.start]);
        let (low, high) = bounds(roots.map(Vec3::from));
        Self {
            strands,
            middle: (low + high) / 2.0,
            radius: strands.usual_width() / 2.0,
            ranges,
        }
    }

    fn radius(&self, strand: usize, point: usize) -> f32 {
        let width = self.strands.widths.at(strand, point);
        width.map_or(self.radius, |width| width / 2.0).max(0.0)
    }
}

impl Cards {
    /// Makes cards of strands.
    ///
    /// # Errors
    ///
    /// The cards do not fit into the texture, or a number of the form is out of range.
    pub fn new(strands: &Strands, form: &Form) -> Result<Self, String> {
        for (name, number, range) in [
            ("cards", form.cards.unwrap_or(1), Form::CARDS),
            ("texture", form.texture, Form::TEXTURES),
        ] {
            if !range.contains(&number) {
                let (least, most) = range.into_inner();
                return Err(format!("{name} = {number}: expected {least} to {most}"));
            }
        }
        let source = Source::new(strands);
        let usual = (strands.len() / STRANDS_PER_CARD).clamp(1, MOST_CARDS);
        let count = form.cards.map_or(usual, |cards| cards as usize);
        let clusters = cluster::clusters(&source, count);
        let strips: Vec<Strip> = (clusters.par_iter())
            .flat_map_iter(|cluster| Strip::of_cluster(&source, cluster))
            .collect();
        let places = atlas::pack(&strips, form.texture)?;
        let picture = atlas::draw(&source, &strips, &places, form.texture)?;
        let corners = strips.iter().zip(&places);
        Ok(Self {
            corners: corners
                .flat_map(|(strip, place)| strip.corners(place))
                .collect(),
            rows: strips.iter().map(|strip| strip.rows.len()).collect(),
            picture,
        })
    }

    /// Returns the triangles of all strips.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        let mut end = 0;
        let starts = self.rows.iter().flat_map(move |&rows| {
            let start = end;
            end += 2 * rows as u32;
            (start..end - 2).step_by(2)
        });
        starts.flat_map(|row| [[row, row + 1, row + 2], [row + 1, row + 3, row + 2]])
    }
}
