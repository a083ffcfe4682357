//! Strands that are there as a whole, strand after strand: dependents, which are moved out, and
//! all of them, to be measured.

use super::super::simd::dispatch::Kernel;
use super::{Contacts, Rise};
use crate::sim::simd::lanes::{LANES, Lanes};
use crate::sim::simd::vector::{Lanes3, get3, set3};
use crate::sim::simd::vector::{dot3, minus3};
use glam::Vec3;

/// Pushes that a point gets at most: from deep inside, the first does not lead straight out.
const PUSHES: usize = 4;

/// Point `j` of up to eight strands of `each` points; lanes past the last repeat the first.
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

/// Moves the points of up to eight strands out of everything, each for itself.
pub(crate) struct Free<'a> {
    pub(crate) contacts: &'a Contacts,
    /// Strand after strand, root first, `each` points a strand; world space.
    pub(crate) points: &'a mut [[f32; 4]],
    pub(crate) each: usize,
    /// Of the skin at the roots, world space.
    pub(crate) normals: &'a Lanes3,
    /// Strands that stay as they are.
    pub(crate) stay: [bool; LANES],
}

impl Kernel for Free<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let each = self.each;
        let mut before = gather(self.points, each, 0);
        let mut rise = Rise::of(&before, self.normals, &Lanes::default(), self.contacts);
        // Where the point before it has come to.
        let mut from = before;
        for j in 1..each {
            let mut point = gather(self.points, each, j);
            let way = minus3(&point, &before);
            let length = dot3(&way, &way).sqrt();
            rise.climb(&length);
            before = point;
            let mut touched = false;
            for _ in 0..PUSHES {
                if self.contacts.push_out(&mut point, &rise).is_none() {
                    break;
                }
                touched = true;
            }
            if touched && self.contacts.unstick(&mut point, &from, &length, &rise) {
                self.contacts.push_out(&mut point, &rise);
            }
            from = point;
            if !touched {
                continue;
            }
            for (lane, strand) in self.points.chunks_exact_mut(each).enumerate() {
                if !self.stay[lane] {
                    let [x, y, z] = get3(&point, lane).to_array();
                    strand[j] = [x, y, z, 0.0];
                }
            }
        }
    }
}

/// How deep the deepest particle of up to eight strands is, dm; 0: none is.
pub(crate) struct Depths<'a> {
    pub(crate) contacts: &'a Contacts,
    /// As [`Free::points`].
    pub(crate) points: &'a [[f32; 4]],
    pub(crate) each: usize,
    /// As [`Free::normals`].
    pub(crate) normals: &'a Lanes3,
}

impl Kernel for Depths<'_> {
    type Output = f32;

    #[inline(always)]
    fn run(self) -> f32 {
        let mut deepest = Lanes::default();
        let mut before = gather(self.points, self.each, 0);
        let mut rise = Rise::to_the_surface(&before, self.normals, self.contacts);
        for j in 1..self.each {
            let point = gather(self.points, self.each, j);
            let way = minus3(&point, &before);
            rise.climb(&dot3(&way, &way).sqrt());
            before = point;
            deepest = deepest.max(-self.contacts.distance(&point, &rise));
        }
        deepest.0.into_iter().fold(0.0, f32::max)
    }
}
