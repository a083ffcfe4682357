//! Which strands grow beside each other.

use super::strands::Strands;
use crate::roots::RootIndex;
use glam::Vec3;
use std::num::NonZeroUsize;

/// Strands around each, itself among them.
const AROUND: NonZeroUsize = NonZeroUsize::new(9).unwrap();

/// For every strand, those whose roots are nearest on its side of the head.
#[derive(Debug)]
pub(super) struct Neighbours {
    around: Vec<u32>,
    /// Where each strand's begin, and at last where all end.
    begins: Vec<u32>,
}

impl Neighbours {
    pub(super) fn of(strands: &Strands) -> Self {
        let mut index = RootIndex::default();
        let mut indexed = Vec::with_capacity(strands.len());
        for (i, (&root, &normal)) in strands.roots.iter().zip(&strands.normals).enumerate() {
            // A root that the index refuses is nobody's neighbour.
            if index.add(root, normal).is_ok() {
                indexed.push(i as u32);
            }
        }
        let (mut around, mut begins) = (Vec::new(), vec![0]);
        for (i, (&root, &normal)) in strands.roots.iter().zip(&strands.normals).enumerate() {
            let first = around.len();
            index.visit_nearest(root.as_dvec3(), AROUND, |other, _, other_normal| {
                let other = indexed[other];
                if other as usize != i && normal.dot(other_normal) > 0.0 {
                    around.push(other);
                }
            });
            // In no order to rely on; sums of floats rely on one.
            around[first..].sort_unstable();
            begins.push(around.len() as u32);
        }
        Self { around, begins }
    }

    /// The mean of a point of the strands around one, seen from their roots; that of the strand
    /// itself if it stands alone.
    pub(super) fn mean(&self, strands: &Strands, strand: usize, i: usize) -> Vec3 {
        let around = self.begins[strand] as usize..self.begins[strand + 1] as usize;
        let around = &self.around[around];
        if around.is_empty() {
            return strands.strand(strand)[i];
        }
        let sum: Vec3 = around
            .iter()
            .map(|&other| strands.strand(other as usize)[i])
            .sum();
        sum / around.len() as f32
    }
}
