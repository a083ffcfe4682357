//! The obstacles that hair cannot enter, and how points are moved out.

use super::planes::{Pivot, Planes, on_plane};
use super::root_clearance::RootClearance;
use super::sdf_collider::SdfCollider;
use super::surfaces::{Capsule, EllipsoidCollider, HeadCollider, HeadShape, RootPlane, Surface};
use crate::sim::pose::{HeadMotion, Pose};
use crate::sim::sdf::{Bend, Sdf};
use crate::sim::settings::SimSettings;
use crate::sim::simd::{Kernel, Lanes, Lanes3, Transpose, add_scaled3, dispatch};
use std::sync::Arc;

/// The number of times that a point is moved out of each obstacle in turn, because leaving one may
/// lead into another.
const ROUNDS: usize = 2;
/// The number of times that a segment is turned again where the skin is curved, as in folds and
/// around ears.
const BENDS: usize = 4;

/// The length over which a strand comes out of the head's ellipsoid, decimetres, if its root is
/// inside.
const ELLIPSOID_RISE: f32 = 0.3;
/// The length over which a strand reaches its full clearance from the skin, decimetres.
const SKIN_RISE: f32 = 0.1;

/// Evaluates an expression for each surface, which keeps its concrete type: the head's, and then
/// colliders.
macro_rules! each_surface {
    ($contacts:expr, $clearance:expr, $surface:ident => $value:expr) => {
        if let Some($surface) = &$contacts.ellipsoid {
            $value;
        }
        if let Some($surface) = &$contacts.sdf {
            $value;
        }
        if $contacts.has_root_planes {
            let $surface = &$clearance.root_plane;
            $value;
        }
        for $surface in &$contacts.capsules {
            $value;
        }
    };
}

/// Everything that hair cannot enter, world space.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contacts {
    /// The shapes of the head, head space.
    shape: HeadShape,
    /// The motion of skin on the head; `None`: it is where its field was baked.
    pub(crate) bend: Option<Bend>,
    /// The head under a pose: one of these, or none.
    ellipsoid: Option<EllipsoidCollider>,
    pub(super) sdf: Option<SdfCollider>,
    capsules: Vec<Capsule>,
    /// `true` if strands stay above the plane at their roots.
    has_root_planes: bool,
    /// `true` if strands that rest below that plane are spared it.
    pub(crate) spares_low: bool,
    /// The Coulomb friction coefficient.
    pub(crate) friction: f32,
}

impl Contacts {
    /// Returns the obstacles for clamped settings. The head has no place in the world yet.
    pub(crate) fn new(settings: &SimSettings, head: &HeadShape) -> Self {
        Self {
            shape: match settings.head_collider {
                HeadCollider::None | HeadCollider::Plane => HeadShape::default(),
                HeadCollider::Ellipsoid => HeadShape::from(head.ellipsoid),
                HeadCollider::Field => head.clone(),
            },
            capsules: settings.colliders.iter().map(Capsule::new).collect(),
            has_root_planes: settings.head_collider == HeadCollider::Plane,
            friction: settings.friction,
            ..Self::default()
        }
    }

    /// Returns the same obstacles with the head placed in the world by a pose.
    pub(crate) fn under(&self, pose: &Pose) -> Self {
        let field = self.shape.field.clone();
        let ellipsoid = self.shape.ellipsoid.filter(|_| field.is_none());
        Self {
            sdf: field.map(|field| SdfCollider::new(field, self.bend.clone(), pose)),
            ellipsoid: ellipsoid.map(|shape| EllipsoidCollider::new(shape, pose)),
            ..self.clone()
        }
    }

    /// Returns the obstacles of springs: the colliders. Springs meet the planes at their roots by
    /// themselves.
    pub(crate) fn of_springs(&self) -> Self {
        Self {
            shape: HeadShape::default(),
            has_root_planes: false,
            ..self.clone()
        }
    }

    /// Returns the obstacles of hairs that follow springs: the colliders, and the planes at their
    /// roots if springs are `grounded`.
    pub(crate) fn of_followers(&self, grounded: bool) -> Self {
        Self {
            has_root_planes: grounded,
            spares_low: true,
            ..self.of_springs()
        }
    }

