//! Segments of moving hair, turned out of everything, with friction.

use super::planes::on_plane;
use super::{Rise, Swing};
use crate::sim::Step;
use crate::sim::blocks::{Lanes, Lanes3, ParticleBlock};
use crate::sim::lanes::{dot3, minus3, plus3};
use crate::sim::shuffle::{Shuffle, Shuffling};
use crate::sim::widest::widest;

/// Turns the segments from `parent` to `end` of eight strands out of everything, with friction.
/// `end` is as far from `parent` as `rise` has climbed; `state` is where their ends were before the
/// step.
///
/// Friction is Coulomb's in terms of ways: what the end slid along the surface in this step is
/// taken back, up to the friction coefficient times the depth that it was turned out of.
#[inline(always)]
pub(in crate::sim) fn slide(
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
    if let Some(skin) = contacts.skin_alone()
        && !rise.touching
        && rise.is_clear_of(skin, end)
    {
        return;
    }
    // Copies: what a kernel is given by its address lives in memory from then on, and loops that
    // touch nothing would wait for it there.
    let (from, at, was, by) = (*parent, *segment, *state, *rise);
    let mut moved = *end;
    rise.touching = widest(Slide {
        parent: &from,
        segment: &at,
        state: &was,
        end: &mut moved,
        step,
        rise: &by,
    });
    *end = moved;
}

/// The kernel of [`slide`]: one for all solvers, since it is large.
struct Slide<'a> {
    parent: &'a Lanes3,
    segment: &'a Lanes,
    state: &'a ParticleBlock,
    end: &'a mut Lanes3,
    step: &'a Step,
    rise: &'a Rise,
}

impl Shuffling for Slide<'_> {
    /// Does anything touch?
    type Output = bool;

    #[inline(always)]
    fn run_by(self, shuffle: impl Shuffle) -> bool {
        let Self {
            parent,
            segment,
            end,
            rise,
            ..
        } = self;
        let contacts = &self.step.contacts;
        let skin = contacts.skin_alone();
        if skin.is_none() && contacts.are_outside(end, rise) {
            return false;
        }
        let swing = Swing {
            from: parent,
            length: segment,
        };
        let deep = *end;
        let planes = match skin {
            // Here and not in kernels of their own, which nearly all hair on a head would call.
            Some(skin) => skin.touch_by(shuffle, end, &rise.least()),
            None => contacts.out(end, rise, Some(swing)),
        };
        if planes.is_none() {
            return false;
        }
        if skin.is_some() {
            let turned = on_plane(parent, segment, end, &planes);
            *end = planes.where_touched(&turned, end);
        }
        let normal = &planes.normal;
        let depth = dot3(&minus3(&planes.foot, &deep), normal).at_least(0.0);
        let way = minus3(end, &self.state.position);
        let slip = minus3(&way, &planes.way(self.step));
        let slip = plus3(&slip, normal, -dot3(&slip, normal));
        let slid = dot3(&slip, &slip).sqrt();
        let friction = Lanes::all(contacts.friction);
        let share = (friction * depth / slid.at_least(1e-12)).at_most(1.0);
        let held = plus3(end, &slip, -share);
        let held = on_plane(parent, segment, &held, &planes);
        *end = planes.where_touched(&held, end);
        // Where other surfaces are near what was held back must not be inside; where this one
        // bends, neither must what was turned out of the plane that was met first.
        let Some(skin) = skin else {
            contacts.out(end, rise, Some(swing));
            return true;
        };
        let bent = contacts.out_of_bends(skin, deep, end, rise, Some(swing));
        if bent && contacts.unstick(end, parent, segment, rise) {
            contacts.out(end, rise, Some(swing));
        }
        true
    }
}
