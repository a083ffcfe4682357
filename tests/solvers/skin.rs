//! Long hair on the real head: measured against the mesh itself, not against the field that hair
//! collides with.

use super::*;
use mohawk::groom::GroomSettings;
use mohawk::head::{Head, HeadSettings};
use mohawk::roots::{Amount, RootSettings, Roots};
use mohawk::scalp::Scalp;
use mohawk::sim::{HeadCollider, HeadShape, Sdf, SdfSettings};
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};

const PARTICLES: u32 = 16;

/// The shipped head: its skin, what hair collides with, and long hair.
struct Skin {
    triangles: Vec<[DVec3; 3]>,
    shape: HeadShape,
    groom: Groom,
}

static SKIN: LazyLock<Skin> = LazyLock::new(|| skin_with_hair(80));

fn skin_with_hair(strands: u32) -> Skin {
    let head = Head::shipped(&HeadSettings::default()).unwrap();
    let on = |_: f32| ControlFlow::Continue(());
    let field = Sdf::bake(&head, &SdfSettings::default(), &mut { on }).unwrap();
    let scalp = Scalp::of_head(&head).unwrap();
    let roots = RootSettings {
        amount: Amount::Strands(strands),
        ..RootSettings::default()
    };
    let roots = Roots::sample(&scalp, &roots, &mut { on }).unwrap();
    let long = GroomSettings {
        length: 2.5,
        ..GroomSettings::default()
    };
    let parts = Sdf::skin_parts(&head).into_iter();
    let parts = parts.map(|part| &head.parts[part]);
    let corner = |part: &mohawk::head::Part, i: u32| part.positions[i as usize].as_dvec3();
    Skin {
        triangles: parts
            .flat_map(|part| (part.triangles.iter()).map(|t| t.map(|i| corner(part, i))))
            .collect(),
        shape: HeadShape {
            ellipsoid: Ellipsoid::of_head(&head),
            field: Some(Arc::new(field)),
        },
        groom: Groom::grow(&roots, &long, 1),
    }
}

/// Distance from the nearest point of a triangle (Ericson: Real-Time Collision Detection, 5.1.5).
fn distance(p: DVec3, [a, b, c]: &[DVec3; 3]) -> f64 {
    let (ab, ac, ap) = (*b - *a, *c - *a, p - *a);
    let n = ab.cross(ac);
    // Barycentric coordinates of the foot; outside, the nearest of the three sides.
    let per_square = 1.0 / n.length_squared();
    let w = ab.cross(ap).dot(n) * per_square;
    let v = ap.cross(ac).dot(n) * per_square;
    if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
        return (ap.dot(n) * per_square.sqrt()).abs();
    }
    let side = |from: DVec3, to: DVec3| {
        let way = to - from;
        let share = ((p - from).dot(way) / way.length_squared()).clamp(0.0, 1.0);
        p.distance(from + way * share)
    };
    side(*a, *b).min(side(*b, *c)).min(side(*c, *a))
}

/// Solid angle of a triangle (van Oosterom, Strackee 1983).
fn angle(p: DVec3, corners: &[DVec3; 3]) -> f64 {
    let [a, b, c] = corners.map(|corner| corner - p);
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * a.dot(b.cross(c)).atan2(below)
}

/// Distance from the skin, negative inside.
fn signed(p: DVec3) -> f64 {
    let each = SKIN.triangles.iter();
    let (nearest, turns) = each.fold((f64::MAX, 0.0), |(nearest, turns), triangle| {
        (
            nearest.min(distance(p, triangle)),
            turns + angle(p, triangle),
        )
    });
    if turns > TAU { -nearest } else { nearest }
}

fn on_skin(settings: SimSettings) -> Simulation {
    let settings = SimSettings {
        strand_particles: PARTICLES,
        ..settings
    };
    let mut simulation = Simulation::new(&SKIN.groom, settings, Pose::IDENTITY);
    simulation.set_head(SKIN.shape.clone());
    simulation
}

fn run(simulation: &mut Simulation, secs: f64, pose: &dyn Fn(f64) -> Pose) {
    let from = simulation.time_secs();
    for _ in 0..(secs / STEP_SECS).round() as u32 {
        simulation.advance(STEP_SECS, &mut |t| pose(t - from));
    }
}

