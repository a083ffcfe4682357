//! Colliders under the pointer: which one, which end of it, and where a drag takes it.

use crate::render::{Mark, OrbitCamera, Ray, Solid};
use crate::sim::Collider;
use glam::Vec3;

/// Radius of a new collider as a share of the camera's distance: a thumb's width on screen.
const NEW_RADIUS: f32 = 0.03;
/// Half the length of a new capsule, in radii.
const NEW_HALF_LENGTH: f32 = 2.0;
/// What is held by an end is held within this share of the capsule's length from it, at most.
const END_SHARE: f32 = 1.0 / 3.0;

/// What of a collider a drag moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    From,
    To,
}

/// A place to hold a collider by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grip {
    pub(super) index: usize,
    pub(super) part: Part,
}

/// A collider in hand.
#[derive(Clone, Copy, Debug)]
struct Held {
    grip: Grip,
    /// As it was when it was taken.
    start: Collider,
    /// Where it was taken, world space.
    point: Vec3,
}

/// Which colliders people point at, have chosen and hold.
#[derive(Debug, Default)]
pub(super) struct Hands {
    /// Under the pointer, or under a row of the panel.
    pub(super) hovered: Option<usize>,
    pub(super) selected: Option<usize>,
    held: Option<Held>,
}

impl Hands {
    /// Takes hold of what is under the pointer, and chooses it.
    pub(super) fn take(&mut self, grip: Grip, colliders: &[Collider], ray: Ray) {
        self.selected = Some(grip.index);
        let hit = colliders.get(grip.index).zip(nearest(colliders, ray));
        self.held = hit.map(|(start, (_, distance))| Held {
            grip,
            start: *start,
            point: ray.origin + distance * ray.direction,
        });
    }

    /// Lets go.
    pub(super) fn release(&mut self) {
        self.held = None;
    }

