//! Things that hair cannot enter: the head, spheres, capsules.
//!
//! | file | what it holds |
//! |---|---|
//! | `contact/planes.rs` | where eight points that are too deep belong |
//! | `contact/skull.rs`, `contact/skin.rs`, `contact/ground.rs` | the head as an ellipsoid, as its own skin, as a plane at each root |
//! | `contact/capsule.rs` | spheres and capsules |
//! | `contact/segment_contact.rs` | segments of moving hair, turned out of everything, with friction |
//! | `contact/rise.rs` | how deep strands may be beside their roots |
//! | `contact/whole.rs` | strands that are there as a whole: dependents, and how deep they are |
//! | `contact/settings.rs` | which of them hair collides with |

mod capsule;
pub(crate) mod collider;
pub(crate) mod ellipsoid;
mod ellipsoid_collider;
mod ground;
mod planes;
mod root_clearance;
mod sdf_collider;
mod segment_contact;
mod settings;
mod whole;

pub(super) use self::root_clearance::Rise;
pub(super) use self::segment_contact::slide;
pub use settings::{HeadCollider, HeadShape};
pub(super) use whole::{Depths, Free};

use self::ellipsoid_collider::Skull;
use self::sdf_collider::Skin;
use super::simd::dispatch::{Kernel, dispatch};
use super::{Collider, Pose, SimSettings};
use crate::sim::simd::lanes::Lanes;
use crate::sim::simd::vector::Lanes3;
use capsule::Capsule;
use planes::{Planes, on_plane};

/// Times that a point is moved out of everything in turn: what moves it out of one may move it
/// into another.
const ROUNDS: usize = 2;
/// Times that a segment is turned again out of skin that bends: into folds, about noses and ears.
const BENDS: usize = 4;

/// One thing that hair cannot enter, in world space. `least` is how deep each lane may be, in the
/// surface's own measure.
trait Surface {
    /// Are the points of all lanes outside? May say no of some that are.
    fn are_outside(&self, points: &Lanes3, least: &Lanes) -> bool;

    /// The tangent planes beside those points that are too deep. Not a number never is.
    fn touch(&self, points: &Lanes3, least: &Lanes) -> Planes;

    /// Distances from the surface, negative inside.
    fn distance(&self, points: &Lanes3, least: &Lanes) -> Lanes;
}

/// The head in the world, whatever its shape.
#[derive(Clone, Debug)]
enum Placed {
    Skull(Skull),
    Skin(Skin),
}

/// Runs an expression on what a head is.
macro_rules! each_shape {
    ($placed:expr, $surface:ident => $value:expr) => {
        match $placed {
            Placed::Skull($surface) => $value,
            Placed::Skin($surface) => $value,
        }
    };
}

/// Everything that hair cannot enter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contacts {
    /// As given.
    shape: HeadShape,
    colliders: Vec<Collider>,
    /// Strands stay above the plane at their roots.
    grounded: bool,
    /// In the world.
    head: Option<Placed>,
    capsules: Vec<Capsule>,
    /// Share of the sliding speed that a step of contact takes, for each unit of depth pushed.
    pub(super) friction: f32,
}

impl Contacts {
    /// What hair collides with by settings in their ranges, nowhere in the world yet.
    pub(super) fn new(settings: &SimSettings, head: &HeadShape) -> Self {
        let (shape, grounded) = settings.head_collider.of(head);
        Self {
            shape,
            colliders: settings.colliders.clone(),
            grounded,
            friction: settings.friction,
            ..Self::default()
        }
    }

    /// The same, placed in the world for a head's pose.
    pub(super) fn under(&self, pose: &Pose) -> Self {
        let skull = || Some(Placed::Skull(Skull::new(self.shape.ellipsoid?, pose)));
        let skin = self.shape.field.as_ref();
        let skin = skin.map(|field| Placed::Skin(Skin::new(field.clone(), pose)));
        Self {
            head: skin.or_else(skull),
            ..self.of_colliders()
        }
    }

