//! Contact of moving strands: segments are rotated out of everything, with friction.

use super::contacts::Contacts;
use super::planes::{Pivot, Ring, on_plane};
use super::root_clearance::RootClearance;
use super::sdf_collider::SdfCollider;
use crate::sim::pose::HeadMotion;
use crate::sim::simd::{
    Kernel, Lanes, Lanes3, SHORT, Transpose, above3, add_scaled3, dispatch, dot3, minus3, scaled3,
    splat3, sum3,
};
use glam::Vec3;

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
        let sdf = self.look_ahead(end, clearance);
        if clearance.is_clear() {
            return;
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
            contacts: self,
            motion,
            clearance: &by,
        };
        let is_out = match sdf {
            Some(sdf) => {
                clearance.touching = dispatch(CollideWithSdf {
                    sdf,
                    segment,
                    end: &mut moved,
                });
                // The skin may have turned segments into a collider.
                !clearance.touching || Lanes::ZERO.all_at_most(self.apart(&moved))
            }
            None => false,
        };
        if !is_out {
            moved = *end;
            dispatch(Collide {
                segment,
                end: &mut moved,
            });
        }
        *end = moved;
    }
}

/// One segment of each of eight strands.
#[derive(Clone, Copy)]
struct Segment<'a> {
    pivot: Pivot<'a>,
    /// The ends before the step.
    was: &'a Lanes3,
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
    end: &'a mut Lanes3,
}

impl Kernel<bool> for CollideWithSdf<'_> {
    #[inline(always)]
    fn run(self, transpose: impl Transpose) -> bool {
        let Self { sdf, segment, end } = self;
        let (clearance, deep) = (segment.clearance, *end);
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
        let mut surface = segment.motion.displacements_of_world(&foot);
        if let Some(own) = sdf.displacements(&foot) {
            surface = sum3(&surface, &own);
        }
        let slip = minus3(&minus3(&turned, segment.was), &surface);
        let slip = add_scaled3(&slip, &normal, -dot3(&slip, &normal));
        let along = add_scaled3(&along, &slip, -segment.friction(&slip, depth));
        let held = ring.point(from, &along);
        *end = above3(touched, 0.5, &held, &deep);
        (segment.contacts).follow_skin(sdf, deep, end, clearance, segment.pivot);
        true
    }
}

/// The kernel of [`Contacts::collide`] for all other obstacles.
struct Collide<'a> {
    segment: Segment<'a>,
    end: &'a mut Lanes3,
}

impl Kernel for Collide<'_> {
    #[inline(always)]
    fn run(self, _: impl Transpose) {
        let Self { segment, end } = self;
        let (contacts, clearance, deep) = (segment.contacts, segment.clearance, *end);
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
        let slip = minus3(
            &minus3(&turned, segment.was),
            &contacts.way(segment.motion, &planes),
        );
        let slip = add_scaled3(&slip, normal, -dot3(&slip, normal));
        let held = add_scaled3(&turned, &slip, -segment.friction(&slip, depth));
        let held = on_plane(segment.pivot, &held, &planes);
        *end = planes.where_touched(&held, &turned);
        // Friction may have moved the end into another surface.
        contacts.move_out(end, clearance, pivot);
        if let Some(sdf) = &contacts.sdf {
            contacts.follow_skin(sdf, deep, end, clearance, segment.pivot);
        }
    }
}