/// Distances of all particles but the roots, where the head is.
fn distances(simulation: &Simulation) -> Vec<f64> {
    let back = simulation.pose().to_dmat4().inverse();
    let all = particles(simulation);
    let strands = all.chunks(PARTICLES as usize);
    let points = strands.flat_map(|strand| &strand[1..]);
    points
        .map(|p| signed(back.transform_point3(xyz(p))))
        .collect()
}

fn check_outside(simulation: &Simulation, when: &str) -> usize {
    let distances = distances(simulation);
    let deepest = distances.iter().copied().fold(f64::MAX, f64::min);
    let solver = simulation.solver_name();
    assert!(deepest > -0.005, "{solver} {when}: {deepest} dm from skin");
    distances
        .iter()
        .filter(|&&distance| distance < 0.05)
        .count()
}

#[test]
fn long_hair_lies_on_the_skin_and_not_in_it() {
    for solver in OF_PARTICLES {
        let mut simulation = on_skin(SimSettings {
            rod: limp(0.02),
            // Limits at which much of it lies down.
            angular: AngularSettings {
                stiffness_root_deg: 35.0,
                stiffness_tip_deg: 35.0,
                ..AngularSettings::default()
            },
            ..with(solver)
        });
        run(&mut simulation, 3.0, &|_| Pose::IDENTITY);
        let lying = check_outside(&simulation, "fallen");
        let least = match solver {
            SolverKind::Ftl | SolverKind::Particles => 120,
            _ => 20,
        };
        assert!(lying > least, "{solver}: only {lying} lie on the skin");
        run(&mut simulation, 0.7, &|t| Scene::Swing.pose(t));
        check_outside(&simulation, "swung");
        run(&mut simulation, 0.5, &|t| Scene::Swing.pose(0.7 + t));
        check_outside(&simulation, "swung on");
    }
}

/// Noses, lids and lips are thin: from either side hair was turned towards the other one, and one
/// particle in ten thousand came to rest a millimetre and more inside.
#[test]
fn hair_that_whips_into_the_face_stays_out_of_its_folds() {
    let skin = skin_with_hair(400);
    let nod_and_turn = |t: f64| {
        let share = ((t - 0.5) / 0.5).clamp(0.0, 1.0) * ((4.0 - t) / 0.5).clamp(0.0, 1.0);
        let turn = DQuat::from_rotation_y(0.8 * share * (4.0 * t).sin());
        let nod = DQuat::from_rotation_x(0.5 * share * (3.0 * t + 1.0).sin());
        Pose {
            rotation: turn * nod,
            ..Pose::IDENTITY
        }
    };
    let all = OF_PARTICLES.map(with);
    let dependents = SimSettings {
        guides: GuideSettings {
            share: 0.1,
            ..GuideSettings::default()
        },
        ..with(SolverKind::Ftl)
    };
    for settings in all.into_iter().chain([dependents]) {
        let (solver, share) = (settings.solver, settings.guides.share);
        let mut simulation = Simulation::new(&skin.groom, settings, Pose::IDENTITY);
        simulation.set_head(skin.shape.clone());
        let mut deepest = 0.0_f64;
        for frame in 0..270 {
            let now = f64::from(frame) / 60.0;
            run(&mut simulation, 1.0 / 60.0, &|t| nod_and_turn(now + t));
            deepest = deepest.max(simulation.max_penetration());
        }
        assert!(deepest < 0.005, "{solver}, guides {share}: {deepest} dm");
    }
}

#[test]
fn hair_that_has_fallen_lies_still() {
    for solver in [SolverKind::Ftl, SolverKind::Rod] {
        let mut simulation = on_skin(with(solver));
        run(&mut simulation, 5.0, &|_| Pose::IDENTITY);
        let before = particles(&simulation);
        let mut most = 0.0_f64;
        for _ in 0..60 {
            run(&mut simulation, 1.0 / 60.0, &|_| Pose::IDENTITY);
            let now = particles(&simulation);
            let ways = before
                .iter()
                .zip(&now)
                .map(|(a, b)| xyz(a).distance(xyz(b)));
            most = ways.fold(most, f64::max);
        }
        // A hair's breadth in a second.
        assert!(most < 0.01, "{solver}: {most} dm");
    }
}

/// Then the window computes nothing more. Without dry friction some hair of `angular` crept for a
/// minute.
#[test]
fn hair_that_has_fallen_comes_to_rest() {
    for solver in OF_PARTICLES {
        let mut simulation = on_skin(with(solver));
        let mut secs = 0;
        while !simulation.is_settled() {
            assert!(secs < 20, "{solver} still moves");
            run(&mut simulation, 1.0, &|_| Pose::IDENTITY);
            secs += 1;
        }
    }
}