    /// Returns the distance field of the skin, if hair collides with it.
    pub(crate) fn field(&self) -> Option<&Sdf> {
        self.shape.field.as_deref()
    }

    /// Returns `true` if these are the same obstacles as others.
    pub(crate) fn has_obstacles_of(&self, other: &Self) -> bool {
        self.has_field_of(other)
            && self.shape.ellipsoid == other.shape.ellipsoid
            && self.has_root_planes == other.has_root_planes
            && self.capsules == other.capsules
    }

    /// Returns `true` if this is the same field, or none, as of others.
    pub(crate) fn has_field_of(&self, other: &Self) -> bool {
        match [self, other].map(|contacts| &contacts.shape.field) {
            [Some(own), Some(other)] => Arc::ptr_eq(own, other),
            [own, other] => own.is_none() && other.is_none(),
        }
    }

    /// Returns the displacements of the surfaces in a step.
    #[inline(always)]
    pub(crate) fn way(&self, motion: &HeadMotion, planes: &Planes) -> Lanes3 {
        let way = planes.way(motion);
        match (self.sdf.as_ref()).and_then(|sdf| sdf.displacements(&planes.foot)) {
            Some(own) => add_scaled3(&way, &own, planes.of_head),
            None => way,
        }
    }

    /// Returns the clearance of strands that keep `skin` away from a distance field. `roots` and
    /// the skin's `normals` there are in world space; `first` are the smallest lengths of the
    /// segments at the roots.
    #[inline(always)]
    pub(crate) fn clearance(
        &self,
        skin: f32,
        roots: &Lanes3,
        normals: &Lanes3,
        first: &Lanes,
    ) -> RootClearance {
        let plane = RootPlane {
            root: *roots,
            normal: *normals,
        };
        if let Some(ellipsoid) = &self.ellipsoid {
            let level = ellipsoid.level(roots).at_most(1.0);
            return RootClearance::new(plane, level, 1.0, ELLIPSOID_RISE);
        }
        let Some(sdf) = &self.sdf else {
            return RootClearance::new(plane, Lanes::ONE, 1.0, f32::INFINITY);
        };
        let mut level = Lanes::splat(skin);
        // The level at the roots matters only to segments shorter than the rise.
        if first.any_below(Lanes::splat(SKIN_RISE)) {
            level = sdf.distance(roots, &Lanes::ZERO).at_most(skin);
        }
        RootClearance::new(plane, level, skin, SKIN_RISE)
    }

    /// Returns `true` if there is no obstacle.
    pub(crate) fn is_empty(&self) -> bool {
        let has_head = self.ellipsoid.is_some() || self.sdf.is_some() || self.has_root_planes;
        !has_head && self.capsules.is_empty()
    }

    /// Returns the distances of eight points from the nearest collider, negative inside, and
    /// `f32::MAX` without any and where a point is not a number.
    #[inline(always)]
    pub(super) fn apart(&self, points: &Lanes3) -> Lanes {
        let distances = self.capsules.iter();
        let distances = distances.map(|capsule| capsule.distance(points, &Lanes::ZERO));
        distances.fold(Lanes::splat(f32::MAX), Lanes::min)
    }

    /// Returns the distance field of the head if that is the only obstacle within `reach` of eight
    /// points, and how far they are from colliders.
    #[inline(always)]
    fn sdf_alone(&self, points: &Lanes3, reach: Lanes) -> Option<(&SdfCollider, Lanes)> {
        let sdf = self.sdf.as_ref()?;
        let apart = self.apart(points);
        reach.all_below(apart).then_some((sdf, apart))
    }

    /// Returns the distance field of the head if that is the only obstacle of the ends of segments,
    /// and finds how far strands go on without touching anything.
    #[inline(always)]
    pub(super) fn look_ahead(
        &self,
        end: &Lanes3,
        clearance: &mut RootClearance,
    ) -> Option<&SdfCollider> {
        let (sdf, apart) = self.sdf_alone(end, Lanes::ZERO)?;
        if !clearance.touching {
            clearance.clear = sdf.free_path(end, clearance.full).min(apart);
        }
        Some(sdf)
    }

