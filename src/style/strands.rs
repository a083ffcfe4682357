//! Hair as brushes change it: polylines with equal numbers of points.

use crate::groom::{Groom, RestCurves};
use glam::Vec3;
use rayon::prelude::*;

/// Points per strand, unless curls need more.
pub const POINTS: usize = 16;

/// Strands that brushes move. Head space, decimetres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strands {
    /// Points per strand, with the root.
    pub(super) per: usize,
    /// The follicle of each strand.
    pub(super) follicles: Vec<u32>,
    pub(super) roots: Vec<Vec3>,
    /// Normals of the skin at the roots.
    pub(super) normals: Vec<Vec3>,
    /// Points relative to the root of their strand; the first of each strand is 0.
    pub(super) points: Vec<Vec3>,
}

impl Strands {
    /// Converts a groom to polylines; straight strands get [`POINTS`] points.
    pub(super) fn of(groom: &Groom, follicles: Vec<u32>) -> Self {
        let per = groom
            .curves
            .as_ref()
            .map_or(0, RestCurves::per_strand)
            .max(POINTS);
        let mut points = vec![Vec3::ZERO; per * groom.len()];
        (points.par_chunks_exact_mut(per).enumerate()).for_each(|(strand, points)| {
            match &groom.curves {
                Some(curves) => curves.write(strand, points),
                None => {
                    let tip = groom.directions[strand] * groom.lengths[strand];
                    for (i, point) in points.iter_mut().enumerate() {
                        *point = tip * (i as f32 / (per - 1) as f32);
                    }
                }
            }
        });
        Self {
            per,
            follicles,
            roots: groom.roots.clone(),
            normals: groom.normals.clone(),
            points,
        }
    }

    /// The number of strands.
    pub fn len(&self) -> usize {
        self.roots.len()
    }

    /// Whether there are no strands.
    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// The number of points per strand, with the root.
    pub fn per_strand(&self) -> usize {
        self.per
    }

    /// The points of a strand relative to its root.
    pub fn strand(&self, strand: usize) -> &[Vec3] {
        &self.points[strand * self.per..(strand + 1) * self.per]
    }

    pub(super) fn strand_mut(&mut self, strand: usize) -> &mut [Vec3] {
        &mut self.points[strand * self.per..(strand + 1) * self.per]
    }

    /// All points of all strands in head space, root first, decimetres.
    pub fn positions(&self) -> impl Iterator<Item = Vec3> + '_ {
        (self.points.chunks_exact(self.per.max(1)).zip(&self.roots))
            .flat_map(|(points, &root)| points.iter().map(move |&point| root + point))
    }

    /// The length of a strand, decimetres.
    pub fn length(&self, strand: usize) -> f32 {
        length(self.strand(strand))
    }
}

/// The length of a polyline.
pub(super) fn length(points: &[Vec3]) -> f32 {
    let pairs = points.windows(2);
    pairs
        .map(|pair| f64::from(pair[0].distance(pair[1])))
        .sum::<f64>() as f32
}
