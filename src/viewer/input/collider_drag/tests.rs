use super::*;
use glam::Vec2;
use mohawk::render::CameraView;

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
    for view in CameraView::ALL {
        let camera = OrbitCamera::named(view);
        let at = |pixel: Vec2| camera.ray(pixel, SIZE);
        let target = camera.target.to_array();
        let mut colliders = [sphere(target[0], target[1], target[2], 0.6)];
        let (start, end) = (Vec2::new(500.0, 410.0), Vec2::new(690.0, 230.0));
        let mut drag = DragState::default();
        let (grip, distance) = nearest(&colliders, at(start)).unwrap();
        let taken = at(start).origin + distance * at(start).direction;
        let before = colliders[0];
        drag.take(grip, &colliders, at(start));
        drag.carry(&mut colliders, &camera, at(end));
        let by = Vec3::from(colliders[0].from) - Vec3::from(before.from);
        assert!(
            by.dot(camera.outward()).abs() < 1e-4,
            "parallel to the view"
        );
        let clip = camera.clip_from_world(SIZE) * (taken + by).extend(1.0);
        let pixel = Vec2::new(clip.x / clip.w + 1.0, 1.0 - clip.y / clip.w) * 0.5 * SIZE;
        assert!(pixel.distance(end) < 0.1, "{view:?}: {pixel}");
        drag.release();
        drag.carry(&mut colliders, &camera, at(start));
        assert_eq!(by, Vec3::from(colliders[0].from) - Vec3::from(before.from));
    }
}

#[test]
fn an_end_moves_alone_and_nothing_leaves_its_range() {
    let camera = OrbitCamera::named(CameraView::Front);
    let mut colliders = [capsule()];
    let mut drag = DragState::default();
    let grip = Grip {
        index: 0,
        part: Part::To,
    };
    let toward = |p: Vec3| Ray {
        origin: camera.eye(),
        direction: (p - camera.eye()).normalize(),
    };
    drag.take(grip, &colliders, toward(Vec3::X));
    drag.carry(&mut colliders, &camera, toward(Vec3::new(1.0, 1.0, 0.0)));
    assert_eq!(colliders[0].from, capsule().from);
    assert!(colliders[0].to.unwrap()[1] > 0.8);
    let sideways = Ray {
        origin: camera.eye(),
        direction: (Vec3::X - 1e-6 * camera.outward()).normalize(),
    };
    drag.carry(&mut colliders, &camera, sideways);
    assert!(colliders[0].validate().is_ok(), "{:?}", colliders[0]);
    assert_eq!((resized(1.0, 1e9), resized(1.0, 0.0)), (100.0, 0.001));
}

#[test]
fn those_behind_a_removed_one_move_up() {
    let mut drag = DragState {
        hovered: Some(1),
        selected: Some(3),
        held: None,
    };
    drag.removed(1);
    assert_eq!((drag.hovered, drag.selected), (None, Some(2)));
    drag.removed(2);
    assert_eq!(drag.selected, None);
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
