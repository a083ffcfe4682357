//! How deep strands may be beside their roots: those are in the skin, or under the ellipsoid.

use super::super::simd::dispatch::{Kernel, dispatch};
use super::ellipsoid_collider::Skull;
use super::ground::Ground;
use super::sdf_collider::Skin;
use super::{Contacts, Placed, Surface};
use crate::sim::simd::lanes::{LANES, Lanes};
use crate::sim::simd::vector::Lanes3;

/// How far along a strand it takes to come out of the head's ellipsoid, decimetres, where its root
/// is inside: skin is no ellipsoid.
const RISE: f32 = 0.3;
/// The same for the skin itself, which roots leave at once.
const SKIN_RISE: f32 = 0.1;
/// Hair is kept so far from skin, decimetres: as thick as a few hairs, and so that the segments
/// between particles do not cut into it where it is round.
const CLEARANCE: f32 = 0.02;

/// How deep the particles of eight strands may be in the head, from their roots on: levels of an
/// ellipsoid, distances from skin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rise {
    /// Of the roots, at most `full`.
    root: Lanes,
    /// Of what is far from the roots.
    full: f32,
    /// 1 over the length on which one goes over into the other.
    per_length: f32,
    /// Length from the root.
    along: Lanes,
    pub(crate) ground: Ground,
    /// How far strands can go from the particles that were looked at last before they touch
    /// anything, dm. Not above 0: that is not known.
    clear: Lanes,
    /// Have particles that were looked at last touched the skin? The next ones hardly are far from
    /// it then, and to ask how far they are at least would be for nothing.
    pub(crate) touching: bool,
}

impl Rise {
    /// For hair that moves. `roots` and the `normals` of the skin at them: world space; `first`: how
    /// long segments at the roots are, at least.
    #[inline(always)]
    pub(crate) fn of(roots: &Lanes3, normals: &Lanes3, first: &Lanes, contacts: &Contacts) -> Self {
        Self::up_to(CLEARANCE, roots, normals, first, contacts)
    }

    /// For measuring how deep hair is in the head itself.
    #[inline(always)]
    pub(crate) fn to_the_surface(roots: &Lanes3, normals: &Lanes3, contacts: &Contacts) -> Self {
        Self::up_to(0.0, roots, normals, &Lanes::default(), contacts)
    }

    /// For points that are not of a strand and have no root.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Self {
            root: Lanes::splat(1.0),
            full: 1.0,
            per_length: 0.0,
            along: Lanes::default(),
            ground: Ground::default(),
            clear: Lanes::default(),
            touching: false,
        }
    }

    fn up_to(
        clearance: f32,
        roots: &Lanes3,
        normals: &Lanes3,
        first: &Lanes,
        contacts: &Contacts,
    ) -> Self {
        let mut rise = Self::none();
        match &contacts.head {
            None => {}
            Some(Placed::Skull(skull)) => {
                dispatch(Level {
                    skull,
                    points: roots,
                    level: &mut rise.root,
                });
                rise.root = rise.root.at_most(1.0);
                rise.per_length = 1.0 / RISE;
            }
            Some(Placed::Skin(skin)) => {
                rise.root = Lanes::splat(clearance);
                // Where the first particles are as far out as all others, that of roots is no use.
                if first.below(Lanes::splat(SKIN_RISE)) != Lanes::splat(0.0) {
                    let roots = skin.distance(roots, &Lanes::default());
                    rise.root = roots.at_most(clearance);
                }
                rise.full = clearance;
                rise.per_length = 1.0 / SKIN_RISE;
            }
        }
        rise.ground = Ground {
            root: *roots,
            normal: *normals,
        };
        rise
    }

    /// Goes on by a segment.
    #[inline(always)]
    pub(crate) fn climb(&mut self, segment: &Lanes) {
        self.along += *segment;
        self.clear = self.clear - *segment;
    }

    /// Do all strands touch nothing as far as they have climbed, by what was known before?
    #[inline(always)]
    pub(crate) fn is_clear(&self) -> bool {
        let mut near = 0;
        for lane in 0..LANES {
            near |= u32::from(self.clear.0[lane] <= 0.0);
        }
        near == 0
    }

    /// Looks at the skin: is it far from all particles?
    #[inline(always)]
    pub(crate) fn is_clear_of(&mut self, skin: &Skin, points: &Lanes3) -> bool {
        self.clear = skin.way_to(points, self.full);
        self.is_clear()
    }

    /// The lowest level that the particles may be at.
    #[inline(always)]
    pub(crate) fn least(&self) -> Lanes {
        let share = (self.along * Lanes::splat(self.per_length)).at_most(1.0);
        self.root + (Lanes::splat(self.full) - self.root) * share
    }
}

/// Levels of eight points.
struct Level<'a> {
    skull: &'a Skull,
    points: &'a Lanes3,
    level: &'a mut Lanes,
}

impl Kernel for Level<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        *self.level = self.skull.level(self.points);
    }
}