    /// Returns `true` only if all points are outside of everything; it may miss some that are.
    #[inline(always)]
    pub(super) fn are_outside(&self, points: &Lanes3, clearance: &RootClearance) -> bool {
        let allowed = clearance.allowed();
        let mut outside = true;
        each_surface!(self, clearance, surface => outside &= surface.are_outside(points, &allowed));
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
        for _ in 0..ROUNDS {
            let (mut numbers, mut last) = (0_u32.., None);
            each_surface!(self, clearance, surface => {
                let number = numbers.next();
                if dispatch(Leave { surface, allowed, points, pivot, planes: &mut planes }) {
                    last = number;
                }
            });
            // Points that left the first obstacle alone have been held against all others since.
            if last <= Some(0) {
                break;
            }
        }
        planes
    }

    /// Moves eight free points straight out of everything. Returns the last planes.
    #[inline(always)]
    pub(crate) fn push_out(&self, points: &mut Lanes3, clearance: &RootClearance) -> Planes {
        if self.are_outside(points, clearance) {
            return Planes::none();
        }
        let deep = *points;
        let planes = self.move_out(points, clearance, None);
        if let Some(sdf) = &self.sdf {
            self.follow_curvature(sdf, deep, points, clearance, None);
        }
        planes
    }

    /// Moves points that came from `before` out again, as long as the skin has another tangent
    /// plane at their new place. Returns whether there was one.
    #[inline(always)]
    fn follow_curvature(
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

    /// Turns ends of segments that came from `deep` out again. On curved skin, they may be inside
    /// although they left its tangent plane.
    #[inline(always)]
    pub(super) fn follow_skin(
        &self,
        sdf: &SdfCollider,
        deep: Lanes3,
        end: &mut Lanes3,
        clearance: &RootClearance,
        pivot: Pivot,
    ) {
        let bent = self.follow_curvature(sdf, deep, end, clearance, Some(pivot));
        if bent && sdf.unstick(end, pivot, &clearance.allowed()) {
            self.move_out(end, clearance, Some(pivot));
        }
    }

    /// Returns the tangent planes beside eight points, moved out as far as the points must stay
    /// away, if the distance field of the head is the only obstacle within `reach` of them.
    #[inline(always)]
    pub(crate) fn tangents(
        &self,
        points: &Lanes3,
        reach: Lanes,
        clearance: &RootClearance,
    ) -> Option<Planes> {
        let (sdf, _) = self.sdf_alone(points, reach)?;
        Some(sdf.touch(points, &clearance.allowed()))
    }

    /// Returns the approximate distances of eight points from the head, negative inside, and
    /// `f32::MAX` without one.
    #[inline(always)]
    pub(crate) fn distance_from_head(&self, points: &Lanes3, clearance: &RootClearance) -> Lanes {
        let allowed = clearance.allowed();
        let mut nearest = Lanes::splat(f32::MAX);
        if let Some(ellipsoid) = &self.ellipsoid {
            nearest = nearest.min(ellipsoid.distance(points, &allowed));
        }
        if let Some(sdf) = &self.sdf {
            nearest = nearest.min(sdf.distance(points, &allowed));
        }
        if self.has_root_planes {
            nearest = nearest.min(clearance.root_plane.distance(points, &allowed));
        }
        nearest
    }

    /// Returns the approximate distances of eight points from the nearest surface, negative inside,
    /// and `f32::MAX` without any.
    #[inline(always)]
    pub(crate) fn distance(&self, points: &Lanes3, clearance: &RootClearance) -> Lanes {
        self.distance_from_head(points, clearance)
            .min(self.apart(points))
    }
}

/// Moves eight points out of one surface and adds its planes. Returns whether any was in it. It is
/// compiled for each kind of surface by itself.
struct Leave<'a, S> {
    surface: &'a S,
    allowed: &'a Lanes,
    points: &'a mut Lanes3,
    pivot: Option<Pivot<'a>>,
    planes: &'a mut Planes,
}

impl<S: Surface> Kernel<bool> for Leave<'_, S> {
    #[inline(always)]
    fn run(self, _: impl Transpose) -> bool {
        let found = self.surface.touch(self.points, self.allowed);
        if found.is_none() {
            return false;
        }
        let moved = match self.pivot {
            Some(pivot) => on_plane(pivot, self.points, &found),
            None => found.foot,
        };
        *self.points = found.where_touched(&moved, self.points);
        self.planes.add(&found);
        true
    }
}
