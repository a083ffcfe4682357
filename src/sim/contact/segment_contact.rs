//! Contact of strands: moving segments are rotated out of everything, with friction; finished
//! followers are pushed out, and all strands are measured.

use super::contacts::{Contacts, RootClearance};
use super::planes::{Pivot, Ring, on_plane};
use super::sdf_collider::SdfCollider;
use crate::sim::pose::HeadMotion;
use crate::sim::simd::{
    Kernel, LANES, Lanes, Lanes3, SHORT, Transpose, above3, add_scaled3, dispatch, dot3, get3,
    minus3, scaled3, set3, splat3,
};
use glam::Vec3;

/// The largest number of pushes per point. From deep inside, one push may not be enough.
const MAX_PUSHES: usize = 4;

impl Contacts {
    /// Rotates the segments from `parent` to `end` of eight strands out of everything, with
    /// friction. `was` holds their ends before the step.
    ///
    /// Friction is Coulomb's law in displacements: the slip along the surface in this step is
    /// undone, up to the friction coefficient times the depth that the end was moved out of.
    #[inline(always)]
    pub(crate) fn collide(
        &self,
        motion: &HeadMotion,
        parent: &Lanes3,
        length: &Lanes,
        was: &Lanes3,
        end: &mut Lanes3,
        clearance: &mut RootClearance,
    ) {
        if self.is_empty() || clearance.is_clear() {
            return;
        }
        let sdf = self.sdf_alone();
        if let Some(sdf) = sdf
            && !clearance.touching
        {
            clearance.clear = sdf.free_path(end, clearance.full);
            if clearance.is_clear() {
                return;
            }
        }
        // Copies, since values whose address a kernel takes live in memory from then on, and loops
        // that touch nothing would wait for them.
        let (from, length, was, by) = (*parent, *length, *was, *clearance);
        let mut moved = *end;
        let segment = Segment {
            pivot: Pivot {
                from: &from,
                length: &length,
            },
            was: &was,
            end: &mut moved,
            contacts: self,
            motion,
            clearance: &by,
        };
        match sdf {
            Some(sdf) => clearance.touching = dispatch(CollideWithSdf { sdf, segment }),
            None => dispatch(segment),
        }
        *end = moved;
    }
}

/// One segment of each of eight strands.
struct Segment<'a> {
    pivot: Pivot<'a>,
    /// The ends before the step and now.
    was: &'a Lanes3,
    end: &'a mut Lanes3,
    contacts: &'a Contacts,
    motion: &'a HeadMotion,
    clearance: &'a RootClearance,
}

impl Segment<'_> {
    /// Returns the share of the slip that friction undoes.
    #[inline(always)]
    fn friction(&self, slip: &Lanes3, depth: Lanes) -> Lanes {
        let slid = dot3(slip, slip).sqrt();
        let coefficient = Lanes::splat(self.contacts.friction);
        (coefficient * depth / slid.at_least(1e-12)).at_most(1.0)
    }
}

/// The kernel of [`Contacts::collide`] for a distance field alone. Nearly all hair on a head runs
/// through it in every step. It is bound by latency, so each result is computed as early as
/// possible. Returns whether anything touches.
struct CollideWithSdf<'a> {
    sdf: &'a SdfCollider,
    segment: Segment<'a>,
}

impl Kernel<bool> for CollideWithSdf<'_> {
    #[inline(always)]
    fn run(self, transpose: impl Transpose) -> bool {
        let Self { sdf, segment } = self;
        let (contacts, clearance, deep) = (segment.contacts, segment.clearance, *segment.end);
        let Pivot { from, length } = segment.pivot;
        let (zero, one) = (Lanes::splat(0.0), Lanes::splat(1.0));
        let (distance, slope) = sdf.sample_world(transpose, &deep);
        let depth = clearance.allowed() - distance;
        let touched = zero.below(depth);
        if touched == zero {
            return false;
        }
        let square = dot3(&slope, &slope);
        let slope = above3(square, SHORT, &slope, &splat3(Vec3::Y));
        let per_slope = one / square.above(SHORT, square, one).sqrt();
        let normal = scaled3(&slope, per_slope);
        // The components of the segment across the skin and along it.
        let way = minus3(&deep, from);
        let across = dot3(&way, &slope) * per_slope;
        let along = add_scaled3(&way, &normal, -across);
        let ring = Ring::new(&normal, across + depth, length);
        let along = scaled3(&ring.beside(&along), *length);
        let turned = add_scaled3(&add_scaled3(from, &normal, ring.up * *length), &along, one);
        let foot = add_scaled3(&deep, &normal, depth);
        let surface = segment.motion.displacements_of_world(&foot);
        let slip = minus3(&minus3(&turned, segment.was), &surface);
        let slip = add_scaled3(&slip, &normal, -dot3(&slip, &normal));
        let along = add_scaled3(&along, &slip, -segment.friction(&slip, depth));
        let held = ring.point(from, &along);
        let end = segment.end;
        *end = above3(touched, 0.5, &held, &deep);
        // On curved skin, the end may be inside again although it left the tangent plane.
        let pivot = Some(segment.pivot);
        let bent = contacts.follow_curvature(sdf, deep, end, clearance, pivot);
        if bent && sdf.unstick(end, segment.pivot, &clearance.allowed()) {
            contacts.move_out(end, clearance, pivot);
        }
        true
    }
}

/// The kernel of [`Contacts::collide`] for all other obstacles.
impl Kernel for Segment<'_> {
    #[inline(always)]
    fn run(self, _: impl Transpose) {
        let segment = self;
        let (contacts, clearance, deep) = (segment.contacts, segment.clearance, *segment.end);
        let pivot = Some(segment.pivot);
        if contacts.are_outside(&deep, clearance) {
            return;
        }
        let mut turned = deep;
        let planes = contacts.move_out(&mut turned, clearance, pivot);
        if planes.is_none() {
            return;
        }
        let normal = &planes.normal;
        let depth = dot3(&minus3(&planes.foot, &deep), normal).at_least(0.0);
        let slip = minus3(&minus3(&turned, segment.was), &planes.way(segment.motion));
        let slip = add_scaled3(&slip, normal, -dot3(&slip, normal));
        let held = add_scaled3(&turned, &slip, -segment.friction(&slip, depth));
        let held = on_plane(segment.pivot, &held, &planes);
        *segment.end = planes.where_touched(&held, &turned);
        // Friction may have moved the end into another surface.
        contacts.move_out(segment.end, clearance, pivot);
    }
}

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
            let pivot = Pivot {
                from: &from,
                length: &length,
            };
            let (sdf, allowed) = (self.contacts.sdf_alone(), clearance.allowed());
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
    /// The strands, like [`PushStrandsOut::points`].
    pub(crate) points: &'a [[f32; 4]],
    pub(crate) each: usize,
    /// The normals, like [`PushStrandsOut::normals`].
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