/// Joints once bent as far in fine hair as in coarse hair: with four times as many of them, hair on
/// the head curled up as tightly, and went on thrashing for seconds.
#[test]
fn fine_hair_of_angular_comes_to_rest_as_coarse_hair_does() {
    let mut settings = with(SolverKind::Angular);
    settings.strand_particles = 48;
    let mut simulation = on_skin(settings);
    run(&mut simulation, 3.0, &|_| Pose::IDENTITY);
    let before = particles(&simulation);
    run(&mut simulation, 0.1, &|_| Pose::IDENTITY);
    let after = particles(&simulation);
    let moved = before
        .iter()
        .zip(&after)
        .map(|(a, b)| xyz(a).distance(xyz(b)));
    let most = moved.fold(0.0, f64::max);
    assert!(most < 0.1, "still {most} dm in a tenth of a second");
}

/// Repulsion once pushed as hard for the least difference in density: where hair is thinnest some
/// tips went on chattering for good, and the window with them.
#[test]
fn hair_that_repels_hair_comes_to_rest() {
    let skin = skin_with_hair(1500);
    let mut simulation = crowd(&skin, 5.0, 300.0);
    let mut secs = 0;
    while !simulation.is_settled() {
        assert!(secs < 20, "it still moves");
        run(&mut simulation, 1.0, &|_| Pose::IDENTITY);
        secs += 1;
    }
}

/// Returns limp hair of a head that feels other hair.
fn crowd(skin: &Skin, friction: f32, repulsion: f32) -> Simulation {
    let mut settings = with(SolverKind::Ftl);
    settings.hair.friction = friction;
    settings.hair.repulsion = repulsion;
    let mut simulation = Simulation::new(&skin.groom, settings, Pose::IDENTITY);
    simulation.set_head(skin.shape.clone());
    simulation
}

/// The head shakes twice a second, by 35 degrees to each side, for two seconds. Of single hairs that
/// have fallen to both sides, many then lie elsewhere.
#[test]
fn hair_among_hair_keeps_its_style_and_its_parting() {
    let skin = skin_with_hair(1000);
    let shake = |t_secs: f64| {
        let turn = (0.5 * PI * t_secs).sin().powi(2) * (4.0 * PI * t_secs).sin();
        Pose::new(DQuat::from_rotation_y(0.61 * turn), DVec3::ZERO)
    };
    let displaced = |friction: f32, repulsion: f32| {
        let mut simulation = crowd(&skin, friction, repulsion);
        let tips = |simulation: &Simulation| -> Vec<DVec3> {
            let points = particles(simulation);
            let strands = points.chunks_exact(simulation.strand_particles());
            strands
                .map(|strand| xyz(&strand[strand.len() - 1]))
                .collect()
        };
        run(&mut simulation, 4.0, &|_| Pose::IDENTITY);
        let before = tips(&simulation);
        run(&mut simulation, 2.0, &shake);
        run(&mut simulation, 3.0, &|_| Pose::IDENTITY);
        let after = tips(&simulation);
        let pairs = || before.iter().zip(&after);
        let far = pairs().filter(|(a, b)| a.distance(**b) > 0.75).count();
        let across = pairs().filter(|(a, b)| a.x * b.x < 0.0).count();
        [far, across]
    };
    let (alone, among) = (displaced(0.0, 0.0), displaced(5.0, 300.0));
    let kept = (0..2).all(|i| among[i] < 60 && 2 * among[i] < alone[i]);
    assert!(kept, "{alone:?} {among:?} of 1000");
}

#[test]
fn dependents_lie_on_the_skin_too() {
    let mut simulation = on_skin(SimSettings {
        guides: GuideSettings {
            share: 0.2,
            ..GuideSettings::default()
        },
        ..with(SolverKind::Ftl)
    });
    run(&mut simulation, 2.0, &|_| Pose::IDENTITY);
    check_outside(&simulation, "fallen");
    run(&mut simulation, 0.7, &|t| Scene::Swing.pose(t));
    check_outside(&simulation, "swung");
}

