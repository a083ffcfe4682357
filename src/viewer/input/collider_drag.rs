//! Colliders under the pointer: which one is hit, which end of it, and where a drag moves it.

use glam::{DVec3, Vec3};
use mohawk::render::{Highlight, OrbitCamera, Ray, Solid};
use mohawk::settings::ListItem as _;
use mohawk::sim::Collider;

/// Radius of a new collider as a share of the camera's distance: a thumb's width on screen.
const NEW_RADIUS: f32 = 0.03;
/// Half the length of a new capsule, in radii.
const NEW_HALF_LENGTH: f32 = 2.0;
/// The largest distance from an end at which a drag holds that end, as a share of the capsule's
/// length.
const END_SHARE: f32 = 1.0 / 3.0;

/// The part of a collider that a drag moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Whole,
    From,
    To,
}

/// A place to hold a collider by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grip {
    pub(crate) index: usize,
    pub(crate) part: Part,
}

/// A collider that is dragged.
#[derive(Clone, Copy, Debug)]
struct Held {
    grip: Grip,
    /// The collider when the drag began.
    start: Collider,
    /// The point where the drag began, world space.
    point: Vec3,
}

/// The colliders that are pointed at, selected and held.
#[derive(Debug, Default)]
pub(crate) struct DragState {
    /// Under the pointer, or under a row of the panel.
    pub(crate) hovered: Option<usize>,
    pub(crate) selected: Option<usize>,
    held: Option<Held>,
}

impl DragState {
    /// Selects the collider under the pointer, and begins to drag it.
    pub(crate) fn take(&mut self, grip: Grip, colliders: &[Collider], ray: Ray) {
        self.selected = Some(grip.index);
        let hit = colliders.get(grip.index).zip(nearest(colliders, ray));
        self.held = hit.map(|(start, (_, distance))| Held {
            grip,
            start: *start,
            point: ray.origin + distance * ray.direction,
        });
    }

    /// Lets go.
    pub(crate) fn release(&mut self) {
        self.held = None;
    }

    /// Moves what is held in the plane parallel to the view through where it was taken, so that
    /// this place stays under the pointer.
    pub(crate) fn carry(&self, colliders: &mut [Collider], camera: &OrbitCamera, ray: Ray) {
        let Some(held) = &self.held else { return };
        let place = on_plane(ray, held.point, camera.outward());
        let Some((collider, place)) = colliders.get_mut(held.grip.index).zip(place) else {
            return;
        };
        let by = place - held.point;
        *collider = held.start;
        if held.grip.part != Part::To {
            collider.from = within(Vec3::from(held.start.from) + by);
        }
        if let (Some(to), true) = (held.start.to, held.grip.part != Part::From) {
            collider.to = Some(within(Vec3::from(to) + by));
        }
    }

    /// Follows a collider's removal: the indices of those behind it become one less.
    pub(crate) fn removed(&mut self, index: usize) {
        let after = |i: usize| match i {
            i if i > index => Some(i - 1),
            i => Some(i).filter(|_| i < index),
        };
        self.selected = self.selected.and_then(after);
        self.hovered = self.hovered.and_then(after);
        self.held = None;
    }

    /// Returns the colliders as they are drawn.
    pub(crate) fn solids(&self, colliders: &[Collider]) -> Vec<Solid> {
        let highlight = |i| match i {
            i if self.selected == Some(i) => Highlight::Selected,
            i if self.hovered == Some(i) => Highlight::Hovered,
            _ => Highlight::Plain,
        };
        let solids = colliders.iter().enumerate().map(|(i, collider)| Solid {
            from: collider.from.into(),
            to: collider.to.map(Vec3::from),
            radius: collider.radius,
            highlight: highlight(i),
        });
        solids.collect()
    }
}

