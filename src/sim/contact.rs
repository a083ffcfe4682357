//! Things that hair cannot enter: the head as an ellipsoid, spheres, capsules.

use super::blocks::{
    LANES, Lanes, Lanes3, ParticleBlock, add_scaled, axes, dot, lane3, put3, sub, unit_or,
};
use super::solid::{Plane, Solid};
use super::{Collider, Ellipsoid, Pose, Step};

/// Times that a point is moved out of everything in turn: what moves it out of one may move it
/// into another.
const ROUNDS: usize = 2;

/// Everything that hair cannot enter, as given.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Contacts {
    head: Option<Ellipsoid>,
    colliders: Vec<Collider>,
    /// In the world, the head first.
    solids: Vec<Solid>,
    /// Share of the sliding speed that a step of contact takes, for each unit of depth pushed.
    pub(super) friction: f32,
}

/// How far along a strand it takes to come out of the head's ellipsoid, decimetres, where its root
/// is inside: skin is no ellipsoid.
const RISE: f32 = 0.3;

/// How deep the particles of eight strands may be in the head, from their roots on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rise {
    /// Level of the roots, at most 1.
    root: Lanes,
    /// Length from the root.
    along: Lanes,
}

impl Rise {
    pub(super) fn of(roots: &Lanes3, contacts: &Contacts) -> Self {
        let mut root = Lanes([1.0; LANES]);
        if !contacts.is_empty() {
            for lane in 0..LANES {
                root.0[lane] = contacts.level(lane3(roots, lane));
            }
        }
        Self {
            root,
            along: Lanes::default(),
        }
    }

    /// Goes on by a segment.
    #[inline(always)]
    pub(super) fn climb(&mut self, segment: &Lanes) {
        for lane in 0..LANES {
            self.along.0[lane] += segment.0[lane];
        }
    }

    /// [`least`](Self::least) in every lane.
    #[inline(always)]
    fn least_of_all(&self) -> Lanes {
        let share = (self.along * Lanes::all(1.0 / RISE)).at_most(1.0);
        self.root + (Lanes::all(1.0) - self.root) * share
    }

    /// The lowest level that a particle may be at.
    #[inline(always)]
    pub(super) fn least(&self, lane: usize) -> f32 {
        let root = self.root.0[lane];
        root + (1.0 - root) * (self.along.0[lane] * (1.0 / RISE)).min(1.0)
    }
}

impl Contacts {
    pub(super) fn new(head: Option<Ellipsoid>, colliders: &[Collider], friction: f32) -> Self {
        Self {
            head,
            colliders: colliders.to_vec(),
            solids: Vec::new(),
            friction,
        }
    }

    /// The same, placed in the world for a head's pose.
    pub(super) fn under(&self, pose: &Pose) -> Self {
        let head = self.head.map(|head| Solid::of_head(&head, pose));
        let others = self.colliders.iter().map(Solid::of_collider);
        Self {
            solids: head.into_iter().chain(others).collect(),
            ..self.clone()
        }
    }