#[test]
fn hair_goes_as_deep_as_the_collider_lets_it() {
    let deepest = |head_collider: HeadCollider| {
        let mut simulation = on_skin(SimSettings {
            head_collider,
            ..with(SolverKind::Ftl)
        });
        run(&mut simulation, 2.0, &|_| Pose::IDENTITY);
        distances(&simulation).into_iter().fold(f64::MAX, f64::min)
    };
    let [none, plane, ellipsoid, field] = HeadCollider::ALL.map(deepest);
    assert!(none < -0.3, "{none}");
    assert!(none < ellipsoid && ellipsoid < -0.02, "{none} {ellipsoid}");
    // Hair stands on its root's plane, which is tangent to a head that is round.
    assert!(plane > -0.15, "{plane}");
    assert!(field > -0.005, "{field}");
}

/// Strands of the spring stand on the planes at their roots, unless they are told not to.
#[test]
fn springs_know_the_plane_or_nothing() {
    let lowest = |head_collider: HeadCollider| {
        let mut simulation = on_skin(SimSettings {
            head_collider,
            ..with(SolverKind::Spring)
        });
        for (i, normal) in SKIN.groom.normals.iter().enumerate() {
            simulation.push(i, *normal * -30.0);
        }
        let mut lowest = f64::MAX;
        for _ in 0..240 {
            simulation.advance(STEP_SECS, &mut |t| Scene::Shake.pose(t));
            let mut tips = Vec::new();
            simulation.write_simulated_tips(&mut tips);
            for (i, tip) in tips.iter().enumerate() {
                let (root, normal) = (SKIN.groom.roots[i], SKIN.groom.normals[i]);
                let root = simulation.pose().transform_point(root.as_dvec3());
                let normal = simulation.pose().transform_vector(normal.as_dvec3());
                lowest = lowest.min((xyz(tip) - root).dot(normal));
            }
        }
        lowest
    };
    for collider in [HeadCollider::Plane, HeadCollider::Field] {
        let lowest = lowest(collider);
        assert!(lowest > -1e-4, "{collider}: {lowest}");
    }
    let free = lowest(HeadCollider::None);
    assert!(free < -0.01, "{free}");
}

/// Followers once met no plane, and those that are combed unlike their guide went into the head.
#[test]
fn dependents_of_springs_stay_above_the_planes_at_their_roots() {
    let normal = Vec3::Y;
    let lowest = |head_collider: HeadCollider, follower: Vec3| {
        let groom = Groom {
            roots: vec![Vec3::ZERO, Vec3::X * 0.1],
            directions: vec![normal, follower],
            normals: vec![normal; 2],
            lengths: vec![0.75; 2],
            ..Groom::default()
        };
        let mut settings = with(SolverKind::Spring);
        settings.guides.share = 0.5;
        settings.head_collider = head_collider;
        let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
        simulation.push(0, Vec3::new(0.0, -40.0, 20.0));
        let mut lowest = f64::MAX;
        for _ in 0..120 {
            simulation.advance(STEP_SECS, &mut |_| Pose::IDENTITY);
            let all = particles(&simulation);
            lowest = all[12..].iter().map(|p| xyz(p).y).fold(lowest, f64::min);
        }
        lowest
    };
    let aslant = Vec3::new(1.0, 1.0, 0.0).normalize();
    let above = lowest(HeadCollider::Field, aslant);
    assert!(above > -1e-5, "{above}");
    for (collider, follower) in [
        (HeadCollider::None, aslant),
        (HeadCollider::Field, Vec3::new(1.0, -0.2, 0.0).normalize()),
    ] {
        let low = lowest(collider, follower);
        assert!(low < -0.1, "{collider}: {low}");
    }
}

/// Hairs that follow springs collide with no shape of the head, whatever is known of it.
#[test]
fn dependents_of_springs_know_no_shape_of_the_head() {
    let drawn = |knows_field: bool| {
        let mut settings = with(SolverKind::Spring);
        settings.guides.share = 0.1;
        settings.head_collider = HeadCollider::Field;
        let mut simulation = on_skin(settings);
        if !knows_field {
            simulation.set_head(HeadShape {
                field: None,
                ..SKIN.shape.clone()
            });
        }
        run(&mut simulation, 0.5, &|t| Scene::Shake.pose(t));
        let mut points = Vec::new();
        simulation.write_particles(1.0, &mut points);
        points
    };
    let points = drawn(true);
    assert!(points == drawn(false));
    assert!(points.iter().all(|point| xyz(point).is_finite()));
}
