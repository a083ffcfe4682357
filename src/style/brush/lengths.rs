//! Lengths of strands and their segments.

use crate::style::strands::{self, Strands};
use glam::Vec3;

/// Lengths that brushes keep. They are measured once, so that they do not drift over thousands of
/// steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lengths {
    /// The length of each strand, decimetres.
    whole: Vec<f32>,
    /// The distance of each point of each strand from the one before it, decimetres; 0 for roots.
    segments: Vec<f32>,
}

impl Lengths {
    pub(crate) fn of(strands: &Strands) -> Self {
        let mut lengths = Self {
            whole: vec![0.0; strands.len()],
            segments: vec![0.0; strands.points.len()],
        };
        for strand in 0..strands.len() {
            lengths.measure(strands, strand);
        }
        lengths
    }

    /// Measures one strand anew.
    pub(super) fn measure(&mut self, strands: &Strands, strand: usize) {
        let points = strands.strand(strand);
        self.whole[strand] = strands::length(points);
        let segments = &mut self.segments[strand * points.len()..][..points.len()];
        measure_segments(points, segments);
    }

    /// The length of a strand, decimetres.
    pub(super) fn get(&self, strand: usize) -> f32 {
        self.whole[strand]
    }

    /// The distances from the `per` points of a strand to the ones before them, decimetres.
    pub(crate) fn segments(&self, strand: usize, per: usize) -> &[f32] {
        &self.segments[strand * per..][..per]
    }
}

/// Writes the distance from each point to the one before it; the first is left alone.
pub(super) fn measure_segments(points: &[Vec3], segments: &mut [f32]) {
    for (segment, pair) in segments[1..].iter_mut().zip(points.windows(2)) {
        *segment = pair[0].distance(pair[1]);
    }
}
