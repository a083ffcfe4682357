//! Contact of finished strands: followers are pushed out, and all strands are measured.

use super::contacts::Contacts;
use super::planes::Pivot;
use super::root_clearance::RootClearance;
use crate::sim::simd::{Kernel, LANES, Lanes, Lanes3, Transpose, dot3, get3, minus3, set3};
use glam::Vec3;

/// The largest number of pushes per point. From deep inside, one push may not be enough.
const MAX_PUSHES: usize = 4;

/// Returns point `j` of up to eight strands of `each` points. Unused lanes repeat the first strand.
#[inline(always)]
fn gather(points: &[[f32; 4]], each: usize, j: usize) -> Lanes3 {
    let mut lanes = Lanes3::default();
    let count = points.len() / each;
    for lane in 0..LANES {
        let strand = if lane < count { lane } else { 0 };
        let [x, y, z, _] = points[strand * each + j];
        set3(&mut lanes, lane, Vec3::new(x, y, z));
    }
    lanes
}

/// Moves the points of up to eight strands out of everything, each by itself.
pub(crate) struct PushStrandsOut<'a> {
    pub(crate) contacts: &'a Contacts,
    /// Strand after strand, root first, `each` points a strand; world space.
    pub(crate) points: &'a mut [[f32; 4]],
    pub(crate) each: usize,
    /// Unit normals of the skin at the roots, world space.
    pub(crate) normals: &'a Lanes3,
    /// Strands that are left alone.
    pub(crate) stay: [bool; LANES],
}

impl Kernel for PushStrandsOut<'_> {
    #[inline(always)]
    fn run(self, _: impl Transpose) {
        let each = self.each;
        let mut before = gather(self.points, each, 0);
        let (skin, first) = (RootClearance::SKIN, &Lanes::ZERO);
        let mut clearance = (self.contacts).clearance(skin, &before, self.normals, first);
        // The new place of the previous point.
        let mut from = before;
        for j in 1..each {
            let mut point = gather(self.points, each, j);
            let way = minus3(&point, &before);
            let length = dot3(&way, &way).sqrt();
            clearance.climb(&length);
            before = point;
            let mut touched = false;
            for _ in 0..MAX_PUSHES {
                if self.contacts.push_out(&mut point, &clearance).is_none() {
                    break;
                }
                touched = true;
            }
            if !touched {
                from = point;
                continue;
            }
            let (pivot, allowed) = (
                Pivot {
                    from: &from,
                    length: &length,
                },
                clearance.allowed(),
            );
            let sdf = self.contacts.sdf_alone();
            if sdf.is_some_and(|sdf| sdf.unstick(&mut point, pivot, &allowed)) {
                self.contacts.push_out(&mut point, &clearance);
            }
            from = point;
            for (lane, strand) in self.points.chunks_exact_mut(each).enumerate() {
                if !self.stay[lane] {
                    let [x, y, z] = get3(&point, lane).to_array();
                    strand[j] = [x, y, z, 0.0];
                }
            }
        }
    }
}

/// Measures the depth of the deepest particle of up to eight strands, decimetres; 0 if none is
/// inside.
pub(crate) struct StrandDepths<'a> {
    pub(crate) contacts: &'a Contacts,
    /// As [`PushStrandsOut::points`].
    pub(crate) points: &'a [[f32; 4]],
    pub(crate) each: usize,
    /// As [`PushStrandsOut::normals`].
    pub(crate) normals: &'a Lanes3,
}

impl Kernel<f32> for StrandDepths<'_> {
    #[inline(always)]
    fn run(self, _: impl Transpose) -> f32 {
        let mut deepest = Lanes::default();
        let mut before = gather(self.points, self.each, 0);
        let mut clearance = (self.contacts).clearance(0.0, &before, self.normals, &Lanes::ZERO);
        for j in 1..self.each {
            let point = gather(self.points, self.each, j);
            let way = minus3(&point, &before);
            clearance.climb(&dot3(&way, &way).sqrt());
            before = point;
            deepest = deepest.max(-self.contacts.distance(&point, &clearance));
        }
        deepest.0.into_iter().fold(0.0, f32::max)
    }
}
