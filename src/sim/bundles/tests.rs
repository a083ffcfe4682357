//! Tests of bundles with every solver.

use super::*;
use crate::sim::{Ellipsoid, STEP_SECS, Scene, Simulation, SolverKind};

const SOLVERS: [SolverKind; 5] = SolverKind::ALL;
const PARTICLES: usize = 16;

/// Returns hair of a length on the back of a round head, upright.
fn long_hair(count: usize, length: f32) -> Groom {
    let normal = |i: usize| {
        let height = 0.2 + 0.7 * (i as f32 + 0.5) / count as f32;
        let turn = f64::from(i as u32) * 2.399_963;
        let (sin, cos) = crate::det_math::sin_cos(turn);
        let side = 0.6 * (1.0 - height * height).sqrt();
        Vec3::new(
            side * sin as f32,
            height,
            -side.max(0.1) - 0.5 * cos as f32 * side,
        )
    };
    let mut groom = Groom::parallel((0..count).map(normal).collect(), Vec3::Y, length);
    for i in 0..count {
        let normal = groom.roots[i].normalize();
        (groom.roots[i], groom.directions[i], groom.normals[i]) = (normal, normal, normal);
    }
    groom
}

fn ponytail() -> Tie {
    Tie {
        reach: 1.2,
        ..Tie::at([0.0, 0.5, -1.3])
    }
}

fn simulation(
    groom: &Groom,
    solver: SolverKind,
    change: impl FnOnce(&mut SimSettings),
) -> Simulation {
    let mut settings = SimSettings {
        solver,
        strand_particles: PARTICLES as u32,
        ..SimSettings::default()
    };
    change(&mut settings);
    let mut sim = Simulation::new(groom, settings, Pose::IDENTITY);
    sim.set_head(Some(Ellipsoid {
        center: Vec3::ZERO,
        radii: Vec3::splat(0.98),
    }));
    sim
}

fn run(sim: &mut Simulation, secs: f64, scene: Scene) {
    for _ in 0..(secs / STEP_SECS).round() as u32 {
        sim.advance(STEP_SECS, &mut |t| scene.pose(t));
    }
}

fn shape(sim: &Simulation) -> Vec<Vec3> {
    let mut points = Vec::new();
    sim.write_particles(1.0, &mut points);
    points.iter().map(|point| Vec3::from_slice(point)).collect()
}

/// Returns the largest distance of a bound point from the mean of all.
fn widest(sim: &Simulation, tie: &Tie) -> f32 {
    let points = shape(sim);
    let bound = tie.bind(sim.groom(), PARTICLES);
    let places = bound.iter().map(|bound| {
        let end = bound.strand * PARTICLES + bound.particle;
        points[end - 1].lerp(points[end], bound.along)
    });
    let places: Vec<Vec3> = places.collect();
    let mean = places.iter().sum::<Vec3>() / places.len() as f32;
    places
        .iter()
        .map(|place| place.distance(mean))
        .fold(0.0, f32::max)
}

/// Hair of 2 dm on a round head, gathered behind it.
#[test]
fn a_tie_holds_in_motion_and_comes_to_rest() {
    let (groom, tie) = (long_hair(96, 2.0), ponytail());
    assert!(tie.strands(&groom) > 80);
    // Springs move tips only. The roots of some strands are under the tie, and neither rods nor
    // joints with limits make so tight a loop.
    for (solver, most) in [
        (SolverKind::Ftl, 1.0),
        (SolverKind::Particles, 1.0),
        (SolverKind::Rod, 2.2),
        (SolverKind::Angular, 2.8),
        (SolverKind::Spring, 8.0),
    ] {
        for scene in [Scene::Swing, Scene::Shake, Scene::Drop] {
            let mut sim = simulation(&groom, solver, |settings| settings.ties = vec![tie]);
            let loose = widest(&sim, &tie) / tie.radius;
            assert!(loose > 8.0, "{loose}");
            run(&mut sim, 1.0, scene);
            for _ in 0..20 {
                run(&mut sim, 0.1, scene);
                let held = widest(&sim, &tie) / tie.radius;
                assert!(held < most, "{solver:?} in {scene:?}: {held}");
            }
            if scene == Scene::Drop {
                run(&mut sim, 5.0, scene);
                let before = shape(&sim);
                run(&mut sim, 0.1, scene);
                let moved = before.iter().zip(shape(&sim));
                let most = moved.map(|(a, b)| a.distance(b)).fold(0.0, f32::max);
                assert!(most < 0.01, "{solver:?}: {most}");
            }
        }
    }
}

#[test]
fn bundles_keep_momentum() {
    let groom = long_hair(601, 2.0);
    for (wetness, ties) in [(0.0, vec![ponytail()]), (1.0, Vec::new())] {
        let mut settings = SimSettings {
            ties,
            ..SimSettings::default()
        };
        settings.wet.wetness = wetness;
        let mut hair = Hair::new(&groom, 12, &Pose::IDENTITY);
        for i in 0..hair.len() {
            for j in 1..12 {
                let v = Vec3::new(1.0, (i % 5) as f32, (j % 3) as f32);
                hair.set(i, j, hair.position(i, j), v);
            }
        }
        let before = hair.momentum();
        let swift = hair.velocity(3, 11);
        let mut bundles = Bundles::default();
        bundles.pull_hair(
            &mut hair,
            &groom,
            &settings,
            &Pose::IDENTITY,
            TakesPulls::Velocities,
        );
        assert!(hair.velocity(3, 11).distance(swift) > 0.01 || wetness == 0.0);
        let gained = hair.momentum() - before;
        assert!(gained.length() < 1e-4 * before.length(), "{gained}");
    }
}