/// Returns the collider that a ray meets first, where it would be held, and how far along the ray.
pub(crate) fn nearest(colliders: &[Collider], ray: Ray) -> Option<(Grip, f32)> {
    let hit = |(index, collider): (usize, &Collider)| {
        let from = Vec3::from(collider.from);
        let to = collider.to.map_or(from, Vec3::from);
        let distance = enters_capsule(ray, from, to, collider.radius)?;
        let part = part_at(collider, ray.origin + distance * ray.direction);
        Some((Grip { index, part }, distance))
    };
    let hits = colliders.iter().enumerate().filter_map(hit);
    hits.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Returns the part of a collider that a place on it belongs to.
fn part_at(collider: &Collider, place: Vec3) -> Part {
    let from = Vec3::from(collider.from);
    let along = collider.to.map(|to| Vec3::from(to) - from);
    let Some(axis) = along.and_then(Vec3::try_normalize) else {
        return Part::Whole;
    };
    let length = along.unwrap_or_default().length();
    let end = collider.radius.min(END_SHARE * length);
    let place = (place - from).dot(axis);
    match place {
        at if at < end => Part::From,
        at if at > length - end => Part::To,
        _ => Part::Whole,
    }
}

/// Returns the distance at which a ray that starts outside enters a capsule: the nearest of its
/// sides and its ends.
fn enters_capsule(ray: Ray, from: Vec3, to: Vec3, radius: f32) -> Option<f32> {
    // In double precision: a small sphere far from the camera must not be missed.
    let [origin, direction, from, to] = [ray.origin, ray.direction, from, to].map(|v| v.as_dvec3());
    let radius = f64::from(radius);
    let axis = to - from;
    let squared = axis.length_squared();
    let nearest = from + axis * ((origin - from).dot(axis) / squared.max(1e-300)).clamp(0.0, 1.0);
    if origin.distance_squared(nearest) <= radius * radius {
        return None; // The eye is inside: it sees nothing of it.
    }
    // A ray from `o`, relative to the centre, along `d` enters a ball at the smaller root of
    // a t² + 2 b t + c, if there is one above 0.
    let enters = |o: DVec3, d: DVec3| {
        let (a, b) = (d.length_squared(), o.dot(d));
        let c = o.length_squared() - radius * radius;
        Some((-b - (b * b - a * c).sqrt()) / a).filter(|t| *t > 0.0)
    };
    let ends = [from, to].into_iter();
    let ends = ends.filter_map(|center| enters(origin - center, direction));
    let side = || {
        let across = |v: DVec3| v - axis * (v.dot(axis) / squared);
        let t = enters(across(origin - from), across(direction))?;
        let along = (origin + t * direction - from).dot(axis) / squared;
        (0.0..=1.0).contains(&along).then_some(t)
    };
    let side = (squared > 0.0).then(side).flatten();
    let first = ends.chain(side).min_by(f64::total_cmp)?;
    Some(first as f32)
}

/// Returns where a ray meets the plane through a point, if that is in front of it.
pub(crate) fn on_plane(ray: Ray, point: Vec3, normal: Vec3) -> Option<Vec3> {
    let distance = (point - ray.origin).dot(normal) / ray.direction.dot(normal);
    (distance.is_finite() && distance > 0.0).then(|| ray.origin + distance * ray.direction)
}

/// Returns a place in the range of coordinates.
fn within(place: Vec3) -> [f32; 3] {
    let (low, high) = Collider::PLACE.range().into_inner();
    place.clamp(Vec3::splat(low), Vec3::splat(high)).to_array()
}

/// Returns a radius in its range.
pub(crate) fn resized(radius: f32, factor: f32) -> f32 {
    let (least, most) = Collider::RADIUS.range().into_inner();
    (radius * factor).clamp(least, most)
}

/// Returns a sphere, or an upright capsule, around a place.
pub(crate) fn new(place: Vec3, capsule: bool, camera: &OrbitCamera) -> Collider {
    let radius = resized(NEW_RADIUS, camera.distance);
    let half = Vec3::Y * (NEW_HALF_LENGTH * radius);
    Collider {
        from: within(if capsule { place - half } else { place }),
        to: capsule.then(|| within(place + half)),
        radius,
    }
}

/// Returns a free place beside hair, in sight of the camera, for a new collider; `points` are
/// drawn, or where there are none the camera's target is taken for them.
pub(crate) fn beside(points: &[[f32; 4]], colliders: &[Collider], camera: &OrbitCamera) -> Vec3 {
    let (right, up) = camera.right_up();
    let radius = NEW_RADIUS * camera.distance;
    let place = |&[x, y, z, _]: &[f32; 4]| Vec3::new(x, y, z);
    let count = points.len().max(1) as f32;
    let middle = match points {
        [] => camera.target,
        _ => points.iter().map(place).sum::<Vec3>() / count,
    };
    let reach = points.iter().map(|p| (place(p) - middle).dot(right));
    let mut beside = middle + right * (reach.fold(0.0, f32::max) + 1.5 * radius);
    let taken = |at: Vec3| {
        let near = |c: &Collider| Vec3::from(c.from).distance(at) < c.radius + radius;
        colliders.iter().any(near)
    };
    let mut tries = 0..Collider::MAX;
    while tries.next().is_some() && taken(beside) {
        beside -= up * (2.5 * radius);
    }
    beside
}

#[cfg(test)]
mod tests;