    /// Moves what is held in the plane parallel to the view through where it was taken, so that this
    /// place stays under the pointer.
    pub(super) fn carry(&self, colliders: &mut [Collider], camera: &OrbitCamera, ray: Ray) {
        let Some(held) = &self.held else { return };
        let Some(collider) = colliders.get_mut(held.grip.index) else {
            return;
        };
        let Some(place) = on_plane(ray, held.point, camera.outward()) else {
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

    /// One has been taken away: those behind it move up.
    pub(super) fn removed(&mut self, index: usize) {
        let after = |i: usize| match i {
            i if i > index => Some(i - 1),
            i => Some(i).filter(|_| i < index),
        };
        self.selected = self.selected.and_then(after);
        self.hovered = self.hovered.and_then(after);
        self.held = None;
    }

    /// Colliders as they are drawn.
    pub(super) fn solids(&self, colliders: &[Collider]) -> Vec<Solid> {
        let mark = |i| match i {
            i if self.selected == Some(i) => Mark::Selected,
            i if self.hovered == Some(i) => Mark::Hovered,
            _ => Mark::Plain,
        };
        let solids = colliders.iter().enumerate().map(|(i, collider)| Solid {
            from: collider.from.into(),
            to: collider.to.map(Vec3::from),
            radius: collider.radius,
            mark: mark(i),
        });
        solids.collect()
    }
}

/// The collider that a ray meets first, where it would be held, and how far along the ray.
pub(super) fn nearest(colliders: &[Collider], ray: Ray) -> Option<(Grip, f32)> {
    let hits = colliders
        .iter()
        .enumerate()
        .filter_map(|(index, collider)| {
            let from = Vec3::from(collider.from);
            let to = collider.to.map_or(from, Vec3::from);
            let distance = enters_capsule(ray, from, to, collider.radius)?;
            let part = part_at(collider, ray.origin + distance * ray.direction);
            Some((Grip { index, part }, distance))
        });
    hits.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// What a place on a collider is part of.
fn part_at(collider: &Collider, place: Vec3) -> Part {
    let from = Vec3::from(collider.from);
    let along = collider.to.map(|to| Vec3::from(to) - from);
    let Some(axis) = along.and_then(Vec3::try_normalize) else {
        return Part::Whole;
    };
    let length = along.unwrap_or_default().length();
    let end = collider.radius.min(END_SHARE * length);
    let place = (place - from).dot(axis);
    if place < end {
        Part::From
    } else if place > length - end {
        Part::To
    } else {
        Part::Whole
    }
}

/// Where a ray that starts outside enters a capsule: the nearest of its sides and its ends.
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
    let ends = [from, to].into_iter().filter_map(|center| {
        first_root(
            direction.length_squared(),
            (origin - center).dot(direction),
            (origin - center).length_squared() - radius * radius,
        )
    });
    let side = || {
        let d = direction - axis * (direction.dot(axis) / squared);
        let o = (origin - from) - axis * ((origin - from).dot(axis) / squared);
        let t = first_root(
            d.length_squared(),
            o.dot(d),
            o.length_squared() - radius * radius,
        )?;
        let along = (origin + t * direction - from).dot(axis) / squared;
        (0.0..=1.0).contains(&along).then_some(t)
    };
    let side = (squared > 0.0).then(side).flatten();
    let first = ends.chain(side).min_by(f64::total_cmp)?;
    Some(first as f32)
}

/// The smaller root of a t² + 2 b t + c, if it is above 0.
fn first_root(a: f64, b: f64, c: f64) -> Option<f64> {
    let discriminant = b * b - a * c;
    if a <= 0.0 || discriminant < 0.0 {
        return None;
    }
    Some((-b - discriminant.sqrt()) / a).filter(|t| *t > 0.0)
}

/// Where a ray meets the plane through a point, if that is before it.
pub(super) fn on_plane(ray: Ray, point: Vec3, normal: Vec3) -> Option<Vec3> {
    let distance = (point - ray.origin).dot(normal) / ray.direction.dot(normal);
    (distance.is_finite() && distance > 0.0).then(|| ray.origin + distance * ray.direction)
}

/// A place in the range of coordinates.
fn within(place: Vec3) -> [f32; 3] {
    let (low, high) = Collider::PLACE_RANGE.into_inner();
    place.clamp(Vec3::splat(low), Vec3::splat(high)).to_array()
}

/// A radius in its range.
pub(super) fn resized(radius: f32, factor: f32) -> f32 {
    let (least, most) = Collider::RADIUS_RANGE.into_inner();
    (radius * factor).clamp(least, most)
}

/// A sphere, or an upright capsule, around a place.
pub(super) fn new(place: Vec3, capsule: bool, camera: &OrbitCamera) -> Collider {
    let radius = resized(NEW_RADIUS, camera.distance);
    let half = Vec3::Y * (NEW_HALF_LENGTH * radius);
    Collider {
        from: within(if capsule { place - half } else { place }),
        to: capsule.then(|| within(place + half)),
        radius,
    }
}

/// A free place beside hair, in sight of the camera, for a new collider; `points` are drawn, or
/// where there are none the camera's target is taken for them.
pub(super) fn beside(points: &[[f32; 4]], colliders: &[Collider], camera: &OrbitCamera) -> Vec3 {
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
    for _ in 0..Collider::MOST {
        if !taken(beside) {
            break;
        }
        beside -= up * (2.5 * radius);
    }
    beside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::CameraView;
    use glam::Vec2;

    const SIZE: Vec2 = Vec2::new(960.0, 800.0);

    fn sphere(x: f32, y: f32, z: f32, radius: f32) -> Collider {
        Collider {
            from: [x, y, z],
            to: None,
            radius,
        }
    }

    fn capsule() -> Collider {
        Collider {
            from: [-1.0, 0.0, 0.0],
            to: Some([1.0, 0.0, 0.0]),
            radius: 0.25,
        }
    }

    fn down(x: f32) -> Ray {
        Ray {
            origin: Vec3::new(x, 5.0, 0.0),
            direction: Vec3::NEG_Y,
        }
    }

    #[test]
    fn the_nearest_collider_is_met_where_the_ray_enters_it() {
        let colliders = [
            sphere(0.0, 0.0, 0.0, 1.0),
            sphere(0.0, 3.0, 0.0, 0.5),
            sphere(2.0, 0.0, 0.0, 0.1),
        ];
        let (grip, distance) = nearest(&colliders, down(0.0)).unwrap();
        assert_eq!((grip.index, grip.part), (1, Part::Whole));
        assert!((distance - 1.5).abs() < 1e-5);
        assert_eq!(nearest(&colliders, down(0.8)).unwrap().0.index, 0);
        assert_eq!(nearest(&colliders, down(1.5)), None);
        let inside = [sphere(0.0, 5.0, 0.0, 1.0)];
        assert_eq!(nearest(&inside, down(0.0)), None, "from inside");
    }

    #[test]
    fn capsules_are_held_by_their_ends_or_their_middle() {
        let all = [capsule()];
        for (x, part, height) in [
            (0.0, Part::Whole, 0.25),
            (-0.95, Part::From, 0.25),
            (1.15, Part::To, 0.2),
        ] {
            let (grip, distance) = nearest(&all, down(x)).unwrap();
            assert_eq!(grip.part, part, "{x}");
            assert!((5.0 - distance - height).abs() < 1e-4, "{x}: {distance}");
        }
        assert_eq!(nearest(&all, down(1.3)), None);
        let along = Ray {
            origin: Vec3::new(-4.0, 0.1, 0.0),
            direction: Vec3::X,
        };
        assert_eq!(nearest(&all, along).unwrap().0.part, Part::From);
        let mut point = capsule();
        point.to = Some(point.from);
        let (grip, _) = nearest(&[point], down(-1.0)).unwrap();
        assert_eq!(grip.part, Part::Whole, "a capsule without length");
    }

    #[test]
    fn the_place_that_was_taken_stays_under_the_pointer() {
        for (view, _) in CameraView::ALL {
            let camera = OrbitCamera::named(view);
            let at = |pixel: Vec2| camera.ray(pixel, SIZE);
            let target = camera.target.to_array();
            let mut colliders = [sphere(target[0], target[1], target[2], 0.6)];
            let (start, end) = (Vec2::new(500.0, 410.0), Vec2::new(690.0, 230.0));
            let mut hands = Hands::default();
            let (grip, distance) = nearest(&colliders, at(start)).unwrap();
            let taken = at(start).origin + distance * at(start).direction;
            let before = colliders[0];
            hands.take(grip, &colliders, at(start));
            hands.carry(&mut colliders, &camera, at(end));
            let by = Vec3::from(colliders[0].from) - Vec3::from(before.from);
            assert!(
                by.dot(camera.outward()).abs() < 1e-4,
                "parallel to the view"
            );
            let clip = camera.clip_from_world(SIZE) * (taken + by).extend(1.0);
            let pixel = Vec2::new(clip.x / clip.w + 1.0, 1.0 - clip.y / clip.w) * 0.5 * SIZE;
            assert!(pixel.distance(end) < 0.1, "{view:?}: {pixel}");
            hands.release();
            hands.carry(&mut colliders, &camera, at(start));
            assert_eq!(by, Vec3::from(colliders[0].from) - Vec3::from(before.from));
        }
    }

    #[test]
    fn an_end_moves_alone_and_nothing_leaves_its_range() {
        let camera = OrbitCamera::named(CameraView::Front);
        let mut colliders = [capsule()];
        let mut hands = Hands::default();
        let grip = Grip {
            index: 0,
            part: Part::To,
        };
        let toward = |p: Vec3| Ray {
            origin: camera.eye(),
            direction: (p - camera.eye()).normalize(),
        };
        hands.take(grip, &colliders, toward(Vec3::X));
        hands.carry(&mut colliders, &camera, toward(Vec3::new(1.0, 1.0, 0.0)));
        assert_eq!(colliders[0].from, capsule().from);
        assert!(colliders[0].to.unwrap()[1] > 0.8);
        let sideways = Ray {
            origin: camera.eye(),
            direction: (Vec3::X - 1e-6 * camera.outward()).normalize(),
        };
        hands.carry(&mut colliders, &camera, sideways);
        assert!(colliders[0].validate().is_ok(), "{:?}", colliders[0]);
        assert_eq!((resized(1.0, 1e9), resized(1.0, 0.0)), (100.0, 0.001));
    }

    #[test]
    fn those_behind_a_removed_one_move_up() {
        let mut hands = Hands {
            hovered: Some(1),
            selected: Some(3),
            held: None,
        };
        hands.removed(1);
        assert_eq!((hands.hovered, hands.selected), (None, Some(2)));
        hands.removed(2);
        assert_eq!(hands.selected, None);
    }

    #[test]
    fn new_ones_are_beside_the_hair_and_not_in_each_other() {
        let camera = OrbitCamera::named(CameraView::Front);
        let points = [[-0.3, 1.5, 0.0, 0.0], [0.3, 1.7, 0.2, 0.0]];
        let mut colliders: Vec<Collider> = Vec::new();
        for _ in 0..3 {
            let place = beside(&points, &colliders, &camera);
            let made = new(place, false, &camera);
            for p in points {
                let p = Vec3::new(p[0], p[1], p[2]);
                assert!(p.distance(place) > made.radius);
            }
            for other in &colliders {
                assert!(Vec3::from(other.from).distance(place) >= 2.0 * made.radius);
            }
            colliders.push(made);
        }
    }
}
