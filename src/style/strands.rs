//! Hair as brushes change it: polylines with equal numbers of points, their lengths, and strands
//! beside each other.

use crate::groom::{Groom, RestCurves, write_along};
use crate::roots::RootIndex;
use glam::Vec3;
use rayon::prelude::*;
use std::num::NonZeroUsize;

/// Points per strand, unless curls need more.
const POINTS: usize = 16;
/// Number of nearest strands that count as neighbours, with the strand itself.
const NEAREST: NonZeroUsize = NonZeroUsize::new(9).unwrap();

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
    /// Converts a groom to polylines of at least `least` points; straight strands get [`POINTS`] points.
    pub(super) fn of(groom: &Groom, follicles: Vec<u32>, least: usize) -> Self {
        let curves = groom.curves.as_ref();
        let per = curves
            .map_or(0, RestCurves::per_strand)
            .max(POINTS)
            .max(least);
        let mut points = vec![Vec3::ZERO; per * groom.len()];
        (points.par_chunks_exact_mut(per).enumerate())
            .for_each(|(strand, points)| groom.write_curve(strand, points));
        Self {
            per,
            follicles,
            roots: groom.roots.clone(),
            normals: groom.normals.clone(),
            points,
        }
    }

    /// Returns no strands; those that are added get this number of points.
    pub(super) fn with_points(per: usize) -> Self {
        Self {
            per,
            ..Self::default()
        }
    }

    /// Adds a strand along points in head space, root first. Without points it stands for nothing.
    pub(super) fn add(&mut self, points: impl Iterator<Item = Vec3>, normal: Vec3) {
        let points: Vec<Vec3> = points.collect();
        let root = points.first().copied().unwrap_or_default();
        let mut even = vec![root; self.per];
        if points.len() > 1 {
            write_along(&points, length(&points).into(), &mut even);
        }
        self.follicles.push(self.roots.len() as u32);
        self.roots.push(root);
        self.normals.push(normal);
        self.points.extend(even.iter().map(|&point| point - root));
    }

    /// Keeps the strands with these numbers alone.
    pub(super) fn keep(&mut self, keeps: impl Fn(usize) -> bool) {
        let old = std::mem::replace(self, Self::with_points(self.per));
        for (number, strand) in (0..).zip((0..old.len()).filter(|&strand| keeps(strand))) {
            self.follicles.push(number);
            self.roots.push(old.roots[strand]);
            self.normals.push(old.normals[strand]);
            self.points.extend(old.strand(strand));
        }
    }

    /// Returns the number of strands.
    pub fn len(&self) -> usize {
        self.roots.len()
    }

    /// Returns `true` if there are no strands.
    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// Returns the number of points per strand, with the root.
    pub fn per_strand(&self) -> usize {
        self.per
    }

    /// Returns the points of a strand relative to its root.
    pub fn strand(&self, strand: usize) -> &[Vec3] {
        &self.points[strand * self.per..(strand + 1) * self.per]
    }

    pub(super) fn strand_mut(&mut self, strand: usize) -> &mut [Vec3] {
        &mut self.points[strand * self.per..(strand + 1) * self.per]
    }

    /// Takes other points of some strands, one strand after the other.
    pub(super) fn replace(&mut self, strands: &[u32], points: &[Vec3]) {
        for (&strand, points) in strands.iter().zip(points.chunks_exact(self.per)) {
            self.strand_mut(strand as usize).copy_from_slice(points);
        }
    }

    /// Returns the points of all strands in head space, root first, decimetres.
    pub fn positions(&self) -> impl Iterator<Item = Vec3> + '_ {
        (self.points.chunks_exact(self.per.max(1)).zip(&self.roots))
            .flat_map(|(points, &root)| points.iter().map(move |&point| root + point))
    }

    /// Returns the length of a strand, decimetres.
    pub fn length(&self, strand: usize) -> f32 {
        length(self.strand(strand))
    }
}

/// Returns the length of a polyline.
pub(super) fn length(points: &[Vec3]) -> f32 {
    let segments = points.windows(2).map(|pair| pair[0].distance(pair[1]));
    segments.map(f64::from).sum::<f64>() as f32
}

/// Lengths that brushes preserve. They are measured once, so that they do not drift over thousands
/// of steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Lengths {
    /// The length of each strand, decimetres.
    pub(super) whole: Vec<f32>,
    /// The longest segment of each strand, decimetres.
    pub(super) longest: Vec<f32>,
    /// The distance of each point of each strand from the one before it, decimetres; 0 for roots.
    segments: Vec<f32>,
}

impl Lengths {
    pub(super) fn of(strands: &Strands) -> Self {
        let mut lengths = Self {
            whole: vec![0.0; strands.len()],
            longest: vec![0.0; strands.len()],
            segments: vec![0.0; strands.points.len()],
        };
        for strand in 0..strands.len() {
            lengths.measure(strands, strand);
        }
        lengths
    }

    /// Measures some strands anew.
    pub(super) fn measure_all(&mut self, strands: &Strands, numbers: &[u32]) {
        (numbers.iter()).for_each(|&strand| self.measure(strands, strand as usize));
    }

    /// Measures one strand anew.
    fn measure(&mut self, strands: &Strands, strand: usize) {
        let points = strands.strand(strand);
        self.whole[strand] = length(points);
        let segments = &mut self.segments[strand * points.len()..][1..points.len()];
        for (segment, pair) in segments.iter_mut().zip(points.windows(2)) {
            *segment = pair[0].distance(pair[1]);
        }
        self.longest[strand] = segments.iter().copied().fold(0.0, f32::max);
    }

    /// Returns the distances from the `per` points of a strand to the ones before them, decimetres.
    pub(super) fn segments(&self, strand: usize, per: usize) -> &[f32] {
        &self.segments[strand * per..][..per]
    }
}

/// The strands with the nearest roots to each strand, on its side of the skin.
#[derive(Debug)]
pub(super) struct Neighbours(Vec<Vec<u32>>);

impl Neighbours {
    pub(super) fn of(strands: &Strands) -> Self {
        let all = || (0..).zip(strands.roots.iter().zip(&strands.normals));
        let mut index = RootIndex::default();
        // A root that the index refuses is no neighbour.
        let mut add = |(i, (&root, &normal))| index.add(root, normal).is_ok().then_some(i);
        let indexed: Vec<u32> = all().filter_map(&mut add).collect();
        let around = all().map(|(i, (root, normal))| {
            let mut around = Vec::new();
            index.visit_nearest(root.as_dvec3(), NEAREST, |other, _, other_normal| {
                let other = indexed[other];
                if other != i && normal.dot(other_normal) > 0.0 {
                    around.push(other);
                }
            });
            // The index gives no fixed order, and sums of floats depend on it.
            around.sort_unstable();
            around
        });
        Self(around.collect())
    }

    /// Returns the mean of a point of the neighbours of a strand, relative to their roots; that of
    /// the strand itself if it has no neighbours.
    pub(super) fn mean(&self, strands: &Strands, strand: usize, i: usize) -> Vec3 {
        let around = &self.0[strand];
        if around.is_empty() {
            return strands.strand(strand)[i];
        }
        let points = around.iter().map(|&n| strands.strand(n as usize)[i]);
        points.sum::<Vec3>() / around.len() as f32
    }
}