    /// The colliders alone, which stand still in the world.
    pub(super) fn of_colliders(&self) -> Self {
        Self {
            capsules: self.colliders.iter().map(Capsule::new).collect(),
            ..self.clone()
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.head.is_none() && self.capsules.is_empty() && !self.grounded
    }

    /// The head's skin, if there is nothing else.
    #[inline(always)]
    fn skin_alone(&self) -> Option<&Skin> {
        match &self.head {
            Some(Placed::Skin(skin)) if self.capsules.is_empty() && !self.grounded => Some(skin),
            _ => None,
        }
    }

    /// Are the particles of all lanes outside of everything? May say no where they are.
    #[inline(always)]
    fn are_outside(&self, points: &Lanes3, rise: &Rise) -> bool {
        let least = rise.least();
        let mut outside = true;
        if let Some(head) = &self.head {
            outside &= each_shape!(head, surface => surface.are_outside(points, &least));
        }
        for capsule in &self.capsules {
            outside &= capsule.are_outside(points, &least);
        }
        if self.grounded {
            outside &= rise.ground.are_outside(points, &least);
        }
        outside
    }

    /// Moves eight points out of everything: straight, or about the other ends of their segments.
    /// Gives the last planes.
    #[inline(always)]
    fn out(&self, points: &mut Lanes3, rise: &Rise, swing: Option<Swing>) -> Planes {
        let least = &rise.least();
        let mut planes = Planes::none();
        for _ in 0..self.rounds() {
            if let Some(head) = &self.head {
                each_shape!(head, surface => leave(surface, least, points, swing, &mut planes));
            }
            for capsule in &self.capsules {
                leave(capsule, least, points, swing, &mut planes);
            }
            if self.grounded {
                leave(&rise.ground, least, points, swing, &mut planes);
            }
        }
        planes
    }

    /// Every surface in turn; where there are several, so often that they agree.
    fn rounds(&self) -> usize {
        let head = usize::from(self.head.is_some()) + usize::from(self.grounded);
        if head + self.capsules.len() > 1 {
            ROUNDS
        } else {
            1
        }
    }

    /// Moves eight free points out of everything, straight out. Gives the last planes.
    #[inline(always)]
    pub(super) fn push_out(&self, points: &mut Lanes3, rise: &Rise) -> Planes {
        let mut planes = Planes::none();
        dispatch(PushOut {
            contacts: self,
            points,
            rise,
            planes: &mut planes,
        });
        planes
    }

    /// Moves points that have come from `before` out again, while the skin is another one where they
    /// have come to. Was it?
    #[inline(always)]
    fn out_of_bends(
        &self,
        skin: &Skin,
        mut before: Lanes3,
        points: &mut Lanes3,
        rise: &Rise,
        swing: Option<Swing>,
    ) -> bool {
        let mut bends = 0;
        while bends < BENDS && skin.bends_between(&before, points) {
            before = *points;
            self.out(points, rise, swing);
            bends += 1;
        }
        bends > 0
    }

    /// Turns the segments whose ends are stuck in skin along the skin that they come from: between
    /// the sides of something thin (a nose, a lid) each side turns them towards the other. Were
    /// there any?
    #[inline(always)]
    fn unstick(&self, end: &mut Lanes3, from: &Lanes3, length: &Lanes, rise: &Rise) -> bool {
        let skin = self.skin_alone();
        let stuck = skin.and_then(|skin| skin.where_stuck(end, from, &rise.least()));
        let Some(beside) = stuck else {
            return false;
        };
        let turned = on_plane(from, length, end, &beside);
        *end = beside.where_touched(&turned, end);
        true
    }

    /// Distances of eight points from the nearest surface, about; negative inside; large without
    /// any.
    #[inline(always)]
    pub(super) fn distance(&self, points: &Lanes3, rise: &Rise) -> Lanes {
        let mut nearest = Lanes::splat(f32::MAX);
        dispatch(Nearest {
            contacts: self,
            points,
            rise,
            nearest: &mut nearest,
        });
        nearest
    }
}

/// Segments that keep their lengths: length wins over depth.
#[derive(Clone, Copy)]
struct Swing<'a> {
    from: &'a Lanes3,
    length: &'a Lanes,
}

/// Moves eight points out of one surface, and adds its planes.
#[inline(always)]
fn leave<S: Surface>(
    surface: &S,
    least: &Lanes,
    points: &mut Lanes3,
    swing: Option<Swing>,
    planes: &mut Planes,
) {
    dispatch(Leave {
        surface,
        least,
        points,
        swing,
        planes,
    });
}

/// The kernel of [`leave`]: one for each kind of surface, so that compilers need not look at all
/// of them at once.
struct Leave<'a, S> {
    surface: &'a S,
    least: &'a Lanes,
    points: &'a mut Lanes3,
    swing: Option<Swing<'a>>,
    planes: &'a mut Planes,
}

impl<S: Surface> Kernel for Leave<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let found = self.surface.touch(self.points, self.least);
        if found.is_none() {
            return;
        }
        let moved = match self.swing {
            Some(Swing { from, length }) => on_plane(from, length, self.points, &found),
            None => found.foot,
        };
        *self.points = found.where_touched(&moved, self.points);
        self.planes.add(&found);
    }
}

/// Moves eight free points out of everything.
struct PushOut<'a> {
    contacts: &'a Contacts,
    points: &'a mut Lanes3,
    rise: &'a Rise,
    planes: &'a mut Planes,
}

impl Kernel for PushOut<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (contacts, points) = (self.contacts, self.points);
        if contacts.are_outside(points, self.rise) {
            return;
        }
        let deep = *points;
        *self.planes = contacts.out(points, self.rise, None);
        if let Some(skin) = contacts.skin_alone() {
            contacts.out_of_bends(skin, deep, points, self.rise, None);
        }
    }
}

/// The kernel of [`Contacts::distance`].
struct Nearest<'a> {
    contacts: &'a Contacts,
    points: &'a Lanes3,
    rise: &'a Rise,
    nearest: &'a mut Lanes,
}

impl Kernel for Nearest<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (points, least) = (self.points, self.rise.least());
        let mut nearest = *self.nearest;
        if let Some(head) = &self.contacts.head {
            let found = each_shape!(head, surface => surface.distance(points, &least));
            nearest = nearest.min(found);
        }
        for capsule in &self.contacts.capsules {
            nearest = nearest.min(capsule.distance(points, &least));
        }
        if self.contacts.grounded {
            nearest = nearest.min(self.rise.ground.distance(points, &least));
        }
        *self.nearest = nearest;
    }
}