/// Returns the mean distance of tips from the mean tip of their lock.
fn spread(sim: &Simulation, locks: &Locks) -> f32 {
    let points = shape(sim);
    let tip = |&i: &usize| points[(i + 1) * PARTICLES - 1];
    let of_lock = |strands: &Vec<usize>| {
        let mean = strands.iter().map(tip).sum::<Vec3>() / strands.len() as f32;
        let apart = strands.iter().map(|i| tip(i).distance(mean));
        apart.sum::<f32>() / strands.len() as f32
    };
    locks.strands.iter().map(of_lock).sum::<f32>() / locks.strands.len() as f32
}

#[test]
fn wet_hair_gathers_and_comes_apart_as_it_dries() {
    let root = |i: usize| Vec3::new((i % 12) as f32 * 0.05, 1.2, (i / 12) as f32 * 0.05);
    let groom = Groom::parallel((0..144).map(root).collect(), Vec3::NEG_Y, 0.75);
    let locks = Locks::of(&groom, 0.15).unwrap();
    for solver in SOLVERS {
        let mut sim = simulation(&groom, solver, |settings| {
            settings.hold = 0.2;
            settings.head_collider = crate::sim::HeadCollider::None;
            settings.wet.wetness = 1.0;
            settings.wet.drying_secs = 1.0;
        });
        let dry = spread(&sim, &locks);
        run(&mut sim, 1.0, Scene::Still);
        assert!((sim.wetness() - 0.5).abs() < 1e-4);
        let wet = spread(&sim, &locks);
        assert!(wet < 0.6 * dry, "{solver:?}: {wet} of {dry}");
        run(&mut sim, 9.0, Scene::Still);
        assert_eq!(sim.wetness(), 0.0);
        let again = spread(&sim, &locks);
        assert!(
            (again / dry - 1.0).abs() < 0.1,
            "{solver:?}: {again} of {dry}"
        );
        sim.reset(Pose::IDENTITY);
        assert_eq!(sim.wetness(), 1.0);
    }
}

#[test]
fn any_number_of_threads_and_frames_gives_the_same_bits() {
    let groom = long_hair(700, 1.5);
    let end = |solver, threads: usize, secs: f64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let mut sim = simulation(&groom, solver, |settings| {
                settings.ties = vec![ponytail(), Tie::at([0.0, 1.3, 0.0])];
                settings.wet.wetness = 0.9;
                settings.wet.drying_secs = 0.5;
            });
            for _ in 0..(0.5 / secs).round() as u32 {
                sim.advance(secs, &mut |t| Scene::Shake.pose(t));
            }
            shape(&sim)
        })
    };
    for solver in [SolverKind::Spring, SolverKind::Ftl, SolverKind::Angular] {
        let one = end(solver, 1, STEP_SECS);
        assert!(one == end(solver, 2, 0.125), "{solver:?}");
        assert!(one == end(solver, 7, 0.25), "{solver:?}");
    }
}

/// Locks were once made anew wherever skin moved, 60 times a second, and hair hopped among them.
#[test]
fn locks_of_tips_stay_together_on_skin_that_moves() {
    let mut groom = long_hair(400, 1.0);
    let mut settings = SimSettings::default();
    settings.wet.wetness = 1.0;
    settings.ties = vec![ponytail()];
    let pulled = |bundles: &mut Bundles, groom: &Groom| {
        let mut spring = Spring::new(groom);
        bundles.pull_tips(&mut spring, groom, &settings, &[Pose::IDENTITY; 2]);
        let gain = |strand: usize| spring.motion_of(strand).1;
        (0..groom.len()).map(gain).collect::<Vec<Vec3>>()
    };
    let locks = |bundles: &Bundles| match &bundles.made {
        Some((_, Made::Tips { locks, .. })) => locks.len(),
        _ => 0,
    };
    let (mut bundles, mut anew) = (Bundles::default(), Bundles::default());
    let before = pulled(&mut bundles, &groom);
    assert!(before.iter().any(|gain| gain.length() > 0.01));
    let first = locks(&bundles);
    // Strands that move together are pulled as before.
    let on = Vec3::new(0.1, 0.2, 0.3);
    groom.roots.iter_mut().for_each(|root| *root += on);
    bundles.carry(&groom);
    for (a, b) in before.iter().zip(pulled(&mut bundles, &groom)) {
        assert!(a.distance(b) < 1e-3, "{a} {b}");
    }
    // More locks find room where skin is stretched.
    groom.roots.iter_mut().for_each(|root| *root *= 1.5);
    bundles.carry(&groom);
    pulled(&mut bundles, &groom);
    pulled(&mut anew, &groom);
    assert!(first > 0 && locks(&bundles) == first && locks(&anew) > first);
}

#[test]
fn a_broken_strand_does_not_break_its_bundle() {
    let groom = long_hair(40, 2.0);
    let mut sim = simulation(&groom, SolverKind::Ftl, |settings| {
        settings.ties = vec![ponytail()];
        settings.wet.wetness = 1.0;
    });
    run(&mut sim, 0.1, Scene::Still);
    sim.push(7, Vec3::splat(f32::NAN));
    run(&mut sim, 0.1, Scene::Still);
    assert_eq!(sim.reset_strands(), 1);
}