    /// The colliders alone, which stand still in the world.
    pub(super) fn of_colliders(&self) -> Self {
        Self {
            solids: self.colliders.iter().map(Solid::of_collider).collect(),
            ..self.clone()
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.solids.is_empty()
    }

    /// Level of a point in the head, at most 1.
    #[inline(always)]
    fn level(&self, point: [f32; 3]) -> f32 {
        let levels = self.solids.iter().map(|solid| solid.level_in_head(point));
        levels.fold(1.0, f32::min)
    }

    /// Are the particles of all lanes outside of everything?
    #[inline(always)]
    pub(super) fn are_outside(&self, points: &Lanes3, rise: &Rise) -> bool {
        let least = rise.least_of_all();
        let solids = self.solids.iter();
        solids.fold(true, |clear, solid| {
            clear & solid.are_outside(points, least)
        })
    }

    /// Turns the segment that starts at `from` about that end until its other end, `to`, is
    /// outside of everything, and keeps its length: length wins over depth. Gives the end, and
    /// the last surface it was turned out of.
    #[inline(always)]
    pub(super) fn swing_out(
        &self,
        from: [f32; 3],
        length: f32,
        to: [f32; 3],
        least: f32,
    ) -> ([f32; 3], Option<Plane>) {
        let (mut to, mut touched) = (to, None);
        for solid in self.rounds() {
            if let Some(plane) = solid.touch(to, least) {
                to = on_plane(from, length, to, &plane);
                touched = Some(plane);
            }
        }
        (to, touched)
    }

    /// Moves a free point out of everything.
    #[inline(always)]
    pub(super) fn push_out(&self, point: [f32; 3], least: f32) -> ([f32; 3], Option<Plane>) {
        let (mut point, mut touched) = (point, None);
        for solid in self.rounds() {
            if let Some(plane) = solid.touch(point, least) {
                point = plane.foot;
                touched = Some(plane);
            }
        }
        (point, touched)
    }

    /// Every solid in turn; where there are several, so often that they agree.
    #[inline(always)]
    fn rounds(&self) -> impl Iterator<Item = &Solid> {
        let rounds = if self.solids.len() > 1 { ROUNDS } else { 1 };
        (0..rounds).flat_map(|_| &self.solids)
    }

    /// How deep the deepest particle of a strand is, root first; 0: none is.
    pub(super) fn depth_of(&self, strand: &[[f32; 4]]) -> f32 {
        let points = strand.iter().map(|&[x, y, z, _]| [x, y, z]);
        let mut before = [0.0; 3];
        let mut rise = None;
        let mut depth = 0.0_f32;
        for point in points {
            let rise = rise.get_or_insert_with(|| {
                before = point;
                let mut roots = Lanes3::default();
                put3(&mut roots, 0, point);
                Rise::of(&roots, self)
            });
            let way = sub(point, before);
            rise.climb(&Lanes([dot(way, way).sqrt(); LANES]));
            before = point;
            depth = depth.max(-self.distance(point, rise.least(0)));
        }
        depth
    }

    /// Distance of a point from the nearest surface, about; negative inside; large without any.
    #[inline(always)]
    pub(super) fn distance(&self, point: [f32; 3], least: f32) -> f32 {
        let each = self.solids.iter().map(|solid| solid.distance(point, least));
        each.fold(f32::MAX, f32::min)
    }
}

/// Turns the segments from `parent` to `end` of eight strands out of everything, with friction.
/// `state` is where their ends were before the step.
///
/// Friction is Coulomb's in terms of ways: what the end slid along the surface in this step is
/// taken back, up to the friction coefficient times the depth that it was turned out of.
#[inline(always)]
pub(super) fn slide(
    parent: &Lanes3,
    segment: &Lanes,
    state: &ParticleBlock,
    end: &mut Lanes3,
    step: &Step,
    rise: &Rise,
) {
    let contacts = &step.contacts;
    if contacts.is_empty() {
        return;
    }
    if contacts.are_outside(end, rise) {
        return;
    }
    for lane in 0..LANES {
        let (from, to) = (lane3(parent, lane), lane3(end, lane));
        let (length, least) = (segment.0[lane], rise.least(lane));
        let (out, Some(plane)) = contacts.swing_out(from, length, to, least) else {
            continue;
        };
        let depth = dot(sub(plane.foot, to), plane.normal).max(0.0);
        let way = sub(out, lane3(&state.position, lane));
        let slip = sub(way, plane.way(step));
        let slip = add_scaled(slip, plane.normal, -dot(slip, plane.normal));
        let slid = dot(slip, slip).sqrt();
        let share = (contacts.friction * depth / slid.max(1e-12)).min(1.0);
        let held = add_scaled(out, slip, -share);
        let held = on_plane(from, length, held, &plane);
        // Where other surfaces are near, what was held back must not be inside them.
        let (out, _) = contacts.swing_out(from, length, held, least);
        put3(end, lane, out);
    }
}

/// The point of the sphere of radius `length` around `from` that lies on a plane, beside `to`:
/// where the plane is out of reach, straight towards it.
#[inline(always)]
fn on_plane(from: [f32; 3], length: f32, to: [f32; 3], plane: &Plane) -> [f32; 3] {
    let n = plane.normal;
    let height = dot(sub(plane.foot, from), n);
    let up = (height / length.max(1e-12)).clamp(-1.0, 1.0);
    let along = sub(to, from);
    let flat = add_scaled(along, n, -dot(along, n));
    // Straight into the surface: any way along it.
    let any = if n[0].abs() < 0.6 {
        [1.0, 0.0, 0.0]
    } else {
        [0.0, 0.0, 1.0]
    };
    let any = unit_or(add_scaled(any, n, -dot(any, n)), any);
    let flat = unit_or(flat, any);
    let across = (1.0 - up * up).max(0.0).sqrt();
    let direction = unit_or(axes!(i => n[i] * up + flat[i] * across), n);
    add_scaled(from, direction, length)
}
