//! Segments of moving hair, turned out of everything, with friction.

use super::super::simd::dispatch::{Kernel, dispatch};
use super::super::simd::transpose::{Transpose, TransposeKernel};
use super::planes::{Ring, on_plane};
use super::sdf_collider::Skin;
use super::{Contacts, Rise, Swing};
use crate::sim::head_motion::HeadMotion;
use crate::sim::simd::lanes::Lanes;
use crate::sim::simd::vector::Lanes3;
use crate::sim::simd::vector::{SHORT, above3, add_scaled3, dot3, minus3, scaled3, splat3};
use glam::Vec3;

/// Turns the segments from `parent` to `end` of eight strands out of everything, with friction.
/// `end` is as far from `parent` as `rise` has climbed; `was` is where their ends were before the
/// step.
///
/// Friction is Coulomb's in terms of ways: what the end slid along the surface in this step is
/// taken back, up to the friction coefficient times the depth that it was turned out of.
#[inline(always)]
pub(crate) fn slide(
    contacts: &Contacts,
    motion: &HeadMotion,
    parent: &Lanes3,
    segment: &Lanes,
    was: &Lanes3,
    end: &mut Lanes3,
    rise: &mut Rise,
) {
    if contacts.is_empty() || rise.is_clear() {
        return;
    }
    let skin = contacts.skin_alone();
    if let Some(skin) = skin
        && !rise.touching
        && rise.is_clear_of(skin, end)
    {
        return;
    }
    // Copies: what a kernel is given by its address lives in memory from then on, and loops that
    // touch nothing would wait for it there.
    let (from, length, was, by) = (*parent, *segment, *was, *rise);
    let mut moved = *end;
    let segment = Segment {
        swing: Swing {
            from: &from,
            length: &length,
        },
        was: &was,
        end: &mut moved,
        contacts,
        motion,
        rise: &by,
    };
    match skin {
        Some(skin) => rise.touching = dispatch(OnSkin { skin, segment }),
        None => dispatch(OutOfAll(segment)),
    }
    *end = moved;
}

/// A segment of each of eight strands.
struct Segment<'a> {
    swing: Swing<'a>,
    /// Where the ends were before the step, and where they are.
    was: &'a Lanes3,
    end: &'a mut Lanes3,
    contacts: &'a Contacts,
    motion: &'a HeadMotion,
    rise: &'a Rise,
}

impl Segment<'_> {
    /// Which share of its slip along a surface friction takes back.
    #[inline(always)]
    fn held(&self, slip: &Lanes3, depth: Lanes) -> Lanes {
        let slid = dot3(slip, slip).sqrt();
        let friction = Lanes::splat(self.contacts.friction);
        (friction * depth / slid.at_least(1e-12)).at_most(1.0)
    }
}

/// The kernel of [`slide`] where there is nothing but skin: nearly all hair on a head comes here in
/// every step, and waits for one result after the other, so that each is made as early as it can be.
struct OnSkin<'a> {
    skin: &'a Skin,
    segment: Segment<'a>,
}

impl TransposeKernel for OnSkin<'_> {
    /// Does anything touch?
    type Output = bool;

    #[inline(always)]
    fn run_with(self, transpose: impl Transpose) -> bool {
        let Self { skin, segment } = self;
        let (contacts, rise, deep) = (segment.contacts, segment.rise, *segment.end);
        let Swing { from, length } = segment.swing;
        let (zero, one) = (Lanes::splat(0.0), Lanes::splat(1.0));
        let (distance, slope) = skin.ask_by(transpose, &deep);
        let depth = rise.least() - distance;
        let touched = zero.below(depth);
        if touched == zero {
            return false;
        }
        let square = dot3(&slope, &slope);
        let slope = above3(square, SHORT, &slope, &splat3(Vec3::Y));
        let per_slope = one / square.above(SHORT, square, one).sqrt();
        let normal = scaled3(&slope, per_slope);
        // The part of the segment across the skin, and the one along it.
        let way = minus3(&deep, from);
        let across = dot3(&way, &slope) * per_slope;
        let along = add_scaled3(&way, &normal, -across);
        let ring = Ring::new(&normal, across + depth, length);
        let along = scaled3(&ring.beside(&along), *length);
        let turned = add_scaled3(&add_scaled3(from, &normal, ring.up * *length), &along, one);
        let foot = add_scaled3(&deep, &normal, depth);
        let slip = minus3(
            &minus3(&turned, segment.was),
            &segment.motion.displacements_of_world(&foot),
        );
        let slip = add_scaled3(&slip, &normal, -dot3(&slip, &normal));
        let along = add_scaled3(&along, &slip, -segment.held(&slip, depth));
        let held = ring.point(from, &along);
        let end = segment.end;
        *end = above3(touched, 0.5, &held, &deep);
        // Where the skin bends, what was turned out of the plane that was met must not be inside.
        let swing = Some(segment.swing);
        let bent = contacts.out_of_bends(skin, deep, end, rise, swing);
        if bent && contacts.unstick(end, from, length, rise) {
            contacts.out(end, rise, swing);
        }
        true
    }
}

/// The kernel of [`slide`] for all else.
struct OutOfAll<'a>(Segment<'a>);

impl Kernel for OutOfAll<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self(segment) = self;
        let (contacts, rise, deep) = (segment.contacts, segment.rise, *segment.end);
        let swing = Some(segment.swing);
        if contacts.are_outside(&deep, rise) {
            return;
        }
        let mut turned = deep;
        let planes = contacts.out(&mut turned, rise, swing);
        if planes.is_none() {
            return;
        }
        let normal = &planes.normal;
        let depth = dot3(&minus3(&planes.foot, &deep), normal).at_least(0.0);
        let slip = minus3(&minus3(&turned, segment.was), &planes.way(segment.motion));
        let slip = add_scaled3(&slip, normal, -dot3(&slip, normal));
        let held = add_scaled3(&turned, &slip, -segment.held(&slip, depth));
        let Swing { from, length } = segment.swing;
        let held = on_plane(from, length, &held, &planes);
        *segment.end = planes.where_touched(&held, &turned);
        // Where other surfaces are near, what was held back must not be inside.
        contacts.out(segment.end, rise, swing);
    }
}
