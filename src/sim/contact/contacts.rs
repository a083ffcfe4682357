//! The obstacles that hair cannot enter, and how points are moved out of them.

use super::planes::{Planes, on_plane};
use super::root_clearance::RootClearance;
use super::sdf_collider::SdfCollider;
use super::settings::{Collider, HeadShape};
use super::surfaces::{Capsule, EllipsoidCollider, Surface};
use crate::sim::pose::Pose;
use crate::sim::settings::SimSettings;
use crate::sim::simd::{Kernel, Lanes, Lanes3, Transpose, dispatch};

/// The number of times that a point is moved out of each obstacle in turn, because leaving one may
/// lead into another.
const ROUNDS: usize = 2;
/// The number of times that a segment is turned again where the skin is curved, as in folds and
/// around ears.
const BENDS: usize = 4;

/// The head, placed in the world.
#[derive(Clone, Debug)]
enum HeadSurface {
    Ellipsoid(EllipsoidCollider),
    Sdf(SdfCollider),
}

/// Evaluates an expression for the concrete surface of a head.
macro_rules! each_shape {
    ($head:expr, $surface:ident => $value:expr) => {
        match $head {
            HeadSurface::Ellipsoid($surface) => $value,
            HeadSurface::Sdf($surface) => $value,
        }
    };
}

/// Everything that hair cannot enter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contacts {
    /// The shapes of the head, head space.
    shape: HeadShape,
    colliders: Vec<Collider>,
    /// `true` if strands stay above the plane at their roots.
    has_root_planes: bool,
    /// The head and the colliders, world space.
    head: Option<HeadSurface>,
    capsules: Vec<Capsule>,
    /// The Coulomb friction coefficient.
    pub(crate) friction: f32,
}

impl Contacts {
    /// Returns the obstacles for clamped settings. They have no place in the world yet.
    pub(crate) fn new(settings: &SimSettings, head: &HeadShape) -> Self {
        let (shape, has_root_planes) = settings.head_collider.of(head);
        Self {
            shape,
            colliders: settings.colliders.clone(),
            has_root_planes,
            friction: settings.friction,
            ..Self::default()
        }
    }

    /// Returns the same obstacles placed in the world for a pose of the head.
    pub(crate) fn under(&self, pose: &Pose) -> Self {
        let HeadShape { ellipsoid, field } = self.shape.clone();
        let ellipsoid = ellipsoid.map(|shape| EllipsoidCollider::new(shape, pose));
        let sdf = field.map(|field| SdfCollider::new(field, pose));
        let ellipsoid = ellipsoid.map(HeadSurface::Ellipsoid);
        Self {
            head: sdf.map(HeadSurface::Sdf).or(ellipsoid),
            ..self.of_colliders()
        }
    }

    /// Returns the same obstacles with the colliders alone placed; they do not move.
    pub(crate) fn of_colliders(&self) -> Self {
        Self {
            capsules: self.colliders.iter().map(Capsule::new).collect(),
            ..self.clone()
        }
    }

    /// Returns the clearance of moving strands. `roots` and the skin's `normals` there are in world
    /// space; `first` are the smallest lengths of the segments at the roots.
    #[inline(always)]
    pub(crate) fn clearance(
        &self,
        roots: &Lanes3,
        normals: &Lanes3,
        first: &Lanes,
    ) -> RootClearance {
        self.clearance_of(RootClearance::SKIN, roots, normals, first)
    }

    /// Returns the clearance with which depths inside the head itself are measured.
    #[inline(always)]
    pub(super) fn no_clearance(&self, roots: &Lanes3, normals: &Lanes3) -> RootClearance {
        self.clearance_of(0.0, roots, normals, &Lanes::default())
    }

    fn clearance_of(
        &self,
        skin: f32,
        roots: &Lanes3,
        normals: &Lanes3,
        first: &Lanes,
    ) -> RootClearance {
        let clearance = RootClearance::new(roots, normals);
        match &self.head {
            None => clearance,
            Some(HeadSurface::Ellipsoid(ellipsoid)) => clearance.of_ellipsoid(ellipsoid),
            Some(HeadSurface::Sdf(sdf)) => clearance.of_sdf(sdf, skin, first),
        }
    }

    /// Returns `true` if there is no obstacle.
    pub(crate) fn is_empty(&self) -> bool {
        self.head.is_none() && self.capsules.is_empty() && !self.has_root_planes
    }

    /// Returns the distance field of the head if that is the only obstacle.
    #[inline(always)]
    pub(super) fn sdf_alone(&self) -> Option<&SdfCollider> {
        match &self.head {
            Some(HeadSurface::Sdf(sdf)) if self.capsules.is_empty() && !self.has_root_planes => {
                Some(sdf)
            }
            _ => None,
        }
    }

    /// Returns `true` only if all points are outside of everything; it may miss some that are.
    #[inline(always)]
    pub(super) fn are_outside(&self, points: &Lanes3, clearance: &RootClearance) -> bool {
        let allowed = clearance.allowed();
        let mut outside = true;
        if let Some(head) = &self.head {
            outside &= each_shape!(head, surface => surface.are_outside(points, &allowed));
        }
        for capsule in &self.capsules {
            outside &= capsule.are_outside(points, &allowed);
        }
        if self.has_root_planes {
            outside &= clearance.root_plane.are_outside(points, &allowed);
        }
        outside
    }

