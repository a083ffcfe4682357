//! Strands that grow beside each other.

use crate::roots::RootIndex;
use crate::style::strands::Strands;
use glam::Vec3;
use std::num::NonZeroUsize;

/// Number of nearest strands, itself included.
const NEAREST: NonZeroUsize = NonZeroUsize::new(9).unwrap();

/// For every strand, those with the nearest roots on its side of the skin.
#[derive(Debug)]
pub(crate) struct Neighbours {
    /// Numbers of strands.
    around: Vec<u32>,
    /// The start of the neighbours of each strand, and the end of all.
    begins: Vec<u32>,
}

impl Neighbours {
    pub(crate) fn of(strands: &Strands) -> Self {
        let mut index = RootIndex::default();
        let mut indexed = Vec::with_capacity(strands.len());
        for (i, (&root, &normal)) in strands.roots.iter().zip(&strands.normals).enumerate() {
            // A root that the index refuses is no neighbour.
            if index.add(root, normal).is_ok() {
                indexed.push(i as u32);
            }
        }
        let (mut around, mut begins) = (Vec::new(), vec![0]);
        for (i, (&root, &normal)) in strands.roots.iter().zip(&strands.normals).enumerate() {
            let first = around.len();
            index.visit_nearest(root.as_dvec3(), NEAREST, |other, _, other_normal| {
                let other = indexed[other];
                if other as usize != i && normal.dot(other_normal) > 0.0 {
                    around.push(other);
                }
            });
            // The index gives no fixed order, and sums of floats depend on it.
            around[first..].sort_unstable();
            begins.push(around.len() as u32);
        }
        Self { around, begins }
    }

    /// The mean of a point of the neighbours of a strand, relative to their roots; that of the
    /// strand itself if it has no neighbours.
    pub(super) fn mean(&self, strands: &Strands, strand: usize, i: usize) -> Vec3 {
        let around = self.begins[strand] as usize..self.begins[strand + 1] as usize;
        let around = &self.around[around];
        if around.is_empty() {
            return strands.strand(strand)[i];
        }
        let points = around.iter().map(|&n| strands.strand(n as usize)[i]);
        points.sum::<Vec3>() / around.len() as f32
    }
}
