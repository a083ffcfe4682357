//! Segments of moving hair, turned out of everything, with friction.

use super::super::simd::blocks::{Lanes, Lanes3, ParticleBlock};
use super::super::simd::dispatch::{Kernel, widest};
use super::super::simd::lanes::{SHORT, above3, all3, dot3, minus3, plus3, scaled3};
use super::super::simd::transpose::{Shuffle, Shuffling};
use super::planes::{Ring, on_plane};
use super::sdf_collider::Skin;
use super::{Rise, Swing};
use crate::sim::Step;

/// Turns the segments from `parent` to `end` of eight strands out of everything, with friction.
/// `end` is as far from `parent` as `rise` has climbed; `state` is where their ends were before the
/// step.
///
/// Friction is Coulomb's in terms of ways: what the end slid along the surface in this step is
/// taken back, up to the friction coefficient times the depth that it was turned out of.
#[inline(always)]
pub(crate) fn slide(
    parent: &Lanes3,
    segment: &Lanes,
    state: &ParticleBlock,
    end: &mut Lanes3,
    step: &Step,
    rise: &mut Rise,
) {
    let contacts = &step.contacts;
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
    let (from, length, was, by) = (*parent, *segment, state.position, *rise);
    let mut moved = *end;
    let segment = Segment {
        swing: Swing {
            from: &from,
            length: &length,
        },
        was: &was,
        end: &mut moved,
        step,
        rise: &by,
    };
    match skin {
        Some(skin) => rise.touching = widest(OnSkin { skin, segment }),
        None => widest(OutOfAll(segment)),
    }
    *end = moved;
}

/// A segment of each of eight strands.
struct Segment<'a> {
    swing: Swing<'a>,
    /// Where the ends were before the step, and where they are.
    was: &'a Lanes3,
    end: &'a mut Lanes3,
    step: &'a Step,
    rise: &'a Rise,
}

impl Segment<'_> {
    /// Which share of its slip along a surface friction takes back.
    #[inline(always)]
    fn held(&self, slip: &Lanes3, depth: Lanes) -> Lanes {
        let slid = dot3(slip, slip).sqrt();
        let friction = Lanes::all(self.step.contacts.friction);
        (friction * depth / slid.at_least(1e-12)).at_most(1.0)
    }
}

/// The kernel of [`slide`] where there is nothing but skin: nearly all hair on a head comes here in
/// every step, and waits for one result after the other, so that each is made as early as it can be.
struct OnSkin<'a> {
    skin: &'a Skin,
    segment: Segment<'a>,
}

impl Shuffling for OnSkin<'_> {
    /// Does anything touch?
    type Output = bool;

    #[inline(always)]
    fn run_by(self, shuffle: impl Shuffle) -> bool {
        let Self { skin, segment } = self;
        let (step, rise, deep) = (segment.step, segment.rise, *segment.end);
        let Swing { from, length } = segment.swing;
        let (zero, one) = (Lanes::all(0.0), Lanes::all(1.0));
        let (distance, slope) = skin.ask_by(shuffle, &deep);
        let depth = rise.least() - distance;
        let touched = zero.below(depth);
        if touched == zero {
            return false;
        }
        let square = dot3(&slope, &slope);
        let slope = above3(square, SHORT, &slope, &all3([0.0, 1.0, 0.0]));
        let per_slope = one / square.above(SHORT, square, one).sqrt();
        let normal = scaled3(&slope, per_slope);
        // The part of the segment across the skin, and the one along it.
        let way = minus3(&deep, from);
        let across = dot3(&way, &slope) * per_slope;
        let along = plus3(&way, &normal, -across);
        let ring = Ring::new(&normal, across + depth, length);
        let along = scaled3(&ring.beside(&along), *length);
        let turned = plus3(&plus3(from, &normal, ring.up * *length), &along, one);
        let foot = plus3(&deep, &normal, depth);
        let slip = minus3(&minus3(&turned, segment.was), &step.way_of3(&foot));
        let slip = plus3(&slip, &normal, -dot3(&slip, &normal));
        let along = plus3(&along, &slip, -segment.held(&slip, depth));
        let held = ring.point(from, &along);
        let end = segment.end;
        *end = above3(touched, 0.5, &held, &deep);
        // Where the skin bends, what was turned out of the plane that was met must not be inside.
        let swing = Some(segment.swing);
        let contacts = &step.contacts;
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
        let (step, rise, deep) = (segment.step, segment.rise, *segment.end);
        let (contacts, swing) = (&step.contacts, Some(segment.swing));
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
        let slip = minus3(&minus3(&turned, segment.was), &planes.way(step));
        let slip = plus3(&slip, normal, -dot3(&slip, normal));
        let held = plus3(&turned, &slip, -segment.held(&slip, depth));
        let Swing { from, length } = segment.swing;
        let held = on_plane(from, length, &held, &planes);
        *segment.end = planes.where_touched(&held, &turned);
        // Where other surfaces are near, what was held back must not be inside.
        contacts.out(segment.end, rise, swing);
    }
}