    /// Moves eight points out of everything: straight, or by rotating their segments. Returns the
    /// last planes.
    #[inline(always)]
    pub(super) fn move_out(
        &self,
        points: &mut Lanes3,
        clearance: &RootClearance,
        pivot: Option<Pivot>,
    ) -> Planes {
        let allowed = &clearance.allowed();
        let mut planes = Planes::none();
        let count = usize::from(self.head.is_some())
            + usize::from(self.has_root_planes)
            + self.capsules.len();
        for _ in 0..if count > 1 { ROUNDS } else { 1 } {
            if let Some(head) = &self.head {
                each_shape!(head, surface => leave(surface, allowed, points, pivot, &mut planes));
            }
            for capsule in &self.capsules {
                leave(capsule, allowed, points, pivot, &mut planes);
            }
            if self.has_root_planes {
                leave(&clearance.root_plane, allowed, points, pivot, &mut planes);
            }
        }
        planes
    }

    /// Moves eight free points straight out of everything. Returns the last planes.
    #[inline(always)]
    pub(crate) fn push_out(&self, points: &mut Lanes3, clearance: &RootClearance) -> Planes {
        dispatch(PushOut {
            contacts: self,
            points,
            clearance,
        })
    }

    /// Moves points that came from `before` out again, as long as the skin has another tangent
    /// plane at their new place. Returns whether there was one.
    #[inline(always)]
    pub(super) fn follow_curvature(
        &self,
        sdf: &SdfCollider,
        mut before: Lanes3,
        points: &mut Lanes3,
        clearance: &RootClearance,
        pivot: Option<Pivot>,
    ) -> bool {
        let mut bends = 0;
        while bends < BENDS && sdf.bends_between(&before, points) {
            before = *points;
            self.move_out(points, clearance, pivot);
            bends += 1;
        }
        bends > 0
    }

    /// Turns segments whose ends are stuck inside along the skin at their start. Between the two
    /// sides of a thin part (a nose, a lid) each side would turn them towards the other. Returns
    /// whether there were any.
    #[inline(always)]
    pub(super) fn unstick(
        &self,
        end: &mut Lanes3,
        from: &Lanes3,
        length: &Lanes,
        clearance: &RootClearance,
    ) -> bool {
        let sdf = self.sdf_alone();
        let stuck = sdf.and_then(|sdf| sdf.where_stuck(end, from, &clearance.allowed()));
        let Some(beside) = stuck else {
            return false;
        };
        let turned = on_plane(from, length, end, &beside);
        *end = beside.where_touched(&turned, end);
        true
    }

    /// Returns the approximate distances of eight points from the nearest surface, negative inside,
    /// and `f32::MAX` without any.
    #[inline(always)]
    pub(crate) fn distance(&self, points: &Lanes3, clearance: &RootClearance) -> Lanes {
        dispatch(Nearest {
            contacts: self,
            points,
            clearance,
        })
    }
}

/// Segments that rotate about their start and keep their length, even if the end stays inside.
#[derive(Clone, Copy)]
pub(super) struct Pivot<'a> {
    pub(super) from: &'a Lanes3,
    pub(super) length: &'a Lanes,
}

/// Moves eight points out of one surface and adds its planes.
#[inline(always)]
fn leave<S: Surface>(
    surface: &S,
    allowed: &Lanes,
    points: &mut Lanes3,
    pivot: Option<Pivot>,
    planes: &mut Planes,
) {
    dispatch(Leave {
        surface,
        allowed,
        points,
        pivot,
        planes,
    });
}

/// The kernel of [`leave`], compiled for each kind of surface by itself.
struct Leave<'a, S> {
    surface: &'a S,
    allowed: &'a Lanes,
    points: &'a mut Lanes3,
    pivot: Option<Pivot<'a>>,
    planes: &'a mut Planes,
}

impl<S: Surface> Kernel for Leave<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Transpose) {
        let found = self.surface.touch(self.points, self.allowed);
        if found.is_none() {
            return;
        }
        let moved = match self.pivot {
            Some(Pivot { from, length }) => on_plane(from, length, self.points, &found),
            None => found.foot,
        };
        *self.points = found.where_touched(&moved, self.points);
        self.planes.add(&found);
    }
}

/// The kernel of [`Contacts::push_out`].
struct PushOut<'a> {
    contacts: &'a Contacts,
    points: &'a mut Lanes3,
    clearance: &'a RootClearance,
}

impl Kernel for PushOut<'_> {
    type Output = Planes;

    #[inline(always)]
    fn run(self, _: impl Transpose) -> Planes {
        let (contacts, points) = (self.contacts, self.points);
        if contacts.are_outside(points, self.clearance) {
            return Planes::none();
        }
        let deep = *points;
        let planes = contacts.move_out(points, self.clearance, None);
        if let Some(sdf) = contacts.sdf_alone() {
            contacts.follow_curvature(sdf, deep, points, self.clearance, None);
        }
        planes
    }
}

/// The kernel of [`Contacts::distance`].
struct Nearest<'a> {
    contacts: &'a Contacts,
    points: &'a Lanes3,
    clearance: &'a RootClearance,
}

impl Kernel for Nearest<'_> {
    type Output = Lanes;

    #[inline(always)]
    fn run(self, _: impl Transpose) -> Lanes {
        let (points, allowed) = (self.points, self.clearance.allowed());
        let mut nearest = Lanes::splat(f32::MAX);
        if let Some(head) = &self.contacts.head {
            let found = each_shape!(head, surface => surface.distance(points, &allowed));
            nearest = nearest.min(found);
        }
        for capsule in &self.contacts.capsules {
            nearest = nearest.min(capsule.distance(points, &allowed));
        }
        if self.contacts.has_root_planes {
            nearest = nearest.min(self.clearance.root_plane.distance(points, &allowed));
        }
        nearest
    }
}
